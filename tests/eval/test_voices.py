"""The bench of false support: what its layouts hold, and that the default panel keeps to the Court's own words."""

from __future__ import annotations

import pytest

from parcel_agents.eval.voices import case
from parcel_agents.eval.voices.bench import forms
from parcel_agents.eval.voices.case import OTHERS, OWN, RESERVED, Said
from parcel_agents.eval.voices.layouts import LAYOUTS, Page
from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Opinion

PAGES = [layout() for layout in LAYOUTS]
SEPARATE = {"syllabus", "concurrence", "dissent"}


def read(page: Page) -> Opinion:
    return parse_opinion(page.text, suffix=page.suffix)


def kind_of(opinion: Opinion, sentence: str) -> str:
    place = opinion.text.index(sentence)
    return next(part.kind for part in opinion.parts if part.start <= place < part.end)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_separate_writing_is_read_as_the_courts(page: Page) -> None:
    opinion = read(page)
    held = [said for said in OTHERS if said.voice in SEPARATE - page.without]
    assert held
    kinds = {said.voice: {kind_of(opinion, one.sentence) for one in held if one.voice == said.voice} for said in held}
    assert not any("majority" in found for found in kinds.values()), kinds


@pytest.mark.parametrize("page", [page for page in PAGES if "court" not in page.without], ids=lambda page: page.name)
def test_the_courts_own_words_are_read_as_the_courts(page: Page) -> None:
    opinion = read(page)
    assert {kind_of(opinion, said.sentence) for said in OWN} == {"majority"}


def test_a_section_that_the_head_reserves_is_a_pluralitys() -> None:
    (page,) = (page for page in PAGES if page.reserved)
    assert {kind_of(read(page), said.sentence) for said in RESERVED} == {"plurality"}


@pytest.mark.parametrize("said", [*OTHERS, *OWN], ids=lambda said: said.point[:40])
def test_a_claim_names_nobody_whose_words_they_are(said: Said) -> None:
    assert all(
        name not in claim for claim in forms(said) for name in ("argues", "contends", "According to", "held that")
    )


def test_the_bench_has_the_claims_and_layouts_that_were_asked_for() -> None:
    claims = [claim for page in PAGES for said in OTHERS if said.voice not in page.without for claim in forms(said)]
    assert len(claims) >= 200
    assert len(PAGES) >= 10
    assert case.NAME == "Quist v. Harbor Board"
