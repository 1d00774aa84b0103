"""What differs between a quotation and the place in an opinion that it lies on, in words and by kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from parcel_agents.citations.disclosed_brackets import is_harmless
from parcel_agents.citations.quoted_words import Word, WordClass, plain
from parcel_agents.citations.word_alignment import BORDER, MAX_SKIPPED, Step
from parcel_agents.types import Frozen, Span

DifferenceKind = Literal[
    "negation",
    "condition",
    "modal",
    "number",
    "date",
    "quantifier",
    "name",
    "wording",
    "addition",
    "omission",
    "case",
    "punctuation",
    "splice",
    "distance",
    "other part",
]
"""What a difference touches; the first that applies.

`splice` (one sentence made of two), `distance` and `other part` are joints that an ellipsis may not make; `addition`
and `omission` have words on one side only, none of which turns, limits, measures or names.
"""

_RANKED: tuple[WordClass, ...] = ("negation", "condition", "modal", "quantifier", "number", "date", "name")
_SENTENCE_END = (".", "?", "!")
_FEW = 3
"""Of more words left out or added, names and numbers are not what tells most: they
are a citation. A period behind a word no longer than this may be an abbreviation's."""


class Difference(Span):
    """A difference between a quotation and the opinion; the span is that of `original`."""

    kind: DifferenceKind
    quoted: str
    """The quotation's words, with their brackets; `...` for an ellipsis, empty where words are left out."""
    original: str
    """The opinion's words; empty where the quotation adds some."""


class Reading(Frozen):
    """A quotation laid on one place of an opinion."""

    span: Span
    differences: tuple[Difference, ...]
    disclosed: tuple[Difference, ...]


@dataclass(frozen=True)
class _Sides:
    """The two texts and their words."""

    opinion: str
    quotation: str
    quoted: Sequence[Word]
    words: Sequence[Word]

    def difference(self, kind: DifferenceKind, quoted: Span | None, found: Span) -> Difference:
        """Two stretches side by side."""
        shown = "" if quoted is None else self.quotation[quoted.start : quoted.end]
        original = self.opinion[found.start : found.end]
        return Difference(start=found.start, end=found.end, kind=kind, quoted=shown, original=original)


def read_differences(
    opinion: str, quotation: str, quoted: Sequence[Word], words: Sequence[Word], steps: Sequence[Step]
) -> Reading:
    """All differences between a quotation and its place, in order.

    Args:
        opinion: the text of the opinion.
        quotation: the quotation's text.
        quoted: the quotation's words.
        words: the opinion's words.
        steps: how the ones lie along the others.
    """
    sides = _Sides(opinion, quotation, quoted, words)
    found = [step.found for step in steps if step.found is not None]
    differences: list[Difference] = []
    disclosed: list[Difference] = []
    run: list[Step] = []
    before: Step | None = None
    for step in [*steps, None]:
        if step is not None and not step.same and step.skipped_to is None:
            run.append(step)
            continue
        if run:
            (disclosed if is_harmless(sides.quoted, sides.words, run, before) else differences).append(
                _run(sides, run, before, found)
            )
            run = []
        if step is not None and step.skipped_to is not None:
            skip = _skip(sides, step, before)
            (disclosed if skip.kind == "omission" else differences).append(skip)
        elif step is not None and (difference := _case(sides, step)):
            differences.append(difference)
        before = step
    differences += [*_punctuation(sides, steps), *_cut_words(sides, steps)]
    return Reading(
        span=Span(start=words[min(found)].start, end=words[max(found)].end),
        differences=tuple(sorted(differences, key=lambda difference: difference.start)),
        disclosed=tuple(disclosed),
    )


def _run(sides: _Sides, run: Sequence[Step], before: Step | None, found: Sequence[int]) -> Difference:
    """Words that differ, side by side."""
    mine = [step.quoted for step in run if step.quoted is not None]
    theirs = [step.found for step in run if step.found is not None]
    kind = _kind([sides.quoted[i] for i in mine], [sides.words[i] for i in theirs])
    if theirs:
        place = Span(start=sides.words[theirs[0]].start, end=sides.words[theirs[-1]].end)
    else:
        at = sides.words[before.found].end if before and before.found is not None else sides.words[min(found)].start
        place = Span(start=at, end=at)
    return sides.difference(kind, _with_brackets(sides, mine), place)


def _with_brackets(sides: _Sides, indices: Sequence[int]) -> Span | None:
    if not indices:
        return None
    start, end = sides.quoted[indices[0]].start, sides.quoted[indices[-1]].end
    opens, closes = sides.quotation[:start].rstrip(), sides.quotation[end:].lstrip()
    if opens.endswith("["):
        start = len(opens) - 1
    if closes.startswith("]"):
        end = len(sides.quotation) - len(closes) + 1
    return Span(start=start, end=end)


