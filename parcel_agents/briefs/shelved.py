"""An opinion of the folder: what it tells of its own name, cites and year."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from parcel_agents.briefs.case_names import CaseName
from parcel_agents.briefs.plain_cites import plain_cite, stated_year
from parcel_agents.citations.model import DECISIONS
from parcel_agents.citations.read import read_citations
from parcel_agents.types import Opinion

_FRONT = 3_000
_NO_OPINION = re.compile(r"(?:^|[\W_])(?:summary|summaries|notes?|memo|abstract|digest|outline)$", re.IGNORECASE)
_ONE_SIDED = re.compile(r"(?<=\w)[\s_,(]+(?P<name>(?:In[\s_]re|(?:In[\s_]the[\s_])?Matter[\s_]of|Ex[\s_]parte)[\s_].*)")
"""The name of the proceeding, behind the parties' names: `Ferris v. Marlowe (In re Marlowe)`."""
# Behind the cite of the decision below, in a syllabus: "12 F. 3d 4 and 56 F. 3d 7, vacated and remanded".
_BELOW = re.compile(
    r"(?:,?\s(?:and|&)\s\d+\s[^,;]{2,30}?\d+)*,?\s(?:affirmed|reversed|vacated|remanded|dismissed|modified)\b"
)
_HEAD = 300
"""Characters in which a cite behind the case's own name is its own; further on it may be an earlier decision's."""
_STEM_YEARS = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_PAGE = re.compile(r"(\d+)\Z")
_OWN_PAGES = 3
"""Marks that begin with page 1 or 2 may count the file's own pages."""
_FEW_MARKS = 2
_SHORTEST_DOCKET = 5


@dataclass(frozen=True)
class Shelved:
    """A file of the folder."""

    file: str
    opinion: Opinion
    names: tuple[str, ...]
    """As the opinion and the file are named."""
    cites: frozenset[str]
    """Its own cites, as `plain_cite` writes them."""
    year: int | None

    @property
    def years(self) -> frozenset[int]:
        """The years in which it may have been decided: of its date and of its cites, else of its file's name."""
        stated = {self.year, *(stated_year(cite) for cite in self.cites)} - {None}
        named = _STEM_YEARS.findall(Path(self.file).stem)
        if not stated and len(named) == 1:
            stated = {int(named[0])}
        return frozenset(year for year in stated if year is not None)

    @property
    def page_span(self) -> tuple[int, int] | None:
        """The first and the last page that the marks of a reporter in it count; None where they are its own pages."""
        pages = [int(found[1]) for mark in self.opinion.pages if mark.reporter and (found := _PAGE.search(mark.page))]
        if len(pages) < _FEW_MARKS or min(pages) < _OWN_PAGES or pages != sorted(pages):
            return None
        return pages[0], pages[-1]

    def shows_docket(self, docket: str) -> bool:
        """True if the beginning of its text has this docket number."""
        number = re.search(r"\d[\w:-]*\d", docket)
        if number is None or len(number[0]) < _SHORTEST_DOCKET:
            return False
        return re.search(rf"(?<![\w-]){re.escape(number[0])}(?!\d)", self.opinion.text[:_FRONT]) is not None

    @property
    def is_opinion(self) -> bool:
        """True if it shows that a court speaks in it: an author, an order, a court, a cite or page marks."""
        one = self.opinion
        shown = one.pages or one.court or one.disposition or self.cites
        # A caption is no sign: whatever stands above a text is read as one.
        return bool(shown) or any(part.author or part.kind == "closing" for part in one.parts)

    @property
    def is_summary(self) -> bool:
        """True if it is named as a summary or the like, and shows no court's words."""
        return not self.is_opinion and _NO_OPINION.search(Path(self.file).stem) is not None

    def named(self, name: str) -> bool:
        """True if one of its names stands for this case."""
        wanted = CaseName.of(name)
        return any(wanted.same_as(CaseName.of(own)) for own in self.names)

    def file_named(self, name: str) -> bool:
        """True if the file itself is named for this case, by both of its parties: whoever keeps it says what it is."""
        return CaseName.of(name).same_as(CaseName.of(Path(self.file).stem))

    def may_be(self, name: str) -> bool:
        """True if the case may have this name as well: the proceeding's, or with a party that its text begins with.

        That is too little to know it by; where its pages begin has to agree.
        """
        wanted = CaseName.of(name)
        for own in self.names:
            one_sided = _ONE_SIDED.search(own)
            if one_sided and wanted.same_as(CaseName.of(own[one_sided.start("name") :].rstrip(")"))):
                return True
        head = self.opinion.text[:_FRONT].lower()
        others = [wanted.other_party(CaseName.of(own)) for own in self.names]
        return any(words and all(re.search(rf"\b{re.escape(word)}", head) for word in words) for words in others)


def shelve(file: str, opinion: Opinion) -> Shelved:
    """What an opinion tells of its own name, cites and year."""
    names = tuple(dict.fromkeys(name for name in (opinion.name, Path(file).stem) if name))
    # A cite with a case name before it is another case's; at the head of an opinion stand its own.
    front = read_citations(opinion.text[: min(_FRONT, _front_end(opinion))])
    title = CaseName.of(opinion.name or "")
    own = [
        cite
        for one in front
        if one.kind in DECISIONS
        and (one.name is None or (one.start < _HEAD and title.same_as(CaseName.of(one.name))))
        and not _BELOW.match(opinion.text, one.end)
        for cite in (one.cite, *one.parallel)
    ]
    cites = frozenset(plain_cite(cite) for cite in (opinion.citation, *own) if cite)
    dated = re.search(r"\b(1[6-9]\d\d|20\d\d)\b", opinion.date or "")
    return Shelved(file, opinion, names, cites, int(dated[1]) if dated else None)


def _front_end(opinion: Opinion) -> int:
    return opinion.parts[0].end if opinion.parts and opinion.parts[0].kind == "front" else 0
