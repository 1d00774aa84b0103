"""Explanatory parentheticals that judges wrote: presumably true, and in nobody's wording but their own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from parcel_agents.ensemble.ballots import NOT_FOUND, REFUTED
from parcel_agents.errors import InputError
from parcel_agents.eval.reading import opinion_files
from parcel_agents.eval.verdicts.asking import Panel, Question
from parcel_agents.eval.verdicts.entries import Entry, Shares, said_codes
from parcel_agents.types import Claim, Opinion

SECTION = "natural"
WRONG = "wrong"
"""Share called Refuted or Not Found."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore")

    cited: str
    parenthetical: str


@dataclass(frozen=True)
class Parentheticals:
    """What judges said of opinions that are at hand."""

    questions: tuple[Question, ...]
    opinions: dict[str, Opinion]
    lacking: int
    """Parentheticals whose opinion is not in the folder."""


def read_parentheticals(path: Path, folder: Path) -> Parentheticals:
    """The parentheticals of a file with the opinions they are about.

    Args:
        path: JSON lines with `cited`, the stem of the opinion's file, and `parenthetical`.
        folder: searched for opinions with what is below it.

    Raises:
        InputError: the file cannot be read, or none of its opinions is in the folder.
    """
    try:
        texts = path.read_text(encoding="utf-8").splitlines()
        lines = [_Line.model_validate(json.loads(text)) for text in texts if text.strip()]
    except (OSError, UnicodeDecodeError, ValueError, ValidationError) as error:
        raise InputError(
            f"{path}: is no file of parentheticals ({str(error).splitlines()[0]}); give JSON lines with 'cited' and "
            "'parenthetical'"
        ) from error
    files = {file.stem: file for file in opinion_files([folder])}
    here = [line for line in lines if line.cited in files]
    if not here:
        raise InputError(f"{folder}: holds none of the opinions that {path} cites (files named by 'cited')")
    opinions = {cited: Opinion.load(files[cited]) for cited in dict.fromkeys(line.cited for line in here)}
    questions = tuple(Question(line.cited, Claim.of(wrapped(line.parenthetical))) for line in here)
    return Parentheticals(questions, opinions, len(lines) - len(here))


def wrapped(parenthetical: str) -> str:
    """The parenthetical in the brackets that it stood in."""
    return f"({parenthetical.strip()})"


def measure_natural(given: Parentheticals, panel: Panel, rng: np.random.Generator) -> Iterator[Entry]:
    """One entry: the shares of the verdicts, and of those that cannot be right."""
    said = said_codes(panel.ask(SECTION, given.opinions, given.questions))
    shares = Shares.over(_ids(given.questions), rng)
    counts = {"claims": len(said), "opinions": len(given.opinions), "opinion_not_at_hand": given.lacking}
    wrong = shares.of((said == REFUTED) | (said == NOT_FOUND))
    yield Entry(SECTION, {"claims_of": "judges"}, counts, {WRONG: wrong, **shares.of_labels(said)})


def _ids(questions: Sequence[Question]) -> list[str]:
    return [question.opinion_id for question in questions]
