"""A study as tables, in the form of the report's."""

from __future__ import annotations

import math
from typing import Any

from parcel_agents.eval.bootstrap import Estimate
from parcel_agents.eval.hard.graph_tables import communities, covering, figure, pairs, worth
from parcel_agents.eval.hard.study import Study
from parcel_agents.eval.report.tables import Column, Row, Table
from parcel_agents.hard.causes import IN_WORDS

RULES = {
    False: "An abstention fails a claim, a missing vote does not.",
    True: "Only a wrong label fails a claim: no abstention, unlike in table 7 of `report`, and no missing vote.",
}
"""What a failure is, by `Failures.wrong_only`."""
_NOTHING: dict[str, float | None] = {"hard": None, "controls": None}


def study_tables(study: Study) -> list[Table]:
    """All tables that have rows."""
    made = [hard_claims(study), by_group(study), pairs(study), communities(study), covering(study), worth(study)]
    return [table for table in [*made, causes(study), leakage(study)] if table.rows]


def hard_claims(study: Study) -> Table:
    """Table 7 of the paper, for all claims."""
    group = study.found["distribution"][0]
    return Table(
        "table7",
        f"Hard claims: how many of the {group['claims']:,} at least k of the {len(group['rows'])} verifiers fail",
        (
            Column("Claims", "count"),
            Column("Percent", "percent", main=True),
            Column("Exactly k", "count"),
            Column("If missing votes failed", "count"),
        ),
        tuple(
            Row(f"{row['k']} or more", (row["claims"], _share(row["share"]), row["exactly"], row["if_missing_fail"]))
            for row in group["rows"]
        ),
        (
            f"{RULES[study.failures.wrong_only]} {group['with_abstentions']:,} claims have an abstention, "
            f"{group['with_absent_votes']:,} a missing vote.",
        ),
        first="k",
    )


def by_group(study: Study) -> Table:
    """The percentages for each label and each strategy."""
    groups = study.found["distribution"][1:]
    levels = [row["k"] for row in study.found["distribution"][0]["rows"]]
    return Table(
        "hard-by-kind",
        "The same by label and by the way a claim was made: percent of the claims that at least k verifiers fail",
        (
            Column("Claims", "count"),
            *(Column(f"k = {k}", "percent", main=k == study.k) for k in levels),
            Column("With abstentions", "count"),
            Column("With missing votes", "count"),
        ),
        tuple(
            Row(
                group["name"].replace("_", " "),
                (
                    group["claims"],
                    *(_share(row["share"]) for row in group["rows"]),
                    group["with_abstentions"],
                    group["with_absent_votes"],
                ),
                group["kind"],
            )
            for group in groups
        ),
    )


def causes(study: Study) -> Table:
    """How often each cause applies."""
    found = study.found["summary"]
    return Table(
        "causes",
        f"Why: what applies to the {found['diagnosed']:,} hard claims that were looked at",
        (
            Column("Applies", "count"),
            Column("Of", "count"),
            Column("Percent", "percent", main=True),
            Column("hard", "percent", group="like for like"),
            Column("controls", "percent", group="like for like"),
            Column("Failed", "count"),
        ),
        tuple(
            Row(
                IN_WORDS[one["name"]],
                (
                    one["applies"],
                    one["judged"],
                    _ratio(one["applies"], one["judged"]),
                    figure((one["like_for_like"] or _NOTHING)["hard"]),
                    figure((one["like_for_like"] or _NOTHING)["controls"]),
                    one["failed"],
                ),
            )
            for one in found["causes"]
            if one["judged"] or one["failed"]
        ),
        (
            f"Several may apply to one claim; none does to {found['unexplained']:,}. Controls are "
            f"{found['controls']:,} claims that are not hard; like for like are hard claims of labels that have "
            "controls, and controls weighted to the same labels. What applies to controls as often explains nothing. A "
            "dash stands where a cause presupposes wrong votes, or there is nothing to compare with.",
        ),
    )


def leakage(study: Study) -> Table:
    """How often models know."""
    names = {"without_opinion": "without the opinion", "masked": "evidence masked"}
    return Table(
        "leakage",
        "Still called supported when it could not be read",
        (
            Column("Supported", "count"),
            Column("Answered", "count"),
            Column("Percent", "percent", main=True),
            Column("No answer", "count"),
        ),
        tuple(
            Row(
                f"{one['verifier']}, {one['strategy'].replace('_', ' ')}, {names[one['condition']]}",
                (one["leaks"], one["answered"], _ratio(one["leaks"], one["answered"]), one["missing"]),
            )
            for one in study.found["summary"]["leakage"]
        ),
        ("With the evidence masked, a reader may be right: other passages may say the same.",),
    )


def _share(share: dict[str, Any]) -> Estimate:
    return Estimate(*(math.nan if share[end] is None else share[end] for end in ("value", "low", "high")))


def _ratio(part: int, whole: int) -> Estimate:
    return Estimate(part / whole if whole else math.nan)
