"""What may stand around the words that a claim repeats, so that the sentence says them itself.

`It is doubtful that`, `The jury was asked to find that`, `In Quist's account,` can be told from `We hold that` by no
list of bad words: there is always another. So the good ones are listed, and all else is a difference.
"""

from __future__ import annotations

import re

_ADVERB = (
    r"(?:accordingly|additionally|again|also|certainly|clearly|consequently|expressly|finally|first|further"
    r"|furthermore|hence|here|however|importantly|indeed|likewise|moreover|nevertheless|nonetheless|notably|now|plainly"
    r"|rather|second|significantly|similarly|simply|specifically|still|then|therefore|third|thus|today|unanimously"
    r"|lastly|of course|in sum|in short|in fact|in addition|in conclusion|in any event|in this case|on this record"
    r"|on these facts|for these reasons|for this reason|as a result|at the same time|to be sure|by contrast"
    r"|for example|for instance|at the outset|as noted|and|but|so|yet)"
)
_THIS = r"(?:(?:in|on|at|under) (?:(?:this|these|the present|the instant) )?(?:case|appeal|record|circumstances|facts))"
_YEAR = r"(?:in (?:(?:january|february|march|april|may|june|july|august|september|october|november|december) )?\d{4})"
_FRONT = rf"(?:(?:{_ADVERB}|{_THIS}|{_YEAR})\b,? )*"
_SAID = (
    r"(?:hold|conclude|find|note|agree|reiterate|reaffirm|determine|emphasize|stress|observe|recognize|acknowledge"
    r"|believe|think|add|repeat|confirm|declare|make clear|are persuaded|are satisfied|are convinced"
    r"|have (?:long|repeatedly|consistently|frequently|often|always) (?:held|said|recognized|observed|stated|noted"
    r"|emphasized|explained))"
)
_WITH = (
    r"(?: with (?:the )?(?:defendants?|plaintiffs?|petitioners?|respondents?|appellants?|claimants?|people|state"
    r"|dissent|majority|concurrence|appellate division|supreme court|county court|trial court|parties))?"
)
_SETTLED = (
    r"(?:(?:well |firmly |long |now |by now |also |clearly )?(?:settled|established|clear|undisputed|uncontested"
    r"|uncontroverted|axiomatic|elementary|fundamental|plain|true|evident|apparent|beyond dispute"
    r"|black letter law))"
)
_MATRIX = (
    rf"(?:(?:we|this court|i)(?:,? {_ADVERB},?)* {_SAID}{_WITH}(?:,? {_ADVERB},?)* that,? "
    rf"|it (?:is|was)(?: {_ADVERB})* {_SETTLED} (?:law )?that,? )"
)
_DETERMINERS = r"(?:(?:a|an|the|this|these|those|such|there|also|thus|therefore|then|does|do|did|here) )*"
# "We hold A, and B": the first clause must itself be one that the writer asserts.
_ASSERTED = rf"(?:{_FRONT}(?:{_MATRIX})?(?P<clause>[^.?!]*?)(?:; (?:and |but |yet )?|, (?:and|but) ))"
_BEFORE = re.compile(rf"\W*{_ASSERTED}?{_FRONT}(?:{_MATRIX})?{_DETERMINERS}", re.IGNORECASE | re.DOTALL)
# What hands an earlier clause, and with it perhaps the next one, to somebody else or makes it a thing not so.
_UNSURE = re.compile(
    r"\b(?:that|if|whether|when|whenever|where|unless|until|although|though|while|whereas|had|were|should|suppos\w*"
    r"|assum\w*|accord\w*|argu\w*|conten\w*|claim\w*|alleg\w*|assert\w*|say|says|said|stat(?:es?|ed|ing)|testi\w*|held"
    r"|hold\w*|f[io]und|conclud\w*|reason\w*|believ\w*|think\w*|thought|view\w*|account\w*|stor(?:y|ies)|version\w*"
    r"|theor\w*|position\w*|submi\w*|insist\w*|maintain\w*|urg\w*|suggest\w*|complain\w*|charg\w*|report\w*|explain\w*"
    r"|told|tell\w*|heard|read\w*|swor\w*|swear\w*|deni\w*|deny\w*|doubt\w*|quot\w*|recit\w*|recount\w*|describ\w*"
    r"|not|no|never|nothing|who|which|what|why|how|would|could|might|may|as|because|since|question\w*|answer\w*|ask\w*"
    r"|opin\w*|this|plans?|planned|defense|stand|gave|put|puts|dissent\w*|majority|brief\w*|point\w*|accus\w*"
    r"|simple|plain|imagine|consider|picture|pretend|let|elsewhere|others?|formerly|former|once|prior|earlier|used)\b|[“”\":?]",
    re.IGNORECASE,
)
_PHRASE_FIRST = re.compile(r"\W*(?:in|on|at|by|to|for|from|with|under|before|after|until|per|upon)\b", re.IGNORECASE)
# Never what limits a rule: `may open it | with leave of the owner`, `was lawful | at its inception`, `| where ...`.
_BACK = r"(?!\s+(?:so|such|that|this|it|as|in|on|at|by|with|under|to|for|from|of|when|where|then|even|upon|after)\b)"
_BEHIND = re.compile(rf"[\s.,;:”\"’'\)\]]*|(?:,|;|—| —)\s*and\b{_BACK}.*|;(?=\s){_BACK}.*", re.IGNORECASE | re.DOTALL)
_NUMERALS = re.compile(r"^\s*(?:(?:[IVX]+|[A-H])\.?\n\n)+")


def surroundings(sentence: str, start: int, end: int) -> tuple[str, ...]:
    """What around the stretch from `start` to `end` keeps the sentence from saying it by itself, in words.

    Args:
        sentence: the whole sentence, citations blanked.
        start: where the repeated words begin, with the small ones that the claim repeats too.
        end: where they end.
    """
    before, behind = tidy(_NUMERALS.sub("", sentence[:start])), sentence[end:].rstrip()
    found = []
    match = _BEFORE.fullmatch(before)
    if match is None or _is_unsure(match["clause"] or ""):
        found.append(f"the sentence says it behind “{_short(before, last=True)}”")
    if not _BEHIND.fullmatch(behind):
        found.append(f"the sentence goes on with “{_short(behind)}”")
    return tuple(found)


def is_handed_over(text: str) -> bool:
    """True if a text has a word that may hand what follows to somebody else, or make it a thing not so."""
    return _UNSURE.search(text) is not None


def _is_unsure(clause: str) -> bool:
    """True if an earlier clause may hand the next one over, or lend it the time or place it opens with."""
    return is_handed_over(clause) or _PHRASE_FIRST.match(clause) is not None


def tidy(before: str) -> str:
    """The text with single spaces, and without marks of quotation at its end."""
    plain = re.sub(r"\s+", " ", re.sub(r"[\s“\"‘'(\[]+$", " ", before)).lstrip()
    return re.sub(r" ([,;:])", r"\1", plain)


def _short(text: str, *, last: bool = False) -> str:
    words = text.split()
    kept = words[-8:] if last else words[:8]
    return " ".join(kept)
