"""Authorities the claim names and the opinion never does: the paper's phantom citations (section 3.3.3)."""

from __future__ import annotations

from collections.abc import Iterator

from parcel_agents.citations.authorities import find_authorities, names_authority
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.checks.finding import Finding

_KINDS = {"case": "the case", "cite": "the citation", "statute": "the section"}


def absent_authorities(task: Task) -> Iterator[Finding]:
    """A finding for each case, reporter cite or statute's section that the opinion does not name."""
    for authority in find_authorities(task.claim.text):
        if not names_authority(task.opinion.text, authority):
            yield Finding(
                check="authority",
                label="not_found",
                words=authority.text,
                reason=f"{_KINDS[authority.kind]} {authority.text} is not named in the opinion",
            )
