"""Tables 2 to 7 of the paper, with a run's verifiers, the policies and the baselines as rows; and three of our own.

A table is columns, rows and notes, and knows nothing of text, CSV, LaTeX or HTML (`table_formats`, `report_page`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from parcel_agents.eval.bootstrap import NOTHING, Estimate
from parcel_agents.eval.metrics import SAYINGS
from parcel_agents.eval.report.evaluation import SCOPES, Evaluation, SystemReport
from parcel_agents.types import LABELS, Label

Form = Literal["share", "percent", "count", "dollars", "seconds", "text"]
Cell = Estimate | int | str | None
"""None for a cell that makes no sense in its row."""

TITLES: dict[Label, str] = {"supported": "Supported", "refuted": "Refuted", "not_found": "Not Found"}
BASELINES = (
    "'majority class' gives every claim the most frequent label. 'claim only' is a classifier that sees the claim's "
    "words and no opinion (TF-IDF, logistic regression, trained on claims about the other opinions): what it reaches, "
    "the wording of the claims gives away."
)
UNANSWERED = "A claim without an answer - an abstention or a missing vote - is not right, and no false entailment."


@dataclass(frozen=True)
class Column:
    """A column of figures."""

    title: str
    form: Form = "share"
    group: str = ""
    """A heading over several columns."""
    main: bool = False
    """Its interval is printed where there is little room, too."""


@dataclass(frozen=True)
class Row:
    """A line of a table."""

    name: str
    cells: tuple[Cell, ...]
    section: str = ""
    """Rows of one section stand together: verifiers, policies, baselines."""


@dataclass(frozen=True)
class Table:
    """A table as it is to be shown."""

    key: str
    """Such as `table2`; the stem of its file."""
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    first: str = ""
    """Title of the column of names."""


def all_tables(found: Evaluation) -> list[Table]:
    """The paper's tables in its order, then denominators, outcomes and subsets."""
    tables = [table_2(found), table_3(found), table_4(found)]
    tables += [_strategies(found, "refuted", 5), _strategies(found, "not_found", 6), table_7(found)]
    tables += [denominators(found), outcomes(found)]
    if found.subsets:
        tables.append(subsets(found))
    return [table for table in tables if table.rows and table.columns]


def table_2(found: Evaluation) -> Table:
    """Accuracy, macro F1, and precision, recall and F1 of each class."""
    columns = [Column("Accuracy", main=True), Column("Macro F1", main=True)]
    names = ["accuracy", "macro_f1"]
    for label in LABELS:
        columns += [Column(title, group=TITLES[label]) for title in ("P", "R", "F1")]
        names += [f"{label}.{part}" for part in ("precision", "recall", "f1")]
    return Table(
        "table2",
        f"Performance on all {found.claims:,} claims",
        tuple(columns),
        tuple(_rows(found, lambda system: [system.figures[name] for name in names])),
        (UNANSWERED, BASELINES),
    )


def table_3(found: Evaluation) -> Table:
    """False entailment rates."""
    names = ("fer", "fer_refuted", "fer_not_found")
    titles = ("FER", "FER on Refuted", "FER on Not Found")
    return Table(
        "table3",
        "False entailment rate: refuted and not-found claims that were called Supported, in percent",
        tuple(Column(title, "percent", main=True) for title in titles),
        tuple(_rows(found, lambda system: [system.figures[name] for name in names])),
        (
            "Lower is better; who answers little is seldom wrong: read it beside the recall of Supported in table 2. "
            "Where none occurred, the upper end is the lowest rate that so many opinions can rule out.",
        ),
    )


def table_4(found: Evaluation) -> Table:
    """Confusion matrix of all verifiers together."""
    said = dict(zip(SAYINGS, (*TITLES.values(), "Abstained or missing"), strict=True))
    return Table(
        "table4",
        "What the verifiers say of the claims of each label, all verifiers together, in percent of the label's claims",
        tuple(Column(title, "percent", group="said to be", main=True) for title in said.values()),
        tuple(Row(TITLES[label], tuple(found.pooled[f"{label}>{name}"] for name in said)) for label in LABELS),
        first="is",
    )


