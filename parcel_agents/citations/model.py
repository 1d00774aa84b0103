"""What is read from a text: citations, their parentheticals and their history."""

from __future__ import annotations

from typing import Literal

from parcel_agents.types import Frozen, Span

CitationKind = Literal[
    "case", "slip", "docket", "short", "id", "supra", "name", "statute", "rule", "constitution", "article", "unread"
]
"""How an authority is cited. `case` is a decision by reporter, `slip` one by number (Slip Op, WL, LEXIS) and `docket`
one by docket number, court and date; `short`, `id`, `supra` and `name` (the bare short name) refer to an authority
cited before; `article` is one of a law review. `unread` carries a parenthetical, or can be what `id.` means, and is in
a form that is not read."""

DECISIONS: frozenset[CitationKind] = frozenset({"case", "slip", "docket"})
LAWS: frozenset[CitationKind] = frozenset({"statute", "rule", "constitution"})
BACKWARD: frozenset[CitationKind] = frozenset({"short", "id", "supra", "name"})

ParentheticalKind = Literal["explanatory", "weight", "source", "name", "other"]
"""What a bracket behind a citation holds. `explanatory` tells what the authority says or did; `weight` how the words
were changed or who wrote them (`emphasis added`, `Wren, J., dissenting`, `same`); `source` whom it quotes or cites;
`name` the short name given to it; `other` is a number, a docket or a subdivision."""

OpinionKind = Literal["dissent", "concurrence", "plurality"]


class Parenthetical(Span):
    """A bracket behind a citation; `text` is what it holds, without the brackets."""

    kind: ParentheticalKind
    text: str


class History(Frozen):
    """What became of a decision, or of the one below: the relation as written and the cite that tells it."""

    relation: str
    cite: str
    year: int | None = None


class Citation(Span):
    """One citation. The span runs from the name to the end of pin, court and year; parentheticals lie behind it."""

    kind: CitationKind
    cite: str
    """Volume, reporter and page (`34 NY3d 269`, `34 NY3d at 274`), or the provision (`CPL 330.30 (1)`), or the words
    that refer back (`id.`, `Rouse`)."""
    text: str
    name: str | None = None
    """The case as named at this place or, for a reference back, where it was cited in full."""
    pin: str | None = None
    """Pages and notes cited within it; the subdivision of a provision."""
    court: str | None = None
    year: int | None = None
    """As the bracket behind the cite states it, or the cite itself: `2031 ND 4`."""
    docket: str | None = None
    """The docket number that stands between name and cite, or is the cite."""
    opinion: OpinionKind | None = None
    """The separate opinion that is cited, where the citation says so."""
    parallel: tuple[str, ...] = ()
    """The same decision in other reporters."""
    history: tuple[History, ...] = ()
    history_of: int | None = None
    """The number of the citation whose history this one is."""
    signal: str | None = None
    """`see`, `but see`, `cf.`, `quoting` ... as it stands before the citation or governs the string it is in."""
    authority: int | None = None
    """The number of the first full citation of the same authority, its own where it is the first; None if unknown."""
    doubt: str | None = None
    """Why it is not known which authority a reference back means, where several come into question or none that was
    read."""
    within: int | None = None
    """The number of the citation in whose parenthetical this one stands."""
    parentheticals: tuple[Parenthetical, ...] = ()

    @property
    def explanatory(self) -> Parenthetical | None:
        """The first parenthetical that tells what the authority says or did."""
        return next((one for one in self.parentheticals if one.kind == "explanatory"), None)
