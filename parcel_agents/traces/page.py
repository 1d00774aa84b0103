"""A book of traces as one file of HTML that needs nothing beside it.

The file holds every claim with all that its verdict rests on, readable without scripts and in print, and the text of
each opinion once, as JSON that a small script shows beside the claim. Everything that comes from files or models is
escaped by the template or set as text by the script; a content security policy lets no other script run.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from parcel_agents.traces.model import STATUSES, UNCHECKED, TraceBook, TracedOpinion
from parcel_agents.traces.text_marks import BrowserOffsets, harmless
from parcel_agents.traces.view import view_of
from parcel_agents.traces.words import STATUS_WORDS, voice_words

_TEMPLATES = frozenset({"trace.html", "claim.html"})
_KINDS = {"brief": "Brief", "run": "Run", "verify": "Claims"}


def trace_page(book: TraceBook) -> str:
    """The page."""
    style, script = read_template("trace.css"), f"{read_template('opinion.js')}{read_template('trace.js')}"
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    # The browser's offsets of an opinion are counted once for all claims about it.
    offsets = {id: BrowserOffsets(opinion.text) for id, opinion in book.opinions.items()}
    places = {id: place for place, id in enumerate(book.opinions, 1)}
    counts = Counter(trace.status for trace in book.traces)
    return (
        make_environment()
        .get_template("trace.html")
        .render(
            title=book.title,
            kind=_KINDS[book.kind],
            facts=_facts(book),
            notes=book.notes,
            filters=[
                {"status": status, "count": counts[status], "words": STATUS_WORDS[status]}
                for status in STATUSES
                if counts[status]
            ],
            unchecked=sum(counts[status] for status in UNCHECKED),
            total=len(book.traces),
            claims=[view_of(trace, book, places, offsets) for trace in book.traces],
            opinions=[
                {"place": places[id], "json": opinion_data(opinion, offsets[id])}
                for id, opinion in book.opinions.items()
            ],
            policy=policy,
            # Ours, and hashed as they stand here.
            style=Markup(style),
            script=Markup(script),
        )
    )


def make_environment(read: Callable[[str], str] | None = None) -> Environment:
    """Templates that escape all they are given, and make an unknown name an error.

    Args:
        read: the text of a template that is none of ours; a `KeyError` where there is none.
    """

    def load(name: str) -> str | None:
        if name in _TEMPLATES:
            return read_template(name)
        try:
            return read(name) if read else None
        except KeyError:
            return None

    return Environment(
        loader=FunctionLoader(load),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        finalize=_finalize,
    )


def _finalize(value: Any) -> Any:
    """Text from outside without the characters that deceive; what is marked as ours stays as it is."""
    return harmless(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _facts(book: TraceBook) -> list[tuple[str, str]]:
    asked = book.asked
    then = "; then ".join(", ".join(tier) for tier in asked.tiers)
    top_k = f", {asked.top_k} passages a claim" if asked.top_k is not None else ""
    facts = [
        ("data set", asked.dataset),
        ("panel", f"{asked.panel}: {then}" if asked.panel and then else asked.panel or then),
        ("policy", asked.policy),
        ("retrieval", f"{asked.retriever}{top_k}" if asked.retriever else ""),
        ("versions", ", ".join(f"{name} {version}" for name, version in asked.versions.items())),
        ("made", asked.created),
    ]
    return [(name, value) for name, value in facts if value]


def opinion_data(opinion: TracedOpinion, offsets: BrowserOffsets) -> Markup:
    """An opinion as the script takes it, as JSON: no `<` in it can end a script element or begin a comment."""
    described = [piece for piece in (opinion.citation, opinion.court, opinion.date, opinion.source) if piece]
    pages = [mark for mark in opinion.pages if mark.reporter] or list(opinion.pages)
    data = {
        "name": harmless(opinion.name or opinion.source or "The opinion"),
        "about": harmless(" · ".join(described)),
        "doubts": [harmless(doubt) for doubt in opinion.doubts],
        "text": harmless(opinion.text),
        "parts": [
            [
                offsets.at(part.start),
                offsets.at(part.end),
                part.kind,
                harmless(voice_words(part.voice)),
                part.footnote is not None,
            ]
            for part in opinion.parts
        ],
        "pages": [[offsets.at(mark.offset), harmless(mark.page)] for mark in pages],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def read_template(name: str) -> str:
    """The text of one of our templates, styles or scripts."""
    return files("parcel_agents.traces").joinpath("templates", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