def _strategies(found: Evaluation, label: Label, number: int) -> Table:
    places = found.strategies.of(label)
    rows = _rows(found, lambda system: [system.per_strategy[place] for place in places])
    mean = Row("mean of the verifiers", tuple(found.mean_per_strategy[place] for place in places), "verifier")
    after = sum(row.section == "verifier" for row in rows)
    claims = Row("claims", tuple(found.strategies.all[place].claims for place in places), "claims")
    return Table(
        f"table{number}",
        f"Accuracy on {TITLES[label].lower()} claims, by the way they were made",
        tuple(Column(found.strategies.all[place].words, main=True) for place in places),
        (*rows[:after], mean, *rows[after:], claims),
    )


def table_7(found: Evaluation) -> Table:
    """Hard claims."""
    return Table(
        "table7",
        f"Hard claims: how many of the {found.claims:,} at least k of the {len(found.hard)} verifiers fail",
        (Column("Claims", "count"), Column("Percent", "percent", main=True)),
        tuple(Row(f"{hard.failed_by} or more", (hard.claims, hard.share)) for hard in found.hard),
        ("An abstention fails a claim, a missing vote does not.",),
        first="k",
    )


def denominators(found: Evaluation) -> Table:
    """The main figures on all claims, on claims given a label, and on those that every verifier gave one."""
    names = {
        "accuracy": Column("Accuracy", main=True),
        "macro_f1": Column("Macro F1"),
        "fer": Column("FER %", "percent"),
    }
    columns: list[Column] = []
    for words in SCOPES.values():
        columns.append(Column("n", "count", group=words))
        columns += [Column(column.title, column.form, words, column.main) for column in names.values()]

    def cells(system: SystemReport) -> list[Cell]:
        found_cells: list[Cell] = []
        for scope in SCOPES:
            measured = system.scopes[scope]
            found_cells += [measured.claims, *(measured.figures[name] for name in names)]
        return found_cells

    return Table("denominators", "Three denominators", tuple(columns), tuple(_rows(found, cells)))


def outcomes(found: Evaluation) -> Table:
    """How attempts ended, what they cost and how long they took."""
    systems = found.of_kind("verifier", "policy")
    ways = list(dict.fromkeys(way for system in systems for way in system.outcomes))
    ways.sort(key=lambda way: ("label", "abstained").index(way) if way in ("label", "abstained") else len(way) + 2)
    columns = [Column(way.replace("_", " "), "count") for way in ways]
    columns += [Column("$ / claim", "dollars", main=True), Column("$ in all", "dollars")]
    columns.append(Column("s / claim", "seconds", main=True))

    def cells(system: SystemReport) -> list[Cell]:
        counts = [system.outcomes[way].claims if way in system.outcomes else 0 for way in ways]
        return [*counts, system.cost, Estimate(system.total_cost), system.latency]

    return Table(
        "outcomes",
        "How the attempts ended, and what they cost",
        tuple(columns),
        tuple(_rows(found, cells, baselines=False)),
        (
            "Each claim is counted once, by its final vote; a policy costs what the verifiers it asks cost, and takes "
            "as long as the slowest of a tier.",
        ),
    )


def subsets(found: Evaluation) -> Table:
    """The main figures on each file of the data set."""
    columns: list[Column] = []
    for part in found.subsets:
        group = f"{part.name}: {part.claims:,} claims about {part.opinions} opinions"
        columns += [Column("Accuracy", group=group, main=True), Column("Macro F1", group=group)]
        columns.append(Column("FER %", "percent", group))

    def cells(system: SystemReport) -> list[Cell]:
        figures = [part.figures.get(system.name, {}) for part in found.subsets]
        return [one.get(name, NOTHING) for one in figures for name in ("accuracy", "macro_f1", "fer")]

    return Table("subsets", "Each file of the data set", tuple(columns), tuple(_rows(found, cells)))


def _rows(found: Evaluation, cells: Callable[[SystemReport], Sequence[Cell]], *, baselines: bool = True) -> list[Row]:
    kinds = ("verifier", "policy", "baseline") if baselines else ("verifier", "policy")
    return [Row(system.name, tuple(cells(system)), system.kind) for system in found.systems if system.kind in kinds]
