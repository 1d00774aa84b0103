from __future__ import annotations

from dataclasses import replace

import pytest

from parcel_agents.hard.causes import OFFLINE, untold
from parcel_agents.hard.causes.likely_mislabelled import likely_mislabelled
from parcel_agents.hard.causes.retrieval_miss import retrieval_miss
from parcel_agents.hard.causes.subtle_edit import subtle_edit
from parcel_agents.hard.causes.terms_absent import ordinary_terms, terms_absent
from parcel_agents.hard.causes.voice_disagreement import voice_disagreement
from parcel_agents.hard.claim import HardClaim
from parcel_agents.opinions import parse_opinion
from parcel_agents.retrievers.terms import stem
from parcel_agents.types import EvidenceRef, GoldClaim, Label, Opinion, Span, Vote

OPINION = parse_opinion(
    """# People v Marlowe

OPINION OF THE COURT

Ferris, J.

Defendant appeals from a judgment convicting him of a violation of Harbor Law § 212 (3) (b). He was sentenced to a fine.

We hold that an officer may not open the stern locker of a moored boat before the owner has been asked to produce it.

Sergeant Hathersage searched the wheelhouse at dawn and found eleven crates of oysters below the chart table.

Quist, J. (dissenting). A warrant has never been needed on open water, and the tide waits for no magistrate.

Judges Abara and Lund concur.

Order affirmed.
""",
    suffix=".md",
)


def passage(words: str) -> str:
    return next(one.id for one in OPINION.passages if words in one.text)


def vote(
    name: str,
    label: Label | None,
    words: str | None = None,
    *,
    read: tuple[str, ...] = (),
    confidence: float | None = None,
) -> Vote:
    found = OPINION.passage(passage(words)) if words else None
    refs = (EvidenceRef(passage=found.id, start=found.start, end=found.end, relation="supports"),) if found else ()
    return Vote(verifier=name, outcome="ok", label=label, evidence=refs, read=read, confidence=confidence)


def hard(
    claim: str, gold: Label, *votes: Vote, opinion: Opinion | None = OPINION, evidence: str | None = None
) -> HardClaim:
    at = OPINION.text.find(evidence) if evidence else -1
    span = Span(start=at, end=at + len(evidence)) if evidence else None
    return HardClaim(GoldClaim(id="c1", opinion_id="marlowe", claim=claim, label=gold), votes, opinion, span)


def test_plain_words_for_a_statute_are_absent_and_the_passage_that_tempts_is_shown() -> None:
    claim = "(appeal from a conviction for sounding a false distress signal from a private vessel)"
    found = terms_absent(hard(claim, "not_found", vote("a", "supported", "Harbor Law"), vote("b", "not_found")))
    assert found is not None
    assert found.details["missing"] == ["sounding", "false", "distress", "signal", "private", "vessel"]
    assert found.details["provisions"] == ["Harbor Law § 212 (3) (b)"]
    assert "cites Harbor Law § 212 (3) (b), which a reader may put into such words" in found.reason
    assert "Harbor Law § 212 (3) (b)" in found.places[0].text


def test_a_claim_that_cites_the_statute_itself_is_not_tempted_by_it() -> None:
    claim = "(convicting under Harbor Law § 212 (3) (b) for sounding a false distress signal)"
    found = terms_absent(hard(claim, "not_found", vote("a", "supported", "Harbor Law")))
    assert found is not None
    assert found.details["provisions"] == []


def test_a_supported_claim_in_other_words_shows_the_evidence() -> None:
    evidence = "an officer may not open the stern locker of a moored boat"
    claim = "(barring policemen from unlatching compartments aboard berthed craft)"
    found = terms_absent(hard(claim, "supported", vote("a", "not_found"), evidence=evidence))
    assert found is not None
    assert found.places[0].text == evidence
    assert found.reason.endswith("it says it in other words")


def test_one_word_of_many_is_no_cause() -> None:
    claim = "(holding that an officer may not open the stern hatch of a moored boat before the owner has been asked)"
    assert terms_absent(hard(claim, "not_found")) is None


@pytest.mark.parametrize(
    ("claim", "kind", "ours", "theirs"),
    [
        (
            "(holding that an officer may open the stern locker of a moored boat before the owner has been asked)",
            "negation",
            "",
            "not",
        ),
        (
            "(holding that an officer may not open the stern locker of a moored boat after the owner has been asked)",
            "opposite",
            "after",
            "before",
        ),
        (
            "(noting that Sergeant Hathersage searched the wheelhouse at dawn and found nine crates of oysters)",
            "number",
            "nine",
            "eleven",
        ),
        (
            "(noting that Sergeant Pellworth searched the wheelhouse at dawn and found eleven crates of oysters)",
            "entity",
            "Pellworth",
            "Hathersage",
        ),
    ],
)
def test_the_edit_of_a_sentence_is_named(claim: str, kind: str, ours: str, theirs: str) -> None:
    found = subtle_edit(hard(claim, "refuted", vote("a", "supported")))
    assert found is not None
    assert {"kind": kind, "claim": ours, "sentence": theirs} in found.details["edits"]
    assert found.details["in_order"]
    assert found.places[0].relation == "contradicts"


