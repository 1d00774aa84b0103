"""What became of the appeal, and what the court below had done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from parcel_agents.opinions.passages import paragraphs, sentences
from parcel_agents.types import CourtBelow, Disposition, DispositionWord, Part, Span

_WORDS: dict[str, DispositionWord] = {
    "affirm": "affirmed",
    "revers": "reversed",
    "modif": "modified",
    "vacat": "vacated",
    "remit": "remitted",
    "remand": "remitted",
    "dismiss": "dismissed",
    "reinstat": "reinstated",
}
_DONE = re.compile(r"\b(affirm|revers|modif|vacat|remit|remand|dismiss|reinstat)(?:t?ed|ied)\b", re.IGNORECASE)
_PLAIN = re.compile(r"\b(affirm|revers|modif|vacat|remit|remand|dismiss|reinstat)(?:y|e)?\b", re.IGNORECASE)
# What follows describes the order ("dismissed upon the ground that the reversal ...") or a condition.
_REASON = re.compile(
    r"\b(?:because|upon the ground|on the ground|for the reasons?|insofar as(?! appealed)|to the extent)\b"
)
_CASE = (
    r"(?:(?:In (?!each\b)|For |As to )[^:]{3,250}: ?|In each case: ?"
    r"|On (?:the )?(?:[A-Z]?[\w'’]+ ){0,3}(?:cross[- ])?appeals?, ?)"
)
_ORDERED = re.compile(
    rf"^(?:{_CASE})?(?:On review of submissions pursuant to [^()]*\([^()]*\)[^,]{{0,60}}, ?)?"
    r"(?:Orders?|Judgments?|Appeals?|Convictions?|Sentences?|Decisions?|Case|orders?|judgments?|appeals?)\b"
    r"|^(?:AFFIRMED|REVERSED|VACATED|DISMISSED|REMANDED|Affirmed|Reversed|Vacated|Dismissed)\b"
)
_DECREED = re.compile(
    r"\b(?:orders?|judgments?|appeals?|convictions?|decisions?|case|matter|petitions?)\b[^.;:]{0,150}?"
    r"\b(?:should be|should therefore be|is|are|must be|is hereby|must therefore be)\b[^.;:]{0,40}?"
    r"\b(?:affirm|revers|modif|vacat|dismiss|AFFIRM|REVERS|VACAT|DISMISS)"
)
_WE_DECREE = re.compile(
    r"(?:^|, )(?:[Ww]e|I)(?: \w+ly| therefore| thus| now| hereby)? "
    r"(?:affirm|reverse|modify|vacate|dismiss)\b(?! (?:when|where|if)\b)"
)

_TRIAL = r"(?:County|City|Family|Town|Village|Criminal|District|Surrogate['’]s|Superior|Circuit|Justice)"
_ORDINAL = r"(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth|Eleventh|Federal|D\. ?C\.)"
COURT = (
    r"(?:Appellate Division|Appellate Term|Supreme Court"
    rf"|United States Court of Appeals for the {_ORDINAL} Circuit|{_ORDINAL} Circuit|Court of Claims|Court of Criminal"
    r" Appeals|Court of Appeals|United States District Court(?: for the [A-Z]\w+ District of [A-Z]\w+(?: [A-Z]\w+)?)?"
    rf"|(?:[A-Z]\w+ )?{_TRIAL} Court|district court|trial court)"
)
_OF_COURT = re.compile(
    rf"\b(?:orders?|judgments?|decisions?) (?:of|by|from) (?:the )?(?P<name>{COURT})"
    rf"|\b(?P<before>{COURT})(?:['’]s)? (?:order|judgment)s?\b"
)
_REVIEW = r"(?:on writ of certiorari to|on certiorari to|on appeal from|appeals? from) (?:the )?"
# In a caption, in capitals too and broken into lines.
_CAPTION = re.compile(rf"\b{_REVIEW}(?P<name>{COURT})".replace(" ", r"\s"), re.IGNORECASE)
_FROM_COURT = re.compile(rf"\bfrom (?:an? |the )?(?:orders?|judgments?)[^.]{{0,40}}? of (?:the )?(?P<name>{COURT})")
# "People v Gray, 213 AD3d 1307, reversed." in the lines before the opinion
_HISTORY = re.compile(r"\b\d+ (?P<reporter>AD|Misc)(?: ?[2-4]d)? \d+[^\n]{0,60}, (?P<words>[a-z, ]+)\.")
_BY_REPORTER = {"AD": "Appellate Division", "Misc": "Appellate Term"}


def find_disposition(text: str, parts: Sequence[Part]) -> Disposition | None:
    """What the closing lines say became of the appeal, else what the Court's own opinion says; None if neither does."""
    closing = [
        sentence
        for part in parts
        if part.kind == "closing" and part.footnote is None
        for sentence in _order_sentences(text, part)
    ]
    if closing:
        words = tuple(dict.fromkeys(word for span in closing for word in _words(text, span)))
        return Disposition(start=closing[0].start, end=closing[-1].end, words=words)
    decrees = list(_decretal(text, parts))
    for sentence in decrees:
        if words := _words(text, sentence) or _words(text, sentence, _PLAIN):
            # Several appeals may each have an order of their own: `In People v X: Order affirmed.`
            orders = [one for one in decrees if _ORDERED.match(text[one.start : one.end]) and _words(text, one)]
            if sentence in orders:
                ordered = sorted({(one.start, one.end) for one in orders})
                spans = [Span(start=start, end=end) for start, end in ordered]
                words = tuple(dict.fromkeys(word for span in spans for word in _words(text, span)))
                return Disposition(start=spans[0].start, end=spans[-1].end, words=words)
            return Disposition(start=sentence.start, end=sentence.end, words=words)
    for part in parts:
        if part.kind == "front" and (found := list(_HISTORY.finditer(text, part.start, part.end))):
            words = tuple(dict.fromkeys(w for match in found for w in _told(match["words"], _DONE)))
            if words:
                return Disposition(start=found[0].start(), end=found[-1].end(), words=words)
    return None


