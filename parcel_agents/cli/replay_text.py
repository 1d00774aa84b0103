"""The words and tables of `parcel-agents replay`."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import typer
from rich.console import Console
from rich.table import Table

from parcel_agents.eval.replay.comparison import Comparison
from parcel_agents.eval.replay.independence import Independence
from parcel_agents.eval.replay.reach import HardClaims, Reach
from parcel_agents.eval.replay.report import ReplayReport
from parcel_agents.eval.replay.rows import Row

WIDTH = 180
"""Columns of a table that no terminal limits."""
NOTICEABLE = 0.005
"""The least gain in accuracy or FER for which a dearer combination is worth a line."""
PAIRS = 3
"""How many of the verifiers that err together are shown."""


def print_report(report: ReplayReport) -> None:
    """The figures, and what follows from them."""
    _print_head(report)
    _print_rows(report)
    _print_rivals(report)
    _print_independence(report.independence)
    _print_reach(report.reach)


def print_front(report: ReplayReport, front: Sequence[Row], compared: int, *, free: bool) -> None:
    """What nothing beats, in order of cost, without what is hardly better than something cheaper."""
    _print_head(report)
    shown: list[Row] = []
    for row in front:
        if not any(_as_good(cheaper, row) for cheaper in shown):
            shown.append(row)
    cost = "the number of verifiers asked (votes cost nothing)" if free else "cost"
    typer.echo(
        f"Of {compared:,} combinations and cascades, {len(front)} are not beaten in {cost}, FER and accuracy together."
    )
    typer.echo(
        f"Shown are {len(shown)} of them: those more than {100 * NOTICEABLE:g} points better in FER or accuracy "
        "than every cheaper one (--json has all)."
    )
    _print_table([(f"{row.name} [{row.asked:.2f} asked]", row) for row in shown])


def _as_good(cheaper: Row, row: Row) -> bool:
    gain = row.rates["accuracy"] - cheaper.rates["accuracy"]
    return gain <= NOTICEABLE and cheaper.rates["fer"] - row.rates["fer"] <= NOTICEABLE


def _print_head(report: ReplayReport) -> None:
    typer.echo(f"{report.claims} labelled claims about {report.opinions} opinions")
    for note in report.notes:
        typer.echo(f"note: {note}")
    typer.echo()


def _print_rows(report: ReplayReport) -> None:
    names = _short_names(report)
    marks = {report.best_single: ["best single"]}
    for mark, place in (("most accurate", report.most_accurate), ("safest", report.safest)):
        marks.setdefault(place, []).append(mark)
    singles = [place for place, row in enumerate(report.rows) if len(row.verifiers) == 1 and row.policy == "majority"]
    shown = dict.fromkeys([*singles, *report.whole.values(), report.most_accurate, report.safest])
    rows = [(": ".join([*marks.get(place, []), names.get(place, report.rows[place].name)]), place) for place in shown]
    _print_table([*((name, report.rows[place]) for name, place in rows), ("oracle: right if anyone is", report.oracle)])
    typer.echo(
        f"Without any verifier, the largest class is right on {_share(report.majority_class)} of the claims, "
        f"and a classifier that\nsees the claim's words and no opinion on {_share(report.claim_only_baseline)}. "
        "Intervals are 95%, by a bootstrap over opinions."
    )


def _print_table(rows: Sequence[tuple[str, Row]]) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("", overflow="fold")
    for title in ("accuracy", "macro F1", "FER", "refuted", "not found", "decided", "right of those", "$/claim", "s"):
        table.add_column(title, justify="right", no_wrap=True)
    for name, row in rows:
        figures = [_with_interval(row, rate) for rate in ("accuracy", "macro_f1", "fer")]
        plain = ("fer_refuted", "fer_not_found", "decided", "accuracy_of_decided")
        figures += [_share(row.rates[rate]) for rate in plain]
        table.add_row(name, *figures, f"{row.cost:.4f}", f"{row.latency:.1f}")
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)


def _print_rivals(report: ReplayReport) -> None:
    names, best = _short_names(report), report.rows[report.best_single].name
    typer.echo(f"\nBetter than {best}, the best single verifier?")
    table = Table(box=None, pad_edge=False)
    table.add_column("", overflow="fold")
    for title in ("accuracy", "right here/there only", "McNemar p", "by opinion p", "false here/there only", "p"):
        table.add_column(title, justify="right", no_wrap=True)
    for place, found in report.against_best_single.items():
        chosen = " *" if place in (report.most_accurate, report.safest) else ""
        table.add_row(names.get(place, report.rows[place].name) + chosen, *_compared(found))
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)
    typer.echo("* chosen on these claims from all combinations, so its p-values are too small.")
    if report.held_out:
        typer.echo(
            f"The most accurate of {len(report.rows)} was chosen on the claims it is measured on. Chosen on half of "
            f"the opinions it has\n{_share(report.held_out.accuracy_where_chosen)} there and "
            f"{_share(report.held_out.accuracy_elsewhere)} on the other half, with FER "
            f"{_share(report.held_out.fer_elsewhere)} (mean over random halves)."
        )


def _compared(found: Comparison) -> list[str]:
    return [
        f"{found.accuracy_gain:+.3f}",
        f"{found.only_first_right}/{found.only_second_right}",
        f"{found.mcnemar_p:.2g}",
        f"{found.permutation_p:.2g}",
        f"{found.only_first_false}/{found.only_second_false}",
        f"{found.fer_permutation_p:.2g}",
    ]


def _print_independence(found: Independence) -> None:
    typer.echo("\nHow independent are the votes?")
    if math.isnan(found.effective_votes):
        typer.echo("That cannot be told: no two of the verifiers have errors to compare.")
    else:
        typer.echo(
            f"{found.verifiers} verifiers make {found.effective_votes:.2f} effective votes (mean correlation of their "
            f"errors {found.mean_correlation:.2f})."
        )
    ideal = (found.independent_accuracy, found.independent_fer)
    for name, accuracy, fer in (
        ("their majority, if they erred apart", *ideal),
        ("their majority", found.majority_accuracy, found.majority_fer),
    ):
        typer.echo(f"  {name}: accuracy {_share(accuracy)}, FER {_share(fer)}")
    typer.echo(f"  {found.best_single}, the best alone: accuracy {_share(found.best_single_accuracy)}")
    typer.echo(f"  at least one of them right: {_share(found.oracle_accuracy)}")
    together = sorted(found.pairs, key=lambda pair: -2 if math.isnan(pair.correlation) else -pair.correlation)
    for pair in together[:PAIRS]:
        typer.echo(
            f"  {pair.one} and {pair.other}: both wrong on {pair.both_wrong} of {pair.claims} claims "
            f"({pair.both_wrong_if_independent:.1f} if they erred apart), {pair.same_wrong_label} times with one label"
        )
    table = Table(box=None, pad_edge=False)
    for title in ("", "alone", "majority without it", "FER without it", "worth (Shapley)"):
        table.add_column(title, justify="right" if title else "left", no_wrap=True)
    for worth in found.worth:
        figures = (worth.accuracy_alone, worth.accuracy_without_it, worth.fer_without_it)
        table.add_row(worth.verifier, *map(_share, figures), f"{worth.shapley:+.3f}")
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)


def _print_reach(found: Reach) -> None:
    typer.echo("\nWhat can voting reach?")
    typer.echo(
        f"No majority of all {found.verifiers} can exceed accuracy {_share(found.majority_ceiling)}, and no choice "
        f"among their votes {_share(found.any_choice_ceiling)}."
    )
    table = Table(box=None, pad_edge=False)
    titles = ("claims that", "fail", "", "majority: right", "open", "false support", "best panel: right", "ceiling")
    for title in titles:
        table.add_column(title, justify="left" if title in ("claims that", "ceiling") else "right", no_wrap=True)
    for hard in found.hard:
        table.add_row(f"{hard.failed_by} or more", *_hard(hard))
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)


def _hard(hard: HardClaims) -> list[str]:
    if hard.largest_panel:
        ceiling = f"of those that just {hard.failed_by} fail, a majority of up to {hard.largest_panel} is right on some"
    else:
        ceiling = f"of those that just {hard.failed_by} fail, no majority is right on any"
    return [
        str(hard.claims),
        f"{hard.share:.2%}",
        str(hard.majority_right),
        str(hard.majority_undecided),
        str(hard.majority_false_support),
        f"{hard.best_panel_right} ({', '.join(hard.best_panel)})" if hard.best_panel else "0",
        ceiling,
    ]


def _short_names(report: ReplayReport) -> dict[int, str]:
    """Combinations of all verifiers, named shortly."""
    singles = len(report.rows[report.whole["majority"]].verifiers) == 1
    return {} if singles else {place: f"{policy} of all" for policy, place in report.whole.items()}


def _with_interval(row: Row, rate: str) -> str:
    low, high = row.intervals[rate]
    ends = "" if math.isnan(low) else f" ({_share(low)}-{_share(high)})"
    return f"{_share(row.rates[rate])}{ends}"


def _share(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}".removeprefix("0")
