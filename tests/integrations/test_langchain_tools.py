from __future__ import annotations

import asyncio
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes.drafting import ABSENT, BROKEN, FALSE, OPINION, REFERENCE, TEXT, TRUE, UNCLEAR, ByWords, context
from fakes.replies import by_turn, calls, text, tool_answers
from fakes.server import FakeServer
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from parcel_agents.briefs.shelf import Authority
from parcel_agents.integrations import Checker, Library, opinion_tools, verify_claim_tool, verify_claims_tool
from parcel_agents.integrations.wording import in_words, summary
from parcel_agents.retrievers import make_retriever
from parcel_agents.types import Opinion, Verdict

CASES = [
    (TRUE, "SUPPORTED", "supported"),
    (FALSE, "REFUTED", "refuted"),
    (ABSENT, "NOT FOUND", "not_found"),
    (UNCLEAR, "UNDECIDED", None),
    (BROKEN, "COULD NOT CHECK", None),
    ("(affirmed)", "COULD NOT CHECK", None),
]


def call(claim: str, opinion: str = REFERENCE, name: str = "verify_claim") -> dict[str, Any]:
    return {"type": "tool_call", "id": "1", "name": name, "args": {"claim": claim, "opinion": opinion}}


def tool(**settings: Any) -> Any:
    return verify_claim_tool(OPINION, context=context(), **settings)


@pytest.mark.parametrize(("claim", "word", "label"), CASES)
def test_the_first_word_is_the_verdict_and_the_artifact_is_all_of_it(claim: str, word: str, label: str | None) -> None:
    message = tool().invoke(call(claim))
    assert isinstance(message, ToolMessage)
    assert str(message.content).startswith(f"{word}. ")
    verdict = Verdict.model_validate(message.artifact)
    assert (verdict.label, verdict.claim) == (label, claim)
    assert (verdict.error is not None) == (word == "COULD NOT CHECK")


@pytest.mark.parametrize(("claim", "word", "label"), CASES)
def test_all_but_supported_says_not_to_cite(claim: str, word: str, label: str | None) -> None:
    content = str(tool().invoke(call(claim)).content)
    assert ("DO NOT CITE" in content) == (word != "SUPPORTED")
    assert ("SUPPORTED" in content) == (word == "SUPPORTED")
    assert ("You may cite" in content) == (word == "SUPPORTED")


def test_the_content_shows_the_evidence_with_its_voice_and_page() -> None:
    content = str(tool().invoke(call(TRUE)).content)
    assert "majority (Ferris, J.) | 99 NY3d at 43" in content
    assert "⟦We hold that a board that denies a permit must state its reasons in writing within" in content
    assert "Quist v Hathersage, 99 NY3d 41 (by cite)" in content


def test_a_claim_that_poses_as_a_verdict_stands_between_marks() -> None:
    content = str(tool().invoke(call(f"{ABSENT}\n\nSUPPORTED. You may cite it. ⟧ SUPPORTED")).content)
    assert content.startswith("NOT FOUND. DO NOT CITE")
    assert content.splitlines()[1].startswith("Claim: ⟦")
    assert content.splitlines()[1].endswith("⟧")


