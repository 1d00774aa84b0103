"""What makes a claim unfit for the set, told from its words and the opinion's; who made it is no matter.

The checks are few on purpose. Every further one would take from the set what a verifier of this package would have
found, and make the set easier for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from parcel_agents.citations.authorities import Authority, find_authorities, names_authority
from parcel_agents.citations.quantities import find_numbers, number_values
from parcel_agents.generation.decisions import has_separate_opinion
from parcel_agents.generation.model import Candidate, Strategy
from parcel_agents.retrievers import Index
from parcel_agents.retrievers.terms import missing_words
from parcel_agents.types import Claim, Opinion
from parcel_agents.verifiers import Task
from parcel_agents.verifiers.matching import closest_match

MIN_WORDS, MAX_WORDS = 6, 80
_QUOTATION_MARKS = re.compile(r"[\"“”«»]|‘[^’]{12,}’")
_OURS = re.compile(r"\[\s*p\d+|\bpassages? p\d+|\$\w+")
_DANGLING = re.compile(r"\b(?:an?|the|of|and|or|that)$", re.IGNORECASE)
_DOUBLED = re.compile(r"\b(?!that\b|had\b)([a-z]{2,}) \1\b")


@dataclass(frozen=True)
class Fault:
    """Why a claim is unfit."""

    rule: str
    """In words that do not depend on the claim, for counting."""
    reason: str
    """For a reader."""


def find_fault(candidate: Candidate, index: Index) -> Fault | None:
    """The first thing that makes the claim unfit for a set about the indexed opinion; None if nothing does."""
    opinion = index.opinion
    fault = form_fault(candidate.claim)
    if fault is None and candidate.strategy is not None:
        fault = _OF_STRATEGY[candidate.strategy](candidate, opinion) or _repeated(candidate, index)
    if fault is None and candidate.strategy != "phantom_citation":
        fault = _absent_authority(candidate, opinion)
    if fault is None and candidate.label != "not_found" and not candidate.evidence:
        fault = Fault("no evidence", "no passage is given that bears it out or contradicts it")
    return fault


def form_fault(claim: str) -> Fault | None:
    """What keeps the words from being an explanatory parenthetical in a writer's own words."""
    inner = claim[1:-1].strip()
    words = inner.split()
    if not (claim.startswith("(") and claim.endswith(")")) or not _balanced(claim):
        return Fault("not in brackets", "is not one phrase in round brackets")
    if not MIN_WORDS <= len(words) <= MAX_WORDS:
        return Fault("length", f"has {len(words)} words, not {MIN_WORDS} to {MAX_WORDS}")
    if "\n" in claim or not inner[0].isalnum():
        return Fault("malformed", "does not begin as a phrase on one line")
    if _QUOTATION_MARKS.search(inner):
        return Fault("quotation", "quotes instead of putting it in other words")
    if _OURS.search(inner):
        return Fault("malformed", "names a passage's number or a place to be filled")
    if _DANGLING.search(inner):
        return Fault("malformed", f"breaks off behind {words[-1]!r}")
    if doubled := _DOUBLED.search(inner):
        return Fault("malformed", f"has the word {doubled[1]!r} twice")
    return None


def _balanced(claim: str) -> bool:
    """True if the first bracket is closed by the last one."""
    depth = 0
    for place, character in enumerate(claim):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth <= 0 and place < len(claim) - 1:
            return False
    return depth == 0


def _distractor(candidate: Candidate, opinion: Opinion) -> Fault | None:
    old, new = candidate.changed_from, candidate.changed_to
    if not new or not _has(candidate.claim, new):
        return Fault("distractor not in claim", f"does not name {new!r}, which it was said to swap in")
    if not _has(opinion.text, new):
        return Fault("distractor not in opinion", f"the opinion does not name {new!r}")
    if not old or not _has(opinion.text, old):
        return Fault("nothing was swapped", f"the opinion does not name {old!r}, which it was said to take out")
    if _has(candidate.claim, old) and not _has(new, old):
        return Fault("nothing was swapped", f"still names {old!r}")
    return None


def _altered(candidate: Candidate, opinion: Opinion) -> Fault | None:
    if not candidate.source:
        return Fault("no true claim", "does not tell which true claim it was made of")
    if bare_words(candidate.source) == bare_words(candidate.claim):
        return Fault("nothing was changed", "says the same as the true claim")
    return None


def _other_speaker(candidate: Candidate, opinion: Opinion) -> Fault | None:
    if not has_separate_opinion(opinion):
        return Fault("no separate opinion", "the decision has no separate opinion")
    return _altered(candidate, opinion)


def _phantom(candidate: Candidate, opinion: Opinion) -> Fault | None:
    named = candidate.changed_to
    if not named or not _has(candidate.claim, named):
        return Fault("phantom not in claim", f"does not name {named!r}, which it was said to cite")
    authorities = find_authorities(named) or [Authority("case", named, named)]
    if cited := next((one for one in authorities if names_authority(opinion.text, one)), None):
        return Fault("phantom is cited", f"the opinion does name {cited.text}")
    return None


def _detail(candidate: Candidate, opinion: Opinion) -> Fault | None:
    detail = candidate.changed_to
    if not detail or not _has(candidate.claim, detail):
        return Fault("detail not in claim", f"does not hold {detail!r}, which it was said to add")
    if _has(opinion.text, detail):
        return Fault("detail is there", f"the opinion does say {detail!r}")
    given = number_values(opinion.text)
    absent = any(one.value not in given for one in find_numbers(detail)) or missing_words(detail, opinion.text)
    return None if absent else Fault("detail is there", f"every word of {detail!r} occurs in the opinion")


def _argument(candidate: Candidate, opinion: Opinion) -> Fault | None:
    argument = candidate.changed_to
    if not argument or not _has(candidate.claim, argument):
        return Fault("argument not in claim", f"does not hold {argument!r}, which it was said to add")
    if not missing_words(argument, opinion.text):
        return Fault("argument is there", f"every word of {argument!r} occurs in the opinion")
    return None


def _repeated(candidate: Candidate, index: Index) -> Fault | None:
    """A false claim that the opinion says word for word is not false."""
    match = closest_match(Task(Claim.of(candidate.claim), index.opinion, index, ()))
    if match is not None and match.supports:
        return Fault("opinion says it", "the opinion says it word for word")
    return None


def _absent_authority(candidate: Candidate, opinion: Opinion) -> Fault | None:
    """A claim about an authority that the opinion does not name is not found, whatever else it is."""
    if candidate.strategy in ("missing_detail", "unaddressed_argument"):
        return None
    for authority in find_authorities(candidate.claim):
        if not names_authority(opinion.text, authority):
            return Fault("authority is not cited", f"names {authority.text}, which the opinion does not")
    return None


def _has(text: str, words: str) -> bool:
    """True if the text has the words, whatever their case and the space between them."""
    pattern = r"\s+".join(map(re.escape, words.split()))
    return re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE) is not None


def bare_words(text: str) -> str:
    """The words in small letters with single spaces, for comparing."""
    return " ".join(re.findall(r"\w+", text.lower()))


_OF_STRATEGY: Mapping[Strategy, Callable[[Candidate, Opinion], Fault | None]] = {
    "logic_reversal": _altered,
    "distractor_swap": _distractor,
    "scope_contradiction": _altered,
    "authority_swap": _other_speaker,
    "phantom_citation": _phantom,
    "unaddressed_argument": _argument,
    "missing_detail": _detail,
}
