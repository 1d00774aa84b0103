"""Real opinions, where their folder is at hand: the parts of twenty as a person reads them, laws on a sample."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from parcel_agents.opinions import load_opinion
from parcel_agents.opinions.passages import MAX_WORDS
from parcel_agents.types import Opinion

DATA = Path(__file__).parents[2].parent / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real opinions in {DATA}")

EVERY = 8
MARKDOWN = sorted([*DATA.glob("ny_coa/*/*.md"), *DATA.glob("parcel_train/opinions/*.md")])[::EVERY]
HTML = sorted([*DATA.glob("briefs/*/opinions/*.html"), *DATA.glob("ny_coa/*.htm")])[::EVERY]
DEV = sorted(DATA.glob("parcel_dev/opinions/*.md"))

# Kind and author's surname of each part but the front, and by whom the footnotes are called, in order.
EXPECTED = {
    "2024_00097": ("majority Rivera, dissent Garcia, closing", "5 majority, 2 dissent"),
    "2024_00850": ("majority Garcia, closing", "5 majority"),
    "2024_01582": ("majority Wilson, dissent Troutman, closing", "8 majority, 3 dissent"),
    "2024_02125": ("majority Halligan, concurrence Rivera, closing", "8 majority, 1 concurrence, 1 closing"),
    "2024_02128": ("majority Troutman, closing", "2 majority"),
    "2024_02129": ("majority Wilson, closing", "3 majority"),
    "2024_02227": ("majority Halligan, dissent Aarons, closing", "8 majority, 7 dissent, 1 closing"),
    "2024_02767": ("majority Troutman, closing", "1 majority"),
    "2024_03319": ("majority Cannataro, dissent Rivera, closing", "2 majority, 3 dissent"),
    "2024_05132": ("majority Rivera, closing", ""),
    "2024_05175": ("majority Halligan, dissent Rivera, closing", "6 majority, 4 dissent"),
    "2024_05243": ("majority Troutman, concurrence Rivera, closing", "3 concurrence"),
    "2025_00184": ("majority, dissent Rivera, closing", ""),
    "2025_00901": ("majority, dissent Wilson, closing", "1 majority, 12 dissent, 1 closing"),
    "2025_01008": ("majority, dissent Wilson, closing", "2 dissent"),
    "2025_01405": ("majority Troutman, closing", "2 majority"),
    "2025_02100": ("majority Rivera, closing", "4 majority"),
    "2025_03692": ("majority, dissent Rivera, closing", "1 majority, 2 dissent"),
    "2025_05739": ("majority Troutman, closing", "2 majority"),
    "2025_06535": ("majority Cannataro, dissent Rivera, closing", "1 majority, 1 dissent"),
}
# A judge whom the closing line credits with an opinion that the file does not hold, or that others signed.
NOT_IN_THE_FILE = {("2014_08220", "PIGOTT"), ("2015_08609", "LIPPMAN")}
PAGE_MISPRINTED = {"2018_07927"}

WRITES = re.compile(
    r"Judge (?:[A-Z]\.)*\s?([A-Z][\w’'-]+) (?:dissents|concurs)\b[^.;]*? in (?:an?|another)"
    r" (?:separate |concurring |dissenting )*opinion"
)


@cache
def opinion_in(path: Path) -> Opinion:
    return load_opinion(path)


def surname(author: str | None) -> str:
    words = re.sub(r"\b(?:Acting|Chief|Judge)\b|,.*", "", author or "").split()
    return words[-1].split(".")[-1].upper() if words else ""


def body(read: Opinion) -> list[str]:
    return [f"{p.kind} {surname(p.author)}".strip() for p in read.parts if p.footnote is None and p.kind != "front"]


@pytest.mark.parametrize("path", DEV, ids=lambda path: path.stem)
def test_parts_are_those_a_person_found(path: Path) -> None:
    read = opinion_in(path)
    parts, notes = EXPECTED[path.stem]
    assert body(read) == [re.sub(r" (\w+)", lambda name: " " + name[1].upper(), part) for part in parts.split(", ")]
    owners = [part.kind for part in read.parts if part.footnote]
    assert owners == [kind for count, kind in re.findall(r"(\d+) (\w+)", notes) for _ in range(int(count))]


@pytest.mark.parametrize("path", [*DEV, *MARKDOWN, *HTML], ids=lambda path: path.stem[:40])
def test_parts_and_passages_cover_the_text_and_no_mark_is_left(path: Path) -> None:
    read = opinion_in(path)
    assert [part.start for part in read.parts] == [0, *(part.end for part in read.parts[:-1])]
    assert read.parts[-1].end == len(read.text)
    position = 0
    for passage in read.passages:
        assert not read.text[position : passage.start].strip()
        assert passage.text == read.text[passage.start : passage.end]
        assert len(passage.text.split()) <= MAX_WORDS
        part = read.part(passage.part)
        assert part.start <= passage.start < passage.end <= part.end
        position = passage.end
    assert not read.text[position:].strip()
    assert not re.search(r"\[FN|\{\*\*|\[\*\d|\]\(https?:|\r|\n\n\n|  |^Footnote \d|<[a-z]+>", read.text)


@pytest.mark.parametrize("path", [*DEV, *MARKDOWN], ids=lambda path: path.stem)
def test_judges_who_write_apart_have_their_opinion_and_pages_rise(path: Path) -> None:
    read = opinion_in(path)
    authors = {name for part in read.parts for name in (part.author or "").upper().replace(",", "").split()}
    closing = " ".join(read.text[part.start : part.end] for part in read.parts if part.kind == "closing")
    missing = {name.upper() for name in WRITES.findall(closing)} - authors
    assert {(path.stem, name) for name in missing} <= NOT_IN_THE_FILE
    end = max(part.end for part in read.parts if part.footnote is None)
    for reporter in (True, False):
        pages = [mark.page for mark in read.pages if mark.reporter is reporter and mark.offset < end]
        numbers = [int(found[0]) for page in pages if (found := re.findall(r"\d+$", page))]
        assert path.stem in PAGE_MISPRINTED or all(this <= following for this, following in pairwise(numbers))


def test_nearly_every_sampled_file_of_the_court_has_front_majority_and_closing() -> None:
    kinds = {path.stem: {part.kind for part in opinion_in(path).parts} for path in MARKDOWN}
    without = [stem for stem, found in kinds.items() if not {"front", "majority", "closing"} <= found]
    assert len(without) <= len(MARKDOWN) // 50
