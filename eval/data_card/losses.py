"""What became of all that was written: dropped, disagreed with, left over, or in the set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, get_args

from parcel_agents.eval.artefacts import CONTRAST
from parcel_agents.eval.report.strategies import ORDER
from parcel_agents.generation.model import DecisionRecord, Dropped, Stage
from parcel_agents.types import LABELS, GoldClaim, Label

KINDS = ("supported", *ORDER, CONTRAST)
STAGES: tuple[Stage, ...] = get_args(Stage)


@dataclass(frozen=True)
class Fate:
    """What became of the claims of one kind; the parts add up to `written`."""

    kind: str
    written: int
    lost: dict[Stage, int]
    """By stage."""
    left_over: int
    """Passed everything, and the balance had no room for them."""
    used: int

    @property
    def drop_rate(self) -> float:
        """The share that did not pass; 0 of none."""
        return sum(self.lost.values()) / self.written if self.written else 0.0


@dataclass(frozen=True)
class RuleCount:
    """Claims that one rule dropped."""

    stage: Stage
    rule: str
    claims: int
    kinds: dict[str, int]


@dataclass(frozen=True)
class Reading:
    """Claims that were to have one label, and what the blind reader said of them where it did not agree."""

    label: Label
    said: Label | None
    """None where it gave no label."""
    claims: int


@dataclass(frozen=True)
class Losses:
    """All of it."""

    fates: tuple[Fate, ...]
    rules: tuple[RuleCount, ...]
    """By stage, the most frequent first."""
    readings: tuple[Reading, ...]
    kept_by_person: int
    """Claims with which the blind reader did not agree, and which a person put into the set; no loss."""
    failures: dict[str, int]
    """Requests for claims that came to nothing, by kind and outcome: `missing_detail: refused`."""

    @property
    def written(self) -> int:
        """Claims of all kinds."""
        return sum(fate.written for fate in self.fates)

    @property
    def rates(self) -> dict[Stage, float]:
        """The share of all that was written that each stage dropped; 0 of none."""
        whole = max(1, self.written)
        return {stage: sum(fate.lost[stage] for fate in self.fates) / whole for stage in STAGES}

    def as_json(self) -> dict[str, Any]:
        """One object."""
        return {
            "written": self.written,
            "drop_rates": {stage: round(rate, 4) for stage, rate in self.rates.items()},
            "kinds": [{**asdict(one), "drop_rate": round(one.drop_rate, 4)} for one in self.fates],
            "rules": [asdict(one) for one in self.rules],
            "blind_disagreements": [asdict(one) for one in self.readings],
            "kept_by_person": self.kept_by_person,
            "failed_requests": self.failures,
        }


def count_losses(records: Sequence[DecisionRecord], claims: Sequence[GoldClaim]) -> Losses:
    """What became of what was written about the decisions that are done.

    Args:
        records: those that are not done have come to nothing yet; of them the requests that failed are counted.
        claims: of the set.
    """
    done = [record for record in records if record.status == "done"]
    in_set = {(claim.opinion_id, claim.claim) for claim in claims}
    in_question = [one for record in done for one in record.review]
    kept = [one.candidate for one in in_question if (one.candidate.opinion_id, one.candidate.claim) in in_set]
    dropped = [
        one
        for record in done
        for one in _dropped(record)
        if one.stage != "blind" or (record.opinion_id, one.claim) not in in_set
    ]
    lost = Counter((one.kind, one.stage) for one in dropped)
    passed = Counter(one.kind for record in done for one in record.candidates) + Counter(one.kind for one in kept)
    used = Counter(_kind(claim) for claim in claims)
    kinds = sorted({*passed, *used, *(kind for kind, _ in lost)}, key=_place)
    readings = Counter((one.candidate.label, one.said) for one in in_question)
    failures = Counter(f"{one.kind}: {one.outcome}" for record in records for one in record.failures)
    return Losses(
        fates=tuple(_fate(kind, lost, passed[kind], used[kind]) for kind in kinds),
        rules=_rules(dropped),
        readings=tuple(
            Reading(label, said, readings[label, said])
            for label in LABELS
            for said in (*LABELS, None)
            if readings[label, said]
        ),
        kept_by_person=len(kept),
        failures=dict(sorted(failures.items())),
    )


def _dropped(record: DecisionRecord) -> Iterator[Dropped]:
    """What was dropped, and what only the list for review has; a disagreement may stand in both."""
    seen = {(one.kind, one.claim) for one in record.dropped if one.stage == "blind"}
    yield from record.dropped
    for one in record.review:
        candidate = one.candidate
        if (candidate.kind, candidate.claim) not in seen:
            rule = f"said {one.said}" if one.said else f"no label ({one.outcome})"
            yield Dropped(stage="blind", kind=candidate.kind, reason=one.reason, rule=rule, claim=candidate.claim)


def _fate(kind: str, lost: Counter[tuple[str, Stage]], passed: int, used: int) -> Fate:
    by_stage = {stage: lost[kind, stage] for stage in STAGES}
    # A set that was changed by hand may have more claims than the records know of.
    passed = max(passed, used)
    return Fate(kind, passed + sum(by_stage.values()), by_stage, passed - used, used)


def _rules(dropped: Sequence[Dropped]) -> tuple[RuleCount, ...]:
    kinds: dict[tuple[Stage, str], Counter[str]] = {}
    for one in dropped:
        kinds.setdefault((one.stage, one.rule), Counter())[one.kind] += 1
    rows = [
        RuleCount(stage, rule, counts.total(), dict(sorted(counts.items(), key=lambda item: _place(item[0]))))
        for (stage, rule), counts in kinds.items()
    ]
    return tuple(sorted(rows, key=lambda row: (STAGES.index(row.stage), -row.claims, row.rule)))


def _kind(claim: GoldClaim) -> str:
    return CONTRAST if claim.subset == CONTRAST else claim.strategy or str(claim.label)


def _place(kind: str) -> tuple[int, str]:
    return (KINDS.index(kind) if kind in KINDS else len(KINDS)), kind
