from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import Result
from fakes import steady
from fakes.traces import OPINION
from typer.testing import CliRunner

from parcel_agents.cli import app
from parcel_agents.traces.schema import read_book

steady.register()
COPIED = "the People bear the burden of proving that each limit was observed, and a silent record counts against them"
BRIEF = f"""BRIEF FOR APPELLANT (fictional)

A search of a moored vessel is unreasonable where nobody asked the owner (see People v Marlowe, 97 NY3d 210, 212 [2024]
[{COPIED}]). The same opinion is often misquoted (see People v Marlowe, 97 NY3d 210, 215 [2024] ["every vessel in a
public harbor carries its owner's consent to a search of all closed compartments"]). Other authority agrees (People v
Dunmarrow, 46 NY3d 118, 125 [2019] [holding that a locker is no less private than a trunk]), and so does a case whose
cite is wrong (People v Marlowe, 49 NY3d 300 [2024] [holding that the owner must be asked first]).
"""


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "brief.txt").write_text(BRIEF)
    (tmp_path / "opinions").mkdir()
    (tmp_path / "opinions" / "people_v_marlowe.md").write_text(OPINION.replace("97 NY3d", "47 NY3d"))
    (tmp_path / "brief.txt").write_text(BRIEF.replace("97 NY3d", "47 NY3d"))
    return tmp_path / "brief.txt", tmp_path / "opinions"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    data, config = steady.write_dataset(tmp_path / "data"), steady.write_config(tmp_path / "panel.toml", delay_s=0)
    assert invoke("run", data, "--out", tmp_path / "run", "--config", config).exit_code == 0
    return tmp_path / "run"


def test_a_brief_is_written_as_page_and_data(files: tuple[Path, Path], tmp_path: Path) -> None:
    html, trace = tmp_path / "new" / "out.html", tmp_path / "trace.json"
    result = invoke("brief", files[0], "--opinions", files[1], "--html", html, "--trace", trace)
    assert result.exit_code == 1, result.output
    book = read_book(trace)
    statuses = [one.status for one in book.traces]
    assert statuses == ["supported", "not_found", "not_at_hand", "not_matched"]
    first, misquoted, absent, wrong = book.traces
    assert first.authority is not None
    assert first.authority.before.endswith("(see People v Marlowe, 47 NY3d 910, 212 [2024]".replace("910", "210"))
    assert (first.authority.pin, first.authority.file, first.authority.why) == ("212", "people_v_marlowe.md", "by cite")
    assert [one.status for one in misquoted.quotations] == ["absent"]
    assert [defect.check for defect in misquoted.defects] == ["quotation"]
    assert (absent.verdict, absent.opinion_id, wrong.verdict) == (None, None, None)
    assert wrong.authority is not None
    assert wrong.authority.candidates == ("people_v_marlowe.md",)
    assert book.notes == (
        "1 of the 3 decisions that the brief cites are at hand; nothing that it says of the other 2 was checked",
    )
    page = html.read_text()
    assert "2 claims were not checked" in page
    assert "People v Marlowe, 47 NY3d 210, 212 [2024]" in page
    assert f"{html}: written" in result.stderr


def test_claims_about_an_opinion_are_written_as_a_page(files: tuple[Path, Path], tmp_path: Path) -> None:
    opinion, html = files[1] / "people_v_marlowe.md", tmp_path / "out.html"
    result = invoke("verify", opinion, f"({COPIED})", "short", "--html", html)
    assert result.exit_code == 2, result.output
    page = html.read_text()
    assert "Claims about People v Marlowe" in page
    # A claim of one word was never checked, and says so.
    assert "1 claim was not checked" in page
    assert "too short for a claim" in page


def test_a_run_is_traced(run: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    result = invoke("trace", run, "--dataset", data, "--json")
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    book = json.loads(line)
    assert (book["schema_version"], book["kind"], len(book["traces"]), len(book["opinions"])) == (1, "run", 20, 4)
    result = invoke("trace", run, "o1-2", "--dataset", data)
    assert result.exit_code == 0, result.output
    assert "claim: o1-2; label in the data set: not_found" in result.stdout
    assert "v0: " in result.stdout
    html, graph = tmp_path / "run.html", tmp_path / "run.graphml"
    result = invoke("trace", run, "--dataset", data, "--html", html, "--graphml", graph)
    assert (result.exit_code, result.stdout) == (0, "")
    assert html.read_text().count("<article") == 20
    assert ET.parse(graph).getroot().tag.endswith("graphml")


def test_an_opinion_that_was_not_read_to_its_end_is_not_read_to_100_percent(run: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    book = json.loads(invoke("trace", run, "--dataset", tmp_path / "data", "--json").stdout)
    (one, *_) = [each for each in book["traces"] if each["verdict"]["certificate"]]
    one["verdict"]["certificate"]["coverage"] = 0.996
    trace.write_text(json.dumps({**book, "traces": [{**one, "number": 1}]}))
    result = invoke("trace", trace)
    assert (result.exit_code, "99% of the opinion was read" in result.stdout) == (0, True), result.output


def test_a_written_trace_is_read_again(run: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    trace.write_text(invoke("trace", run, "--dataset", tmp_path / "data", "--json").stdout)
    html = tmp_path / "again.html"
    assert invoke("trace", trace, "--html", html).exit_code == 0
    assert html.read_text().count("<article") == 20
    one = json.loads(invoke("trace", trace, "3", "--json").stdout)
    assert [each["claim_id"] for each in one["traces"]] == ["o0-2"]


def test_the_schema_needs_no_run() -> None:
    result = invoke("trace", "--schema")
    assert result.exit_code == 0
    assert result.stdout == (Path(__file__).parents[2] / "docs" / "trace.schema.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no run given"),
        (("RUN",), "name the data set it was made on with --dataset"),
        (("RUN", "none", "--dataset", "DATA"), "has no claim 'none'"),
        (("DATA", "--dataset", "DATA"), "is no run folder"),
        (("RUN", "--dataset", "DATA", "--html", "DATA"), "cannot be written"),
        (("DATA/claims.jsonl",), "is no trace.json"),
    ],
)
def test_wrong_usage_says_what_to_do(arguments: tuple[str, ...], message: str, run: Path, tmp_path: Path) -> None:
    places = {"RUN": str(run), "DATA": str(tmp_path / "data"), "DATA/claims.jsonl": str(tmp_path / "data/claims.jsonl")}
    result = invoke("trace", *(places.get(one, one) for one in arguments))
    assert (result.exit_code, message in result.stderr) == (2, True), result.output
