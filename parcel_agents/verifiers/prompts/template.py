"""Reading a prompt file: sections `[system]`, `[user]`, and `[json]`, `[tool]`, `[line]` for the forms of answer."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from string import Template as Substitution

from parcel_agents.errors import ConfigError
from parcel_agents.providers.spec import Rung

_SECTION = re.compile(r"(?m)^\[(system|user|json|tool|line)\]\n")
_SECTION_OF: dict[Rung, str] = {
    "json_schema": "json",
    "function_calling": "tool",
    "json_mode": "json",
    "line": "line",
}


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
    data = folder.joinpath(f"{name}.txt").read_bytes()
    # A checkout with CRLF line ends is the same prompt.
    text = data.decode("utf-8").replace("\r\n", "\n")
    pieces = _SECTION.split(text)
    sections = {name: body.strip("\n") for name, body in zip(pieces[1::2], pieces[2::2], strict=True)}
    return Template(
        name=name,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        system=sections["system"],
        user=sections["user"],
        instructions={rung: sections[section] for rung, section in _SECTION_OF.items()},
    )
