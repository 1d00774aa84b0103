"""The conversation of the verifier `agent` as a graph: the model calls tools until it gives its verdict.

    START -> ask -> use_tools -> ask -> ... -> conclude -> END
                 -> remind    -> ask           conclude -> ask   (a verdict that cannot be used)

`ask` ends the conversation where a call fails or the budget is used up. The graph holds one conversation, is not
checkpointed, and every call to the model goes through `Caller`, so that limits, costs and retries are those of `llm`.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Annotated, Any, TypedDict, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.graph import END, START, StateGraph
from langgraph.prebuilt import ToolNode

from parcel_agents.providers import UnusableError
from parcel_agents.providers.answers import AnswerForm, UnreadableError, answer_text, read_fields
from parcel_agents.providers.calling import Called, Caller
from parcel_agents.providers.chat import ChatModel
from parcel_agents.providers.cost import add_usage, estimate_tokens
from parcel_agents.providers.outcomes import Failure
from parcel_agents.tools import opinion_tools
from parcel_agents.types import ToolCallRecord, Usage
from parcel_agents.verifiers.agent_prompt import AgentPrompt
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.llm_answer import Answer, make_form, read_answer
from parcel_agents.verifiers.prompts.untrusted import clean_line

VERDICT = "give_verdict"
_LISTS_ONLY = "list_parts"
"""The tool that tells what there is to read, and reads nothing."""
_MAX_ARGUMENTS = 300
# How the tools show a passage: its heading on a line of its own, then its text between marks that the text cannot hold.
_SHOWN = re.compile(r"(?m)^(?:\d+\. )?(\S+) \| .*\n⟦")
_ABOUT_TOOLS = re.compile(r"\btools?\b|\btool_|function.?call", re.IGNORECASE)


@dataclass(frozen=True)
class Spent:
    """What a conversation has used so far."""

    steps: int = 0
    """Calls to the model; repetitions after a 429 and the like are part of a call."""
    tokens: int = 0
    """Against the budget: what the server counts, or our estimate where it does not count."""
    usage: Usage = field(default_factory=Usage)
    cost_usd: float = 0.0
    requests: int = 0

    def plus(self, called: Called, size: int) -> Spent:
        """With one more call, whose prompt had so many bytes."""
        counted = called.usage.input_tokens + called.usage.output_tokens
        return Spent(
            steps=self.steps + 1,
            tokens=self.tokens + (counted or estimate_tokens(size)),
            usage=add_usage(self.usage, called.usage),
            cost_usd=self.cost_usd + called.cost_usd,
            requests=self.requests + called.attempts,
        )


class AgentState(TypedDict):
    """Everything that passes between the nodes."""

    # Not `add_messages`: it takes two messages for one if a server gives them the same id.
    messages: Annotated[list[BaseMessage], operator.add]
    calls: Annotated[list[ToolCallRecord], operator.add]
    shown: Annotated[list[str], operator.add]
    """Ids of passages, in the order in which they were shown; some more than once."""
    spent: Spent
    texts: int
    """Answers without a tool call, one behind the other."""
    unusable: int
    """Answers and verdicts that could not be used; the first is forgiven."""
    answer: Answer | None
    failure: Failure | None


def begin(messages: list[BaseMessage]) -> AgentState:
    """The state in which a conversation begins."""
    return AgentState(
        messages=messages, calls=[], shown=[], spent=Spent(), texts=0, unusable=0, answer=None, failure=None
    )


@dataclass(frozen=True)
class AgentContext:
    """What the nodes work with: one claim's opinion and the way to the model."""

    task: Task
    prompt: AgentPrompt
    caller: Caller
    chat: ChatModel
    max_steps: int
    max_tokens: int

    @cached_property
    def tool_node(self) -> ToolNode:
        """The tools over the opinion."""
        return ToolNode(opinion_tools(self.task.index))

    @cached_property
    def offered(self) -> list[dict[str, Any]]:
        """The tools as they are described to the model; `give_verdict` is not run, but read."""
        form = verdict_form(self.prompt)
        verdict = {"name": form.name, "description": form.about, "parameters": dict(form.schema)}
        described = [convert_to_openai_tool(tool) for tool in self.tool_node.tools_by_name.values()]
        return [*described, {"type": "function", "function": verdict}]

    def size(self, messages: list[BaseMessage]) -> int:
        """The size of a prompt with these messages, in bytes of UTF-8."""
        calls = [call for message in messages if isinstance(message, AIMessage) for call in message.tool_calls]
        texts = (str(message.text) for message in messages)
        return len("".join((*texts, json.dumps([calls, self.offered], ensure_ascii=False))).encode())

    def sender(self, messages: list[BaseMessage]) -> Callable[[], Awaitable[AIMessage]]:
        """What sends one request."""
        # A chain takes more arguments of the request when it is called; `line` is the rung that sets none of its own.
        send = cast(Callable[..., Awaitable[AIMessage]], self.chat.sender(messages, "line"))
        return partial(send, tools=self.offered)


