"""Whose words a sentence reports: a table of fictional sentences, one rule each."""

from __future__ import annotations

import pytest

from parcel_agents.opinions import parse_opinion
from parcel_agents.opinions.reported import Attribution, attributions, attributions_in, party_names
from parcel_agents.types import PartKind, Span


def read(text: str, *, kind: PartKind = "majority", names: tuple[str, ...] = ()) -> list[Attribution]:
    return list(attributions_in(text, Span(start=0, end=len(text)), kind=kind, names=names))


def told(text: str, *, kind: PartKind = "majority", names: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    """Source, stance and the words given to somebody else."""
    return [(one.source, one.stance, text[one.start : one.end]) for one in read(text, kind=kind, names=names)]


@pytest.mark.parametrize(
    ("sentence", "source", "who"),
    [
        ("Defendant contends that the gate was never locked.", "party", "Defendant"),
        ("On appeal, defendant argues that the gate was never locked.", "party", "defendant"),
        ("The People maintain that the gate was locked.", "party", "The People"),
        ("The People, for the first time on appeal, assert that the gate was locked.", "party", "The People"),
        ("Petitioner also, in the alternative, claims that the gate was open.", "party", "Petitioner"),
        ("According to the People, the gate was locked by noon.", "party", "the People"),
        ("In defendant's view, a gate is no fence.", "party", "defendant"),
        ("Defendant moved to suppress the oars, arguing that the gate was his.", "party", "Defendant"),
        ("Contending that the gate was his, defendant moved to suppress the oars.", "party", "defendant"),
        ("The gate, defendant argues, was never a fence at all.", "party", "defendant"),
        ("Supreme Court held that the gate was a fence.", "court_below", "Supreme Court"),
        ("The Appellate Division, with one Justice dissenting, concluded that a gate is a fence.", "court_below", None),
        ("The Appellate Division affirmed, reasoning that a gate is a fence.", "court_below", "The Appellate Division"),
        ("County Court denied the motion.", "court_below", "County Court"),
        ("The trial court determined that the gate was a fence.", "court_below", "The trial court"),
        ("Two Justices dissented, concluding that the gate was no fence.", "court_below", "Two Justices"),
        ("The officer testified that the gate stood open.", "witness", "The officer"),
        ("At the hearing, Detective Wren testified that the gate stood open.", "witness", None),
        ("According to the victim, the gate stood open.", "witness", "the victim"),
        ("The dissent would hold that every gate is a fence.", "dissent", "The dissent"),
        ("Our dissenting colleagues argue that every gate is a fence.", "dissent", "Our dissenting colleagues"),
        ("The concurrence suggests that some gates are fences.", "concurrence", "The concurrence"),
    ],
)
def test_speaker_and_verb_of_the_main_clause_tell_whose_words_they_are(
    sentence: str, source: str, who: str | None
) -> None:
    (one,) = read(sentence)
    assert (one.source, one.stance) == (source, "reported")
    assert who is None or one.who == who
    assert one.start <= one.cue.start < one.cue.end <= one.end


@pytest.mark.parametrize(
    "sentence",
    [
        "We hold that a gate is a fence.",
        "A defendant who argues that a gate is a fence must show its height.",
        "If defendant claims that the gate was open, the court must hold a hearing.",
        "The court must decide whether defendant argues that the gate was open.",
        "Defendant's argument was heard on a Monday.",
        "Defendant claims the boat and the gate.",
        "Defendant argued with the clerk.",
        "We need not reach defendant's arguments that were raised by nobody below.",
        "The trial court erred in admitting the gate.",
        "The Supreme Court held that a gate is a fence.",  # with its article, the one in Washington
        "In Heron, the Appellate Division held that a gate is a fence.",
        "The gate was a fence (see People v Heron, 99 NY3d 2 [2031] [defendant argued that it was not]).",
        'The sign said "defendant argues that the gate is closed" in red letters.',
        "This Court has held that a gate is a fence.",
        "Contrary to the rule in other states, a gate is a fence.",
        "The testimony was that of an officer.",
    ],
)
def test_the_writers_own_words_are_nobody_elses(sentence: str) -> None:
    assert told(sentence) == []


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("We reject defendant's contention that the gate was open.", "rejected"),
        ("We disagree with defendant that the gate was open.", "rejected"),
        ("Nor do we agree with defendant that the gate was open.", "rejected"),
        ("Defendant's contention that the gate was open is without merit.", "rejected"),
        ("Defendant's claim that the gate was open is unpreserved for our review.", "rejected"),
        ("Defendant argues that the gate was open. We disagree.", "rejected"),
        ("Defendant argues that the gate was open. This argument lacks merit.", "rejected"),
        ("Defendant argues that the gate was open, but we disagree.", "rejected"),
        ("Supreme Court erroneously held that the gate was open.", "rejected"),
        ("We agree with defendant that the gate was open.", "adopted"),
        ("Defendant correctly argues that the gate was open.", "adopted"),
        ("The courts below properly concluded that the gate was open.", "adopted"),
        ("Defendant argues that the gate was open. We agree.", "adopted"),
        ("Defendant argues that the gate was open. The gate stands on the north side.", "reported"),
    ],
)
def test_stance_is_what_the_writer_says_of_it(text: str, stance: str) -> None:
    (one,) = read(text)
    assert one.stance == stance
    assert one.is_anothers == (stance != "adopted")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "Defendant's contention that the gate was open is without merit.",
            "Defendant's contention that the gate was open",
        ),
        (
            "Although defendant argues that the gate was open, we hold that a gate is a fence.",
            "defendant argues that the gate was open",
        ),
        ("Defendant argues that the gate was open, but we disagree.", "Defendant argues that the gate was open"),
        (
            "The gate was shut, and therefore his contention that it was open is without merit.",
            "his contention that it was open",
        ),
        (
            "County Court denied the motion, and defendant sold the boat.",
            "County Court denied the motion",
        ),
        (
            "In response to defendant's claim that the gate was open, the clerk read the log.",
            "defendant's claim that the gate was open",
        ),
    ],
)
def test_reported_words_end_where_the_writer_goes_on(text: str, words: str) -> None:
    assert [found for _, _, found in told(text)] == [words]


