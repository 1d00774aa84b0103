"""The panel on labelled claims, beside the baselines; all of them, each file of the data set, each strategy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from parcel_agents.ensemble.ballots import Codes
from parcel_agents.eval.bootstrap import Bootstrap, Estimate, with_bounds
from parcel_agents.eval.datasets import Dataset, GoldClaim
from parcel_agents.eval.metrics import confusion_by_opinion, figures
from parcel_agents.eval.verdicts.asking import Panel, Question
from parcel_agents.eval.verdicts.baselines import baseline_labels, gold_codes
from parcel_agents.eval.verdicts.entries import Entry, Shares, said_codes
from parcel_agents.types import LABELS

SECTION, STRATEGIES = "labelled", "strategies"
PANEL = "panel"
ALL = "all"
FIGURES = (
    "accuracy",
    "decided",
    "accuracy_of_decided",
    "fer",
    "fer_refuted",
    "fer_not_found",
    *(f"{label}.{part}" for label in ("not_found", "supported", "refuted") for part in ("precision", "recall")),
)
"""What is said of a system, of all that `metrics.figures` has."""


def measure_labelled(
    data: Dataset, panel: Panel, rng: np.random.Generator, train: Dataset | None = None
) -> Iterator[Entry]:
    """An entry per subset and system, then one per subset, label and strategy.

    Args:
        data: claims; those without a label are not asked about.
        panel: the panel.
        rng: draws opinions for the intervals.
        train: claims on other opinions, to fit the baseline of BM25 similarity on.
    """
    claims = [claim for claim in data.claims if claim.label is not None]
    questions = [Question(claim.opinion_id, claim.as_claim()) for claim in claims]
    known = [{"id": claim.id, "gold": claim.label, "strategy": claim.strategy} for claim in claims]
    verdicts = panel.ask(f"{data.name}: {SECTION}", data.opinions, questions, known)
    said = said_codes(verdicts)
    failed = np.array([verdict.error is not None for verdict in verdicts])
    subsets = np.array([claim.subset for claim in claims])
    masks = {ALL: np.ones(len(claims), dtype=np.bool_)}
    if len(set(subsets)) > 1:
        masks |= {str(name): subsets == name for name in dict.fromkeys(subsets)}
    for subset, chosen in masks.items():
        part = [claims[place] for place in np.flatnonzero(chosen)]
        systems = {PANEL: said[chosen], **baseline_labels(data, part, train)}
        # One draw of opinions for all systems, so that they can be compared.
        numbers = np.unique([claim.opinion_id for claim in part], return_inverse=True)[1].astype(np.int64)
        bootstrap = Bootstrap.of(len(set(numbers.tolist())), rng)
        for name, decisions in systems.items():
            counts = {"claims": len(part), "opinions": len(set(numbers.tolist()))}
            if name == PANEL:
                counts["could_not_check"] = int(failed[chosen].sum())
            yield Entry(
                SECTION,
                {"dataset": data.name, "subset": subset, "system": name},
                counts,
                score(gold_codes(part), decisions, numbers, bootstrap),
            )
    yield from _strategies(data.name, claims, said, rng)


def score(
    gold: Codes, said: Codes, opinions: np.ndarray[tuple[int], np.dtype[np.int64]], bootstrap: Bootstrap
) -> dict[str, Estimate]:
    """The figures of one system on labelled claims, with their intervals; nan for a share of nothing.

    Precision of a class is over the claims called so, recall over those that are so; a claim without an answer is not
    right, and no false entailment (PARCEL, section 4.1).
    """
    counts = confusion_by_opinion(said[None], gold, opinions)[0]
    found = with_bounds(bootstrap.estimates(counts, figures), counts.sum(axis=-1))
    return {name: found[name] for name in FIGURES}


def _strategies(dataset: str, claims: Sequence[GoldClaim], said: Codes, rng: np.random.Generator) -> Iterator[Entry]:
    """How many claims of each label, made in each way, got which verdict; by subset where there are several."""
    shares = Shares.over((claim.opinion_id for claim in claims), rng)
    several = len({claim.subset for claim in claims}) > 1
    keys = [(claim.label or "", claim.strategy or "-", claim.subset if several else "") for claim in claims]
    order = {label: place for place, label in enumerate(LABELS)}
    for key in sorted(set(keys), key=lambda key: (order[key[0]], key[2], key[1])):  # type: ignore[index]
        chosen = np.array([other == key for other in keys])
        label, strategy, subset = key
        about = {"dataset": dataset, "gold": label, "strategy": strategy, **({"subset": subset} if subset else {})}
        yield Entry(STRATEGIES, about, {"claims": int(chosen.sum())}, shares.of_labels(said, chosen))
