"""Unaddressed argument: the Court said to pass over an argument that the opinion knows nothing of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from parcel_agents.generation.model import Candidate
from parcel_agents.generation.rules.arguments import ARGUMENTS, FORMS, JOINED
from parcel_agents.generation.rules.case import Case
from parcel_agents.generation.rules.passed_over import passed_over
from parcel_agents.generation.rules.statements import Statement

_MOST_WORDS_FIRST = 25


def unaddressed(case: Case, rng: np.random.Generator) -> Iterator[Candidate]:
    """Arguments of the case's kind none of whose words the opinion has, in an order that `rng` draws."""
    text = case.text.lower()
    field = "criminal" if case.is_criminal else "civil"
    fit = [one for one in ARGUMENTS if one.field == field and not any(term in text for term in one.terms)]
    decided = [one for one in case.court if _may_come_first(one)]
    for turn, place in enumerate(rng.permutation(len(fit)).tolist()):
        clause = fit[place].clause
        first = decided[turn // 2 % len(decided)] if decided and turn % 2 else None
        if first is None:
            words = f"({FORMS[int(rng.integers(len(FORMS)))]} {clause})"
        else:
            words = first.saying(f"{first.body}, {JOINED[int(rng.integers(len(JOINED)))]} {clause}")
        yield from case.false(
            words, strategy="unaddressed_argument", label="not_found", statement=first, changed_to=clause
        )


def _may_come_first(statement: Statement) -> bool:
    """True for what the Court decided, short enough for an argument to follow."""
    return statement.usage in {"holding", "application"} and len(statement.body.split()) <= _MOST_WORDS_FIRST


def truly_passed_over(case: Case) -> Iterator[Candidate]:
    """What the Court itself says that it does not reach, or rejects in a word."""
    for statement in passed_over(case.opinion):
        yield from case.true(statement.claim, statement=statement, mirror="unaddressed_argument")
