"""Labelled data sets: a folder with `claims.jsonl`, further `claims_<name>.jsonl`, and `opinions/`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import ConfigDict, ValidationError

from parcel_agents.errors import InputError
from parcel_agents.opinions.load import READERS
from parcel_agents.opinions.markdown import read_markdown
from parcel_agents.types import Claim, Frozen, Label, Opinion, Span


class GoldClaim(Frozen):
    """A line of a claims file; fields that are not listed are kept by the file and ignored here."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    opinion_id: str
    claim: str
    label: Label | None = None
    strategy: str | None = None
    usage_type: str | None = None
    evidence: str | None = None
    """A verbatim excerpt of the opinion that supports or refutes the claim."""
    subset: str = "claims"
    """The file the claim stands in: `claims`, or NAME of `claims_NAME.jsonl`."""

    def as_claim(self) -> Claim:
        """What a verifier may see of it."""
        return Claim(id=self.id, text=self.claim)


@dataclass(frozen=True)
class Dataset:
    """Labelled claims and the opinions they are about."""

    name: str
    claims: tuple[GoldClaim, ...]
    opinions: dict[str, Opinion]

    def by_opinion(self) -> dict[str, list[GoldClaim]]:
        """The claims grouped by opinion id, in the order of the file."""
        grouped: dict[str, list[GoldClaim]] = {}
        for claim in self.claims:
            grouped.setdefault(claim.opinion_id, []).append(claim)
        return grouped


def load_dataset(folder: Path) -> Dataset:
    """All claims of a data set folder with their opinions.

    Raises:
        InputError: a file is missing, a line is broken, an id comes twice or an opinion is not there; the
            message names file and line.
    """
    main = folder / "claims.jsonl"
    if not main.is_file():
        raise InputError(f"{folder}: is no data set folder (it has no claims.jsonl)")
    claims: list[GoldClaim] = []
    seen: dict[str, str] = {}
    for path in [main, *sorted(folder.glob("claims_*.jsonl"))]:
        subset = path.stem.removeprefix("claims_")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            where = f"{path}:{number}"
            try:
                claim = GoldClaim.model_validate({**json.loads(line), "subset": subset})
            except (ValueError, TypeError, ValidationError) as error:
                raise InputError(f"{where}: is no claim ({_first_line(error)})") from error
            if claim.id in seen:
                raise InputError(f"{where}: the id {claim.id!r} stands already at {seen[claim.id]}")
            seen[claim.id] = where
            claims.append(claim)
    wanted = dict.fromkeys(claim.opinion_id for claim in claims)
    return Dataset(folder.name, tuple(claims), {id: Opinion.load(_opinion_file(folder, id)) for id in wanted})


def locate_excerpt(opinion: Opinion, excerpt: str) -> Span | None:
    """Where an excerpt stands in an opinion's text; None if it does not.

    Excerpts taken from a file still carry that file's page and link marks, and other white space than the
    text; both are compared by their letters and digits alone.
    """
    plain = " ".join(block.text for block in read_markdown(re.sub(r"\[\d{1,3}\](?=[\w*\[])", "", excerpt)))
    needle = re.sub(r"[\W_]+", "", plain).lower()
    haystack, positions = _squeezed(opinion.text)
    found = haystack.find(needle)
    if not needle or found < 0:
        return None
    return Span(start=positions[found], end=positions[found + len(needle) - 1] + 1)


@lru_cache(maxsize=64)
def _squeezed(text: str) -> tuple[str, tuple[int, ...]]:
    """The text's letters and digits in lower case, and where each stands."""
    positions = tuple(match.start() for match in re.finditer(r"[^\W_]", text))
    letters = "".join(text[i] for i in positions)
    # One character may become two in lower case ("İ"); such texts are compared as they stand.
    lowered = letters.lower()
    return (lowered if len(lowered) == len(letters) else letters), positions


def _opinion_file(folder: Path, opinion_id: str) -> Path:
    for suffix in (*READERS, ".json"):
        path = folder / "opinions" / f"{opinion_id}{suffix}"
        if path.is_file():
            return path
    raise InputError(f"{folder / 'opinions'}: has no opinion {opinion_id!r} (.md, .txt, .html or .json)")


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error).splitlines()[0]
