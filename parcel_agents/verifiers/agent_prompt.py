"""The prompt file of the verifier `agent`: every word that the model is told, apart from the tools' own descriptions.

Sections: `[system]`, `[user]`, `[verdict]` (what `give_verdict` says of itself), `[reminder]` (to a model that answered
with text), `[last]` (at the end of the last reading that the budget allows).
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from string import Template as Substitution

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from parcel_agents.types import Claim
from parcel_agents.verifiers.prompts.untrusted import clean_line, fence

NAME = "agent_v1"
_SECTION = re.compile(r"(?m)^\[(system|user|verdict|reminder|last)\]\n")


@dataclass(frozen=True)
class AgentPrompt:
    """The file, read."""

    id: str
    """What a vote names it by: the file's name and the beginning of its hash."""
    system: str
    user: str
    verdict: str
    reminder: str
    last: str

    def begin(self, claim: Claim, *, steps: int) -> list[BaseMessage]:
        """The messages with which a conversation about a claim begins."""
        told = Substitution(self.user).substitute(claim=fence("claim", clean_line(claim.text)), steps=steps)
        return [SystemMessage(self.system), HumanMessage(told)]


@lru_cache(maxsize=1)
def load_agent_prompt() -> AgentPrompt:
    """The prompt file of the package."""
    data = files("parcel_agents.verifiers.prompts").joinpath(f"{NAME}.txt").read_bytes()
    # A checkout with CRLF line ends is the same prompt.
    text = data.decode("utf-8").replace("\r\n", "\n")
    pieces = _SECTION.split(text)
    sections = {name: body.strip("\n") for name, body in zip(pieces[1::2], pieces[2::2], strict=True)}
    return AgentPrompt(id=f"{NAME}@{hashlib.sha256(text.encode()).hexdigest()[:12]}", **sections)
