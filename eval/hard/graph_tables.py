"""The failure graph as tables: pairs, communities, panels that cover, and what each verifier is worth."""

from __future__ import annotations

import math
from collections import Counter

from parcel_agents.eval.bootstrap import Estimate
from parcel_agents.eval.hard.findings import listed
from parcel_agents.eval.hard.study import Study
from parcel_agents.eval.report.tables import Column, Row, Table

PAIRS = 21
"""All pairs of seven verifiers."""
COMMUNITIES = 8
CLEAR = 0.8
"""Agreement below which communities are no finding."""
PANELS = 5
"""So many of the smallest are named."""


def pairs(study: Study) -> Table:
    """Verifiers by twos."""
    found = sorted(study.found["failure_graph"]["pairs"], key=lambda pair: -pair["together"])
    more = f"The {PAIRS} that fail most claims together, of {len(found)}." if len(found) > PAIRS else ""
    return Table(
        "pairs",
        "Who fails together",
        (
            Column("Both count", "count"),
            Column("Fail both", "count"),
            Column("By chance", "share"),
            Column("Lift", "share"),
            Column("Lift by label", "share", main=True),
            Column("Same wrong label", "count"),
        ),
        tuple(
            Row(
                f"{pair['one']} + {pair['other']}",
                (
                    pair["claims"],
                    pair["together"],
                    figure(pair["expected"]),
                    figure(pair["lift"]),
                    figure(pair["lift_by_label"]),
                    pair["same_label"],
                ),
            )
            for pair in found[:PAIRS]
        ),
        (
            "Lift is how often two fail together over how often they would if they failed apart; by label, over what "
            f"their failures of each label would give, as hard labels alone make a lift. {more}".strip(),
        ),
    )


def communities(study: Study) -> Table:
    """Claims that fail together."""
    found = study.found["failure_graph"]["communities"]
    agreement = study.found["failure_graph"]["agreement"]
    claims = study.claims
    rows = []
    for number, one in enumerate(found[:COMMUNITIES], 1):
        labels = Counter(str(claims[id].label) for id in one["claims"])
        counts = ", ".join(f"{count:,} {label.replace('_', ' ')}" for label, count in sorted(labels.items()))
        rows.append(Row(f"{number}: {listed(one['core']) or 'no verifier above half'}", (len(one["claims"]), counts)))
    return Table(
        "communities",
        f"Hard claims that fail together: {len(found)} communit{'y' if len(found) == 1 else 'ies'}",
        (Column("Claims", "count"), Column("Labels", "text")),
        tuple(rows),
        (f"A community is named after the verifiers that more than half of its claims fail. {_clear(agreement)}",),
        first="fail",
    )


def _clear(agreement: float) -> str:
    said = f"Searches in other orders agree with this grouping to {agreement:.2f} (adjusted Rand index; 1 is the same)"
    return f"{said}: it is one of several as good, so read nothing into it." if agreement < CLEAR else f"{said}."


def covering(study: Study) -> Table:
    """Panels that get every claim right with somebody."""
    covers = study.found["failure_graph"]["covers"]
    exact = covers["exact"] or []
    more = f" and {len(exact) - PANELS} more" if len(exact) > PANELS else ""
    note = f"Smallest panels by trying all: {'; '.join(map(listed, exact[:PANELS]))}{more}." if exact else ""
    return Table(
        "covering",
        f"Panels in which somebody is right: {covers['coverable']:,} of {covers['claims']:,} claims can be covered",
        (Column("Adds", "count"), Column("Covered", "count")),
        tuple(Row(step["verifier"], (step["adds"], step["covered"])) for step in covers["greedy"]),
        (f"Each time the verifier that adds most. {note}".strip(),),
        first="greedy",
    )


def worth(study: Study) -> Table:
    """What each verifier gives the panel."""
    found = study.found["failure_graph"]["worth"]
    added = bool(found) and found[0]["how"] == "added"
    return Table(
        "worth",
        f"What each verifier would give the panel ({listed(list(study.board.panel))})"
        if added
        else "What each member gives the panel, by taking it away",
        (
            Column("Accuracy", "percent", group="gain of the majority, points", main=True),
            Column("FER", "percent", group="gain of the majority, points"),
            Column("Right alone", "count"),
            Column("Hard claims right", "count"),
        ),
        tuple(
            Row(
                one["verifier"],
                (figure(one["accuracy_gain"]), figure(one["fer_gain"]), one["covered"], one["hard_right"]),
            )
            for one in found
        ),
        (
            "Right alone: claims that this verifier gets right and no other of the panel. A gain in FER below 0 is "
            "good.",
        ),
    )


def figure(value: float | None) -> Estimate:
    """A figure without an interval; None is nan."""
    return Estimate(math.nan if value is None else value)
