"""False claims made of a statement by one change of its words: reversal, scope, distractor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from parcel_agents.generation.model import Candidate, Strategy
from parcel_agents.generation.rules.case import Case
from parcel_agents.generation.rules.negation import Change
from parcel_agents.generation.rules.reversal import reversals
from parcel_agents.generation.rules.scope import scope_changes
from parcel_agents.generation.rules.statements import Statement
from parcel_agents.generation.rules.wording import put, whole_words

_PER_STATEMENT = 3
"""No statement gives more claims of one strategy."""
_LEADS_TURNED = {
    "affirming": "reversing",
    "reversing": "affirming",
    "agreeing": "disagreeing",
    "disagreeing": "agreeing",
    "rejecting": "accepting",
    "adopting": "rejecting",
    "voting to affirm": "voting to reverse",
    "voting to reverse": "voting to affirm",
}
_STRONG = re.compile(
    r"\b(?:only (?:if|when|where|upon|after)|unless|regardless|even (?:if|when|where|though)|must|need not|always|never"
    r"|at least|solely|exclusively|whether or not|may not|required to|cannot)\b"
)
_TURNED = re.compile(r"\b(?:not|cannot|un\w+|in(?:sufficient|admissible|valid)\w*|denied|granted|reversed|affirmed)\b")


def edits(case: Case, strategy: Strategy, rng: np.random.Generator) -> Iterator[Candidate]:
    """One change of each statement, then a second one of each that has one, in an order that `rng` draws."""
    if strategy == "logic_reversal":
        yield from _leads_turned(case)
    options = [(one, _shuffled(_changes(strategy, case)(one.body), rng)) for one in case.statements if one.body]
    for turn in range(_PER_STATEMENT):
        for statement, changes in options:
            if turn < len(changes):
                yield from _made(case, strategy, statement, changes[turn])


def strong_qualifiers(case: Case, statements: Sequence[Statement]) -> Iterator[Candidate]:
    """True statements with the qualifiers of those whose scope was changed."""
    return _mirrored(case, statements, _STRONG, "scope_contradiction")


def true_negations(case: Case, statements: Sequence[Statement]) -> Iterator[Candidate]:
    """True statements with a negation or an outcome, as the reversed ones have."""
    return _mirrored(case, statements, _TURNED, "logic_reversal")


def _mirrored(
    case: Case, statements: Sequence[Statement], pattern: re.Pattern[str], strategy: Strategy
) -> Iterator[Candidate]:
    for statement in statements:
        if pattern.search(statement.body):
            yield from case.true(statement.claim, statement=statement, mirror=strategy)


def _leads_turned(case: Case) -> Iterator[Candidate]:
    """What a voice does to an order or an argument turned round."""
    for statement in case.statements:
        for lead, other in _LEADS_TURNED.items():
            if re.match(rf"{lead}(?! as| that)\b", statement.lead):
                claim = replace(statement, lead=statement.lead.replace(lead, other, 1)).claim
                yield from case.false(
                    claim,
                    strategy="logic_reversal",
                    label="refuted",
                    statement=statement,
                    changed_from=lead,
                    changed_to=other,
                )


def _changes(strategy: Strategy, case: Case) -> Callable[[str], Sequence[Change]]:
    if strategy == "logic_reversal":
        return reversals
    if strategy == "scope_contradiction":
        return scope_changes
    return lambda body: list(case.cast.swaps(body))


def _made(case: Case, strategy: Strategy, statement: Statement, change: Change) -> Iterator[Candidate]:
    change = whole_words(statement.body, change)
    words = change.words
    yield from case.false(
        statement.saying(put(statement.body, change)),
        strategy=strategy,
        label="refuted",
        statement=statement,
        changed_from=statement.body[change.start : change.end].strip(),
        changed_to=words.strip(),
    )


def _shuffled(changes: Sequence[Change], rng: np.random.Generator) -> list[Change]:
    """The changes in a drawn order; of those at one place only the first."""
    first: dict[int, Change] = {}
    for place in rng.permutation(len(changes)).tolist():
        first.setdefault(changes[place].start, changes[place])
    return list(first.values())
