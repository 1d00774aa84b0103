"""The failure graph as a picture: plain SVG, of the size of a page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import Any

from parcel_agents.eval.hard.findings import LESS, MORE
from parcel_agents.eval.hard.study import Study
from parcel_agents.hard.graph import printable

WIDTH, RING = 960, 430
CENTRE, RADIUS = (270, 215), 140
THICKEST = 11
"""Of a line between two of a few verifiers; between many, lines are thinner."""
SHOWN = 8
"""Communities that are drawn, the largest."""
INK, FAINT = "#1b1f24", "#5c6670"
RED, BLUE, GREY = "#b5542b", "#33608c", "#8a929b"
NAME = 22
"""Characters of a name."""


def failure_picture(study: Study) -> str:
    """The picture: verifiers in a ring with the claims that two fail together, and who fails which community.

    A line is as thick as two verifiers fail claims together; red where they do so more than 1.2 times as often as their
    failures of each label would give, blue below 0.8 times.
    """
    height = max(RING, 120 + 34 * len(study.failures.names))
    body = "".join([*_ring(study), *_matrix(study)])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="100%" role="img" '
        f'aria-label="Failure graph" font-family="system-ui, sans-serif" font-size="12" fill="{INK}">{body}</svg>'
    )


def _ring(study: Study) -> Iterator[str]:
    names, fails = study.failures.names, study.failures.failed.sum(axis=0).tolist()
    places = dict(zip(names, _around(len(names)), strict=True))
    found = study.found["failure_graph"]["pairs"]
    most = max([pair["together"] for pair in found], default=0)
    thickest = THICKEST if len(names) <= 4 else THICKEST * 4 / len(names)
    for pair in sorted(found, key=lambda pair: pair["together"]):
        if pair["together"]:
            yield _edge(pair, places[pair["one"]], places[pair["other"]], most, thickest, named=len(found) <= 6)
    largest = max([1, *fails])
    for name, failed in zip(names, fails, strict=True):
        x, y = places[name]
        radius = 6 + 12 * math.sqrt(failed / largest)
        yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius:.1f}" fill="#fff" stroke="{INK}" stroke-width="2"/>'
        # Names stand outside the ring, where no line goes.
        across, down = (x - CENTRE[0]) / RADIUS, (y - CENTRE[1]) / RADIUS
        anchor = "middle" if abs(across) < 0.3 else "start" if across > 0 else "end"
        at_x, at_y = x + across * (radius + 6), y + down * (radius + 18) + (0 if down > -0.3 else -8)
        yield _text(at_x, at_y, _short(name), anchor, weight=600)
        yield _text(at_x, at_y + 14, f"fails on {failed:,}", anchor, FAINT)


def _edge(
    pair: dict[str, Any],
    one: tuple[float, float],
    other: tuple[float, float],
    most: int,
    thickest: float,
    *,
    named: bool,
) -> str:
    lift = pair["lift_by_label"]
    colour = GREY if lift is None or LESS <= lift < MORE else RED if lift >= MORE else BLUE
    told = f"{pair['one']} + {pair['other']}: {pair['together']:,} together, lift by label " + (
        "-" if lift is None else f"{lift:.2f}"
    )
    width = 1 + thickest * pair["together"] / most
    line = (
        f'<line x1="{one[0]:.0f}" y1="{one[1]:.0f}" x2="{other[0]:.0f}" y2="{other[1]:.0f}" stroke="{colour}" '
        f'stroke-opacity=".65" stroke-width="{width:.1f}"><title>{escape(printable(told))}</title></line>'
    )
    if not named:
        return line
    x, y = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    label = f"{pair['together']:,}" + ("" if lift is None else f" (×{lift:.1f})")
    return line + _text(x, y - 8, label, "middle", halo=True)


def _matrix(study: Study) -> Iterator[str]:
    """Rows are verifiers, columns communities; the darker, the more of the community's claims fail the verifier."""
    found = study.found["failure_graph"]["communities"][:SHOWN]
    left, top, cell, names = 670, 70, 34, study.failures.names
    if not found:
        yield _text(left, top, "no claim is hard", "start", FAINT)
        return
    yield _text(left, 22, "communities of hard claims", "start", weight=600)
    yield _text(left, 38, "claims in it:", "start", FAINT)
    for column, one in enumerate(found):
        yield _text(left + cell * (column + 0.5), top - 10, f"{len(one['claims']):,}", "middle", size=11)
    for row, name in enumerate(names):
        yield _text(left - 8, top + cell * (row + 0.5) + 4, _short(name), "end")
        for column, one in enumerate(found):
            share = one["share_failing"][name]
            x, y = left + cell * column, top + cell * row
            told = f"{share:.0%} of community {column + 1} fail {name}"
            yield (
                f'<rect x="{x + 1}" y="{y + 1}" width="{cell - 2}" height="{cell - 2}" fill="{RED}" '
                f'fill-opacity="{0.06 + 0.94 * share:.2f}"><title>{escape(printable(told))}</title></rect>'
            )
            colour = "#fff" if share > 0.5 else INK
            yield _text(x + cell / 2, y + cell / 2 + 4, f"{100 * share:.0f}", "middle", colour, size=11)
    yield _text(left, top + cell * len(names) + 18, "percent of its claims that fail the verifier", "start", FAINT)


def _around(count: int) -> list[tuple[float, float]]:
    """Places on a ring, the first at the top; two stand side by side."""
    start = -math.pi if count == 2 else -math.pi / 2
    angles = [start + 2 * math.pi * place / max(count, 1) for place in range(count)]
    return [(CENTRE[0] + RADIUS * math.cos(angle), CENTRE[1] + RADIUS * math.sin(angle)) for angle in angles]


def _text(
    x: float,
    y: float,
    text: str,
    anchor: str,
    fill: str = INK,
    *,
    weight: int = 400,
    size: int = 12,
    halo: bool = False,
) -> str:
    around = ' stroke="#fff" stroke-width="4" paint-order="stroke"' if halo else ""
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{fill}" font-weight="{weight}" font-size="{size}"'
        f"{around}>{escape(printable(text))}</text>"
    )


def _short(name: str) -> str:
    return name if len(name) <= NAME else f"{name[: NAME - 1]}…"
