"""Claims that are nothing but a quotation: supported where the opinion says the words itself, and nowhere else."""

from __future__ import annotations

import pytest
from fakes.tasks import task

from parcel_agents.verifiers.matching import closest_match
from parcel_agents.verifiers.quoted_claims import whole_quotation

RULE = "the harbor officer may not open the stern locker of a moored oyster boat"
CAPITAL = f"T{RULE[1:]}"
CLAIM = f"(“[T]{RULE[1:]}.”)"


def supports(court: str, claim: str = CLAIM, *, dissent: str = "") -> bool:
    match = closest_match(task(claim, court, dissent=dissent))
    return match is not None and match.supports


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("(“the boat was moored at dusk”)", "the boat was moored at dusk"),
        ('("the boat was moored at dusk.")', "the boat was moored at dusk."),
        ("(holding that “the boat was moored at dusk”)", "the boat was moored at dusk"),
        ("(“the boat was moored at dusk” (emphasis added))", "the boat was moored at dusk"),
        ("(“‘the boat was moored’ at dusk” (internal quotation marks omitted))", "‘the boat was moored’ at dusk"),
        ("(the boat “was moored at dusk”)", ""),
        ("(“the boat was moored at dusk” by Quist)", ""),
        ("(noting “moored” and “adrift”)", ""),
        ("(the boat was moored at dusk)", ""),
    ],
)
def test_a_whole_quotation_has_no_words_besides(claim: str, words: str) -> None:
    assert whole_quotation(claim) == words


@pytest.mark.parametrize(
    "court",
    [
        f"{CAPITAL}.",
        f"Just as false papers are not protected by law, see Ferris v. Lund, 44 U. S. 153, 171 (1979), {RULE}.",
        f"The general rule, of course, is that {RULE}.",
        f"Our cases have long recognized that {RULE}.",
        f"In this appeal we clarify that {RULE}.",
        f"{CAPITAL} (Ferris v Lund, 44 NY2d 153 [1979] [“The locker is a home. A home is not open to all.”]).",
    ],
)
def test_words_that_the_opinion_says_itself_are_supported(court: str) -> None:
    assert supports(court)


@pytest.mark.parametrize(
    "court",
    [
        # Somebody else's, or not so
        f"Ferris argues that {RULE}.",
        f"Just as Ferris argued, {RULE}.",
        f"Just as the dissent says, {RULE}.",
        f"Although {RULE}, Ferris says, Quist gave leave.",
        f"Although {RULE}, that is no longer the law.",
        f"While {RULE}, as the People would have it, Quist gave leave.",
        f"Although {RULE}, in Quist's telling, the boat sailed.",
        f"It is not true that {RULE}.",
        f"If {RULE}, Quist goes free.",
        f"Other courts have recognized that {RULE}.",
        f"Because {RULE}, County Court suppressed the lamp.",
        f"{CAPITAL}. We disagree.",
        f"Is it the law that {RULE}?",
        f"{CAPITAL} without leave.",
        f"The tide was high.\n\nII.\n\nWren told the jury that he was unsure whether {RULE}.",
        f"The tide was high.\n\nII.\n\nWe first address the issue whether {RULE}.",
        # Quoted, but not from what the Court relies on
        f"“{CAPITAL}.”",
        f"“{CAPITAL}” (id. at 12).",
        f"“{CAPITAL}” (People v Marlowe, 44 AD3d 153, 160 [2007]).",
        f"“{CAPITAL}” (Quist brief at 12).",
        f"But see Ferris v. Lund, 44 U. S. 153, 171 (1979) (“{CAPITAL}.”).",
        f"Cf. Ferris v. Lund, 44 U. S. 153, 171 (1979) (“{CAPITAL}.”).",
        f"See Ferris v. Lund, 44 U. S. 153, 171 (1979) (Wren, J., dissenting) (“{CAPITAL}.”).",
        f"See Ferris v. Lund, 44 U. S. 153, 171 (1979) (“{CAPITAL}.”). We disagree.",
        f"The trial court held otherwise. See Ferris v. Lund, 44 U. S. 153, 171 (1979) (“{CAPITAL}.”).",
        f"See People v. Marlowe, 44 A. D. 3d 153, 171 (2007) (“{CAPITAL}.”).",
        f"See id. (“{CAPITAL}.”).",
        # what is conceded may be taken back in the same breath
        f"Although {RULE}, Quist gave leave at noon.",
        f"Although {RULE}, the Legislature has since repealed the statute.",
        f"Although {RULE}, we abolish that rule today.",
        f"While {RULE}, in Lund County the rule is gone.",
        f"Although {RULE}, or so it seemed to Quist, the jury acquitted.",
        f"The lid was heavy, whereas {RULE}.",
        f"Two courts took up the question. These decisions hold that {RULE}. We think that it may.",
        # another's law, which the opinion may go on to overrule
        f"“{CAPITAL}” (Ferris v Lund, 44 NY2d 153, 160 [1979]).",
        f"The deck is open. See Ferris v. Lund, 44 U. S. 153, 171 (1979) (“ ‘{CAPITAL}.’ ” (citation omitted)).",
    ],
)
def test_words_of_others_and_words_taken_back_are_not(court: str) -> None:
    assert not supports(court)


