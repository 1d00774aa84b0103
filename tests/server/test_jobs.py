"""A brief from its upload to its verdicts, and what becomes of it when somebody stops it or the app ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes.checks import BRIEF, FILES, Server, Slow, serving

from parcel_agents.errors import InputError
from parcel_agents.server.jobs import Jobs
from parcel_agents.server.lines_file import LinesFile
from parcel_agents.server.model import JobClaims


def test_a_brief_is_checked(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = server.checked()
        assert record.job.state == "done", record.job.why
        assert dict(record.done()) == {1: "supported", 2: "not_found", 3: "supported", 4: "not_at_hand"}
        page = server.client.get(f"/jobs/{record.job.id}").text
        assert "Finished: 3 of 3 citations checked; 1 not checked, because the opinion is not at hand" in page
        assert "1 citation was not checked." in page
        trace = server.client.get(f"/jobs/{record.job.id}/claims/1").text
        assert "The People bear the burden of proving" in trace
        assert "people_v_marlowe.md (known by cite)" in trace
        opinion = server.client.get(f"/jobs/{record.job.id}/claims/1/opinion").json()
        assert "a silent record counts against them" in opinion["text"]
        assert "brief.txt" in server.client.get("/").text


def test_a_claim_without_its_opinion_has_a_page_that_says_so(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = server.checked()
        page = server.client.get(f"/jobs/{record.job.id}/claims/4").text
        assert "This claim was NOT checked: its opinion is not at hand." in page
        assert "Accept the machine" not in page
        assert server.client.get(f"/jobs/{record.job.id}/claims/4/opinion").status_code == 404


def test_claims_are_filtered_without_a_script(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = server.checked()
        page = server.client.get(f"/jobs/{record.job.id}?show=not_found").text
        assert [f'id="c{n}" data-status' in page for n in (1, 2, 3, 4)] == [True] * 4
        assert page.count('data-status="supported" hidden') == 2
        trace = server.client.get(f"/jobs/{record.job.id}/claims/1?show=supported").text
        assert f'id="after" href="/jobs/{record.job.id}/claims/3?show=supported"' in trace


def test_what_waits_is_not_called_checked(tmp_path: Path) -> None:
    slow = Slow()
    with serving(tmp_path, slow=slow) as server:
        record = server.begin()
        server.wait(record, "checking")
        server.wait(record, claims=1)
        page = server.client.get(f"/jobs/{record.job.id}").text
        assert "0 of 3 citations checked" in page
        assert page.count("Not checked yet</span></span>") == 3
        early = server.client.get(f"/jobs/{record.job.id}/claims/1")
        assert (early.status_code, "was not checked yet" in early.text) == (409, True)
        slow.let.release(3)
        server.wait(record, "done")


def test_a_restart_goes_on_where_it_was(tmp_path: Path) -> None:
    slow = Slow()
    with serving(tmp_path, slow=slow) as server:
        record = server.begin()
        slow.let.release()
        server.wait(record, claims=2)
    # The app has ended; nothing says that the job is done or was stopped by anybody.
    kept = json.loads((record.folder / "job.json").read_text())
    assert kept["state"] == "checking"
    first = slow.asked[0]
    # A kill in the middle of a line costs that line.
    with (record.folder / "verdicts.jsonl").open("a") as file:
        file.write('{"number": 3, "sta')
    again = Slow()
    again.let.release(10)
    with serving(tmp_path, slow=again) as server:
        found = server.jobs.get(record.job.id)
        assert found is not None
        server.wait(found, "done")
        assert sorted(number for number, _ in found.done()) == [1, 2, 3, 4]
        assert len(again.asked) == 2
        assert first not in again.asked
        assert found.trace(3) is not None


def test_a_job_is_cancelled_and_goes_on(tmp_path: Path) -> None:
    slow = Slow()
    with serving(tmp_path, slow=slow) as server:
        record = server.begin()
        slow.let.release()
        server.wait(record, claims=2)
        assert server.post(f"/jobs/{record.job.id}/cancel").status_code == 303
        assert record.job.state == "cancelled"
        page = server.client.get(f"/jobs/{record.job.id}").text
        assert "Stopped by you: 1 of 3 citations checked" in page
        slow.let.release(5)
        server.post(f"/jobs/{record.job.id}/continue")
        server.wait(record, "done")
        assert len(record.done()) == 4


def test_a_job_is_cancelled_before_it_has_begun(tmp_path: Path) -> None:
    with serving(tmp_path, slow=Slow()) as server:
        record, waiting = server.begin(), server.begin()
        for one in (waiting, record):
            server.post(f"/jobs/{one.job.id}/cancel")
            assert one.job.state == "cancelled"
        server.jobs.go_on(record)
        server.post(f"/jobs/{record.job.id}/cancel")
        assert record.job.state == "cancelled"
        assert server.jobs._running == {}


def test_a_cancelled_job_stays_so_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path, slow=Slow()) as server:
        record = server.begin()
        server.wait(record, "checking")
        server.post(f"/jobs/{record.job.id}/cancel")
    with serving(tmp_path, slow=Slow()) as server:
        found = server.jobs.get(record.job.id)
        assert found is not None
        assert found.job.state == "cancelled"
        assert server.jobs.unfinished == 0


def test_a_job_is_deleted_with_all_its_files(tmp_path: Path) -> None:
    with serving(tmp_path, slow=Slow()) as server:
        record = server.begin()
        server.wait(record, "checking")
        assert server.post(f"/jobs/{record.job.id}/delete").headers["location"] == "/"
        assert not record.folder.exists()
        assert server.client.get(f"/jobs/{record.job.id}").status_code == 404


def test_no_more_jobs_are_at_work_than_may_be(tmp_path: Path) -> None:
    slow = Slow()
    with serving(tmp_path, slow=slow, max_waiting=2) as server:
        first, second = server.begin(), server.begin()
        server.wait(first, "checking")
        assert second.job.state == "waiting"
        third = server.drop()
        assert (third.status_code, "2 checks are waiting already" in third.text) == (503, True)
        server.post(f"/jobs/{first.job.id}/cancel")
        server.wait(second, "checking")


def test_a_brief_without_citations_fails_in_plain_words(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = server.checked(brief="The appellant asks this Court to reverse the order below. " * 20)
        assert record.job.state == "failed"
        page = server.client.get(f"/jobs/{record.job.id}").text
        assert "The brief could not be read: brief.txt cites no decision, so there is nothing to check." in page
        assert str(tmp_path) not in page


def test_a_brief_with_too_many_claims_is_not_begun(tmp_path: Path) -> None:
    with serving(tmp_path, max_claims=3) as server:
        assert "the most that are checked at once is 3" in server.checked().job.why


def test_an_opinion_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = server.checked(
            opinions=[("marlowe.pdf", b"%PDF-1.4 and nothing more"), ("hathersage.md", "Two words")]
        )
        assert record.job.state == "done"
        assert [fault.partition(":")[0] for fault in record.job.left_out] == ["marlowe.pdf", "hathersage.md"]
        page = server.client.get(f"/jobs/{record.job.id}").text
        assert "2 files could not be read" in page
        assert str(tmp_path) not in page
        assert "opinion-0001" not in page


def test_two_apps_do_not_share_a_folder(tmp_path: Path) -> None:
    with serving(tmp_path) as server, pytest.raises(InputError, match="another process"):
        Jobs(tmp_path, server.jobs._checker, 1)


def test_half_of_an_upload_is_removed_and_what_is_no_job_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ("0" * 24)).mkdir()
    (tmp_path / "notes").mkdir()
    (tmp_path / ("1" * 24) / "uploads").mkdir(parents=True)
    with serving(tmp_path) as server:
        assert server.jobs.all() == []
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["0" * 24, "notes"]


def test_the_same_opinion_twice_is_not_matched_and_says_so(tmp_path: Path) -> None:
    from fakes.checks import MARLOWE

    with serving(tmp_path) as server:
        record = server.checked(opinions=[("a.md", MARLOWE), ("b.md", MARLOWE)])
        assert dict(record.done())[1] == "not_matched"


def test_a_broken_check_is_told_and_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as server:
        broken = server.begin(brief=BRIEF)
        server.wait(broken, "done")
        monkeypatch.setattr("parcel_agents.server.checking.match_claims", lambda *_: 1 / 0)
        record = server.checked()
        assert (record.job.state, "broke down" in record.job.why) == ("failed", True)
        monkeypatch.undo()
        server.post(f"/jobs/{record.job.id}/continue")
        server.wait(record, "done")


def test_a_server_is_made(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.jobs.stop()
    server.jobs.stop()


def test_a_job_that_goes_on_with_another_panel_says_so(tmp_path: Path) -> None:
    slow = Slow()
    with serving(tmp_path, slow=slow) as server:
        record = server.begin()
        slow.let.release()
        server.wait(record, claims=2)
    with serving(tmp_path) as server:
        found = server.jobs.get(record.job.id)
        assert found is not None
        server.wait(found, "done")
        assert "checked first were checked with the panel “quick”" in found.job.notes[0]
        assert found.job.notes[0] in server.client.get(f"/jobs/{found.job.id}").text


def test_verdicts_of_a_brief_that_is_read_otherwise_are_not_carried_on(tmp_path: Path) -> None:
    slow = Slow()
    with serving(tmp_path, slow=slow) as server:
        record = server.begin()
        slow.let.release()
        server.wait(record, claims=2)
        server.post(f"/jobs/{record.job.id}/cancel")
        # As a version that found its claims otherwise would have left them.
        first, *others = record.claims.claims
        record.set_claims(JobClaims(claims=(*others, first), opinions=record.claims.opinions))
        server.post(f"/jobs/{record.job.id}/continue")
        server.wait(record, "failed", "done")
        assert record.job.state == "failed"
        assert "start a new check" in record.job.why
        assert len(record.done()) == 2


def test_a_deleted_job_does_not_go_on(tmp_path: Path) -> None:
    with serving(tmp_path, slow=Slow()) as server:
        record = server.begin()
        server.wait(record, "checking")
        server.post(f"/jobs/{record.job.id}/delete")
        server.jobs.go_on(record)
        assert (record.job.state, server.jobs._running) == ("cancelled", {})


def test_a_line_after_one_that_was_cut_off_is_whole(tmp_path: Path) -> None:
    lines = LinesFile(tmp_path / "lines")
    lines.append("one")
    with (tmp_path / "lines").open("a") as file:
        file.write("tw")  # the disk was full
    lines.append("three")
    assert lines.lines() == LinesFile(tmp_path / "lines").lines() == [b"one\n", b"three\n"]


def test_a_job_file_that_is_no_text_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ("2" * 24)).mkdir()
    (tmp_path / ("2" * 24) / "job.json").write_bytes(b"\xff\xfe\xff")
    with serving(tmp_path) as server:
        assert server.jobs.all() == []


def test_an_opinion_that_can_be_read_later_is_not_counted_as_checked(tmp_path: Path) -> None:
    slow = Slow()
    with serving(tmp_path, slow=slow) as server:
        record = server.begin(opinions=[("hathersage.md", "Two words"), FILES[0]])
        slow.let.release()
        server.wait(record, claims=3)
        server.post(f"/jobs/{record.job.id}/cancel")
        (record.folder / "uploads" / record.job.opinions[0].stored).write_text(FILES[1][1])
        slow.let.release(9)
        server.post(f"/jobs/{record.job.id}/continue")
        server.wait(record, "done", "failed")
        assert dict(record.done())[3] == "not_at_hand"
        assert (
            "2 of 2 citations checked, 2 of them left undecided; 2 not"
            in server.client.get(f"/jobs/{record.job.id}").text
        )
