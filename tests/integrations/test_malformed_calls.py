"""Tool calls made at random: each is answered, none with a traceback, and none but a right one with a verdict."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from fakes.drafting import OPINION, REFERENCE, TRUE, context
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import ToolMessage
from mcp import Client, MCPError
from mcp.types import CallToolResult

from parcel_agents.integrations import Checker, verify_claim_tool, verify_claims_tool
from parcel_agents.integrations.mcp_server import make_server

JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=8,
)
NAMES = ("claim", "claims", "opinion", "text", "file", "query", "k", "name_or_cite")
VALUES = JSON | st.sampled_from([REFERENCE, TRUE, [TRUE], "\0", "../../etc/passwd", "\ud800", "9" * 5_000, OPINION.id])
ARGUMENTS = st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=8), VALUES, max_size=5)
MANY = settings(
    max_examples=400, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None
)


@MANY
@given(st.sampled_from(["verify_claim", "verify_claims"]), ARGUMENTS)
def test_langchain_tools_answer_every_call(name: str, arguments: dict[str, Any]) -> None:
    make = {"verify_claim": verify_claim_tool, "verify_claims": verify_claims_tool}[name]
    tool = make(CHECKER)
    message = tool.invoke({"type": "tool_call", "id": "1", "name": name, "args": arguments})
    assert isinstance(message, ToolMessage)
    assert "Traceback" not in str(message.content)
    if message.artifact is None:
        assert str(message.content).startswith("Error: ")
    else:
        verdicts = message.artifact.get("verdicts", [message.artifact])
        assert all(one["label"] != "supported" or one["opinion_id"] == OPINION.id for one in verdicts)


CHECKER = Checker(OPINION, context=context())


def sendable(arguments: Any) -> bool:
    """What a client can put on the wire at all."""
    try:
        repr(arguments).encode()
    except UnicodeEncodeError:
        return False
    return "\\ud8" not in repr(arguments)


@settings(MANY, max_examples=120)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["verify_claim", "check_brief", "search_opinion", "find_citation", "nothing"]), ARGUMENTS
        ),
        min_size=3,
        max_size=6,
    )
)
def test_the_mcp_server_answers_every_call(calls: list[tuple[str, dict[str, Any]]]) -> None:
    async def use() -> list[CallToolResult | str]:
        answers: list[CallToolResult | str] = []
        async with Client(make_server(CHECKER)) as client:
            for name, arguments in calls:
                if sendable(arguments):
                    try:
                        answers.append(await client.call_tool(name, arguments))
                    except MCPError as error:
                        answers.append(str(error))
        return answers

    for answer in asyncio.run(use()):
        said = answer if isinstance(answer, str) else " ".join(str(getattr(one, "text", "")) for one in answer.content)
        assert said
        for trace in ("Traceback", "pydantic", str(Path(__file__).parents[2]), "site-packages", "input_value"):
            assert trace not in said


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"claim": TRUE}, "opinion: Field required"),
        ({"claim": 5, "opinion": REFERENCE}, "claim: Input should be a valid string"),
        ({"claim": TRUE, "opinion": REFERENCE, "colour": "blue"}, "unknown argument colour; known: claim, opinion"),
    ],
)
def test_a_wrong_call_is_told_in_plain_words(arguments: dict[str, Any], told: str) -> None:
    async def use() -> CallToolResult:
        async with Client(make_server(CHECKER)) as client:
            return await client.call_tool("verify_claim", arguments)

    result = asyncio.run(use())
    assert result.is_error
    assert getattr(result.content[0], "text", "") == told


def test_descriptions_have_no_indentation_of_the_code() -> None:
    async def use() -> list[str]:
        async with Client(make_server(CHECKER)) as client:
            return [str(tool.description) for tool in (await client.list_tools()).tools]

    assert all("\n  " not in one and one == one.strip() for one in asyncio.run(use()))
