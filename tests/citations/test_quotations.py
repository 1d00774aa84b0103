from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from parcel_agents.citations.quotations import MAX_QUOTED_WORDS, QuotationCheck, check_quotation
from parcel_agents.citations.quoted_words import read_words
from parcel_agents.citations.word_alignment import MAX_SKIPPED
from parcel_agents.errors import InputError
from parcel_agents.types import Span

OPINION = """The keeper of a lighthouse must sound the horn in fog, unless the bell is in use. The board did not \
revoke his license. A keeper who fails to sound it shall pay a fine of $1,500 within 30 days of the hearing on May 3, \
2022. Every ferry carries a non-transferable permit (Tidal Law § 9; Matter of Orlo v Strand, 94 NY3d 17, 21 [2011]). \
The permit may be renewed “at any time,” and the owner’s consent is not required. We agree with Captain Brandt that \
only two of the buoys were lit.

The board's order should be affirmed—with costs—because the horn was silent. On that night the fog was thick. The \
keeper slept. Nobody rang the bell."""


def check(quotation: str) -> QuotationCheck:
    return check_quotation(OPINION, quotation)


def told(check: QuotationCheck) -> list[tuple[str, str, str]]:
    return [(difference.kind, difference.quoted, difference.original) for difference in check.differences]


@pytest.mark.parametrize(
    "quotation",
    [
        "must sound the horn in fog",
        "must  sound\n\tthe horn\u00a0in fog",
        '"must sound the horn in fog"',
        "“must sound the horn in fog,”",  # a comma inside the marks is the quoting author's
        "Must sound the horn in fog.",
        "[M]ust sound the horn in fog",
        "(m)ust sound the horn in fog",
        'may be renewed "at any time," and the owner\'s consent is not required',
        "may be renewed at any time, and the owner’s consent",
        "affirmed -- with costs -- because",
        "a fine of $1500 within 30 days",
        "the ow\u00adner's con\u200bsent is not required",
        "The board did not revoke [his] license",
        "The board did not revoke his license (emphasis added).",
        "The board did not revoke [sic] his license",
    ],
)
def test_what_says_nothing_may_differ(quotation: str) -> None:
    found = check(quotation)
    assert (found.status, told(found), found.disclosed) == ("verbatim", [], ())


@pytest.mark.parametrize(
    ("quotation", "quoted", "original"),
    [
        ("the owner’s consent [was] not required", "[was]", "is"),
        ("A keeper who [failed] to sound it", "[failed]", "fails"),
        ("The board did not revoke [the keeper's] license", "[the keeper's]", "his"),
        ("A keeper[s] who fails to sound it", "keeper[s]", "keeper"),
        ("On that night ... [t]he keeper slept", "...", "the fog was thick"),
        ("Every ferry carries * * * permit", "...", "a non-transferable"),
        ("Every ferry carries a non-transferable permit (citations omitted). The permit", "...", None),
    ],
)
def test_a_marked_change_that_turns_nothing_is_disclosed(quotation: str, quoted: str, original: str | None) -> None:
    found = check(quotation)
    assert (found.status, told(found)) == ("verbatim", [])
    assert [d.quoted for d in found.disclosed] == [quoted]
    assert original is None or found.disclosed[0].original == original


