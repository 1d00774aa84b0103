"""Numbers, dates and names of the claim that the opinion does not contain: missing details (section 3.3.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from parcel_agents.citations.authorities import find_authorities, without_citations
from parcel_agents.citations.quantities import find_months, find_names, find_numbers, number_values
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.checks.finding import Finding

# Counting words a paraphrase may supply by itself: "two reasons", "one judge".
_SMALL = 3


def absent_numbers(task: Task) -> Iterator[Finding]:
    """A finding for each number above three that the opinion gives nowhere, in words or digits."""
    present = number_values(task.opinion.text)
    for quantity in find_numbers(without_citations(task.claim.text)):
        if quantity.value > _SMALL and quantity.value not in present:
            yield Finding("number", "not_found", quantity.text, f"the opinion gives no figure {quantity.text}")


def absent_dates(task: Task) -> Iterator[Finding]:
    """A finding for each month, given with a day or year, that the opinion never mentions."""
    for month in find_months(task.claim.text):
        if not re.search(rf"\b{month}\b", task.opinion.text):
            yield Finding("date", "not_found", month, f"the opinion mentions no date in {month}")


def absent_names(task: Task) -> Iterator[Finding]:
    """A finding for each proper name that does not occur in the opinion, capitalised or not.

    Names of cases are the business of the check of authorities.
    """
    in_authorities = {word for authority in find_authorities(task.claim.text) for word in authority.text.split()}
    for name in find_names(task.claim.text):
        if name in in_authorities:
            continue
        pieces = [piece for piece in re.split(r"[-\s]", name) if len(piece) > 2]
        # The stem decides, so that "Albanian" finds "Albania" and "Marlowe's" finds "Marlowe".
        if pieces and not any(
            re.search(rf"\b{re.escape(piece[: max(4, len(piece) - 3)])}", task.opinion.text, re.IGNORECASE)
            for piece in pieces
        ):
            yield Finding("name", "not_found", name, f"the name {name} does not occur in the opinion")
