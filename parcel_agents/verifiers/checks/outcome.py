"""A claim that opens with what the Court did to the order before it, where the Court did something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from parcel_agents.types import Disposition, DispositionWord, EvidenceRef, Opinion
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.checks.finding import Finding

_SAID: Mapping[str, DispositionWord] = {
    "affirm": "affirmed",
    "revers": "reversed",
    "modif": "modified",
    "vacat": "vacated",
    "reinstat": "reinstated",
}
_OPENS = re.compile(
    r"^\W*(?:(?:[Tt]he )?(?:Court|Court of Appeals|majority) (?:\w+ly )?|(?:\w+ly )?)"
    r"(?P<words>(?P<verb>affirm|revers|modif|vacat|reinstat)(?:ing|ed|ying|ied))\b(?! (?:that|by)\b)",
    re.IGNORECASE,
)
# What may stand behind the verb for it to be said of the order under review: an order, a conviction, a reason, nothing.
# `Affirming the trial court's charge` may be true although the conviction was reversed.
_OBJECT = re.compile(
    r"^(?:(?:,? (?!that\b|which\b|who\b|whether\b|in\b)[\w'’-]+){0,7}?"
    r" (?:orders?|judgments?|convictions?|dismissal|denial)\b"
    r"|,? (?:where|when|because|since|although|despite|on|after|as|upon|over|and)\b|[,.)]|$)"
)
# A court may reverse itself, a burden or course, and an order that affirms a reversal leaves the first court's order
# reversed.
_PART = re.compile(
    r"^(?:,? (?!(?:that|which|who|whether|in|its|our|own|earlier|prior|trial|hearing|first)\b)[\w'’§.-]+){0,6}?"
    r" (?:sanctions?|awards?|grants?|injunctions?|sentences?|verdicts?|fees?|damages|suppression|indictments?)\b"
)
_UNDOES: frozenset[DispositionWord] = frozenset({"reversed", "vacated"})
# A modified order is affirmed in the rest and may remit, vacate or reinstate a part; a reversal may do so too.
_ALLOWS: Mapping[DispositionWord, frozenset[DispositionWord]] = {
    "affirmed": frozenset({"affirmed"}),
    "reversed": frozenset({"reversed", "vacated", "remitted", "reinstated", "dismissed"}),
    "modified": frozenset({"modified", "affirmed", "vacated", "remitted", "reinstated", "dismissed", "reversed"}),
}


def other_outcome(task: Task) -> Iterator[Finding]:
    """A finding if the claim says that the Court affirmed what it reversed, or the like.

    Silent where the order had several outcomes that leave room for the claim's, and where a separate opinion speaks.
    """
    disposition = task.opinion.disposition
    opens = _OPENS.match(task.claim.text)
    if disposition is None or not disposition.words or opens is None:
        return
    said = _SAID[opens["verb"].lower()]
    behind = task.claim.text[opens.end() :]
    # Where everything was affirmed, no part of the order below was reversed either.
    undone = said in _UNDOES and disposition.words == ("affirmed",) and _PART.match(behind)
    if not undone and not _OBJECT.match(behind):
        return
    if said in _possible(disposition):
        return
    words = task.opinion.text[disposition.start : disposition.end]
    done = " and ".join(disposition.words)
    yield Finding(
        "outcome",
        "refuted",
        opens["words"],
        f"the order was {done}, not {said}",
        _refs(task.opinion, disposition),
        against=words,
    )


def _possible(disposition: Disposition) -> frozenset[DispositionWord]:
    """What a claim may truly say was done."""
    return frozenset(
        word for done in disposition.words for word in _ALLOWS.get(done, frozenset({done, "reversed", "remitted"}))
    )


def _refs(opinion: Opinion, disposition: Disposition) -> tuple[EvidenceRef, ...]:
    """The passage that holds the order, from where the order begins."""
    for passage in opinion.passages:
        if passage.start <= disposition.start < passage.end:
            end = min(disposition.end, passage.end)
            return (EvidenceRef(passage=passage.id, start=disposition.start, end=end, relation="contradicts"),)
    return ()
