from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.briefs import BRIEF, make_folders
from fakes.drafting import ABSENT, BROKEN, FALSE, OPINION, REFERENCE, TRUE, UNCLEAR, ByWords, context
from mcp import Client, MCPError
from mcp.types import CallToolResult

from parcel_agents.integrations import Checker
from parcel_agents.integrations.mcp_server import make_server
from parcel_agents.traces import TraceBook
from parcel_agents.types import Verdict

Session = Callable[[Client], Awaitable[Any]]


def session(use: Session, *, checker: Checker | None = None, briefs: Path | None = None, mode: str = "auto") -> Any:
    async def inside() -> Any:
        server = make_server(checker or Checker(OPINION, context=context()), briefs=briefs)
        async with Client(server, mode=mode) as client:
            return await use(client)

    return asyncio.run(inside())


def call(name: str, arguments: dict[str, Any], **settings: Any) -> CallToolResult:
    return session(lambda client: client.call_tool(name, arguments), **settings)  # type: ignore[no-any-return]


def text_of(result: CallToolResult) -> str:
    (first, *_) = result.content
    return str(getattr(first, "text", ""))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_four_tools_are_offered_with_schemas(mode: str) -> None:
    tools = session(lambda client: client.list_tools(), mode=mode).tools
    assert [tool.name for tool in tools] == ["verify_claim", "check_brief", "search_opinion", "find_citation"]
    assert all(tool.description and tool.annotations.read_only_hint for tool in tools)
    assert tools[0].input_schema["required"] == ["claim", "opinion"]
    assert set(tools[0].output_schema["required"]) >= {"status", "may_cite", "verdict", "trace"}


@pytest.mark.parametrize(
    ("claim", "word", "status"),
    [
        (TRUE, "SUPPORTED", "supported"),
        (FALSE, "REFUTED", "refuted"),
        (ABSENT, "NOT FOUND", "not_found"),
        (UNCLEAR, "UNDECIDED", "undecided"),
        (BROKEN, "COULD NOT CHECK", "could_not_check"),
    ],
)
def test_a_verdict_is_said_in_words_and_as_data(claim: str, word: str, status: str) -> None:
    result = call("verify_claim", {"claim": claim, "opinion": REFERENCE})
    assert not result.is_error
    assert text_of(result).startswith(f"{word}. ")
    told = result.structured_content
    assert told is not None
    assert (told["status"], told["may_cite"]) == (status, status == "supported")
    assert Verdict.model_validate(told["verdict"]).claim == claim


def test_the_trace_of_a_check_is_a_resource() -> None:
    async def use(client: Client) -> tuple[Any, Any, Any]:
        told = (await client.call_tool("verify_claim", {"claim": TRUE, "opinion": REFERENCE})).structured_content
        assert told is not None
        again = (await client.call_tool("verify_claim", {"claim": TRUE, "opinion": REFERENCE})).structured_content
        assert again is not None
        assert again["trace"] == told["trace"]
        return await client.read_resource(told["trace"]), await client.read_resource("traces://latest"), told["trace"]

    read, latest, uri = session(use)
    book = TraceBook.model_validate_json(read.contents[0].text)
    assert [trace.status for trace in book.traces] == ["supported"]
    assert book.asked.tiers == (("words",),)
    assert json.loads(latest.contents[0].text) == [
        {"uri": uri, "title": "A claim about Matter of Quist v Hathersage", "statuses": ["supported"]}
    ]


def test_a_trace_that_is_not_there_is_an_error() -> None:
    async def use(client: Client) -> None:
        with pytest.raises(MCPError, match="no trace 'abc'"):
            await client.read_resource("trace://abc")

    session(use)


def test_opinions_are_listed() -> None:
    read = session(lambda client: client.read_resource("opinions://list"))
    assert json.loads(read.contents[0].text)["opinions"][0]["citation"] == "99 NY3d 41"


def test_an_opinion_that_is_not_at_hand_could_not_be_checked() -> None:
    result = call("verify_claim", {"claim": TRUE, "opinion": "People v Ferris, 91 NY3d 1"})
    assert text_of(result).startswith("COULD NOT CHECK. DO NOT CITE")
    assert not result.structured_content["may_cite"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("verify_claim", {"claim": "?", "opinion": REFERENCE}, "claim is empty"),
        ("verify_claim", {"claim": TRUE, "opinion": "x" * 900}, "give at most"),
        ("verify_claim", {"claim": TRUE}, "opinion"),
        ("search_opinion", {"opinion": "nobody", "query": "permit"}, "not at hand"),
        ("search_opinion", {"opinion": REFERENCE, "query": "permit", "k": 99}, "1 to 20"),
        ("search_opinion", {"opinion": REFERENCE, "query": ""}, "query is empty"),
        ("find_citation", {"opinion": REFERENCE, "name_or_cite": " "}, "is empty"),
        ("check_brief", {}, "give either text"),
        ("check_brief", {"text": "No citation here."}, "cites no decision"),
        ("check_brief", {"file": "brief.txt"}, "no folder of briefs"),
        ("nothing", {}, "nothing"),
    ],
)
def test_what_makes_no_sense_is_a_tool_error_in_plain_words(name: str, arguments: dict[str, Any], words: str) -> None:
    result = call(name, arguments)
    assert result.is_error
    assert words in text_of(result)
    assert "Traceback" not in text_of(result)