def verdict_form(prompt: AgentPrompt) -> AnswerForm:
    """The tool `give_verdict`: the fields of `llm`'s answer, in the words of JSON schema that Gemini's tools know."""
    schema = make_form("evidence", {}).schema
    kept = {key: value for key, value in schema.items() if key not in ("additionalProperties", "title")}
    return AnswerForm(VERDICT, prompt.verdict, kept, {})


async def ask(state: AgentState, *, context: AgentContext) -> dict[str, Any]:
    """The model's next message, or why the conversation ends without one."""
    messages, spent = state["messages"], state["spent"]
    size = context.size(messages)
    if spent.steps >= context.max_steps:
        return {"failure": Failure("truncated", f"no verdict within max_steps = {context.max_steps} calls")}
    if spent.tokens + estimate_tokens(size) > context.max_tokens:
        why = f"no verdict within max_tokens_total = {context.max_tokens}: {spent.tokens} are used after {spent.steps}"
        return {"failure": Failure("truncated", f"{why} calls, and the next call needs {estimate_tokens(size)} more")}
    called = await context.caller.call(context.sender(messages), prompt_bytes=size)
    spent = spent.plus(called, size)
    if called.message is not None:
        return {"spent": spent, "messages": [_in_order(called.message, spent.steps)]}
    failure = called.failure or Failure("error", "no message and no reason")
    if failure.outcome == "unparseable" and not state["unusable"]:
        return {"spent": spent, "unusable": 1}
    if failure.outcome == "error" and not state["calls"] and _ABOUT_TOOLS.search(failure.detail):
        model = context.caller.spec.model
        failure = replace(failure, detail=f"{model} or its server does not take tool calls: {failure.detail}")
    return {"spent": spent, "failure": failure}


async def use_tools(state: AgentState, config: RunnableConfig, *, context: AgentContext) -> dict[str, Any]:
    """The tools' answers; a call that makes no sense is answered with what is allowed."""
    asked = cast(AIMessage, state["messages"][-1])
    done = await context.tool_node.ainvoke({"messages": [asked]}, config)
    answers = {message.tool_call_id: message for message in cast(list[ToolMessage], done["messages"])}
    calls, shown = [], []
    for call in asked.tool_calls:
        answer = answers[str(call["id"])]
        text = str(answer.text)
        # A refusal of a tool of ours has no artifact; ToolNode marks a tool that does not exist.
        failed = answer.status == "error" or answer.artifact is None
        calls.append(_record(call["name"], call["args"], len(text), failed=failed))
        shown += [] if failed else _shown(answer, context)
    replies = _with_hint(state, list(answers.values()), context)
    return {"messages": replies, "calls": calls, "shown": shown, "texts": 0}


async def remind(state: AgentState, *, context: AgentContext) -> dict[str, Any]:
    """A reminder to a model that answered with text; the end if it does so twice running."""
    if not state["texts"]:
        return {"messages": [HumanMessage(context.prompt.reminder)], "texts": 1}
    said = clean_line(answer_text(cast(AIMessage, state["messages"][-1])))[:80]
    what = f"answered with text instead of a tool call, twice running (“{said}”)"
    model = context.caller.spec.model
    if state["calls"] or state["unusable"]:
        return {"failure": Failure("unparseable", f"no verdict: {model} {what}")}
    return {"failure": Failure("error", f"{model} or its server does not make tool calls: it {what}")}


async def conclude(state: AgentState, *, context: AgentContext) -> dict[str, Any]:
    """The verdict, if it can be used; else the model is told once why not."""
    message = cast(AIMessage, state["messages"][-1])
    args = next(call["args"] for call in message.tool_calls if call["name"] == VERDICT)
    try:
        fields = read_fields(message, "function_calling", verdict_form(context.prompt))
        answer = read_answer(fields, shown=state["shown"], locates=True)
        if not any(call.name != _LISTS_ONLY and not call.failed for call in state["calls"]):
            # Whoever has read nothing has found nothing, which is not the label `not_found`.
            raise UnusableError(f"says {answer.label} and has read nothing")
    except (UnreadableError, UnusableError) as error:
        why = clean_line(str(error))
        if state["unusable"]:
            return {"failure": Failure("unparseable", f"the verdict cannot be used: {why}")}
        replies = [_refusal(call["id"], call["name"], why) for call in message.tool_calls]
        record = _record(VERDICT, args, len(why), failed=True)
        return {"messages": _with_hint(state, replies, context), "calls": [record], "unusable": 1, "texts": 0}
    return {"answer": answer, "calls": [_record(VERDICT, args, 0, failed=False)]}


