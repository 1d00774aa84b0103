"""The HTTP API for claims: what it answers, to whom, and how it refuses."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from fakes.checks import MARLOWE, Server, Slow, listening, serving

from parcel_agents.api import unusable
from parcel_agents.claim_keys import claim_key
from parcel_agents.server.api_models import MAX_CLAIMS
from parcel_agents.server.app import MAX_JSON_BYTES
from parcel_agents.server.reading import Reader
from parcel_agents.server.receiving import arriving
from parcel_agents.server.sent_opinions import KEPT, SentOpinions
from parcel_agents.types import Verdict

TRUE = "(the People bear the burden of proving that each limit was observed, and a silent record counts against them)"
ABSENT = '("every vessel in a public harbor carries its owner\'s consent to a search of all closed compartments")'
OPEN = "(holding that the harbor is a fine place for lockers)"
SENT = {"text": MARLOWE, "format": "markdown"}
JSON = {"content-type": "application/json"}
TOKEN = "a-long-token-of-nobody"


def ask(server: Server, *claims: str, opinion: Any = SENT, **headers: str) -> Any:
    return server.client.post("/v1/verify", json={"opinion": opinion, "claims": list(claims)}, headers=headers)


def is_problem(answer: Any, status: int) -> bool:
    told = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert told["status"] == answer.status_code
    assert told["title"]
    assert told["detail"]
    return bool(answer.status_code == status)


def test_each_claim_has_its_verdict_and_only_support_may_be_cited(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        told = ask(server, TRUE, ABSENT, OPEN, "no").json()
    found = [(one["status"], one["may_cite"]) for one in told["claims"]]
    assert found == [("supported", True), ("not_found", False), ("undecided", False), ("could_not_check", False)]
    assert (told["all_supported"], told["schema_version"]) == (False, 1)
    assert [Verdict.model_validate(one["verdict"]).claim for one in told["claims"]] == [TRUE, ABSENT, OPEN, "no"]
    assert told["claims"][0]["verdict"]["evidence"][0]["text"] in MARLOWE
    assert "DO NOT CITE" in told["claims"][3]["advice"]
    assert told["opinion"]["name"] == "People v Marlowe"


def test_an_opinion_that_was_sent_is_known_by_its_id(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        id = ask(server, TRUE).json()["opinion"]["id"]
        told = ask(server, TRUE, opinion={"cited": id}).json()
    assert told["all_supported"] is True
    assert told["opinion"]["known"] == "by id, sent before"


def test_the_oldest_opinion_that_was_sent_is_let_go(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        first = ask(server, "no").json()["opinion"]["id"]
        for number in range(KEPT):
            ask(server, "no", opinion={"text": f"{MARLOWE}\n\nThe berth has the number {number}.\n"})
        told = ask(server, TRUE, opinion={"cited": first}).json()
    assert (told["opinion"], told["claims"][0]["status"]) == (None, "could_not_check")


def test_an_opinion_of_the_folder_is_cited(tmp_path: Path) -> None:
    (tmp_path / "opinions").mkdir()
    (tmp_path / "opinions" / "marlowe.md").write_text(MARLOWE)
    with serving(tmp_path / "jobs", opinions=tmp_path / "opinions") as server:
        told = ask(server, TRUE, opinion={"cited": "People v Marlowe, 47 NY3d 910 (2024)"}).json()
        assert (told["opinion"]["file"], told["opinion"]["known"]) == ("marlowe.md", "by cite")
        assert told["all_supported"] is True
        absent = ask(server, TRUE, opinion={"cited": "People v Quist, 44 NY3d 60 (2017)"}).json()
        assert (absent["opinion"], absent["claims"][0]["status"]) == (None, "could_not_check")
        assert "is not at hand" in absent["claims"][0]["verdict"]["error"]
        listed = server.client.get("/v1/opinions").json()
        assert [one["file"] for one in listed["opinions"]] == ["marlowe.md"]
        assert server.client.get("/v1/opinions?offset=1").json()["opinions"] == []


def test_a_repeated_check_asks_nobody(tmp_path: Path) -> None:
    slow = Slow()
    with serving(tmp_path, slow=slow) as server:
        slow.let.release()
        first = ask(server, OPEN).json()["claims"][0]
        # Nobody lets the verifier answer a second time.
        assert ask(server, OPEN).json()["claims"][0] == first
        assert slow.asked == [OPEN]
        context, verdict = server.claims.checker.context, first["verdict"]
        assert first["key"] == claim_key(context, verdict["opinion_id"], OPEN)


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"claims": [TRUE]}, "body.opinion"),
        ({"opinion": SENT}, "body.claims"),
        ({"opinion": SENT, "claims": []}, "body.claims"),
        ({"opinion": SENT, "claims": [" "]}, "body.claims.0"),
        ({"opinion": SENT, "claims": ["a"] * (MAX_CLAIMS + 1)}, "body.claims"),
        ({"opinion": SENT, "claims": ["word " * 2_000]}, "body.claims.0"),
        ({"opinion": {**SENT, "format": "pdf"}, "claims": [TRUE]}, "body.opinion.SentOpinion.format"),
        ({"opinion": SENT, "claims": [TRUE], "panel": "best"}, "body"),
        ({"opinion": {**SENT, "cite": "x"}, "claims": [TRUE]}, "body.opinion.SentOpinion"),
        ([], "body"),
    ],
)
def test_what_does_not_fit_is_told_part_by_part(tmp_path: Path, body: Any, where: str) -> None:
    with serving(tmp_path) as server:
        answer = server.client.post("/v1/verify", json=body)
    assert is_problem(answer, 422)
    assert where in [fault["where"] for fault in answer.json()["errors"]]
    assert "word word" not in answer.text


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b'{"opinion": {"text": "\\ud800", "format": "text"}, "claims": ["a \\udfff b"]}',
        b'{"opinion": {"cited": "x", "\\ud800": 1}, "claims": ["a b"]}',
        b'{"claims": NaN}',
        b"[" * 100_000,
        b"\xff\xfe\x00",
        b'{"a": 1' + b"0" * 5_000 + b"}",
    ],
)
def test_broken_json_is_a_problem(tmp_path: Path, raw: bytes) -> None:
    with serving(tmp_path) as server:
        answer = server.client.post("/v1/verify", content=raw, headers={"content-type": "application/json"})
    assert is_problem(answer, answer.status_code)
    assert answer.status_code in (400, 422)


@pytest.mark.parametrize("text", ["<html><body></body></html>", "\x00\x01", " \n"])
def test_a_text_that_holds_no_opinion_is_a_problem(tmp_path: Path, text: str) -> None:
    with serving(tmp_path) as server:
        answer = ask(server, TRUE, opinion={"text": text, "format": "html"})
    assert is_problem(answer, 422)
    assert "/" not in answer.json()["detail"].replace("html/", "")


def test_a_body_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    pieces = 0

    def endless() -> Any:
        nonlocal pieces
        for _ in range(2 * MAX_JSON_BYTES // 1_000_000):
            pieces += 1
            yield b" " * 1_000_000

    with serving(tmp_path) as server:
        said = server.client.post(
            "/v1/verify", content=b"{}", headers={**JSON, "content-length": str(MAX_JSON_BYTES + 1)}
        )
        assert is_problem(said, 413)
        answer = server.client.post("/v1/verify", content=endless(), headers=JSON)
        assert is_problem(answer, 413)


def test_what_is_no_json_is_not_read(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        answer = server.client.post("/v1/verify", content=b"{}", headers={"content-type": "text/plain"})
        assert is_problem(answer, 415)
        assert "application/json" in answer.json()["detail"]


@pytest.mark.parametrize("path", ["/v1/verify%0A", "/v1/runs%0D", "/%09v1/status"])
def test_an_address_with_a_control_character_is_none(tmp_path: Path, path: str) -> None:
    with serving(tmp_path) as server:
        assert server.client.post(path, content=b"{}", headers=JSON).status_code == 400


def test_a_million_unknown_fields_are_one_fault(tmp_path: Path) -> None:
    many = {f"a{number}": 1 for number in range(300_000)}
    with serving(tmp_path) as server:
        began = time.monotonic()
        answer = server.client.post("/v1/verify", json={"opinion": {"cited": "x", **many}, "claims": ["a b"]})
        assert time.monotonic() - began < 10
    assert is_problem(answer, 422)
    assert "a0 and 299,999 more" in answer.json()["errors"][0]["fault"]


def test_a_body_that_does_not_arrive_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parcel_agents.server.receiving.BODY_SECONDS", 0.3)
    with serving(tmp_path) as server, listening(server) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=20) as half:
            head = f"POST /v1/verify HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n"
            half.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
            answer = half.recv(10_000).decode()
    assert answer.startswith("HTTP/1.1 408")
    assert "application/problem+json" in answer
    assert arriving.bytes == 0


def test_too_much_that_arrives_at_once_is_to_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parcel_agents.server.receiving.UNDER_WAY_BYTES", 100)
    with serving(tmp_path) as server:
        assert is_problem(ask(server, TRUE), 429)
        assert arriving.bytes == 0


DISSENT = MARLOWE.replace("OPINION OF THE COURT\n\nFerris, J.", "Ferris, J. (dissenting).")


@pytest.mark.parametrize("order", [(MARLOWE, DISSENT), (DISSENT, MARLOWE)])
def test_the_same_words_in_another_voice_are_another_opinion(tmp_path: Path, order: tuple[str, str]) -> None:
    """A verdict that is remembered for the Court's words must not be given for a dissent that says the same."""
    with serving(tmp_path) as server:
        told = {
            text: ask(server, TRUE, opinion={"text": text, "format": "markdown"}).json()["claims"][0] for text in order
        }
        ids = {one["verdict"]["opinion_id"] for one in told.values()}
    assert len(ids) == 2
    assert told[MARLOWE]["may_cite"] is True
    assert told[DISSENT]["may_cite"] is False
    assert told[MARLOWE]["key"] != told[DISSENT]["key"]


