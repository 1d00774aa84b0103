"""Whose voice is whose: heads of opinions, closing lines, and to whom footnotes and their pages belong."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Opinion

PROSE = "The orchard stood on the north side of the road and no fence had been set between it and the parish land."
HEAD = "# Orchard v Parish\n\nOPINION OF THE COURT\n\nAlder, J."


def opinion(*paragraphs: str, head: str = HEAD) -> Opinion:
    return parse_opinion("\n\n".join([head, PROSE, *paragraphs]), suffix=".md")


def voices(read: Opinion) -> list[tuple[str, str | None]]:
    return [(part.kind, part.author) for part in read.parts if part.footnote is None]


def notes(read: Opinion) -> list[tuple[str, str | None]]:
    return [(part.kind, part.footnote) for part in read.parts if part.footnote]


@pytest.mark.parametrize(
    ("head", "kind", "author"),
    [
        ("Birch, J. (dissenting).", "dissent", "Birch, J."),
        ("Birch, J. (dissenting):", "dissent", "Birch, J."),
        ("BIRCH, J. (dissenting)", "dissent", "BIRCH, J."),
        ("Birch, J. (dissenting). The fence was not set.", "dissent", "Birch, J."),
        ("G.B. Birch, J. (concurring). I agree.", "concurrence", "G.B. Birch, J."),
        ("Birch-Elm, J. (concurring in result).", "concurrence", "Birch-Elm, J."),
        ("Chief Judge Birch (dissenting in part).", "mixed", "Chief Judge Birch"),
        ("Chief Judge Birch. (dissenting in part).", "mixed", "Chief Judge Birch"),
        ("Birch, Ch. J. (concurring in part and dissenting in part).", "mixed", "Birch, Ch. J."),
        ("Birch, J. (dissenting in Orchard v Parish and otherwise concurring).", "mixed", "Birch, J."),
        ("Birch, Elm and Fir, JJ. (concurring).", "concurrence", "Birch, Elm and Fir, JJ."),
        ("Birch, J. and Elm, J. (dissenting).", "dissent", "Birch, J. and Elm, J."),
        ("Memorandum (concurring).", "concurrence", None),
        ("Justice Birch, dissenting.", "dissent", "Justice Birch"),
        ("JUSTICE BIRCH, concurring in the judgment.", "concurrence", "JUSTICE BIRCH"),
        ("Mr. Justice Birch, with whom Mr. Justice Elm joins, dissenting.", "dissent", "Mr. Justice Birch"),
        (
            "Chief Justice Birch, with whom Justice Elm joins in Part II, dissenting in part.",
            "mixed",
            "Chief Justice Birch",
        ),
        (
            "Justice Birch, concurring in Parts I, II–A, and III–B–2, and in the judgment.",
            "concurrence",
            "Justice Birch",
        ),
        ("BIRCH, Circuit Judge, dissenting from the denial of rehearing en banc:", "dissent", "BIRCH, Circuit Judge"),
        ("ADA BIRCH, Senior Circuit Judge, specially concurring:", "concurrence", "ADA BIRCH, Senior Circuit Judge"),
        ("BIRCH, C.J., concurring.", "concurrence", "BIRCH, C.J."),
        ("Dissenting opinion by Birch, J.", "dissent", "Birch, J."),
        ("Concurring in part and dissenting in part opinion by Birch, J.", "mixed", "Birch, J."),
    ],
)
def test_head_of_a_separate_opinion_begins_a_part(head: str, kind: str, author: str | None) -> None:
    read = opinion(head, PROSE)
    assert voices(read) == [("front", None), ("majority", "Alder, J."), (kind, author)]
    assert read.text[read.parts[2].start :].startswith(head)


@pytest.mark.parametrize(
    "sentence",
    [
        "Unlike our dissenting colleague (dissenting op at 31), we see no fence.",
        "Judge Birch (dissenting op at 31) sees a fence.",
        "Judge Birch (dissenting) sees a fence where we see none.",
        "Birch, J., dissenting, saw a fence.",
        "Justice Birch, dissenting in Mill v. Keeper, wrote that a fence is a wall.",
        "Justice Birch, concurring, said so. We do not.",
        "The dissent (Birch, J., dissenting op at 9) is right about the road.",
        "Judge Birch, who dissents, would look at the road.",
        "The trial judge (concurring with counsel). She denied the motion.",
        "The rule of Birch, J. (dissenting) became that of the Court.",
        "People v Birch, J. (dissenting) was cited below.",
        "In this case, the facts are these: Judges Birch and Elm concur that the road is old.",
    ],
)
def test_sentence_that_speaks_of_another_opinion_begins_no_part(sentence: str) -> None:
    assert voices(opinion(sentence, PROSE)) == [("front", None), ("majority", "Alder, J.")]


@pytest.mark.parametrize(
    "closing",
    [
        "Chief Judge Birch and Judges Elm, Fir and Gale concur.",
        "Chief Judge Birch and Judges G.B. Elm, Fir and R.S. Elm concur",
        "Judges Elm, Fir,Gale and Hazel concur in memorandum; Judge Birch taking no part.",
        "Judges Elm and Fir concur with Judge Alder; Judge Birch dissents and votes to reverse in an opinion.",
        "Chief Judge Birch and Judges Elm, Hazel, Jr., and Fir concur.",
        "Concur: Chief Judge Birch and Judges Elm and Fir.",
        "Opinion by Judge Alder. Judges Elm and Fir concur. Judge Birch dissents.",
        "Order affirmed, in a memorandum. Judges Elm and Fir concur.",
        "In Orchard v Mill: Judges Elm and Fir concur.",
        "All the Justices concur.",
        "All the Justices concur, except Elm, J., not participating.",
        "Elm, P. J., and Fir, J., concur.",
        "ELM, Circuit Judge, concurs in the result.",
        "Mr. Justice Elm took no part in the consideration or decision of this case.",
    ],
)
def test_line_that_lists_who_concurred_begins_the_closing(closing: str) -> None:
    read = opinion(closing, "Order affirmed.", "Decided May 2, 2031")
    assert voices(read) == [("front", None), ("majority", "Alder, J."), ("closing", None)]
    assert read.text[read.part("closing").start :].startswith(closing)


@pytest.mark.parametrize(
    "sentence",
    [
        "Judge Birch dissents because he would set a fence where the parish set none.",
        "Judges Elm and Fir concur in our reading of the road.",
        'The road "may be closed to carts" (2 Mill [9 Mill] at 4 [Elm, J., concurring]) but not to people.',
    ],
)
def test_sentence_about_judges_within_an_opinion_is_no_closing(sentence: str) -> None:
    assert voices(opinion(sentence, PROSE)) == [("front", None), ("majority", "Alder, J.")]


def test_last_paragraph_of_a_dissent_with_a_colon_is_no_closing() -> None:
    read = opinion(
        "Birch, J. (dissenting).",
        PROSE,
        "In short, the rule is plain: no fence, no trespass.",
        "Judges Elm and Fir concur.",
    )
    assert read.text[read.part("closing").start :] == "Judges Elm and Fir concur."


def test_lists_of_several_cases_belong_to_one_closing() -> None:
    lists = [
        "In Orchard v Parish: Order affirmed.",
        "Judges Elm and Fir concur.",
        "In Mill v Parish: Order reversed.",
        "Judges Elm and Gale concur.",
    ]
    read = opinion(*lists)
    assert read.text[read.part("closing").start :].split("\n\n") == lists


def test_closing_before_a_separate_opinion_ends_there() -> None:
    read = opinion("Concur: Judges Elm and Fir.", "Birch, J. (dissenting).", PROSE)
    assert [kind for kind, _ in voices(read)] == ["front", "majority", "closing", "dissent"]


@pytest.mark.parametrize(
    ("glued", "kinds"),
    [
        ("The fence is no wall. BIRCH, J. (dissenting):", ["front", "majority", "dissent"]),
        ("The fence is no wall [2031]. Dissenting opinion by Birch, J.", ["front", "majority", "dissent"]),
        ("The fence is no wall (see Birch, J. [dissenting]).", ["front", "majority"]),
    ],
)
def test_head_run_into_the_paragraph_before_begins_a_part(glued: str, kinds: list[str]) -> None:
    assert [kind for kind, _ in voices(opinion(glued, PROSE))] == kinds


def test_title_run_into_the_lines_of_counsel_begins_the_opinion() -> None:
    read = opinion(head="# Orchard v Parish\n\nAda Elm, for respondent. OPINION OF THE COURT\n\nMemorandum.")
    assert voices(read) == [("front", None), ("majority", None)]
    assert read.text[read.part("majority").start :].startswith("OPINION OF THE COURT")


def test_announcement_and_head_are_one_opinion() -> None:
    read = opinion("Dissenting opinion by Judge Birch", "Chief Judge Birch (dissenting in part).", PROSE)
    assert voices(read)[2:] == [("mixed", "Chief Judge Birch")]


@pytest.mark.parametrize(
    ("lines", "author"),
    [
        ("OPINION OF THE COURT\n\nAlder, J.", "Alder, J."),
        ("OPINION OF THE COURT\n\nChief Judge Alder.", "Chief Judge Alder"),
        ("ALDER, Circuit Judge:", "ALDER, Circuit Judge"),
        ("Alder, Justice.", "Alder, Justice"),
        ("Justice Alder delivered the opinion of the Court.", "Justice Alder"),
        ("THE CHIEF JUSTICE delivered the opinion of the Court.", "THE CHIEF JUSTICE"),
        ("ADA ALDER, United States District Judge", "ADA ALDER, United States District Judge"),
        ("OPINION OF THE COURT\n\nMemorandum.", None),
        ("MEMORANDUM:", None),
        ("PER CURIAM.", None),
        ("MEMORANDUM OPINION AND ORDER", None),
    ],
)
def test_author_of_the_court_is_the_one_the_first_lines_name(lines: str, author: str | None) -> None:
    read = opinion(head=f"# Orchard v Parish\n\nAda Elm, for respondent.\n\n{lines}")
    assert voices(read) == [("front", None), ("majority", author)]


@pytest.mark.parametrize(
    ("paragraphs", "voice"),
    [
        (["Birch, J. (concurring in result)."], "concurrence in result (Birch, J.)"),
        (["Justice Birch, concurring in the judgment."], "concurrence in result (Justice Birch)"),
        (["Justice Birch, concurring in part."], "concurrence in part (Justice Birch)"),
        (["Birch, J. (concurring)."], "concurrence (Birch, J.)"),
        (["Birch, J. (dissenting in part)."], "concurrence in part, dissent in part (Birch, J.)"),
        (["Birch, J. (dissenting)."], "dissent (Birch, J.)"),
    ],
)
def test_form_of_a_separate_opinion_shows_in_its_voice(paragraphs: list[str], voice: str) -> None:
    assert opinion(*paragraphs, PROSE).parts[2].voice == voice


def test_closing_tells_that_a_judge_concurs_in_result_and_no_other() -> None:
    read = opinion(
        "Birch, J. (concurring).",
        PROSE,
        "R.S. Elm, J. (concurring).",
        PROSE,
        "Judges Fir and Gale concur. Judge R.S. Elm concurs in result in an opinion; Judge Birch in another.",
        "Order affirmed.",
    )
    assert [part.form for part in read.parts] == [None, None, None, "in_result", None]


@pytest.mark.parametrize(
    ("lines", "voice"),
    [
        ("OPINION OF THE COURT\n\nMemorandum.", "majority (memorandum)"),
        ("MEMORANDUM:", "majority (memorandum)"),
        ("PER CURIAM.", "majority (per curiam)"),
        ("Justice Alder announced the judgment of the Court and delivered an opinion.", "plurality (Justice Alder)"),
        ("Justice Alder delivered the opinion of the Court.", "majority (Justice Alder)"),
        ("OPINION OF THE COURT\n\nAlder, J.", "majority (Alder, J.)"),
    ],
)
def test_form_of_the_courts_opinion_shows_in_its_voice(lines: str, voice: str) -> None:
    read = opinion(
        "So held.[FN1]", "Footnote 1: One.", head=f"# Orchard v Parish\n\nAda Elm, for respondent.\n\n{lines}"
    )
    assert [part.voice for part in read.parts[1:]] == [voice, f"{voice}, footnote 1"]


def test_author_of_a_dissent_is_not_that_of_the_memorandum_before_it() -> None:
    read = parse_opinion(
        f"# A v B\n\nOPINION OF THE COURT\n\nMemorandum. {PROSE}\n\nBirch, J. (dissenting).\n\n{PROSE}", suffix=".md"
    )
    assert voices(read)[1:] == [("majority", None), ("dissent", "Birch, J.")]


def test_author_in_the_head_of_the_file_stands_for_one_in_the_text() -> None:
    read = opinion(head="# Orchard v Parish\n**99 NY3d 2**  \n**Alder, Ch. J.**\n\nOPINION OF THE COURT")
    assert voices(read)[1] == ("majority", "Alder, Ch. J.")


def test_syllabus_that_tells_who_delivered_what_is_front() -> None:
    told = "Justice Alder delivered the opinion of the Court with respect to Part I."
    read = opinion(head=f"Syllabus\n\n{told}\n\n{PROSE}\n\nJustice Alder delivered the opinion of the Court.")
    assert voices(read) == [("front", None), ("majority", "Justice Alder")]
    assert read.text.index("Justice Alder delivered the opinion of the Court.") == read.part("majority").start


def test_judge_who_announces_a_verdict_delivers_no_opinion() -> None:
    read = opinion("Judge Birch announced the verdict at noon.", PROSE, head="# Orchard v Parish\n\nMEMORANDUM:")
    assert read.text[read.part("majority").start :].startswith("MEMORANDUM:")


def test_voice_of_a_text_without_any_head_is_unknown() -> None:
    read = opinion(head=PROSE)
    assert voices(read) == [("unknown", None)]
    assert not read.is_understood
    assert "does not show whose opinion it is" in read.doubts[0]


def test_voice_of_a_text_before_the_first_separate_opinion_is_unknown_where_nothing_shows_it() -> None:
    read = opinion(PROSE, "Birch, J. (dissenting).", PROSE, head=PROSE)
    assert voices(read) == [("unknown", None), ("dissent", "Birch, J.")]


def test_line_about_the_case_before_a_separate_opinion_is_front() -> None:
    read = opinion("Birch, J. (dissenting).", PROSE, head="STATE v. ORCHARD")
    assert voices(read) == [("front", None), ("dissent", "Birch, J.")]
    assert read.is_understood


def test_dissent_alone_is_a_dissent() -> None:
    assert voices(opinion(head="Birch, J. (dissenting).")) == [("dissent", "Birch, J.")]


def test_footnote_belongs_to_the_opinion_that_calls_it() -> None:
    read = opinion(
        "So held.[FN1] And so.[FN2]",
        "Birch, J. (dissenting).",
        f"{PROSE}[FN1]",
        "Judges Elm and Fir[FN*] concur.",
        "Footnotes",
        "Footnote 1: One.",
        "Footnote 2: Two.",
        "Still two.",
        "Footnote 1: Theirs.",
        "Footnote *: Designated.",
    )
    assert notes(read) == [("majority", "1"), ("majority", "2"), ("dissent", "1"), ("closing", "*")]
    second = read.part("majority-note-2")
    assert read.text[second.start : second.end].strip() == "Two.\n\nStill two."


@pytest.mark.parametrize(
    ("calls", "labels", "owners"),
    [
        (["1", "2", "|", "1"], ["1", "2", "1"], ["majority", "majority", "dissent"]),
        (["1", "|", "1", "2"], ["1", "2", "1", "2"], ["majority", "majority", "dissent", "dissent"]),  # a lost call
        (["1", "2", "|", "1", "2"], ["1", "1", "2"], ["majority", "dissent", "dissent"]),  # a lost note
        (
            ["1", "2", "3", "|", "1"],
            ["1", "3", "2", "1"],
            ["majority", "majority", "majority", "dissent"],
        ),  # out of order
        (["*", "|", "*"], ["*", "*"], ["majority", "dissent"]),
        (["1", "l", "|", "1"], ["1", "2", "1"], ["majority", "majority", "dissent"]),  # a misread call
    ],
)
def test_lost_and_misnumbered_notes_keep_the_others_in_place(
    calls: list[str], labels: list[str], owners: list[str]
) -> None:
    divide = calls.index("|")
    majority, dissent = (
        "".join(f" So held.[FN{label}]" for label in part) for part in (calls[:divide], calls[divide + 1 :])
    )
    read = opinion(
        majority, "Birch, J. (dissenting).", f"{PROSE}{dissent}", *(f"Footnote {label}: A note." for label in labels)
    )
    assert [kind for kind, _ in notes(read)] == owners


def test_footnote_without_a_call_belongs_to_the_only_opinion() -> None:
    assert notes(opinion("Footnote 1: One.")) == [("majority", "1")]


def test_notes_printed_behind_each_opinion_do_not_swallow_the_next() -> None:
    read = opinion("So held.[FN1]", "Footnote 1: One.", "Birch, J. (dissenting).", PROSE)
    assert voices(read)[2:] == [("dissent", "Birch, J.")]
    assert notes(read) == [("majority", "1")]


def test_footnote_stands_on_the_page_of_its_call() -> None:
    read = opinion(
        "{**99 NY3d at 4}So held.[FN1]",
        "{**99 NY3d at 5}Birch, J. (dissenting).",
        f"{PROSE}[FN1]",
        "{**99 NY3d at 6}It ends.",
        "Footnote 1: Ours.",
        "Footnote 1: Theirs{**99 NY3d at 6} goes on.",
    )
    assert [read.page_at(read.text.index(word)) for word in ("So held", "Ours", "Theirs", "goes on")] == [
        "99 NY3d at 4",
        "99 NY3d at 4",
        "99 NY3d at 5",
        "99 NY3d at 6",
    ]


PARAGRAPHS = st.lists(
    st.sampled_from(
        [
            PROSE,
            "I.",
            "Birch, J. (dissenting).",
            "Elm, J. (concurring in result). I agree.",
            "Dissenting opinion by Fir, J.",
            "Judges Elm and Fir concur.",
            "Order affirmed.",
            "OPINION OF THE COURT",
            "Per Curiam.",
            "So held.[FN1]",
            "[*2]",
            "{**99 NY3d at 4}",
            "Footnotes",
            "Footnote 1: A note.",
            "> a quotation",
            "References",
        ]
    ),
    min_size=1,
    max_size=14,
)


@given(PARAGRAPHS)
@settings(max_examples=150, deadline=None)
def test_parts_tile_the_text_whatever_the_order_of_paragraphs(paragraphs: list[str]) -> None:
    read = parse_opinion("\n\n".join([*paragraphs, PROSE]), suffix=".md")
    ends = [part.end for part in read.parts]
    assert [part.start for part in read.parts] == [0, *ends[:-1]]
    assert ends[-1] == len(read.text)
    assert len({part.id for part in read.parts}) == len(read.parts)
    assert all(part.end > part.start for part in read.parts)
