"""Which brackets of a quotation are its writer's help to the reader, and change nothing that the opinion says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parcel_agents.citations.quoted_words import Word
from parcel_agents.citations.word_alignment import Step

MAX_DROPPED = 3
"""So many words may a bracket drop."""
_MOST_INSERTED = 6
"""More words in a bracket are the writer's sentence rather than a help to the reader."""
# `[unlawful]` turns what stands behind it.
_DENIES = re.compile(
    r"un(?!der|it|iq|iv|ion|til|less)|non|false|illegal|invalid|improper|in(?:sufficient|adequate|admissible)"
)


def is_harmless(quoted: Sequence[Word], words: Sequence[Word], run: Sequence[Step], before: Step | None) -> bool:
    """True if brackets account for every word of a run, and no word of weight is lost or gained in them."""
    if _is_insertion(quoted, run):
        return True
    # A bracket that holds the opinion's own words ("[2d Dept 2018]") replaces nothing.
    in_bracket = before is not None and before.stands
    if sum(step.quoted is None for step in run) > MAX_DROPPED:
        return False
    for step in run:
        if step.quoted is not None:
            word = quoted[step.quoted]
            in_bracket = word.bracket
            if not in_bracket or not (step.stands or (step.found is None and word.is_light)):
                return False
        elif step.found is not None and not (in_bracket and words[step.found].is_light):
            return False
    return True


def _is_insertion(quoted: Sequence[Word], run: Sequence[Step]) -> bool:
    """True for words in brackets that replace none, and neither turn, limit, measure nor name: `[a valid] reason`."""
    added = [quoted[step.quoted] for step in run if step.quoted is not None]
    return (
        all(step.found is None for step in run)
        and len(added) <= _MOST_INSERTED
        and all(word.bracket and not word.protected and not _DENIES.match(word.key) for word in added)
    )
