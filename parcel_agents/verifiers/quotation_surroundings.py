"""What may stand around words that a claim quotes, so that the sentence says them itself.

Who quotes a clause leaves out what joins it to the sentence: `Although ...,`, `whereas ...`, `Just as A, ...`. These do
not take from what the clause says, and the reader sees that words are missing. All that `surroundings` lets through
for any claim is let through here; everything else is a difference.
"""

from __future__ import annotations

import re

from parcel_agents.citations.read import read_citations
from parcel_agents.verifiers.rejections import takes_back
from parcel_agents.verifiers.surroundings import is_handed_over, is_unsure, surroundings

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
    rf"|(?:these|our|our own|our prior) (?:cases|decisions|precedents?) (?:(?:have |has )?{_LONG}{_SAY}"
    r"|establish|hold|make clear|teach|recognize|demonstrate) that"
    r"|the (?:general |basic |settled |governing |cardinal )?(?:rule|principle)(?:, of course,)? is that"
    r"),? )?(?:the|a|an|this|such|these|those)? ?\Z",
    re.IGNORECASE,
)
_CONCEDES = re.compile(
    r"\A(?:but |and |yet |thus, |moreover, )?(?:although|though|even though|while|whereas)\s*\Z", re.IGNORECASE
)
_CONTRASTS = re.compile(r"\A(?P<clause>.*), (?:whereas|although|though)\s*\Z", re.IGNORECASE | re.DOTALL)
_LIKENS = re.compile(r"\A(?:but |and |thus, )?just as (?P<clause>.*),\s*\Z", re.IGNORECASE | re.DOTALL)
# Of a likened clause it is no matter that something is denied there.
_DENIALS = re.compile(r"\b(?:not|no|never|nothing)\b", re.IGNORECASE)
_CITED = re.compile(r",?\s*\b(?:see|accord|cf\.?)(?:,? (?:also|e\. ?g\.))*,?\s*\Z", re.IGNORECASE)
# What the rest of a sentence may do to the clause that it begins with.
_UNDONE = re.compile(
    r"\b(?:no longer|overrul\w*|reject\w*|abandon\w*|disavow\w*|wrong\w*|mistaken\w*|incorrect\w*|contrary|otherwise"
    r"|former\w*|once|disagree\w*|untrue|false|not (?:so|true|the (?:law|rule|case|test))|err(?:s|ed)?|argu\w*"
    r"|conten\w*|claim\w*|assert\w*|insist\w*|maintain\w*|urg\w*|alleg\w*|dissent\w*|majority|testif\w*|says?|said"
    r"|according|suggest\w*|believ\w*|view\w*|position|theor\w*|superseded|abrogated)\b",
    re.IGNORECASE,
)
_ASIDE = 6
"""So many words has what is put in between commas to say whose view something is."""
_ASIDE_OPENS = re.compile(r"(?:as|in|to|for|by|on|at|per|from|under|with|so|or)\b", re.IGNORECASE)
_REST = re.compile(r"[”\"’']*\s*,[”\"’']*\s+(?P<rest>\S.*)", re.DOTALL)
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
    if _CONCEDES.match(before) and (rest := _REST.fullmatch(behind)) and not _is_undone(rest["rest"]):
        return ()
    if (match := _CONTRASTS.match(before)) and ends and not is_unsure(match["clause"]):
        return ()
    if (match := _LIKENS.match(before)) and ends and not is_handed_over(_DENIALS.sub("", match["clause"])):
        return ()
    return found


def _is_undone(rest: str) -> bool:
    """True if the rest of a sentence takes back its first clause, or may say whose it is."""
    first, comma, _ = rest.partition(",")
    if comma and len(first.split()) <= _ASIDE and (_ASIDE_OPENS.match(first) or is_handed_over(first)):
        # `Although A, as Ferris has it, B`
        return True
    return _UNDONE.search(rest) is not None or bool(takes_back(f"{rest[:1].upper()}{rest[1:]}"))


def _plain(before: str) -> str:
    """The words before without what they cite, with single spaces and without marks of quotation at their end."""
    for one in reversed(read_citations(before)):
        if one.within is None:
            before = f"{_CITED.sub('', before[: one.start])}{before[one.end :]}"
    plain = re.sub(r"\s+", " ", re.sub(r"[\s“\"‘'(\[]+$", " ", before)).lstrip()
    return re.sub(r"(?:; ?)+,", ",", re.sub(r" ([,;:])", r"\1", plain)).replace(",,", ",")
