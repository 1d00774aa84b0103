"""The entries of the bench as tables for a terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from parcel_agents.eval.bootstrap import NOTHING
from parcel_agents.eval.report.tables import Cell, Column, Form, Row, Table
from parcel_agents.eval.verdicts import each_check, labelled, natural, speed, word_for_word
from parcel_agents.eval.verdicts.entries import Entry
from parcel_agents.eval.verdicts.targets import Result

_SAID = ("supported", "refuted", "not_found", "undecided")
_BASELINES = (
    "'majority class' gives every claim the most frequent label. 'claim only' sees the claim's words and no opinion: "
    "what it reaches, the wording gives away. 'BM25 similarity' sees nothing but the claim's best BM25 scores and how "
    "many of its terms the best passage has."
)
_NONE = "Where a rate of errors is nought, the upper end is the lowest rate that so many opinions can rule out."


def all_tables(entries: Sequence[Entry], results: Sequence[Result]) -> Iterator[Table]:
    """The tables in the order in which the sections were measured, the targets last."""
    for (section, dataset), found in groupby(entries, lambda entry: (entry.section, entry.about.get("dataset", ""))):
        makers = _MAKERS.get(section, (_of_any,))
        group = list(found)
        for make in makers:
            yield make(group, f"{dataset}: " if dataset else "")
    if results:
        yield targets(results)


def targets(results: Sequence[Result]) -> Table:
    """What is to be reached, and what is."""
    rows = [
        Row(
            one.target.words,
            (
                f"{one.target.sign} {one.target.bound:g}",
                _text(one.estimate.value),
                f"{_text(one.estimate.low)}-{_text(one.estimate.high)}" if not math.isnan(one.estimate.low) else "",
                "yes" if one.target.is_met(one.estimate.value) else "no",
            ),
        )
        for one in results
    ]
    heads = ("to reach", "measured", "95% interval", "reached")
    return Table("targets", "Numbers to reach", tuple(Column(head, "text") for head in heads), tuple(rows))


def _by_subset(entries: Sequence[Entry], prefix: str) -> Table:
    """The panel's figures, a column a subset."""
    chosen = [entry for entry in entries if entry.about["system"] == labelled.PANEL]
    rows = [Row(name, tuple(entry.counts[name] for entry in chosen)) for name in chosen[0].counts]
    return Table(
        "labelled",
        f"{prefix}the panel on labelled claims",
        tuple(Column(entry.about["subset"], main=True) for entry in chosen),
        (*rows, *_figure_rows(chosen)),
        (_NONE,),
    )


def _by_system(entries: Sequence[Entry], prefix: str) -> Table:
    """The panel beside the baselines on all claims."""
    chosen = [entry for entry in entries if entry.about["subset"] == labelled.ALL]
    return Table(
        "systems",
        f"{prefix}the panel and what costs nothing to reach, all {chosen[0].counts['claims']:,} claims",
        tuple(Column(entry.about["system"], main=True) for entry in chosen),
        tuple(_figure_rows(chosen)),
        (_BASELINES,),
    )


def _accuracies(entries: Sequence[Entry], prefix: str) -> Table:
    """Accuracy of each system on each subset."""
    subsets = list(dict.fromkeys(entry.about["subset"] for entry in entries))
    systems = list(dict.fromkeys(entry.about["system"] for entry in entries))
    cells = {(entry.about["system"], entry.about["subset"]): entry.figures["accuracy"] for entry in entries}
    return Table(
        "accuracy",
        f"{prefix}accuracy over all claims of a subset; an undecided claim is not right",
        tuple(Column(subset, main=True) for subset in subsets),
        tuple(Row(system, tuple(cells.get((system, subset), NOTHING) for subset in subsets)) for system in systems),
    )


def _figure_rows(entries: Sequence[Entry]) -> Iterator[Row]:
    for name in entries[0].figures:
        yield Row(name.replace("_", " ").replace(".", ", "), tuple(entry.figures[name] for entry in entries))


