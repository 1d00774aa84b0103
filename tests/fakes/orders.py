"""Answers to orders for claims, and what came of them."""

from __future__ import annotations

from typing import Any

from fakes.generating import Workshop
from fakes.generator import Answer

from parcel_agents.generation.model import DecisionRecord


def only_record(shop: Workshop) -> DecisionRecord:
    (record,) = shop.records().values()
    return record


def about(owner: str, answer: Answer) -> Answer:
    """This answer where the request is about the owner's decision."""
    return lambda author, request: answer(author, request) if f"of the boat of {owner} was" in request.user else None


def sent(claim: str, **fields: Any) -> dict[str, Any]:
    entry = {"claim": claim, "type": "holding", "true_claim": "", "from": "", "to": "", "passages": ["p1"]}
    return {**entry, **fields}


GOOD = "(crediting testimony that the anchor chain on the vessel of Marlowe had been rusted through)"
