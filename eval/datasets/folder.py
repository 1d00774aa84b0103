"""The data set folder: `claims.jsonl`, further `claims_<name>.jsonl`, and `opinions/<opinion_id>.<ext>`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from parcel_agents.errors import InputError
from parcel_agents.eval.datasets.model import Dataset, Problem, check_problems
from parcel_agents.eval.datasets.opinions import OPINIONS, OpinionShelf, load_from
from parcel_agents.types import LABELS, GoldClaim


def load_folder(folder: Path, *, skip_bad: bool) -> Dataset:
    """All claims of a data set folder with their opinions.

    Raises:
        InputError: a file is missing; or a line is broken, an id comes twice or an opinion is not there, and such
            claims are not to be skipped. The message names files and lines.
    """
    main = folder / "claims.jsonl"
    if not main.is_file():
        raise InputError(f"{folder}: is no data set folder (it has no claims.jsonl){_hint(folder)}")
    claims: list[GoldClaim] = []
    problems: list[Problem] = []
    seen: dict[str, str] = {}
    shelf = OpinionShelf()
    for path in [main, *sorted(folder.glob("claims_*.jsonl"))]:
        for where, line in _lines(path):
            claim = _read(line, path.stem.removeprefix("claims_"))
            if isinstance(claim, str):
                problems.append(Problem(where, claim))
            elif claim.id in seen:
                problems.append(Problem(where, f"the id {claim.id!r} stands already at {seen[claim.id]}"))
            else:
                seen[claim.id] = where
                if shelf.has(claim.opinion_id, where, partial(load_from, folder / OPINIONS, claim.opinion_id)):
                    claims.append(claim)
    problems += shelf.problems()
    check_problems(folder, claims, problems, skip_bad=skip_bad)
    understood = (f"{folder.name}: {_counted(claims)}; opinions {len(shelf.opinions)}",)
    return Dataset(folder.name, tuple(claims), shelf.opinions, understood, tuple(problems))


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines that hold something, each with its place."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text; give one JSON object per line") from error
    # Only a line feed ends a line of JSONL: claims may hold other separators.
    return ((f"{path}:{number}", line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _read(line: str, subset: str) -> GoldClaim | str:
    """The claim, or what is wrong with it."""
    try:
        claim = GoldClaim.model_validate({**json.loads(line), "subset": subset})
    except ValidationError as error:
        return "is no claim (" + "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()) + ")"
    except (ValueError, TypeError, RecursionError) as error:
        return f"is no claim ({str(error).splitlines()[0]})"
    return claim if claim.claim.strip() else "the claim is empty"


def _hint(folder: Path) -> str:
    tables = sorted(path.name for path in folder.glob("*") if path.suffix in {".csv", ".json", ".jsonl", ".parquet"})
    return f"; it has {', '.join(tables[:5])}: give such a file by its name" if tables else ""


def _counted(claims: list[GoldClaim]) -> str:
    subsets = Counter(claim.subset for claim in claims)
    labels = Counter(claim.label for claim in claims)
    words = [f"{label.replace('_', ' ')} {labels[label]}" for label in LABELS if labels[label]]
    words += [f"no label {labels[None]}"] if labels[None] else []
    each = ", ".join(f"{name} {count}" for name, count in subsets.items())
    return f"{len(claims)} claims ({each}); {', '.join(words)}"
