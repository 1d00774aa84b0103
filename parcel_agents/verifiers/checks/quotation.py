"""Quoted words that do not stand in the opinion."""

from __future__ import annotations

import re
from collections.abc import Iterator

from parcel_agents.citations.quotations import MAX_QUOTED_WORDS, check_quotation
from parcel_agents.verifiers.base import Task
from parcel_agents.verifiers.checks.finding import Finding

_QUOTED = re.compile(r"“(?P<curly>[^“”]+)”|\"(?P<straight>[^\"]+)\"")
MIN_WORDS = 5
"""Shorter quotations may be terms of art, or words that the claim only mentions."""
_SHOWN = 60


def quoted_words(text: str) -> Iterator[str]:
    """The quotations in a text that are long enough to be somebody's sentence."""
    for found in _QUOTED.finditer(text):
        words = found["curly"] or found["straight"]
        if MIN_WORDS <= len(re.findall(r"\w+", words)) <= MAX_QUOTED_WORDS:
            yield words.strip()


def absent_quotations(task: Task) -> Iterator[Finding]:
    """A quotation that stands nowhere in the opinion, not even with words changed."""
    for words in quoted_words(task.claim.text):
        if check_quotation(task.opinion.text, words, parts=task.opinion.parts).status == "absent":
            shown = words if len(words) <= _SHOWN else f"{words[:_SHOWN].rsplit(' ', 1)[0]} ..."
            reason = f"the quoted words “{shown}” do not stand in the opinion"
            yield Finding("quotation", "not_found", words, reason)