def test_a_reading_process_that_died_is_replaced(tmp_path: Path) -> None:
    async def use() -> None:
        reader = Reader(30, 1_500_000_000)
        sent = SentOpinions([reader])
        first = await sent.read(MARLOWE, ".md")
        process = reader._process
        assert process is not None
        process.kill()
        await process.wait()
        second = await sent.read(f"{MARLOWE}\n\nThe tide was low.\n", ".md")
        assert second.opinion.name == first.opinion.name
        await sent.close()

    asyncio.run(use())


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/v1"), ("GET", "/v1/nothing"), ("GET", "/v1/runs/"), ("PUT", "/v1/verify")]
)
def test_what_is_not_there_is_a_problem(tmp_path: Path, method: str, path: str) -> None:
    with serving(tmp_path) as server:
        answer = server.client.request(method, path)
    assert is_problem(answer, 405 if method == "PUT" else 404)


def test_a_program_shows_the_token_with_each_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parcel_agents.server.security.WRONG_TOKEN_SECONDS", 0)
    with serving(tmp_path, token=TOKEN) as server:
        for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {TOKEN}"}):
            answer = ask(server, TRUE, **headers)
            assert is_problem(answer, 401)
            assert answer.headers["www-authenticate"] == "Bearer"
        assert ask(server, TRUE, authorization=f"Bearer {TOKEN}").json()["all_supported"] is True
        described = server.client.get("/v1/openapi.json", headers={"authorization": f"bearer {TOKEN}"}).json()
        assert described["security"] == [{"token": []}]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 400),
        ({"origin": "http://evil.example"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
    ],
)
def test_pages_of_others_get_nothing(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    with serving(tmp_path) as server:
        assert is_problem(ask(server, TRUE, **headers), status)


def test_what_breaks_down_is_a_problem_without_a_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any) -> Any:
        raise RuntimeError("the secret of Quist")

    with serving(tmp_path) as server:
        monkeypatch.setattr(server.claims.checker, "acheck_opinion", broken)
        answer = ask(server, TRUE)
    assert is_problem(answer, 500)
    assert "Quist" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_same_key_gets_the_same_answer_and_no_other(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        first = ask(server, OPEN, **{"idempotency-key": "one"})
        again = ask(server, OPEN, **{"idempotency-key": "one"})
        assert again.content == first.content
        assert is_problem(ask(server, TRUE, **{"idempotency-key": "one"}), 422)
        assert is_problem(ask(server, TRUE, **{"idempotency-key": "a b"}), 422)
        assert ask(server, TRUE, **{"idempotency-key": "two"}).status_code == 200


def test_a_key_whose_request_failed_may_be_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as server:
        with monkeypatch.context() as patched:
            patched.setattr(server.claims.checker, "acheck_opinion", None)
            assert is_problem(ask(server, OPEN, **{"idempotency-key": "one"}), 500)
        assert ask(server, OPEN, **{"idempotency-key": "one"}).status_code == 200


async def _together(server: Server, bodies: list[dict[str, Any]], **headers: str) -> list[httpx.Response]:
    transport = httpx.ASGITransport(app=server.app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8765", timeout=30) as client:
        return await asyncio.gather(*(client.post("/v1/verify", json=body, headers=headers) for body in bodies))


def test_requests_with_one_key_are_one_check(tmp_path: Path) -> None:
    slow = Slow()
    with serving(tmp_path, slow=slow) as server:
        slow.let.release()
        body = {"opinion": SENT, "claims": [OPEN]}
        answers = asyncio.run(_together(server, [body] * 5, **{"idempotency-key": "one"}))
    assert {answer.content for answer in answers} == {answers[0].content}
    assert (answers[0].status_code, slow.asked) == (200, [OPEN])


def test_too_many_at_once_are_told_to_come_back(tmp_path: Path) -> None:
    slow = Slow()
    with serving(tmp_path, slow=slow) as server:
        server.claims.running._at_once = 2
        for _ in range(2):
            slow.let.release()
        bodies = [{"opinion": SENT, "claims": [f"{OPEN} {number}"]} for number in range(6)]
        answers = asyncio.run(_together(server, bodies))
        assert sorted(answer.status_code for answer in answers) == [200, 200, 429, 429, 429, 429]
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert is_problem(refused, 429)
        assert int(refused.headers["retry-after"]) > 0
        assert server.claims.running.count == 0


def test_what_cannot_be_finished_at_the_end_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parcel_agents.server.verifying.FINISH_SECONDS", 0.2)
    slow = Slow()
    with serving(tmp_path, slow=slow) as server:

        async def use() -> tuple[httpx.Response, httpx.Response]:
            begun = asyncio.ensure_future(_together(server, [{"opinion": SENT, "claims": [OPEN]}]))
            while not slow.asked:
                await asyncio.sleep(0.01)
            server.jobs.say_stopping()
            (answer,) = await begun
            (late,) = await _together(server, [{"opinion": SENT, "claims": [TRUE]}])
            return answer, late

        for answer in asyncio.run(use()):
            assert is_problem(answer, 503)
            assert "Ask again" in answer.json()["detail"]


def test_the_status_names_the_panel(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        told = server.client.get("/v1/status").json()
    assert (told["panel"], told["verifiers"], told["policy"]) == ("quick", [["checks", "similarity"]], "majority")
    assert len(told["panel_id"]) == 16
    assert told["verifying"] == 0


def test_no_label_no_citation() -> None:
    """The answer is made of the verdict alone, so what has no label can never be cited."""
    from parcel_agents.briefs.shelf import Match
    from parcel_agents.integrations.checking import Checked
    from parcel_agents.server.api_models import ClaimResult

    verdict = unusable("1", OPEN, "the model is down")
    result = ClaimResult.of(Checked(verdict, Match("at_hand", "by id"), "k"))
    assert (result.may_cite, result.status) == (False, "could_not_check")
    assert json.loads(result.model_dump_json())["verdict"]["label"] is None


def test_what_http_adds_is_measured_over_a_socket() -> None:
    from parcel_agents.server.overhead import measure_http

    found = measure_http(rounds=1)
    assert set(found) == {"in_process_ms", "http_ms", "http_adds_ms"}
    assert found["http_ms"] > 0 < found["in_process_ms"]
