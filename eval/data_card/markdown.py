"""A data card as Markdown."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from parcel_agents.eval.artefacts.tables import all_tables
from parcel_agents.eval.data_card import tables
from parcel_agents.eval.data_card.counts import Left
from parcel_agents.eval.report.table_markdown import as_markdown, share
from parcel_agents.eval.report.tables import TITLES
from parcel_agents.types import LABELS

if TYPE_CHECKING:
    from parcel_agents.eval.data_card.card import Card

BY_RULES = "made by rules alone: no model wrote or checked these claims"
BY_RULES_CHECKED = "made by rules alone: no model wrote these claims;"
SHOWN = 10
"""So many decisions are named with one reason; all are in card.json."""


def write_card(card: Card) -> str:
    """The whole of CARD.md; it ends with a line's end."""
    sections = {
        "How it was made": _making(card),
        "Claims": _claims(card),
        "Balance": _balance(card),
        "Decisions": _decisions(card),
        "What became of what was written": _losses(card),
        "The blind reader": _blind(card),
        "What it cost": _cost(card),
        "What the wording gives away": _probe(card),
        "Known limits": iter(["\n".join(f"- {limit}" for limit in card.limits)]),
    }
    parts = [f"# Data card: {card.facts.name}", *_head(card)]
    for title, blocks in sections.items():
        parts += [f"## {title}", *(block.rstrip("\n") for block in blocks)]
    return "\n\n".join(parts) + "\n"


def _head(card: Card) -> Iterator[str]:
    if card.facts.without_model:
        yield f"**{_by_rules(card.facts.blind_model)}.**"
    contents = card.contents
    each = ", ".join(f"{count.claims:,} {TITLES[count.label]}" for count in contents.classes)
    contrast = f", and {contents.contrast:,} contrast claims (true, in the wording of the false ones)"
    yield (
        f"{contents.main:,} claims about {card.decisions.used:,} judicial decisions, each an explanatory parenthetical "
        f"that the decision supports, refutes or says nothing of ({each}){contrast if contents.contrast else ''}. "
        "Labels: Supported, Refuted, Not Found, as in PARCEL (ICAIL 2026), after whose recipe it was built."
    )


def _by_rules(blind_model: str | None) -> str:
    said = BY_RULES if blind_model is None else f"{BY_RULES_CHECKED} {blind_model} checked them"
    return said[0].upper() + said[1:]


def _making(card: Card) -> Iterator[str]:
    facts = card.facts
    lines = [
        f"written by: {'rules alone' if facts.without_model else facts.made_by}",
        f"labelled again, blind, by: {facts.blind_model or 'nobody'}",
        f"seed {facts.seed}; up to {facts.per_opinion:,} supported claims per decision",
        f"created {facts.created}",
    ]
    if facts.versions:
        lines.append("versions: " + ", ".join(f"{name} {version}" for name, version in sorted(facts.versions.items())))
    if facts.prompts:
        lines.append("prompts: " + ", ".join(f"{name} `{hash}`" for name, hash in sorted(facts.prompts.items())))
    if (found := facts.exemplars) is not None:
        lines.append(
            f"exemplars: {found.harvested:,} parentheticals harvested; {found.unusable:,} left out that quote or are "
            f"no whole phrase, {found.shallow:,} rated below the bar, {found.unrated:,} without a rating, "
            f"{len(found.kept):,} kept; {len(found.shown):,} shown to the model, {found.built_in:,} of them from the "
            "package"
        )
        if found.failures:
            lines.append(f"{len(found.failures):,} rating requests failed: {'; '.join(dict.fromkeys(found.failures))}")
    yield "\n".join(f"- {line}" for line in lines)


def _claims(card: Card) -> Iterator[str]:
    yield as_markdown(tables.claims_table(card.contents))
    if card.contents.usage_types:
        yield as_markdown(tables.counts_table("usage", "usage type of supported claims", card.contents.usage_types))
    if card.contents.mirrors:
        yield as_markdown(tables.counts_table("mirrors", "contrast claims in the wording of", card.contents.mirrors))