def test_the_dissents_sentence_given_to_the_court_is_an_edit_of_the_voice() -> None:
    claim = "(holding that a warrant has never been needed on open water, and the tide waits for no magistrate)"
    found = subtle_edit(hard(claim, "refuted", vote("a", "supported")))
    assert found is not None
    assert found.details["kinds"] == ["voice"]
    assert found.details["edits"][0]["sentence"] == "dissent (Quist, J.)"


def test_a_supported_claim_has_no_edit() -> None:
    claim = "(holding that an officer may not open the stern locker of a moored boat before the owner has been asked)"
    assert subtle_edit(hard(claim, "supported", vote("a", "refuted"))) is None


def test_evidence_that_was_not_among_the_passages_read_is_a_retrieval_miss() -> None:
    evidence = "Sergeant Hathersage searched the wheelhouse at dawn"
    there, elsewhere, all_of_it = passage("Hathersage"), passage("Harbor Law"), tuple(p.id for p in OPINION.passages)
    votes = (
        vote("missed", "not_found", read=(elsewhere,)),
        vote("read it", "not_found", read=(elsewhere, there)),
        vote("read all", "not_found", read=all_of_it),
        vote("silent", "not_found"),
        vote("right", "supported", read=(elsewhere,)),
    )
    found = retrieval_miss(hard("(noting a search at dawn)", "supported", *votes, evidence=evidence))
    assert found is not None
    assert found.details == {"missed_by": ["missed"], "read_in_part": ["missed", "read it"], "passages": [there]}
    assert found.places[0].text == evidence
    assert retrieval_miss(hard("(noting a search at dawn)", "supported", *votes[1:], evidence=evidence)) is None
    assert retrieval_miss(hard("(noting a search at dawn)", "supported", *votes)) is None


def test_votes_that_rest_on_the_court_and_on_the_dissent_disagree_on_voice() -> None:
    votes = vote("a", "supported", "A warrant has never"), vote("b", "refuted", "stern locker")
    found = voice_disagreement(hard("(discussing warrants and owners)", "refuted", *votes))
    assert found is not None
    assert found.details == {"voices": {"a": ["dissent"], "b": ["majority"]}, "other_voice": False}
    assert [place.voice for place in found.places] == ["dissent (Quist, J.)", "majority (Ferris, J.)"]


def test_a_claim_in_the_dissents_words_speaks_for_the_court_wrongly() -> None:
    claim = "(holding that a warrant has never been needed on open water, and the tide waits for no magistrate)"
    found = voice_disagreement(hard(claim, "refuted", vote("a", "supported")))
    assert found is not None
    assert found.details["other_voice"]
    rightly = claim.replace("(holding", "(Quist, J., dissenting, stating")
    assert voice_disagreement(hard(rightly, "refuted", vote("a", "supported"))) is None


@pytest.mark.parametrize(
    ("votes", "applies"),
    [
        ((vote("a", "supported", "stern locker", confidence=0.9), vote("b", "supported", confidence=0.8)), True),
        # Who abstains or failed neither agrees nor disagrees; who gives no confidence is taken for sure.
        ((vote("a", "supported", "stern locker"), vote("b", "supported"), vote("c", None)), True),
        ((vote("a", "supported", "stern locker"), vote("b", "not_found")), False),
        ((vote("a", "supported", "stern locker"), vote("b", "supported", confidence=0.6)), False),
        ((vote("a", "supported"), vote("b", "supported")), False),
        ((vote("a", "supported", "stern locker"),), False),
        ((vote("a", "refuted", "stern locker"), vote("b", "refuted", "stern locker")), False),
    ],
)
def test_unanimous_confident_located_dissent_makes_a_label_doubtful(votes: tuple[Vote, ...], applies: bool) -> None:
    found = likely_mislabelled(hard("(holding that the owner is to be asked)", "refuted", *votes))
    assert (found is not None) == applies
    # Whether a place is there can be told without the text, but not what it says.
    without = likely_mislabelled(hard("(holding that the owner is to be asked)", "refuted", *votes, opinion=None))
    assert (without is not None) == applies
    assert without is None or without.places == ()


def test_evidence_in_a_passage_that_is_not_there_locates_nothing() -> None:
    ref = EvidenceRef(passage="p999", start=0, end=5, relation="supports")
    votes = [Vote(verifier=name, outcome="ok", label="supported", evidence=(ref,)) for name in "ab"]
    assert likely_mislabelled(hard("(holding that the owner is to be asked)", "refuted", *votes)) is None