@pytest.mark.parametrize(
    ("quotation", "difference"),
    [
        # Negations: dropped, added, swallowed by a bracket, an ellipsis or a note, cut off at a hyphen.
        ("The board did revoke his license", ("negation", "", "not")),
        ("The permit may not be renewed", ("negation", "not", "")),
        ("the owner’s consent [is] required", ("negation", "", "not")),
        ("The board did [] revoke his license", ("negation", "", "not")),
        ("A keeper who fails [not] to sound it", ("negation", "[not]", "")),
        ("The board ... revoke his license", ("negation", "...", "did not")),
        ("A keeper who [sounds] it shall pay", ("negation", "[sounds]", "fails to sound")),
        ("A keeper ... shall pay a fine", ("negation", "...", "who fails to sound it")),
        ("carries a transferable permit", ("negation", "", "non")),
        ("transferable permit", ("negation", "transferable", "non-transferable")),
        ("Every ferry carries a ... transferable permit", ("negation", "...", "non")),
        ("The board did not [citations omitted, and never will] revoke his license. A keeper", None),
        # Conditions
        ("must sound the horn in fog ... the bell is in use", ("condition", "...", "unless")),
        ("must sound the horn in fog, if the bell is in use", ("condition", "if", "unless")),
        ("Captain Brandt that two of the buoys were lit", ("condition", "", "only")),
        # Modals, numbers, dates, quantifiers, names
        ("A keeper who fails to sound it may pay", ("modal", "may", "shall")),
        ("of a lighthouse [may] sound the horn", ("modal", "[may]", "must")),
        ("a fine of $1,600 within 30 days", ("number", "1,600", "1,500")),
        ("a fine of $15.00 within 30 days", ("number", "15.00", "1,500")),
        ("within 10 days of the hearing", ("number", "10", "30")),
        ("within [30] months of the hearing", ("wording", "months", "days")),
        ("of the hearing on May 8, 2022", ("number", "8", "3")),
        ("of the hearing on June 3, 2022", ("date", "June", "May")),
        ("of the hearing on May 3, 2021", ("date", "2021", "2022")),
        ("Some ferry carries a non-transferable permit", ("quantifier", "Some", "Every")),
        ("We agree with Captain Brand that only two", ("name", "Brand", "Brandt")),
        ("We agree with [the keeper] that only two", ("name", "[the keeper]", "Captain Brandt")),
        ("The board did not revoke [Orlo's] license", ("name", "[Orlo's]", "his")),
        # Words, capitals and punctuation that the quotation does not own up to
        ("must sound the bell in fog", ("wording", "bell", "horn")),
        ("The [unlawful] board did not revoke", ("addition", "[unlawful]", "")),
        ("The [whole] board did [not] ever revoke", None),
        ("must sound the horn in thick fog", ("addition", "thick", "")),
        ("On that night fog was thick", ("omission", "", "the")),
        ("The board did NOT revoke", ("case", "NOT", "not")),
        ("On that night, the fog was thick", ("punctuation", "night, the", "night the")),
    ],
)
def test_what_changes_a_quotation_is_told(quotation: str, difference: tuple[str, str, str] | None) -> None:
    found = check(quotation)
    assert found.status == "altered"
    assert difference is None or told(found) == [difference]


def test_the_span_holds_the_words_and_differences_point_to_theirs() -> None:
    found = check("a keeper who fails to sound it may pay a fine of $1,600")
    assert found.span is not None
    assert OPINION[found.span.start : found.span.end] == "A keeper who fails to sound it shall pay a fine of $1,500"
    assert [OPINION[d.start : d.end] for d in found.differences] == ["shall", "1,500"]


@pytest.mark.parametrize(
    "quotation",
    [
        "The corporation owes no tax upon dividends that its subsidiaries have paid.",
        "buoys buoys buoys",
        "Nobody rang the horn of the keeper of the license of the ferry",  # the opinion's words, never so joined
        "revoke it",
    ],
)
def test_a_quotation_that_nothing_resembles_is_absent(quotation: str) -> None:
    assert check(quotation) == QuotationCheck(status="absent")


def test_an_ellipsis_joins_nothing_in_another_order() -> None:
    assert check("The keeper slept ... the fog was thick").status != "verbatim"
    assert check("the fog was thick ... the keeper slept").status == "verbatim"


