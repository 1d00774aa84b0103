from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from fakes.traces import COURT, DISSENT, authority, every_status, evidence, hostile, opinion, verdict
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from parcel_agents.errors import InputError
from parcel_agents.traces import TraceBook, from_verdicts
from parcel_agents.traces.building import trace_of, traced
from parcel_agents.traces.cites import cite_of
from parcel_agents.traces.finding_words import differing, words_in
from parcel_agents.traces.graph import as_graphml, trace_graph
from parcel_agents.traces.model import BriefPlace, Trace
from parcel_agents.traces.schema import read_book, schema_text, trace_schema
from parcel_agents.types import Span

SCHEMA = Path(__file__).parents[2] / "docs" / "trace.schema.json"


def test_the_published_schema_is_that_of_the_model() -> None:
    hint = "make it again: parcel-agents trace --schema > docs/trace.schema.json"
    assert SCHEMA.read_text(encoding="utf-8") == schema_text(), hint


def test_a_book_has_every_field_that_the_schema_requires() -> None:
    schema = trace_schema()
    row = json.loads(every_status().model_dump_json())
    assert set(schema["required"]) <= set(row)
    for name, key in (("Trace", "traces"),):
        for one in row[key]:
            assert set(schema["$defs"][name]["required"]) <= set(one) == set(schema["$defs"][name]["properties"])


@pytest.mark.parametrize("book", [every_status(), hostile()], ids=["every", "hostile"])
def test_a_book_survives_a_file(book: TraceBook, tmp_path: Path) -> None:
    (tmp_path / "trace.json").write_text(book.model_dump_json(), encoding="utf-8")
    assert read_book(tmp_path / "trace.json") == book


@pytest.mark.parametrize("text", ["", "[]", "{", '{"schema_version": 2}', '{"schema_version": 1}'])
def test_another_file_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "trace.json").write_text(text)
    with pytest.raises(InputError, match=r"trace\.json"):
        read_book(tmp_path / "trace.json")


def test_the_changed_words_are_marked_in_claim_and_opinion() -> None:
    read = opinion()
    claim = "(holding that an officer may not open the bow locker of a moored boat before the owner has been asked)"
    reversed_claim = claim.replace("may not", "may").replace("bow", "stern")
    (defect,) = trace_of(1, verdict(read, reversed_claim, "refuted", relation="contradicts"), read).defects
    assert defect.check == "altered"
    assert [reversed_claim[span.start : span.end] for span in defect.in_claim] == ["may open"]
    assert [read.text[span.start : span.end] for span in defect.in_opinion] == ["may not open"]
    # No vote gives this as its reason: the panel has not said it.
    assert defect.said_by == ()


def test_who_has_voted_on_a_defect_is_told() -> None:
    read = opinion()
    claim = "(holding that eleven bags held 640 pounds of oysters)"
    reason = "the opinion gives no figure 640"
    found = trace_of(1, verdict(read, claim, "not_found", reason=reason), read)
    defect = next(one for one in found.defects if one.reason == reason)
    assert defect.said_by == ("checks", "a-model")
    assert [claim[span.start : span.end] for span in defect.in_claim] == ["640"]


def test_what_could_not_be_checked_is_no_abstention() -> None:
    read = opinion()
    failed = trace_of(1, verdict(read, "(holding that it is so)", None, error="no vote from a-model"), read)
    assert (failed.status, failed.why) == ("could_not_check", "no vote from a-model")
    with pytest.raises(ValidationError, match="cannot be undecided"):
        Trace.model_validate({**failed.model_dump(), "status": "undecided"})
    with pytest.raises(ValidationError, match="does not go with label"):
        Trace.model_validate({**failed.model_dump(), "status": "supported"})


def test_nobody_having_looked_nothing_is_found() -> None:
    read = opinion()
    unread = verdict(read, '(holding that "640 pounds of oysters are five words")', None, error="too short")
    found = trace_of(1, unread.model_copy(update={"votes": ()}), read)
    assert (found.defects, found.quotations) == ((), ())


def test_a_quotation_is_marked_where_it_differs() -> None:
    read = opinion()
    claim = '(noting that "a silent record counts for them" and "the tide was high, and gulls walked")'
    quotations = trace_of(1, verdict(read, claim, None), read).quotations
    assert [one.status for one in quotations] == ["altered", "altered"]
    assert [[claim[s.start : s.end] for s in one.in_claim] for one in quotations] == [["for"], ["high"]]
    assert [[read.text[s.start : s.end] for s in one.in_opinion] for one in quotations] == [["against"], ["low"]]


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("held 30 of 130 bags", "30", "30"),
        ("held 130 bags", "30", "30"),  # no whole word: better inside another than nowhere
        ("may\n not  open", "may not open", "may\n not  open"),
        ("“quoted.” and", "“quoted.”", "“quoted.”"),
        ("anything", "", None),
        ("anything", "else", None),
    ],
)
def test_words_are_found_whole_whatever_the_white_space(text: str, words: str, found: str | None) -> None:
    span = words_in(text, words)
    assert (text[span.start : span.end] if span else None) == found
    assert words_in(text, words, Span(start=len(text), end=len(text))) is None


