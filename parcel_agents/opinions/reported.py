"""Reported speech: the sentences in which a judge says what somebody else argued, held, testified or wrote.

An opinion's own words are whatever is not found here. A sentence counts as reported only by a speaker and a verb of
saying in its main clause: a true statement of the Court that is taken for a party's argument does more harm than an
argument that is missed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from parcel_agents.opinions.passages import paragraphs, sentences
from parcel_agents.opinions.quoted_sources import find_quoted
from parcel_agents.opinions.reported_clauses import Clause, Context, Stance, read_clause
from parcel_agents.opinions.reported_masks import mask
from parcel_agents.types import Opinion, Part, PartKind, Span

Source = Literal["party", "court_below", "witness", "dissent", "concurrence", "majority", "other_case", "statute"]

_PARTY_NAME = re.compile(
    r"([A-Z][\w'’-]+)(?:,? (?:Jr\.|Sr\.|I{2,3}))?,(?: Also Known as [^,\n]*,)? (?:Appellant|Respondent)"
)
_NO_NAMES = frozenset("York State People City County Others Anonymous".split())


class Attribution(Span):
    """Words that an opinion gives to somebody else; the span holds the cue and what is reported, not the citation."""

    source: Source
    who: str | None = None
    """The speaker as the sentence names him or her: `Defendant`, `County Court`, `Detective Gray`; for a quotation
    the citation."""
    stance: Stance = "reported"
    """`adopted` where the writer makes the words his or her own, `rejected` where the writer says they are wrong."""
    cue: Span
    """The speaker and the verb: whoever repeats them too tells whose words these are."""

    @property
    def is_anothers(self) -> bool:
        """True if these are not the writer's own words: not adopted, nor the law quoted from a case or statute."""
        return self.stance != "adopted" and self.source not in {"other_case", "statute"}


def attributions(opinion: Opinion) -> tuple[Attribution, ...]:
    """All reported speech and quoted authority of an opinion, in the order of the text."""
    names = party_names(opinion)
    found = [one for part in opinion.parts for one in attributions_in(opinion.text, part, kind=part.kind, names=names)]
    return tuple(found)


def attributions_in(
    text: str, within: Span, *, kind: PartKind = "majority", names: Sequence[str] = ()
) -> tuple[Attribution, ...]:
    """Reported speech and quoted authority in a stretch of text, in order.

    Args:
        text: the text that offsets count in.
        within: the stretch; a part as a rule.
        kind: whose words the stretch is: a dissent reports what the majority holds.
        names: surnames of the parties, who may argue under them.
    """
    if kind in {"front", "closing"}:
        return ()
    found: list[Attribution] = []
    court_below_was_named = False
    for paragraph in paragraphs(text, within):
        reader = _Paragraph(text, kind, tuple(names), court_below_was_named)
        found += reader.read(sentences(text, paragraph))
        court_below_was_named = reader.court_below_was_named
    return tuple(sorted(found, key=lambda one: (one.start, one.end)))


def party_names(opinion: Opinion) -> tuple[str, ...]:
    """The surnames under which the parties of a case may be called in its opinion."""
    sides = re.split(r" vs?\.? ", opinion.name or "")
    words = [side.split()[-1].strip(".,") for side in sides if len(sides) == 2 and side.split()]
    front = next((part for part in opinion.parts if part.kind == "front"), None)
    if isinstance(front, Part):
        words += _PARTY_NAME.findall(opinion.text[front.start : front.end])
    return tuple(
        dict.fromkeys(word for word in words if word[:1].isupper() and word not in _NO_NAMES and len(word) > 2)
    )


class _Paragraph:
    """Reads the sentences of a paragraph in order and keeps who spoke last."""

    def __init__(self, text: str, kind: PartKind, names: tuple[str, ...], court_below_was_named: bool) -> None:
        self.text = text
        self.kind = kind
        self.names = names
        self.court_below_was_named = court_below_was_named
        self.last: Clause | None = None

    def read(self, spans: Sequence[Span]) -> Iterator[Attribution]:
        masked = [mask(self.text[span.start : span.end]) for span in spans]
        for index, span in enumerate(spans):
            following = masked[index + 1] if index + 1 < len(spans) else ""
            context = Context(self.kind, self.names, self.last, self.court_below_was_named)
            if clause := read_clause(masked[index], following, context):
                yield Attribution(
                    start=span.start + clause.start,
                    end=span.start + clause.end,
                    source=clause.source,
                    who=clause.who,
                    stance=clause.stance,
                    cue=Span(start=span.start + clause.cue_start, end=span.start + clause.cue_end),
                )
                self.last = clause
                self.court_below_was_named |= clause.source == "court_below"
            for quoted in find_quoted(self.text[span.start : span.end]):
                yield Attribution(
                    start=span.start + quoted.start,
                    end=span.start + quoted.end,
                    source=quoted.source,
                    who=quoted.who,
                    cue=Span(start=span.start + quoted.cue_start, end=span.start + quoted.cue_end),
                )