def test_what_cannot_be_told_is_said() -> None:
    evidence, part = "Sergeant Hathersage searched the wheelhouse at dawn", (passage("Harbor Law"),)
    voted = vote("a", "not_found", read=part)
    assert untold(hard("(noting a search)", "supported", voted, evidence=evidence)) == []
    assert untold(hard("(noting a search)", "supported", voted)) == ["retrieval_miss"]
    assert untold(hard("(noting a search)", "supported", vote("a", "not_found"), evidence=evidence)) == [
        "retrieval_miss"
    ]
    assert set(untold(hard("(noting a search)", "supported", voted, opinion=None))) == set(OFFLINE) - {
        "likely_mislabelled"
    }


def test_an_abstention_may_have_missed_the_evidence_and_a_vote_that_failed_has_not() -> None:
    evidence, part = "Sergeant Hathersage searched the wheelhouse at dawn", (passage("Harbor Law"),)
    abstained = vote("a", None, read=part)
    failed = Vote(verifier="b", outcome="timeout", read=part)
    found = retrieval_miss(hard("(noting a search)", "supported", abstained, failed, evidence=evidence))
    assert found is not None
    assert found.details["missed_by"] == ["a"]
    assert retrieval_miss(hard("(noting a search)", "supported", failed, evidence=evidence)) is None


def test_words_that_claims_about_many_an_opinion_use_are_not_missed() -> None:
    claim = "(rejecting the doctrine of barring policemen from compartments)"
    others = [f"(rejecting the doctrine that number {n} is whole)" for n in range(4)]
    claims = [GoldClaim(id=f"c{n}", opinion_id=f"o{n}", claim=text) for n, text in enumerate([claim, *others])]
    ordinary = ordinary_terms(claims)
    assert {stem("rejecting"), stem("doctrine")} <= ordinary
    assert stem("policemen") not in ordinary
    # Claims about one opinion may share a word as often as they like.
    assert stem("doctrine") not in ordinary_terms([one.model_copy(update={"opinion_id": "o1"}) for one in claims])
    plain = terms_absent(hard(claim, "not_found"))
    assert plain is not None
    assert plain.details["missing"] == ["rejecting", "doctrine", "barring", "policemen", "compartments"]
    told = terms_absent(replace(hard(claim, "not_found"), ordinary=ordinary))
    assert told is not None
    assert told.details["missing"] == ["barring", "policemen", "compartments"]


def test_plain_words_are_not_missed() -> None:
    claim = "(the notion that keeping it really helped)"
    one = hard(claim, "supported")
    assert terms_absent(one) is not None
    assert terms_absent(replace(one, ordinary=ordinary_terms([one.claim]))) is None


EVIDENCE = (
    "Sergeant Hathersage searched the wheelhouse at dawn and found eleven crates of oysters below the chart table."
)


@pytest.mark.parametrize(
    ("claim", "kind", "ours", "theirs"),
    [
        (
            "(describing the search of the wheelhouse by one Pellworth, who found crates)",
            "entity",
            "Pellworth",
            "Hathersage",
        ),
        ("(counting nine crates of oysters in the wheelhouse that was searched at dawn)", "number", "nine", "eleven"),
    ],
)
def test_another_name_or_figure_than_the_evidence_has_is_an_edit_of_it(
    claim: str, kind: str, ours: str, theirs: str
) -> None:
    found = subtle_edit(hard(claim, "refuted", vote("a", "supported"), evidence=EVIDENCE))
    assert found is not None
    assert not found.details["in_order"]
    assert found.details["edits"] == [{"kind": kind, "claim": ours, "sentence": theirs}]
    assert found.places[0].text == EVIDENCE
    # No other sentence than the evidence will do.
    assert subtle_edit(hard(claim, "refuted", vote("a", "supported"))) is None


def test_a_negation_in_a_claim_of_its_own_words_is_no_edit() -> None:
    claim = "(describing eleven crates of oysters that were not found when Hathersage searched the wheelhouse)"
    assert subtle_edit(hard(claim, "refuted", vote("a", "supported"), evidence=EVIDENCE)) is None


def test_a_claim_that_parts_from_the_sentence_in_many_words_is_no_edit_of_it() -> None:
    claim = (
        "(holding that a constable or coast guard may not open the stern locker of a moored boat before the owner has "
        "been asked)"
    )
    assert subtle_edit(hard(claim, "refuted", vote("a", "supported"))) is None


@pytest.mark.parametrize("name", sorted(set(OFFLINE) - {"likely_mislabelled"}))
def test_without_the_opinion_nothing_is_told_of_its_text(name: str) -> None:
    assert OFFLINE[name](hard("(holding this and that)", "not_found", vote("a", "supported"), opinion=None)) is None  # type: ignore[index]
