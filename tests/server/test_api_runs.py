"""The HTTP API for briefs: a run from its beginning to its end, and what becomes of a request that comes twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fakes.checks import BRIEF, FILES, Server, Slow, serving

from parcel_agents.server.record import JobRecord
from parcel_agents.traces import TraceBook
from parcel_agents.traces.model import Trace


def send(server: Server, key: str | None = None, opinions: Any = FILES, brief: str = BRIEF) -> Any:
    files = [("brief", ("brief.txt", brief)), *(("opinions", each) for each in opinions)]
    headers = {} if key is None else {"idempotency-key": key}
    return server.client.post("/v1/briefs", files=files, headers=headers)


def record_of(server: Server, answer: Any) -> JobRecord:
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"/v1/runs/{answer.json()['id']}"
    record = server.jobs.get(answer.json()["id"])
    assert record is not None
    return record


def detail(answer: Any, status: int) -> str:
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json"), answer.text
    return str(answer.json()["detail"])


def test_a_brief_is_checked_and_read(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = record_of(server, send(server))
        server.wait(record, "done")
        at = f"/v1/runs/{record.job.id}"
        run = server.client.get(at).json()
        assert (run["state"], run["ended"], run["checked"], run["to_check"]) == ("done", True, 3, 3)
        assert run["counts"] == {"supported": 2, "not_found": 1, "not_at_hand": 1}
        assert run["all_supported"] is False
        rows = server.client.get(f"{at}/claims").json()["claims"]
        assert [(row["number"], row["status"], row["may_cite"]) for row in rows] == [
            (1, "supported", True),
            (2, "not_found", False),
            (3, "supported", True),
            (4, "not_at_hand", False),
        ]
        told = server.client.get(f"{at}/claims/1").json()
        assert (told["may_cite"], told["decision"]) == (True, None)
        assert Trace.model_validate(told["trace"]).status == "supported"
        book = TraceBook.model_validate(server.client.get(f"{at}/trace").json()["book"])
        assert [trace.number for trace in book.traces] == [1, 2, 3, 4]
        events = server.client.get(f"{at}/events").text
        assert json.loads(events.rpartition("data: ")[2])["done"] == 3
        assert "There is no run" in detail(server.client.get("/v1/runs/0123456789abcdef01234567"), 404)
        assert "no claim 9" in detail(server.client.get(f"{at}/claims/9"), 404)


def test_a_reader_sees_what_a_program_began(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = record_of(server, send(server))
        server.wait(record, "done")
        server.post(f"/jobs/{record.job.id}/claims/1/decision", kind="accepted")
        decided = server.client.get(f"/v1/runs/{record.job.id}/claims/1").json()["decision"]
        assert (decided["kind"], decided["machine"]) == ("accepted", "supported")


def test_all_are_supported_only_where_all_were_checked(tmp_path: Path) -> None:
    brief = BRIEF.partition(" The\nsame opinion")[0]
    with serving(tmp_path) as server:
        record = record_of(server, send(server, brief=brief))
        server.wait(record, "done")
        assert server.client.get(f"/v1/runs/{record.job.id}").json()["all_supported"] is True
        without = record_of(server, send(server, brief="See People v Marlowe, 47 NY3d 910 (2024). Nothing is said."))
        server.wait(without, "done")
        run = server.client.get(f"/v1/runs/{without.job.id}").json()
        assert (run["state"], run["counts"], run["all_supported"]) == ("done", {}, False)


def test_the_same_key_begins_one_run_also_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        first = record_of(server, send(server, "one"))
        assert send(server, "one").json()["id"] == first.job.id
        assert "another request" in detail(send(server, "one", FILES[:1]), 422)
        assert send(server, "two").json()["id"] != first.job.id
        assert send(server).json()["id"] != send(server).json()["id"]
        server.wait(first, "done")
    with serving(tmp_path) as server:
        assert send(server, "one").json()["id"] == first.job.id
        assert "another request" in detail(send(server, "one", brief=f"{BRIEF} "), 422)
        assert server.client.delete(f"/v1/runs/{first.job.id}").status_code == 204
        assert send(server, "one").json()["id"] != first.job.id


@pytest.mark.parametrize(
    ("files", "status", "told"),
    [
        ([("brief", ("brief.txt", BRIEF))], 422, "no opinion"),
        ([("opinions", FILES[0])], 422, "no brief"),
        ([("brief", ("brief.txt", BRIEF))] * 2 + [("opinions", FILES[0])], 422, "one brief"),
        ([("brief", ("brief.exe", b"MZ\0\0")), ("opinions", FILES[0])], 422, "cannot be read"),
        ([("brief", ("brief.txt", BRIEF)), *[("opinions", FILES[0])] * 4], 413, "most"),
    ],
)
def test_files_that_make_no_check_are_refused(tmp_path: Path, files: Any, status: int, told: str) -> None:
    with serving(tmp_path, max_files=3) as server:
        assert told in detail(server.client.post("/v1/briefs", files=files), status)
        assert server.jobs.all() == []
        assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []


def test_what_is_no_form_or_too_large_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, max_upload_bytes=1_000) as server:
        assert "multipart" in detail(server.client.post("/v1/briefs", json={"brief": BRIEF}), 415)
        assert "most" in detail(send(server, brief="x" * 2_000), 413)
        broken = {"content-type": "multipart/form-data"}
        assert "cannot be read" in detail(server.client.post("/v1/briefs", content=b"--", headers=broken), 400)


def test_opinions_of_the_server_need_not_be_sent(tmp_path: Path) -> None:
    (tmp_path / "opinions").mkdir()
    for name, text in FILES:
        (tmp_path / "opinions" / name).write_text(text)
    with serving(tmp_path / "jobs", opinions=tmp_path / "opinions") as server:
        record = record_of(server, send(server, opinions=[]))
        server.wait(record, "done")
        assert dict(record.done()) == {1: "supported", 2: "not_found", 3: "supported", 4: "not_at_hand"}
        at = f"/v1/runs/{record.job.id}"
        assert "from the source server" in server.client.get(f"{at}/claims/1").json()["trace"]["authority"]["why"]
        assert "burden of proving" in server.client.get(f"{at}/trace").text
        assert "burden of proving" in server.client.get(f"/jobs/{record.job.id}/claims/1/opinion").json()["text"]
        page = server.client.get("/").text
        assert "where this server keeps opinions" in page
    # What the check rests on is kept, whatever becomes of the folder.
    (tmp_path / "opinions" / FILES[0][0]).unlink()
    with serving(tmp_path / "jobs") as server:
        assert "burden of proving" in server.client.get(f"{at}/trace").text
        assert "where this server keeps opinions" not in server.client.get("/").text


@pytest.mark.parametrize(
    ("files", "data", "told"),
    [
        ([("opinion", FILES[0])], {}, "Unknown field opinion"),
        ([], {"opinions": "the text itself"}, "no file with a name"),
        ([("opinions", ("", b"x"))], {}, "no file with a name"),
    ],
)
def test_what_would_be_ignored_is_refused(tmp_path: Path, files: Any, data: dict[str, str], told: str) -> None:
    (tmp_path / "opinions").mkdir()
    with serving(tmp_path / "jobs", opinions=tmp_path / "opinions") as server:
        sent = [("brief", ("brief.txt", BRIEF)), *files]
        assert told in detail(server.client.post("/v1/briefs", files=sent, data=data), 422)
        assert server.jobs.all() == []


def test_claims_of_a_brief_that_waits_are_not_denied(tmp_path: Path) -> None:
    slow = Slow()
    with serving(tmp_path, slow=slow) as server:
        first = record_of(server, send(server))
        server.wait(first, "checking")
        waiting = record_of(server, send(server))
        assert "was not read yet" in detail(server.client.get(f"/v1/runs/{waiting.job.id}/claims/1"), 409)


def test_two_opinions_of_the_same_words_are_checked_each_in_its_voice(tmp_path: Path) -> None:
    dissent = FILES[0][1].replace("OPINION OF THE COURT\n\nFerris, J.", "Ferris, J. (dissenting).")
    dissent = dissent.replace("People v Marlowe", "People v Lund").replace("47 NY3d 910", "45 NY3d 300")
    words = (
        "the People bear the burden of proving that each limit was observed, and a silent record counts against them"
    )
    brief = (
        f"It was held (People v Marlowe, 47 NY3d 910, 914 [2024] [{words}]). It was held again (People v Lund, 45 NY3d "
        f"300, 302 [2024] [{words}])."
    )
    opinions = [FILES[0], ("people_v_lund.md", dissent)]
    with serving(tmp_path) as server:
        record = record_of(server, send(server, brief=brief, opinions=opinions))
        server.wait(record, "done")
        found = dict(record.done())
    assert found[1] == "supported"
    assert found[2] not in ("supported", "not_at_hand", "not_matched")


def test_too_many_briefs_are_to_come_back(tmp_path: Path) -> None:
    with serving(tmp_path, slow=Slow(), max_waiting=1) as server:
        first = send(server, "one")
        answer = send(server, "two")
        assert "waiting already" in detail(answer, 429)
        assert int(answer.headers["retry-after"]) > 0
        # It is no new work.
        assert send(server, "one").json()["id"] == first.json()["id"]


def test_a_run_is_ended_continued_and_removed(tmp_path: Path) -> None:
    slow = Slow()
    with serving(tmp_path, slow=slow) as server:
        record = record_of(server, send(server))
        at = f"/v1/runs/{record.job.id}"
        server.wait(record, "checking")
        assert "was not checked yet" in detail(server.client.get(f"{at}/claims/1"), 409)
        assert server.client.get(f"{at}/claims").json()["claims"][0]["status"] is None
        assert "only one that has ended early" in detail(server.client.post(f"{at}/continue"), 409)
        run = server.client.post(f"{at}/cancel").json()
        assert (run["state"], run["ended"]) == ("cancelled", True)
        for _ in range(3):
            slow.let.release()
        assert server.client.post(f"{at}/continue").json()["state"] in ("waiting", "reading", "checking")
        server.wait(record, "done")
        assert server.client.post(f"{at}/cancel").json()["state"] == "done"
        assert server.client.get("/v1/runs").json()["total"] == 1
        assert server.client.delete(at).status_code == 204
        assert server.client.get("/v1/runs").json()["runs"] == []


def test_streams_are_limited(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = record_of(server, send(server))
        server.wait(record, "done")
        server.app.state.services.streams._most = 0
        assert "streams" in detail(server.client.get(f"/v1/runs/{record.job.id}/events"), 429)
        assert server.client.get(f"/jobs/{record.job.id}/events").status_code == 429
