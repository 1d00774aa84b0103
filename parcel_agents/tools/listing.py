"""The tool `list_parts`."""

from __future__ import annotations

from langchain_core.tools import BaseTool

from parcel_agents.retrievers.base import Index
from parcel_agents.tools.answers import Answer, Arguments, Json, fit, make_tool
from parcel_agents.tools.showing import pages, voice
from parcel_agents.tools.untrusted import NOTICE, fence, label
from parcel_agents.types import Opinion, Part

_ROOM_FOR_PARTS = 9_000
_ROOM_FOR_CLOSING = 1_200


class NoArguments(Arguments):
    """`list_parts` takes none."""


def list_tool(index: Index) -> BaseTool:
    """The tool `list_parts` over an indexed opinion."""
    opinion = index.opinion

    def list_parts() -> Answer:
        rows = [_row(opinion, part) for part in opinion.parts]
        lines = [_title(opinion), NOTICE]
        listed = [_line(opinion, part, row) for part, row in zip(opinion.parts, rows, strict=True)]
        count = fit(listed, _ROOM_FOR_PARTS)
        lines += listed[:count]
        if count < len(rows):
            ids = f"{rows[count]['first_passage']} to {rows[-1]['last_passage']}"
            lines.append(f"No room for {len(rows) - count} more parts ({ids}); read them with read_passage.")
        closings = [part for part in opinion.parts if part.kind == "closing"]
        for part in closings[:2]:
            text = opinion.text[part.start : part.end]
            lines.append(f"Who concurred, and the order: {fence(text, _ROOM_FOR_CLOSING)}")
        if not closings:
            lines.append("No closing lines were found: look for the order at the end of the majority.")
        return Answer("\n".join(lines), {**_described(opinion), "parts": rows})

    return make_tool(
        list_parts,
        NoArguments,
        name="list_parts",
        description=(
            "List the parts of the opinion: caption, majority, concurrences, dissents, footnotes and closing lines,"
            " with author, passages, pages and length, and the lines that tell who concurred and what is ordered."
            " Takes no arguments."
        ),
    )


def _row(opinion: Opinion, part: Part) -> Json:
    ids = [passage.id for passage in opinion.passages if passage.part == part.id]
    text = opinion.text[part.start : part.end]
    return {
        "part": part.id,
        "kind": part.kind,
        "voice": part.voice,
        "author": part.author,
        "footnote": part.footnote,
        "start": part.start,
        "end": part.end,
        "words": len(text.split()),
        "passages": len(ids),
        "first_passage": ids[0] if ids else None,
        "last_passage": ids[-1] if ids else None,
        "first_page": opinion.page_at(part.start),
        "last_page": opinion.page_at(max(part.start, part.end - 1)),
        "text": text if part.kind == "closing" else None,
    }


def _line(opinion: Opinion, part: Part, row: Json) -> str:
    share = round(100 * (part.end - part.start) / max(1, len(opinion.text)))
    ids = "no passages" if row["first_passage"] is None else f"{row['first_passage']} to {row['last_passage']}"
    return f"{part.id} | {voice(part)} | {ids} | {pages(opinion, part)} | {row['words']} words, {share}% of the text"


def _described(opinion: Opinion) -> Json:
    return {
        "opinion": opinion.id,
        "name": opinion.name,
        "citation": opinion.citation,
        "court": opinion.court,
        "date": opinion.date,
        "passages": len(opinion.passages),
    }


def _title(opinion: Opinion) -> str:
    told = [label(text, 120) for text in (opinion.name, opinion.citation, opinion.court, opinion.date) if text]
    title = fence(", ".join(told)) if told else "An opinion that does not give its name"
    return f"{title}: {len(opinion.parts)} parts, {len(opinion.passages)} passages."
