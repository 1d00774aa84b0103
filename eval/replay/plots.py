"""Pictures, with matplotlib (the extra `plots`)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from parcel_agents.errors import InputError, MissingDependencyError

if TYPE_CHECKING:
    from parcel_agents.eval.replay.report import ReplayReport
    from parcel_agents.eval.replay.rows import Row

KINDS = (".png", ".svg", ".pdf")


def require_matplotlib() -> None:
    """MissingDependencyError if there is no matplotlib."""
    if find_spec("matplotlib") is None:
        raise MissingDependencyError("plots need matplotlib; install it with: pip install 'parcel-agents[plots]'")


def plot_front(report: ReplayReport, front: Sequence[Row], path: Path) -> None:
    """Cost against false entailment rate: all combinations, the front, the best single verifier and the majority.

    Where votes cost nothing, the number of verifiers asked stands for the cost.

    Raises:
        MissingDependencyError: there is no matplotlib.
        InputError: the file cannot be written, or its name does not end as a picture's.
    """
    if path.suffix.lower() not in KINDS:
        raise InputError(f"{path}: name a file that ends in {', '.join(KINDS)}")
    require_matplotlib()
    from matplotlib.figure import Figure

    free = not any(row.cost for row in report.rows)

    def place(row: Row) -> tuple[float, float]:
        return (row.asked if free else row.cost), 100 * row.rates["fer"]

    figure = Figure(figsize=(9, 6), layout="constrained")
    axes = figure.add_subplot()
    costs, rates = zip(*map(place, report.rows), strict=True)
    shades = axes.scatter(
        costs,
        rates,
        c=[100 * row.rates["accuracy"] for row in report.rows],
        s=14,
        cmap="viridis",
        label=f"{len(report.rows)} combinations",
    )
    figure.colorbar(shades, label="accuracy, %")
    if front:
        ordered = sorted(front, key=place)
        axes.plot(*zip(*map(place, ordered), strict=True), ".", color="black", markersize=4, label="not beaten")
    marks = [("best single", report.rows[report.best_single], "s"), ("safest", report.rows[report.safest], "D")]
    marks += [("majority of all", report.rows[report.whole["majority"]], "^")]
    for name, row, marker in marks:
        label = f"{name}: {row.name}" if name != "majority of all" else name
        axes.scatter(*place(row), marker=marker, s=90, facecolors="none", edgecolors="red", label=label)
    axes.set_xlabel("verifiers asked per claim (votes cost nothing)" if free else "dollars per claim")
    axes.set_ylabel("false entailment rate, %")
    axes.set_title(f"{report.claims} claims about {report.opinions} opinions")
    axes.legend(loc="upper right", fontsize=8)
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from error
