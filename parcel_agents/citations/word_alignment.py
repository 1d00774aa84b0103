"""Laying the words of a quotation along a text, at the least cost.

An edit distance between the quotation and any stretch of the text: `rows[i][j]` is the least cost of laying the
first i words of the quotation so that they end before word j of the text. A word that is left out costs
`DIFFERENT`, a changed or an added one a little more. Three things go beyond the textbook:

- at an ellipsis the text may run on by up to `MAX_SKIPPED` words almost for nothing, but each negation or condition
  among them counts as a difference;
- a word in brackets may stand for one of the same stem, or for a function word, almost for nothing;
- a longer stretch left out without an ellipsis (most often a citation) costs no more than `LEFT_OUT`, since the
  place would otherwise be missed.

One row is computed at a time over the whole text, with numpy, so that the result is exact: no seeds, no windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcel_agents.citations.quoted_words import PRONOUNS, Word
from parcel_agents.citations.word_forms import same_stem

Costs = NDArray[np.int64]

MAX_SKIPPED = 120
"""So many words may an ellipsis stand for: about one paragraph, and the most that a passage holds. Whoever leaves out
more joins two statements of an opinion rather than shortens one, and its reader can no longer see that they belong
together."""

DIFFERENT = 100
DISCLOSED = 2
"""What the quotation itself marks as its own; it costs something so that the same word is preferred."""
CHANGED = 101
ADDED = 110
"""Words changed or too many cost more than words too few, so that all of the quotation that can finds its place."""
SWALLOWED = 90
"""A negation or condition under an ellipsis: that is where it is to be found, not traded for a word quoted."""
LEFT_OUT = 300
DISTANT = 200
OTHER_PART = 250
_NEVER = 10**6
# Costs are multiplied by this, which leaves room below for a tie-break.
_SCALE = 1 << 24
BORDER = "\n"
"""The key of the word that stands between two parts; no quotation has it."""


@dataclass(frozen=True)
class Step:
    """One step along a quotation and a text; indices of words, None where a side has none."""

    quoted: int | None
    found: int | None
    same: bool = False
    """True if the two words are the same."""
    stands: bool = False
    """True if the quotation's word, in brackets, may stand for the other."""
    skipped_to: int | None = None
    """Where an ellipsis skips text: the words `found` (inclusive) up to this one (exclusive)."""


class Text:
    """The words of a text with what laying a quotation along it needs; made once for any number of quotations."""

    def __init__(self, words: Sequence[Word]) -> None:
        """Take the words, with a `BORDER` between two parts."""
        self.words = words
        samples = {word.key: word for word in words}
        self.numbers = {key: number for number, key in enumerate(samples)}
        self.ids = np.array([self.numbers[word.key] for word in words], dtype=np.int32)
        self._samples = tuple(samples.values())
        self._replaceable: dict[str, NDArray[np.bool_]] = {}
        self.borders = [i for i, word in enumerate(words) if word.key == BORDER]
        crossed = np.array([OTHER_PART * (word.key == BORDER) for word in words], dtype=np.int64)
        turning = np.array([word.turns for word in words], dtype=bool)
        light = np.array([word.is_light for word in words], dtype=bool)
        # What it costs, summed up to each word, to pass the words: with a gap, an ellipsis, or one by one.
        self.gap = _summed(crossed)
        self.skipped = _summed(crossed + SWALLOWED * turning)
        self.dropped = _summed(crossed + DIFFERENT)
        self.dropped_in_bracket = _summed(crossed + np.where(light, DISCLOSED, DIFFERENT))

    def replaceable(self, bracketed: Word) -> NDArray[np.bool_]:
        """Which words of the vocabulary a word in brackets may stand for, by number."""
        if bracketed.key not in self._replaceable:
            allowed = [may_stand_for(bracketed, other) for other in self._samples]
            self._replaceable[bracketed.key] = np.array(allowed, dtype=bool)
        return self._replaceable[bracketed.key]


def may_stand_for(bracketed: Word, found: Word) -> bool:
    """True if a word in brackets may replace one of the text without changing what is said."""
    if bracketed.key == found.key:
        return True
    if bracketed.protected or found.protected:
        # "[failed]" for "fails" keeps the negation.
        return bracketed.kind == found.kind == "negation" and same_stem(bracketed.key, found.key)
    if found.key in PRONOUNS or bracketed.key in PRONOUNS or (bracketed.is_light and found.is_light):
        return True
    return same_stem(bracketed.key, found.key)


def best_places(quoted: Sequence[Word], text: Text, limit: int) -> list[tuple[int, int]]:
    """The stretches of the text (first word, word behind the last) on which the quotation lies at the least cost.

    At most `limit`, in order; of those with a common end or beginning, one.
    """
    size = len(text.words)
    # The tie-break counts from the end of the text where a stretch begins: the latest beginning, the shortest, wins.
    row = np.arange(size, -1, -1, dtype=np.int64)
    for i, word in enumerate(quoted):
        row = _lay(_enter(row, word, text), word, text)
        if _may_leave_out(quoted, i):
            row = _leave_out(row, word, text)
    costs = row // _SCALE
    places: dict[int, tuple[int, int]] = {}
    for end in np.flatnonzero(costs == costs.min()).tolist():
        start = size - int(row[end] % _SCALE)
        places.setdefault(start, (start, end))
        if len(places) == limit:
            break
    return list(places.values())


