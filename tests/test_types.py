from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from parcel_agents.types import (
    LABELS,
    Certificate,
    Claim,
    Evidence,
    EvidenceRef,
    Hit,
    Opinion,
    PageMark,
    Part,
    Passage,
    Resolution,
    Span,
    Usage,
    Verdict,
    Vote,
)

texts = st.text(st.characters(codec="utf-8"), max_size=40)
shares = st.floats(0, 1)
labels = st.sampled_from([*LABELS, None])
spans = st.tuples(st.integers(0, 500), st.integers(0, 500)).map(sorted)
refs = st.builds(
    lambda span, relation: EvidenceRef(passage="p1", start=span[0], end=span[1], relation=relation),
    spans,
    st.sampled_from(["supports", "contradicts", "nearest"]),
)
evidence = st.builds(
    lambda ref, text, page: Evidence(**ref.model_dump(), text=text, part="majority", voice="majority", page=page),
    refs,
    texts,
    st.none() | texts,
)
votes = st.builds(
    Vote,
    verifier=texts,
    outcome=st.just("ok"),
    label=labels,
    confidence=st.none() | shares,
    reason=texts,
    evidence=st.lists(refs, max_size=3).map(tuple),
    read=st.lists(texts, max_size=3).map(tuple),
    usage=st.builds(Usage, input_tokens=st.integers(0), cached_tokens=st.integers(0), output_tokens=st.integers(0)),
    latency_s=st.floats(0, 1e6),
)


@st.composite
def verdicts(draw: st.DrawFn) -> Verdict:
    label = draw(labels)
    return Verdict(
        claim_id=draw(texts),
        claim=draw(texts),
        opinion_id=draw(st.none() | texts),
        label=label,
        status="decided" if label else "abstained",
        confidence=draw(st.none() | shares),
        policy=draw(texts),
        reason=draw(texts),
        error=None if label else draw(st.none() | texts),
        evidence=tuple(draw(st.lists(evidence, max_size=3))),
        votes=tuple(draw(st.lists(votes, max_size=3))),
        certificate=draw(
            st.none() | st.builds(Certificate, read_by=st.dictionaries(texts, st.tuples(texts)), coverage=shares)
        ),
    )


@given(verdicts())
def test_verdict_survives_json(verdict: Verdict) -> None:
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict


@given(
    st.builds(
        Hit, passage=texts, rank=st.integers(1), score=st.floats(-1e9, 1e9), scores=st.dictionaries(texts, shares)
    )
)
def test_hit_survives_json(hit: Hit) -> None:
    assert Hit.model_validate_json(hit.model_dump_json()) == hit


@given(st.builds(Resolution, label=labels, reason=texts, confidence=st.none() | shares, missing=st.tuples(texts)))
def test_resolution_survives_json(resolution: Resolution) -> None:
    assert Resolution.model_validate_json(resolution.model_dump_json()) == resolution


@pytest.mark.parametrize("outcome", ["refused", "truncated", "timeout", "auth", "error", "unparseable"])
def test_only_an_ok_vote_carries_a_label(outcome: str) -> None:
    with pytest.raises(ValidationError, match="cannot carry the label"):
        Vote(verifier="v", outcome=outcome, label="supported")


def test_a_claim_that_could_not_be_checked_has_no_label() -> None:
    with pytest.raises(ValidationError, match="could not be checked"):
        Verdict(
            claim_id="c",
            claim="x",
            opinion_id=None,
            label="supported",
            status="decided",
            policy="majority",
            reason="",
            error="no vote",
        )


def test_an_abstention_has_no_label_and_a_decision_has_one() -> None:
    for label, status in (("supported", "abstained"), (None, "decided")):
        with pytest.raises(ValidationError, match="does not go with"):
            Verdict(claim_id="c", claim="x", opinion_id=None, label=label, status=status, policy="", reason="")


def test_values_are_frozen_and_unknown_fields_are_errors() -> None:
    claim = Claim.of("(holding that the boat was moored)")
    with pytest.raises(ValidationError):
        claim.text = "other"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Claim(id="a", text="b", colour="red")  # type: ignore[call-arg]