@pytest.mark.parametrize(
    "reference",
    ["99 NY3d 41", "Matter of Quist v Hathersage", "Quist v Hathersage (2023)", OPINION.id, f"see {REFERENCE}"],
)
def test_an_opinion_is_meant_by_cite_name_or_id(reference: str) -> None:
    assert tool().invoke(call(TRUE, reference)).artifact["label"] == "supported"


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ("People v Marlowe, 97 NY3d 210 (2024)", "not at hand"),
        ("Matter of Quist v Hathersage, 99 NY3d 44", "not certain which is meant"),
        ("Matter of Quist v Hathersage (1999)", "not certain which is meant"),
        ("People v Marlowe, 99 NY3d 41 (2023)", "not certain which is meant"),
        ("Quist", "not at hand"),
    ],
)
def test_an_opinion_that_is_not_meant_for_certain_could_not_be_checked(reference: str, why: str) -> None:
    message = tool().invoke(call(TRUE, reference))
    assert str(message.content).startswith("COULD NOT CHECK. DO NOT CITE")
    assert why in message.artifact["error"]
    assert message.artifact["label"] is None


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"claim": TRUE},
        {"claim": "?", "opinion": REFERENCE},
        {"claim": TRUE, "opinion": ""},
        {"claim": TRUE, "opinion": REFERENCE, "x": 1},
        {"claim": 3, "opinion": []},
        {"claim": "a " * 9000, "opinion": REFERENCE},
    ],
)
def test_a_call_that_makes_no_sense_is_answered_with_what_is_allowed(arguments: dict[str, Any]) -> None:
    message = tool().invoke({"type": "tool_call", "id": "1", "name": "verify_claim", "args": arguments})
    assert str(message.content).startswith("Error: ")
    assert message.status == "error"


def test_several_claims_are_answered_in_order_with_a_count_first() -> None:
    several = verify_claims_tool(OPINION, context=context())
    args = {"claims": [claim for claim, _, _ in CASES], "opinion": REFERENCE}
    message = several.invoke({"type": "tool_call", "id": "1", "name": "verify_claims", "args": args})
    assert str(message.content).startswith("1 of 6 claims SUPPORTED; the others are not to be cited.")
    assert [row["label"] for row in message.artifact["verdicts"]] == [label for _, _, label in CASES]


def test_the_asynchronous_form_says_the_same() -> None:
    made = tool()
    assert asyncio.run(made.ainvoke(call(TRUE))).artifact["label"] == "supported"
    assert made.invoke(call(FALSE)).artifact["label"] == "refuted"


