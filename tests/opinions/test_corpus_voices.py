"""What real opinions must give: forms of opinions, dispositions and courts below as a person reads them, headings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parcel_agents.opinions.reported import attributions
from parcel_agents.types import Opinion

# By reading each: the form of its opinions, what became of the appeal, the court below and what it had done
# (empty where the opinion has no plain sentence that says so).
READ = {
    "2024_00097": ("", "reversed dismissed", "Appellate Division", "affirmed"),
    "2024_00850": ("", "reversed", "Appellate Division", ""),
    "2024_01582": ("", "affirmed", "Appellate Term", "reversed"),
    "2024_02125": ("concurrence in_result", "reversed", "Appellate Division", ""),
    "2024_02128": ("", "reversed", "Appellate Division", "affirmed"),
    "2024_02129": ("", "reversed", "Appellate Division", "affirmed"),
    "2024_02227": ("", "reversed remitted", "Appellate Division", "reversed"),
    "2024_02767": ("", "reversed dismissed", "Appellate Division", "affirmed"),
    "2024_03319": ("", "reversed remitted", "Appellate Division", "affirmed"),
    "2024_05132": ("", "reversed", "Appellate Division", "affirmed"),
    "2024_05175": ("", "affirmed", "Appellate Division", "affirmed"),
    "2024_05243": ("concurrence in_result", "affirmed", "Appellate Division", ""),
    "2025_00184": ("majority memorandum", "affirmed", "Appellate Division", "affirmed"),
    "2025_00901": ("majority memorandum", "affirmed", "Appellate Division", ""),
    "2025_01008": ("majority memorandum", "affirmed", "Appellate Division", ""),
    "2025_01405": ("", "affirmed", "Appellate Term", "affirmed"),
    "2025_02100": ("", "reversed reinstated", "County Court", "reversed reinstated remitted"),
    "2025_03692": ("majority memorandum", "affirmed", "Appellate Division", "affirmed"),
    "2025_05739": ("", "affirmed", "Appellate Division", "dismissed"),
    "2025_06535": ("", "affirmed", "Appellate Term", "affirmed"),
}

# Independent of the reader: a line of the file that begins with a judge and "(dissenting" or "(concurring".
_PAGE_MARK = re.compile(r"\^?(?:\[\d+\])?\[FN[^\]]*\]|\{[^{}]*\}|\[\\?\*+\d+\]|\*")
_HEADING = re.compile(
    r"^(?=[^()\n]*(?:\bJJ?\.|\bJudge\b))[A-Z][^()\n]{1,60}\((?:dissenting|concurring)\b(?![^)]*\bop\b)[^)\n]*\)[.:]?"
)


def raw_headings(path: Path) -> list[str]:
    lines = (_PAGE_MARK.sub("", line).strip() for line in path.read_text(encoding="utf-8").split("\n"))
    return [found.group() for line in lines if (found := _HEADING.match(line))]


@pytest.mark.parametrize("stem", READ)
def test_form_disposition_and_court_below_are_those_a_person_reads(shared_data: Path, stem: str) -> None:
    opinion = Opinion.load(shared_data / "parcel_dev" / "opinions" / f"{stem}.md")
    form, disposition, court, did = READ[stem]
    assert " ".join(f"{p.kind} {p.form}" for p in opinion.parts if p.form and p.footnote is None) == form
    assert opinion.disposition is not None
    assert opinion.court_below is not None
    assert opinion.disposition.words == tuple(disposition.split())
    assert opinion.court_below.name == court
    assert opinion.court_below.did == tuple(did.split())
    assert Opinion.model_validate_json(opinion.model_dump_json()) == opinion


@pytest.mark.slow
def test_every_heading_of_a_separate_opinion_begins_a_part(shared_data: Path) -> None:
    files = sorted([*shared_data.glob("ny_coa/*/*.md"), *shared_data.glob("parcel_dev/opinions/*.md")])
    assert len(files) == 1314
    headings = 0
    lost = []
    for path in files:
        expected = raw_headings(path)
        if not expected:
            continue
        headings += len(expected)
        opinion = Opinion.load(path)
        begins = [re.sub(r"\W", "", opinion.text[p.start : p.start + 400]) for p in opinion.parts if p.footnote is None]
        lost += [(path.stem, line) for line in expected if not any(re.sub(r"\W", "", line) in b for b in begins)]
    assert headings >= 500
    assert lost == []


def test_reported_speech_lies_within_parts_and_its_cue_within_it(shared_data: Path) -> None:
    for path in sorted(shared_data.glob("parcel_dev/opinions/*.md")):
        opinion = Opinion.load(path)
        found = attributions(opinion)
        assert any(one.source == "court_below" for one in found) or any(one.source == "party" for one in found)
        for one in found:
            part = next(part for part in opinion.parts if part.start <= one.start < part.end)
            assert part.kind not in {"front", "closing"}
            assert one.end <= part.end
            assert opinion.text[one.start : one.end].strip()
