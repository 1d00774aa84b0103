"""Is a claim, word for word, a sentence of the opinion?

Its telling words are laid along the sentence first; that says which sentence a claim is about, and where they part.
Where they nowhere part, every small word is compared as well, and what stands around the repeated stretch must be of
the kind that lets the sentence say it by itself: one changed word is how a false claim is made of a true sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from parcel_agents.citations.brackets import match_brackets
from parcel_agents.citations.citing_brackets import blank_citations
from parcel_agents.citations.saying import LEAD, SEPARATE_LEAD
from parcel_agents.citations.speakers import find_speaker
from parcel_agents.retrievers.terms import stem
from parcel_agents.verifiers.surroundings import is_handed_over, surroundings
from parcel_agents.verifiers.wording import compare_wording

MIN_WORDS = 5
"""A claim of fewer telling words matches by chance."""
MIN_SHARE = 0.7
"""With fewer of its telling words in a sentence, a claim is not about that sentence."""
MIN_WORDS_IF_EQUAL = 3
"""So few will do where claim and sentence have the very same ones."""
_SPEAKER_WITHIN = 40
"""So many characters into a claim may the words stand that name its speaker: `noting, in dissent, that`."""
_FEW_SKIPPED = 2
"""A claim that leaves out no more telling words than these inside the stretch it repeats is near the sentence."""

_FUNCTION_WORDS = frozenset(
    "a an the this that these those of in on at to from by for with as and it its he his him she her they their them"
    " we our us i is are was were be been being am has have had having do does did there here such so thus then also"
    " which who whom whose what where when s t own itself himself herself themselves".split()
)
# What turns, weakens or limits a sentence. "Would", "could" and "might" make it a thing not so.
_OPERATORS = frozenset(
    "not no nor never neither none nothing without cannot n't hardly rarely barely lack fail failed fails failure"
    " may might must shall should can could would will need"
    " all any every each some only solely most many few several both either or but"
    " if unless until except although though whether while despite regardless even absent provided because since"
    " than before after always once again instead".split()
)
# Words that hand the sentence to somebody else than its author: words, not stems, for an `allegation` in a pleading and
# the United `States` hand over nothing.
_ATTRIBUTIONS = frozenset(
    "argue argues argued arguing argument contend contends contended contending contention claims claimed"
    " claiming assert asserts asserted asserting assertion urge urges urged urging maintains maintained"
    " maintaining posit posits posited positing suggest suggests suggested suggesting alleges alleged alleging"
    " allegedly purportedly position view theory according believe believes believed dissent dissents dissented"
    " dissenting dissenter dissenters majority concurrence colleague colleagues reject rejects rejected rejecting"
    " disagree disagrees disagreed err errs erred error wrong wrongly incorrect incorrectly mistaken mistakenly"
    " decline declines declined testified testimony stated told said reasoned opined ruled below".split()
)
_CHANGED_LETTER = re.compile(r"[\[(]([^\W\d_])[\])](?=[^\W\d_])")
_TOKEN = re.compile(r"[^\W_]+(?:[.,:]\d+)*(?:['’][^\W\d_]+)?")
_NEGATED = re.compile(r"(?P<verb>\w+?)(?P<not>n['’]t|(?<=can)not|(?<=Can)not)")


@dataclass(frozen=True)
class Word:
    """A telling word of a text."""

    key: str
    """What it is compared by: its stem, or itself where it limits or turns a sentence."""
    text: str
    start: int
    end: int

    @property
    def turns(self) -> bool:
        """True if a sentence that lacks the word may say something else: a negation, a modal verb, a condition."""
        return self.key in _OPERATORS


@dataclass(frozen=True)
class Change:
    """A place where claim and sentence part: words of the one where the other has other words, or none."""

    claim: tuple[Word, ...]
    sentence: tuple[Word, ...]
    before: tuple[Word, ...]
    """The last word that both have before the change, as the claim and as the sentence write it; none at the start."""
    behind: tuple[Word, ...]
    """The first word that both have behind it, likewise; none at the end."""


@dataclass(frozen=True)
class Alignment:
    """How a claim lies along a sentence."""

    start: int
    """Offset in the sentence of the stretch that the claim repeats."""
    end: int
    differences: tuple[str, ...]
    """What keeps the claim from being the sentence, in words; empty if nothing does."""
    changes: tuple[Change, ...] = ()
    """Every place where they part, in the order of the sentence."""
    around: tuple[Word, ...] = ()
    """Words of the sentence outside the stretch that turn it, limit it or hand it to somebody else."""
    share: float = 1.0
    """The share of the claim's telling words that stand in the sentence, in order."""
    near: bool = True
    """True if the sentence has all telling words of the claim, few besides, and none that turns it: it may well say
    what the claim says, though the differences leave a doubt."""


def claim_body(claim: str) -> str:
    """The claim without its brackets, without the words that name its speaker, and without `holding that`.

    A letter that a quotation changed, as in `[t]he` and `(O)fficers`, is one of its word.
    """
    body = _unwrapped(_CHANGED_LETTER.sub(r"\1", claim).strip())
    named = find_speaker(claim)
    speaker, lead = named.text, LEAD if named.kind == "majority" else SEPARATE_LEAD
    at = body.find(speaker) if speaker else -1
    if at == 0:
        body = body[len(speaker) :].lstrip(" ,")
    elif 0 < at <= _SPEAKER_WITHIN:
        # "cautioning, in dissent, that ..."
        body = f"{body[:at].rstrip(' ,')} {body[at + len(speaker) :].lstrip(' ,')}"
    return lead.sub("", body, count=1).rstrip(". ")


