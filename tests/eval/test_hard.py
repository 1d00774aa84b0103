from __future__ import annotations

import asyncio
import json
from pathlib import Path

import numpy as np
import pytest
from fakes.runs import write_run
from fakes.vote_tables import letters
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.errors import InputError
from parcel_agents.eval.bootstrap import Bootstrap
from parcel_agents.eval.hard.adjudication import adjudicate, read_decisions, write_adjudication
from parcel_agents.eval.hard.board import read_board
from parcel_agents.eval.hard.findings import findings
from parcel_agents.eval.hard.page import hard_page
from parcel_agents.eval.hard.shares import BootstrapShares
from parcel_agents.eval.hard.study import Study, StudyOptions, study
from parcel_agents.eval.hard.text import study_text
from parcel_agents.hard.distribution import plain_shares

ROWS = (
    "o1 S SSS",
    "o1 R SSR logic_reversal",
    "o1 N -N. phantom_citation",
    "o2 R xRR authority_swap",
    "o2 R SSS logic_reversal",
    "o2 N NNS missing_detail",
    "o2 ? SSS",
)


def run_of(folder: Path, rows: tuple[str, ...] = ROWS, names: tuple[str, ...] = ("a", "b", "c")) -> Path:
    return write_run(folder, letters(rows, names=names))


def study_of(*runs: Path, **options: object) -> Study:
    return asyncio.run(study(read_board(runs), StudyOptions(resamples=100, **options)))  # type: ignore[arg-type]


def test_runs_over_one_data_set_stand_side_by_side_under_names_of_their_own(tmp_path: Path) -> None:
    more = tuple(row.replace("SSS", "RSS").replace("SSR", "RRR") for row in ROWS)
    runs = [run_of(tmp_path / "first"), run_of(tmp_path / "second", more, ("a", "d", "e"))]
    board = read_board(runs)
    assert board.table.names == ("first: a", "b", "c", "second: a", "d", "e")
    assert board.panel == ("first: a", "b", "c")
    assert board.unlabelled == 1
    assert len(board.table) == 6
    votes = {vote.verifier: (vote.outcome, vote.label) for vote in board.read_votes(["c1"])["c1"]}
    assert votes["first: a"] == ("ok", "supported")
    assert votes["second: a"] == votes["e"] == ("ok", "refuted")
    # A vote that is nowhere is none.
    assert [vote.verifier for vote in board.read_votes(["c2"])["c2"]] == ["b", "d", "first: a", "second: a"]


def test_runs_on_different_claims_are_refused(tmp_path: Path) -> None:
    other = run_of(tmp_path / "second", ROWS[:4])
    with pytest.raises(InputError, match=r"different sets of claims \(first: 7 claims of made-up"):
        read_board([run_of(tmp_path / "first"), other])


def test_a_subset_is_taken_alone(tmp_path: Path) -> None:
    table = letters(ROWS[:3], names=("a", "b", "c"), subsets=("claims", "contrast", "claims"))
    run = write_run(tmp_path / "run", table)
    assert [claim.id for claim in read_board([run], "contrast").table.claims] == ["c1"]
    with pytest.raises(InputError, match="no claim of the subset 'other'; it has claims, contrast"):
        read_board([run], "other")
    with pytest.raises(InputError, match="is named twice"):
        read_board([run, run])


def test_a_run_without_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no labelled claim"):
        read_board([run_of(tmp_path / "run", ("o1 ? SSS",))])


def test_k_above_the_number_of_verifiers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"--k 4: there are 3 verifiers \(a, b, c\)"):
        study_of(run_of(tmp_path / "run"), k=4)


def test_with_two_verifiers_k_is_two_and_that_is_said(tmp_path: Path) -> None:
    found = study_of(run_of(tmp_path / "run", ("o1 S RR", "o2 S SS"), ("a", "b")))
    assert found.k == 2
    assert "there are 2 verifiers, so a claim counts as hard if 2 fail it" in found.notes
    assert found.found["hard"] == ["c0"]


def test_what_a_study_says_is_so(tmp_path: Path) -> None:
    # Hard at k = 2: c1 (a and b say supported), c4 (all three). c2 has an abstention and a vote that is nowhere.
    found = study_of(run_of(tmp_path / "run"), k=2)
    assert found.found["hard"] == ["c4", "c1"]
    said = findings(found)
    assert said[0] == "2 of 6 claims (33.33%) fail at least 2 of the 3 verifiers; 1 (16.67%) fail all of them."
    assert said[1] == "On 1 of 6 claims (16.67%) nobody is right."
    # b is right on c0, c2, c3 and c5; c on c0, c1 and c3: together on five.
    assert said[2] == "The smallest panel in which somebody is right on each of the other 5: b and c."
    text = study_text(found)
    assert "note: claims without a label are left out: 1" in text
    assert "1. (claim number 4 of o2)" in text


