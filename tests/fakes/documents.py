"""The code of a Markdown page."""

from __future__ import annotations

import re
from pathlib import Path

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
