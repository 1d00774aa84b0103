"""ContractNLI (Koreeda and Manning, 2021) in its own JSON: contracts, and hypotheses that each is held against.

Each pair of a contract and a hypothesis is a claim. The labels Entailment, Contradiction and NotMentioned are ours
under other names; the evidence is the first of the spans that the annotators marked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from parcel_agents.eval.datasets.labels import label_of
from parcel_agents.eval.datasets.model import Dataset, Problem, check_problems
from parcel_agents.eval.datasets.opinions import OpinionShelf
from parcel_agents.opinions import parse_opinion
from parcel_agents.types import GoldClaim


class _Hypothesis(BaseModel):
    hypothesis: str


class _Annotation(BaseModel):
    choice: str
    spans: list[int] = []


class _Annotations(BaseModel):
    annotations: dict[str, _Annotation]


class _Document(BaseModel):
    id: int | str
    file_name: str | None = None
    text: str
    spans: list[tuple[int, int]] = []
    annotation_sets: list[_Annotations]


def is_contract_nli(data: Any) -> bool:
    """True if the parsed JSON has the two parts of a ContractNLI file."""
    return isinstance(data, dict) and isinstance(data.get("documents"), list) and isinstance(data.get("labels"), dict)


def load_contract_nli(path: Path, data: Any, *, skip_bad: bool) -> Dataset:
    """The pairs of a parsed ContractNLI file; ids are `<document>/<hypothesis>`.

    Raises:
        InputError: some pair cannot be used and is not to be skipped.
    """
    problems: list[Problem] = []
    hypotheses: dict[str, str] = {}
    for key, value in data["labels"].items():
        try:
            hypotheses[key] = _Hypothesis.model_validate(value).hypothesis.strip()
        except ValidationError as error:
            problems.append(Problem(f"{path}: label {key!r}", _first(error)))
    claims: list[GoldClaim] = []
    seen: dict[str, str] = {}
    shelf = OpinionShelf()
    for number, item in enumerate(data["documents"], 1):
        where = f"{path}: document {number}"
        try:
            document = _Document.model_validate(item)
        except ValidationError as error:
            problems.append(Problem(where, _first(error)))
            continue
        id = str(document.id)
        if id in seen:
            problems.append(Problem(where, f"the id {id!r} stands already at {seen[id]}"))
            continue
        seen[id] = where
        read = partial(parse_opinion, document.text, source=document.file_name, where=f"the contract {id!r}")
        for pair in _pairs(document, hypotheses):
            if isinstance(pair, str):
                problems.append(Problem(where, pair))
            elif shelf.has(id, where, read):
                claims.append(pair)
    problems += shelf.problems()
    check_problems(path, claims, problems, skip_bad=skip_bad)
    counts = Counter(claim.label for claim in claims)
    understood = (
        f"{path.name}: ContractNLI, {len(claims)} pairs of {len(shelf.opinions)} contracts and "
        f"{len(hypotheses)} hypotheses",
        f"  label: Entailment -> supported ({counts['supported']}), Contradiction -> refuted ({counts['refuted']}), "
        f"NotMentioned -> not found ({counts['not_found']})",
    )
    return Dataset(path.stem, tuple(claims), shelf.opinions, understood, tuple(problems))


def _pairs(document: _Document, hypotheses: dict[str, str]) -> Iterator[GoldClaim | str]:
    """The claims about a contract, or what is wrong with them."""
    if not document.annotation_sets:
        yield "has no annotations"
        return
    for key, annotation in document.annotation_sets[0].annotations.items():
        label = label_of(annotation.choice)
        if not hypotheses.get(key):
            yield f"{key!r} is no hypothesis of this file"
        elif label is None:
            yield f"{key}: unknown label {annotation.choice!r}; known: Entailment, Contradiction, NotMentioned"
        else:
            yield GoldClaim(
                id=f"{document.id}/{key}",
                opinion_id=str(document.id),
                claim=hypotheses[key],
                label=label,
                evidence=_evidence(document, annotation.spans),
            )


def _evidence(document: _Document, spans: list[int]) -> str | None:
    """The text of the first span with a word in it; some are the number of a paragraph alone."""
    texts = (document.text[slice(*document.spans[i])].strip() for i in spans if 0 <= i < len(document.spans))
    return next((text for text in texts if any(char.isalpha() for char in text)), None)


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'it'}: {first['msg']}"