def after_ask(state: AgentState) -> str:
    """Where the model's message leads."""
    last = state["messages"][-1]
    if state["failure"] is not None:
        return END
    if not isinstance(last, AIMessage):
        return "ask"
    if any(call["name"] == VERDICT for call in last.tool_calls):
        return "conclude"
    return "use_tools" if last.tool_calls else "remind"


def until_done(state: AgentState) -> str:
    """Back to the model unless the conversation is over."""
    return "ask" if state["answer"] is None and state["failure"] is None else END


def build(context: AgentContext) -> Any:
    """The compiled graph of one conversation."""
    builder = StateGraph(AgentState)
    for node in (ask, use_tools, remind, conclude):
        builder.add_node(node.__name__, cast(Any, partial(node, context=context)))
    builder.add_edge(START, "ask")
    builder.add_conditional_edges("ask", after_ask, ["ask", "use_tools", "remind", "conclude", END])
    builder.add_edge("use_tools", "ask")
    builder.add_conditional_edges("remind", until_done, ["ask", END])
    builder.add_conditional_edges("conclude", until_done, ["ask", END])
    # Inside the verify graph it would inherit the checkpointer, and write the opinion's text into the database.
    return builder.compile(checkpointer=False, name="agent")


def _in_order(message: AIMessage, step: int) -> AIMessage:
    """The message as it can be sent back: each call has arguments and an id of its own, and it is not empty.

    Servers that turn a conversation into a template fail over arguments that are not JSON; these become an argument
    that no tool knows, and so are refused with what is allowed.
    """
    broken = [(call["name"], {"not_json": str(call["args"])[:200]}, call["id"]) for call in message.invalid_tool_calls]
    given = [(call["name"], call["args"], call["id"]) for call in message.tool_calls] + broken
    seen: set[str] = set()
    calls = []
    for number, (name, args, id) in enumerate(given):
        own = id if id and id not in seen else f"call_{step}_{number}"
        seen.add(own)
        calls.append({"name": name or "unnamed", "args": args, "id": own, "type": "tool_call"})
    update: dict[str, Any] = {"tool_calls": calls, "invalid_tool_calls": []}
    if not calls and not str(message.text).strip():
        update["content"] = "(no answer)"
    # A copy keeps what a provider wants to see again, such as Gemini's signatures of its thoughts.
    return message.model_copy(update=update)


def _with_hint(state: AgentState, replies: list[ToolMessage], context: AgentContext) -> list[ToolMessage]:
    """The replies, the last of them with a hint if the budget leaves one call more."""
    spent = state["spent"]
    size = context.size([*state["messages"], *replies])
    few = spent.steps + 1 >= context.max_steps or spent.tokens + 2 * estimate_tokens(size) > context.max_tokens
    if few and replies:
        told = f"{replies[-1].text}\n\n{context.prompt.last}"
        replies = [*replies[:-1], replies[-1].model_copy(update={"content": told})]
    return replies


def _shown(answer: ToolMessage, context: AgentContext) -> list[str]:
    """The passages of which the answer shows the words. Ids that are only named, for want of room, are not among
    them."""
    ids = [str(id) for id in _SHOWN.findall(str(answer.text))]
    if answer.name == "check_quotation" and (place := answer.artifact.get("passage")):
        ids.append(place)
    return [id for id in ids if context.task.opinion.has_passage(id)]


def _record(name: str, args: Any, chars: int, *, failed: bool) -> ToolCallRecord:
    arguments = clean_line(json.dumps(args, ensure_ascii=False, default=str))[:_MAX_ARGUMENTS]
    return ToolCallRecord(name=clean_line(name)[:60], arguments=arguments, answer_chars=chars, failed=failed)


def _refusal(id: str | None, name: str, why: str) -> ToolMessage:
    told = f"the verdict cannot be used: {why}" if name == VERDICT else "not run, since the same turn gave a verdict"
    return ToolMessage(f"Error: {told}", tool_call_id=str(id), name=name, status="error")
