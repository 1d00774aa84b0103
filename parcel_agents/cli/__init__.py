"""The command `parcel-agents`, one command a file. Heavy libraries are imported inside the commands."""

from __future__ import annotations

import typer

from parcel_agents.cli import (
    bench,
    brief,
    cache,
    cite,
    compare,
    doctor,
    generate,
    graph,
    hard,
    harvest,
    mcp,
    opinion,
    replay,
    report,
    run,
    search,
    serve,
    trace,
    train,
    verify,
)

app = typer.Typer(
    name="parcel-agents",
    help="Check whether a judicial opinion really supports what a citation says of it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("verify")(verify.verify)
app.command("cite")(cite.cite)
app.command("harvest")(harvest.harvest)
app.command("generate")(generate.generate)
app.command("brief")(brief.brief)
app.command("run")(run.run)
app.command("report")(report.report)
app.command("compare")(compare.compare)
app.command("replay")(replay.replay)
app.command("hard")(hard.hard)
app.command("trace")(trace.trace)
app.command("serve")(serve.serve)
app.command("search")(search.search)
app.command("opinion")(opinion.opinion)
app.command("graph")(graph.graph)
app.command("mcp")(mcp.mcp)
app.command("doctor")(doctor.doctor)
app.add_typer(cache.app, name="cache")
app.add_typer(bench.app, name="bench")
app.add_typer(train.app, name="train")


def main() -> None:
    """Run the command line."""
    app()


__all__ = ["app", "main"]
