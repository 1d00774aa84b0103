"""`parcel-agents report`: the figures of one or more runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parcel_agents.cli import output

if TYPE_CHECKING:
    from parcel_agents.eval.report.evaluation import Evaluation
    from parcel_agents.eval.report.run_groups import Group
    from parcel_agents.eval.report.tables import Table

Policies = Annotated[
    list[str] | None,
    typer.Option("--policy", help="A policy beside the panel's own; may be repeated. The usual ones without it."),
]
Resamples = Annotated[int, typer.Option(min=100, help="Draws of the bootstrap.")]


@output.reports_errors
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders, made by `parcel-agents run`.")],
    html: Annotated[
        Path | None, typer.Option(help="Write one page with tables and figures into this file; it needs no network.")
    ] = None,
    tables: Annotated[
        Path | None, typer.Option(help="Write each table as .csv, .tex and .txt into this folder.")
    ] = None,
    policy: Policies = None,
    subset: Annotated[str | None, typer.Option(help="Take the claims of this file of the data set only.")] = None,
    resamples: Resamples = 2000,
    seed: Annotated[int, typer.Option(help="Seed of all draws: folds and resamples.")] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object per verifier, policy and baseline.")
    ] = False,
) -> None:
    """Print tables 2 to 7 of the paper for the verifiers of a run and for every policy over its panel.

    Every figure has a 95% interval, by a bootstrap over opinions. Beside them stand the majority class and a
    classifier that sees the claim's words and no opinion. Runs on the same claims share their tables.
    """
    import numpy as np

    from parcel_agents.eval.library import Run
    from parcel_agents.eval.replay.combinations import POLICY_NAMES
    from parcel_agents.eval.report.evaluate import evaluate_votes
    from parcel_agents.eval.report.run_groups import grouped
    from parcel_agents.eval.report.tables import all_tables

    if html is not None:
        from parcel_agents.eval.replay.plots import require_matplotlib

        require_matplotlib()
    rng = np.random.default_rng(seed)
    groups = grouped([Run(run) for run in runs], subset)
    if len(groups) > 1:
        output.say(
            f"note: the runs are on {len(groups)} different sets of claims, so they are reported one after the other; "
            "`parcel-agents compare` compares two of them on the claims they share"
        )
    found: list[tuple[Group, Evaluation]] = []
    with output.progress("measuring", len(runs) * (len(policy or POLICY_NAMES) + 1) + len(groups)) as step:
        for group in groups:
            made = evaluate_votes(group.runs, rng, policies=policy or (), resamples=resamples, progress=step)
            found.append((group, made))
    if html is not None:
        output.write_file(html, _page(found, seed))
    if tables is not None:
        for place, (_, evaluation) in enumerate(found, 1):
            _write_tables(tables / f"set{place}" if len(found) > 1 else tables, all_tables(evaluation))
    if as_json:
        _print_json(found)
    elif html is None and tables is None:
        for group, evaluation in found:
            _print(group, evaluation)


def _print(group: Group, found: Evaluation) -> None:
    from parcel_agents.eval.report.table_formats import as_text
    from parcel_agents.eval.report.tables import all_tables

    typer.echo(f"{group.title}: {found.claims:,} labelled claims about {found.opinions:,} opinions")
    for note in found.notes:
        typer.echo(f"note: {note}")
    typer.echo("Behind a figure stands its 95% interval, by a bootstrap over opinions.")
    for table in all_tables(found):
        typer.echo(f"\n{as_text(table)}", nl=False)


def _print_json(found: Sequence[tuple[Group, Evaluation]]) -> None:
    from parcel_agents.eval.report.as_json import json_rows

    for group, evaluation in found:
        about = {
            "runs": [run.name for run in group.runs],
            "datasets": [meta.dataset.model_dump(mode="json") for _, meta in group.metas],
            "panels": [meta.panel.model_dump(mode="json") for _, meta in group.metas],
            "versions": [meta.versions for _, meta in group.metas],
        }
        for row in json_rows(evaluation, about):
            output.print_json(row)


def _page(found: Sequence[tuple[Group, Evaluation]], seed: int) -> str:
    import numpy as np

    from parcel_agents.eval.report.figures import pictures
    from parcel_agents.eval.report.page import Section, facts, report_page
    from parcel_agents.eval.report.panel_findings import panel_findings
    from parcel_agents.eval.report.tables import all_tables

    sections = []
    for group, evaluation in found:
        findings = panel_findings(group.runs[0], np.random.default_rng(seed)) if len(group.runs) == 1 else ()
        title = f"{group.title}: {evaluation.claims:,} labelled claims about {evaluation.opinions:,} opinions"
        drawn, shown = pictures(evaluation), all_tables(evaluation)
        sections.append(Section(title, facts(group.metas), evaluation.notes, shown, drawn, findings))
    return report_page(f"Report on {', '.join(group.title for group, _ in found)}", sections)


def _write_tables(folder: Path, tables: Sequence[Table]) -> None:
    from parcel_agents.eval.report.table_formats import as_csv, as_latex, as_text

    for table in tables:
        for suffix, form in ((".csv", as_csv), (".tex", as_latex), (".txt", as_text)):
            output.write_file(folder / f"{table.key}{suffix}", form(table), told="")
    output.say(f"{folder}: {len(tables)} tables written")
