"""The headings of separate writings, court by court, and what must not be taken for one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes.headings import HEADINGS, ROWS
from hypothesis import given, settings
from hypothesis import strategies as st

from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Opinion

GATE = "The harbor master closed the gate before the tide turned, and no ship owner had notice of it that morning."
QUAY = "The quay was open to every ship that paid its dues, and the harbor master had no power to close it at night."
COURT = ("SUPREME COURT", "State v. Quist", "OPINION OF THE COURT", "QUIST, J.", GATE, f"{GATE} We affirm.")


def read(*heading: str, suffix: str = ".md") -> Opinion:
    """An opinion of the Court with a separate writing that has this heading and speaks of the quay."""
    paragraphs = [*COURT, *heading, QUAY, QUAY]
    text = "".join(f"<p>{one}</p>" for one in paragraphs) if suffix == ".html" else "\n\n".join(paragraphs)
    return parse_opinion(text, suffix=suffix)


def kind_of(opinion: Opinion, words: str) -> str:
    place = opinion.text.index(words)
    return next(part.kind for part in opinion.parts if part.start <= place < part.end)


def test_table_has_the_courts_and_headings_that_were_asked_for() -> None:
    assert len(ROWS) >= 150
    assert len(HEADINGS) >= 40


@pytest.mark.parametrize("suffix", [".md", ".txt", ".html"])
@pytest.mark.parametrize(("court", "heading", "kinds"), ROWS, ids=[heading[:60] for _, heading, _ in ROWS])
def test_separate_writing_is_read_as_what_its_heading_says(
    court: str, heading: str, kinds: tuple[str, ...], suffix: str
) -> None:
    opinion = read(*heading.split("\n\n"), suffix=suffix)
    assert kind_of(opinion, QUAY) in kinds, court
    assert kind_of(opinion, GATE) == "majority"


def test_shared_table_of_headings_is_right(shared_data: Path) -> None:
    lines = (shared_data / "cases" / "separate_writings.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["id"] for row in rows if kind_of(read(*row["head"]), QUAY) not in row["kinds"]] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Justice Arden, dissenting below, wrote that the gate was no gate at all and that the quay lay open.",
        "Justice Arden dissented. She would have found that the gate was open and that the ships had notice.",
        "Two Justices dissented and voted to reverse because, in their view, the gate had been closed too early.",
        "Judge Arden's dissent acknowledges that the gate was closed and that the master had given no notice of it.",
        "JUSTICE ARDEN's dissent makes several points to which we respond, none of which concerns the gate itself.",
        "Unlike our dissenting colleague (Arden, J., dissenting), we read the harbor rules to end at the gate.",
        "State v. Brill, 41 Harb. 3d 12, 19 (Arden, J., dissenting).",
        "The concurrence reads the harbor rules as we do, and differs from us on the duty of the master alone.",
        "C. The Dissent's Reading of the Harbor Rules",
        "The Harbor Tribunal, with two Justices dissenting, affirmed the order below and granted leave to appeal.",
        "STATEMENT OF THE CASE",
        "STATEMENT OF FACTS AND PROCEDURAL HISTORY",
        "We concur in the general opinion of the courts below that the gate had to stay open until the tide.",
        "Arden, J., dissenting, saw a gate where there was none.",
        "Judges Brill and Cole concur that the gate was closed before the tide had turned that morning.",
    ],
)
def test_sentence_about_another_opinion_leaves_the_voice_as_it_is(sentence: str) -> None:
    opinion = read(sentence)
    assert kind_of(opinion, QUAY) == "majority"
    assert opinion.is_understood


@pytest.mark.parametrize(
    "heading",
    [
        "ARDEN, J., dissenting to the extent indicated below",
        "Views of ARDEN, J., Concurring With Reservations",
        "JUSTICE ARDEN, conc urring in p art and in the judgm ent.",
        "WRITING SEPARATELY, ARDEN, J.",
        "I respectfully dissent. The harbor master had no such power, and the rules give him none.",
    ],
)
def test_voice_after_a_heading_of_no_known_form_is_unknown_and_said_to_be(heading: str) -> None:
    opinion = read(heading)
    assert kind_of(opinion, QUAY) == "unknown"
    assert not opinion.is_understood
    assert any(" ".join(heading.split())[:40] in doubt for doubt in opinion.doubts)
    assert "part of unknown voice" in {part.voice for part in opinion.parts}


def test_i_dissent_within_the_courts_own_opinion_makes_its_voice_unknown() -> None:
    opinion = read("The rules end at the gate. For these reasons, I respectfully dissent.")
    assert kind_of(opinion, GATE) == "unknown"
    assert "I respectfully dissent" in opinion.doubts[0]


def test_i_dissent_in_a_quotation_is_nobodys_here() -> None:
    opinion = read(
        "The pilot wrote to the board: “I have read the rule. I respectfully dissent.” The board did not reply."
    )
    assert kind_of(opinion, GATE) == "majority"


def test_heading_that_repeats_the_speaker_begins_no_new_part() -> None:
    opinion = read("ARDEN, J., dissenting.", QUAY, "ARDEN, J., dissenting.", QUAY, "JUSTICE ARDEN, dissenting.")
    assert [part.kind for part in opinion.parts] == ["front", "majority", "dissent"]


def test_report_of_a_vote_at_the_end_is_no_opinion() -> None:
    paragraphs = [*COURT, "BRILL and COLE, JJ., concur.", "ARDEN, J., dissents."]
    opinion = parse_opinion("\n\n".join(paragraphs), suffix=".md")
    assert [part.kind for part in opinion.parts] == ["front", "majority", "closing"]


def test_appendix_is_nobodys_words() -> None:
    assert kind_of(read("APPENDIX A"), QUAY) == "unattributed"


@pytest.mark.parametrize("suffix", [".md", ".txt", ".html"])
def test_list_of_opinions_at_the_head_of_the_document_begins_none(suffix: str) -> None:
    head = ["COURT OF APPEALS", "Quist v. Harbor", "Opinion by Judge Quist;", "Dissent by Judge Arden", "SUMMARY", QUAY]
    paragraphs = [
        *head,
        "OPINION",
        "QUIST, Circuit Judge:",
        GATE,
        GATE,
        "ARDEN, Circuit Judge, dissenting:",
        QUAY + " No.",
    ]
    text = "".join(f"<p>{one}</p>" for one in paragraphs) if suffix == ".html" else "\n\n".join(paragraphs)
    opinion = parse_opinion(text, suffix=suffix)
    assert [part.kind for part in opinion.parts] == ["front", "majority", "dissent"]


def test_separate_writing_that_is_a_file_by_itself_is_one() -> None:
    paragraphs = [
        "IN THE SUPREME COURT",
        "STATE v. QUIST",
        "No. 12 MAP 2031",
        "DISSENTING OPINION",
        "JUSTICE ARDEN",
        QUAY,
    ]
    opinion = parse_opinion("\n\n".join([*paragraphs, QUAY]), suffix=".md")
    assert [(part.kind, part.author) for part in opinion.parts] == [("front", None), ("dissent", "JUSTICE ARDEN")]


def test_findings_before_a_title_in_the_middle_are_the_courts() -> None:
    paragraphs = ["UNITED STATES TAX COURT", "QUIST v. COMMISSIONER", "QUIST, Judge: The dues were paid.", *[GATE] * 8]
    opinion = parse_opinion("\n\n".join([*paragraphs, "OPINION", QUAY]), suffix=".md")
    assert kind_of(opinion, GATE) == "majority"
    assert kind_of(opinion, QUAY) == "majority"


SECTIONS = (
    "I",
    GATE,
    "II",
    "A",
    f"{GATE} One.",
    "1",
    f"{GATE} Two.",
    "2",
    QUAY,
    "B",
    f"{GATE} Three.",
    "III",
    f"{QUAY} So ordered.",
)


@pytest.mark.parametrize(
    ("line", "not_the_courts"),
    [
        ("JUSTICE QUIST delivered the opinion of the Court, except as to Parts II-A-2 and III.", ("2", "III")),
        ("JUSTICE QUIST delivered the opinion of the Court, except as to Part II–A–2.", ("2",)),
        (
            "JUSTICE QUIST announced the judgment of the Court and delivered the opinion of the Court as to "
            "Parts I, II-A-1, and II-B, and an opinion with respect to Parts II-A-2 and III, in which one judge joins.",
            ("2", "III"),
        ),
        ("JUSTICE QUIST delivered the opinion of the Court with respect to Parts I, II-A-1, II-B and III.", ("2",)),
        ("JUSTICE QUIST announced the judgment of the Court and delivered an opinion.", ("I", "2", "III")),
        ("JUSTICE QUIST delivered the opinion of the Court.", ()),
    ],
)
def test_sections_that_no_majority_joins_are_a_pluralitys(line: str, not_the_courts: tuple[str, ...]) -> None:
    opinion = parse_opinion("\n\n".join(["SUPREME COURT", "State v. Quist", line, *SECTIONS]), suffix=".md")
    words = {"I": GATE, "2": QUAY, "III": f"{QUAY} So ordered."}
    found = {section: kind_of(opinion, text) for section, text in words.items()}
    assert found == {section: "plurality" if section in not_the_courts else "majority" for section in words}


def test_opinion_is_unknown_where_the_part_that_is_not_the_courts_cannot_be_found() -> None:
    line = "JUSTICE QUIST delivered the opinion of the Court, except as to Part IV."
    opinion = parse_opinion("\n\n".join(["SUPREME COURT", "State v. Quist", line, *SECTIONS]), suffix=".md")
    assert kind_of(opinion, GATE) == "unknown"
    assert "Part IV" in opinion.doubts[0]


@given(st.lists(st.sampled_from([row[1] for row in ROWS]), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_no_heading_of_the_table_leaves_words_after_it_to_the_court(headings: list[str]) -> None:
    paragraphs = [paragraph for heading in headings for paragraph in (*heading.split("\n\n"), QUAY)]
    assert kind_of(read(*paragraphs), QUAY) != "majority"


def test_paragraph_numbers_are_pins_and_no_part_of_the_text() -> None:
    numbered = [f"¶ {number} {GATE}" for number in (1, 2)]
    separate = ["¶ 3 JUSTICE ARDEN, dissenting:", f"[¶4.] {QUAY}", f"{{¶ 5}} {QUAY} So it was."]
    opinion = parse_opinion(
        "\n\n".join([*COURT[:2], "JUSTICE QUIST delivered the opinion of the court.", *numbered, *separate])
    )
    place = opinion.text.index(QUAY)
    assert "¶" not in opinion.text
    assert opinion.page_at(place) == "¶ 4"
    assert opinion.pages_of(place, len(opinion.text)) == "¶¶ 4-5"
    assert kind_of(opinion, QUAY) == "dissent"


def test_a_single_paragraph_sign_stays_in_the_text() -> None:
    assert "¶ 9" in read("¶ 9 of the complaint says that the gate was closed, and nobody has denied that it was.").text
