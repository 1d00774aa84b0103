"""How well citations are read: against patterns of its own, which know nothing of the parser.

Years: a cite as plain text shows it (number, capitalised words, number, pages), directly followed by a bracket that
ends with a year. Parentheticals: a square bracket that begins with a word in -ing, behind such a bracket; its end is
found by counting square brackets; and the same behind a short form or `id.`. Where no cite of that plain form stands
before the year, as behind a book, the parenthetical is counted apart.
"""

from __future__ import annotations

import json
import logging
import re
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parcel_agents.citations.model import Citation
from parcel_agents.citations.read import read_citations
from parcel_agents.eval.reading import opinion_files
from parcel_agents.types import Opinion

_PLAIN_CITE = (
    r"(?<![\w.])(?P<cite>\d{1,4} [A-Z][\w.'’&]*(?: (?!at )[A-Z0-9&][\w.'’&]*){0,5}?,? \d{1,6})"
    r"(?P<pins>(?:,? (?:and |& |at )?[\d–*-]+(?: nn? [\d, –-]*\d)?| n(?= ))*)"
)
_YEAR_BRACKET = r"[\[(](?:[^\[\]()]{0,80}?[ ,])?(?P<year>1[6-9]\d\d|20\d\d)[\])]"
_YEAR = re.compile(rf"{_PLAIN_CITE} {_YEAR_BRACKET}")
_PARTICIPLE = re.compile(
    r"[\[(](?:[^\[\]()]{0,80}?[ ,])?(?:1[6-9]\d\d"
    r"|20\d\d)(?:,[^\[\]()]{0,60})?[\])],? (?P<open>\[)(?:[a-z]+ly )?[A-Za-z]+ing\b"
)
_BACKWARD_PARTICIPLE = re.compile(
    r"(?:(?<![\w.])\d{1,4} [A-Z][\w.]*(?: [A-Z0-9][\w.]*){0,3} at [\d–, *-]*\d(?: nn? \d+)?"
    r"|\b[Ii]d\.(?: at [\d, –-]*\d)?)"
    r" (?P<open>\[)(?:[a-z]+ly )?[a-z]+ing\b"
)
_CITE_BEFORE = re.compile(rf"{_PLAIN_CITE},?\s*\Z")
ROUNDS = 5
SPEED_KB = 400
"""Thousands of characters on which speed is measured: a few seconds of eyecite a round."""


@dataclass
class Measured:
    """Hits and misses of one measure; a miss is told by the words around its place."""

    total: int = 0
    hits: int = 0
    misses: list[str] = field(default_factory=list)

    def add(self, hit: bool, miss: str) -> None:
        """Count one case."""
        self.total += 1
        self.hits += hit
        if not hit:
            self.misses.append(" ".join(miss.split()))

    def row(self, measure: str) -> dict[str, Any]:
        """The figures for a table."""
        share = self.hits / self.total if self.total else float("nan")
        return {"measure": measure, "total": self.total, "hits": self.hits, "share": share, "misses": self.misses}


def measure_citations(
    texts: Sequence[tuple[str, str]], step: Callable[[], None] = lambda: None
) -> list[dict[str, Any]]:
    """A row per measure over texts, given as (name, text): years and parentheticals in brackets.

    Each row holds `total`, `hits`, `share` (nan of nothing) and its misses.
    """
    years, parentheticals, no_cite, backward = Measured(), Measured(), Measured(), Measured()
    for name, text in texts:
        citations = read_citations(text)
        _check_years(name, text, citations, years)
        _check_participles(name, text, citations, parentheticals, no_cite)
        _check_backward(name, text, citations, backward)
        step()
    return [
        years.row("year"),
        parentheticals.row("participle parenthetical"),
        backward.row("participle parenthetical of a short form or id."),
        no_cite.row("participle parenthetical of no reporter cite"),
    ]