def telling_words(text: str) -> tuple[Word, ...]:
    """The words of a text that carry meaning, in order."""
    return tuple(_telling(text))


def align(claim: str, sentence: str) -> Alignment | None:
    """Lay a claim's body along a sentence; None if too few of its telling words stand there in order.

    What the sentence cites in brackets is none of its words, unless the claim cites something as well.
    """
    body = claim_body(claim)
    read = sentence if cites(body) else blank_citations(sentence)
    wanted = telling_words(body)
    alignment = align_words(wanted, telling_words(read))
    if alignment is None or alignment.differences:
        return alignment
    return read_closely(alignment, body, wanted, read)


def read_closely(alignment: Alignment, body: str, wanted: Sequence[Word], sentence: str) -> Alignment:
    """The alignment of telling words that nowhere part, with what all the other words of the sentence say to it.

    Args:
        alignment: by offsets in `sentence`.
        body: the claim's body, and `wanted` its telling words.
        wanted: see `body`.
        sentence: the whole sentence, with its citations blanked unless the claim cites as well.
    """
    claimed = range(wanted[0].start, wanted[-1].end)
    wording = compare_wording(body, claimed, sentence, range(alignment.start, alignment.end))
    found = [wording.difference] if wording.difference else []
    found += surroundings(sentence, wording.start, wording.end)
    return replace(alignment, start=wording.start, end=wording.end, differences=tuple(found))


def hands_over(text: str) -> bool:
    """True if a text has a word that hands what stands beside it to somebody else: `argued`, `position`, `dissent`."""
    return any(match.group().lower() in _ATTRIBUTIONS for match in _TOKEN.finditer(text)) or is_handed_over(text)


def cites(text: str) -> bool:
    """True if a text has a citation in brackets."""
    return blank_citations(text) != text


def align_words(wanted: Sequence[Word], found: Sequence[Word]) -> Alignment | None:
    """The same for the telling words of a claim's body and of a sentence."""
    keys, there = [word.key for word in wanted], [word.key for word in found]
    if len(wanted) < MIN_WORDS and (len(wanted) < MIN_WORDS_IF_EQUAL or keys != there):
        return None
    matcher = SequenceMatcher(None, keys, there, autojunk=False)
    pairs = [(block.a + i, block.b + i) for block in matcher.get_matching_blocks() for i in range(block.size)]
    if not pairs or len(pairs) < MIN_SHARE * len(wanted):
        return None
    first, last = pairs[0][1], pairs[-1][1]
    changes = tuple(_changes(wanted, found, pairs))
    outside = (*found[:first], *found[last + 1 :])
    around = tuple(word for word in outside if word.turns or word.text.lower() in _ATTRIBUTIONS)
    taken = {b for _, b in pairs}
    skipped = [word for i, word in enumerate(found) if first < i < last and i not in taken]
    differences = [f"the sentence lacks “{word.text}”" for change in changes for word in change.claim]
    turning = [word for word in skipped if word.turns]
    near = not (differences or turning or around or len(skipped) > _FEW_SKIPPED)
    differences += [f"the claim leaves out “{word.text}”" for word in turning or skipped]
    differences += [f"beside these words the sentence has “{word.text}”" for word in around]
    return Alignment(
        found[first].start,
        found[last].end,
        tuple(dict.fromkeys(differences)),
        changes,
        around,
        len(pairs) / len(wanted),
        near,
    )


def _unwrapped(text: str) -> str:
    """The text without the brackets around the whole of it, and without one at its start that nothing closes."""
    text = text.rstrip(". ")
    while text[:1] in set("(["):
        closed_at = match_brackets(text).get(0)
        if closed_at is None:
            text = text[1:].strip()
        elif closed_at == len(text) - 1:
            text = text[1:-1].strip().rstrip(". ")
        else:
            break
    return text


def _changes(wanted: Sequence[Word], found: Sequence[Word], pairs: Sequence[tuple[int, int]]) -> Iterator[Change]:
    """What lies between the matched words; at either end as many words of the sentence as of the claim."""
    (first_a, first_b), (last_a, last_b) = pairs[0], pairs[-1]
    both = [(wanted[a], found[b]) for a, b in pairs]
    if first_a:
        yield Change(tuple(wanted[:first_a]), tuple(found[max(0, first_b - first_a) : first_b]), (), both[0])
    for at, ((a, b), (next_a, next_b)) in enumerate(pairwise(pairs)):
        if next_a > a + 1 or next_b > b + 1:
            yield Change(tuple(wanted[a + 1 : next_a]), tuple(found[b + 1 : next_b]), both[at], both[at + 1])
    size = len(wanted) - 1 - last_a
    if size:
        yield Change(tuple(wanted[last_a + 1 :]), tuple(found[last_b + 1 : last_b + 1 + size]), both[-1], ())


def _telling(text: str) -> Iterator[Word]:
    for match in _TOKEN.finditer(text):
        word = match.group()
        # `cannot` and `can't` are `can` and `not`.
        if negated := _NEGATED.fullmatch(word):
            start = match.start() + negated.start("not")
            yield from _one_telling(negated["verb"], match.start())
            yield Word("not", word[negated.start("not") :], start, match.end())
        else:
            yield from _one_telling(word, match.start())


def _one_telling(word: str, start: int) -> Iterator[Word]:
    plain = re.sub(r"['’]s?$", "", word.lower())
    if plain not in _FUNCTION_WORDS:
        yield Word(plain if plain in _OPERATORS else stem(plain), word, start, start + len(word))
