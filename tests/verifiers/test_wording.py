"""Small words, signs and endings: a claim that changes one of them is not the sentence."""

from __future__ import annotations

import pytest

from parcel_agents.verifiers.alignment import align


def differences(body: str, sentence: str) -> tuple[str, ...]:
    found = align(f"(noting that {body})", sentence)
    return ("no such sentence",) if found is None else found.differences


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        # what is left out
        (
            "The police may search abandoned boats in the harbor at night",
            "police may search boats in the harbor at night",
        ),
        ("Ferris was convicted of attempted murder after a trial", "Ferris was convicted of murder after a trial"),
        ("Wren allegedly struck the officer with a brass lamp", "Wren struck the officer with a brass lamp"),
        ("Wren, the People say, struck the officer with a brass lamp", "Wren struck the officer with a brass lamp"),
        (
            "The motion to suppress was granted in part and denied in part",
            "the motion to suppress was granted and denied",
        ),
        ("Section 12 (1) (a) governs the boarding of moored boats", "section 12 governs the boarding of moored boats"),
        (
            "Section 12-a governs the boarding of all moored boats",
            "section 12 governs the boarding of all moored boats",
        ),
        # who does what to whom
        ("The officer was struck by Wren with a heavy brass lamp", "the officer struck Wren with a heavy brass lamp"),
        ("The boat sailed from Dunmarrow to Skerry in fog", "the boat sailed to Dunmarrow from Skerry in fog"),
        ("The insurer must pay the insured within thirty days", "the insured must pay the insurer within thirty days"),
        ("The accused named the accuser in a letter", "the accuser named the accused in a letter"),
        ("The minority of the board voted for the rule", "the minor of the board voted for the rule"),
        ("The purchaser paid the whole price in May", "the purchase paid the whole price in May"),
        ("The man whom Wren robbed ran to the harbor office", "the man who robbed Wren ran to the harbor office"),
        ("The man Wren robbed ran to the harbor office", "the man that robbed Wren ran to the harbor office"),
        ("He told her that the oysters were spoiled by heat", "she told him that the oysters were spoiled by heat"),
        # signs, scale and units
        ("The cabin was at -10 degrees at midnight that day", "the cabin was at 10 degrees at midnight that day"),
        ("The award for the boat was $5 million that spring", "the award for the boat was $5 that spring"),
        ("The rate was .5 percent a month on the balance", "the rate was 5 percent a month on the balance"),
        ("The officer boarded at 3:40 p.m. with a key", "the officer boarded at 3:40 a.m. with a key"),
        ("The officer boarded at 3:40 PM with a key", "the officer boarded at 3:40 AM with a key"),
        # two sentences made one
        (
            "Marlowe shot Wren with a rifle from the porch. Ferris fled the scene in a stolen car",
            "Marlowe shot Wren with a rifle from the porch and fled the scene in a stolen car",
        ),
        (
            "Wren saw the man with the rifle. Robbing the bank was easy",
            "Wren saw the man with the rifle robbing the bank was easy",
        ),
    ],
)
def test_a_changed_small_word_is_a_difference(sentence: str, claim: str) -> None:
    assert differences(claim, f"{sentence}.") != ()
    assert differences(sentence, f"{sentence}.") == ()


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("The officer opened the locker of the moored boat", "an officer opened a locker of the moored boats"),
        ("The officer had opened the locker of the moored boat", "the officer had opened locker of the moored boat"),
    ],
)
def test_articles_and_the_ending_of_a_plural_are_none(sentence: str, claim: str) -> None:
    assert differences(claim, f"{sentence}.") == ()