def _balance(card: Card) -> Iterator[str]:
    wanted = ", ".join(f"{TITLES[one.label]} {share(one.wanted)}" for one in card.contents.classes)
    reached = ", ".join(f"{TITLES[one.label]} {share(one.share)}" for one in card.contents.classes)
    yield f"Wanted: {wanted}. Reached: {reached}."
    yield as_markdown(tables.balance_table(card.balance))
    if card.balance.limited_by is not None:
        (least,) = (one for one in card.balance.supplies if one.label == card.balance.limited_by)
        limit = f", with up to {card.facts.most_of(least.label):,} of one decision," * (least.usable < least.passed)
        yield (
            f"{TITLES[least.label]} had the fewest for its share{limit or ','} "
            f"so that with the wanted balance the set could not have had more than {least.enough_for or 0:,} claims."
        )
    if card.balance.short:
        yield f"Short of what was wanted: {', '.join(tables.words(name) for name in card.balance.short)}."


def _decisions(card: Card) -> Iterator[str]:
    found = card.decisions
    yield (
        f"{found.given:,} given: {found.done:,} done ({found.used:,} with claims in the set), "
        f"{len(found.excluded):,} excluded, {len(found.failed):,} failed."
    )
    for what, left in (("Excluded", found.excluded), ("Failed", found.failed)):
        if left:
            yield f"{what}:\n\n" + "\n".join(_reasons(left))


def _reasons(left: Sequence[Left]) -> Iterator[str]:
    """A line per reason, the most frequent first; reasons that differ in their numbers alone are one."""
    by_reason: dict[str, list[Left]] = defaultdict(list)
    for one in left:
        by_reason[re.sub(r"\d[\d.,]*", "0", one.reason)].append(one)
    for alike in sorted(by_reason.values(), key=lambda alike: (-len(alike), alike[0].reason)):
        reason = " ".join(alike[0].reason.split()) or "no reason given"
        such_as = "such as: " if len({one.reason for one in alike}) > 1 else ""
        more = f" and {len(alike) - SHOWN:,} more" if len(alike) > SHOWN else ""
        yield f"- {len(alike):,}: {such_as}{reason} ({', '.join(one.opinion_id for one in alike[:SHOWN])}{more})"


def _losses(card: Card) -> Iterator[str]:
    each = ", ".join(f"{tables.STAGE_WORDS[stage]} {share(rate)}" for stage, rate in card.losses.rates.items())
    yield f"Of {card.losses.written:,} written, lost by stage: {each}."
    yield as_markdown(tables.fates_table(card.losses))
    if card.losses.rules:
        yield as_markdown(tables.rules_table(card.losses))
    if card.losses.failures:
        each = ", ".join(f"{tables.words(name)} {count:,}" for name, count in card.losses.failures.items())
        yield f"Requests for claims that came to nothing: {each}."


def _blind(card: Card) -> Iterator[str]:
    if card.facts.blind_model is None:
        yield "No second reader labelled the claims."
        return
    lost = sum(fate.lost["blind"] for fate in card.losses.fates)
    read = lost + sum(fate.left_over + fate.used for fate in card.losses.fates)
    against = lost + card.losses.kept_by_person
    kept = f", but for {card.losses.kept_by_person:,} that a person put there" if card.losses.kept_by_person else ""
    yield (
        f"{card.facts.blind_model} saw nothing but opinion and claim, and did not agree on {against:,} of {read:,} "
        f"({share(against / read) if read else '-'}). These are not in the set{kept}."
    )
    if card.losses.readings:
        yield as_markdown(tables.readings_table(card.losses))


def _cost(card: Card) -> Iterator[str]:
    spent = card.spent
    if not spent.requests and not spent.cost_usd:
        yield "No request was sent, and nothing spent."
        return
    yield (
        f"{spent.requests:,} requests; {spent.input_tokens:,} tokens in ({spent.cached_tokens:,} of them cached), "
        f"{spent.output_tokens:,} out; ${spent.cost_usd:,.4f}."
    )
    if spent.unfinished_usd:
        yield (
            f"Of the dollars {spent.unfinished_usd:,.4f} went into decisions that broke off; their requests and tokens "
            "are not counted."
        )


def _probe(card: Card) -> Iterator[str]:
    if any(card.probe.main.classes.get(label) for label in LABELS):
        yield "Behind a figure stands its 95% interval, by a bootstrap over opinions."
    for table in all_tables(card.probe):
        yield f"### {table.title}"
        yield as_markdown(table)