@pytest.mark.parametrize(
    ("quotation", "spliced"),
    [
        ("On that night ... keeper slept", True),
        ("On that night ... [t]he keeper slept", False),
        ("On that night .... the keeper slept", False),
        ("On that night the fog was thick. ... keeper slept", False),
        ("On that night ... The keeper slept", False),
        ("On that night ... was thick", False),
        # "v." ends no sentence.
        ("Every ferry carries a non-transferable permit ... 94 NY3d 17", False),
    ],
)
def test_an_ellipsis_makes_no_sentence_of_two(quotation: str, spliced: bool) -> None:
    found = check(quotation)
    assert [d.kind for d in found.differences] == (["splice"] if spliced else [])


def test_an_ellipsis_joins_no_distant_places() -> None:
    filler = "word " * (MAX_SKIPPED + 1)
    far = check_quotation(
        f"the horn was silent {filler} and the keeper slept", "the horn was silent ... the keeper slept"
    )
    near = check_quotation(
        f"the horn was silent {filler[10:]} the keeper slept", "the horn was silent ... the keeper slept"
    )
    assert [d.kind for d in far.differences] == ["distance"]
    assert near.status == "verbatim"


@pytest.mark.parametrize("joint", [" ... ", " "])
def test_no_quotation_runs_from_one_part_into_another(joint: str) -> None:
    text = "We hold that the horn was silent.\n\nI would hold that the bell rang."
    border = text.index("I would")
    parts = (Span(start=0, end=border), Span(start=border, end=len(text)))
    quotation = f"the horn was silent.{joint}I would hold that the bell rang"
    assert check_quotation(text, quotation).status == "verbatim"
    found = check_quotation(text, quotation, parts=parts)
    assert (found.status, [d.kind for d in found.differences]) == ("altered", ["other part"])


def test_every_place_is_told() -> None:
    found = check_quotation("The bell rang. It was late. The bell rang.", "the bell rang")
    assert (found.span, found.elsewhere) == (Span(start=0, end=13), (Span(start=28, end=41),))


def test_a_verbatim_place_is_preferred_to_an_earlier_altered_one() -> None:
    found = check_quotation("The bell, rang. The BELL rang. The bell rang.", "the bell rang")
    assert (found.status, found.span) == ("verbatim", Span(start=31, end=44))


@pytest.mark.parametrize("quotation", ["", " “...” ", "word " * (MAX_QUOTED_WORDS + 1)])
def test_a_quotation_without_words_or_with_too_many_is_an_error(quotation: str) -> None:
    with pytest.raises(InputError, match=f"words; give 1 to {MAX_QUOTED_WORDS}"):
        check(quotation)


def test_an_empty_opinion_holds_no_quotation() -> None:
    assert check_quotation("", "the horn").status == "absent"


def test_a_long_opinion_takes_no_time() -> None:
    rng = random.Random(1)
    words = OPINION.split()
    text = " ".join(rng.choice(words) for _ in range(55_000))
    quotation = " ".join(text[150_000:].split()[1:81])
    check_quotation(text, "the horn")
    started = time.perf_counter()
    assert check_quotation(text, quotation).status == "verbatim"
    # About 0.1 s on one core; the bound leaves room for busy machines.
    assert time.perf_counter() - started < 3


# Few words, so that what is cut and joined occurs in many places, and half of them turn a sentence.
WORDS = st.sampled_from("officer boat search open may must not no if unless all some 10 30 the of".split())
TEXTS = st.lists(WORDS, min_size=8, max_size=40)
PIECES = st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=3)


def stands(text: list[str], pieces: list[list[str]]) -> bool:
    """The rule written out: pieces in order, nothing that turns between them, none too far from the one before."""

    def after(place: int, rest: list[list[str]]) -> bool:
        if not rest:
            return True
        for start in range(place, len(text)):
            skipped = text[place:start]
            if len(skipped) > MAX_SKIPPED or any(word in {"not", "no", "if", "unless"} for word in skipped):
                return False
            if text[start : start + len(rest[0])] == rest[0] and after(start + len(rest[0]), rest[1:]):
                return True
        return False

    first = pieces[0]
    return any(
        text[start : start + len(first)] == first and after(start + len(first), pieces[1:])
        for start in range(len(text))
    )


