"""Whose voice each paragraph is: caption, majority, separate opinions, closing lines, footnotes.

Structure that the file states wins over lines that can be recognized, and those over everything else. Where a line
looks like the beginning of a separate opinion and cannot be read, where nothing shows who speaks, or where a judge
says `I dissent` in what would be the Court's opinion, the voice is unknown: words of an unknown voice support nothing.
A list of the judges who concur opens the closing lines and is not an opinion. A footnote belongs to the opinion in
which it is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten

from parcel_agents.opinions.blocks import Block, starts
from parcel_agents.opinions.closings import (
    begins_a_list,
    concurs_in_result,
    names_one_of_several_cases,
    tells_memorandum,
    tells_per_curiam,
    tells_the_order,
    tells_who_concurred,
)
from parcel_agents.opinions.headings import (
    Head,
    looks_like_head,
    own_words_head,
    reports_one_vote,
    says_i_dissent,
    separate_head,
    signed_author,
    split_glued_head,
)
from parcel_agents.opinions.notes import Note
from parcel_agents.opinions.openings import (
    author_of,
    court_form,
    delivering_author,
    is_author_line,
    is_list_title,
    is_opinion_title,
    is_others_title,
    is_plurality,
    is_weak_title,
    lists_opinions,
    shows_a_court,
)
from parcel_agents.opinions.sections import reservation, section_paths
from parcel_agents.types import Part, PartForm, PartKind

_AUTHOR_WITHIN_BLOCKS = 60
"""Further down, a paragraph that begins like an author's line is more likely part of the text."""
_CAPTION_WITHIN_BLOCKS = 60
_CAPTION = "SUPREME COURT OF THE UNITED STATES"
_PROSE_WORDS = 12
"""A paragraph of so many words that ends a sentence is text and no heading, caption or list."""
_OPINION_WORDS = 40
"""Fewer words of text before a separate opinion are lines about the case."""
_FINDINGS_WORDS = 150
"""So many words between an author's line and a title are the Court's findings, and the title that of a section."""
_APPENDIX = re.compile(
    r"(?:APPENDIX|Appendix|ATTACHMENT|Attachment|EXHIBIT|Exhibit|ADDENDUM|Addendum)(?: [A-Z\d]{1,3})?"
    r"(?:\s*(?:[:.—–-]|TO |to ).{0,100})?\s*$"
)
_PROCEDURE = re.compile(
    r"(?i:(?:cross-)?appeals? from|on (?:writ|petition|appeal|certiorari)|submitted|argued|heard)\b"
)
_SHOWN_CHARS = 80
_UNSIGNED = (
    "The file does not show whose opinion it is: no author, no heading such as OPINION OF THE COURT and no court's name"
    " was found at its beginning."
)
# What only a judge who writes alone says.
_ALONE = re.compile(
    r"(?:^|[.;:?!—]\s|,\s(?:and|but|so)\s|\breasons,\s|\b[Tt]herefore,?\s|\b[Aa]ccordingly,?\s)"
    r"I (?:(?:respectfully|must|also|therefore|reluctantly|fully|only|would) )*"
    r"(?:dissent\b|concur (?:in|with) (?:the|this) (?:\w+ )?(?:result|judgment|opinion|dissent|majority)\b"
    r"|would (?:therefore |also |thus )?(?:affirm|reverse|vacate)\b)"
)


@dataclass(frozen=True)
class Structure:
    """The parts of an opinion, and what of its structure could not be read."""

    parts: tuple[Part, ...]
    doubts: tuple[str, ...]


@dataclass(frozen=True)
class Segment:
    """Blocks `first` (inclusive) to `last` (exclusive) that make one part."""

    first: int
    last: int
    kind: PartKind
    author: str | None = None
    form: PartForm | None = None
    doubt: str | None = None


@dataclass(frozen=True)
class Opening:
    """Where the first opinion of a text begins."""

    first: int
    known: bool
    """True if something shows that it is an opinion, and whose."""


