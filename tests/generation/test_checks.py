from __future__ import annotations

import pytest
from fakes.generator import decision

from parcel_agents.generation.checks import find_fault, form_fault
from parcel_agents.generation.model import LABEL_OF, Candidate, Strategy
from parcel_agents.opinions import parse_opinion
from parcel_agents.retrievers.bm25 import BM25Index
from parcel_agents.types import Span

INDEX = BM25Index(parse_opinion(decision("Marlowe"), suffix=".md"))
ALONE = BM25Index(parse_opinion(decision("Marlowe", dissent=False), suffix=".md"))
SOMEWHERE = (Span(start=0, end=40),)


def false(strategy: Strategy, claim: str, old: str = "", new: str = "", source: str = "") -> Candidate:
    label = LABEL_OF[strategy]
    return Candidate(
        opinion_id="marlowe", claim=claim, label=label, strategy=strategy, changed_from=old, changed_to=new,
        source=source, evidence=SOMEWHERE if label == "refuted" else (), made_by="test",
    )  # fmt: skip


def true(claim: str, evidence: tuple[Span, ...] = SOMEWHERE) -> Candidate:
    return Candidate(opinion_id="marlowe", claim=claim, label="supported", evidence=evidence, made_by="test")


def rule(candidate: Candidate, index: BM25Index = INDEX) -> str | None:
    fault = find_fault(candidate, index)
    return fault.rule if fault else None


@pytest.mark.parametrize(
    ("claim", "rule"),
    [
        ("(holding that a cook on watch may waive a search of the galley)", None),
        ("(noting (as the clerk had) that a cook on watch may waive the search)", None),
        ("holding that a cook on watch may waive a search of the galley", "not in brackets"),
        ("(holding that) a cook on watch may waive (a search of the galley)", "not in brackets"),
        ("(holding that a cook on watch may waive a search)) of it", "not in brackets"),
        ("(holding that it was lawful)", "length"),
        (f"(holding that {'the cook ' * 50}slept)", "length"),
        ("(holding that the “search of the galley” was one for the cook to waive)", "quotation"),
        ('(holding that the "galley" was one for the cook to open)', "quotation"),
        ("(holding, see [p7], that a cook may waive a search of the galley)", "malformed"),
        ("(holding that a cook on watch may waive a search of the)", "malformed"),
        ("(holding that a cook on on watch may waive a search)", "malformed"),
        ("(holding that the clerk had had a cold and that that was no excuse)", None),
        ("(, holding that a cook on watch may waive a search)", "malformed"),
    ],
)
def test_a_claim_is_one_whole_phrase_in_a_writers_own_words(claim: str, rule: str | None) -> None:
    fault = form_fault(claim)
    assert (fault.rule if fault else None) == rule


def test_a_true_claim_points_to_where_it_stands() -> None:
    claim = "(crediting testimony that the anchor chain had been rusted through)"
    assert rule(true(claim)) is None
    assert rule(true(claim, ())) == "no evidence"


@pytest.mark.parametrize(
    ("old", "new", "claim", "rule_"),
    [
        ("Tamsin", "Ashby", "(relying on what Officer Ashby told the court of the bilge pump)", None),
        ("Tamsin", "Ashby", "(relying on what Officer Tamsin told the court of the pump)", "distractor not in claim"),
        ("Tamsin", "Ashby", "(relying on what Ashby and Tamsin told the court of the pump)", "nothing was swapped"),
        ("Tamsin", "Corvin", "(relying on what Officer Corvin told the court of the bilge pump)",
         "distractor not in opinion"),
        ("Corvin", "Ashby", "(relying on what Officer Ashby told the court of the bilge pump)", "nothing was swapped"),
        ("Tamsin", "", "(relying on what Officer Ashby told the court of the bilge pump)", "distractor not in claim"),
    ],
)  # fmt: skip
def test_a_distractor_is_named_by_the_opinion_and_takes_the_place_of_the_right_name(
    old: str, new: str, claim: str, rule_: str | None
) -> None:
    assert rule(false("distractor_swap", claim, old, new)) == rule_


def test_a_phantom_is_an_authority_that_the_opinion_never_names() -> None:
    claim = "(citing Rowell v Stane for the weight of testimony about a bilge pump)"
    assert rule(false("phantom_citation", claim, new="Rowell v Stane")) is None
    assert rule(false("phantom_citation", claim, new="Pike v Lorn")) == "phantom not in claim"
    cited = "(citing Matter of Ashby for the weight of testimony about a bilge pump)"
    assert rule(false("phantom_citation", cited, new="Matter of Ashby")) == "phantom is cited"


def test_no_other_claim_names_an_authority_that_the_opinion_does_not() -> None:
    assert rule(true("(relying on Rowell v Stane in crediting what was said of the bilge pump)")) == (
        "authority is not cited"
    )


def test_a_detail_is_nowhere_in_the_opinion() -> None:
    claim = "(noting that the deck lantern was painted over for 31 minutes in all)"
    assert rule(false("missing_detail", claim, new="31 minutes")) is None
    assert rule(false("missing_detail", claim, new="painted over")) == "detail is there"
    assert rule(false("missing_detail", claim, new="over the deck lantern")) == "detail not in claim"
    scattered = "(noting that the deck lantern was painted over before dawn and noon)"
    assert rule(false("missing_detail", scattered, new="before dawn and noon")) == "detail is there"


def test_an_argument_that_nobody_made_has_words_that_the_opinion_lacks() -> None:
    claim = "(declining to reach whether limitations barred a count about the bilge pump)"
    assert rule(false("unaddressed_argument", claim, new="limitations barred a count")) is None
    known = "(declining to reach whether the search of the boat was lawful when it was kept dry)"
    assert rule(false("unaddressed_argument", known, new="the search of the boat was lawful")) == "argument is there"


def test_words_are_given_to_another_speaker_only_where_there_is_one() -> None:
    claim = "(Quill, J., dissenting, finding that the bilge pump was hidden at the time)"
    source = claim.replace("Quill, J., dissenting, ", "")
    assert rule(false("authority_swap", claim, source=source)) is None
    assert rule(false("authority_swap", claim, source=source), ALONE) == "no separate opinion"


def test_a_false_claim_differs_from_the_true_one() -> None:
    claim = "(rejecting testimony that the bilge pump had been hidden under canvas)"
    assert rule(false("logic_reversal", claim, source=claim.replace("rejecting", "crediting"))) is None
    assert rule(false("logic_reversal", claim, source=claim)) == "nothing was changed"
    assert rule(false("logic_reversal", claim)) == "no true claim"


def test_what_the_court_says_word_for_word_is_not_false() -> None:
    said = "(holding that the search of the boat was lawful only if Officer Tamsin had leave to step aboard)"
    assert rule(false("scope_contradiction", said, source="(something else that is long enough)")) == "opinion says it"
