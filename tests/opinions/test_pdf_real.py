"""Five real slip opinions in PDF, where their folder is at hand: what a person sees who turns the pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import process_time

import pytest

from parcel_agents.opinions import load_opinion
from parcel_agents.types import Opinion

pytest.importorskip("pypdfium2")


@dataclass(frozen=True)
class Seen:
    """What stands in a slip opinion, read off its pages by eye."""

    parts: str
    notes: str
    """Page and label of each footnote, by the opinion that calls it."""
    pages: str
    """The printed numbers, which begin again with each opinion."""
    within: str
    """The pages that begin within a sentence of the text; the others begin a paragraph or a sentence."""
    quoted: int = 0
    """Paragraphs that begin with a quotation mark, most of them indented quotations."""


SEEN = {
    "2026_00074": Seen(
        "front, majority (GARCIA, J.), concurrence in result (WILSON, Chief Judge), closing",
        "majority *2:1 *9:2 *11:3, concurrence *3:1 *3:2 *3:3 *7:4 *7:5",
        "1-13 1-9",
        "2 4 5 7 8 9 11 12 13 2 3 4 5 6 7 8",
        quoted=1,
    ),
    "2026_00638": Seen("front, majority (memorandum), closing", "", "1-2", "2"),
    "2026_00822": Seen(
        "front, majority (RIVERA, J.), dissent (WILSON, Chief Judge), closing",
        "majority *5:1 *8:2, dissent *2:1 *4:2 *11:3",
        "1-10 1-12",
        "2 3 4 5 8 9 4 5 6 8 9 10 11 12",
        quoted=4,
    ),
    "2026_00823": Seen("front, majority (GARCIA, J.), closing", "majority *3:1 *4:2", "1-8", "2 3 4 5 6 7 8", quoted=3),
    "2026_00824": Seen(
        "front, majority (CANNATARO, J.), concurrence in result (RIVERA, J.), closing",
        "majority *3:1 *6:2, concurrence *5:1 *10:2",
        "1-7 1-10",
        "2 3 4 5 6 2 3 4 5 7 10",
        quoted=2,
    ),
}


@cache
def read(path: Path) -> Opinion:
    return load_opinion(path)


@pytest.fixture(params=SEEN)
def slip(request: pytest.FixtureRequest, shared_data: Path) -> tuple[Opinion, Seen]:
    path = shared_data / "ny_coa" / "2026" / f"{request.param}.pdf"
    if not path.is_file():
        pytest.skip(f"no {path}")
    return read(path), SEEN[request.param]


def numbers(ranges: str) -> list[str]:
    bounds = [[int(number) for number in part.split("-")] for part in ranges.split()]
    return [f"*{number}" for first, last in bounds for number in range(first, last + 1)]


def test_parts_are_those_a_person_sees(slip: tuple[Opinion, Seen]) -> None:
    opinion, seen = slip
    assert ", ".join(part.voice for part in opinion.parts if part.footnote is None) == seen.parts
    assert opinion.court == "Court of Appeals, State of New York"


def test_footnotes_stand_with_the_opinions_that_call_them(slip: tuple[Opinion, Seen]) -> None:
    opinion, seen = slip
    found: dict[str, list[str]] = {}
    for part in opinion.parts:
        if part.footnote is not None:
            found.setdefault(part.kind, []).append(f"{opinion.page_at(part.start)}:{part.footnote}")
            assert opinion.text[part.start : part.end].strip()[-1] in ".”)"
    assert ", ".join(" ".join([kind, *labels]) for kind, labels in found.items()) == seen.notes


def test_pages_are_those_that_are_printed(slip: tuple[Opinion, Seen]) -> None:
    opinion, seen = slip
    first_note = next((part.start for part in opinion.parts if part.footnote), len(opinion.text))
    assert [mark.page for mark in opinion.pages if mark.offset < first_note] == numbers(seen.pages)
    assert not any(mark.reporter for mark in opinion.pages)


def test_no_sentence_is_broken_by_a_page(slip: tuple[Opinion, Seen]) -> None:
    opinion, seen = slip
    first_note = next((part.start for part in opinion.parts if part.footnote), len(opinion.text))
    marks = [mark for mark in opinion.pages[1:] if mark.offset < first_note]
    within = [mark.page[1:] for mark in marks if not opinion.text[: mark.offset].endswith("\n\n")]
    assert within == seen.within.split()
    opens = [opinion.text[mark.offset :] for mark in marks if opinion.text[: mark.offset].endswith("\n\n")]
    assert all(text[0].isupper() for text in opens)


def test_every_paragraph_is_whole(slip: tuple[Opinion, Seen]) -> None:
    opinion, _ = slip
    for part in opinion.parts:
        if part.kind not in {"front", "closing"}:
            for paragraph in opinion.text[part.start : part.end].strip().split("\n\n"):
                heading = len(paragraph) < 40
                assert heading or re.search(r"[.:?][”’)\]]*(?: ?\([^()]*\)\.)?$|when:$", paragraph), paragraph[-40:]
                assert heading or not paragraph[0].islower() or paragraph.startswith("that "), paragraph[:40]
                assert "\n" not in paragraph


def test_running_heads_page_numbers_and_calls_are_gone(slip: tuple[Opinion, Seen]) -> None:
    opinion, _ = slip
    assert not re.search(r"- \d+ -", opinion.text)
    docket = re.search(r"No\. \d+", opinion.text)
    assert docket
    assert len(re.findall(rf"{re.escape(docket[0])}\b(?!,)", opinion.text)) == 1
    assert not re.search(r"[a-z][.,]?”?\d(?:\s|$)", opinion.text)


def test_quotations_are_paragraphs(slip: tuple[Opinion, Seen]) -> None:
    opinion, seen = slip
    quoted = [text for text in opinion.text.split("\n\n") if text.startswith("“")]
    assert len(quoted) == seen.quoted


def test_a_page_takes_little_time(shared_data: Path) -> None:
    from parcel_agents.opinions.pdf import read_pdf

    data = (shared_data / "ny_coa" / "2026" / "2026_00822.pdf").read_bytes()
    start = process_time()
    read_pdf(data)
    assert process_time() - start < 22 * 0.2  # 0.03 s a page on an idle machine
