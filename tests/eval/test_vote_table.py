from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fakes.runs import write_run
from fakes.tables import table_of

from parcel_agents.ensemble.ballots import ABSTAINED, FAILED, REFUTED, SUPPORTED, Member
from parcel_agents.ensemble.calibration import UNLABELLED
from parcel_agents.errors import InputError
from parcel_agents.eval.replay.fit_policy import in_tiers
from parcel_agents.eval.replay.report import kept_notes
from parcel_agents.eval.vote_table import NOT_RECORDED, OUTCOMES, read_votes, vote_table
from parcel_agents.store import Run
from parcel_agents.types import GoldClaim

S, R, A, F = SUPPORTED, REFUTED, ABSTAINED, FAILED
CLAIMS = [
    GoldClaim(id="c0", opinion_id="o", claim="(a)", label="supported"),
    GoldClaim(id="c1", opinion_id="p", claim="(b)"),
]
PANEL = [Member("glm"), Member("checks", frozenset({"refuted", "not_found"}))]


def vote(claim: str, verifier: str, label: str | None, outcome: str = "ok", **more: Any) -> dict[str, Any]:
    return {"claim_id": claim, "verifier": verifier, "outcome": outcome, "label": label, **more}


def test_votes_become_codes() -> None:
    rows = [
        vote("c0", "glm", "supported", confidence=0.75, cost_usd=0.5, latency_s=2.0),
        vote("c0", "checks", None),
        vote("c1", "glm", None, "timeout"),
    ]
    table = vote_table(CLAIMS, PANEL, rows)
    assert table.ballots.choices.tolist() == [[S, A], [F, F]]
    assert table.outcomes.tolist() == [[0, 0], [OUTCOMES.index("timeout"), NOT_RECORDED]]
    assert (table.ballots.confidence[0, 0], table.costs[0, 0], table.latencies[0, 0]) == (0.75, 0.5, 2.0)
    assert np.isnan(table.ballots.confidence[0, 1])
    assert table.gold.tolist() == [S, UNLABELLED]
    assert table.opinions.tolist() == [0, 1]
    assert len(table.labelled()) == 1


@pytest.mark.parametrize(
    ("other", "label", "shared"),
    [
        ({"start": 5, "end": 12}, "supported", True),
        ({"start": 10, "end": 12}, "supported", False),  # they touch, and share no character
        ({"start": 5, "end": 12}, "refuted", False),  # one place, two labels
    ],
)
def test_votes_that_cite_a_common_place_for_one_label_share_it(other: dict[str, int], label: str, shared: bool) -> None:
    panel = [Member("a"), Member("b"), Member("c")]
    rows = [
        vote("c0", "a", "supported", evidence=[{"start": 0, "end": 10}]),
        vote("c0", "b", label, evidence=[other]),
        vote("c0", "c", "supported"),
    ]
    found = vote_table(CLAIMS[:1], panel, rows).ballots.shared[0]
    assert found.tolist() == [[True, shared, False], [shared, True, False], [False, False, False]]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            vote("c0", "gpt", "supported"),
            r"'gpt' on the claim 'c0' is by nobody of the run's verifiers \(glm, checks\)",
        ),
        (
            vote("c0", "checks", "supported"),
            r"'checks' on the claim 'c0' says 'supported', which this verifier may not",
        ),
    ],
)
def test_votes_that_cannot_be_are_refused(row: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        vote_table(CLAIMS, PANEL, [row])


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    table = table_of([[S, R, F], [A, S, R]], [S, UNLABELLED], costs=[0.1, 0.2, 0.3], tiers=[0, 1, 0])
    read = read_votes(Run.open(write_run(tmp_path / "run", table)))
    # Members come tier by tier.
    assert [(member.name, member.tier) for member in read.ballots.members] == [("v0", 0), ("v2", 0), ("v1", 1)]
    same = table.columns([0, 2, 1])
    np.testing.assert_array_equal(read.ballots.choices, same.ballots.choices)
    np.testing.assert_array_equal(read.outcomes, same.outcomes)
    np.testing.assert_array_equal(read.costs, same.costs)
    assert read.claims == table.claims


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": "maybe"}, r"votes.jsonl:2: has the label 'maybe'"),
        ({"outcome": "fine"}, r"votes.jsonl:2: has the outcome 'fine'; known: .*ok"),
        ({"claim_id": "c9"}, r"votes.jsonl:2: is about the claim 'c9', which is not in the run's claims"),
        ({"verifier": "v0"}, r"votes.jsonl:2: is a second vote of 'v0' on 'c0', whose vote at line 1 did not fail"),
    ],
)
def test_a_damaged_votes_file_is_refused_with_the_line(tmp_path: Path, change: dict[str, str], message: str) -> None:
    run = write_run(tmp_path / "run", table_of([[S, R]], [S]))
    lines = [json.loads(line) for line in (run / "votes.jsonl").read_text().splitlines()]
    lines[1] |= change
    (run / "votes.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(InputError, match=message):
        read_votes(Run.open(run))


def test_members_can_be_put_into_tiers() -> None:
    table = in_tiers(table_of([[S, R, A]], [S]), [["v2"], ["v0"]])
    assert [(member.name, member.tier) for member in table.ballots.members] == [("v2", 0), ("v0", 1)]
    assert table.ballots.choices.tolist() == [[A, S]]
    with pytest.raises(InputError, match=r"no verifier 'v9'; it has v0, v1, v2"):
        in_tiers(table_of([[S, R, A]], [S]), [["v9"]])
    with pytest.raises(InputError, match="'v0' is named twice"):
        in_tiers(table_of([[S, R, A]], [S]), [["v0"], ["v0"]])


def test_a_kept_answer_costs_what_the_others_cost() -> None:
    claims = [GoldClaim(id=f"c{i}", opinion_id="o", claim="(a)") for i in range(3)]
    rows = [
        vote("c0", "glm", "supported", cost_usd=0.2, latency_s=4.0),
        vote("c1", "glm", "supported", cached=True),
        vote("c2", "glm", None, "timeout", cost_usd=0.0, latency_s=60.0),
        vote("c0", "checks", None, cached=True),
    ]
    table = vote_table(claims, PANEL, rows)
    assert table.costs[:, 0].tolist() == [0.2, 0.2, 0.0]
    assert table.latencies[:, 0].tolist() == [4.0, 4.0, 60.0]
    assert table.kept.tolist() == [[False, True], [True, False], [False, False]]
    notes = kept_notes(table)
    assert notes[0] == "1 votes of glm were kept from before: their cost and time are taken from its other votes"


def test_a_second_claim_with_an_id_is_damage(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", table_of([[S], [S]], [S, S]))
    lines = (run / "claims.jsonl").read_text().splitlines(keepends=True)
    (run / "claims.jsonl").write_text("".join([*lines, lines[0]]))
    with pytest.raises(InputError, match=r"claims.jsonl:3: a second claim 'c0'"):
        read_votes(Run.open(run))
