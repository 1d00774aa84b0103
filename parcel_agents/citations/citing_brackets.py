"""Brackets that hold a citation, told from brackets that hold words of the sentence."""

from __future__ import annotations

import re

from parcel_agents.citations.brackets import match_brackets

_CITES = re.compile(
    r"^\W*(?:see|cf|id|ibid|citing|quoting|accord|compare|but see|contra|e\.g|supra|infra|ante|emphasis"
    r"|internal quotation|citations?|footnotes?|quotation marks)\b"
    r"|\b(?:dissenting|concurring|majority|plurality|slip) (?:and dissenting )?op(?:inion|n)?\.? (?:at|of)\b"
    r"|\bop\.?,? at\b|\bsupra\b|\b(?:JJ?|Ch\. J|C\.? ?J)\.,|\bat \*?\d"
    r"|\d+ [A-Z][\w.]*(?: ?[\w.]+){0,2} \*?\d+|§|^\W*(?:CPL|CPLR)\b|(?:Law|Code|Act|Rules?|Const) (?:art(?:icle)? )?\d"
    r"|^\W*\d{4}\W*$",
    re.IGNORECASE,
)
_IN_A_WORD = re.compile(r"\w")


def blank_citations(text: str) -> str:
    """The text at the same length with the brackets that hold a citation turned into spaces.

    `[t]he` and brackets with words of the sentence stay, and so does a bracket without its partner.
    """
    done = 0
    pieces: list[str] = []
    for start, end in sorted(match_brackets(text).items()):
        if start < done or not _CITES.search(text[start + 1 : end]):
            continue
        # `[2009]` within a citation goes with it; within a quotation `[19]90` is part of its word.
        if _IN_A_WORD.match(text[end + 1 : end + 2]):
            continue
        pieces += [text[done:start], " " * (end + 1 - start)]
        done = end + 1
    return "".join([*pieces, text[done:]])
