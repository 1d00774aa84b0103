"""An opinion of the folder: what it tells of its own name, cites and year."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from parcel_agents.briefs.case_names import CaseName
from parcel_agents.citations.model import DECISIONS
from parcel_agents.citations.read import read_citations
from parcel_agents.types import Opinion

_FRONT = 3_000
_NO_OPINION = re.compile(r"(?:^|[\W_])(?:summary|summaries|notes?|memo|abstract|digest|outline)$", re.IGNORECASE)
_ONE_SIDED = re.compile(r"(?<=\w)[\s_,(]+(?P<name>(?:In[\s_]re|(?:In[\s_]the[\s_])?Matter[\s_]of|Ex[\s_]parte)[\s_].*)")
"""The name of the proceeding, behind the parties' names: `Ferris v. Marlowe (In re Marlowe)`."""


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
    own = [one.cite for one in front if one.kind in DECISIONS and one.name is None]
    cites = frozenset(plain_cite(cite) for cite in (opinion.citation, *own) if cite)
    dated = re.search(r"\b(1[6-9]\d\d|20\d\d)\b", opinion.date or "")
    return Shelved(file, opinion, names, cites, int(dated[1]) if dated else None)


def plain_cite(cite: str) -> str:
    """A cite without spaces, periods and case, so that `387 U. S. 136` and `387 US 136` are one."""
    return re.sub(r"[\s.,]+", "", cite).lower()


def _front_end(opinion: Opinion) -> int:
    return opinion.parts[0].end if opinion.parts and opinion.parts[0].kind == "front" else 0
