"""Prompt files: text in sections such as `[system]`, packed with the code that uses them, versioned by name.

A file that has been used is never changed, since votes and data sets name it; a better wording is a new file.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from parcel_agents.providers.spec import Rung

_INSTRUCTIONS: Mapping[Rung, str] = {
    "json_schema": "json",
    "function_calling": "tool",
    "json_mode": "json",
    "line": "line",
}
_HEAD = re.compile(r"(?m)^\[([a-z_]+)\]\n")


@dataclass(frozen=True)
class PromptFile:
    """A prompt file, read."""

    name: str
    sha256: str
    sections: Mapping[str, str]

    @property
    def id(self) -> str:
        """What its users name it by: the file's name and the beginning of its hash."""
        return f"{self.name}@{self.sha256[:12]}"

    @property
    def instructions(self) -> dict[Rung, str]:
        """How to answer, by rung: sections `[json]`, `[tool]` and `[line]`."""
        return {rung: self.sections[section] for rung, section in _INSTRUCTIONS.items()}


@lru_cache(maxsize=32)
def read_prompt_file(package: str, name: str) -> PromptFile:
    """The prompt file `name`.txt of a package.

    Raises:
        FileNotFoundError: the package has none of this name.
    """
    data = files(package).joinpath(f"{name}.txt").read_bytes()
    # A checkout with CRLF line ends is the same prompt.
    text = data.decode("utf-8").replace("\r\n", "\n")
    pieces = _HEAD.split(text)
    sections = {head: body.strip("\n") for head, body in zip(pieces[1::2], pieces[2::2], strict=True)}
    return PromptFile(name, hashlib.sha256(text.encode()).hexdigest(), sections)