def test_an_opinion_is_searched_and_its_citations_found() -> None:
    found = call("search_opinion", {"opinion": "99 NY3d 41", "query": "reasons in writing", "k": 2})
    assert "must state its reasons in writing" in text_of(found)
    assert len(found.structured_content["passages"]) == 2  # type: ignore[index]
    assert "Nowhere in the opinion" in text_of(
        call("find_citation", {"opinion": REFERENCE, "name_or_cite": "People v Rowan"})
    )


def test_a_brief_is_checked_from_text_and_from_a_file(tmp_path: Path) -> None:
    opinions, briefs = make_folders(tmp_path)
    told: list[tuple[float, float | None]] = []

    async def use(client: Client) -> list[CallToolResult]:
        async def heard(done: float, total: float | None, message: str | None) -> None:
            told.append((done, total))

        first = await client.call_tool("check_brief", {"text": BRIEF}, progress_callback=heard)
        return [first, await client.call_tool("check_brief", {"file": "brief.txt"})]

    for result in session(use, checker=Checker(opinions, context=context()), briefs=briefs):
        assert not result.is_error, text_of(result)
        answer = result.structured_content
        assert answer is not None
        assert [row["status"] for row in answer["claims"]] == ["supported", "not_at_hand", "not_matched"]
        assert [row["may_cite"] for row in answer["claims"]] == [True, False, False]
        assert answer["all_supported"] is False
        assert text_of(result).count("DO NOT CITE") == 2
    assert told == [(0, 1), (1, 1)]


def test_a_panel_that_fails_leaves_a_brief_unchecked(tmp_path: Path) -> None:
    opinions, briefs = make_folders(tmp_path)
    text = BRIEF.replace("the People bear the burden", "a broken word is the burden")
    result = call("check_brief", {"text": text}, checker=Checker(opinions, context=context()), briefs=briefs)
    assert result.structured_content["claims"][0]["status"] == "could_not_check"  # type: ignore[index]


@pytest.mark.parametrize("file", ["../secret.txt", "/etc/passwd", "link.txt", "sub/../../secret.txt", "nul\0.txt", ""])
def test_files_outside_the_folder_of_briefs_are_refused(file: str, tmp_path: Path) -> None:
    opinions, briefs = make_folders(tmp_path)
    (tmp_path / "secret.txt").write_text(BRIEF)
    (briefs / "link.txt").symlink_to(tmp_path / "secret.txt")
    result = call("check_brief", {"file": file}, checker=Checker(opinions, context=context()), briefs=briefs)
    assert result.is_error
    assert "is no file of the folder" in text_of(result)


def test_opinions_outside_their_folder_are_not_read(tmp_path: Path) -> None:
    opinions, _ = make_folders(tmp_path)
    outside = tmp_path / "outside.md"
    outside.write_text((opinions / "people_v_marlowe.md").read_text().replace("Marlowe", "Quist").replace("910", "77"))
    (opinions / "quist.md").symlink_to(outside)
    (opinions / "all").symlink_to(tmp_path)
    checker = Checker(opinions, context=context())
    assert [one.file for one in checker.library.shelf().files] == ["people_v_marlowe.md"]
    assert call("search_opinion", {"opinion": "quist", "query": "burden"}, checker=checker).is_error
    assert call("search_opinion", {"opinion": "../outside.md", "query": "burden"}, checker=checker).is_error


def test_an_opinion_that_is_added_later_is_found(tmp_path: Path) -> None:
    opinions, _ = make_folders(tmp_path)
    checker = Checker(opinions, context=context())
    assert checker.library.find("47 NY3d 77").status == "not_at_hand"
    text = (opinions / "people_v_marlowe.md").read_text().replace("Marlowe", "Quist").replace("910", "77")
    (opinions / "quist.md").write_text(text)
    assert checker.library.find("47 NY3d 77").status == "at_hand"
    (opinions / "quist.md").unlink()
    assert checker.library.find("47 NY3d 77").status == "not_at_hand"


def test_a_call_that_is_given_up_ends_its_work() -> None:
    verifier = ByWords()

    async def use(client: Client) -> None:
        asked = {"claim": "(a claim that is slow to check)", "opinion": REFERENCE}
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(client.call_tool("verify_claim", asked), 0.5)
        for _ in range(100):
            if verifier.cancelled:
                return
            await asyncio.sleep(0.02)

    session(use, checker=Checker(OPINION, context=context(verifier)))
    assert verifier.cancelled == 1


def test_calls_at_the_same_time_get_their_own_answers() -> None:
    async def use(client: Client) -> list[CallToolResult]:
        claims = [TRUE, FALSE, ABSENT, UNCLEAR] * 5
        return list(
            await asyncio.gather(
                *(client.call_tool("verify_claim", {"claim": claim, "opinion": REFERENCE}) for claim in claims)
            )
        )

    statuses = [result.structured_content["status"] for result in session(use)]
    assert statuses == ["supported", "refuted", "not_found", "undecided"] * 5
