"""Reading a prompt file: sections `[system]`, `[user]`, and `[json]`, `[tool]`, `[line]` for the forms of answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from string import Template as Substitution

from parcel_agents.errors import ConfigError
from parcel_agents.providers.prompt_file import read_prompt_file
from parcel_agents.providers.spec import Rung


@dataclass(frozen=True)
class Template:
    """A prompt file, read."""

    name: str
    sha256: str
    system: str
    user: str
    instructions: Mapping[Rung, str]

    @property
    def id(self) -> str:
        """What a vote names the prompt by: the file's name and the beginning of its hash."""
        return f"{self.name}@{self.sha256[:12]}"

    @property
    def asks_for_passages(self) -> bool:
        """True if the answer names passages, so that they have to be numbered."""
        return "passages" in self.instructions["json_schema"]

    def fill(self, *, opinion: str, claim: str) -> str:
        """The user's message. Each place is filled once: a `$claim` inside the opinion stays as it is."""
        return Substitution(self.user).substitute(opinion=opinion, claim=claim)


@lru_cache(maxsize=16)
def load_template(name: str) -> Template:
    """The prompt file with this name, without its ending.

    Raises:
        ConfigError: there is none.
    """
    folder = files("parcel_agents.verifiers.prompts")
    names = sorted(path.name.removesuffix(".txt") for path in folder.iterdir() if path.name.endswith(".txt"))
    # The verifier `agent` has prompts of its own, with other sections.
    known = [name for name in names if not name.startswith("agent_")]
    if name not in known:
        raise ConfigError(f"unknown prompt {name!r}; known: {', '.join(known)}")
    file = read_prompt_file("parcel_agents.verifiers.prompts", name)
    return Template(
        name=name,
        sha256=file.sha256,
        system=file.sections["system"],
        user=file.sections["user"],
        instructions=file.instructions,
    )
