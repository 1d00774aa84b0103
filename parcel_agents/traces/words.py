"""What a status, a vote's outcome or a check is called for a reader who is a lawyer and no engineer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from parcel_agents.traces.model import TraceStatus
from parcel_agents.types import Label, Outcome, Relation, Vote


@dataclass(frozen=True)
class StatusWords:
    """A status for people."""

    mark: str
    """A sign beside the word, so that nobody has to tell by its colour."""
    word: str
    meaning: str


STATUS_WORDS: Mapping[TraceStatus, StatusWords] = {
    "supported": StatusWords("✓", "Supported", "The opinion says this, at the place shown."),
    "refuted": StatusWords("✗", "Refuted", "The opinion says otherwise, at the place shown."),
    "not_found": StatusWords("○", "Not found", "The opinion was searched, and this was not found in it."),
    "undecided": StatusWords(
        "?", "Undecided", "The opinion was searched, and what was found does not settle it. Read the nearest passages."
    ),
    "could_not_check": StatusWords("!", "Could not check", "This claim was NOT checked: something failed."),
    "not_at_hand": StatusWords("–", "Opinion not at hand", "This claim was NOT checked: its opinion is not at hand."),
    "not_matched": StatusWords(
        "≠", "Opinion not matched", "This claim was NOT checked: it is not certain which file is the opinion it cites."
    ),
}
LABEL_WORDS: Mapping[Label, str] = {"supported": "Supported", "refuted": "Refuted", "not_found": "Not found"}
OUTCOME_WORDS: Mapping[Outcome, str] = {
    "ok": "No opinion",
    "refused": "No vote: declined to answer",
    "recitation": "No vote: its answer was withheld",
    "truncated": "No vote: its answer broke off",
    "unparseable": "No vote: its answer could not be read",
    "timeout": "No vote: took too long",
    "rate_limited": "No vote: the service took no more requests",
    "context_overflow": "No vote: the opinion is too long for it",
    "auth": "No vote: the service did not accept the key",
    "error": "No vote: it failed",
}
RELATION_WORDS: Mapping[Relation, str] = {
    "supports": "Supports the claim",
    "contradicts": "Contradicts the claim",
    "nearest": "Nearest passage; does not settle it",
}
CHECK_WORDS: Mapping[str, str] = {
    "voice": "Who speaks",
    "altered": "One word changed",
    "misattributed": "Somebody else's words",
    "outcome": "Outcome of the appeal",
    "authority": "Authority",
    "number": "Figure",
    "quantity": "Term of years",
    "date": "Date",
    "name": "Name",
    "quotation": "Quoted words",
}
QUOTATION_WORDS: Mapping[str, str] = {
    "verbatim": "stand in the opinion, word for word",
    "altered": "stand in the opinion in other words",
    "absent": "do not stand in the opinion",
}
_VOICE_WORDS = {
    "front": "front matter, not the Court's words",
    "closing": "closing lines and order",
    "unattributed": "an appendix or a footnote of no known opinion",
    "part of unknown voice": "unknown voice, not to be cited as the Court's",
}


def percent(share: float) -> str:
    """A share of what was read as `99%`, rounded down: who left out a line has not read all of it."""
    return f"{int(share * 100 + 1e-9)}%"


def voice_words(voice: str) -> str:
    """Whose words a part holds; a syllabus before the opinion is nobody's to cite."""
    kind, comma, rest = voice.partition(",")
    return f"{_VOICE_WORDS.get(kind, kind)}{comma}{rest}"


def vote_words(vote: Vote) -> str:
    """What a verifier says; one that looked and has nothing to say is told from one that failed."""
    return LABEL_WORDS[vote.label] if vote.label is not None else OUTCOME_WORDS[vote.outcome]
