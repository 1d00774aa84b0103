"""The prompt file of the verifier `agent`: every word that the model is told, apart from the tools' own descriptions.

Sections: `[system]`, `[user]`, `[verdict]` (what `give_verdict` says of itself), `[reminder]` (to a model that answered
with text), `[last]` (at the end of the last reading that the budget allows).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from string import Template as Substitution

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from parcel_agents.providers.prompt_file import read_prompt_file
from parcel_agents.types import Claim
from parcel_agents.verifiers.prompts.untrusted import clean_line, fence

NAME = "agent_v1"


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
    file = read_prompt_file("parcel_agents.verifiers.prompts", NAME)
    return AgentPrompt(id=file.id, **file.sections)
