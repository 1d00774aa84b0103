"""What a study comes to, in a few sentences that a person reads first."""

from __future__ import annotations

from typing import Any

from parcel_agents.eval.hard.study import Study
from parcel_agents.hard.causes import IN_WORDS

MORE, LESS = 1.2, 0.8
"""Lift from which on two fail together more often than by chance, and below which less often."""


def findings(study: Study) -> list[str]:
    """The sentences, each true of the study's numbers and of nothing else."""
    graph = study.found["failure_graph"]
    found = [*_sizes(study), *_covering(graph["covers"]), *_together(graph["pairs"]), *_worth(study, graph["worth"])]
    return [*found, *_causes(study.found["summary"]), *_leakage(study.found["summary"])]


def percent(part: int, whole: int) -> str:
    """A share as `8.54%`; `-` of nothing."""
    return f"{100 * part / whole:.2f}%" if whole else "-"


def listed(names: list[str]) -> str:
    """Names as `a, b and c`."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def _sizes(study: Study) -> list[str]:
    rows, claims = study.found["distribution"][0]["rows"], study.found["distribution"][0]["claims"]
    hard, last = rows[study.k - 1], rows[-1]
    if study.k == len(rows):
        return [f"{hard['claims']:,} of {claims:,} claims ({percent(hard['claims'], claims)}) fail {_all(len(rows))}."]
    return [
        f"{hard['claims']:,} of {claims:,} claims ({percent(hard['claims'], claims)}) fail at least {study.k} of the "
        f"{len(rows)} verifiers; {last['claims']:,} ({percent(last['claims'], claims)}) fail all of them."
    ]


def _all(verifiers: int) -> str:
    return f"all {verifiers} verifiers" if verifiers > 1 else "the only verifier"


def _covering(covers: dict[str, Any]) -> list[str]:
    nobody = covers["claims"] - covers["coverable"]
    said = [f"On {nobody:,} of {covers['claims']:,} claims ({percent(nobody, covers['claims'])}) nobody is right."]
    if covers["exact"] is not None and covers["coverable"]:
        first, more = covers["exact"][0], len(covers["exact"]) - 1
        others = f" (so do {more:,} others of that size)" if more else ""
        said.append(
            f"The smallest panel in which somebody is right on each of the other {covers['coverable']:,}: "
            f"{listed(first)}{others}."
        )
    return said


def _together(pairs: list[dict[str, Any]]) -> list[str]:
    known = [pair for pair in pairs if pair["lift_by_label"] is not None and pair["together"] >= 5]
    if not known:
        return []
    most = max(known, key=lambda pair: (pair["lift_by_label"], pair["together"]))
    if most["lift_by_label"] < MORE:
        return [
            "No two verifiers fail together much more often than chance would give with their failures of each label."
        ]
    return [
        f"{most['one']} and {most['other']} fail {most['together']:,} claims together, {most['lift_by_label']:.1f} "
        "times what chance would give with their failures of each label."
    ]


def _worth(study: Study, worth: list[dict[str, Any]]) -> list[str]:
    if not worth:
        return []
    first = worth[0]
    gain = f"{100 * first['accuracy_gain']:+.2f} points"
    fer = "" if first["fer_gain"] is None else f", false entailment {100 * first['fer_gain']:+.2f} points"
    even = "" if first["accuracy_gain"] >= 0 else " (a majority of an even number can tie, and then abstains)"
    panel = listed(list(study.board.panel))
    if first["how"] == "added" and first["accuracy_gain"] <= 0 and not first["covered"]:
        return [
            f"No verifier outside the panel ({panel}) would help; the best of them, {first['verifier']}, changes the "
            f"majority's accuracy by {gain}{fer}, and is right on no claim on which nobody of the panel is."
        ]
    if first["how"] == "added":
        return [
            f"Of the verifiers outside the panel ({panel}), {first['verifier']} would help most: accuracy of the "
            f"majority {gain}{fer}{even}; on {first['covered']:,} claims it is right and nobody of the panel is."
        ]
    return [
        "No verifier stands outside the panel. Of its members the majority would miss "
        f"{first['verifier']} most: with it accuracy {gain}{fer}{even}; on {first['covered']:,} claims it alone is "
        "right."
    ]


def _causes(summary: dict[str, Any]) -> list[str]:
    told = []
    for cause in sorted(summary["causes"], key=lambda one: -one["applies"]):
        if cause["applies"]:
            said = f"{cause['applies']:,} of {cause['judged']:,}: {IN_WORDS[cause['name']]}"
            if (like := cause["like_for_like"]) is not None:
                said += (
                    f" (like for like {100 * like['hard']:.1f}%, and {100 * like['controls']:.1f}% of "
                    f"{summary['controls']:,} claims that are not hard)"
                )
            told.append(said)
    if not told:
        return []
    return [f"What applies to the {summary['diagnosed']:,} hard claims that were looked at: {'; '.join(told)}."]


def _leakage(summary: dict[str, Any]) -> list[str]:
    return [
        f"Without the opinion {one['verifier']} still calls {one['leaks']:,} of {one['answered']:,} claims supported."
        for one in summary["leakage"]
        if one["strategy"] == "all" and one["condition"] == "without_opinion" and one["answered"]
    ]
