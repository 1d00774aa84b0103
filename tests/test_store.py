from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parcel_agents.errors import InputError, ParcelError
from parcel_agents.store import DatasetMeta, PanelMeta, Run, RunMeta, SettingsMeta, VerifierMeta
from parcel_agents.store.run import CLAIMS, RUN, VOTES
from parcel_agents.types import GoldClaim, Outcome, Vote

CLAIM_IDS = ("c1", "c2", "c3")


def claims() -> list[GoldClaim]:
    # The line separator in the text is no end of a line of JSONL.
    return [GoldClaim(id=id, opinion_id="o", claim=f"(holding \u2028 {id})", label="refuted") for id in CLAIM_IDS]


def meta(**verifier: Any) -> RunMeta:
    return RunMeta(
        dataset=DatasetMeta(name="d", source="d", hash="h", claims=3, opinions=1),
        panel=PanelMeta(name="p", policy="majority", tiers=(("a",), ("b",))),
        verifiers={
            name: VerifierMeta(kind="llm", casts=("supported",), **{"settings": {"model": "m"}, **verifier})
            for name in "ab"
        },
        settings=SettingsMeta(retriever="bm25", top_k=10),
        versions={"python": "3.11"},
        created="2026-01-02T03:04:05+00:00",
    )


def vote(verifier: str = "a", outcome: Outcome = "ok", reason: str = "é\u2028", cost_usd: float = 0.5) -> Vote:
    label = "refuted" if outcome == "ok" else None
    return Vote(verifier=verifier, outcome=outcome, label=label, reason=reason, cost_usd=cost_usd)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Run.create(tmp_path / "runs" / "first", meta(), claims()) as run:
        yield run


def test_what_is_written_is_read(run: Run) -> None:
    run.append("c2", vote("b"))
    run.append("c1", vote("a", "timeout"))
    read = Run.open(run.path)
    assert read.meta == run.meta
    assert read.claims == tuple(claims())
    assert list(read.votes()) == [("c2", vote("b")), ("c1", vote("a", "timeout"))]
    states = [read.state("c2", "b"), read.state("c1", "a"), read.state("c3", "a"), read.state("c1", "new")]
    assert states == ["ok", "failed", "missing", "missing"]


def test_the_files_have_the_agreed_form(run: Run) -> None:
    run.append("c1", vote())
    (line,) = (run.path / VOTES).read_text().split("\n")[:-1]
    assert json.loads(line) == {"claim_id": "c1", **vote().model_dump(mode="json")}
    assert json.loads((run.path / CLAIMS).read_text().split("\n")[0]) == claims()[0].model_dump(mode="json")
    described = json.loads((run.path / RUN).read_text())
    assert described["schema_version"] == 1
    assert list(described) == ["schema_version", "dataset", "panel", "verifiers", "settings", "versions", "created"]


def test_a_later_vote_replaces_one_that_failed_and_no_other(run: Run) -> None:
    run.append("c1", vote(outcome="timeout"))
    run.append("c2", vote())
    run.append("c1", vote(outcome="refused"))
    assert [row["outcome"] for row in run.rows()] == ["ok", "refused"]
    run.append("c1", vote())
    assert [(row["claim_id"], row["outcome"]) for row in run.rows()] == [("c2", "ok"), ("c1", "ok")]
    assert len(list(run.lines())) == 4
    # What failed has been paid for too.
    assert run.cost_usd == 2.0
    for outcome in ("ok", "timeout"):
        with pytest.raises(ValueError, match="second vote of 'a' on 'c1', whose vote at line 4 did not fail"):
            run.append("c1", vote(outcome=outcome))
    with pytest.raises(ValueError, match="'c9', which is not in the run's claims"):
        run.append("c9", vote())


