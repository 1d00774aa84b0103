"""The words that claims begin with, which are participles as a rule, by label."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parcel_agents.eval.artefacts.model import Distance, LeadWords
from parcel_agents.eval.artefacts.sample import Sample
from parcel_agents.types import LABELS

A_JUDGE, NO_WORD = "(a judge)", "(no word)"
DEALS = 400
"""How often claims are dealt out at random, to learn how far apart chance alone puts two classes."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_JUDGE = re.compile(r"\W*[^\W\d_][^,;:()]{0,40}, (?:Ch\. ?J|C\. ?J|P\. ?J|JJ?)\b")


def lead_word(claim: str) -> str:
    """The first word in small letters, `(a judge)` for a claim that begins as `(Quist, J., dissenting, ...`.

    Names of judges are one word here, since each is in few opinions and tells no more than the other.
    """
    if _JUDGE.match(claim):
        return A_JUDGE
    word = _WORD.search(claim)
    return word[0].lower() if word else NO_WORD


def lead_words(sample: Sample, rng: np.random.Generator) -> LeadWords:
    """The lead words of each label, and how far those of the others are from those of supported claims.

    Args:
        sample: labelled claims.
        rng: deals the claims out.
    """
    words = [lead_word(claim.claim) for claim in sample.claims]
    of_all = Counter(words)
    order = sorted(of_all, key=lambda word: (-of_all[word], word))
    of_label = {
        label: Counter(word for word, gold in zip(words, sample.gold.tolist(), strict=True) if gold == code)
        for code, label in enumerate(LABELS)
    }
    rows = {label: np.array([counts[word] for word in order]) for label, counts in of_label.items() if counts}
    return LeadWords(
        counts={
            label: {word: int(count) for word, count in zip(order, row, strict=True) if count}
            for label, row in rows.items()
        },
        from_supported={
            label: Distance(total_variation(rows["supported"], row), _by_chance(rows["supported"], row, rng))
            for label, row in rows.items()
            if label != "supported" and "supported" in rows
        },
    )


def total_variation(first: Sequence[int] | NDArray[np.int64], second: Sequence[int] | NDArray[np.int64]) -> float:
    """Half the sum of the differences of two distributions' shares: in [0, 1], 0 for equal shares.

    Args:
        first: counts, not all of them 0.
        second: counts of the same things, in the same order.
    """
    shares = [np.asarray(each) / np.sum(each) for each in (first, second)]
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


def _by_chance(first: NDArray[np.int64], second: NDArray[np.int64], rng: np.random.Generator) -> float:
    """The distance's mean where the claims of both classes are shuffled and dealt out again."""
    both = first + second
    dealt = rng.multivariate_hypergeometric(both, int(first.sum()), size=DEALS)
    differences = np.abs(dealt / first.sum() - (both - dealt) / second.sum())
    return float(differences.sum(axis=1).mean() / 2)
