"""What may stand around words that a claim quotes, so that the sentence says them itself.

Who quotes a clause leaves out what joins it to the sentence: `We have long held that ...`, `Just as A, ...`. These do
not take from what the clause says, and the reader sees that words are missing. All that `surroundings` lets through
for any claim is let through here; everything else is a difference. What stands behind `although` or `whereas` is left
to a reader: the rest of the sentence may take it back in more ways than can be listed.
"""

from __future__ import annotations

import re

from parcel_agents.citations.read import read_citations
from parcel_agents.verifiers.surroundings import is_handed_over, surroundings, tidy

_LONG = r"(?:(?:long|repeatedly|consistently|frequently|often|always|also|previously|already) )?"
_SAY = (
    r"(?:held|said|recognized|observed|stated|noted|emphasized|explained|made clear|established|determined|concluded)"
)
# Who, in the writer's own voice, says what follows.
_OURS = re.compile(
    r"(?:(?:(?:moreover|indeed|thus|accordingly|further|rather|finally|again|as noted|here),? )?(?:"
    r"in (?:this|these) (?:case|appeal|appeals)s?,? we (?:clarify|hold|conclude|reiterate|reaffirm|explain) that"
    r"|we (?:clarify|explain|reemphasize|underscore) that"
    rf"|(?:we|this court) ha(?:ve|s) {_LONG}{_SAY} that"
    rf"|(?:our|our own|our prior) (?:cases|decisions|precedents?) (?:(?:have |has )?{_LONG}{_SAY}"
    r"|establish|hold|make clear|teach|recognize|demonstrate) that"
    r"|the (?:general |basic |settled |governing |cardinal )?(?:rule|principle)(?:, of course,)? is that"
    r"),? )?(?:the|a|an|this|such|these|those)? ?\Z",
    re.IGNORECASE,
)
_LIKENS = re.compile(r"\A(?:but |and |thus, )?just as (?P<clause>.*),\s*\Z", re.IGNORECASE | re.DOTALL)
# Of a likened clause it is no matter that something is denied there.
_DENIALS = re.compile(r"\b(?:not|no|never|nothing)\b", re.IGNORECASE)
_CITED = re.compile(r",?\s*\b(?:see|accord|cf\.?)(?:,? (?:also|e\. ?g\.))*,?\s*\Z", re.IGNORECASE)
_END = re.compile(r"[\s.”\"’'\)\]]*")


def quotation_surroundings(sentence: str, start: int, end: int) -> tuple[str, ...]:
    """What around the quoted words keeps the sentence from saying them by itself, in words.

    Args:
        sentence: the whole sentence, the brackets of citations blanked.
        start: where the words begin.
        end: where they end.
    """
    found = surroundings(sentence, start, end)
    if not found:
        return ()
    before, behind = _plain(sentence[:start]), sentence[end:]
    ends = _END.fullmatch(behind) is not None
    if _OURS.match(before) and ends:
        return ()
    if (match := _LIKENS.match(before)) and ends and not is_handed_over(_DENIALS.sub("", match["clause"])):
        return ()
    return found


def _plain(before: str) -> str:
    """The words before without what they cite, with single spaces and without marks of quotation at their end."""
    for one in reversed(read_citations(before)):
        if one.within is None:
            before = f"{_CITED.sub('', before[: one.start])}{before[one.end :]}"
    return re.sub(r"(?:; ?)+,", ",", tidy(before)).replace(",,", ",")
