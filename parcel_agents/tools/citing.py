"""The tool `find_citation`."""

from __future__ import annotations

import re
from collections import Counter
from typing import Annotated

from langchain_core.tools import BaseTool
from pydantic import Field

from parcel_agents.retrievers.base import Index
from parcel_agents.tools.answers import Answer, Arguments, Json, check_text, fit, make_tool
from parcel_agents.tools.mentions import OTHER_FORMS, Mention, find_mentions
from parcel_agents.tools.showing import heading, passage_at, voice
from parcel_agents.tools.targets import Target, read_targets, squeeze
from parcel_agents.tools.untrusted import NOTICE, fence, label
from parcel_agents.types import Opinion, Passage, Span

MAX_NAME = 300
_AROUND = 110
"""Characters of text shown on either side of a place."""
# From a case's telling party to its cite: "Rowan, ", "Rowan v Strand (", "Quill Mar. Corp. v Board of Pilots, ".
_NAME_TO_CITE = re.compile(
    r"\.?(?: (?:of|the|for|&|[A-Z][\w'’&.-]*)){0,6}?(?:,? vs?\.? [A-Z][^\d;()\[\]]{0,80}?)?[.,\s(\[]*"
)
_ROOM = 8_000
_MOST_TARGETS = 6
_NAMES = {"case": "case name", "cite": "reporter cite", "statute": "section", "words": "words"}


class CitationArguments(Arguments):
    """Arguments of `find_citation`."""

    name_or_cite: Annotated[
        str,
        Field(description="a case name, reporter cite or section: People v Rowan; 34 NY3d 269; CPL 30.30; section 12"),
    ]


def citation_tool(index: Index) -> BaseTool:
    """The tool `find_citation` over an indexed opinion."""
    opinion = index.opinion

    def find(name_or_cite: str) -> Answer:
        wanted = check_text("name_or_cite", name_or_cite, MAX_NAME)
        targets = read_targets(" ".join(wanted.split()))[:_MOST_TARGETS]
        found = [(target, find_mentions(opinion.text, target)) for target in targets]
        lines = [
            NOTICE,
            *_itself(opinion, targets),
            *(_summary(opinion, *pair) for pair in found),
            *_doubt(opinion, found),
        ]
        rows = [
            {"sought": target.text, "kind": target.kind, "places": [_as_json(opinion, m) for m in mentions]}
            for target, mentions in found
        ]
        blocks = _places(opinion, [mention for _, mentions in found for mention in mentions])
        count = fit(list(blocks.values()), _ROOM)
        lines += list(blocks.values())[:count]
        if left := list(blocks)[count:]:
            shown = ", ".join(left[:150]) + (" ..." if len(left) > 150 else "")
            lines.append(f"No room for {len(left)} more passages; read them with read_passage: {shown}")
        return Answer("\n".join(lines), {"asked": wanted, "found": rows})

    return make_tool(
        find,
        CitationArguments,
        name="find_citation",
        description=(
            "Find every place where the opinion names a case, a reporter cite or a section of a law, by whole words,"
            " with the voice and page of each; or learn that it is nowhere in the opinion. Tells other cases of the"
            " same name and other laws' sections apart. Long lists are cut, the rest given as passage ids."
        ),
    )


def _itself(opinion: Opinion, targets: list[Target]) -> list[str]:
    """A note where the query names the opinion that is being read."""
    cites = {squeeze(target.key) for target in targets if target.kind == "cite"}
    own = [squeeze(cite) for cite in (opinion.citation or "").split(",")]
    names = [target for target in targets if target.kind == "case" and target.other]
    same_name = opinion.name is not None and any(
        {squeeze(target.key), squeeze(target.other or "")} == set(map(squeeze, _parties(opinion.name)))
        for target in names
    )
    if same_name or cites & set(own):
        told = ", ".join(text for text in (opinion.name, opinion.citation) if text)
        return [f"That is the opinion itself: {fence(told, 150)}"]
    return []


def _parties(name: str) -> list[str]:
    return name.removeprefix("Matter of ").replace(" v. ", " v ").split(" v ")


