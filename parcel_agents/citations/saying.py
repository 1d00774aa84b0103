"""Verbs of saying, and how a claim opens with one: `holding that`, `dissent arguing that`, `the Court explained`."""

from __future__ import annotations

import re

# What a court or a judge does by words. Verbs that deny or doubt what follows (`rejecting`, `questioning`) and those
# that hand it on (`alleging`, `claiming`) are left out: what stands behind them is not what the speaker says.
_REGULAR = (
    "acknowledge add agree announce argue assert caution clarify comment concede conclude confirm contend"
    " declare determine emphasize establish explain highlight maintain note object observe opine point posit"
    " predict proclaim reaffirm reason recognize recount reiterate remark repeat reply report respond restate"
    " rule specify state stress underscore urge warn"
).split()
_IRREGULAR = {
    "find": "found",
    "hold": "held",
    "say": "said",
    "write": "wrote",
    "make clear": "made clear",
    "think": "thought",
    "lament": "lamented",
}
# Without `that` these do something to an order: `affirming the denial`.
_ONLY_WITH_THAT = ("affirming", "affirmed", "establishing", "established", "confirming", "confirmed", "reaffirming")
_FORMER_NOUNS = ("describing", "described", "recounting", "recounted")


def _participle(verb: str) -> str:
    first, _, rest = verb.partition(" ")
    return f"{first.removesuffix('e')}ing {rest}".strip()


def _past(verb: str) -> str:
    return f"{verb}d" if verb.endswith("e") else f"{verb[:-1]}ied" if verb.endswith(("ly", "fy")) else f"{verb}ed"


PARTICIPLES = frozenset(_participle(verb) for verb in [*_REGULAR, *_IRREGULAR])
"""`holding`, `noting`, `making clear`, ..."""
PASTS = frozenset({*map(_past, _REGULAR), *_IRREGULAR.values()})
"""`held`, `noted`, `made clear`, ..."""

_SAYS = "|".join(sorted({*PARTICIPLES, *PASTS, *_FORMER_NOUNS} - {*_ONLY_WITH_THAT}, key=len, reverse=True))
_BASE = "|".join(sorted([*_REGULAR, *_IRREGULAR], key=len, reverse=True))
# Adverbs that say how firmly or how often something was said; `doubtfully`, `tentatively` and `arguably` take it back.
_ADVERB = (
    r"(?:accurately|additionally|again|also|clearly|consistently|correctly|directly|emphatically|explicitly|expressly"
    r"|finally|first|firmly|further|generally|likewise|merely|next|plainly|properly|repeatedly|rightly|similarly|simply"
    r"|specifically|squarely|subsequently|succinctly|then|therefore|thus|ultimately|unanimously|unequivocally)"
)
_ASIDE = rf"(?:,? (?:{_ADVERB}|out|inter alia|among other things|in (?:part|effect|essence|addition)))?,?"
_STATED = rf"(?:{_ADVERB} )?(?:(?:{_SAYS})\b{_ASIDE}(?: that\b,?)?|(?:{'|'.join(_ONLY_WITH_THAT)}){_ASIDE} that\b)"
_WOULD = rf"would (?:also )?(?:{_BASE}) that\b|would have (?:{'|'.join(sorted(PASTS))}) that\b"
LEAD = re.compile(rf"^(?:{_STATED}|that\b)\s*", re.IGNORECASE)
"""How a claim opens behind the words that name its speaker; what follows is what was said."""
SEPARATE_LEAD = re.compile(rf"^(?:{_STATED}|{_WOULD}|that\b)\s*", re.IGNORECASE)
"""The same for a dissent or a concurrence: what they would hold is what they say; what the Court would hold is not."""
