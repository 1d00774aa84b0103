"""A fictional case: Quist v. Harbor Board. Who says what in it is known, since we wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Voice = Literal["court", "syllabus", "party", "court_below", "other_decision", "concurrence", "dissent", "plurality"]

NAME = "Quist v. Harbor Board"
DATE = "May 19, 2031"
COUNSEL = (
    "Ada Rowley argued the cause for the petitioner. With her on the brief was Jonas Hale.",
    "Mira Denham argued the cause for the respondent Harbor Board.",
)

SYLLABUS = (
    "A pilot who boards a vessel outside the breakwater is not an employee of the board that licensed the vessel.",
    "Harbor fees that are collected in advance become the property of the collecting town on the day of payment.",
    "The statute of limitations for mooring disputes begins to run when the mooring line is first made fast.",
    "A harbor commission may delegate the drawing of anchorage charts to its senior surveyor.",
)
FACTS = (
    "Petitioner Quist owns two fishing boats that have been moored in the north basin since 2019.",
    "In the winter of 2027 the Board raised the mooring fee in the north basin and gave no notice to the owners.",
    "Quist refused to pay the higher fee, and the harbor master chained his boats to the pier.",
)
PARTY = (
    "The Board argues that a mooring fee may be raised at any hour without a public hearing.",
    "Quist contends that chaining a boat to a pier is a seizure that requires a warrant signed by a judge.",
    "The Board maintains that owners who accept a berth waive every objection to later fees.",
    "According to Quist, the harbor master must return all tolls paid by foreign vessels.",
)
COURT_BELOW = (
    "The Appellate Division held that a harbor master enjoys absolute immunity for acts done during a storm.",
    "The trial court concluded that the north basin is a public road within the meaning of the Highway Law.",
    "The court below ruled that interest on unpaid berth dues runs from the date of the first invoice.",
)
OTHER_DECISION = (
    "In Brill v. Ferrer, another court held that a lighthouse keeper owes a duty of care to swimmers.",
    "The Ninth Circuit has held that a tugboat crew may abandon a barge whose cargo is on fire.",
    "Rowley v. Dunham held that a dredging permit lapses when the dredger is sold to a stranger.",
)
COURT = (
    "We hold that a harbor board must give mooring owners thirty days of written notice before it raises a fee.",
    "A fee that was raised without such notice is void, and whatever was paid under it must be refunded.",
    "The power to collect a fee does not include the power to chain a boat whose owner disputes that fee.",
    "An owner who pays a disputed fee under protest does not give up the right to challenge it in court.",
    "The duty to give notice runs to every registered owner and not only to those who attend board meetings.",
)
PLURALITY = (
    "A harbor board that chains a disputed boat is liable for the value of the catch that spoils on board.",
    "Punitive damages may be awarded against a board that acts in open defiance of its own published rules.",
)
ORDER = "The judgment of the Appellate Division is reversed."
CONCURRENCE = (
    "Every harbor regulation that burdens fishing deserves the strictest scrutiny known to our law.",
    "A fisherman holds a vested property right in the berth that he has occupied for seven seasons.",
    "The Board should be enjoined from employing any harbor master who lacks a maritime license.",
    "Legislative history shows that the drafters meant to abolish all mooring fees within ten years.",
)
DISSENT = (
    "A mooring fee is a contract price that the seller may change without any notice at all.",
    "The harbor master acted within his inherent authority when he chained the boats to the pier.",
    "Requiring written notice will bankrupt every small harbor along this coast before the decade is out.",
    "Owners who stop paying their fees forfeit their vessels to the harbor without further process.",
    "Courts have no business reviewing the rates that an elected harbor commission sets for its berths.",
    "The refund ordered today violates the doctrine of sovereign immunity in its oldest and plainest form.",
)


@dataclass(frozen=True)
class Said:
    """A sentence, and whose it is."""

    voice: Voice
    sentence: str
    point: str
    """What a brief would say that the case held: the words after `argues that` where somebody is reported."""


def _said(voice: Voice, sentences: Sequence[str]) -> list[Said]:
    return [Said(voice, sentence, _point(sentence)) for sentence in sentences]


def _point(sentence: str) -> str:
    """The words that a brief would repeat, without who says them and without the period."""
    for lead in (" argues that ", " contends that ", " maintains that ", " held that ", " hold that "):
        if lead in sentence:
            return sentence.split(lead, 1)[1].rstrip(".")
    for lead in (" concluded that ", " ruled that ", "According to Quist, "):
        if lead in sentence:
            return sentence.split(lead, 1)[1].rstrip(".")
    return sentence[0].lower() + sentence[1:].rstrip(".")


OTHERS = [
    *_said("syllabus", SYLLABUS),
    *_said("party", PARTY),
    *_said("court_below", COURT_BELOW),
    *_said("other_decision", OTHER_DECISION),
    *_said("concurrence", CONCURRENCE),
    *_said("dissent", DISSENT),
]
"""What the Court does not say."""
OWN = _said("court", COURT)
RESERVED = _said("plurality", PLURALITY)
"""What it does not say where the head of its opinion leaves this section to a plurality."""