def separate_glued_heads(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, with headings in blocks of their own where a source has run them into the paragraph before."""
    separated: list[Block] = []
    for block in blocks:
        rest = block
        while rest.note is None and (place := split_glued_head(rest.text)):
            before, rest = rest.split(*place)
            separated.append(before)
        separated.append(rest)
    return separated


def opinion_start(blocks: Sequence[Block]) -> int:
    """The index of the first block of an opinion's own words; 0 where no head of an opinion is found."""
    return _opening(blocks[: _body_end(blocks)]).first


def find_parts(
    blocks: Sequence[Block],
    notes: Sequence[Note],
    *,
    court_author: str | None = None,
    kind: PartKind | None = None,
) -> Structure:
    """The parts of an opinion, in order; they cover the text of the blocks joined by empty lines.

    Args:
        blocks: paragraphs with text, footnotes last.
        notes: the footnotes among them.
        court_author: the author of the Court's opinion as the head of the document names him or her.
        kind: whose voice the document is, where its description says so.
    """
    segments = _segments(blocks, court_author, kind)
    offsets = [*starts(blocks), sum(len(block.text) + 2 for block in blocks)]
    end_of_text = max(0, offsets[-1] - 2)
    parts: list[Part] = []
    numbers: dict[str, int] = {}

    def add(segment: Segment, note: str | None = None) -> None:
        name = segment.kind if note is None else f"{segment.kind}-note"
        numbers[name] = numbers.get(name, 0) + 1
        single = name in {"front", "majority", "closing"} and numbers[name] == 1
        parts.append(
            Part(
                id=name if single else f"{name}-{numbers[name]}",
                kind=segment.kind,
                author=segment.author,
                footnote=note,
                form=segment.form,
                start=offsets[segment.first],
                end=min(offsets[segment.last], end_of_text),
            )
        )

    for segment in segments:
        add(segment)
    for note in notes:
        owner = _owner(note, segments)
        add(replace(owner, first=note.first, last=note.last), note.label)
    doubts = tuple(dict.fromkeys(segment.doubt for segment in segments if segment.doubt))
    return Structure(tuple(parts), doubts)


def _body_end(blocks: Sequence[Block]) -> int:
    return next((i for i, block in enumerate(blocks) if block.note is not None), len(blocks))


# --- where the first opinion begins -----------------------------------------------------------------------------------


def _opening(body: Sequence[Block]) -> Opening:
    """Where the first opinion begins: its title, the line of its author, or the first text under a court's name."""
    typed = next((i for i, block in enumerate(body) if block.kind in {"majority", "plurality"}), None)
    if typed is not None:
        return Opening(typed, known=True)
    before = _first_separate(body)
    title = _title(body, before)
    author = _first_author(body, min(before, _AUTHOR_WITHIN_BLOCKS))
    if title is not None:
        if author is not None and author < title and _words(body[author:title]) >= _FINDINGS_WORDS:
            return Opening(author, known=True)
        return Opening(title, known=True)
    # A syllabus tells who delivered what, too, and stands before the opinion.
    delivered = [i for i in range(before) if delivering_author(body[i].text)]
    own = [i for i in delivered if not lists_opinions(body[i].text)] or delivered
    if own and own[-1] > 0:
        return Opening(own[-1], known=True)
    if author is not None:
        return Opening(author, known=True)
    return _untitled(body, before)


def _title(body: Sequence[Block], before: int) -> int | None:
    """The index of the title over the Court's opinion; None if it has none."""
    titles = [i for i in range(before) if is_opinion_title(body[i].text) and not body[i].matter]
    if not titles or not is_list_title(body[titles[0]].text):
        return next(iter(titles), None)
    listed = _surname(author_of(body[titles[0]].text))
    for index in range(titles[0] + 1, min(before, titles[0] + _AUTHOR_WITHIN_BLOCKS)):
        text = body[index].text
        if is_opinion_title(text) or (is_author_line(text) and _surname(author_of(text)) == listed):
            return index
    return titles[0]


def _untitled(body: Sequence[Block], before: int) -> Opening:
    """Where an opinion without title and author begins."""
    texts = [i for i in range(before) if _is_prose(body[i])]
    prose = next(iter(texts), None)
    if before < len(body) and _words([body[i] for i in texts]) < _OPINION_WORDS:
        # A separate writing that is a file by itself.
        return Opening(before, known=True)
    weak = next((i for i in range(before) if is_weak_title(body[i].text)), None)
    if weak is not None and (prose is None or weak < prose):
        return Opening(weak, known=True)
    if any(is_others_title(block.text) for block in body[:before]):
        return Opening(0, known=False)
    # The opinion begins behind the title of the document and the lines about the case.
    first = next((i for i, block in enumerate(body) if not block.heading and not block.matter), 0)
    lines = [block.text for block in body]
    known = bool(lines) and (delivering_author(lines[0]) is not None or is_author_line(lines[0]))
    if known or not shows_a_court(lines, lines[:before]):
        return Opening(first, known=known)
    return Opening(max(first, prose or 0), known=True)


def _first_separate(body: Sequence[Block]) -> int:
    """The index of the first heading of a separate opinion; the number of blocks if there is none.

    The head of a document may list its opinions (`Dissent by Judge Gray`): a title over the Court's own follows.
    """
    for index in range(len(body)):
        if body[index].kind is not None:
            return index
        head = separate_head(body[index].text)
        if head is None or head.reports:
            continue
        later = body[index + 1 : index + 1 + _AUTHOR_WITHIN_BLOCKS]
        if head.announced and any(is_opinion_title(block.text) or delivering_author(block.text) for block in later):
            continue
        return index
    return len(body)


def _first_author(body: Sequence[Block], end: int) -> int | None:
    """The line of the author of the first opinion: the first after which text follows, else the first there is."""
    found = list(_author_lines(body, end))
    speaking = (
        i for i in found if len(body[i].text.split()) >= _PROSE_WORDS or any(map(_is_prose, body[i + 1 : i + 3]))
    )
    return next(speaking, next(iter(found), None))


def _author_lines(body: Sequence[Block], end: int) -> Iterator[int]:
    for index, block in enumerate(body[:end]):
        # A line that names a judge among the bold lines at the top is part of the head, not the beginning.
        named = index > 0 and is_author_line(block.text) and "\n" not in block.text and not _is_list(block.text)
        # At the end of an opinion it is a signature.
        if named and _words(body[index:]) >= max(_PROSE_WORDS, _words(body[:index]) / 4):
            yield index


def _is_list(text: str) -> bool:
    return tells_who_concurred(text) or begins_a_list(text)


def _is_prose(block: Block) -> bool:
    text = block.text.rstrip()
    return (
        len(text.split()) >= _PROSE_WORDS
        and text[-1:] in ".?!:;”\"’')]"
        and not block.matter
        and not _PROCEDURE.match(text)
    )


def _words(blocks: Sequence[Block]) -> int:
    return sum(len(block.text.split()) for block in blocks)


# --- whose the opinions are -------------------------------------------------------------------------------------------


def _segments(blocks: Sequence[Block], court_author: str | None, kind: PartKind | None) -> list[Segment]:
    """The front, the opinions and the closing lines, footnotes aside."""
    body_end = _body_end(blocks)
    body = blocks[:body_end]
    opening = _opening(body)
    first = opening.first
    if first >= body_end:
        return [Segment(0, body_end, "front")] if body_end else []
    begins = [(first, _first_head(body[first:], court_author, kind, known=opening.known))]
    for index in range(first + 1, body_end):
        if head := _head(body, index, begins[-1][1]):
            proper = body[index].kind is None and head.kind != "unknown"
            if begins[-1][1].announced and index == begins[-1][0] + 1 and proper:
                # "Dissenting opinion by Judge Gray" is followed by the heading proper, which names the manner best.
                begins[-1] = (begins[-1][0], replace(_as_stated(body[begins[-1][0]], head), announced=False))
            elif not _goes_on(begins[-1][1], head):
                begins.append((_heading_start(body, begins[-1][0] + 1, index), head))
        elif begins[-1][1].announced and begins[-1][1].author is None and index <= begins[-1][0] + 3:
            begins[-1] = (begins[-1][0], replace(begins[-1][1], author=signed_author(body[index].text)))
    segments = [Segment(0, first, "front")] if first > 0 else []
    for (start, head), end in zip(begins, [*(start for start, _ in begins[1:]), body_end], strict=True):
        closing = _closing_start(blocks, start + 1, end)
        segments += _checked(blocks, Segment(start, closing, head.kind, head.author, head.form, head.doubt))
        if closing < end:
            segments.append(Segment(closing, end, "closing"))
    return _formed_by_closing(blocks, segments)


def _checked(blocks: Sequence[Block], segment: Segment) -> list[Segment]:
    """A segment as it is, or with an unknown voice where its words speak against its being the Court's."""
    if segment.kind not in {"majority", "plurality"}:
        return [segment]
    own = blocks[segment.first : segment.last]
    if said := next(filter(None, (_said_alone(block.text) for block in own)), None):
        doubt = f"A judge writes “{said}”, but no heading of a separate opinion was recognized before it."
        return [replace(segment, kind="unknown", form=None, doubt=doubt)]
    reserved = reservation(own)
    if reserved is None:
        return [segment]
    paths = section_paths(own)
    entered = {path for here in paths for path in here}
    if not all(any(path[: len(wanted)] == wanted for path in entered) for wanted in reserved.named):
        names = ", ".join("-".join(path) for path in reserved.named)
        doubt = f"The opinion is the Court's only in part (see Part {names}), and that part's heading was not found."
        return [replace(segment, kind="unknown", form=None, doubt=doubt)]
    pieces: list[Segment] = []
    for index, here in enumerate(paths, start=segment.first):
        kind: PartKind = "plurality" if any(reserved.is_reserved(path) for path in here) else "majority"
        if pieces and pieces[-1].kind == kind:
            pieces[-1] = replace(pieces[-1], last=index + 1)
        else:
            pieces.append(replace(segment, first=index, last=index + 1, kind=kind))
    return pieces


def _said_alone(text: str) -> str | None:
    """The words in which a paragraph says what only a judge who writes alone says; None where they are quoted."""
    for found in _ALONE.finditer(text):
        before = text[: found.start() + 1]
        if before.count("“") <= before.count("”") and before.count('"') % 2 == 0:
            return re.sub(r"^.*?(?=I )", "", found.group(), count=1, flags=re.DOTALL)
    return None


def _formed_by_closing(blocks: Sequence[Block], segments: Sequence[Segment]) -> list[Segment]:
    """The segments, with the form that only the closing lines tell."""
    closing = "\n\n".join(
        block.text
        for segment in segments
        if segment.kind == "closing"
        for block in blocks[segment.first : segment.last]
    )
    formed = []
    for segment in segments:
        form = segment.form
        if form is None and segment.kind == "majority" and segment.author is None:
            form = "memorandum" if tells_memorandum(closing) else "per_curiam" if tells_per_curiam(closing) else None
        elif form is None and segment.kind == "concurrence" and (surname := _surname(segment.author)):
            form = "in_result" if concurs_in_result(closing, surname) else None
        formed.append(replace(segment, form=form))
    return formed


def _surname(author: str | None) -> str | None:
    """The last name of one judge; None for nobody and for several."""
    words = re.sub(
        r"\b(?:JJ?|Ch|C|P|Jr)\.|\b(?:Acting|Senior|Chief|Presiding|Associate|Judge|Justice|Circuit)\b|,",
        " ",
        author or "",
        flags=re.IGNORECASE,
    ).split()
    return words[-1].split(".")[-1].casefold() if words and "JJ." not in (author or "") and "and" not in words else None


def _first_head(blocks: Sequence[Block], court_author: str | None, kind: PartKind | None, *, known: bool) -> Head:
    """Kind and author of the opinion that begins with these blocks; a file may hold a dissent alone."""
    typed = blocks[0].kind or kind
    found = separate_head(blocks[0].text) or own_words_head(blocks[0].text)
    if found and not found.reports:
        return _as_stated(blocks[0], found)
    if typed is None:
        if not known:
            return Head("unknown", _author(blocks, court_author), doubt=_UNSIGNED)
        if any(is_plurality(block.text) for block in blocks[:4]):
            return Head("plurality", _author(blocks, court_author))
    kind = typed or "majority"
    # Where the whole document is a dissent, its description names the dissent's author.
    described = court_author if typed is None or blocks[0].kind in {None, "majority", "plurality"} else None
    author = blocks[0].author or _author(blocks, described)
    return Head(kind, author, form=_court_form(blocks) if kind == "majority" else None)


def _court_form(blocks: Sequence[Block]) -> PartForm | None:
    for index, block in enumerate(blocks[:4]):
        if index > 0 and separate_head(block.text):
            return None
        if delivering_author(block.text) or is_author_line(block.text):
            return court_form(block.text)
    return None


def _author(blocks: Sequence[Block], court_author: str | None) -> str | None:
    """The author named in the first lines of an opinion; None for one signed by nobody."""
    for index, block in enumerate(blocks[:4]):
        if index > 0 and separate_head(block.text):
            return None
        text = block.text
        if text.endswith(",") and index + 1 < len(blocks):
            # Some sources set "GRAY," and "Circuit Judge:" in two paragraphs.
            text = f"{text} {blocks[index + 1].text}"
        if author := delivering_author(text) or author_of(text):
            return author
        if is_author_line(text):
            return None
    return court_author


def _head(body: Sequence[Block], index: int, speaking: Head) -> Head | None:
    """The head of another opinion if one begins with this block, or with what cannot be read as anything else."""
    block = body[index]
    if block.kind is not None:
        stated = separate_head(block.text)
        if stated is not None and not stated.reports:
            return _as_stated(block, stated)
        return Head(block.kind, block.author or author_of(block.text), announced=block.author is None)
    if found := separate_head(block.text):
        if not found.reports or _opens(body, index):
            return found
        return None
    if found := own_words_head(block.text):
        return found
    if _APPENDIX.fullmatch(block.text):
        return Head("unattributed", None)
    line = shorten(block.text, _SHOWN_CHARS, placeholder=" ...")
    if _is_list(block.text):
        if reports_one_vote(block.text) and _opens(body, index) and _words(body[index + 1 :]) >= _OPINION_WORDS:
            doubt = f"“{line}” reports a vote, and whose the words after it are is not known."
            return Head("unknown", None, doubt=doubt)
        return None
    alone = says_i_dissent(block.text) and speaking.kind in {"majority", "plurality"}
    another = _names_another(block.text, speaking.author) and _opens(body, index) and not _is_list(body[index - 1].text)
    if alone or another or looks_like_head(block.text):
        doubt = f"“{line}” looks like the beginning of another opinion, but has no form that is known."
        return Head("unknown", None, doubt=doubt)
    return None


def _as_stated(block: Block, head: Head) -> Head:
    """The head with kind and author as the source's markup states them.

    Markup that says `majority` over a line that says `dissenting` is the default of a program, and yields.
    """
    kind = head.kind if block.kind in {None, "majority", "unknown"} else block.kind
    return replace(head, kind=kind or head.kind, author=block.author or head.author)


def _goes_on(speaking: Head, head: Head) -> bool:
    """True for a heading that repeats the one before, as running heads do that were left in the text."""
    named = _surname(head.author)
    return head.kind == speaking.kind and named is not None and named == _surname(speaking.author)


def _opens(body: Sequence[Block], index: int) -> bool:
    """True if text follows this block, so that it is a heading and does not only report a vote."""
    following = body[index + 1] if index + 1 < len(body) else None
    return (
        following is not None
        and _is_prose(following)
        and not _is_list(following.text)
        and not tells_the_order(following.text)
    )


def _names_another(text: str, author: str | None) -> bool:
    """True for the line of an author who is not the one who speaks so far."""
    line = text.rstrip(",")
    named = author_of(line) if is_author_line(line, whole=True) else None
    return named is not None and author is not None and _surname(named) != _surname(author)


def _heading_start(blocks: Sequence[Block], lowest: int, head: int) -> int:
    """The block at which a separate opinion begins, which in slip opinions repeats the caption of the case."""
    for index in range(head, max(lowest, head - _CAPTION_WITHIN_BLOCKS) - 1, -1):
        if blocks[index].text.startswith(_CAPTION):
            return index
    return head


def _closing_start(blocks: Sequence[Block], first: int, last: int) -> int:
    """The index of the first closing line among the last lines of an opinion; `last` if there is none."""
    start = last
    for index in range(last - 1, first - 1, -1):
        text = blocks[index].text
        if tells_who_concurred(text) or blocks[index].matter or (start < last and names_one_of_several_cases(text)):
            start = index
        elif not tells_the_order(text):
            break
    return start


def _owner(note: Note, segments: Sequence[Segment]) -> Segment:
    """The segment whose opinion a footnote belongs to: the one that calls it, or the only one there is."""
    if note.call_block is not None:
        return next(s for s in segments if s.first <= note.call_block < s.last)
    opinions = [segment for segment in segments if segment.kind not in {"front", "closing"}]
    return opinions[0] if len(opinions) == 1 else Segment(note.first, note.last, "unattributed")