def test_two_ok_lines_for_one_pair_are_an_error_with_both_numbers(run: Run) -> None:
    run.append("c1", vote("b"))
    run.append("c1", vote("a"))
    file = run.path / VOTES
    file.write_bytes(file.read_bytes() + file.read_bytes().split(b"\n")[1] + b"\n")
    run.close()
    for read in (lambda: list(run.rows()), lambda: Run.open(run.path, writing=True)):
        with pytest.raises(InputError, match=r"votes\.jsonl:3: is a second vote of 'a' on 'c1', whose vote at line 2"):
            read()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{torn", "is no JSON"),
        ("[]", "is no JSON object"),
        ('{"claim_id": "c1"}', "no text in 'claim_id' and 'verifier'"),
        ('{"claim_id": "c9", "verifier": "a", "outcome": "ok"}', "'c9', which is not in the run's claims"),
        ('{"claim_id": "c1", "verifier": "a", "outcome": "lost"}', "the outcome 'lost'; known: auth, "),
        ('{"claim_id": "c1", "verifier": "a", "outcome": "ok", "label": "maybe"}', "the label 'maybe'"),
        ('{"claim_id": "c1", "verifier": "a", "outcome": "timeout", "label": "refuted"}', "the outcome 'timeout'"),
        ("", "is no JSON"),
    ],
)
def test_a_line_that_is_no_vote_is_an_error_with_its_number(run: Run, line: str, said: str) -> None:
    run.append("c2", vote())
    run.append("c3", vote())
    first, second, _ = (run.path / VOTES).read_text().split("\n")
    (run.path / VOTES).write_text(f"{first}\n{line}\n{second}\n")
    run.close()
    for read in (lambda: list(run.rows()), lambda: Run.open(run.path, writing=True)):
        with pytest.raises(InputError, match=rf"votes\.jsonl:2: .*{said}"):
            read()
    with pytest.raises(InputError, match=r"votes\.jsonl:2"):
        Run.open(run.path).state("c1", "a")


def test_a_vote_with_a_field_it_must_not_have_is_named(run: Run) -> None:
    run.append("c2", vote())
    file = run.path / VOTES
    file.write_text(file.read_text().replace('"confidence": null', '"confidence": 7'))
    with pytest.raises(InputError, match="the vote of 'a' on 'c2' is damaged \\(confidence: "):
        list(run.votes())


@given(kept=st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_a_torn_last_line_is_repaired_wherever_it_is_torn(kept: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("torn") / "run"
    with Run.create(path, meta(), claims()) as run:
        for id in CLAIM_IDS:
            run.append(id, vote())
    data = (path / VOTES).read_bytes()
    kept %= len(data) + 1
    (path / VOTES).write_bytes(data[:kept])
    length = len(data) // 3
    # A line without its line feed is whole.
    whole = (kept + 1) // length
    assert [row["claim_id"] for row in Run.open(path).rows()] == list(CLAIM_IDS[:whole])
    with Run.open(path, writing=True) as run:
        assert run.repaired == (kept % length not in (0, length - 1))
        for id in CLAIM_IDS[whole:]:
            run.append(id, vote())
    assert (path / VOTES).read_bytes() == data


def test_a_tail_of_zeros_is_torn_too(run: Run) -> None:
    run.append("c1", vote())
    run.close()
    before = (run.path / VOTES).read_bytes()
    (run.path / VOTES).write_bytes(before + bytes(100))
    with Run.open(run.path, writing=True) as again:
        assert again.repaired
    assert (run.path / VOTES).read_bytes() == before


def test_a_second_writer_is_refused_and_readers_are_not(run: Run) -> None:
    import os

    with pytest.raises(InputError, match=rf"another process \({os.getpid()}\) is writing here"):
        Run.open(run.path, writing=True)
    assert list(Run.open(run.path).rows()) == []
    run.close()
    with Run.open(run.path, writing=True) as again:
        again.append("c1", vote())
    with pytest.raises(ValueError, match="not open for appending"):
        run.append("c2", vote())
    with pytest.raises(ValueError, match="not open for writing"):
        Run.open(run.path).update(meta())


def test_a_folder_is_made_in_the_face_of_what_a_kill_left(tmp_path: Path) -> None:
    (tmp_path / CLAIMS).write_text('{"id": "torn')
    (tmp_path / f"{RUN}.new").write_text("{")
    (tmp_path / "run.lock").write_text("1")
    with Run.create(tmp_path, meta(), claims()):
        pass
    assert Run.open(tmp_path).claims == tuple(claims())


def test_somebodys_claims_are_not_taken_for_what_a_kill_left(tmp_path: Path) -> None:
    (tmp_path / CLAIMS).write_text("mine")
    with pytest.raises(InputError, match=r"holds 'claims\.jsonl' and no run\.json"):
        Run.create(tmp_path, meta(), claims())
    assert (tmp_path / CLAIMS).read_text() == "mine"


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(InputError, match=r"holds 'thesis\.tex' and no run\.json; name a new folder"):
        Run.create(tmp_path, meta(), claims())
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(InputError, match="is no run folder"):
        Run.open(tmp_path)
    with pytest.raises(InputError, match="cannot be made a run folder"):
        Run.create(tmp_path / "thesis.tex", meta(), claims())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON object"),
        ("[]", "is no JSON object"),
        ('{"schema_version": 99}', "schema version 99; this version of parcel-agents reads 1"),
        ('{"schema_version": 1}', "describes no run \\(dataset: "),
    ],
)
def test_a_run_json_that_cannot_be_read_is_named(run: Run, text: str, said: str) -> None:
    (run.path / RUN).write_text(text)
    with pytest.raises(InputError, match=rf"run\.json: .*{said}"):
        Run.open(run.path)


