"""The tools `search_opinion` and `read_passage`."""

from __future__ import annotations

import re
from typing import Annotated

from langchain_core.tools import BaseTool
from pydantic import Field

from parcel_agents.retrievers.base import Index
from parcel_agents.tools.answers import Answer, Arguments, RefusedCall, check_range, check_text, fit, make_tool
from parcel_agents.tools.showing import as_json, heading, shown, voice
from parcel_agents.tools.untrusted import NOTICE, label
from parcel_agents.types import Opinion, Passage

MAX_HITS = 20
MAX_NEIGHBOURS = 10
MAX_QUERY = 1_000
_ROOM = 10_000
"""What is left of an answer's length for passages, beside the lines that say what was left out."""


class SearchArguments(Arguments):
    """Arguments of `search_opinion`."""

    query: Annotated[str, Field(description="words or a sentence to look for, in plain English")]
    k: Annotated[int, Field(description=f"how many passages, 1 to {MAX_HITS}")] = 5


class ReadArguments(Arguments):
    """Arguments of `read_passage`."""

    id: Annotated[str, Field(description="a passage id, such as p12")]
    before: Annotated[int, Field(description=f"how many passages before it, 0 to {MAX_NEIGHBOURS}")] = 0
    after: Annotated[int, Field(description=f"how many passages after it, 0 to {MAX_NEIGHBOURS}")] = 0


def search_tool(index: Index) -> BaseTool:
    """The tool `search_opinion` over an indexed opinion."""
    opinion = index.opinion

    def search(query: str, k: int) -> Answer:
        wanted = check_text("query", query, MAX_QUERY)
        check_range("k", k, 1, MAX_HITS)
        hits = index.search(wanted, k)
        passages = [opinion.passage(hit.passage) for hit in hits]
        blind = len(hits) > 1 and len({hit.score for hit in hits}) == 1
        lines = [f"{len(hits)} of {len(opinion.passages)} passages, best first. {NOTICE}"]
        if blind:
            lines.append("The query tells the passages apart in nothing: these are just the first. Try other words.")
        blocks = [f"{rank}. {shown(opinion, passage)}" for rank, passage in enumerate(passages, 1)]
        count = fit(blocks, _ROOM)
        lines += blocks[:count]
        if left := passages[count:]:
            lines.append("No room for: " + "; ".join(heading(opinion, passage) for passage in left))
            lines.append("Read those with read_passage.")
        rows = [
            {"rank": hit.rank, "score": hit.score, **as_json(opinion, p)} for hit, p in zip(hits, passages, strict=True)
        ]
        return Answer("\n".join(lines), {"query": wanted, "told_apart": not blind, "passages": rows})

    return make_tool(
        search,
        SearchArguments,
        name="search_opinion",
        description=(
            "Search the opinion: the passages that fit a query best, each with its id, whose words they are (majority,"
            " dissent, footnote ...), page and text. Use several short queries in different words. Answers are cut at"
            " 12,000 characters; read_passage shows more."
        ),
    )


def read_tool(index: Index) -> BaseTool:
    """The tool `read_passage` over an indexed opinion."""
    opinion = index.opinion

    def read(id: str, before: int, after: int) -> Answer:
        passage = _passage(opinion, id)
        check_range("before", before, 0, MAX_NEIGHBOURS)
        check_range("after", after, 0, MAX_NEIGHBOURS)
        place = opinion.passages.index(passage)
        around = opinion.passages[max(0, place - before) : place + after + 1]
        # Beyond a part's border somebody else speaks, and a reader would take it for the same voice.
        same = [other for other in around if other.part == passage.part]
        same = _centred_fit(opinion, same, same.index(passage))
        lines = [NOTICE, *(shown(opinion, other, _ROOM) for other in same), *_onward(opinion, same)]
        rows = [as_json(opinion, other) for other in same]
        return Answer("\n".join(lines), {"asked": passage.id, "passages": rows})

    return make_tool(
        read,
        ReadArguments,
        name="read_passage",
        description=(
            "Read a passage by its id, with neighbours of the same part (opinion or footnote), to see what is said"
            " around it. Answers are cut at 12,000 characters and say where to read on."
        ),
    )


def _passage(opinion: Opinion, given: str) -> Passage:
    """The passage meant by `p12`, `P12`, `12` or `[p12]`."""
    match = re.fullmatch(r"\W*(?:passage )?p?\s?0*(\d{1,9})\W*", given.strip(), re.IGNORECASE)
    id = f"p{match[1]}" if match else given.strip()
    if not opinion.has_passage(id):
        first, last = opinion.passages[0].id, opinion.passages[-1].id
        raise RefusedCall(
            f"there is no passage “{label(given)}”; the opinion has {first} to {last}. Find one with search_opinion or"
            " list_parts, and give one id at a time."
        )
    return opinion.passage(id)


def _centred_fit(opinion: Opinion, passages: list[Passage], middle: int) -> list[Passage]:
    """As many passages around the one asked for as fit, grown to both sides in turn."""
    blocks = [shown(opinion, passage, _ROOM) for passage in passages]
    first, last = middle, middle + 1
    while first > 0 or last < len(blocks):
        grown = [(first - 1, last)] if first > 0 else []
        grown += [(first, last + 1)] if last < len(blocks) else []
        grown.sort(key=lambda ends: abs((middle - ends[0]) - (ends[1] - 1 - middle)))
        fitting = [ends for ends in grown if fit(blocks[ends[0] : ends[1]], _ROOM) == ends[1] - ends[0]]
        if not fitting:
            break
        first, last = fitting[0]
    return passages[first:last]


def _onward(opinion: Opinion, read: list[Passage]) -> list[str]:
    """Where the text goes on, before and after what was read."""
    part = opinion.part(read[0].part)
    ids = [passage.id for passage in opinion.passages if passage.part == part.id]
    first, last = ids.index(read[0].id), ids.index(read[-1].id)
    before = f"before it: {ids[first - 1]}" if first > 0 else "its beginning is above"
    after = f"after it: {ids[last + 1]}" if last + 1 < len(ids) else "its end is above"
    return [f"Part {part.id}, {voice(part)}, {ids[0]} to {ids[-1]}: {before}; {after}."]