def test_the_page_escapes_what_it_shows(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", names=("<b>", "b & c", "c"))
    page = hard_page(study_of(run, k=2))
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    assert "<svg" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_votes_of_all_agree_against_a_label_and_a_person_decides(tmp_path: Path) -> None:
    found = study_of(with_evidence(run_of(tmp_path / "run")), k=2)
    file = tmp_path / "decide.jsonl"
    assert write_adjudication(file, found) == 1
    (line,) = file.read_text().splitlines()
    row = json.loads(line)
    assert (row["claim_id"], row["gold"], row["said"], row["decision"], row["note"]) == (
        "c4",
        "refuted",
        "supported",
        "",
        "",
    )
    assert row["votes"][0]["evidence"][0]["passage"] == "p1"
    with pytest.raises(InputError, match="is there already, and may hold decisions"):
        write_adjudication(file, found)
    table = found.board.table
    assert adjudicate(table, read_decisions(file, table)).undecided == 1

    file.write_text(json.dumps({**row, "decision": "supported", "note": "the first paragraph says so"}) + "\n")
    after = adjudicate(table, read_decisions(file, table))
    assert (after.decided, after.relabelled, after.confirmed, after.excluded) == (1, 1, 0, 0)
    # Of six claims a has c0 and c5 right, and c4 as well once it is supported; its false entailments are c1 and c4 of
    # five before, c1 of four after.
    change = after.changes[0]
    assert (change.before["accuracy"], change.after["accuracy"]) == (2 / 6, 3 / 6)
    assert (change.before["fer"], change.after["fer"]) == (2 / 5, 1 / 4)

    file.write_text(json.dumps({**row, "decision": "exclude"}) + "\n")
    after = adjudicate(table, read_decisions(file, table))
    assert (after.excluded, after.changes[0].after["accuracy"]) == (1, 2 / 5)
    file.write_text(json.dumps({**row, "decision": "refuted"}) + "\n")
    after = adjudicate(table, read_decisions(file, table))
    assert (after.confirmed, after.changes[0].after) == (1, after.changes[0].before)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"claim_id": "c99"}, "about the claim 'c99', which the runs do not have"),
        ({"decision": "maybe"}, "the decision 'maybe' is none of supported, refuted, not_found, exclude, or empty"),
        ({"gold": "supported"}, "has another label or text in the runs"),
        ({"claim": "(another)"}, "has another label or text in the runs"),
    ],
)
def test_decisions_that_do_not_fit_are_refused_with_their_line(
    tmp_path: Path, changed: dict[str, str], said: str
) -> None:
    table = letters(ROWS).labelled()
    row = {"claim_id": "c4", "claim": "(claim number 4 of o2)", "gold": "refuted", "decision": ""}
    file = tmp_path / "decide.jsonl"
    file.write_text(f"\n{json.dumps({**row, **changed})}\n")
    with pytest.raises(InputError, match=said) as caught:
        read_decisions(file, table)
    assert f"{file}:2" in str(caught.value)


@pytest.mark.parametrize("text", ["[]", "{", "7"])
def test_a_line_that_is_no_object_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "decide.jsonl"
    file.write_text(text)
    with pytest.raises(InputError, match="is no JSON"):
        read_decisions(file, letters(ROWS).labelled())


def test_a_claim_that_is_decided_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "decide.jsonl"
    file.write_text('{"claim_id": "c4", "claim": "(claim number 4 of o2)", "gold": "refuted"}\n' * 2)
    with pytest.raises(InputError, match="stands there twice"):
        read_decisions(file, letters(ROWS).labelled())


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 3)), min_size=2, max_size=20))
def test_intervals_hold_their_share_and_shares_are_the_plain_ones(claims: list[tuple[bool, bool, int]]) -> None:
    part = np.array([[one] for one, _, _ in claims])
    whole = np.array([two for _, two, _ in claims])
    opinions = np.unique(np.array([place for _, _, place in claims]), return_inverse=True)[1].astype(np.int64)
    bootstrap = Bootstrap.of(int(opinions.max()) + 1, np.random.default_rng(0), 100)
    (found,), (plain,) = BootstrapShares(bootstrap, opinions)(part, whole), plain_shares(part, whole)
    assert found.value == pytest.approx(plain.value, nan_ok=True)
    if not np.isnan(found.low):
        assert 0 <= found.low <= found.high <= 1


def with_evidence(run: Path) -> Path:
    """The run with a place for every vote that has a label."""
    file = run / "votes.jsonl"
    place = [{"passage": "p1", "start": 0, "end": 9, "relation": "supports"}]
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    lines = [json.dumps({**row, "evidence": place if row["label"] else []}) for row in rows]
    file.write_text("\n".join(lines) + "\n")
    return run
