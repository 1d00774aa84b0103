"""False support by layout: claims that give to the Court what somebody else says in the fictional case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from parcel_agents.eval.verdicts.asking import Panel, Question
from parcel_agents.eval.voices.case import OTHERS, OWN, RESERVED, Said
from parcel_agents.eval.voices.layouts import LAYOUTS, Page
from parcel_agents.opinions import parse_opinion
from parcel_agents.types import Claim, Opinion


@dataclass(frozen=True)
class Row:
    """One layout: how many claims about others' words and about the Court's own were called Supported."""

    layout: str
    others: int
    false_supports: int
    own: int
    supported: int
    parts: int
    unknown: int
    """Parts whose voice is unknown."""

    def row(self) -> dict[str, Any]:
        """The figures as a JSON object."""
        return {
            "layout": self.layout,
            "claims_of_others": self.others,
            "false_supports": self.false_supports,
            "claims_of_the_court": self.own,
            "supported": self.supported,
            "parts": self.parts,
            "unknown_parts": self.unknown,
        }


def forms(said: Said) -> tuple[str, ...]:
    """The ways in which a brief gives a point to the Court: as a holding, bare, and in quotation marks.

    A claim that says who argued or held a point is not among them: the opinion does report that.
    """
    bare = f"{said.point[0].upper()}{said.point[1:]}."
    return (f"(holding that {said.point})", bare, f"(“{said.point}”)")


def measure(panel: Panel) -> list[Row]:
    """The figures of every layout, and the sum of all in the last row."""
    pages = [layout() for layout in LAYOUTS]
    opinions = {page.name: parse_opinion(page.text, suffix=page.suffix, source=page.name) for page in pages}
    asked = [(page, said, claim) for page in pages for said in _claims(page) for claim in forms(said)]
    questions = [Question(page.name, Claim.of(claim, id=f"{number}")) for number, (page, _, claim) in enumerate(asked)]
    about = [{"layout": page.name, "voice": said.voice} for page, said, _ in asked]
    verdicts = panel.ask("other voices", opinions, questions, about)
    supported = [verdict.label == "supported" for verdict in verdicts]
    rows = []
    for page in pages:
        here = [(said, yes) for (one, said, _), yes in zip(asked, supported, strict=True) if one is page]
        rows.append(_row(page.name, here, [opinions[page.name]]))
    everything = [(said, yes) for (_, said, _), yes in zip(asked, supported, strict=True)]
    return [*rows, _row("all", everything, opinions.values())]


def _claims(page: Page) -> Sequence[Said]:
    held = [said for said in (*OTHERS, *OWN) if said.voice not in page.without]
    return [*held, *RESERVED] if page.reserved else held


def _row(layout: str, answered: Sequence[tuple[Said, bool]], opinions: Iterable[Opinion]) -> Row:
    others = [yes for said, yes in answered if said.voice != "court"]
    own = [yes for said, yes in answered if said.voice == "court"]
    parts = [part for opinion in opinions for part in opinion.parts if part.footnote is None]
    unknown = sum(part.kind == "unknown" for part in parts)
    return Row(layout, len(others), sum(others), len(own), sum(own), len(parts), unknown)