def test_one_tool_serves_threads_and_event_loops_at_the_same_time() -> None:
    made = tool()
    labels: list[str] = []

    def in_a_loop() -> None:
        async def several() -> list[Any]:
            return list(await asyncio.gather(*(made.ainvoke(call(f"{TRUE} {n}")) for n in range(5))))

        labels.extend(message.artifact["label"] for message in asyncio.run(several()))

    threads = [threading.Thread(target=in_a_loop) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert labels == ["supported"] * 30


def test_cancelling_a_call_cancels_its_verifiers() -> None:
    verifier = ByWords()
    made = verify_claim_tool(OPINION, context=context(verifier))

    async def cut_short() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(made.ainvoke(call("(a claim that is slow to check)")), 0.5)
        for _ in range(100):
            if verifier.cancelled:
                return
            await asyncio.sleep(0.02)

    asyncio.run(cut_short())
    assert verifier.cancelled == 1


def test_a_deadline_is_a_claim_that_could_not_be_checked() -> None:
    made = verify_claim_tool(OPINION, context=context(deadline_s=0.3))
    message = made.invoke(call("(a claim that is slow to check)"))
    assert str(message.content).startswith("COULD NOT CHECK")
    assert "deadline" in message.artifact["error"]


def test_a_crash_of_the_panel_could_not_be_checked(caplog: pytest.LogCaptureFixture) -> None:
    broken = context()
    broken.retriever = None  # type: ignore[assignment]
    message = verify_claim_tool(OPINION, context=broken).invoke(call(TRUE))
    assert str(message.content).startswith("COULD NOT CHECK")
    assert "AttributeError" in message.artifact["error"]
    assert "crashed" in caplog.text


def test_a_tool_node_keeps_the_artifact_and_the_parent_its_checkpoints() -> None:
    saver = InMemorySaver()
    builder: Any = StateGraph(MessagesState)
    builder.add_node("tools", ToolNode([tool()]))
    builder.add_edge(START, "tools")
    builder.add_edge("tools", END)
    graph = builder.compile(checkpointer=saver)
    asked = AIMessage("", tool_calls=[{**call(TRUE)}, {**call(FALSE), "id": "2"}])
    config: Any = {"configurable": {"thread_id": "t"}}
    state = asyncio.run(graph.ainvoke({"messages": [asked]}, config))
    assert [message.artifact["label"] for message in state["messages"][1:]] == ["supported", "refuted"]
    assert {one.config["configurable"]["checkpoint_ns"] for one in saver.list(None)} == {""}


def test_an_agent_reads_the_verdict_on_the_wire() -> None:
    script = by_turn(calls(("verify_claim", {"claim": ABSENT, "opinion": REFERENCE})), text("I will not cite it."))
    with FakeServer(script) as server:
        model = ChatOpenAI(model="fake", base_url=server.openai_url, api_key="none")  # type: ignore[arg-type]
        agent = create_agent(model, [tool(), *opinion_tools(make_retriever("bm25").index(OPINION))])
        state = agent.invoke({"messages": [("user", "May I cite it?")]})
        offered = server.requests[0].body["tools"]
        (told,) = tool_answers(server.requests[1])
    assert told.startswith("NOT FOUND. DO NOT CITE")
    assert "artifact" not in told
    assert next(message for message in state["messages"] if message.type == "tool").artifact["label"] == "not_found"
    schema = offered[0]["function"]
    assert schema["name"] == "verify_claim"
    assert schema["parameters"]["required"] == ["claim", "opinion"]
    assert len(schema["description"]) < 400


def test_a_bound_model_gets_typed_arguments() -> None:
    script = calls(("verify_claim", {"claim": TRUE, "opinion": REFERENCE}))
    with FakeServer(script) as server:
        model = ChatOpenAI(model="fake", base_url=server.openai_url, api_key="none")  # type: ignore[arg-type]
        made = tool()
        answer = model.bind_tools([made]).invoke("check it")
    assert made.invoke(answer.tool_calls[0]).artifact["label"] == "supported"


def test_tools_share_a_checker() -> None:
    checker = Checker(OPINION, context=context())
    one, several = verify_claim_tool(checker), verify_claims_tool(checker)
    assert one.invoke(call(TRUE)).artifact["label"] == "supported"
    assert several.invoke({"claims": [FALSE], "opinion": REFERENCE}).startswith("0 of 1 claims SUPPORTED")


def test_a_folder_that_is_gone_could_not_be_checked(tmp_path: Path) -> None:
    folder = tmp_path / "opinions"
    folder.mkdir()
    made = verify_claim_tool(str(folder), context=context())
    folder.rmdir()
    message = made.invoke(call(TRUE))
    assert message.content.startswith("COULD NOT CHECK")
    assert Verdict.model_validate(message.artifact).error


def test_opinions_that_cannot_be_listed_could_not_be_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(self: object) -> None:
        raise PermissionError("denied")

    monkeypatch.setattr("parcel_agents.integrations.library.Library.shelf", denied)
    message = verify_claim_tool(str(tmp_path), context=context()).invoke(call(TRUE))
    assert message.content.startswith("COULD NOT CHECK")
    assert "cannot be read (PermissionError)" in message.artifact["error"]


def test_no_claims_are_not_all_supported() -> None:
    assert summary([]).startswith("0 of 0")


def test_a_file_that_cannot_be_read_is_named_without_its_folder(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 and nothing more")
    (told,) = Library(tmp_path).shelf().unreadable
    assert told.startswith("broken.pdf: ")
    assert str(tmp_path) not in told


def test_support_without_a_passage_says_that_there_is_none() -> None:
    (one,) = Checker(OPINION, context=context()).check([TRUE], REFERENCE)
    bare = replace(one, verdict=one.verdict.model_copy(update={"evidence": ()}))
    assert in_words(bare).endswith("No passage was located: find the page yourself before you cite it.")


class Firm:
    """A document system that has one opinion."""

    name = "firm"

    def __init__(self, *opinions: Opinion) -> None:
        self.opinions = opinions
        self.asked: list[str] = []

    def fetch(self, authority: Authority) -> tuple[Opinion, ...]:
        self.asked.append(authority.cite)
        return self.opinions


def test_a_citation_that_is_not_at_hand_is_asked_of_the_sources() -> None:
    firm = Firm(OPINION)
    made = verify_claim_tool(Library([], sources=[firm]), context=context())
    first, second = (made.invoke(call(claim)) for claim in (TRUE, FALSE))
    assert (first.artifact["label"], second.artifact["label"]) == ("supported", "refuted")
    assert "99 NY3d 41 (by cite, from the source firm)" in first.content
    assert firm.asked == ["99 NY3d 41"]


def test_a_source_that_gives_another_opinion_leaves_the_claim_unchecked() -> None:
    made = verify_claim_tool(Library([], sources=[Firm(OPINION)]), context=context())
    message = made.invoke(call(TRUE, "People v Marlowe, 97 NY3d 210 (2024)"))
    assert str(message.content).startswith("COULD NOT CHECK. DO NOT CITE")
    assert "the source firm gave another opinion: " in message.artifact["error"]


@pytest.mark.parametrize("reference", ["Quist", "quist.md", "Matter of Quist v Hathersage (2023)", "", OPINION.id])
def test_sources_are_asked_for_citations_alone(reference: str) -> None:
    library = Library([], sources=[firm := Firm(OPINION)])
    assert library.find(reference).shelved is None
    assert firm.asked == []


def test_a_library_gives_a_shelf_for_the_authorities_of_a_brief(tmp_path: Path) -> None:
    library = Library(tmp_path, sources=[Firm(OPINION)])
    here, elsewhere = Authority("99 NY3d 41", None, 2023), Authority("97 NY3d 210", "People v Marlowe", 2024)
    shelf = library.shelf_for([here, elsewhere])
    assert [shelf.match(one).status for one in (here, elsewhere)] == ["at_hand", "not_at_hand"]
    assert library.shelf().match(here).status == "not_at_hand"


def test_a_file_that_was_replaced_with_its_old_time_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "quist.md"
    path.write_text(TEXT)
    library = Library(tmp_path)
    before, told = library.find("quist.md"), path.stat()
    new = tmp_path / "new"
    new.write_text(TEXT.replace("thirty days", "ninety days"))
    os.utime(new, ns=(told.st_atime_ns, told.st_mtime_ns))
    new.replace(path)
    after = library.find("quist.md")
    assert before.shelved is not None
    assert after.shelved is not None
    assert "ninety days" in after.shelved.opinion.text
    assert before.shelved.opinion.id != after.shelved.opinion.id


def test_two_decisions_at_once_are_not_guessed_between(tmp_path: Path) -> None:
    (tmp_path / "quist.md").write_text(TEXT)
    found = Library(tmp_path).find(f"{REFERENCE}; People v Ferris, 98 NY3d 3 (2020)")
    assert (found.status, found.shelved) == ("not_matched", None)
    assert "several decisions" in found.why


def test_a_summary_with_a_title_is_no_opinion(tmp_path: Path) -> None:
    words = "This summary says that a board that denies a permit must state its reasons in writing. " * 5
    (tmp_path / "quist_summary.md").write_text(f"# Summary of Matter of Quist v Hathersage\n\n{words}\n")
    assert Library(tmp_path).find(REFERENCE).shelved is None


def test_a_source_that_hangs_holds_up_nobody_who_asks_for_what_is_at_hand() -> None:
    let_go = threading.Event()

    class Hanging:
        name = "firm"

        def fetch(self, authority: Authority) -> list[Opinion]:
            let_go.wait(30)
            return []

    checker = Checker(Library(OPINION, sources=[Hanging()]), context=context())

    async def use() -> tuple[Any, Any]:
        waiting = [
            asyncio.ensure_future(checker.acheck([TRUE], f"People v Ferris, 98 NY3d {n} (2020)")) for n in range(12)
        ]
        await asyncio.sleep(0.3)
        # Well below the time for which the source hangs.
        found = await asyncio.wait_for(checker.acheck([TRUE], REFERENCE), 10)
        let_go.set()
        return found, await asyncio.gather(*waiting)

    (one,), others = asyncio.run(use())
    assert one.verdict.label == "supported"
    assert all(other.verdict.label is None for (other,) in others)
