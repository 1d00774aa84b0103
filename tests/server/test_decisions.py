"""A reader's decision stands beside the machine's verdict, with its note, time and who is unknown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fakes.checks import serving

from parcel_agents.errors import InputError
from parcel_agents.server.decisions import decide, decision_words, standing_decisions

AT = "2026-06-01T10:00:00+00:00"


def test_a_verdict_is_accepted() -> None:
    made = decide(1, "supported", kind="accepted", note=" read it ", at=AT)
    assert (made.kind, made.label, made.note, made.at, made.who) == ("accepted", None, "read it", AT, "unknown")
    assert decision_words(made) == "Accepted"


def test_a_verdict_is_overridden() -> None:
    made = decide(1, "supported", kind="overridden", label="refuted", note="that was the dissent", at=AT)
    assert (made.label, made.machine, decision_words(made)) == ("refuted", "supported", "Overridden: refuted")
    own = decide(1, "could_not_check", kind="overridden", label="supported", note="read it at the library", at=AT)
    assert decision_words(own) == "Own verdict: supported"


@pytest.mark.parametrize(
    ("status", "kind", "label", "note", "words"),
    [
        ("could_not_check", "accepted", "", "", "no verdict to accept"),
        ("not_at_hand", "accepted", "", "", "no verdict to accept"),
        ("undecided", "accepted", "", "", "no verdict to accept"),
        ("supported", "overridden", "supported", "x", "accept it instead"),
        ("supported", "overridden", "refuted", "  ", "needs its reason"),
        ("supported", "overridden", "", "x", "Choose your own verdict"),
        ("supported", "overridden", "could_not_check", "x", "Choose your own verdict"),
        ("supported", "withdrawn", "", "", "no decision to withdraw"),
        ("supported", "approved", "", "", "Choose whether"),
        ("supported", "accepted", "", "x" * 4_001, "4,001 characters"),
    ],
)
def test_what_makes_no_sense_is_told(status: str, kind: str, label: str, note: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        decide(1, status, kind=kind, label=label, note=note, at=AT)  # type: ignore[arg-type]


def test_the_last_decision_counts() -> None:
    first = decide(1, "supported", kind="accepted", at=AT)
    second = decide(1, "supported", kind="overridden", label="refuted", note="no", at=AT)
    back = decide(1, "supported", kind="withdrawn", at=AT, standing=True)
    assert standing_decisions([first, second]) == {1: second}
    assert standing_decisions([first, second, back]) == {}


def test_an_override_is_shown_beside_the_machines_verdict(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = server.checked()
        url = f"/jobs/{record.job.id}/claims/1"
        answer = server.post(
            f"{url}/decision?show=supported", kind="overridden", label="refuted", note="a <b>dissent</b>"
        )
        assert answer.headers["location"] == f"{url}?show=supported#decision"
        for page in (server.client.get(url).text, server.client.get(f"/jobs/{record.job.id}").text):
            # The machine's tag is as it was, and the reader's words are in no such tag.
            assert re.search(r'class="tag supported">.*Supported</span>', page)
            assert 'class="decided overridden"><span aria-hidden="true">✎ </span>Reader: Overridden: refuted' in page
            assert 'class="tag refuted"' not in page
        page = server.client.get(url).text
        assert "a &lt;b&gt;dissent&lt;/b&gt;" in page
        assert "by unknown; the machine’s verdict: Supported" in page
        assert dict(record.done())[1] == "supported"
        server.post(f"{url}/decision", kind="withdrawn")
        page = server.client.get(url).text
        assert "No reader has decided on this" in page
        assert "All 2 decisions" in page


def test_a_decision_without_a_reason_keeps_what_was_typed(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = server.checked()
        answer = server.post(f"/jobs/{record.job.id}/claims/1/decision", kind="overridden", note="my words")
        assert answer.status_code == 400
        assert "Choose your own verdict" in answer.text
        assert ">my words</textarea>" in answer.text
        assert record.decisions() == []


def test_decisions_outlive_the_app(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        record = server.checked()
        server.post(f"/jobs/{record.job.id}/claims/1/decision", kind="accepted", note="read")
    with serving(tmp_path) as server:
        found = server.jobs.get(record.job.id)
        assert found is not None
        assert found.standing()[1].note == "read"
        assert "Reader: Accepted" in server.client.get(f"/jobs/{record.job.id}").text