def test_a_claims_id_depends_on_its_text_alone() -> None:
    assert Claim.of("(a b)").id == Claim.of("(a b)").id != Claim.of("(a c)").id
    assert Claim.of("(a b)", "mine").id == "mine"


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [((0, 5), (5, 9), False), ((0, 6), (5, 9), True), ((5, 5), (0, 9), True), ((7, 9), (0, 7), False)],
)
def test_spans_overlap_if_they_share_a_character(a: tuple[int, int], b: tuple[int, int], expected: bool) -> None:
    first, second = Span(start=a[0], end=a[1]), Span(start=b[0], end=b[1])
    if a[0] < a[1]:
        assert first.overlaps(second) is expected
        assert second.overlaps(first) is expected


def make_opinion(pages: tuple[PageMark, ...]) -> Opinion:
    text = "x" * 100
    part = Part(id="majority", kind="majority", start=0, end=100)
    passage = Passage(id="p1", part="majority", start=0, end=100, text=text)
    return Opinion(id="o", text=text, parts=(part,), passages=(passage,), pages=pages)


def test_a_reporters_page_is_preferred_to_the_slip_opinions() -> None:
    pages = (
        PageMark(offset=10, page="97 NY3d at 212", reporter=True),
        PageMark(offset=30, page="*2", reporter=False),
        PageMark(offset=50, page="97 NY3d at 213", reporter=True),
    )
    opinion = make_opinion(pages)
    # Before the first mark nothing is known; a mark's own character is on the new page.
    assert [opinion.page_at(at) for at in (0, 9, 10, 35, 49, 50, 99)] == [
        None,
        None,
        "97 NY3d at 212",
        "97 NY3d at 212",
        "97 NY3d at 212",
        "97 NY3d at 213",
        "97 NY3d at 213",
    ]
    assert make_opinion(pages[1:2]).page_at(35) == "*2"
    assert make_opinion(()).page_at(35) is None


@pytest.mark.parametrize(
    ("pages", "told"),
    [
        (("97 NY3d at 212", "97 NY3d at 213"), "97 NY3d at 212-213"),
        (("*838", "*839"), "*838-839"),
        (("97 NY3d at 299", "*4"), "97 NY3d at 299 to *4"),
        (("97 NY3d at 212", "98 NY3d at 213"), "97 NY3d at 212 to 98 NY3d at 213"),
    ],
)
def test_a_stretch_over_a_page_break_has_both_pages(pages: tuple[str, str], told: str) -> None:
    marks = tuple(PageMark(offset=at, page=page, reporter=False) for at, page in zip((10, 50), pages, strict=True))
    opinion = make_opinion(marks)
    assert opinion.pages_of(20, 60) == told
    assert opinion.pages_of(20, 50) == pages[0]
    assert opinion.pages_of(50, 60) == pages[1]
    assert opinion.pages_of(0, 60) is None


def test_the_id_stands_for_all_but_the_source() -> None:
    opinion = make_opinion((PageMark(offset=1, page="*1", reporter=False),)).identified()
    assert opinion.identified().id == opinion.id
    assert opinion.model_copy(update={"source": "other.md"}).identified().id == opinion.id
    dissent = tuple(part.model_copy(update={"kind": "dissent"}) for part in opinion.parts)
    for change in ({"text": f"y{opinion.text[1:]}"}, {"pages": ()}, {"parts": dissent}, {"citation": "97 NY3d 210"}):
        assert opinion.model_copy(update=change).identified().id != opinion.id


def test_an_opinion_survives_json_and_equals_itself_after_look_ups() -> None:
    opinion = make_opinion((PageMark(offset=1, page="*1", reporter=False),))
    opinion.passage("p1")
    opinion.page_at(5)
    assert Opinion.model_validate_json(opinion.model_dump_json()) == opinion


@pytest.mark.parametrize(
    ("part", "voice"),
    [
        (Part(id="a", kind="majority", author="Ferris, J.", start=0, end=1), "majority (Ferris, J.)"),
        (
            Part(id="a", kind="dissent", author="Quist, J.", footnote="2", start=0, end=1),
            "dissent (Quist, J.), footnote 2",
        ),
        (Part(id="a", kind="mixed", start=0, end=1), "concurrence in part, dissent in part"),
    ],
)
def test_a_part_says_whose_voice_it_is(part: Part, voice: str) -> None:
    assert part.voice == voice
