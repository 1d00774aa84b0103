"""A study as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from parcel_agents.eval.hard.adjudication import FIGURES, Adjudicated
from parcel_agents.eval.hard.cards import Card, cards
from parcel_agents.eval.hard.findings import findings
from parcel_agents.eval.hard.study import Study
from parcel_agents.eval.hard.tables import study_tables
from parcel_agents.eval.report.table_formats import as_text

WIDTH = 118
SHOWN = 10


def study_text(study: Study, adjudicated: Adjudicated | None = None) -> str:
    """Findings, notes, tables and the hardest claims."""
    return "\n".join(_lines(study, adjudicated)) + "\n"


def _lines(study: Study, adjudicated: Adjudicated | None) -> Iterator[str]:
    table = study.board.table
    opinions = int(table.opinions.max()) + 1
    claims = f"{len(table):,} labelled claims about {opinions:,} opinions"
    yield f"{study.board.title}: {claims}, {len(table.names)} verifiers"
    for line in findings(study):
        yield from textwrap.wrap(line, WIDTH, initial_indent="- ", subsequent_indent="  ")
    for note in study.notes:
        yield from textwrap.wrap(f"note: {note}", WIDTH)
    for shown in study_tables(study):
        yield f"\n{as_text(shown)}".rstrip("\n")
    if adjudicated is not None:
        yield from _adjudicated(adjudicated)
    yield f"\nThe hardest claims, {min(SHOWN, len(study.found['diagnosed']))} of {len(study.found['hard']):,}"
    for number, card in enumerate(cards(study, SHOWN), 1):
        yield from _card(number, card)


def _card(number: int, card: Card) -> Iterator[str]:
    how = f", {card.claim.strategy}" if card.claim.strategy else ""
    yield ""
    yield from textwrap.wrap(f"{number}. {card.claim.claim}", WIDTH)
    yield f"   {card.claim.id} ({card.about}; is {card.claim.label}{how})"
    votes = (f"{vote.verifier} {vote.said}" for vote in card.votes)
    yield from _indented(f"votes: {', '.join(votes)}")
    for cause in card.causes:
        yield from _indented(f"{cause.title}: {cause.reason}")
    for line in card.failed:
        yield from _indented(f"could not be told: {line}")


def _adjudicated(found: Adjudicated) -> Iterator[str]:
    yield (
        f"\nAfter adjudication: {found.decided} claims decided ({found.confirmed} labels confirmed, {found.relabelled} "
        f"changed, {found.excluded} excluded), {found.undecided} not decided"
    )
    left = max(len(one.verifier) for one in found.changes)
    titles = {"accuracy": "accuracy", "macro_f1": "macro F1", "fer": "FER"}
    yield " " * left + "".join(f"  {titles[name]:^16}" for name in FIGURES).rstrip()
    for one in found.changes:
        cells = (f"{one.before[name]:.3f} > {one.after[name]:.3f}" for name in FIGURES)
        yield one.verifier.ljust(left) + "".join(f"  {cell:^16}" for cell in cells).rstrip()
    yield from textwrap.wrap(found.caution, WIDTH)


def _indented(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, initial_indent="   ", subsequent_indent="     ")
