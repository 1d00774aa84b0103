"""`parcel-agents bench artefacts`: what the wording of a data set's claims gives away of their labels."""

from __future__ import annotations

from typing import Annotated

import typer

from parcel_agents.cli import output
from parcel_agents.cli.dataset_options import ColumnMap, DatasetPath, SkipBad, read_dataset


@output.reports_errors
def artefacts(
    dataset: DatasetPath,
    column_map: ColumnMap = None,
    skip_bad: SkipBad = False,
    seed: Annotated[int, typer.Option(help="Seed of the draws for the intervals.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """Probe a data set for artefacts: how often is a label guessed by a classifier that sees no opinion?

    By class and strategy; and whether claims of one class are longer, begin with other words, or share more words with
    the opinion. Where the data set has contrast claims (claims_contrast.jsonl), without and with them. Every share has
    a 95% interval, by a bootstrap over opinions. It takes five opinions and two labels.
    """
    import numpy as np

    from parcel_agents.eval.artefacts import probe
    from parcel_agents.eval.artefacts.tables import all_tables
    from parcel_agents.eval.report.table_formats import as_text

    data = read_dataset(dataset, column_map, skip_bad)
    found = probe(data.claims, data.opinions, np.random.default_rng(seed))
    if as_json:
        output.print_json({"dataset": data.name, **found.as_json()})
        return
    if found.unlabelled:
        output.say(f"{found.unlabelled:,} claims without a label are left out")
    typer.echo("\n".join(as_text(table) for table in all_tables(found)), nl=False)
