"""The work itself: open the folder, run the graph, choose the set, and write its card."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from parcel_agents.config import Config
from parcel_agents.eval.data_card import Card, CardFacts, make_card
from parcel_agents.eval.generation.inputs import Briefs, hash_file
from parcel_agents.eval.generation.models import blind_reader, blind_settings, model_settings
from parcel_agents.generation.assemble import assemble, read_decisions
from parcel_agents.generation.exemplars import RATE
from parcel_agents.generation.folder import GenerateMeta, OutFolder
from parcel_agents.generation.model import RULES, DecisionRecord, Exemplars
from parcel_agents.generation.orders import Wanted
from parcel_agents.generation.rule_writer import RuleWriter
from parcel_agents.generation.rules import World
from parcel_agents.generation.writing import PROMPTS, WRITE, ModelWriter, Writer
from parcel_agents.graphs.generate import build, is_complete
from parcel_agents.graphs.generate_state import GenerateContext
from parcel_agents.providers import Providers
from parcel_agents.providers.prompt_file import read_prompt_file
from parcel_agents.store.replacing import replace_file
from parcel_agents.types import GoldClaim, Opinion, content_hash

_VERSIONS = ("parcel-agents", "langgraph", "langchain-openai", "langchain-google-genai", "numpy", "nupunkt", "eyecite")


@dataclass(frozen=True)
class Recipe:
    """What the user asks for."""

    decisions: dict[str, Path]
    briefs: Briefs
    wanted: Wanted
    seed: int
    model: str | None
    """The model that writes; None for rules alone."""
    blind: str | None
    """The model that reads blind; None for the one that writes."""

    @property
    def blind_spec(self) -> str | None:
        """The model that reads blind; None where rules write: how a claim was made is then all that is known of it."""
        return None if self.model is None else self.blind or self.model


@dataclass(frozen=True)
class Made:
    """What came of it."""

    records: tuple[DecisionRecord, ...]
    claims: tuple[GoldClaim, ...]
    """Of the set; none where there is no set."""
    card: Card

    @property
    def complete(self) -> bool:
        """True if the same command would ask for nothing more."""
        return all(is_complete(record) for record in self.records)


def describe(recipe: Recipe, config: Config, *, created: datetime) -> GenerateMeta:
    """What `generate.json` says of the set.

    Raises:
        ConfigError: a model is unknown.
    """
    texts = {id: hash_file(file) for id, file in recipe.decisions.items()}
    settings: dict[str, Any] = {
        "decisions": f"{len(texts)} files, {content_hash(repr(sorted(texts.items())))}",
        "briefs": content_hash("\n".join(recipe.briefs.texts)) if recipe.briefs.texts else None,
        "per_opinion": recipe.wanted.per_opinion,
        "shares": dict(recipe.wanted.shares),
        "usage_types": list(recipe.wanted.usage_types),
        "contrast": recipe.wanted.contrast,
        "seed": recipe.seed,
    }
    prompts: dict[str, str] = {}
    writer = reader = None
    if recipe.model is not None and recipe.blind_spec is not None:
        writer, reader = model_settings(recipe.model, config), blind_settings(recipe.blind_spec, config)
        settings |= {
            name: {"url": spec.url, **spec.sent_parameters()} for name, spec in (("writer", writer), ("blind", reader))
        }
        prompts = {name: read_prompt_file(PROMPTS, name).id for name in (WRITE, RATE)}
        prompts["blind"] = reader.template().id
    return GenerateMeta(
        made_by=writer.model if writer else RULES,
        blind=reader.model if reader else None,
        settings=settings,
        prompts=prompts,
        versions={"python": platform.python_version(), **{name.replace("-", "_"): version(name) for name in _VERSIONS}},
        created=created.isoformat(timespec="seconds"),
    )


async def make(
    recipe: Recipe,
    folder: OutFolder,
    config: Config,
    providers: Providers,
    opinions: dict[str, Opinion],
    on_record: Callable[[DecisionRecord], None] = lambda record: None,
) -> None:
    """Work on all decisions that are not done.

    Args:
        recipe: what is asked for.
        folder: where it goes, and what is done already.
        config: where the models are.
        providers: the way to them.
        opinions: gets the decisions that are used, by id; they are there even if the work is stopped.
        on_record: called with what came of a decision.

    Raises:
        RunStoppedError: going on would be in vain, or cost more than was allowed.
        ConfigError: a model is unknown, or has no price although there is a cap on costs.
        InputError: the review file holds a decision that is neither keep nor drop.
    """
    # A wrong word in the review file is told before models are asked.
    read_decisions(folder)
    # The cap is one of the set, however often the command is killed.
    providers.account.spent_usd = written_down = folder.spent_usd()

    def keep_spent() -> None:
        nonlocal written_down
        if providers.account.spent_usd != written_down:
            written_down = providers.account.spent_usd
            folder.keep_spent(written_down)

    async with AsyncExitStack() as stack:
        context = GenerateContext(
            files=recipe.decisions,
            briefs=recipe.briefs.texts,
            wanted=recipe.wanted,
            make_writer=lambda opinions, exemplars: _writer(recipe, config, providers, opinions, exemplars),
            rater=providers.asker(model_settings(recipe.model, config)) if recipe.model else None,
            reader=blind_reader(recipe.blind_spec, config, providers) if recipe.blind_spec else None,
            folder=folder,
            seed=recipe.seed,
            decisions_at_once=config.settings.concurrency,
            on_record=on_record,
            on_request=keep_spent,
            opinions=opinions,
        )
        providers.check_prices()
        if recipe.model is not None:
            # Rules do a decision in less time than a checkpoint takes.
            from parcel_agents.eval.generation.checkpoints import open_checkpoints

            context.checkpointer = await stack.enter_async_context(open_checkpoints(folder.checkpoints))
        try:
            await build(context).ainvoke({})
        finally:
            keep_spent()
            await providers.aclose()


def _writer(
    recipe: Recipe, config: Config, providers: Providers, opinions: Mapping[str, Opinion], exemplars: Exemplars
) -> Writer:
    if recipe.model is None:
        return RuleWriter(World.of(opinions, recipe.briefs.texts), recipe.seed, recipe.wanted.contrast)
    return ModelWriter(providers.asker(model_settings(recipe.model, config)), exemplars.shown, recipe.seed)


def kept_records(recipe: Recipe, folder: OutFolder) -> list[DecisionRecord]:
    """What came of the decisions so far, in the order of the decisions."""
    return [record for id in recipe.decisions if (record := folder.record(id)) is not None]


def finish(recipe: Recipe, folder: OutFolder, opinions: dict[str, Opinion]) -> Made:
    """Choose the set from what is there, and write its files and its card.

    Raises:
        InputError: the review file holds a decision that is neither keep nor drop.
    """
    records = kept_records(recipe, folder)
    usable = [record for record in records if record.status == "done" and record.opinion_id in opinions]
    claims = assemble(folder, usable, opinions, recipe.wanted)
    rng = np.random.default_rng(recipe.seed)
    facts, spent = _facts(recipe, folder), folder.spent_usd()
    card = make_card(facts, records, claims, opinions, rng, spent_usd=spent)
    replace_file(folder.path / "CARD.md", card.as_markdown())
    replace_file(folder.path / "card.json", json.dumps(card.as_json(), ensure_ascii=False, indent=2) + "\n")
    return Made(tuple(records), claims, card)


def _facts(recipe: Recipe, folder: OutFolder) -> CardFacts:
    meta = folder.meta
    return CardFacts(
        name=folder.path.resolve().name,
        made_by=meta.made_by,
        blind_model=meta.blind,
        prompts=meta.prompts,
        seed=recipe.seed,
        per_opinion=recipe.wanted.per_opinion,
        shares=dict(recipe.wanted.shares),
        versions=meta.versions,
        created=meta.created,
        exemplars=folder.exemplars() if recipe.model is not None else None,
    )
