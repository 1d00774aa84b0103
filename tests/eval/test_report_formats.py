"""How the tables of a report are written, its curves, and the library."""

from __future__ import annotations

import csv
import io
import math
import re
from pathlib import Path

import numpy as np
import pytest
from fakes.reporting import ROWS, found, table_of
from fakes.runs import write_run
from fakes.vote_tables import letters

from parcel_agents.errors import ConfigError
from parcel_agents.eval.library import Run, evaluate, frame
from parcel_agents.eval.report.curves import reliability, risk_coverage
from parcel_agents.eval.report.systems import verifier_systems
from parcel_agents.eval.report.table_formats import as_csv, as_latex, as_text, latex, number
from parcel_agents.eval.report.tables import all_tables
from parcel_agents.eval.synthetic import paper_like_votes


def test_csv_reads_back_with_full_precision() -> None:
    table = table_of(found(letters(ROWS)), "table3")
    rows = list(csv.DictReader(io.StringIO(as_csv(table))))
    assert [row["name"] for row in rows] == ["v0", "v1", "majority", "majority class"]
    assert float(rows[0]["FER"]) == pytest.approx(20.0)
    assert float(rows[0]["FER low"]) <= 20 <= float(rows[0]["FER high"])


def test_every_csv_has_as_many_fields_as_its_head() -> None:
    evaluation = found(letters(ROWS, subsets=("claims",) * 4 + ("contrast",) * 2, names=('a,"b"', "c\nd")))
    for table in all_tables(evaluation):
        head, *lines = csv.reader(io.StringIO(as_csv(table)))
        assert {len(line) for line in lines} == {len(head)}
    assert '"a,""b"""' in as_csv(table_of(evaluation, "table2"))


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("dawid_skene", r"dawid\_skene"),
        ("5% & $3 #1", r"5\% \& \$3 \#1"),
        ("a\\b{c}", r"a\textbackslash{}b\{c\}"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
        ("Müller > 3", r"Müller \textgreater{} 3"),
    ],
)
def test_latex_escapes(text: str, escaped: str) -> None:
    assert latex(text) == escaped


def test_latex_has_a_cell_per_column_in_every_row() -> None:
    evaluation = found(letters(ROWS, names=("a_b & c", "50%")))
    for table in all_tables(evaluation):
        text = as_latex(table)
        body = text[text.index(r"\toprule") : text.index(r"\bottomrule")]
        for line in body.splitlines():
            if line.endswith(r"\\") and "multicolumn" not in line:
                assert len(re.findall(r"(?<!\\)&", line)) == len(table.columns), line
        assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")


def test_text_lines_up() -> None:
    lines = as_text(table_of(found(letters(ROWS)), "table2")).splitlines()
    assert lines[0] == "Table 2. Performance on all 6 claims"
    rows = [line for line in lines if line.startswith(("v0", "v1", "majority"))]
    assert len({len(line) for line in rows}) == 1


@pytest.mark.parametrize(
    ("figure", "form", "text"),
    [
        (0.9666, "share", "0.967"),
        (0.4876, "percent", "48.76"),
        (math.nan, "share", "-"),
        (1234, "count", "1,234"),
        (0.00412, "dollars", "0.0041"),
        (13.5812, "dollars", "13.58"),
    ],
)
def test_numbers(figure: float, form: str, text: str) -> None:
    assert number(figure, form) == text  # type: ignore[arg-type]


# Curves


def test_reliability_by_hand() -> None:
    # Confidences .95 and .91 fall into the last tenth: mean .93, one of two right; .55: right.
    table = letters(["o1 S S", "o1 R S", "o2 N N", "o2 N -"], confidence=[[0.95], [0.91], [0.55], [0.2]])
    curve = reliability(verifier_systems(table)[0], table.gold)
    assert curve is not None
    assert curve.confidence.tolist() == pytest.approx([0.55, 0.93])
    assert curve.accuracy.tolist() == [1.0, 0.5]
    # (.45 * 1 + .43 * 2) / 3
    assert curve.error == pytest.approx((0.45 + 0.86) / 3)


def test_no_confidence_has_no_reliability_and_one_point_of_coverage() -> None:
    table = letters(["o1 S S", "o1 R S", "o2 N N", "o2 N -"])
    system = verifier_systems(table)[0]
    assert reliability(system, table.gold) is None
    curve = risk_coverage(system, table.gold)
    assert curve is not None
    assert (curve.coverage.tolist(), curve.risk.tolist()) == ([0.75], pytest.approx([1 / 3]))


def test_risk_and_coverage_by_hand() -> None:
    table = letters(["o1 S S", "o1 R S", "o2 N N", "o2 N N"], confidence=[[0.9], [0.8], [0.8], [0.1]])
    curve = risk_coverage(verifier_systems(table)[0], table.gold)
    assert curve is not None
    # The two of confidence .8 are kept together: one of three answers is wrong.
    assert curve.coverage.tolist() == [0.25, 0.75, 1.0]
    assert curve.risk.tolist() == pytest.approx([0, 1 / 3, 1 / 4])


# The library


def test_the_library_gives_frames(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    run = Run(write_run(tmp_path / "run", letters(ROWS)))
    votes = run.votes()
    # Twelve pairs, one of which is not in the run.
    assert len(votes) == 11
    assert list(votes.columns)[:5] == ["claim_id", "opinion_id", "subset", "gold", "strategy"]
    first = votes[votes.verifier == "v0"].set_index("claim_id")
    assert first.loc["c1", "label"] == "supported"
    assert first.loc["c3", "outcome"] == "timeout"
    assert first.label.isna().sum() == 2
    verdicts = run.verdicts()
    assert verdicts.label.tolist()[0] == "supported"
    assert verdicts.status.tolist()[1] == "abstained"
    assert set(run.verdicts("plurality").policy) == {"plurality"}
    figures = frame(evaluate(run, policies=("majority",), resamples=100))
    assert len(figures) == 3 * 4
    one = figures[(figures.name == "v0") & (figures.on == "answered")].iloc[0]
    assert one.accuracy == pytest.approx(3 / 4)


def test_verdicts_of_a_policy_that_has_to_be_fitted_say_so(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    run = Run(write_run(tmp_path / "run", letters(ROWS)))
    with pytest.raises(ConfigError, match="has to be fitted"):
        run.verdicts("dawid_skene")


@pytest.mark.slow
def test_a_million_votes_load_in_time_and_memory(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    import resource
    import time

    folder = write_run(tmp_path / "run", paper_like_votes(np.random.default_rng(0), repeat=43))
    begun = time.monotonic()
    votes = Run(folder).votes()
    assert len(votes) > 1_000_000
    assert time.monotonic() - begun < 40
    assert votes.memory_usage(deep=True).sum() < 100e6
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2e6