@given(TEXTS, PIECES)
@settings(max_examples=120)
def test_verbatim_means_what_the_rule_says(text: list[str], pieces: list[list[str]]) -> None:
    found = check_quotation(" ".join(text), " ... ".join(" ".join(piece) for piece in pieces))
    assert (found.status == "verbatim") == stands(text, pieces)


@given(TEXTS, st.data())
@settings(max_examples=120)
def test_any_cut_of_a_text_with_an_honest_ellipsis_is_judged_by_what_is_skipped(
    text: list[str], data: st.DataObject
) -> None:
    a, b, c, d = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=4, max_size=4, unique=True)))
    quotation = " ".join(text[a:b]) + " . . . " + " ".join(text[c:d])
    if not any(word in {"not", "no", "if", "unless"} for word in text[b:c]):
        assert check_quotation(" ".join(text), quotation).status == "verbatim"


SENTENCES = [sentence for sentence in OPINION.replace("\n\n", " ").split(". ") if len(sentence.split()) > 4]


@given(st.sampled_from(SENTENCES), st.data())
@settings(max_examples=60)
def test_no_word_of_weight_can_be_lost_or_gained(sentence: str, data: st.DataObject) -> None:
    words = sentence.split()
    weighty = data.draw(st.sampled_from("not never no may must shall 10 40 all few unless only Orlo".split()))
    place = data.draw(st.integers(1, len(words) - 1))
    wrap = data.draw(st.sampled_from(["{}", "[{}]", "[the {}]", "“{}”"]))
    assume(weighty not in {words[place], words[place - 1]})
    added = " ".join([*words[:place], wrap.format(weighty), *words[place:]])
    replaced = " ".join([*words[:place], wrap.format(weighty), *words[place + 1 :]])
    assert check(added).status != "verbatim"
    assert check(replaced).status != "verbatim"


@given(st.sampled_from(SENTENCES), st.data())
@settings(max_examples=60)
def test_an_ellipsis_or_a_bracket_swallows_no_word_that_turns(sentence: str, data: st.DataObject) -> None:
    words = read_words(sentence)
    turning = [i for i, word in enumerate(words) if word.turns and 3 <= i < len(words) - 1]
    assume(turning)
    at = data.draw(st.sampled_from(turning))
    start, end = data.draw(st.integers(3, at)), data.draw(st.integers(at + 1, len(words) - 1))
    before, behind = sentence[: words[start].start], sentence[words[end].start :]
    for joint in ("...", "* * *", "[...]", "[is]", "[the keeper]", "[]", "(citation omitted)", "", "(emphasis added)"):
        assert check(f"{before}{joint} {behind}").status != "verbatim"


@given(st.sampled_from(SENTENCES), st.data())
@settings(max_examples=60)
def test_noise_never_matters(sentence: str, data: st.DataObject) -> None:
    words = sentence.split()
    spaces = data.draw(
        st.lists(st.sampled_from([" ", "  ", "\n", "\t", "\u00a0"]), min_size=len(words), max_size=len(words))
    )
    noisy = "".join(word + space for word, space in zip(words, spaces, strict=True))
    noisy = noisy.translate(data.draw(st.sampled_from([{}, {ord("’"): "'", ord("“"): '"', ord("”"): '"'}])))
    opening = data.draw(st.sampled_from(["{}", "[{}]", "({})"]))
    letter = noisy[0].swapcase()
    if noisy[1].islower():
        noisy = (opening.format(letter) if opening != "({})" or noisy[1].islower() else letter) + noisy[1:]
    assert check(f"“{noisy}”").status == "verbatim"


def test_every_quotation_of_the_shared_inputs_holds(shared_data: Path) -> None:
    lines = (shared_data / "cases" / "citations.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case.get("kind") == "quote"]
    for case in cases:
        found = check_quotation(case["source"], case["quote"])
        assert (found.status == "verbatim") == case["verbatim"], case["id"]
    assert len(cases) >= 3
