"""The name of the court in the lines at the head of a document."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MAX_LINE = 110
_CORE = re.compile(
    r"""\b(?:supreme|superior|appellate|appeals|district|circuit|county|family|probate|chancery|tax|surrogate['’]?s
    |commonwealth|judicial|bankruptcy|claims|municipal|juvenile|land|criminal|civil|city)\ court\b
    |\bcourt\ of\ (?:(?:special|criminal|civil|military|common|federal|the|international|customs)\ )?[a-z]
    |\bcourt\ for\ the\b
    |^(?:appellate\ (?:division|term)|bankruptcy\ appellate\ panel)\b""",
    re.VERBOSE | re.IGNORECASE,
)
# Words that stand in lines about another court, a clerk, a rule, or in running text.
_OTHER = re.compile(
    r"""\b(?:appeal(?:s|ed)?\ (?:from|to)|certiorari|writ|petition|clerk|judges?|justices?|opinion|order|rules?|notice
    |reporters?|filed|decided|nos?\.|docket|case|cause|application|transfer(?:red)?|certified|question|review\ of
    |before\ the|by\ the\ court|of\ the\ court|trial\ court|this\ court|court\ below|remand|courts|counsel|attorneys?
    |library|proceedings?|rulings?|jurisdiction|history|clerks|laws?|https?|street|published|pursuant|term,)
    (?![\w])|\bv\.|\d{4}""",
    re.VERBOSE | re.IGNORECASE,
)
_LEADS_ELSEWHERE = re.compile(
    r"\b(?:from|to|of|by|from the|to the|in the matter of an appeal|review|appeal|certiorari) *(?:the)?$", re.IGNORECASE
)
_SMALL = frozenset("of the for in at and on de la du del a s d".split())
_ORDINAL = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\d{1,2}(?:st|nd|rd|th))"
)
_MORE = re.compile(
    rf"""(?:for\ the\ )?(?:{_ORDINAL}|federal|district\ of\ columbia|d\.\ ?c\.)\ circuit
    |(?:for\ the\ )?(?:(?:northern|southern|eastern|western|middle|central)\ )?district\ of\ [a-z][a-z\ ]+
    |(?:for\ the\ )?(?:{_ORDINAL})\ (?:appellate|judicial|supreme\ judicial)?\ ?(?:district|department|circuit|division)
    |division\ (?:[a-z]+|\d+)
    |(?:northern|southern|eastern|western|central)\ division
    |[a-z]+(?:\ [a-z]+)?\ county|county\ of\ [a-z]+(?:\ [a-z]+)?
    |(?:(?:for|of)\ )?(?:the\ )?(?:state|commonwealth|territory)\ of\ (?:new\ |north\ |south\ |west\ |rhode\ )?[a-z]+
    |state\ of\ new\ [a-z]+
    |(?:of|for)\ (?:the\ )?[a-z]+(?:\ [a-z]+)?""",
    re.VERBOSE | re.IGNORECASE,
)
_STATE = re.compile(r"(?:the )?(?:state|commonwealth) of (?:new |north |south |west |rhode )?[a-z‘'’]+", re.IGNORECASE)
_KEPT = frozenset("D.C. U.S. DC II III".split())
_MAX_MORE = 3


def court_name(lines: Sequence[str]) -> str | None:
    """The first court that these lines name as their own; None where they name none."""
    filled = [line.strip() for line in lines if line.strip()]
    for index, line in enumerate(filled):
        before = filled[index - 1] if index else ""
        others = [after for after in filled[index + 1 : index + 3] if is_court(after) and _bare(after) != _bare(line)]
        if len(others) > 1:
            return None  # the menu of a court's website
        if not is_court(line) or _LEADS_ELSEWHERE.search(before):
            continue
        pieces = [_bare(line)]
        for following in filled[index + 1 : index + 1 + _MAX_MORE]:
            more = _MORE.match(_bare(following))
            # What stands behind the district in the same line is of another column.
            if more is None or not _is_capitalised(more.group()):
                break
            # Below the full name of a court a state is a party.
            if _STATE.fullmatch(more.group()) and any(_names_a_place(piece) for piece in pieces):
                break
            if more.group().casefold() in " ".join(pieces).casefold():
                break  # the clerk's stamp says it again
            pieces.append(more.group())
        if len(pieces) == 1 and _STATE.fullmatch(_bare(before)) and not _names_a_place(pieces[0]):
            pieces.append(_bare(before))
        return ", ".join(tidy_court(piece) for piece in pieces).replace(", for the ", " for the ")
    return None


def is_court(line: str) -> bool:
    """True for a line that is the name of a court and nothing else."""
    bare = _bare(line)
    if len(bare) > _MAX_LINE or bare.lower().startswith("for ") or not _CORE.search(bare) or _OTHER.search(bare):
        return False
    return _is_capitalised(bare)


def continues_court(line: str) -> bool:
    """True for the line below a court's name that says which it is: `FOR THE FIRST CIRCUIT`."""
    return re.match(r"for the ", _bare(line), re.IGNORECASE) is not None and _MORE.fullmatch(_bare(line)) is not None


def tidy_court(text: str) -> str:
    """The name without its closing stop, in plain capitals where the source shouts."""
    text = re.sub(r",(?=[^\W\d_])", ", ", _bare(text))
    if not text.isupper():
        return re.sub(r"^(?:For|Of) ", lambda match: match.group().lower(), text)
    words = [word if word in _KEPT else word.capitalize() for word in text.split()]
    small = {"Of", "The", "For", "In", "At", "And"}
    return " ".join(word.lower() if word in small else word for word in words)


def _bare(line: str) -> str:
    line = " ".join(line.split())
    line = re.sub(r"^[\d\s]*(?:before the|in the|in|the)\ (?=\S*\s?\S*\s?\S*\s?court)", "", line, flags=re.IGNORECASE)
    return line.strip(" \t:;)|*§_-").removesuffix(".")


def _is_capitalised(line: str) -> bool:
    words = re.findall(r"(?<!\w)[^\W\d_][\w.'’‘-]*", line)
    return bool(words) and all(word[0].isupper() or word.lower().rstrip(".") in _SMALL for word in words)


def _names_a_place(court: str) -> bool:
    return re.search(r"\b(?:of|for) (?!appeals?\b|chancery\b|claims\b|common\b)", court, re.IGNORECASE) is not None
