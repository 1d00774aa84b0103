"""Data sets, runs, replay, reports and benchmarks.

>>> from parcel_agents.eval import Run, evaluate, load_dataset
>>> data = load_dataset(Path("parcel.csv"), mapping={"label": "gold"})  # doctest: +SKIP
>>> votes = Run("runs/first").votes()  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parcel_agents.eval.datasets import Dataset, DatasetError, load_dataset
    from parcel_agents.eval.library import Run, evaluate, frame
    from parcel_agents.eval.report.evaluation import Evaluation

_HOMES = {
    "Dataset": "datasets",
    "DatasetError": "datasets",
    "load_dataset": "datasets",
    "Evaluation": "report.evaluation",
    "Run": "library",
    "evaluate": "library",
    "frame": "library",
}
__all__ = ["Dataset", "DatasetError", "Evaluation", "Run", "evaluate", "frame", "load_dataset"]


def __getattr__(name: str) -> Any:
    """Import public names when they are first used: the readers of opinions load much."""
    if name not in _HOMES:
        raise AttributeError(f"module 'parcel_agents.eval' has no attribute {name!r}")
    return getattr(import_module(f"parcel_agents.eval.{_HOMES[name]}"), name)