def test_a_pronoun_goes_on_with_the_speaker_before() -> None:
    found = read("Defendant argues that the gate was open. He further contends that no sign hung there.")
    assert [(one.source, one.who) for one in found] == [("party", "Defendant"), ("party", "Defendant")]


def test_the_court_with_a_small_letter_is_the_one_below_once_that_is_named() -> None:
    assert told("The court found that the gate was open.") == []
    found = told("County Court denied the motion. The court found that the gate was open.")
    assert [source for source, _, _ in found] == ["court_below", "court_below"]


def test_the_majority_told_of_behind_the_court_below_is_that_courts() -> None:
    text = "A divided Appellate Division affirmed. The majority concluded that the gate was open."
    assert [source for source, _, _ in told(text)] == ["court_below", "court_below"]


def test_a_dissent_reports_what_the_majority_holds_and_speaks_for_itself() -> None:
    assert told("The majority holds that a gate is a fence.", kind="dissent")[0][0] == "majority"
    assert told("The majority holds that a gate is a fence.") == []
    assert told("The dissent argues that a gate is a fence.", kind="dissent") == []


def test_a_party_may_argue_under_its_surname() -> None:
    assert told("Plover argues that the gate was open.") == []
    (one,) = read("Plover argues that the gate was open.", names=("Plover",))
    assert (one.source, one.who) == ("party", "Plover")


def test_quoted_words_behind_which_a_source_stands_are_those_of_the_source() -> None:
    case, statute = read(
        'A gate is "any barrier that swings upon a hinge" (People v Heron, 99 NY3d 2, 4 [2031]). '
        'It must be "kept in good repair at all times" (Harbor Law § 12).'
    )
    assert (case.source, statute.source) == ("other_case", "statute")
    assert case.who == "People v Heron, 99 NY3d 2, 4 [2031]"
    assert not case.is_anothers


def test_what_a_provision_provides_is_the_statutes() -> None:
    (one,) = read("Harbor Law § 12 (1) provides that every gate must swing.")
    assert (one.source, one.who) == ("statute", "Harbor Law § 12 (1)")


def test_front_and_closing_report_nothing_and_names_come_from_the_caption() -> None:
    opinion = parse_opinion(
        "# People v Plover\n\nThe People, Respondent, v Ada Plover, Appellant.\n\nOPINION OF THE COURT\n\nAlder, J.\n\n"
        "Plover argues that the gate was open. A gate that stands open all day keeps no boat and no cart from the road."
        "\n\nJudges Elm and Fir concur.\n\nOrder affirmed.",
        suffix=".md",
    )
    assert party_names(opinion) == ("Plover",)
    (one,) = attributions(opinion)
    assert opinion.text[one.start : one.end] == "Plover argues that the gate was open."


def test_nothing_and_odd_marks_raise_nothing() -> None:
    for text in ("", "(", '"', "))((", "Defendant argues", "Defendant argues that", "—", "“”" * 30):
        read(text)
