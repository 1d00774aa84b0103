"""What the other decisions and the briefs give: authorities, parentheticals, names of judges and counties."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from parcel_agents.citations.harvest import harvest
from parcel_agents.citations.model import Citation
from parcel_agents.citations.read import read_citations
from parcel_agents.generation.rules.wording import content_words
from parcel_agents.types import Opinion

_NAME = re.compile(
    r"(?:Matter of )?[A-Z][\w'’.&-]*(?: (?:[A-Z][\w'’.&-]*|of|and|&)){0,5}(?: v (?:[A-Z][\w'’.&-]*|of|and|&| )+)?"
)
_JUDGE = re.compile(r"\((?:[A-Z][\w.'’-]+ ){0,3}(?P<name>[A-Z][a-z'’-]{3,}), J\.\)")
_COUNTY = re.compile(r"(?<![A-Z][a-z] )\b(?P<name>[A-Z][a-z]{3,}) County\b(?! Court| Law)")
_NO_COUNTY = frozenset("The This That Which From Each Every Another When Where".split())
_BEFORE = 260
"""So many characters before a citation count as the sentence that cites."""
_MOST_OFTEN = 400
"""A word that stands with more authorities than this tells nothing of any of them."""


@dataclass(frozen=True)
class Cited:
    """A case as a decision cites it."""

    name: str
    cite: str
    year: int | None
    words: frozenset[str]
    """What the sentence that cites it is about."""
    cited_by: str
    """The id of the decision."""

    @property
    def in_full(self) -> str:
        """Name, cite and year, as they stand within a sentence."""
        return f"{self.name} ({self.cite} [{self.year}])" if self.year else f"{self.name} ({self.cite})"


@dataclass(frozen=True)
class World:
    """What is known beside the decision that claims are written about."""

    authorities: tuple[Cited, ...] = ()
    by_word: Mapping[str, tuple[int, ...]] | None = None
    """For each word the numbers of the authorities that are cited with it."""
    parentheticals: Mapping[str, tuple[tuple[str, str], ...]] | None = None
    """By cite, in a form without spaces and dots: what others say of the decision in a parenthetical, and who."""
    surnames: tuple[str, ...] = ()
    """Of judges of trial courts, and of parties of the cases that are cited."""
    counties: tuple[str, ...] = ()

    @classmethod
    def of(cls, decisions: Mapping[str, Opinion], texts: Sequence[str] = ()) -> World:
        """What these decisions, by id, and these briefs' texts give for decisions other than the one that gives it."""
        sources = [*((id, opinion.text) for id, opinion in decisions.items()), *(("", text) for text in texts)]
        authorities: list[Cited] = []
        told: dict[str, dict[str, str]] = defaultdict(dict)
        for id, text in sources:
            citations = read_citations(text)
            authorities += _authorities(id, text, citations)
            for one in harvest(citations):
                if one.opinion is None and one.signal not in {"but see", "contra", "but cf."}:
                    told[plain_cite(one.cite)].setdefault(one.claim, id)
        return cls(
            tuple(authorities),
            _by_word(authorities),
            {cite: tuple(claims.items()) for cite, claims in told.items()},
            tuple(sorted({*_names(_JUDGE, sources), *_parties(authorities)})),
            tuple(name for name in _names(_COUNTY, sources) if name not in _NO_COUNTY),
        )

    def about(self, opinion_id: str, opinion: Opinion) -> tuple[str, ...]:
        """The explanatory parentheticals with which others cite this opinion, each once."""
        if not opinion.citation or not self.parentheticals:
            return ()
        found = self.parentheticals.get(plain_cite(opinion.citation), ())
        return tuple(claim for claim, by in found if by != opinion_id)

    def near(self, words: frozenset[str], opinion_id: str) -> list[Cited]:
        """The authorities of other decisions, first those that are cited with most of these words; each case once."""
        shared: Counter[int] = Counter()
        for word in words:
            numbers = (self.by_word or {}).get(word, ())
            if len(numbers) <= _MOST_OFTEN:
                shared.update(numbers)
        ranked = sorted(shared.items(), key=lambda item: (-item[1], item[0]))
        first: dict[str, Cited] = {}
        for number, _ in ranked[:60]:
            if self.authorities[number].cited_by != opinion_id:
                first.setdefault(self.authorities[number].name, self.authorities[number])
        return list(first.values())


def plain_cite(cite: str) -> str:
    """Volume, reporter and page without spaces and dots, for comparing."""
    return re.sub(r"[\W_]", "", re.split(r"[\[(]", cite)[0]).lower()


def _authorities(id: str, text: str, citations: Sequence[Citation]) -> Iterator[Cited]:
    for one in citations:
        if one.kind != "case" or one.name is None or one.history_of is not None:
            continue
        name = " ".join(one.name.split())
        if " v " in name and len(name) <= 50 and _NAME.fullmatch(name):
            before = re.split(r"[.;] (?=[A-Z])", text[max(0, one.start - _BEFORE) : one.start])[-1]
            said = " ".join(held.text for held in one.parentheticals if held.kind == "explanatory")
            yield Cited(name, one.cite, one.year, content_words(f"{before} {said}"), id)


def _parties(authorities: Sequence[Cited]) -> Iterator[str]:
    for authority in authorities:
        if found := re.fullmatch(r"People v ([A-Z][a-z]{3,10})", authority.name):
            yield found[1]


def _by_word(authorities: Sequence[Cited]) -> dict[str, tuple[int, ...]]:
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, authority in enumerate(authorities):
        for word in authority.words:
            numbers[word].append(number)
    return {word: tuple(found) for word, found in numbers.items()}


def _names(pattern: re.Pattern[str], sources: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(sorted({match["name"] for _, text in sources for match in pattern.finditer(text)}))
