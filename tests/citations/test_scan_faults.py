"""Quotations of opinions that a scan spoiled, brackets that disclose, and places of the right voice."""

from __future__ import annotations

import pytest

from parcel_agents.citations.quotations import check_quotation
from parcel_agents.opinions import parse_opinion

OPINION = (
    "An appeal is idle if the re-suit is plain to Marlowe. The har-bor rule is with-out justifcation, and the"
    " non-resident may re-sign the lease. The keeper, suffciently warned, did not leave."
)


@pytest.mark.parametrize(
    "quotation",
    [
        "An appeal is idle if the result is plain",
        "An appeal is idle if the re-suit is plain",
        "The harbor rule is without justification",
        "and the nonresident may re-sign the lease",
        "The keeper, sufficiently warned, did not leave",
    ],
)
def test_words_that_a_scan_spoiled_are_read_as_they_were_printed(quotation: str) -> None:
    assert check_quotation(OPINION, quotation).status == "verbatim"


@pytest.mark.parametrize(
    ("quotation", "kind"),
    [
        ("and the nonresident may resign the lease", "wording"),  # another word
        ("The harbor rule is with justification", "omission"),
        ("and the resident may re-sign the lease", "negation"),
        ("The keeper, sufficiently warned, did leave", "negation"),
        ("An appeal is idle if the [outcome] is plain", "wording"),
    ],
)
def test_no_other_word_is_made_of_them(quotation: str, kind: str) -> None:
    found = check_quotation(OPINION, quotation)
    assert (found.status, [one.kind for one in found.differences][:1]) == ("altered", [kind])


DAMAGED = (
    "The c ity of Quist has afrmed the rule. The har bor master’s ofce is suficient, and conficts are de\ufffdned as"
    " dif cult. The keeper fled at dusk, for a defect in valid form. It is an eort to proft, and the frst of fve."
)


@pytest.mark.parametrize(
    "quotation",
    [
        "The city of Quist has affirmed the rule",
        "The harbor master’s office is sufficient",
        "conflicts are defined as difficult",
        "It is an effort to profit, and the first of",
    ],
)
def test_lost_ligatures_and_blanks_within_words_are_no_change_of_wording(quotation: str) -> None:
    assert check_quotation(DAMAGED, quotation).status == "verbatim"


@pytest.mark.parametrize(
    "quotation",
    [
        "The keeper filed at dusk, for a defect",  # "fled" is a word
        "The keeper fled at dusk, for a deflect in valid",
        "fled at dusk, for a defect invalid form",  # "in" and "valid" are two
        "The city of Quist has confirmed the rule",
        "conflicts are refined as difficult",
        "The harbor master’s office is insufficient",
        "The city of Quist has not affirmed the rule",
    ],
)
def test_a_change_of_wording_beside_damaged_text_is_seen(quotation: str) -> None:
    assert check_quotation(DAMAGED, quotation).status != "verbatim"


@pytest.mark.parametrize(
    "quotation",
    ["The [old harbor] keeper did leave a lamp on [a valid] claim", "The keeper [Quist’s] aside, did leave a lamp"],
)
def test_a_bracket_that_only_adds_is_disclosed_unless_it_names(quotation: str) -> None:
    found = check_quotation("The keeper did leave a lamp on claim, and the keeper aside, did leave a lamp.", quotation)
    assert (found.status == "verbatim") == ("Quist" not in quotation)


@pytest.mark.parametrize(
    ("quotation", "kind"),
    [
        ("The lamp [was] lit at dusk by Ferris", "negation"),
        ("The lamp is [never] not lit at dusk", "negation"),
        ("The lamp [may] is not lit at dusk", "modal"),
        ("The lamp is not lit [all 10 days] at dusk", None),
        ("The lamp is not lit [unlawfully] at dusk", "addition"),
        ("The [valid] is not lit at dusk by Ferris", "wording"),
    ],
)
def test_a_bracket_that_changes_what_is_said_is_not(quotation: str, kind: str | None) -> None:
    found = check_quotation("The lamp is not lit at dusk by Ferris.", quotation)
    assert found.status == "altered"
    assert kind is None or found.differences[0].kind == kind


def test_the_courts_words_come_before_the_syllabus_and_the_dissent() -> None:
    sentence = "The harbor officer may not open the locker of a moored boat."
    text = (
        f"# People v Marlowe\n\nSyllabus\n\n{sentence}\n\nOPINION OF THE COURT\n\nFerris, J.\n\nThe tide was low. "
        f"{sentence} Gulls walked about on the mud as they do there.\n\nQuist, J. (dissenting). {sentence}\n\n"
        "Judges Abara and Lund concur.\n\nOrder affirmed.\n"
    )
    opinion = parse_opinion(text, suffix=".md")
    found = check_quotation(opinion.text, sentence, parts=opinion.parts)
    assert found.span is not None
    (part,) = [one for one in opinion.parts if one.start <= found.span.start < one.end]
    assert part.kind == "majority"
    assert len(found.elsewhere) == 2
