"""The pictures of a report, each as an SVG to be put into a page, with a sentence that says how to read it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from parcel_agents.eval.bootstrap import Estimate
from parcel_agents.eval.replay.plots import require_matplotlib
from parcel_agents.eval.report.curves import reliability, risk_coverage
from parcel_agents.eval.report.evaluation import Evaluation, SystemReport
from parcel_agents.eval.report.svg import as_svg
from parcel_agents.eval.report.tables import TITLES
from parcel_agents.types import LABELS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 10.0
"""Inches; the page scales them."""
VERIFIER, POLICY = "#33608c", "#b5542b"
MARKERS = "osD^vP*X<>h"
SAID = ("Supp.", "Ref.", "Not F.", "none")


@dataclass(frozen=True)
class Picture:
    """A figure of the page."""

    key: str
    title: str
    caption: str
    svg: str


def pictures(found: Evaluation) -> list[Picture]:
    """All figures that there is something to draw for.

    Raises:
        MissingDependencyError: there is no matplotlib.
    """
    require_matplotlib()
    drawn = (_confusion, _strategies, _reliability, _risk_coverage, _cost)
    return [picture for draw in drawn if (picture := draw(found)) is not None]


def _confusion(found: Evaluation) -> Picture:
    systems = found.of_kind("verifier", "policy")
    across = min(4, len(systems))
    down = math.ceil(len(systems) / across)

    def draw(figure: Figure) -> None:
        panels = list(figure.subplots(down, across, squeeze=False).flat)
        for axes, system in zip(panels, systems, strict=False):
            _matrix(axes, system)
        for axes in panels[len(systems) :]:
            axes.set_axis_off()
        figure.supxlabel("said to be", fontsize=9)
        figure.supylabel("is", fontsize=9)
        figure.set_layout_engine("constrained", hspace=0.08, wspace=0.04)

    return Picture(
        "confusion",
        "Confusion matrices",
        "Each row holds the claims of one true label and adds up to 100%; what lies off the diagonal is wrong, and the "
        "first column, below its top cell, holds the false entailments.",
        as_svg("confusion", draw, WIDTH, 0.5 + 2.3 * down),
    )


def _matrix(axes: Axes, system: SystemReport) -> None:
    shares = np.array([[system.figures[f"{label}>{said}"].value for said in (*LABELS, "none")] for label in LABELS])
    axes.imshow(np.nan_to_num(shares), cmap="Blues", vmin=0, vmax=1, aspect="auto")
    axes.spines[:].set_visible(False)
    for row, column in np.ndindex(shares.shape):
        share = shares[row, column]
        text = "-" if math.isnan(share) else f"{100 * share:.1f}"
        colour = "white" if share > 0.5 else "black"
        axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=9)
    axes.set_xticks(range(4), SAID, fontsize=8)
    axes.set_yticks(range(3), SAID[:3], fontsize=8)
    axes.tick_params(length=0)
    axes.set_title(_short(system.name), fontsize=10, color=_colour(system))


def _strategies(found: Evaluation) -> Picture | None:
    places = [place for label in ("refuted", "not_found") for place in found.strategies.of(label)]
    systems = found.of_kind("verifier", "policy")
    if not places:
        return None
    across = min(4, len(places))
    down = math.ceil(len(places) / across)

    def draw(figure: Figure) -> None:
        panels = list(figure.subplots(down, across, squeeze=False, sharey=True, sharex=True).flat)
        heights = np.arange(len(systems))
        for axes, place in zip(panels, places, strict=False):
            strategy = found.strategies.all[place]
            accuracies = [system.per_strategy[place] for system in systems]
            values = [np.nan_to_num(accuracy.value) for accuracy in accuracies]
            axes.barh(heights, values, color=[_colour(s) for s in systems], alpha=0.75)
            axes.errorbar(
                values, heights, xerr=_arms(accuracies), fmt="none", ecolor="black", elinewidth=0.8, capsize=2
            )
            axes.set_title(f"{strategy.words}\n{TITLES[strategy.label]}, {strategy.claims} claims", fontsize=9)
            axes.set_yticks(heights, [_short(system.name) for system in systems], fontsize=8)
            axes.set_xlim(0, 1.02)
            axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"], fontsize=8)
            axes.grid(axis="x", color="#dddddd")
        if systems:
            panels[0].invert_yaxis()
        for axes in panels[len(places) :]:
            axes.set_axis_off()

    return Picture(
        "strategies",
        "Accuracy by the way a claim was made false",
        "The longer the bar, the more of these claims were recognised (blue: verifiers, red: policies); "
        "the thin lines are 95% intervals over opinions.",
        as_svg("strategies", draw, WIDTH, down * (1.0 + 0.19 * len(systems))),
    )


def _reliability(found: Evaluation) -> Picture | None:
    gold = found.table.gold
    curves = [(one, curve) for one in found.decisions if (curve := reliability(one, gold)) is not None]
    if not curves:
        return None

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, linestyle="--", label="confidence as it should be")
        for place, (system, curve) in enumerate(curves):
            label = f"{_short(system.name)}: off by {curve.error:.3f} on average"
            style = "-" if system.kind == "verifier" else "--"
            axes.plot(curve.confidence, curve.accuracy, style, marker=_marker(place), color=_hue(place), label=label)
        axes.set(xlim=(0, 1.02), ylim=(0, 1.02), xlabel="confidence", ylabel="share that was right")
        axes.grid(color="#eeeeee")
        _legend_beside(axes)

    return Picture(
        "reliability",
        "Reliability of the confidence",
        "A point below the dashed line means that answers of this confidence were right less often than the confidence "
        "says; each point is a tenth of the scale.",
        as_svg("reliability", draw, WIDTH, 4.6),
    )


def _risk_coverage(found: Evaluation) -> Picture | None:
    gold = found.table.gold
    answering = [one for one in found.decisions if one.kind != "baseline"]
    curves = [(one, curve) for one in answering if (curve := risk_coverage(one, gold)) is not None]
    if not curves:
        return None

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for place, (system, curve) in enumerate(curves):
            style = "-" if system.kind == "verifier" else "--"
            axes.plot(
                curve.coverage,
                curve.risk,
                linestyle=style if len(curve.coverage) > 1 else "none",
                color=_hue(place),
                label=_short(system.name),
                marker=_marker(place),
                markevery=[-1],
            )
        axes.set(xlim=(0, 1.02), xlabel="share of all claims that keep their answer")
        axes.set_ylabel("share of these answers that are wrong")
        axes.set_ylim(bottom=0)
        axes.grid(color="#eeeeee")
        _legend_beside(axes)

    return Picture(
        "risk-coverage",
        "Risk and coverage",
        "From right to left the answers that are least sure are dropped; a good confidence makes the line fall, and a "
        "system that gives none is a single mark.",
        as_svg("risk-coverage", draw, WIDTH, 4.6),
    )


def _cost(found: Evaluation) -> Picture | None:
    systems = [one for one in found.of_kind("verifier", "policy") if not math.isnan(one.figures["fer"].value)]
    if not systems:
        return None
    free = not any(system.cost.value for system in systems)
    groups: dict[tuple[float, float], list[SystemReport]] = {}
    for system in systems:
        across = system.latency if free else system.cost
        groups.setdefault((round(across.value, 6), round(system.figures["fer"].value, 6)), []).append(system)

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for place, ((across, _), group) in enumerate(groups.items()):
            first = group[0]
            fer = first.figures["fer"]
            arms = 100 * np.nan_to_num(_arms([fer]))
            marker = "s" if first.kind == "policy" else "o"
            label = ", ".join(_short(one.name) for one in group)
            axes.errorbar(
                across, 100 * fer.value, yerr=arms, fmt=marker, color=_hue(place), capsize=3, label=_wrapped(label)
            )
        axes.set_xlabel("seconds a claim (the votes cost nothing)" if free else "dollars a claim")
        axes.set_ylabel("false entailment rate, %")
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        axes.grid(color="#eeeeee")
        _legend_beside(axes)

    return Picture(
        "cost",
        "Cost against false entailment",
        "Low and to the left is better: few false claims called Supported, for little; the upright lines are 95% "
        "intervals over opinions.",
        as_svg("cost", draw, WIDTH, 4.6),
    )


def _arms(estimates: Sequence[Estimate]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """(2, figures): how far each interval reaches below and above its figure; 0 where there is none."""
    below = [max(0.0, float(np.nan_to_num(one.value - one.low))) for one in estimates]
    above = [max(0.0, float(np.nan_to_num(one.high - one.value))) for one in estimates]
    return np.array([below, above])


def _legend_beside(axes: Axes) -> None:
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize=9, frameon=False, borderaxespad=0)


def _colour(system: SystemReport) -> str:
    return VERIFIER if system.kind == "verifier" else POLICY


def _hue(place: int) -> str:
    """One of eighteen strong colours."""
    from matplotlib import color_sequences
    from matplotlib.colors import to_hex

    strong = [*color_sequences["tab10"], *color_sequences["Dark2"]]
    return to_hex(strong[place % len(strong)])


def _marker(place: int) -> str:
    return MARKERS[place % len(MARKERS)]


def _short(name: str) -> str:
    return name if len(name) <= 28 else f"{name[:26]}…"


def _wrapped(label: str) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(label, 34))
