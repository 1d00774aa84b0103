"""The words and numbers that data sets use for labels and strategies, and what they are here."""

from __future__ import annotations

import re

from parcel_agents.types import Label

STRATEGIES = frozenset(
    "logic_reversal distractor_swap scope_contradiction authority_swap phantom_citation missing_detail "
    "unaddressed_argument".split()
)
"""How the paper makes refuted and not-found claims (section 3.3.3)."""

_NUMBERS: dict[int, Label] = {1: "supported", -1: "refuted", 0: "not_found"}
_NUMBER = re.compile(r"[+-]?\d+(?:\.0*)?")
_WORDS: dict[str, Label] = {
    **dict.fromkeys("supported support supports entailment entailed entails entail".split(), "supported"),
    **dict.fromkeys(
        "refuted refute refutes refutation contradiction contradicted contradicts contradict contradictory".split(),
        "refuted",
    ),
    **dict.fromkeys("notfound neutral notmentioned nei notenoughinfo notenoughinformation".split(), "not_found"),
}
_LONGEST_LABEL = 60
"""More characters than this are no label; whole decisions are asked about when columns are told apart."""
_NO_STRATEGY = frozenset(["", "na", "nan", "none", "null", "no_strategy", "supported"])
_OTHER_NAMES = {"distractor_entity_swap": "distractor_swap"}


def label_of(text: str) -> Label | None:
    """The label that a cell stands for: 1, -1 and 0 as in the paper, or a usual word for it; None for others.

    >>> [label_of(text) for text in ("1", "-1.0", "NotMentioned", "Not found", "2", "unsupported")]
    ['supported', 'refuted', 'not_found', 'not_found', None, None]
    """
    if len(text) > _LONGEST_LABEL:
        return None
    number = text.strip().replace("\N{MINUS SIGN}", "-")
    if _NUMBER.fullmatch(number):
        return _NUMBERS.get(int(float(number)))
    return _WORDS.get(re.sub(r"[\W\d_]+", "", text.lower()))


def strategy_of(text: str | None) -> str | None:
    """The strategy in a cell, under its name here if it is one of the paper's, else as it stands; None for none.

    >>> [strategy_of(text) for text in ("Logic Reversal", "distractor-entity swap", "N/A", "my own")]
    ['logic_reversal', 'distractor_swap', None, 'my own']
    """
    if text is None:
        return None
    name = "_".join(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text.replace("/", "")).lower()))
    name = _OTHER_NAMES.get(name, name)
    if name in _NO_STRATEGY and not re.search(r"\d", text):
        return None
    return name if name in STRATEGIES else text.strip()
