"""Parentheticals of real briefs and opinions, filtered, that show a model the style (section 3.3.1).

Quotations restate the source and go; a model rates the others by reasoning density, and what takes no more than a
look-up goes too. The paper kept 180 of some 700.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import Any

import numpy as np

from parcel_agents.citations.harvest import harvest
from parcel_agents.citations.read import read_citations
from parcel_agents.generation.checks import form_fault
from parcel_agents.generation.list_form import TEXT, list_form
from parcel_agents.generation.model import Exemplars
from parcel_agents.generation.writing import PROMPTS
from parcel_agents.providers import Asker, Question
from parcel_agents.providers.cost import add_usage
from parcel_agents.providers.prompt_file import read_prompt_file
from parcel_agents.types import Usage
from parcel_agents.verifiers.prompts.untrusted import clean_line, fence

RATE, BUILT_IN = "rate_v1", "exemplars_v1"
MIN_DENSITY = 4
"""Of 1 to 5: what has to be put together, or is said in other words. Three is a fact that needs some reading."""
BATCH = 25
"""Parentheticals that are rated in one request."""
SHOWN = 8
"""Exemplars in a prompt."""
FEWEST = 4
"""Where fewer are kept, fictional ones that come with the package are shown as well."""


@dataclass(frozen=True)
class Rated:
    """What a model makes of some parentheticals."""

    density: Mapping[str, int]
    """By parenthetical, 1 to 5; one that got no usable rating is missing."""
    failures: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    cost_usd: float = 0.0
    requests: int = 0


def harvest_all(texts: Iterable[str]) -> list[str]:
    """The explanatory parentheticals of texts, each once, in round brackets."""
    return list(dict.fromkeys(found.claim for text in texts for found in harvest(read_citations(text))))


def usable(claims: Iterable[str]) -> list[str]:
    """Those that quote nothing and are whole."""
    return [claim for claim in claims if form_fault(claim) is None]


async def rate(claims: Sequence[str], asker: Asker) -> Rated:
    """The reasoning density of parentheticals, by a model; a request that fails leaves its share unrated.

    Raises:
        RunStoppedError: the key is not accepted, the quota is used up, or the cap on costs is reached.
    """
    density: dict[str, int] = {}
    failures: list[str] = []
    usage, cost, requests = Usage(), 0.0, 0
    for start in range(0, len(claims), BATCH):
        batch = claims[start : start + BATCH]
        asked = await asker.ask(rating_question(batch))
        usage, cost, requests = add_usage(usage, asked.usage), cost + asked.cost_usd, requests + asked.attempts
        if asked.answer is None:
            failures.append(f"{asked.failure.outcome}: {asked.failure.detail}" if asked.failure else "no answer")
            continue
        density |= {batch[place]: rated for place, rated in _ratings(asked.answer, len(batch)).items()}
    return Rated(density, tuple(failures), usage, cost, requests)


def choose_exemplars(claims: Sequence[str], rated: Rated, rng: np.random.Generator) -> Exemplars:
    """What is shown to the writer: some of the densest, and the package's own where there are too few.

    Args:
        claims: the harvested parentheticals, unfiltered.
        rated: the ratings of those that are usable.
        rng: draws those that are shown.
    """
    fit = usable(claims)
    kept = [claim for claim in fit if rated.density.get(claim, 0) >= MIN_DENSITY]
    shown = [kept[place] for place in sorted(rng.permutation(len(kept))[:SHOWN].tolist())]
    own = read_prompt_file(PROMPTS, BUILT_IN).sections["exemplars"].splitlines() if len(kept) < FEWEST else []
    return Exemplars(
        harvested=len(claims),
        unusable=len(claims) - len(fit),
        unrated=sum(claim not in rated.density for claim in fit),
        shallow=sum(rated.density.get(claim, MIN_DENSITY) < MIN_DENSITY for claim in fit),
        kept=tuple(kept),
        shown=(*shown, *own),
        built_in=len(own),
        failures=rated.failures,
        usage=rated.usage,
        cost_usd=rated.cost_usd,
        requests=rated.requests,
    )


def rating_question(claims: Sequence[str]) -> Question[list[Any]]:
    """What a model is asked about some parentheticals."""
    file = read_prompt_file(PROMPTS, RATE)
    body = "\n".join(f"{number}. {clean_line(claim)}" for number, claim in enumerate(claims, 1))
    return Question(
        system=file.sections["system"],
        user=Template(file.sections["user"]).substitute(parentheticals=fence("parentheticals", body)),
        prompt=file.id,
        form=list_form("ratings", "How dense each parenthetical is.", {"number": TEXT, "density": TEXT}, file),
        read=lambda fields: list(fields["ratings"]),
    )


def _ratings(entries: Sequence[Any], number: int) -> dict[int, int]:
    """By place; what names no parenthetical or no density is left out, and so is one that is rated twice unlike."""
    found: dict[int, set[int]] = {}
    for entry in entries:
        try:
            place, density = int(entry["number"]) - 1, int(entry["density"])
        except (TypeError, KeyError, ValueError, OverflowError):
            continue
        if 0 <= place < number and 1 <= density <= 5:
            found.setdefault(place, set()).add(density)
    return {place: ratings.pop() for place, ratings in found.items() if len(ratings) == 1}
