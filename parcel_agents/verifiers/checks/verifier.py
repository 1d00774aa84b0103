"""The verifier `checks`: objects where a check of the text finds a defect, and abstains otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from parcel_agents.types import Label, Vote
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.checks.altered import altered_words
from parcel_agents.verifiers.checks.authorities import absent_authorities
from parcel_agents.verifiers.checks.finding import Finding
from parcel_agents.verifiers.checks.misattributed import misattributed_words
from parcel_agents.verifiers.checks.outcome import other_outcome
from parcel_agents.verifiers.checks.particulars import absent_dates, absent_names, absent_numbers
from parcel_agents.verifiers.checks.quantities import absent_quantities
from parcel_agents.verifiers.checks.quotation import absent_quotations
from parcel_agents.verifiers.checks.voice import wrong_speaker

CHECKS: tuple[Callable[[Task], Iterator[Finding]], ...] = (
    wrong_speaker,
    altered_words,
    misattributed_words,
    other_outcome,
    absent_authorities,
    absent_numbers,
    absent_quantities,
    absent_dates,
    absent_names,
    absent_quotations,
)


@dataclass(frozen=True)
class ChecksVerifier:
    """Runs every check over the whole opinion; the first kind of finding in the list gives the label."""

    name: str
    casts: frozenset[Label] = frozenset({"refuted", "not_found"})

    async def verify(self, task: Task) -> Vote:
        """See `Verifier.verify`."""
        found = find_defects(task)
        read = tuple(passage.id for passage in task.opinion.passages)
        if not found:
            return Vote(verifier=self.name, outcome="ok", reason="the checks found nothing wrong", read=read)
        label = found[0].label
        agreeing = [finding for finding in found if finding.label == label]
        return Vote(
            verifier=self.name,
            outcome="ok",
            label=label,
            reason="; ".join(dict.fromkeys(finding.reason for finding in found)),
            evidence=tuple(ref for finding in agreeing for ref in finding.evidence),
            read=read,
        )


def find_defects(task: Task) -> list[Finding]:
    """Everything the checks find, in the order of `CHECKS`."""
    return [finding for check in CHECKS for finding in check(task)]
