"""Missing detail: a plausible date, number or name put in where the opinion has none; and true details."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from parcel_agents.citations.quantities import find_numbers, number_values
from parcel_agents.generation.model import Candidate
from parcel_agents.generation.rules.case import Case
from parcel_agents.generation.rules.insertions import INSERTIONS
from parcel_agents.generation.rules.negation import Change, in_quotation
from parcel_agents.generation.rules.statements import Statement
from parcel_agents.generation.rules.wording import MONTHS, NUMBER_WORDS, put
from parcel_agents.generation.rules.world import World

_JUDGES = "Ellery Hathersage Dunmarrow Pellworth Ashdown Carrick Wexcombe Lindqvist Thorvald Merriden".split()
"""Where the other decisions name no judge of a trial court."""
_CALENDAR = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b")
_COMPILED = tuple((re.compile(one.place), one.words, re.compile(one.unless)) for one in INSERTIONS)
_DETAIL = re.compile(
    rf"\b(?:{'|'.join(MONTHS)}) \d|\$\d|\b\d+[- ](?:year|month|day|count|hour|feet)"
    rf"|\b(?:{'|'.join(NUMBER_WORDS)})\b [a-z]+s\b"
    r"|\b[A-Z][a-z]+ County\b|\b(?:Justice|Judge|Officer|Detective|Sergeant|Trooper) [A-Z][a-z]+"
)
_OF_FACT = re.compile(r"\{(?:few|age|then|judge|street)\}")
"""A rule is about no officer, victim or street in particular."""
_DATE = re.compile(r"\{(?:date|year)\}")
_OF_NOBODY = re.compile(
    r"\b(?:a|an|any|every|no) (?:\w+ )?(?:defendant|person|prosecutor|court|suspect|juror|witness)\b"
)
"""A rule has no date."""
_NEAR = 160
"""What has a date within so many characters takes no second one."""
_DENIED = re.compile(r"\b(?:not|never|no|nor|without|whether|if|unless)\b[^,]*$")
"""What did not happen, or may have, has no date."""
_TRIES = 12
_YEAR = re.compile(r"\b(?:19[4-9]\d|20[0-4]\d)\b")


def missing_details(case: Case, world: World, rng: np.random.Generator) -> Iterator[Candidate]:
    """One detail put into a statement, at each place where one fits and the opinion tells none of the kind."""
    fits = [(pattern, words) for pattern, words, unless in _COMPILED if not unless.search(case.text)]
    for statement in case.statements:
        makers = _makers(case, statement, world, rng)
        for pattern, words in fits:
            found = pattern.search(statement.body)
            if found is None or in_quotation(statement.body, found.end()):
                continue
            if _DENIED.search(statement.body[: found.start()]):
                continue
            if statement.usage == "reasoning" and _OF_FACT.search(words):
                continue
            if _DATE.search(words) and _OF_NOBODY.search(statement.body):
                continue
            near = statement.body[max(0, found.start() - _NEAR) : found.end() + _NEAR]
            if _DATE.search(words) and (_YEAR.search(near) or _CALENDAR.search(near)):
                continue
            detail = _detail(words, makers, case)
            if detail is None:
                continue
            body = put(statement.body, Change(found.end(), found.end(), detail))
            yield from case.false(
                statement.saying(body),
                strategy="missing_detail",
                label="not_found",
                statement=statement,
                changed_to=detail.strip(" ,"),
            )


def true_details(case: Case, statements: Sequence[Statement]) -> Iterator[Candidate]:
    """Statements that tell a date, a number or a name which the opinion has."""
    for statement in statements:
        if statement.usage in {"background", "procedural"} and _DETAIL.search(statement.body):
            yield from case.true(statement.claim, statement=statement, mirror="missing_detail")


def _detail(words: str, makers: Mapping[str, Callable[[], str]], case: Case) -> str | None:
    """The words with a detail that does not occur in the opinion; None if so many tries find none."""
    kind = words[words.index("{") + 1 : words.index("}")]
    for _ in range(_TRIES):
        value = makers[kind]()
        numbers = {quantity.value for quantity in find_numbers(value)}
        is_date = _CALENDAR.search(value) is not None
        # Of a date only the whole may be new: its day and its year stand in other dates too.
        counted = not is_date and bool(numbers & number_values(case.opinion.text))
        if value and not counted and value.lower() not in case.text.lower():
            return words.format(**{kind: value})
    return None


def _makers(
    case: Case, statement: Statement, world: World, rng: np.random.Generator
) -> Mapping[str, Callable[[], str]]:
    told = [int(year) for year in _YEAR.findall(statement.body)]
    decided = [int(year) for year in _YEAR.findall(case.opinion.date or "") or _YEAR.findall(case.text)]
    judges = world.surnames or tuple(_JUDGES)

    def pick(options: list[str] | tuple[str, ...]) -> str:
        return options[int(rng.integers(len(options)))] if options else ""

    def year() -> str:
        if told:  # the year that the statement speaks of elsewhere, or the one after it
            return str(max(told) + int(rng.integers(2)))
        return str(max(decided or [2000]) - int(rng.integers(2, 7)))

    return {
        "date": lambda: f"{pick(MONTHS)} {rng.integers(2, 29)}, {year()}",
        "year": year,
        "judge": lambda: pick(judges),
        "county": lambda: pick(world.counties),
        "count": lambda: pick(NUMBER_WORDS),
        "few": lambda: pick(NUMBER_WORDS[:8]),
        "age": lambda: str(rng.integers(19, 68)),
        "then": lambda: f", then {rng.integers(19, 58)} years old, ",
        "street": lambda: pick(judges),
        "vote": lambda: f"{rng.integers(82, 131)} to {rng.integers(14, 52)}",
        "caliber": lambda: pick((".22", ".25", ".32", ".38", ".44", ".45")),
        "amount": lambda: f"${int(rng.integers(2, 90)) * 50:,}",
    }
