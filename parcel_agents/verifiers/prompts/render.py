"""An opinion and a claim as text for a model: the opinion first, the claim last.

A provider's prompt cache works on what two prompts have in common at their beginning, and that is the opinion for all
its claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from parcel_agents.types import Claim, Opinion, Part
from parcel_agents.verifiers.prompts.template import Template
from parcel_agents.verifiers.prompts.untrusted import clean, clean_line, fence

_VOICES = {
    "front": "caption and counsel",
    "majority": "opinion of the Court (majority)",
    "closing": "closing lines",
    "plurality": "plurality opinion (no majority joins it)",
    "unattributed": "an appendix, or footnotes of no known opinion",
    "unknown": "of unknown voice (not to be taken for the Court)",
}


@dataclass(frozen=True)
class Rendered:
    """A prompt, and which passages it shows."""

    system: str
    user: str
    shown: tuple[str, ...]
    """Ids of passages, in the order of the text."""


def render(template: Template, opinion: Opinion, claim: Claim, *, passages: Sequence[str] | None = None) -> Rendered:
    """The prompt on one claim.

    Args:
        template: the prompt file.
        opinion: what the claim is about.
        claim: the claim.
        passages: ids of the passages to show; None for the whole opinion. A template that asks for passages gets
            them numbered and under headings, another the bare text.
    """
    numbered = template.asks_for_passages
    wanted = None if passages is None else frozenset(passages)
    shown = tuple(passage.id for passage in opinion.passages if wanted is None or passage.id in wanted)
    if wanted is None:
        block = render_opinion(opinion, numbered=numbered)
    else:
        block = _passages_block(opinion, wanted, numbered=numbered)
    about = fence("claim", clean_line(claim.text), block)
    return Rendered(template.system, template.fill(opinion=block, claim=about), shown)


def render_opinion(opinion: Opinion, *, numbered: bool) -> str:
    """The whole opinion as a block: in numbered passages under the headings of its parts, or as bare text."""
    return _whole_block(_Whole(opinion, numbered))


@dataclass(frozen=True, eq=False)
class _Whole:
    """A whole opinion as a key of a cache. To hash its text and passages would cost what the cache saves."""

    opinion: Opinion
    numbered: bool

    def __hash__(self) -> int:
        return hash((self.opinion.id, self.numbered))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Whole) or self.numbered != other.numbered:
            return False
        return self.opinion is other.opinion or self.opinion == other.opinion


# Rendering a long opinion takes milliseconds, and every claim and every model asks for the same text.
@lru_cache(maxsize=64)
def _whole_block(whole: _Whole) -> str:
    if whole.numbered:
        return _passages_block(whole.opinion, None, numbered=True)
    return fence("opinion", clean(whole.opinion.text))


def _passages_block(opinion: Opinion, wanted: frozenset[str] | None, *, numbered: bool) -> str:
    """The passages under the headings of their parts, a passage a line."""
    lines: list[str] = []
    part: str | None = None
    for passage in opinion.passages:
        if wanted is not None and passage.id not in wanted:
            continue
        if passage.part != part:
            part = passage.part
            lines += ["", f"<part: {_voice(opinion.part(part))}>"]
        text = clean_line(passage.text)
        lines.append(f"[{clean_line(passage.id)}] {text}" if numbered else text)
    return fence("opinion", "\n".join(lines).strip())


def _voice(part: Part) -> str:
    if part.footnote is None and part.kind in _VOICES:
        author = f", {part.author}" if part.author else ""
        return clean_line(_VOICES[part.kind] + author)
    return clean_line(part.voice)
