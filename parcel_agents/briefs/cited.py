"""The decisions that a brief cites, each once."""

from __future__ import annotations

from collections.abc import Sequence

from parcel_agents.briefs.plain_cites import is_blank
from parcel_agents.briefs.shelf import Authority
from parcel_agents.citations.harvest import Harvested
from parcel_agents.citations.model import DECISIONS, Citation

DecisionKey = tuple[str, str | None, int | None]


def decision_key(cite: str, name: str | None, year: int | None) -> DecisionKey:
    """What makes two citations one decision: the cite, or where it has blanks that many share, name and year too."""
    return (cite, name, year) if is_blank(cite) else (cite, None, None)


def cited_decisions(citations: Sequence[Citation]) -> dict[DecisionKey, Citation]:
    """The full citations of decisions; of several of one the first that names it tells most."""
    cited: dict[DecisionKey, Citation] = {}
    for one in citations:
        key = decision_key(one.cite, one.name, one.year)
        if one.kind in DECISIONS and (key not in cited or (one.name and not cited[key].name)):
            cited[key] = one
    return cited


def full_authority(one: Citation) -> Authority:
    """The decision that is cited in full."""
    return Authority(one.cite, one.name, one.year, one.parallel, one.court, one.docket)


def authority_of(found: Harvested, citations: Sequence[Citation]) -> Authority:
    """The decision that a claim is about, under the name that it has there."""
    own = citations[found.citation]
    first = citations[own.authority] if own.authority is not None else own
    full = next((one for one in (own, first) if one.cite == found.cite), None)
    if full is None:
        return Authority(found.cite, found.name, found.year)
    return Authority(found.cite, found.name, found.year, full.parallel, full.court, full.docket)
