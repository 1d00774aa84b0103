"""`parcel-agents compare`: two runs on the claims they share."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parcel_agents.cli import output
from parcel_agents.cli.report import Policies, Resamples
from parcel_agents.errors import InputError

if TYPE_CHECKING:
    from parcel_agents.eval.bootstrap import Estimate
    from parcel_agents.eval.report.run_comparison import Changed, Pair, RunComparison

WIDTH = 180
"""Columns of a table that no terminal limits."""


@output.reports_errors
def compare(
    first: Annotated[Path, typer.Argument(help="A run folder.")],
    second: Annotated[Path, typer.Argument(help="The run folder to hold against it.")],
    policy: Policies = None,
    show: Annotated[
        int, typer.Option("--list", min=0, help="Print so many claims that one run has right and the other has not.")
    ] = 0,
    of: Annotated[
        str | None, typer.Option(help="The verifier or policy whose claims to list; the first policy without it.")
    ] = None,
    resamples: Resamples = 2000,
    seed: Annotated[int, typer.Option(help="Seed of all draws: folds, resamples, signs.")] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object per pair, and per claim that changed.")
    ] = False,
) -> None:
    """Say what the second run has better or worse than the first, on the same claims.

    Compared are the verifiers and policies that both have, and the best verifier of each. Differences are paired; they
    have 95% intervals by a bootstrap over opinions, an exact McNemar test, and a sign-flip test by opinion.
    """
    import numpy as np

    from parcel_agents.eval.library import Run
    from parcel_agents.eval.report.run_comparison import compare_runs
    from parcel_agents.eval.report.run_groups import named_votes

    one, other = named_votes([Run(first), Run(second)])
    found = compare_runs(one, other, np.random.default_rng(seed), policies=policy or (), resamples=resamples)
    if as_json:
        for row in _json_rows(found):
            output.print_json(row)
        return
    _print(found)
    if show:
        _list(found, _chosen(found, of), show)


def _print(found: RunComparison) -> None:
    from rich.console import Console
    from rich.table import Table

    typer.echo(
        f"{found.names[1]} against {found.names[0]}, on {found.claims:,} claims about {found.opinions:,} opinions"
    )
    for note in found.notes:
        typer.echo(f"note: {note}")
    if not found.pairs:
        typer.echo("The runs have no verifier and no policy in common.")
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("", overflow="fold")
    titles = (
        "accuracy",
        "difference",
        "right here/there only",
        "McNemar p",
        "by opinion p",
        "FER %",
        "difference",
        "p",
    )
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    for pair in found.pairs:
        tests = pair.tests
        table.add_row(
            _plain(pair.name),
            " > ".join(_share(value) for value in pair.accuracy),
            _gain(pair.accuracy_gain),
            f"{tests.only_first_right}/{tests.only_second_right}",
            f"{tests.mcnemar_p:.2g}",
            f"{tests.permutation_p:.2g}",
            " > ".join(_share(100 * value, 2) for value in pair.fer),
            _gain(pair.fer_gain, 100, 2),
            f"{tests.fer_permutation_p:.2g}",
        )
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)
    typer.echo(
        f"A difference is {found.names[1]} minus {found.names[0]}, with its 95% interval by a bootstrap over opinions; "
        "'here' is\nthe second run. McNemar's test takes claims for independent, the test by opinion does not."
    )


def _chosen(found: RunComparison, name: str | None) -> Pair:
    if not found.pairs:
        raise InputError("the runs have no verifier and no policy in common, so there is nothing to list")
    if name is None:
        return next((pair for pair in found.pairs if pair.kind == "policy"), found.pairs[0])
    for pair in found.pairs:
        if pair.name == name:
            return pair
    raise InputError(f"--of {name!r}: not in both runs; known: {', '.join(pair.name for pair in found.pairs)}")


def _list(found: RunComparison, pair: Pair, count: int) -> None:
    typer.echo(f"\n{pair.name}: {len(pair.changed)} claims changed between right and not right")
    for changed in pair.changed[:count]:
        winner = found.names[1] if changed.second_is_right else found.names[0]
        how = f", {changed.strategy}" if changed.strategy else ""
        typer.echo(f"\n{changed.claim_id} (opinion {changed.opinion_id}; is {changed.gold}{how}): {winner} is right")
        typer.echo(f"  {' '.join(changed.claim.split())}")
        for name, said, votes in _sides(found, changed):
            given = ", ".join(f"{verifier} {vote}" for verifier, vote in votes.items())
            typer.echo(f"  {name}: {said} ({given})")


def _sides(found: RunComparison, changed: Changed) -> list[tuple[str, str, dict[str, str]]]:
    return [
        (found.names[0], changed.first, changed.first_votes),
        (found.names[1], changed.second, changed.second_votes),
    ]


def _json_rows(found: RunComparison) -> Iterator[dict[str, Any]]:
    yield {
        "row": "runs",
        "first": found.names[0],
        "second": found.names[1],
        "claims": found.claims,
        "opinions": found.opinions,
        "notes": list(found.notes),
    }
    for pair in found.pairs:
        yield {
            "row": "pair",
            "name": pair.name,
            "kind": pair.kind,
            "accuracy": list(pair.accuracy),
            "accuracy_gain": pair.accuracy_gain.value,
            "accuracy_gain_interval": pair.accuracy_gain.interval,
            "only_first_right": pair.tests.only_second_right,
            "only_second_right": pair.tests.only_first_right,
            "mcnemar_p": pair.tests.mcnemar_p,
            "permutation_p": pair.tests.permutation_p,
            "fer": list(pair.fer),
            "fer_gain": pair.fer_gain.value,
            "fer_gain_interval": pair.fer_gain.interval,
            "only_first_false": pair.tests.only_second_false,
            "only_second_false": pair.tests.only_first_false,
            "fer_permutation_p": pair.tests.fer_permutation_p,
            "changed": len(pair.changed),
        }
        for changed in pair.changed:
            yield {"row": "changed", "name": pair.name, **asdict(changed)}


def _gain(gain: Estimate, scale: float = 1, digits: int = 3) -> str:
    if math.isnan(gain.value):
        return "-"
    ends = "" if math.isnan(gain.low) else f" ({scale * gain.low:+.{digits}f} to {scale * gain.high:+.{digits}f})"
    return f"{scale * gain.value:+.{digits}f}{ends}"


def _share(value: float, digits: int = 3) -> str:
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def _plain(name: str) -> str:
    from rich.markup import escape

    return escape(name)
