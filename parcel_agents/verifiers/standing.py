"""What the text around a sentence does to it: a question, a heading, a quotation, words the next sentence rejects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from parcel_agents.opinions.passages import sentences
from parcel_agents.types import Span
from parcel_agents.verifiers.rejections import brings_up, takes_back

# "The People's argument is simple."
_ANNOUNCES = re.compile(
    r"\b(?:arguments?|contentions?|theor(?:y|ies)|positions?|claims?|stor(?:y|ies)|versions?|accounts?|views?|defenses?"
    r"|reasoning|briefs?|testimony|complaint|indictment|charge|dissent|majority|argues?|testified|explained)\b"
    r"[^.]* (?:this|simple|straightforward"
    r"|as follows|familiar|twofold|threefold|thus|like this|blunt|clear|plain)\.\s*$"
)
_BRIEF = re.compile(r"[(\[][^()\[\]]*\b[Bb]rief\b")
_SEPARATE = re.compile(r"[(\[][^()\[\]]*\b(?:dissenting|concurring|majority) op\b")
# A straight mark that opens (`said "the`) ends the first alternative's match; one that closes begins the second's.
_STRAIGHT = re.compile(r"(?:(?<=[\s(\[—-])|^)[\[(]?\"(?=[^\s])|\"(?:.|$)", re.DOTALL)
_NUMERAL = re.compile(r"(?:(?<=\n\n)|^)(?:[IVX]+|[A-H])\.?\n\n$")
_SINGLE = re.compile(r"(?:^|[\s(])['‘](?:(?:[Tt]he|[Aa]n?) )?$")
_GAP = re.compile(r"\s*(?:[(\[][^()\[\]]*(?:\([^()]*\)[^()\[\]]*|\[[^\[\]]*\][^()\[\]]*)*[)\]]\.?\s*)?")
_ENDED = re.compile(r"[.?!:;,][\s”\"’')\]\d]*$|[)\]”\"]$")
_INTRODUCES = re.compile(r":[\s\d”\"]*(?:\([^()]*\)\s*)?$")
_CITED = 600
"""Characters that a citation behind a quotation may have."""
_CLOSES = re.compile(r"[”\"]['’.,\s\d]*(?:[(\[][^\n]*[)\]][.,;\s\d]*)?$")
"""A block that ends with its quotation, and at most a citation in brackets directly behind it."""
_NAMES_IT = re.compile(r"dissent|concurr|majority|colleague")
HEADING_WORDS = 25
"""No heading is longer."""


@dataclass(frozen=True)
class Place:
    """A sentence in its paragraph."""

    sentence: Span
    """All of it, also where a passage ends within."""
    paragraph: Span


def find_place(text: str, stretch: Span) -> Place:
    """The sentence and the paragraph in which a stretch of a text begins."""
    start = text.rfind("\n\n", 0, stretch.start) + 2 if "\n\n" in text[: stretch.start] else 0
    end = text.find("\n\n", stretch.end)
    paragraph = Span(start=start, end=len(text) if end < 0 else end)
    found = sentences(text, paragraph)
    first = next((one for one in found if one.end > stretch.start), paragraph)
    last = next((one for one in found if one.end >= stretch.end), paragraph)
    # A section's number stands in a paragraph of its own.
    while numeral := _NUMERAL.search(text, max(0, start - 10), start) if first.start == start else None:
        start = numeral.start()
        first = Span(start=start, end=first.end)
    return Place(Span(start=first.start, end=max(last.end, stretch.end)), paragraph)


def standing(text: str, place: Place, stretch: Span, claim: str) -> Iterator[str]:
    """What keeps a stretch of the text from being a statement of its writer, in words.

    Args:
        text: the text of the opinion.
        place: where the stretch stands.
        stretch: the words that the claim repeats.
        claim: the claim.
    """
    sentence = text[place.sentence.start : place.sentence.end]
    if "?" in sentence and "?" not in claim:
        yield "the sentence asks a question"
    if _is_heading(text, place):
        yield "this is a heading"
    if _is_quoted(text, place, stretch):
        yield "the opinion quotes this"
    elif _is_in_block(text[: place.paragraph.start].rstrip()):
        yield "it may belong to a quotation that the text before brings in"
    if _ANNOUNCES.search(text, place.paragraph.start, place.sentence.start) or brings_up(_previous(text, place)):
        yield "the sentence before says whose argument it is"
    behind = text[stretch.end : place.sentence.end] + _gap(text, place.sentence.end)
    if _BRIEF.search(behind) or (_SEPARATE.search(behind) and not _NAMES_IT.search(text, stretch.start, stretch.end)):
        yield "the opinion cites a brief or another opinion for this"
    if taken := takes_back(_following(text, place.sentence.end)):
        yield f"the next sentence says “{taken}”"


def _is_heading(text: str, place: Place) -> bool:
    words = text[place.paragraph.start : place.paragraph.end].strip()
    return len(words.split()) <= HEADING_WORDS and not _ENDED.search(words)


def _is_quoted(text: str, place: Place, stretch: Span) -> bool:
    """True within one pair of quotation marks."""
    before, words = text[place.paragraph.start : stretch.start], text[stretch.start : stretch.end]
    marks = _STRAIGHT.findall(before)
    if before.count("“") > before.count("”") and "”" not in words:
        return True
    if _SINGLE.search(before):
        return True
    return bool(marks and marks[-1].endswith('"') and '"' not in words)


def _is_in_block(before: str) -> bool:
    """True for a paragraph behind a colon, and for the next one unless quotation marks show that the block has ended.

    How long a block without marks goes on cannot be told: its second paragraph is left to a reader.
    """
    if _INTRODUCES.search(before[-200:]):
        return True
    earlier, _, block = before.rpartition("\n\n")
    marks = block.count('"'), block.count("“") - block.count("”")
    balanced = block.lstrip("([ ").startswith(('"', "“")) and marks[0] % 2 == 0 and marks[1] <= 0
    # A statute may begin with a defined term in marks of its own.
    closed = balanced and _CLOSES.search(block[-_CITED:]) is not None
    return not closed and bool(_INTRODUCES.search(earlier.rstrip()[-200:]))


def _previous(text: str, place: Place) -> str:
    """The sentence before, in the same paragraph; empty at its start."""
    found = sentences(text, Span(start=place.paragraph.start, end=max(place.paragraph.start, place.sentence.start)))
    return text[found[-1].start : found[-1].end] if found else ""


def _following(text: str, end: int) -> str:
    """The text behind a sentence and what it cites in brackets, in this paragraph or the next."""
    return text[end + len(_gap(text, end)) :][:200]


def _gap(text: str, end: int) -> str:
    gap = _GAP.match(text, end)
    return gap.group() if gap else ""
