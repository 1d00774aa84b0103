"""Each check of the text by itself: on which claims it fires, and how often it is right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

import numpy as np

from parcel_agents.api import make_tasks
from parcel_agents.eval.datasets import Dataset
from parcel_agents.eval.verdicts.asking import Panel
from parcel_agents.eval.verdicts.entries import Entry, Shares
from parcel_agents.types import LABELS
from parcel_agents.verifiers import Task
from parcel_agents.verifiers.checks.finding import Finding
from parcel_agents.verifiers.checks.verifier import CHECKS

SECTION = "checks"
TOGETHER = "any of them"


def findings(task: Task) -> dict[str, list[Finding]]:
    """What each check finds, by its name; this is where the bench meets the interface of checks."""
    return {name_of(check): list(check(task)) for check in CHECKS}


def name_of(check: Callable[..., object]) -> str:
    """A check's name for a table."""
    return check.__name__.replace("_", " ")


def measure_checks(data: Dataset, panel: Panel, rng: np.random.Generator) -> Iterator[Entry]:
    """An entry per check and one for all together, on the labelled claims of a data set.

    `precision` is the share of its findings whose label is the claim's; of `objects` it is enough that the claim is
    not supported. A check that fires twice on a claim counts by its first finding.
    """
    labelled = {id: [c for c in claims if c.label is not None] for id, claims in data.by_opinion().items()}
    claims = [claim for group in labelled.values() for claim in group]
    found: dict[str, list[str]] = defaultdict(list)
    with panel.progress(f"{data.name}: {SECTION}", len(claims)) as step:
        for opinion_id, group in labelled.items():
            given = [claim.as_claim() for claim in group]
            for task in make_tasks(panel.context, data.opinions[opinion_id], given):
                by_check = findings(task)
                for name, ones in by_check.items():
                    found[name].append(ones[0].label if ones else "")
                found[TOGETHER].append(next((ones[0].label for ones in by_check.values() if ones), ""))
                step()
    gold = np.array([claim.label for claim in claims])
    shares = Shares.over((claim.opinion_id for claim in claims), rng)
    for name, labels in found.items():
        said = np.array(labels)
        fired = said != ""
        counts = {f"fires_on_{label}": int((fired & (gold == label)).sum()) for label in LABELS}
        figures = {
            "precision": shares.of(said == gold, fired),
            "objects": shares.of(gold != "supported", fired),
            "false_alarms": shares.of(fired, gold == "supported"),
        }
        yield Entry(SECTION, {"dataset": data.name, "check": name}, counts, figures)