def find_court_below(text: str, parts: Sequence[Part]) -> CourtBelow | None:
    """The court whose order is under review and what it had done; None where no line names it."""
    named = _named(text, parts)
    if named is None:
        return None
    name, place = named
    acted = re.compile(
        rf"(?:^|[,;] |\b[Tt]he |\b[Aa] (?:divided |unanimous )?)(?:[A-Z]\w+ )?{re.escape(name)}"
        r"(?:,? [^,.;()]{0,40},)?"
        r"(?: \w+ly| then| also| thereafter| subsequently| (?:agreed|determined|concluded|held|found"
        r"|rejected)\b[^;:]{0,160}? and)?"
        r"(?: \(\d\))? "
        r"(?P<done>(?:affirmed|reversed|modified|vacated|dismissed|remitted|remanded)\b[^.;]{0,80})"
    )
    order = {"majority": 0, "front": 2}
    for part in sorted(parts, key=lambda part: order.get(part.kind, 1)):
        if part.footnote or part.kind == "closing":
            continue
        for sentence in _sentences(text, part):
            if found := acted.search(text[sentence.start : sentence.end]):
                words = _told(
                    re.split(r"\b(?:which|that|who|where|holding|finding|concluding)\b", found["done"])[0], _DONE
                )
                return CourtBelow(start=sentence.start, end=sentence.end, name=name, did=words)
    return CourtBelow(start=place.start, end=place.end, name=name)


def _named(text: str, parts: Sequence[Part]) -> tuple[str, Span] | None:
    """The court and the place that names it: the Court's decree, else the lines before its opinion."""
    for sentence in _decretal(text, parts):
        if found := _OF_COURT.search(text, sentence.start, sentence.end):
            return found["name"] or found["before"], sentence
    for part in parts:
        if part.kind != "front":
            continue
        for form in (_FROM_COURT, _OF_COURT, _CAPTION):
            if found := form.search(text, part.start, part.end):
                name = next(group for group in found.groups() if group)
                return " ".join(name.split()), Span(start=found.start(), end=found.end())
        if found := _HISTORY.search(text, part.start, part.end):
            return _BY_REPORTER[found["reporter"]], Span(start=found.start(), end=found.end())
    return None


def _order_sentences(text: str, part: Part) -> list[Span]:
    """The sentences of closing lines that are an order."""
    found = []
    for paragraph in paragraphs(text, part):
        for sentence in sentences(text, paragraph):
            words = text[sentence.start : sentence.end]
            if _ORDERED.match(words) and _words(text, sentence):
                found.append(sentence)
    return found


def _decretal(text: str, parts: Sequence[Part]) -> Iterator[Span]:
    """The sentences by which the Court's opinion decides the appeal: the last first, then those at its beginning."""
    for part in parts:
        if part.kind not in {"majority", "plurality"} or part.footnote:
            continue
        all_sentences = list(_sentences(text, part))
        for sentence in [*reversed(all_sentences[-12:]), *all_sentences[:12]]:
            words = text[sentence.start : sentence.end]
            if _DECREED.search(words) or _WE_DECREE.search(words) or (_ORDERED.match(words) and _DONE.search(words)):
                yield sentence


def _sentences(text: str, part: Part) -> Iterator[Span]:
    for paragraph in paragraphs(text, part):
        yield from sentences(text, paragraph)


def _words(text: str, span: Span, form: re.Pattern[str] = _DONE) -> tuple[DispositionWord, ...]:
    return _told(_REASON.split(text[span.start : span.end])[0], form)


def _told(words: str, form: re.Pattern[str]) -> tuple[DispositionWord, ...]:
    return tuple(dict.fromkeys(_WORDS[found[1].lower()] for found in form.finditer(words)))