def measure_listed(texts: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Are all brackets that begin with a participle kept, be it behind a citation that is not read?"""
    listed = Measured()
    for name, text in texts:
        _check_listed(name, text, read_citations(text), listed)
    return listed.row("participle parenthetical listed, checked or not")


def measure_natural(file: Path, texts: dict[str, str]) -> dict[str, Any]:
    """Parentheticals of a file of known ones, by the stem of the citing opinion's file: found with their cite?"""
    measured = Measured()
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        # Of a few rows the citing opinion is not at hand; the words around the parenthetical are.
        text = texts.get(row["citing"]) or row["context"]
        citations = read_citations(text)
        wanted = _plain(row["parenthetical"])
        found = [one for one in citations if any(_plain(p.text) == wanted for p in one.parentheticals)]
        cites = {cite for one in found for cite in _cites_of(one, citations)}
        measured.add(row["cited_cite"] in cites, f"{row['citing']} {row['cited_cite']} {sorted(cites)}: {wanted}")
    return measured.row("natural parentheticals")


def measure_speed(texts: Sequence[str], rounds: int = ROUNDS) -> dict[str, Any]:
    """KB/s (1,000 characters) of eyecite's `get_citations` and of our parser on the same texts, by turns; medians."""
    from eyecite import get_citations

    # It tells of each overlap that it does not know, which is no matter here.
    logging.getLogger("eyecite").setLevel(logging.ERROR)
    size = sum(map(len, texts)) / 1000
    get_citations("1 U.S. 1")  # the tables are loaded once
    read_citations("1 U.S. 1")
    theirs, ours = [], []
    for _ in range(rounds):
        theirs.append(_seconds(get_citations, texts))
        ours.append(_seconds(read_citations, texts))
    ratio = statistics.median(a / b for a, b in zip(theirs, ours, strict=True))
    return {
        "measure": "speed",
        "texts": len(texts),
        "kb": round(size),
        "eyecite_kb_per_s": round(size / statistics.median(theirs), 1),
        "kb_per_s": round(size / statistics.median(ours), 1),
        "ratio": round(ratio, 2),
    }


def measure_folders(
    folders: Sequence[Path],
    natural: Path | None = None,
    *,
    speed_kb: int = SPEED_KB,
    step: Callable[[], None] = lambda: None,
) -> list[dict[str, Any]]:
    """All measures over the opinions below some folders, a row each.

    Args:
        folders: searched with what is below.
        natural: a file of known parentheticals of these opinions (`citing`, `cited_cite`, `parenthetical`, `context`).
        speed_kb: how much text, from opinions spread over all, speed is measured on; none if 0.
        step: called after each opinion.
    """
    texts = [(file.stem, Opinion.load(file).text) for file in opinion_files(folders) if file.suffix == ".md"]
    rows = [*measure_citations(texts, step), measure_listed(texts)]
    if natural is not None:
        rows.append(measure_natural(natural, dict(texts)))
    if speed_kb:
        mean_kb = sum(len(text) for _, text in texts) / len(texts) / 1000
        every = max(1, int(len(texts) * mean_kb / speed_kb))
        rows.append(measure_speed([text for _, text in texts[::every]]))
    return rows


def _seconds(read: Callable[[str], object], texts: Sequence[str]) -> float:
    started = time.perf_counter()
    for text in texts:
        read(text)
    return time.perf_counter() - started


def _check_years(name: str, text: str, citations: Sequence[Citation], measured: Measured) -> None:
    for match in _YEAR.finditer(text):
        year = int(match["year"])
        hit = any(one.year == year for one in _at(citations, match.start("cite"), match["cite"]))
        measured.add(hit, f"{name}: {text[max(0, match.start() - 60) : match.end() + 10]}")


def _check_participles(
    name: str, text: str, citations: Sequence[Citation], measured: Measured, no_cite: Measured
) -> None:
    held = _held(citations)
    for match in _PARTICIPLE.finditer(text):
        opening = match.start("open")
        closing = _closing(text, opening)
        before = _CITE_BEFORE.search(text, max(0, match.start() - 120), match.start())
        citation = held.get((opening + 1, closing)) if closing is not None else None
        miss = f"{name}: {text[max(0, match.start() - 60) : opening + 60]}"
        if before is None:
            no_cite.add(citation is not None, miss)
        else:
            tied = citation is not None and citation in _at(citations, before.start("cite"), before["cite"])
            measured.add(tied, miss)


def _check_backward(name: str, text: str, citations: Sequence[Citation], measured: Measured) -> None:
    held = _held(citations)
    for match in _BACKWARD_PARTICIPLE.finditer(text):
        closing = _closing(text, match.start("open"))
        one = held.get((match.start("open") + 1, closing)) if closing is not None else None
        hit = one is not None and one.start <= match.end("open") and one.end > match.start()
        measured.add(hit, f"{name}: {text[max(0, match.start() - 60) : match.end() + 40]}")


def _check_listed(name: str, text: str, citations: Sequence[Citation], measured: Measured) -> None:
    kept = {p.start for one in citations for p in one.parentheticals}
    for pattern in (_PARTICIPLE, _BACKWARD_PARTICIPLE):
        for match in pattern.finditer(text):
            place = match.start("open")
            measured.add(place + 1 in kept, f"{name}: {text[max(0, place - 60) : place + 60]}")


def _held(citations: Sequence[Citation]) -> dict[tuple[int, int], Citation]:
    """The citation that carries each parenthetical; what is in a form that is not read carries none."""
    return {(p.start, p.end): one for one in citations if one.kind != "unread" for p in one.parentheticals}


def _closing(text: str, opening: int) -> int | None:
    depth = 0
    for place in range(opening, min(len(text), opening + 6000)):
        depth += (text[place] == "[") - (text[place] == "]")
        if depth == 0:
            return place
    return None


def _at(citations: Sequence[Citation], place: int, cite: str) -> list[Citation]:
    """The citations of this cite at this place."""
    return [
        one
        for one in citations
        if one.start <= place < one.end and _plain(cite) in {_plain(c) for c in (one.cite, *one.parallel)}
    ]


def _cites_of(citation: Citation, citations: Sequence[Citation]) -> set[str]:
    full = citations[citation.authority] if citation.authority is not None else citation
    return {citation.cite, *citation.parallel, full.cite, *full.parallel}


def _plain(words: str) -> str:
    return re.sub(r"[\s,]+", " ", words).strip()
