"""What a reader decides about a verdict: it stands beside the machine's, never in its place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Self

from pydantic import model_validator

from parcel_agents.errors import InputError
from parcel_agents.traces.model import TraceStatus
from parcel_agents.traces.words import LABEL_WORDS, STATUS_WORDS
from parcel_agents.types import LABELS, Frozen, Label

DecisionKind = Literal["accepted", "overridden", "withdrawn"]
MAX_NOTE = 4_000
UNKNOWN = "unknown"
"""Nobody has to say who he is, so nobody is named."""


class Decision(Frozen):
    """One decision about one claim. The last one counts; those before it are kept."""

    number: int
    """Of the claim."""
    kind: DecisionKind
    label: Label | None = None
    """The reader's own verdict, where it is not the machine's."""
    machine: TraceStatus
    """What the machine had said."""
    note: str = ""
    at: str
    who: str = UNKNOWN

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.label is not None) != (self.kind == "overridden"):
            raise ValueError(f"a decision that is {self.kind} does not go with the label {self.label!r}")
        return self


def decide(
    number: int, machine: TraceStatus, *, kind: str, label: str = "", note: str = "", at: str, standing: bool = False
) -> Decision:
    """The decision that a reader asks for.

    Args:
        number: of the claim.
        machine: the machine's verdict.
        kind: what the reader does.
        label: the reader's own verdict.
        note: why.
        at: the time, in the form of ISO 8601.
        standing: True if there is a decision that can be withdrawn.

    Raises:
        InputError: this cannot be decided, in words for the reader.
    """
    note = note.strip()
    if len(note) > MAX_NOTE:
        raise InputError(f"The note has {len(note):,} characters; the most is {MAX_NOTE:,}.")
    if kind == "withdrawn":
        if not standing:
            raise InputError("There is no decision to withdraw.")
        return Decision(number=number, kind="withdrawn", machine=machine, note=note, at=at)
    if kind == "accepted":
        if machine not in LABELS:
            word = STATUS_WORDS[machine].word.lower()
            raise InputError(f"There is no verdict to accept (“{word}”). Record your own verdict, with a note.")
        return Decision(number=number, kind="accepted", machine=machine, note=note, at=at)
    if kind != "overridden":
        raise InputError("Choose whether to accept the verdict or to record your own.")
    chosen = next((one for one in LABELS if one == label), None)
    if chosen is None:
        raise InputError("Choose your own verdict: supported, refuted or not found.")
    if chosen == machine:
        raise InputError("That is the machine's verdict already; accept it instead.")
    if not note:
        raise InputError("Say in the note why: a verdict of your own needs its reason.")
    return Decision(number=number, kind="overridden", label=chosen, machine=machine, note=note, at=at)


def standing_decisions(decisions: Iterable[Decision]) -> dict[int, Decision]:
    """The decisions that count, by the number of the claim."""
    last = {decision.number: decision for decision in decisions}
    return {number: decision for number, decision in last.items() if decision.kind != "withdrawn"}


def decision_words(decision: Decision | None) -> str:
    """The decision in a word or three; nothing where there is none."""
    if decision is None:
        return ""
    if decision.label is None:
        return "Accepted"
    checked = decision.machine in LABELS
    return f"{'Overridden' if checked else 'Own verdict'}: {LABEL_WORDS[decision.label].lower()}"