def _shares(title: str, key: str) -> Callable[[Sequence[Entry], str], Table]:
    """A table with a row per entry, and the shares that were called each label."""

    def make(entries: Sequence[Entry], prefix: str) -> Table:
        def name(entry: Entry) -> str:
            return " ".join(value for name, value in entry.about.items() if name != "dataset" and value)

        return _rows(entries, f"{prefix}{title}", name, ("claims",), _SAID, first=key)

    return make


def _natural(entries: Sequence[Entry], prefix: str) -> Table:
    counts, figures = tuple(entries[0].counts), (natural.WRONG, *_SAID)
    title = "parentheticals that judges wrote, presumably true ('wrong': called Refuted or Not Found)"
    return _rows(entries, f"{prefix}{title}", lambda _: "all", counts, figures)


def _checks(entries: Sequence[Entry], prefix: str) -> Table:
    return _rows(
        entries,
        f"{prefix}each check alone: how many claims it fires on, by their label",
        lambda entry: entry.about["check"],
        tuple(entries[0].counts),
        tuple(entries[0].figures),
        notes=(
            "precision: its label is the claim's. objects: the claim is at least not supported. false alarms: share of "
            "the supported claims that it fires on.",
        ),
    )


def _speed(entries: Sequence[Entry], prefix: str) -> Table:
    rows = [
        Row(
            f"{entry.about['state']}: {name.replace('_', ' ')}",
            (estimate, ", ".join(f"{count:,} {what}" for what, count in entry.counts.items())),
        )
        for entry in entries
        for name, estimate in entry.figures.items()
    ]
    columns = (Column("measured", "seconds", main=True), Column("with", "text"))
    return Table("speed", f"{prefix}speed (in brackets the slowest and the fastest opinion)", columns, tuple(rows))


def _of_any(entries: Sequence[Entry], prefix: str) -> Table:
    """A section without a table of its own, with a row per entry."""
    return _rows(
        entries,
        f"{prefix}{entries[0].section}",
        lambda entry: " ".join(value for name, value in entry.about.items() if name != "dataset"),
        tuple(dict.fromkeys(name for entry in entries for name in entry.counts)),
        tuple(dict.fromkeys(name for entry in entries for name in entry.figures)),
    )


def _rows(
    entries: Sequence[Entry],
    title: str,
    name: Callable[[Entry], str],
    counts: Sequence[str],
    figures: Sequence[str],
    *,
    first: str = "",
    notes: tuple[str, ...] = (),
) -> Table:
    def cells(entry: Entry) -> tuple[Cell, ...]:
        return (*(entry.counts.get(one) for one in counts), *(entry.figures.get(one, NOTHING) for one in figures))

    form: Form = "share"
    columns = [Column(one.replace("_", " "), "count") for one in counts]
    columns += [Column(one.replace("_", " "), form, main=True) for one in figures]
    rows = tuple(Row(name(entry), cells(entry)) for entry in entries)
    return Table(entries[0].section, title, tuple(columns), rows, notes, first)


def _text(value: float) -> str:
    if math.isnan(value):
        return "-"
    return f"{value:.3f}" if value <= 1 else f"{value:.1f}"


_MAKERS: dict[str, tuple[Callable[[Sequence[Entry], str], Table], ...]] = {
    labelled.SECTION: (_by_subset, _by_system, _accuracies),
    labelled.STRATEGIES: (_shares("what claims made in each way are called", "label, strategy"),),
    word_for_word.VERBATIM: (_shares("sentences of the opinions as claims, which is true", "whose"),),
    word_for_word.EDITED: (_shares("the same with one change of one kind, which is not", "changed"),),
    natural.SECTION: (_natural,),
    each_check.SECTION: (_checks,),
    speed.SECTION: (_speed,),
}
"""How each section is shown; one that stands not here gets a plain table."""