@pytest.mark.parametrize(
    "claim",
    [
        f"(“{CAPITAL.replace(' not', '')}.”)",
        f"(“{CAPITAL.replace('may not', '[may]')}.”)",
        f"(“{CAPITAL.replace('may not', 'may . . .')}.”)",
        f"(“{CAPITAL.replace('may not', '[must] not')}.”)",
        f"(“{CAPITAL.replace('harbor', '[tax]')}.”)",
        f"(“{CAPITAL.replace('moored', '[unguarded] moored')}.”)",
        f"(“{CAPITAL}” although Quist asked)",
    ],
)
def test_a_changed_quotation_is_not(claim: str) -> None:
    assert not supports(f"{CAPITAL}.", claim)


@pytest.mark.parametrize(
    ("court", "claim"),
    [
        ("The lamp [was] is not lit at dusk there.", "(“The lamp [was] lit at dusk there.”)"),
        ("The fine is not owed by Quist today.", "(“The fine [was] owed by Quist today.”)"),
        ("A fine is owed within 30 days of the hearing.", "(“A fine is owed within 10 days of the hearing.”)"),
        (
            "The search, Ferris says, was lawful from start to end.",
            "(“The search . . . was lawful from start to end.”)",
        ),
        ("The officer could have opened the locker at dusk.", "(“The officer . . . opened the locker at dusk.”)"),
        (
            "The order is reversed in part and the count dismissed.",
            "(“The order is reversed . . . and the count dismissed.”)",
        ),
        ("A lid is usually locked by its owner at dusk.", "(“A lid is . . . locked by its owner at dusk.”)"),
        ("The master was fail-ing to appear at the pier.", "(“The master was falling to appear at the pier.”)"),
        ("The master fled after the officers came there.", "(“The master filed after the officers came there.”)"),
        # what the ellipsis hides differs from place to place
        (
            "Quist argued that the waiver that he signed is fully binding on Wren.\n\nThe tide was low. The waiver "
            "that he signed may be binding on Wren.",
            "(“The waiver that he signed . . . binding on Wren.”)",
        ),
        # how long a quoted block goes on cannot be told
        (
            "The former statute provided:\n\nA master shall obey the harbor officer.\n\nNo lamp shall be lit on a "
            "moored boat.\n\nThe statute is gone.",
            "(“No lamp shall be lit on a moored boat.”)",
        ),
        ("The lamp was lit. Wren denies it. The boat sailed on.", "(“The lamp was lit. . . . The boat sailed on.”)"),
    ],
)
def test_nothing_that_turns_a_sentence_hides_under_a_bracket_or_an_ellipsis(court: str, claim: str) -> None:
    assert not supports(court, claim)


@pytest.mark.parametrize(
    ("block", "ours"),
    [
        ('"A master shall obey the harbor officer" (id. at 4).', True),
        ("“A master shall obey the harbor officer.”", True),
        # a term that is defined is in marks of its own
        ('"Harbor locker" means any box on a pier.', False),
        ("“Harbor locker” (as amended) means any box on a pier.", False),
        # the quotation goes on in the next paragraph
        ('"A master shall obey the harbor officer.', False),
        ("“A master shall obey the harbor officer.", False),
        ("A master shall obey the harbor officer.", False),
    ],
)
def test_marks_tell_where_a_quoted_block_ends(block: str, ours: bool) -> None:
    court = f"The statute provided:\n\n{block}\n\nNo lamp shall be lit on a moored boat.\n\nThe tide was low."
    assert supports(court, "(“No lamp shall be lit on a moored boat.”)") == ours


def test_an_ellipsis_may_leave_out_what_only_adds() -> None:
    court = "The harbor officer, a tall woman of forty, opened the stern locker at dusk."
    assert supports(court, "(“The harbor officer . . . opened the stern locker at dusk.”)")


def test_the_dissents_words_are_not_the_courts_nor_the_courts_the_dissents() -> None:
    assert not supports("We affirm.", dissent=f"{CAPITAL}.")
    assert supports("We affirm.", f"(the dissent, “{CAPITAL}.”)", dissent=f"{CAPITAL}.")
    assert not supports(f"{CAPITAL}.", f"(the dissent, “{CAPITAL}.”)", dissent="I would affirm the order.")


def test_the_courts_words_are_found_where_others_say_them_first() -> None:
    assert supports(f"Ferris argues that {RULE}.\n\nThe tide was high. {CAPITAL}.")
