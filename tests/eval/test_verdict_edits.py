from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcel_agents.eval.verdicts.edits import KINDS, edits_of
from parcel_agents.eval.verdicts.sentences import OwnSentence
from parcel_agents.eval.verdicts.word_changes import entity_changes, modal_changes, number_changes
from parcel_agents.generation.rules.negation import Change, negations
from parcel_agents.generation.rules.sentences import lower_first
from parcel_agents.opinions import parse_opinion

OPINION = parse_opinion(
    "# *People v Marlowe*\n\nOPINION OF THE COURT\n\n**Quist, J.**\n\n"
    "Officer Hathersage told Mr. Wren that the boat was moored. County Court denied the motion, and the Appellate"
    " Division affirmed. Defendant Marlowe had not seen two of the five letters.\n\n"
    "**Ferris, J.** (dissenting). I cannot agree that the boat was lawfully boarded by anybody on that day.\n",
    suffix=".md",
)


def results(sentence: str, changes: list[Change]) -> list[str]:
    return [change.apply(sentence) for change in changes]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The boat was moored there", "The boat was not moored there"),
        ("Marlowe is the owner", "Marlowe is not the owner"),
        ("The officer had boarded the boat", "The officer had not boarded the boat"),
        ("The officer has already been told", "The officer has not already been told"),
        ("A court may order it", "A court may not order it"),
        ("The court must order it", "The court must not order it"),
        ("The boat can be seen", "The boat cannot be seen"),
        ("The officer did see the boat", "The officer did not see the boat"),
        # one negation taken away
        ("The officer did not see the boat", "The officer did see the boat"),
        ("The boat cannot be seen", "The boat can be seen"),
        ("Marlowe was not the owner", "Marlowe was the owner"),
    ],
)
def test_one_negation_is_put_behind_an_auxiliary_or_taken_away(sentence: str, expected: str) -> None:
    assert results(sentence, negations(sentence)) == [expected]


@pytest.mark.parametrize(
    "sentence",
    [
        "The officer boarded the boat at night",  # simple past
        "Marlowe had a knife and fled",  # a main verb
        "The people have the burden",
        "The officer did so at once",
        "Nor was the boat moored",  # the verb before its subject
        "Only then could he leave",
        "He left by the will of another",  # a noun
        "The delay exceeded the time than was usual",
        "He has to leave at once",
        "The boat sank, as it was, therefore, heavy",  # nothing follows the verb
        "The order was no surprise",  # negated already, in a way that cannot be turned
        "The officer was not only late",  # `not only ... but`
    ],
)
def test_what_would_come_out_mangled_is_left_alone(sentence: str) -> None:
    assert negations(sentence) == []


def test_quoted_words_are_changed_only_where_nothing_else_can_be() -> None:
    sentence = "The rule “is settled” and the boat was moored"
    assert results(sentence, negations(sentence)) == ["The rule “is settled” and the boat was not moored"]
    assert len(negations("The rule “is settled”")) == 1


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("the two boats left", ["the three boats left"]),
        ("Ninety days passed", []),  # there is no greater word of its kind
        ("it took thirty days", ["it took forty days"]),
        ("he paid $1,500 at once", ["he paid $1,502 at once"]),
        ("he was 17 in 2018", ["he was 18 in 2018", "he was 17 in 2020"]),
        ("no one of them left", []),  # a pronoun
        ("it asks (1) who left", []),  # a point of a list
        ("under subdivision (2) he left", ["under subdivision (3) he left"]),
    ],
)
def test_a_number_gives_way_to_another_written_alike(sentence: str, expected: list[str]) -> None:
    assert results(sentence, list(number_changes(sentence))) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("a court may order it", ["a court must order it"]),
        ("a court must order it", ["a court may order it"]),
        ("a court may not order it", ["a court need not order it"]),
        ("he cannot leave", ["he need not leave"]),
        ("he left in May of that year", []),
        ("it is a must for them", []),
    ],
)
def test_a_modal_verb_gives_way_to_one_of_another_meaning(sentence: str, expected: list[str]) -> None:
    assert results(sentence, list(modal_changes(sentence))) == expected


