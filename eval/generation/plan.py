"""What a set is going to ask models for, and about what it costs, before anything is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from parcel_agents.config import Config
from parcel_agents.eval.generation.making import Recipe
from parcel_agents.eval.generation.models import blind_reader, model_settings
from parcel_agents.generation import exemplars, orders
from parcel_agents.generation.decisions import has_separate_opinion, load_decisions
from parcel_agents.generation.model import STRATEGIES
from parcel_agents.generation.writing import ModelWriter, Order
from parcel_agents.providers import Estimate, Providers
from parcel_agents.providers.cost import estimate_call
from parcel_agents.types import Claim
from parcel_agents.verifiers.prompts import render

_CLAIM_TOKENS = 130
"""Of a claim with all its fields, in an answer."""
_TRUE_CLAIM = "(holding that " + "a word or so " * 9 + ")"
"""Stands for a true claim, of the usual length, in a prompt for false ones."""
_BLIND_TOKENS = 120
_RATING_TOKENS = 15


@dataclass(frozen=True)
class GenerationPlan:
    """What is going to be asked. All decisions count, done or not; answers kept from before are not subtracted."""

    decisions: int
    excluded: int
    """Decisions that are too short, cannot be read, or have the text of another."""
    parentheticals: int
    """Harvested ones that are going to be rated."""
    claims: int
    """Claims that are asked for, with those to spare."""
    rating: Estimate
    writing: Estimate
    blind: Estimate

    @property
    def total(self) -> Estimate:
        """All requests together."""
        return self.rating + self.writing + self.blind

    def as_json(self) -> dict[str, Any]:
        """One object for JSON."""
        parts = {"rating": self.rating, "writing": self.writing, "blind": self.blind, "total": self.total}
        counts = {name: getattr(self, name) for name in ("decisions", "excluded", "parentheticals", "claims")}
        return {**counts, **{name: _figures(one) for name, one in parts.items()}}

    def lines(self) -> Iterator[str]:
        """The same for a reader."""
        yield f"{self.decisions:,} decisions, {self.excluded:,} excluded as too short, unreadable or double"
        if not self.total.votes:
            yield "rules make the claims; no model is asked"
            return
        yield f"{self.claims:,} claims to ask for, {self.parentheticals:,} parentheticals to rate"
        for name, one in (("rating", self.rating), ("writing", self.writing), ("reading blind", self.blind)):
            yield f"{name}: {one.votes:,} requests, about {one.input_tokens:,} tokens in, {one.output_tokens:,} out"
        total = self.total
        if total.cost_usd:
            yield f"about ${total.cost_usd:.4f} if no kind has to be asked for twice, at most ${2 * total.most_usd:.4f}"
        if total.unpriced:
            yield f"not in a sum of dollars, since their price is not configured: {', '.join(total.unpriced)}"


def make_plan(recipe: Recipe, config: Config) -> GenerationPlan:
    """The plan; decisions are read, and nothing is asked or written.

    Raises:
        ConfigError: a model is unknown.
    """
    opinions = {
        one.id: one.opinion for one in load_decisions(recipe.decisions) if one.opinion is not None and not one.unfit
    }
    excluded = len(recipe.decisions) - len(opinions)
    if recipe.model is None or recipe.blind_spec is None:
        return GenerationPlan(len(opinions), excluded, 0, 0, Estimate(), Estimate(), Estimate())
    providers = Providers({})
    spec = model_settings(recipe.model, config)
    writer = ModelWriter(providers.asker(spec), (_TRUE_CLAIM,) * exemplars.SHOWN, recipe.seed)
    harvested = exemplars.usable(
        exemplars.harvest_all([*recipe.briefs.texts, *(opinion.text for opinion in opinions.values())])
    )
    rating = Estimate()
    for start in range(0, len(harvested), exemplars.BATCH):
        batch = harvested[start : start + exemplars.BATCH]
        rating += estimate_call(spec, exemplars.rating_question(batch).size, _RATING_TOKENS * len(batch))
    reader = blind_reader(recipe.blind_spec, config, providers)
    template = reader.settings.template()
    separate = {id: has_separate_opinion(opinion) for id, opinion in opinions.items()}
    writing, blind, claims = Estimate(), Estimate(), 0
    for id, kinds in orders.allot(recipe.wanted, separate).items():
        opinion = opinions[id]
        rendered = render(template, opinion, Claim.of(_TRUE_CLAIM))
        one_reading = estimate_call(reader.settings, len(f"{rendered.system}{rendered.user}".encode()), _BLIND_TOKENS)
        for kind, wanted in kinds.items():
            true_claims = (_TRUE_CLAIM,) * recipe.wanted.per_opinion if kind in STRATEGIES else ()
            order = Order(id, opinion, kind, wanted, recipe.wanted.usage_types, true_claims)
            writing += estimate_call(spec, writer.question(order).size, _CLAIM_TOKENS * wanted)
            claims += wanted
            for _ in range(wanted):
                blind += one_reading
    return GenerationPlan(len(opinions), excluded, len(harvested), claims, rating, writing, blind)


def _figures(one: Estimate) -> dict[str, Any]:
    figures = asdict(one)
    del figures["cached_votes"]
    return {"requests": figures.pop("votes"), **figures}
