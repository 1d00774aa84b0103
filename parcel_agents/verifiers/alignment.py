"""Is a claim, word for word, a sentence of the opinion?

Words that carry no meaning of their own may differ. A negation, a modal verb, a quantifier or a condition never
is noise, and every other word of the claim must stand in the sentence, in the same order: one changed word is
how a false claim is made of a true sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from parcel_agents.citations.speakers import find_speaker
from parcel_agents.retrievers.terms import stem

MIN_WORDS = 5
"""A claim of fewer telling words matches by chance."""
_MIN_SHARE = 0.7
"""With fewer of its telling words in a sentence, a claim is not about that sentence."""
_MAX_SKIPPED = 2
"""So many telling words of the sentence may be left out inside the stretch that the claim repeats."""

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
# Words that hand the sentence to somebody else than its author.
_ATTRIBUTIONS = frozenset(
    stem(word)
    for word in "argue argued argument contend contended contention claim assert asserted assertion urge maintain posit"
    " suggest allege alleged allegedly purportedly position view theory according believe dissent dissenting majority"
    " concurrence colleague reject disagree erred error wrong incorrect mistaken decline testified stated told said"
    " reasoned opined ruled below".split()
)
_CHANGED_LETTER = re.compile(r"\[([^\W\d_])\](?=[^\W\d_])")
_LEAD = re.compile(
    r"^(?:(?:holding|finding|noting|stating|observing|explaining|concluding|recognizing|reasoning|determining|ruling"
    r"|reiterating|emphasizing|stressing|recounting|describing|affirming|reaffirming|establishing|confirming|adding"
    r"|remarking|acknowledging|pointing out|making clear|held|noted|stated)\b,?(?: (?:in part|further|also))?"
    r"(?: that)?|that)\b\s*",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[^\W_]+(?:[.,:]\d+)*(?:['’][^\W\d_]+)?")


@dataclass(frozen=True)
class Alignment:
    """How a claim lies along a sentence."""

    start: int
    """Offset in the sentence of the stretch that the claim repeats."""
    end: int
    differences: tuple[str, ...]
    """What keeps the claim from being the sentence, in words; empty if nothing does."""


@dataclass(frozen=True)
class _Word:
    key: str
    text: str
    start: int
    end: int


def claim_body(claim: str) -> str:
    """The claim without its brackets, without the words that name its speaker, and without `holding that`.

    A letter that a quotation changed, as in `[t]he` and `[O]fficers`, is one of its word.
    """
    body = _CHANGED_LETTER.sub(r"\1", claim).strip().strip("()[]").strip()
    speaker = find_speaker(claim).text
    if speaker and body.startswith(speaker):
        body = body[len(speaker) :].lstrip(" ,")
    return _LEAD.sub("", body, count=1).rstrip(". ")


def align(claim: str, sentence: str) -> Alignment | None:
    """Lay a claim's body along a sentence; None if too few of its telling words stand there in order."""
    wanted = [word for word in _words(claim_body(claim)) if word.key not in _FUNCTION_WORDS]
    found = [word for word in _words(sentence) if word.key not in _FUNCTION_WORDS]
    if len(wanted) < MIN_WORDS or not found:
        return None
    matcher = SequenceMatcher(None, [word.key for word in wanted], [word.key for word in found], autojunk=False)
    pairs = [(block.a + i, block.b + i) for block in matcher.get_matching_blocks() for i in range(block.size)]
    if len(pairs) < _MIN_SHARE * len(wanted):
        return None
    matched = {a for a, _ in pairs}
    first, last = pairs[0][1], pairs[-1][1]
    taken = {b for _, b in pairs}
    skipped = [word for i, word in enumerate(found) if first < i < last and i not in taken]
    outside = found[:first] + found[last + 1 :]
    differences = [f"the sentence lacks “{word.text}”" for i, word in enumerate(wanted) if i not in matched]
    turning = [word for word in skipped if word.key in _OPERATORS]
    if turning or len(skipped) > _MAX_SKIPPED:
        differences += [f"the claim leaves out “{word.text}”" for word in turning or skipped]
    differences += [
        f"the sentence goes with “{word.text}”"
        for word in outside
        if word.key in _OPERATORS or word.key in _ATTRIBUTIONS
    ]
    return Alignment(found[first].start, found[last].end, tuple(dict.fromkeys(differences)))


def _words(text: str) -> list[_Word]:
    found = []
    for match in _TOKEN.finditer(text):
        word = match.group().lower()
        plain = re.sub(r"['’]s?$", "", word)
        negated = re.fullmatch(r"(\w+?)n['’]t|(can)not", plain)
        key = "not" if negated else plain if plain in _OPERATORS or plain in _FUNCTION_WORDS else stem(plain)
        found.append(_Word(key, match.group(), match.start(), match.end()))
    return found