def _summary(opinion: Opinion, target: Target, mentions: list[Mention]) -> str:
    """What a reader should make of a target's places, in a line: named, named in part or perhaps, or nowhere."""
    what = f"{_NAMES[target.kind]} “{label(target.text, 100)}”"
    by_form: dict[str, list[Mention]] = {}
    for mention in mentions:
        by_form.setdefault(mention.form, []).append(mention)
    others = [mention for mention in mentions if mention.form in OTHER_FORMS]
    real = [mention for mention in mentions if mention.form not in OTHER_FORMS]
    also = f" Not meant by it: {_forms(others)}." if others else ""
    if target.kind == "statute" and re.search(r"\d\s?[\[(]", target.text):
        also += " Subdivisions are not told apart."
    if not real:
        return f"Nowhere in the opinion: {what}. All its text was searched, footnotes and counsel included.{also}"
    where = _where(opinion, real)
    if part := by_form.get("part of the name"):
        words = label(opinion.text[part[0].start : part[0].end])
        return f"Nowhere in full: {what}. Its words “{words}” stand at {where}.{also}"
    alone = by_form.get("short name", []) + by_form.get("section, law not named", [])
    if target.other and len(alone) == len(real):
        # A witness may bear the name of the case, and "section 12" be that of another law.
        return (
            f"Nowhere in full: {what}. “{label(target.key)}” alone stands at {where}; it may be somebody or something"
            f" else.{also}"
        )
    if len(by_form.get("pin cite", [])) == len(real):
        return f"Nowhere in full: {what}. Pin cites to that volume, maybe another case's, stand at {where}."
    if alone and others:
        sure = [mention for mention in real if mention not in alone]
        return (
            f"Found: {what} in full at {_where(opinion, sure)}. “{label(target.key)}” alone, at"
            f" {_where(opinion, alone)}, may be either.{also}"
        )
    return f"Found: {what} at {where}.{also}"


def _where(opinion: Opinion, mentions: list[Mention]) -> str:
    voices = Counter(voice(opinion.part(passage_at(opinion, mention.start).part)) for mention in mentions)
    count = f"{len(mentions)} place{'s' if len(mentions) != 1 else ''}"
    return f"{count} ({'; '.join(f'{number} in {name}' for name, number in voices.most_common(8))})"


def _doubt(opinion: Opinion, found: list[tuple[Target, list[Mention]]]) -> list[str]:
    """A note where the query's case is nowhere cited by the query's cite."""
    names = [m for target, mentions in found for m in mentions if target.kind == "case" and m.form not in OTHER_FORMS]
    cites = [m for target, mentions in found for m in mentions if target.kind == "cite"]
    asked = {target.kind for target, _ in found}
    if not {"case", "cite"} <= asked or not (names or cites):
        return []
    pairs = ((name.end, cite.start) for name in names for cite in cites)
    if any(a < b < a + 150 and _NAME_TO_CITE.fullmatch(opinion.text, a, b) for a, b in pairs):
        return []
    return ["Nowhere does that name go with that cite: one of the two may belong to another case."]


def _forms(mentions: list[Mention]) -> str:
    forms = Counter(mention.form for mention in mentions)
    return ", ".join(f"{form} ({count} times)" if count > 1 else form for form, count in forms.items())


def _places(opinion: Opinion, mentions: list[Mention]) -> dict[str, str]:
    """What is shown of each passage that has places, by its id, in the order of the text."""
    by_passage: dict[str, list[Mention]] = {}
    for mention in sorted(mentions, key=lambda mention: mention.start):
        by_passage.setdefault(passage_at(opinion, mention.start).id, []).append(mention)
    return {id: _block(opinion, opinion.passage(id), places) for id, places in by_passage.items()}


def _block(opinion: Opinion, passage: Passage, mentions: list[Mention]) -> str:
    """A passage's heading, how the target is named in it, and the words around the first place."""
    first = mentions[0]
    start = _word_start(opinion.text, max(passage.start, first.start - _AROUND), first.start)
    end = max(first.end, min(passage.end, first.end + _AROUND))
    if end < passage.end:
        end = max(first.end, opinion.text.rfind(" ", first.end, end))
    cut = ("… " if start > passage.start else "", " …" if end < passage.end else "")
    text = f"{cut[0]}{opinion.text[start:end]}{cut[1]}"
    return f"{heading(opinion, passage, first)} | {_forms(mentions)}\n{fence(text)}"


def _word_start(text: str, start: int, latest: int) -> int:
    """The first beginning of a word at or behind an offset."""
    while start < latest and start > 0 and not text[start - 1].isspace():
        start += 1
    return start


def _as_json(opinion: Opinion, mention: Mention) -> Json:
    passage = passage_at(opinion, mention.start)
    part = opinion.part(passage.part)
    span = Span(start=mention.start, end=mention.end)
    return {
        **mention.model_dump(),
        "text": opinion.text[span.start : span.end],
        "passage": passage.id,
        "part": part.id,
        "voice": part.voice,
        "page": opinion.page_at(mention.start),
        "same": mention.form not in OTHER_FORMS,
    }
