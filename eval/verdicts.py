"""What a panel gets right on labelled claims, beside what costs nothing to reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from parcel_agents.api import make_context, verify
from parcel_agents.config import Config
from parcel_agents.eval.claim_only import claim_only_accuracy
from parcel_agents.eval.datasets import Dataset, GoldClaim
from parcel_agents.types import LABELS, Verdict


def measure_verdicts(
    dataset: Dataset, config: Config, progress: Callable[[], None] = lambda: None
) -> list[dict[str, Any]]:
    """A row of figures per subset of the data set and one for all of it."""
    context = make_context(config=config)
    verdicts: dict[str, Verdict] = {}
    for opinion_id, claims in dataset.by_opinion().items():
        opinion = dataset.opinions[opinion_id]
        found = verify(
            opinion, [claim.as_claim() for claim in claims], context=context, on_verdict=lambda _: progress()
        )
        verdicts |= {verdict.claim_id: verdict for verdict in found}
    labelled = [claim for claim in dataset.claims if claim.label is not None]
    subsets: dict[str, list[GoldClaim]] = {"all": labelled}
    for claim in labelled:
        subsets.setdefault(claim.subset, []).append(claim)
    rows = [{"subset": name, **score(chosen, verdicts)} for name, chosen in subsets.items()]
    return rows[1:] if len(rows) == 2 else rows


def score(claims: Sequence[GoldClaim], verdicts: dict[str, Verdict]) -> dict[str, Any]:
    """Accuracy, false entailment rate (PARCEL, section 4.1) and abstention of the verdicts on labelled claims.

    `accuracy_of_decided` is nan if nothing was decided; the false entailment rates count an abstention as no
    entailment, and are nan for a class without claims.
    """
    pairs = [(claim, verdicts[claim.id]) for claim in claims]
    decided = [(claim, verdict) for claim, verdict in pairs if verdict.label is not None]
    gold = Counter(claim.label for claim in claims)
    false = Counter(claim.label for claim, verdict in decided if verdict.label == "supported")
    unsupported = gold["refuted"] + gold["not_found"]
    return {
        "claims": len(claims),
        "decided": _share(len(decided), len(claims)),
        "could_not_check": sum(verdict.error is not None for _, verdict in pairs),
        "accuracy_of_decided": _share(sum(c.label == v.label for c, v in decided), len(decided)),
        "fer": _share(false["refuted"] + false["not_found"], unsupported),
        "fer_refuted": _share(false["refuted"], gold["refuted"]),
        "fer_not_found": _share(false["not_found"], gold["not_found"]),
        "verdicts": {
            f"{label} as {said}": sum(c.label == label and (v.label or "abstained") == said for c, v in pairs)
            for label in LABELS
            for said in (*LABELS, "abstained")
        },
        "majority_class": _share(max(gold.values()), len(claims)),
        "claim_only_baseline": round(claim_only_accuracy(claims), 4),
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else float("nan")
