"""A report as JSON: a row for the runs, then one per verifier, policy, baseline and subset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from parcel_agents.ensemble.rates import Rates
from parcel_agents.eval.bootstrap import Estimate
from parcel_agents.eval.metrics import SAYINGS, ClassRates
from parcel_agents.eval.report.evaluation import SCOPES, Evaluation, Measured, SystemReport
from parcel_agents.types import LABELS

RATES = tuple(Rates.__dataclass_fields__)
Json = dict[str, Any]


def json_rows(found: Evaluation, about: Json) -> Iterator[Json]:
    """The rows of one report.

    Args:
        found: the report.
        about: what was run, for the first row; `runs` of it stands in all rows.
    """
    yield {
        "row": "run",
        **about,
        "claims": found.claims,
        "opinions": found.opinions,
        "notes": list(found.notes),
        "majority_class": found.accuracy_of("majority class").value,
        "claim_only_baseline": found.accuracy_of("claim only").value,
        "resamples": found.resamples,
        "confusion_of_all_verifiers": {
            label: {said: _figure("percent", _percent(found.pooled[f"{label}>{said}"])) for said in SAYINGS}
            for label in LABELS
        },
        "hard_claims": [
            {"failed_by": hard.failed_by, "claims": hard.claims, **_figure("share", hard.share)} for hard in found.hard
        ],
    }
    for system in found.systems:
        yield {"row": system.kind, "runs": about["runs"], "name": system.name, **_system(found, system)}
    for part in found.subsets:
        for name, figures in part.figures.items():
            row = {"row": "subset", "runs": about["runs"], "subset": part.name, "name": name, "claims": part.claims}
            yield {**row, "opinions": part.opinions, **_rates(figures)}


def _system(found: Evaluation, system: SystemReport) -> Json:
    row: Json = {"claims": found.claims, **_rates(system.figures)}
    row["per_class"] = _per_class(system.figures)
    row["per_strategy"] = {
        label: {
            found.strategies.all[place].name: {
                "claims": found.strategies.all[place].claims,
                **_figure("accuracy", system.per_strategy[place]),
            }
            for place in found.strategies.of(label)
        }
        for label in LABELS
    }
    row["confusion"] = {
        label: {
            said: {
                "claims": int(system.confusion[code, place]),
                **_figure("percent", _percent(system.figures[f"{label}>{said}"])),
            }
            for place, said in enumerate(SAYINGS)
        }
        for code, label in enumerate(LABELS)
    }
    row["outcomes"] = {
        way: {"claims": count.claims, **_figure("share", count.share)} for way, count in system.outcomes.items()
    }
    row |= {**_figure("cost_usd", system.cost), "total_cost_usd": system.total_cost}
    row |= _figure("latency_s", system.latency)
    row |= {scope: _scope(system.scopes[scope]) for scope in SCOPES if scope != "all"}
    return row


def _scope(measured: Measured) -> Json:
    return {
        "claims": measured.claims,
        **_rates(measured.figures),
        "per_class": _per_class(measured.figures),
    }


def _rates(figures: Mapping[str, Estimate]) -> Json:
    return {key: value for name in RATES for key, value in _figure(name, figures[name]).items()}


def _per_class(figures: Mapping[str, Estimate]) -> Json:
    return {
        label: {
            key: value
            for name in ClassRates.__dataclass_fields__
            for key, value in _figure(name, figures[f"{label}.{name}"]).items()
        }
        for label in LABELS
    }


def _figure(name: str, estimate: Estimate) -> Json:
    return {name: estimate.value, f"{name}_interval": estimate.interval}


def _percent(share: Estimate) -> Estimate:
    return Estimate(100 * share.value, 100 * share.low, 100 * share.high)
