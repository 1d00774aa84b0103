from __future__ import annotations

import base64
import functools
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from fakes.traces import COURT, HOSTILE, every_status, hostile

from parcel_agents.traces.model import STATUSES, UNCHECKED, TraceBook
from parcel_agents.traces.page import trace_page
from parcel_agents.traces.text_marks import BrowserOffsets, harmless, stretches
from parcel_agents.traces.words import STATUS_WORDS, voice_words
from parcel_agents.types import Span


class Elements(HTMLParser):
    """The elements of a page with their attributes and texts, and whether each that must be closed is."""

    VOID = frozenset(("meta", "link", "br", "img", "hr", "input"))

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style"):
            (self.scripts if self.open[-1] == "script" else self.styles).append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@functools.cache
def page(which: str) -> str:
    return trace_page({"every": every_status, "hostile": hostile}[which]())


def test_every_status_has_its_word_and_what_was_not_checked_says_so() -> None:
    html = page("every")
    for status in STATUSES:
        assert f'<span class="tag {status}">' in html
        assert STATUS_WORDS[status].word in html
        assert ("NOT checked" in STATUS_WORDS[status].meaning) == (status in UNCHECKED)
    assert "3 claims were not checked." in html


def test_claims_and_evidence_are_readable_without_a_script() -> None:
    html = re.sub(r"<script.*?</script>", "", page("every"), flags=re.DOTALL)
    assert html.count("<article") == 7
    assert html.count(COURT) >= 4
    for words in (
        "majority (Ferris, J.)",
        "page 97 NY3d at 211",
        "Read of the opinion’s text: checks 100%",
        "took too",
    ):
        assert words in html


def test_the_text_of_an_opinion_stands_there_once() -> None:
    gulls = "gulls walked about on the mud"
    assert page("every").count(gulls) == 1


@pytest.mark.parametrize("which", ["every", "hostile"])
def test_the_page_needs_nothing_but_itself_and_lets_no_other_script_run(which: str) -> None:
    found = Elements(page(which))
    (policy,) = [one["content"] for one in found.all("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    script, *data = found.scripts
    for text, kind in ((script, "script-src"), (found.styles[0], "style-src")):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy
    assert [one.get("type") for one in found.all("script")] == [None, *["application/json"] * len(data)]
    assert len(found.styles) == 1
    for _, attributes in found.found:
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "srcdoc", "src")]
        address = attributes.get("href")
        assert address is None or address == "data:," or re.fullmatch(r"#\w+", address)


def test_hostile_texts_are_shown_and_make_no_elements() -> None:
    found, usual = Elements(page("hostile")), Elements(page("every"))
    assert {tag for tag, _ in found.found} <= {tag for tag, _ in usual.found}
    assert len(found.all("meta")) == len(usual.all("meta"))
    assert len(found.all("article")) == len(HOSTILE)
    assert "&lt;script&gt;window.hit = 1&lt;/script&gt;" in page("hostile")
    assert "{{ 7 * 7 }}" in page("hostile")
    assert "\u202e" not in page("hostile")


def test_the_data_of_an_opinion_is_its_text() -> None:
    book = hostile()
    (opinion,) = book.opinions.values()
    (data,) = [json.loads(text) for text in Elements(page("hostile")).scripts[1:]]
    assert data["text"] == harmless(opinion.text)


def test_ids_are_unique() -> None:
    ids = [attributes["id"] for _, attributes in Elements(page("every")).found if "id" in attributes]
    assert len(set(ids)) == len(ids)


def test_texts_are_cut_where_marks_begin_and_end() -> None:
    marked = [(Span(start=2, end=6), "b"), (Span(start=4, end=8), "a"), (Span(start=3, end=3), "nothing")]
    found = [(one.text, one.marks) for one in stretches("0123456789", marked)]
    assert found == [("01", ""), ("23", "b"), ("45", "a b"), ("67", "a"), ("89", "")]
    assert [one.text for one in stretches("abc", [])] == ["abc"]
    assert stretches("", []) == []


def test_a_wide_character_counts_two_in_a_browser() -> None:
    offsets = BrowserOffsets("a𝔐b𝔐c")
    assert [offsets.at(place) for place in range(6)] == [0, 1, 3, 4, 6, 7]
    assert offsets.span(Span(start=2, end=3)) == "3-4"


def test_words_before_the_opinion_are_not_the_courts() -> None:
    assert voice_words("front") == "front matter, not the Court's words"
    assert voice_words("unattributed, footnote 3") == "an appendix or a footnote of no known opinion, footnote 3"
    assert voice_words("dissent (Quist, J.), footnote 2") == "dissent (Quist, J.), footnote 2"


def test_a_book_without_claims_makes_a_page() -> None:
    assert "0 claims" in trace_page(TraceBook(title="nothing", kind="verify", opinions={}, traces=()))
