"""True claims: what the opinion says, and what real parentheticals say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from parcel_agents.generation.model import RULES, Candidate
from parcel_agents.generation.rules.case import Case
from parcel_agents.generation.rules.leads import Usage, usage_of
from parcel_agents.generation.rules.statements import Statement
from parcel_agents.generation.rules.wording import content_words, is_well_formed
from parcel_agents.generation.rules.world import World

_USAGES: tuple[Usage, ...] = ("holding", "reasoning", "application", "procedural", "background")
_HOLDS = re.compile(r"\((?:holding|concluding|determining|ruling|upholding|finding|rejecting|affirming|reversing)\b")
_LEAST_SHARED = 0.3
"""A real parenthetical of whose content words no sentence has so many may speak of another decision."""
_QUOTED = re.compile(r"[\"“”]|(?:^|\s)['‘]")


def supported(case: Case, statements: Sequence[Statement], world: World) -> Iterator[Candidate]:
    """Real parentheticals first, then these statements, one of each usage type by turns."""
    yield from _real(case, world)
    own = ([one for one in statements if one.usage == usage] for usage in _USAGES)
    for row in zip_longest(*own):
        for one in row:
            if one is not None:
                yield from case.true(one.claim, statement=one, usage=one.usage)


def _real(case: Case, world: World) -> Iterator[Candidate]:
    for claim in world.about(case.id, case.opinion):
        words = content_words(claim)
        if not case.said or _QUOTED.search(claim) or not words or not is_well_formed(claim):
            continue
        span, _, shared = max(case.said, key=lambda one: len(words & one[2]))
        if len(words & shared) >= _LEAST_SHARED * len(words):
            usage = "holding" if _HOLDS.match(claim) else usage_of(claim)
            yield Candidate(
                opinion_id=case.id,
                claim=claim,
                label="supported",
                usage_type=usage,
                source=" ".join(case.opinion.text[span.start : span.end].split()),
                evidence=(span,),
                made_by=RULES,
            )