def test_a_name_gives_way_to_others_of_its_kind_in_the_opinion() -> None:
    assert set(results("the boat of Marlowe sank", list(entity_changes("the boat of Marlowe sank", OPINION)))) == {
        "the boat of Hathersage sank",
        "the boat of Wren sank",
    }
    courts = results("County Court erred", list(entity_changes("County Court erred", OPINION)))
    assert courts == ["Appellate Division erred"]


def test_the_courts_sentence_is_given_to_the_dissent_and_the_dissents_to_the_court() -> None:
    rng = np.random.default_rng(0)
    of_court = OwnSentence("o", "The boat was moored by two of the five officers", "court")
    found = {edit.kind: edit.claim for edit in edits_of(of_court, "noting that", OPINION, rng)}
    assert found["speaker"] == "(dissent arguing that the boat was moored by two of the five officers)"
    assert found["negation"] == "(noting that the boat was not moored by two of the five officers)"
    of_dissent = OwnSentence("o", "The boat was boarded by nobody at all", "dissent")
    found = {edit.kind: edit.claim for edit in edits_of(of_dissent, "dissent arguing that", OPINION, rng)}
    assert found["speaker"] == "(holding that the boat was boarded by nobody at all)"


def test_without_a_dissent_the_courts_sentence_is_given_to_a_party() -> None:
    words = "The boat was moored at night by somebody whom none of the five officers knew or had seen before."
    alone = parse_opinion(f"# *People v Wren*\n\nOPINION OF THE COURT\n\n{words} {words}\n", suffix=".md")
    sentence = OwnSentence("o", "The boat was boarded at night", "court")
    claims = [e.claim for e in edits_of(sentence, "x", alone, np.random.default_rng(0)) if e.kind == "speaker"]
    assert re.match(r"\((?:defendant|the People) arguing that the boat", claims[0])


def test_words_that_the_other_voice_has_too_are_not_given_to_it() -> None:
    sentence = OwnSentence("o", "the boat was lawfully boarded by anybody", "court")
    assert "speaker" not in {e.kind for e in edits_of(sentence, "x", OPINION, np.random.default_rng(0))}


SUBJECTS = st.sampled_from(["Marlowe", "The officer", "County Court", "Two of the five letters", "Mr. Wren"])
VERBS = st.sampled_from(["was moved by", "did not see", "may follow", "must read", "had taken", "cannot hold", "fled"])
OBJECTS = st.sampled_from(["the boat", "seven boats", "Hathersage", "the 12 crates of 2018", "“what is left” of it"])


@given(SUBJECTS, VERBS, OBJECTS, st.integers(0, 99))
def test_an_edit_is_one_change_and_another_text(subject: str, verb: str, rest: str, seed: int) -> None:
    sentence = OwnSentence("o", f"{subject} {verb} {rest}", "court")
    text = lower_first(sentence.text, OPINION)
    whole = f"(noting that {text})"
    seen = set()
    for edit in edits_of(sentence, "noting that", OPINION, np.random.default_rng(seed)):
        assert edit.claim != whole
        assert edit.kind in KINDS
        seen.add(edit.kind)
        if edit.kind == "speaker":
            assert edit.claim.endswith(f" arguing that {text})")
            continue
        # What is left when the common beginning and end are taken away is a few words on either side.
        before, after = whole.split(), edit.claim.split()
        head = next(i for i, (a, b) in enumerate(zip([*before, ""], [*after, ""], strict=False)) if a != b)
        tail = next(i for i, (a, b) in enumerate(zip(before[::-1], after[::-1], strict=False)) if a != b)
        assert len(before) - head - tail <= 3
        assert len(after) - head - tail <= 3
        assert "  " not in edit.claim
    assert "speaker" in seen


@given(SUBJECTS, VERBS, OBJECTS, st.integers(0, 99))
def test_edits_depend_on_the_seed_alone(subject: str, verb: str, rest: str, seed: int) -> None:
    sentence = OwnSentence("o", f"{subject} {verb} {rest}", "court")
    first, second = (list(edits_of(sentence, "x", OPINION, np.random.default_rng(seed))) for _ in range(2))
    assert first == second