def test_a_full_disk_leaves_whole_lines(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    run.append("c1", vote())
    before = (run.path / VOTES).read_bytes()
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:10]))
    with pytest.raises(ParcelError, match="cannot be written"):
        run.append("c2", vote())
    monkeypatch.undo()
    assert (run.path / VOTES).read_bytes() == before
    run.append("c2", vote())
    assert [row["claim_id"] for row in run.rows()] == ["c1", "c2"]


def test_changed_fields_are_named_with_both_values() -> None:
    changed = meta(settings={"model": "other", "temperature": 0.5}, prompt="evidence_v1@1")
    changed = changed.model_copy(update={"settings": SettingsMeta(retriever="bm25", top_k=5)})
    assert meta().differences(changed) == [
        "settings.top_k is 5, was 10",
        "verifier.a.prompt is 'evidence_v1@1', was not given",
        "verifier.a.model is 'other', was 'm'",
        "verifier.a.temperature is 0.5, was not given",
        "verifier.b.prompt is 'evidence_v1@1', was not given",
        "verifier.b.model is 'other', was 'm'",
        "verifier.b.temperature is 0.5, was not given",
    ]


def test_another_policy_and_further_verifiers_are_no_change() -> None:
    wider = meta().model_copy(
        update={
            "panel": PanelMeta(name="q", policy="veto", tiers=(("c",),)),
            "verifiers": {"c": VerifierMeta(kind="checks", casts=("refuted",))},
            "created": "2026-02-02T00:00:00+00:00",
        }
    )
    assert meta().differences(wider) == []
    joined = meta().continued_by(wider)
    assert (joined.panel, list(joined.verifiers), joined.created) == (wider.panel, ["a", "b", "c"], meta().created)


def test_a_damaged_claims_file_is_named(run: Run) -> None:
    lines = (run.path / CLAIMS).read_text().split("\n")
    (run.path / CLAIMS).write_text("\n".join([lines[0], "{}", lines[2]]))
    with pytest.raises(InputError, match=r"claims\.jsonl:2: is no claim \(id: Field required\)"):
        _ = Run.open(run.path).claims
    (run.path / CLAIMS).unlink()
    with suppress(KeyError), pytest.raises(InputError, match=r"claims\.jsonl: cannot be read"):
        Run.open(run.path).state("c1", "a")