def steps_between(quoted: Sequence[Word], text: Text, start: int, end: int) -> list[Step]:
    """How the quotation lies on a stretch of the text, word by word in order, at the least cost."""
    stretch = Text(text.words[start:end])
    row = np.full(end - start + 1, _NEVER * _SCALE, dtype=np.int64)
    row[0] = 0
    rows: list[tuple[Costs, Costs]] = []
    for word in quoted:
        entered = _enter(row, word, stretch)
        laid = _lay(entered, word, stretch)
        rows.append((row, laid))
        row = _leave_out(laid, word, stretch) if _may_leave_out(quoted, len(rows) - 1) else laid
    steps: list[Step] = []
    j = end - start
    for i in range(len(quoted) - 1, -1, -1):
        word, (row, laid) = quoted[i], rows[i]
        if _may_leave_out(quoted, i):
            k = _cheapest(laid[: j + 1] + _leaving(word, stretch, j))
            steps += [Step(None, start + dropped) for dropped in range(j - 1, k - 1, -1)]
            j = k
        entered = _enter(row, word, stretch)
        if j > 0 and laid[j] == entered[j - 1] + _substitution(word, stretch)[j - 1] * _SCALE:
            j -= 1
            found = stretch.words[j]
            same = word.key == found.key
            steps.append(Step(i, start + j, same, not same and word.bracket and may_stand_for(word, found)))
        else:
            steps.append(Step(i, None))
        if word.skip:
            k = _cheapest(row[: j + 1] + _skipping(stretch, j))
            if k < j:
                steps.append(Step(None, start + k, skipped_to=start + j))
            j = k
    return steps[::-1]


def _may_leave_out(quoted: Sequence[Word], i: int) -> bool:
    """True if words may be missing behind word i; an ellipsis there accounts for all that is, and so does the end."""
    return i < len(quoted) - 1 and not quoted[i + 1].skip


def _enter(row: Costs, word: Word, text: Text) -> Costs:
    """The row behind the ellipsis before a word: near, farther off in the same part, or in another part."""
    if not word.skip:
        return row
    price = text.skipped * _SCALE
    entered = _lowest(row - price, MAX_SKIPPED) + price + DISCLOSED * _SCALE
    np.minimum(entered, np.minimum.accumulate(row) + OTHER_PART * _SCALE, out=entered)
    for first, last in zip([0, *(b + 1 for b in text.borders)], [*text.borders, len(row) - 1], strict=True):
        within = np.minimum.accumulate(row[first : last + 1]) + DISTANT * _SCALE
        np.minimum(entered[first : last + 1], within, out=entered[first : last + 1])
    np.minimum(entered, row, out=entered)
    return entered


def _skipping(text: Text, j: int) -> Costs:
    """What an ellipsis costs that ends before word j, by where it begins; the same prices as in `_enter`."""
    k = np.arange(j + 1)
    price = np.full(j + 1, OTHER_PART, dtype=np.int64)
    price[k > max((border for border in text.borders if border < j), default=-1)] = DISTANT
    near = k >= j - MAX_SKIPPED
    price[near] = np.minimum(price[near], text.skipped[j] - text.skipped[: j + 1][near] + DISCLOSED)
    price[j] = 0
    return price * _SCALE


def _lay(entered: Costs, word: Word, text: Text) -> Costs:
    """The row behind a word, which stands where a word of the text stands or is added."""
    laid = entered + (DISCLOSED if word.bracket and word.is_light else ADDED) * _SCALE
    np.minimum(laid[1:], entered[:-1] + _substitution(word, text) * _SCALE, out=laid[1:])
    return laid


def _substitution(word: Word, text: Text) -> Costs:
    """What it costs that the word stands where each word of the text stands."""
    costs = np.where(text.ids == text.numbers.get(word.key, -1), 0, CHANGED).astype(np.int64)
    if word.bracket:
        costs[text.replaceable(word)[text.ids] & (costs > 0)] = DISCLOSED
    costs[text.borders] = _NEVER
    return costs


def _leave_out(laid: Costs, word: Word, text: Text) -> Costs:
    """The row behind words of the text that the quotation leaves out after a word, one by one or in a gap."""
    price = text.gap * _SCALE
    row = _lowest(laid - price, MAX_SKIPPED) + price + LEFT_OUT * _SCALE
    dropped = (text.dropped_in_bracket if word.bracket else text.dropped) * _SCALE
    np.minimum(row, np.minimum.accumulate(laid - dropped) + dropped, out=row)
    return row


def _leaving(word: Word, text: Text, j: int) -> Costs:
    """What leaving out words before word j costs, by the first of them; the same prices as in `_leave_out`."""
    dropped = text.dropped_in_bracket if word.bracket else text.dropped
    price: Costs = dropped[j] - dropped[: j + 1]
    near = np.arange(j + 1) >= j - MAX_SKIPPED
    price[near] = np.minimum(price[near], text.gap[j] - text.gap[: j + 1][near] + LEFT_OUT)
    price[j] = 0
    return price * _SCALE


def _cheapest(costs: Costs) -> int:
    """The index of the least cost, the last of several."""
    return len(costs) - 1 - int(np.argmin(costs[::-1]))


def _summed(prices: Costs) -> Costs:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(prices)])


def _lowest(values: Costs, reach: int) -> Costs:
    """For each place the least value among it and the `reach` places before it."""
    lowest, width = values.copy(), 1
    while width <= reach:
        step = min(width, reach + 1 - width)
        lowest[step:] = np.minimum(lowest[step:], lowest[:-step])
        width += step
    return lowest