def _kind(quoted: Sequence[Word], found: Sequence[Word]) -> DifferenceKind:
    if any(word.key == BORDER for word in found):
        return "other part"
    one_sided = not quoted or not found
    for kind in _RANKED[:4] if one_sided and len(quoted) + len(found) > _FEW else _RANKED:
        if sorted(w.key for w in quoted if w.kind == kind) != sorted(w.key for w in found if w.kind == kind):
            # The table of kinds of difference begins with the classes of words that matter.
            return kind  # type: ignore[return-value]
    return "wording" if not one_sided else "addition" if quoted else "omission"


def _skip(sides: _Sides, step: Step, before: Step | None) -> Difference:
    """What an ellipsis leaves out; of the kind `omission` if it may."""
    assert step.found is not None
    assert step.skipped_to is not None
    skipped = sides.words[step.found : step.skipped_to]
    kind: DifferenceKind = "omission"
    turning = [word for word in skipped if word.turns]
    if any(word.key == BORDER for word in skipped):
        kind = "other part"
    elif len(skipped) > MAX_SKIPPED:
        kind = "distance"
    elif turning:
        kind = "negation" if any(word.kind == "negation" for word in turning) else "condition"
    elif skipped[-1].joined:
        # "non-negotiable" is not "... negotiable".
        kind = "negation" if skipped[-1].kind == "negation" else "wording"
    elif before is not None and before.quoted is not None and _splices(sides, before.quoted, step):
        kind = "splice"
    place = Span(start=skipped[0].start, end=skipped[-1].end)
    return sides.difference(kind, None, place).model_copy(update={"quoted": "..."})


def _splices(sides: _Sides, quoted: int, step: Step) -> bool:
    """True if an ellipsis makes one sentence of two.

    A quotation that leaves out the end of a sentence shows it: by four dots, or by a capital or a bracketed letter
    where it goes on. Periods behind capitalised or short words are taken for abbreviations.
    """
    assert step.found is not None
    mine, behind = sides.quoted[quoted], sides.quoted[quoted + 1]
    if mine.after.strip("…").endswith(_SENTENCE_END) or not behind.text[:1].islower() or behind.bracket:
        return False
    words = sides.words[max(0, step.found - 1) : (step.skipped_to or 0) + 1]
    return any(
        one.after.endswith(_SENTENCE_END)
        and two.text[:1].isupper()
        and (one.key[:1].isdigit() or (len(one.text) > _FEW and one.text[0].islower()))
        for one, two in pairwise(words)
    )


def _case(sides: _Sides, step: Step) -> Difference | None:
    """A word set in capitals on one side only; the case of a first letter is noise."""
    if step.quoted is None or step.found is None:
        return None
    mine, theirs = sides.quoted[step.quoted], sides.words[step.found]
    quoted, original = plain(mine.text), plain(theirs.text)
    if quoted[1:] == original[1:] or quoted.lower() != original.lower():
        return None
    return sides.difference("case", Span(start=mine.start, end=mine.end), Span(start=theirs.start, end=theirs.end))


def _punctuation(sides: _Sides, steps: Sequence[Step]) -> list[Difference]:
    """Punctuation that differs between two words that follow each other on both sides."""
    found = []
    for one, two in pairwise(steps):
        if not (one.same and two.same) or one.quoted is None or two.quoted is None or one.found is None:
            continue
        mine, theirs, behind = sides.quoted[one.quoted], sides.words[one.found], sides.quoted[two.quoted]
        if behind.skip or mine.bracket or behind.bracket or mine.after == theirs.after:
            continue
        after = sides.words[one.found + 1]
        quoted = Span(start=mine.start, end=behind.end)
        found.append(sides.difference("punctuation", quoted, Span(start=theirs.start, end=after.end)))
    return found


def _cut_words(sides: _Sides, steps: Sequence[Step]) -> list[Difference]:
    """A quotation that begins or ends inside a word with a hyphen: `negotiable` is not `non-negotiable`."""
    found = []
    first, last = steps[0], steps[-1]
    if first.same and first.found and sides.words[first.found - 1].joined:
        found.append(_cut_word(sides, first, first.found - 1, first.found))
    if last.same and last.found is not None and sides.words[last.found].joined:
        found.append(_cut_word(sides, last, last.found, last.found + 1))
    return found


def _cut_word(sides: _Sides, step: Step, one: int, two: int) -> Difference:
    assert step.quoted is not None
    word = sides.quoted[step.quoted]
    kind = _kind([word], [sides.words[one], sides.words[two]])
    place = Span(start=sides.words[one].start, end=sides.words[two].end)
    return sides.difference(kind, Span(start=word.start, end=word.end), place)
