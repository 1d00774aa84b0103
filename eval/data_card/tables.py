"""The counts of a data card as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parcel_agents.eval.bootstrap import NOTHING, Estimate
from parcel_agents.eval.data_card.balance import Balance
from parcel_agents.eval.data_card.counts import Contents, Count
from parcel_agents.eval.data_card.losses import STAGES, Losses
from parcel_agents.eval.report.tables import TITLES, Cell, Column, Row, Table
from parcel_agents.types import LABELS

STAGE_WORDS = {"writing": "no claim", "checks": "checks", "duplicates": "duplicates", "blind": "blind reader"}


def claims_table(contents: Contents) -> Table:
    """Classes and strategies, beside the paper's figure 2."""
    rows = []
    for whole in contents.classes:
        rows.append(Row(TITLES[whole.label], _count_cells(whole)))
        parts = [one for one in contents.strategies if one.label == whole.label]
        rows += [Row(f"  {words(str(one.strategy))}", _count_cells(one)) for one in parts]
    columns = (
        Column("claims", "count"),
        Column("share"),
        Column("wanted"),
        Column("claims in the paper's set", "count"),
        Column("share there"),
    )
    note = (
        "The share of a class is that of all main claims, the share of a strategy that of the claims of its class that "
        "have one."
    )
    return Table("claims", "Claims", columns, tuple(rows), (note,), first="class, strategy")


def counts_table(key: str, first: str, counts: Mapping[str, int]) -> Table:
    """Things with their counts, and the share that each is of all of them."""
    rows = [Row(words(name), (count, _share(count, sum(counts.values())))) for name, count in counts.items()]
    return Table(key, key, (Column("claims", "count"), Column("share")), tuple(rows), first=first)


def balance_table(balance: Balance) -> Table:
    """What passed of each class, and the set it is enough for."""
    rows = [Row(TITLES[one.label], (one.passed, one.usable, one.used, one.enough_for)) for one in balance.supplies]
    heads = ("passed everything", "within the limit per decision", "in the set", "enough for a set of")
    return Table("balance", "Balance", tuple(Column(head, "count") for head in heads), tuple(rows), first="class")


def fates_table(losses: Losses) -> Table:
    """What became of the claims of each kind."""
    heads = ["written", *(STAGE_WORDS[stage] for stage in STAGES)]
    columns = [Column(head, "count") for head in heads]
    columns += [Column("share lost"), Column("left over", "count"), Column("in the set", "count")]
    rows = [
        Row(
            words(one.kind),
            (
                one.written,
                *(one.lost[stage] for stage in STAGES),
                Estimate(one.drop_rate),
                one.left_over,
                one.used,
            ),
        )
        for one in losses.fates
    ]
    note = (
        "Each claim is lost at the first of these: a model's answer that is no claim, a mechanical check, a near "
        "duplicate, the blind reader's disagreement. Those left over passed, and the balance had no room for them."
    )
    return Table("fates", "What became of what was written", tuple(columns), tuple(rows), (note,), first="kind")


def rules_table(losses: Losses) -> Table:
    """What was dropped, by stage and rule."""
    rows = [
        Row(
            one.rule,
            (
                STAGE_WORDS[one.stage],
                one.claims,
                _share(one.claims, losses.written),
                ", ".join(f"{words(kind)} {count:,}" for kind, count in one.kinds.items()),
            ),
        )
        for one in losses.rules
    ]
    columns = (
        Column("stage", "text"),
        Column("claims", "count"),
        Column("share of all written"),
        Column("kinds", "text"),
    )
    return Table("rules", "Dropped, by rule", columns, tuple(rows), first="rule")


def readings_table(losses: Losses) -> Table:
    """The blind reader's label by the intended one, where they differ."""
    found = {(one.label, one.said): one.claims for one in losses.readings}
    rows = [
        Row(TITLES[label], tuple(None if label == said else found.get((label, said), 0) for said in (*LABELS, None)))
        for label in LABELS
    ]
    columns = tuple(Column(TITLES[label], "count", group="said") for label in LABELS)
    return Table("readings", "Disagreements", (*columns, Column("no label", "count")), tuple(rows), first="intended")


def words(name: str) -> str:
    """A name of the data as a reader has it."""
    return name.replace("_", " ")


def _count_cells(count: Count) -> tuple[Cell, ...]:
    paper: Sequence[Cell] = (count.paper_claims, Estimate(count.paper_share)) if count.paper_claims else ("", "")
    return (count.claims, Estimate(count.share), Estimate(count.wanted), *paper)


def _share(part: int, whole: int) -> Estimate:
    return Estimate(part / whole) if whole else NOTHING
