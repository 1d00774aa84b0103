"""The measures of reading citations, on texts small enough to count by hand. All cases are made up."""

from __future__ import annotations

import json
from pathlib import Path

from parcel_agents.eval.citations import measure_citations, measure_natural, measure_speed


def test_years_and_parentheticals_are_counted_against_plain_patterns() -> None:
    text = (
        "(Quist v Ferris, 61 NY2d 501, 503 [1984] [holding [so] far]; Orne v Tarn, 9 AD3d 4 [2d Dept 2004]);"
        " see Pell on Stops § 3 [2001] [noting more]; id. at 7 [finding one]"
    )
    years, parentheticals, backward, no_cite = measure_citations([("made-up", text)])
    assert (years["total"], years["hits"]) == (2, 2)
    assert (parentheticals["total"], parentheticals["hits"]) == (1, 1)
    assert (backward["total"], backward["hits"]) == (1, 1)
    # A book has no reporter cite that its parenthetical could be tied to.
    assert (no_cite["total"], no_cite["hits"], len(no_cite["misses"])) == (1, 0, 1)


def test_natural_parentheticals_are_looked_for_in_the_citing_opinion_or_its_context(tmp_path: Path) -> None:
    known = "People v Marlowe, 31 NY3d 201 [2018] [holding so]"
    rows = [
        {"citing": "one", "cited_cite": "31 NY3d 201", "parenthetical": "holding so", "context": ""},
        {"citing": "two", "cited_cite": "31 NY3d 201", "parenthetical": "holding so", "context": known},
        {"citing": "one", "cited_cite": "9 AD3d 4", "parenthetical": "holding so", "context": ""},
    ]
    file = tmp_path / "known.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    measured = measure_natural(file, {"one": known})
    assert (measured["total"], measured["hits"]) == (3, 2)
    assert "9 AD3d 4" in measured["misses"][0]


def test_speed_is_told_with_eyecite_s() -> None:
    row = measure_speed(["People v Marlowe, 31 NY3d 201 [2018]. "], rounds=1)
    assert row["ratio"] > 0
    assert row["texts"] == 1
