"""What the commands share: errors and their exit status, JSON lines, progress on standard error."""

from __future__ import annotations

import functools
import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import typer

from parcel_agents.errors import InputError, ParcelError
from parcel_agents.types import SCHEMA_VERSION

P = ParamSpec("P")
R = TypeVar("R")

EXIT_NOT_SUPPORTED = 1
EXIT_BAD_INPUT = 2
EXIT_NOT_CHECKED = 3


def reports_errors(command: Callable[P, R]) -> Callable[P, R]:
    """A command that prints our own errors as one line and leaves with the status that the README lists."""

    @functools.wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except ParcelError as error:
            complain(str(error))
            status = EXIT_BAD_INPUT if isinstance(error, InputError) else EXIT_NOT_CHECKED
            raise typer.Exit(status) from error

    return wrapped


def complain(message: str) -> None:
    """One line about an error, on standard error."""
    typer.echo(f"error: {' '.join(message.split())}", err=True)


def say(message: str) -> None:
    """One line that is no result, on standard error."""
    typer.echo(message, err=True)


def print_json(row: dict[str, Any]) -> None:
    """One JSON object on a line of standard output, with the schema's version; null for a figure over nothing."""
    typer.echo(json.dumps(_without_nan({"schema_version": SCHEMA_VERSION, **row}), ensure_ascii=False, allow_nan=False))


def write_file(path: Path, text: str, *, told: str = "written") -> None:
    """The text in a file, whose folders are made; then a line that says so, or none where `told` is empty.

    Raises:
        InputError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Half of a character, as a damaged document may hold it, must not cost the whole page.
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from error
    if told:
        say(f"{path}: {told}")


def _without_nan(value: Any) -> Any:
    """The value with None for nan, which JSON does not know."""
    if isinstance(value, dict):
        return {key: _without_nan(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(inner) for inner in value]
    return None if isinstance(value, float) and math.isnan(value) else value


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[], None]]:
    """A function to call after each of `total` steps; it draws a bar where a person is watching."""
    if total < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda: bar.advance(task)


def end_at_once() -> None:
    """End the process with status 0, without waiting for its threads."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