def test_only_what_differs_is_left() -> None:
    assert differing("the stern locker was", "the bow locker was") == ("stern", "bow")
    assert differing("was not asked", "was asked") == ("was not asked", "was asked")


@given(st.lists(st.sampled_from("abc"), max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
def test_what_differs_stands_in_both(one: list[str], other: list[str]) -> None:
    left, right = differing(" ".join(one), " ".join(other))
    assert left in " ".join(one)
    assert right in " ".join(other)


def test_traces_are_chosen_by_id_or_number() -> None:
    book = every_status()
    assert [one.number for one in book.chosen("c2")] == [2]
    assert [one.claim_id for one in book.chosen("7")] == ["c7"]
    assert book.chosen("none") == ()
    assert book.only(book.chosen("c7")).opinions == {}


def test_ids_of_opinions_must_be_known() -> None:
    book = every_status()
    with pytest.raises(ValidationError, match="which is not there"):
        TraceBook.model_validate({**book.model_dump(), "opinions": {}})


PLACES: list[tuple[str, BriefPlace | None, str]] = [
    (COURT, None, "People v Marlowe, 97 NY3d 210, 211 [2024]"),
    (DISSENT, None, "People v Marlowe, 97 NY3d 210, 212 [2024] [Quist, J., dissenting]"),
    # As a brief names it; another reporter's pages are said in full.
    (
        COURT,
        authority(cite="7 AD4th 9", court="5th Dept"),
        "People v Marlowe, 7 AD4th 9, 97 NY3d at 211 [5th Dept 2024]",
    ),
    (COURT, authority(name="Marlowe", cite="88 N.E.4th 7"), "Marlowe, 88 N.E.4th 7, 97 NY3d at 211 (2024)"),
]


@pytest.mark.parametrize(("words", "place", "cite"), PLACES)
def test_a_cite_has_page_year_and_separate_opinion(words: str, place: BriefPlace | None, cite: str) -> None:
    read = opinion()
    assert cite_of(evidence(read, words, "supports"), traced(read), place) == cite


@pytest.mark.parametrize(
    ("page", "cite", "shown"),
    [
        ("*215", "321 F.3d 200", "321 F.3d 200, 215"),
        ("*2095", "576 U.S. 1", "576 U.S. 1"),  # pages of another reporter: none is better than a wrong one
        ("*3", "2024 NY Slip Op 01234", "2024 NY Slip Op 01234, *3"),
        (None, "321 F.3d 200", "321 F.3d 200"),
    ],
)
def test_a_page_is_cited_only_where_it_can_be_the_cites(page: str | None, cite: str, shown: str) -> None:
    read = opinion()
    found = evidence(read, COURT, "supports").model_copy(update={"page": page})
    assert cite_of(found, traced(read), authority(name=None, cite=cite, year=None)).startswith(
        f"People v Marlowe, {shown}"
    )
    assert (
        cite_of(found, traced(read), authority(name="A v B", cite=cite)).split(" [")[0].split(" (")[0]
        == f"A v B, {shown}"
    )


def test_what_stands_before_the_opinion_has_no_cite() -> None:
    read = opinion()
    assert cite_of(evidence(read, "Fictional; no such case exists.", "nearest"), traced(read)) == ""


def test_the_graph_has_claims_passages_verifiers_and_verdicts() -> None:
    graph = trace_graph(every_status())
    kinds = [kind for _, kind in graph.nodes(data="kind")]
    counts = {kind: kinds.count(kind) for kind in ("claim", "passage", "verifier", "verdict")}
    # Five verdicts rest on one sentence; two verifiers voted on all of them.
    assert counts == {"claim": 7, "passage": 1, "verifier": 2, "verdict": 7}
    edges = {
        (kind, label) for _, _, kind, label in ((*e[:2], e[2]["kind"], e[2]["label"]) for e in graph.edges(data=True))
    }
    assert {
        ("rests_on", "contradicts"),
        ("votes_on", "timeout"),
        ("votes_on", "abstained"),
        ("has", "verdict"),
    } <= edges


@pytest.mark.parametrize("book", [every_status(), hostile()], ids=["every", "hostile"])
def test_the_graph_is_xml(book: TraceBook) -> None:
    root = ET.fromstring(as_graphml(book))
    assert len(root.findall(".//{*}node")) == trace_graph(book).number_of_nodes()


def test_verdicts_become_a_book_in_their_order() -> None:
    read = opinion()
    said = [verdict(read, f"({COURT[8:-1]})", "supported", id=id) for id in ("b", "a")]
    book = from_verdicts([read], said, title="two")
    assert [(one.number, one.claim_id) for one in book.traces] == [(1, "b"), (2, "a")]
    assert list(book.opinions) == [read.id]
