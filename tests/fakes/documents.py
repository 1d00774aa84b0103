"""The code and the commands of a Markdown page."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from typer.testing import CliRunner

from parcel_agents.cli import app

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: str, language: str) -> list[str]:
    """The blocks of a language, in order; each keeps its line in the page, for tracebacks."""
    text = (ROOT / page).read_text()
    found = [match for match in _BLOCK.finditer(text) if match[1] == language]
    return ["\n" * text[: match.start(2)].count("\n") + match[2] for match in found]


def named(page: str, language: str, file: str) -> str:
    """The blocks whose first line is a comment with this file name, one after the other."""
    chosen = [block for block in blocks(page, language) if block.lstrip().startswith(f"# {file}\n")]
    assert chosen, f"{page} has no {language} block for {file}"
    return "\n".join(block.lstrip() for block in chosen)


def commands(page: str) -> list[list[str]]:
    """The arguments of each command in the `sh` blocks; a line that ends in a backslash goes on."""
    lines = "\n".join(blocks(page, "sh")).replace("\\\n", " ").splitlines()
    return [shlex.split(line, comments=True) for line in lines if line.strip()]


def run(command: list[str], *, status: int = 0) -> str:
    """What a command of this package prints, given in this process and the current folder; it ends with the status."""
    name, *arguments = command
    assert name == "parcel-agents", f"not a command of this package: {shlex.join(command)}"
    result = CliRunner().invoke(app, arguments)
    # A crash ends with 1 as well.
    crash = None if isinstance(result.exception, SystemExit) else result.exception
    assert (result.exit_code, crash) == (status, None), f"{shlex.join(command)}\n{result.output}"
    return result.output
