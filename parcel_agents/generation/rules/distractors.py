"""Distractor swap: a name in a claim given up for another of its kind that occurs in the same opinion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from parcel_agents.generation.rules.negation import Change, in_quotation
from parcel_agents.generation.rules.wording import MONTHS, content_words
from parcel_agents.opinions.passages import sentences
from parcel_agents.opinions.reported import party_names
from parcel_agents.types import Opinion

COURTS = (
    "Appellate Division",
    "Appellate Term",
    "Court of Appeals",
    "Supreme Court",
    "County Court",
    "Family Court",
    "Criminal Court",
    "City Court",
    "Legislature",
    "Governor",
)
"""Bodies that opinions give decisions to; one is swapped with another that the opinion names."""
_PERSON = re.compile(
    r"\b(?:Mr|Ms|Mrs|Dr|Judge|Justice|Detective|Officer|Sergeant|Lieutenant|Captain|Deputy|Trooper|Investigator|Agent"
    r"|Attorney)\.? (?:[A-Z][a-z]+ |[A-Z]\. )?([A-Z][a-z]{2,})(?![\w-])"
)
_TITLES = frozenset(
    "Attorney General District Court Division Department Justice Judge County State City Agency".split()
)
_DEGREE = "first|second|third|fourth|fifth"
_OFFENCE = re.compile(
    r"\b(?:attempted )?(?:murder|manslaughter|assault|robbery|burglary|rape|grand larceny|petit larceny|arson"
    r"|kidnapping"
    r"|forgery|sodomy|sexual abuse|criminal possession of a (?:weapon|controlled substance|forged instrument)|criminal"
    rf" sale of a controlled substance|criminal contempt|menacing|reckless endangerment|unlawful imprisonment) in the"
    rf" (?:{_DEGREE}) degree\b"
)
_SECTION = re.compile(
    r"\b(?P<code>CPL|CPLR|Penal Law §|Correction Law §|Executive Law §|Labor Law §|Insurance Law §|Vehicle and Traffic"
    r" Law §|General Municipal Law §|Family Court Act §|Judiciary Law §|section"
    r"|article) (?P<number>\d[\d.]*(?:-[a-z])?\b)"
)
_CASE = re.compile(r"\b(?:People|Matter of [A-Z][\w'’]+|[A-Z][\w'’]+) v [A-Z][\w'’-]+(?![\w-]| v\b)(?! [A-Z])")
_TERM = re.compile(r"\b(?:[\w½]+) (?:years?|months?|days|hours)\b(?! to\b|-)")
_DATE = re.compile(rf"\b(?:{'|'.join(MONTHS)}) \d{{1,2}}, \d{{4}}\b")
_NUMBERS = frozenset(
    "two three four five six seven eight nine ten eleven twelve fifteen eighteen twenty thirty".split()
)
_SIDES = (("the People", "defendant"), ("petitioner", "respondent"), ("plaintiff", "defendant"))
_NO_COURTS = frozenset(("Legislature", "Governor"))
"""What is said of them is said of no court."""
_WITH_ARTICLE = frozenset(("Appellate Division", "Appellate Term", "Court of Appeals"))
"""Bodies that are written with `the`; `the Supreme Court` with an article is that of the United States."""
_JUDGE = re.compile(r"\b(?:Judges?|Justices?) ([A-Z][\w'’-]+)|\b([A-Z][\w'’-]+), (?:Ch\. )?JJ?\.")
_ACTED = re.compile(
    r"(?:moved|appealed|objected|requested|conceded|argued|contended|called|introduced|presented|offered|consented"
    r"|sought|declined|waived|failed|commenced|refused|elected|chose|submitted|bears?|opposed|cross-examined|did not)\b"
)
_HIS = re.compile(r"\b(?:he|she|his|her|him)\b")
_MOST_SHARED = 0.6
"""If the opinion says this share of the words of the other name too, the swapped claim may be true."""


@dataclass(frozen=True)
class Cast:
    """Who and what an opinion names, by kind."""

    opinion: Opinion

    @cached_property
    def kinds(self) -> tuple[Sequence[str], ...]:
        """Names of each kind, in the order of the text: people, courts, offences, cases, sections, dates, terms."""
        text = " ".join(self.opinion.text.split())
        patterns = (_OFFENCE, _CASE, _DATE)
        found = [
            tuple(dict.fromkeys(match.group() for match in pattern.finditer(text) if _is_whole(text, match)))
            for pattern in patterns
        ]
        courts = tuple(
            court for court in COURTS if court in text and court not in _NO_COURTS and court != self.opinion.court
        )
        judges = _judges(self.opinion)
        people = tuple(
            name
            for name in persons(self.opinion)
            if name not in judges and (not re.search(rf" v {re.escape(name)}\b", text) or self._acts(name))
        )
        return (people, courts, *found, *self._sections(text), *self._terms(text))

    def _acts(self, name: str) -> bool:
        return (
            re.search(rf"(?<! v )\b{re.escape(name)}(?:['’]s|,? (?:was|had|who|[a-z]+ed)\b)", self.opinion.text)
            is not None
        )

    def _sections(self, text: str) -> Iterator[Sequence[str]]:
        by_code: dict[str, dict[str, None]] = {}
        for found in _SECTION.finditer(text):
            by_code.setdefault(found["code"], {})[found.group().rstrip(".")] = None
        return (tuple(names) for names in by_code.values())

    def _terms(self, text: str) -> Iterator[Sequence[str]]:
        by_unit: dict[str, dict[str, None]] = {}
        for found in _TERM.finditer(text):
            number, unit = found.group().rsplit(" ", 1)
            if number.isdigit() or number.lower() in _NUMBERS:
                by_unit.setdefault(unit, {})[found.group()] = None
        return (tuple(terms) for terms in by_unit.values())

    @cached_property
    def _sentences(self) -> tuple[tuple[str, frozenset[str]], ...]:
        text = self.opinion.text
        spans = [span for passage in self.opinion.passages for span in sentences(text, passage)]
        words = [" ".join(text[span.start : span.end].split()) for span in spans]
        return tuple((one, content_words(one)) for one in words)

    def swaps(self, body: str) -> Iterator[Change]:
        """Each name of a clause with each other of its kind, where the opinion does not say that of the other too."""
        for names in self.kinds:
            for name in (one for one in names if one in body):
                for found in re.finditer(rf"(?<![\w§-])(?<! v ){re.escape(name)}(?![\w-]|\.\d| v )", body):
                    if not in_quotation(body, found.start()):
                        yield from self._others(body, found.start(), name, names)
        yield from self._sides(body)

    def _others(self, body: str, start: int, name: str, names: Sequence[str]) -> Iterator[Change]:
        rest = content_words(body.replace(name, " "))
        for other in names:
            if _is_in(other, body) or other.lower() == name.lower() or self._said_of(other, rest):
                continue
            if name in COURTS:
                yield from _court_change(body, start, name, other)
            elif not re.search(r"\b(?:to|or|and|between|Mr\.|Ms\.) $", body[:start]) or not name[0].isdigit():
                yield Change(start, start + len(name), other)

    def _said_of(self, other: str, rest: frozenset[str]) -> bool:
        return any(
            other in sentence and len(rest & words) >= _MOST_SHARED * len(rest) for sentence, words in self._sentences
        )

    def _sides(self, body: str) -> Iterator[Change]:
        """The other side in the place of the one that acts."""
        for pair in _SIDES:
            for one, other in (pair, pair[::-1]):
                if one not in body or other in body or other not in self.opinion.text or _HIS.search(body):
                    continue
                for found in re.finditer(rf"(?<![\w-]){one} (?={_ACTED.pattern})", body):
                    led = re.search(r"\b(?:the|an?|that|each|any|every|by|[a-z]+ing) $", body[: found.start()])
                    if not led and not in_quotation(body, found.start()):
                        rest = content_words(body.replace(one, " "))
                        if not self._said_of(other, rest - content_words(other)):
                            yield Change(found.start(), found.end() - 1, other)


def persons(opinion: Opinion) -> tuple[str, ...]:
    """The surnames of parties, and of those whom the opinion gives a title, in the order of the text."""
    named = [*party_names(opinion), *_PERSON.findall(opinion.text)]
    return tuple(dict.fromkeys(name for name in named if name not in _TITLES))


def _is_whole(text: str, name: re.Match[str]) -> bool:
    """False for a stretch out of a longer name: `States v Roe` of `United States v Roe`."""
    before, after = text[max(0, name.start() - 30) : name.start()], text[name.end() : name.end() + 3]
    in_name = " v " in name.group() and (re.search(r"[A-Z&][\w.'’]* $", before) or re.match(r" (?:&|[A-Z])", after))
    return not in_name


def _judges(opinion: Opinion) -> frozenset[str]:
    """Words of the names of judges: nobody takes one of them for a party."""
    named = [part.author or "" for part in opinion.parts]
    named += [opinion.text[part.start : part.end] for part in opinion.parts if part.kind == "closing"]
    named += [found.group() for found in _JUDGE.finditer(opinion.text)]
    return frozenset(re.findall(r"[A-Z][\w'’-]+", " ".join(named)))


def _is_in(name: str, body: str) -> bool:
    """True if the body has the name, or a party of the case that it names."""
    return name in body or any(party in body for party in name.split(" v ") if " v " in name and party != "People")


def _court_change(body: str, start: int, name: str, other: str) -> Iterator[Change]:
    """Another body in the place of one, with the article that it takes."""
    before = body[:start]
    has_article = before.endswith(("the ", "The "))
    if re.search(r"\b[A-Z][\w.]+ $", before) and not has_article:
        return  # `Rochester City Court`, `U.S. Supreme Court`
    if name in _WITH_ARTICLE and other not in _WITH_ARTICLE and has_article:
        yield Change(start - len("the "), start + len(name), other)
    elif name not in _WITH_ARTICLE and other in _WITH_ARTICLE and not has_article:
        yield Change(start, start + len(name), f"the {other}")
    elif (name in _WITH_ARTICLE) == (other in _WITH_ARTICLE) or has_article:
        yield Change(start, start + len(name), other)
