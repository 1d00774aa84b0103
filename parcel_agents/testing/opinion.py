"""The opinion that the checks use, of a made-up court."""

from __future__ import annotations

from functools import lru_cache

from parcel_agents.types import Opinion

_TEXT = """# *Matter of Quist v Hathersage*
**99 NY3d 41**\x20\x20
**March 3, 2023**\x20\x20
**Ferris, J.**\x20\x20

**Court of Appeals**

Fictional opinion written for parcel-agents; no such case, court decision or party exists.

{**99 NY3d at 43} OPINION OF THE COURT

Ferris, J.

The harbor board denied the permit and gave the applicant no reasons of any kind for it.

We hold that a board that denies a permit must state its reasons in writing within thirty days.

A fee of forty dollars, which the applicant paid under protest, is not before us.

Marlowe, J. (dissenting). Nothing in the statute asks for reasons, and I would confirm the determination.
"""


@lru_cache(maxsize=1)
def example_opinion() -> Opinion:
    """A short opinion with a majority, a dissent and pages."""
    from parcel_agents.opinions import parse_opinion

    return parse_opinion(_TEXT, suffix=".md")
