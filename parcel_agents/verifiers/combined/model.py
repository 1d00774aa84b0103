"""The model that weighs the measures: two logistic regressions whose signs are given beforehand.

One gives the probability that the claim is not found in the opinion, the other that it is supported. What speaks for a
label can only raise its probability and what speaks against it only lower it: training sets a coefficient of the wrong
sign to zero, so that no peculiarity of the training claims turns a mismatch into support.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from parcel_agents.errors import ConfigError
from parcel_agents.types import Frozen

MODEL_FILE = "combined.json"
Sign = Literal[1, -1]

NOT_FOUND_SIGNS: dict[str, Sign] = {
    "absent": 1,
    "coverage": -1,
    "coverage_two": -1,
    "coverage_near": -1,
    "pairs": -1,
    "similarity": -1,
    "similarity_top3": -1,
    "untreated": 1,
    "other_times": 1,
    "missing": 1,
    "far": 1,
}
SUPPORTED_SIGNS: dict[str, Sign] = {
    "absent": -1,
    "coverage": 1,
    "coverage_two": 1,
    "coverage_near": 1,
    "pairs": 1,
    "similarity": 1,
    "similarity_top3": 1,
    "untreated": -1,
    "other_times": -1,
    "missing": -1,
    "contradicted": -1,
    "conflicts": -1,
    "other_name": -1,
    "far": -1,
    "other_voice": -1,
    "reported": -1,
    "lost_conditions": -1,
    "lost_negations": -1,
}


class Coefficient(Frozen):
    """The weight of one measure: `weight * (value - mean) / scale` is added to the log odds."""

    mean: float
    scale: float
    weight: float


class Regression(Frozen):
    """A logistic regression."""

    intercept: float
    coefficients: dict[str, Coefficient]
    threshold: float | None
    """Probability from which the verifier votes for the label; None for never."""

    def contributions(self, values: Mapping[str, float]) -> dict[str, float]:
        """What each measure adds to the log odds, against a claim that is average in it."""
        return {name: one.weight * (values[name] - one.mean) / one.scale for name, one in self.coefficients.items()}

    def votes(self, values: Mapping[str, float]) -> bool:
        """True if the probability is high enough."""
        return self.threshold is not None and self.probability(values) >= self.threshold

    def probability(self, values: Mapping[str, float]) -> float:
        """The probability of the label."""
        score = self.intercept + sum(self.contributions(values).values())
        return 1 / (1 + math.exp(-max(-500.0, min(500.0, score))))


class CombinedModel(Frozen):
    """What `combined.json` holds."""

    about: str
    trained_on: dict[str, Any]
    report: dict[str, Any]
    not_found: Regression
    supported: Regression


def read_model(path: Path | None) -> CombinedModel:
    """The model in a file that `parcel-agents train combined` wrote; the package's own without one.

    Raises:
        ConfigError: the file is missing, or is no such model.
    """
    if path is None:
        return _packaged()
    try:
        return CombinedModel.model_validate_json(path.expanduser().read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"the model {str(path)!r} cannot be read: {error.strerror}") from error
    except (ValidationError, UnicodeDecodeError) as error:
        first = str(error).splitlines()[0]
        raise ConfigError(
            f"{str(path)!r} is no model of the verifier 'combined' ({first}); "
            "make one with: parcel-agents train combined"
        ) from error


@lru_cache(maxsize=1)
def _packaged() -> CombinedModel:
    text = files("parcel_agents.verifiers.combined").joinpath(MODEL_FILE).read_text(encoding="utf-8")
    return CombinedModel.model_validate(json.loads(text))
