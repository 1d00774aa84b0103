"""What typed elements mean in the collections of free law.

Known are Harvard's XML and the HTML made of it (static.case.law), CourtListener's and public.resource.org's pages.
The first name their elements by tag or `data-type`, the others by class.
"""

from __future__ import annotations

import re

from lxml import etree
from lxml import html as lxml_html

from parcel_agents.opinions.headings import separate_head
from parcel_agents.opinions.judges import tidy_author
from parcel_agents.opinions.openings import author_of, delivering_author, is_author_line
from parcel_agents.types import PartKind

_TAGS = frozenset(
    "attorneys author citation correction corrections court decisiondate disposition docketnumber footnote headnotes"
    " history opinion otherdate parties seealso summary syllabus".split()
)
_CLASSES = _TAGS | frozenset("case_cite citations date docket head-matter judges prelims".split())
# A page of any other site may call its parts by these words; there they stand on other elements.
_CARRIERS = frozenset("p h4 section article aside div".split())
_FRONT_ROLES = frozenset(
    "attorneys case_cite citation citations correction corrections court date decisiondate docket docketnumber"
    " head-matter headnotes history otherdate parties prelims seealso summary syllabus".split()
)
_FIELDS = {
    "parties": "name",
    "court": "court",
    "decisiondate": "date",
    "otherdate": "date",
    "date": "date",
    "case_cite": "citation",
    "citation": "citation",
    "citations": "citation",
}
OPINION_KINDS: dict[str, PartKind] = {
    "majority": "majority",
    "lead": "majority",
    "plurality": "majority",
    "unanimous": "majority",
    "remittitur": "majority",
    "rehearing": "majority",
    "on-the-merits": "majority",
    "on-motion-to-strike-cost-bill": "majority",
    "concurrence": "concurrence",
    "concurring": "concurrence",
    "concurring-in-part-and-dissenting-in-part": "mixed",
    "dissent": "dissent",
    "dissenting": "dissent",
    "minority": "dissent",
    "addendum": "unknown",
    "unprocessed": "unknown",
    "trial-court": "unknown",
}
_FORM = re.compile(
    r"<(?:casebody|opinion|parties|decisiondate|docketnumber)\b|\b(?:casebody|head-matter|case_cite|prelims)\b[\"' >]"
    r"|<article\b[^<>]*\bdata-type=",
    re.IGNORECASE,
)
_AUTHOR_END = re.compile(
    r",? (?:with whom|delivered|after stating|having stated|joined by"
    r"|(?:specially |respectfully )?(?:concurring|dissenting))\b|\n"
)
_COLLECTIVE = re.compile(r"\W*(?:per curiam|by the court|memorandum)\b", re.IGNORECASE)
_SEVERAL = re.compile(r"(?:Before|Present|Panel|Argued)\b", re.IGNORECASE)
_TITLE = re.compile(r"\b(?:Justice|Judge|JUSTICE|JUDGE)\b|\bJ\.")
_MAX_AUTHOR = 80
_SPACES = re.compile(r"\s+")


def is_typed(source: str) -> bool:
    """True for a page in the form of one of the collections."""
    return _FORM.search(source) is not None


def role(element: lxml_html.HtmlElement) -> str | None:
    """What an element holds: `opinion`, `author`, `parties`, ...; None where its type says nothing."""
    named = (element.get("data-type") or "").strip().lower()
    if element.tag in _TAGS:
        return str(element.tag)
    classes = set((element.get("class") or "").lower().split())
    if element.tag in {"article", "section", "div"} and "opinion" in classes:
        return "opinion" if element.tag == "article" or element.get("data-type") or element.get("type") else None
    if named in _TAGS and element.tag in _CARRIERS:
        return named
    found = classes & _CLASSES if element.tag in _CARRIERS else set()
    return min(found) if found else None


def is_front(role: str | None) -> bool:
    """True for what is about the case, or the publisher's, and never an opinion's own words."""
    return role in _FRONT_ROLES


def field_of(role: str | None) -> str | None:
    """The describing field that an element of this role states."""
    return _FIELDS.get(role or "")


def opinion_kind(element: lxml_html.HtmlElement) -> PartKind | None:
    """Whose voice an opinion's element holds; None where it does not say or holds several."""
    named = element.get("type") or element.get("category") or element.get("data-type") or ""
    return OPINION_KINDS.get(re.sub(r"[\s_]+", "-", named.strip().lower()))


def opinion_author(element: lxml_html.HtmlElement) -> str | None:
    """The author whom an opinion's element states."""
    for inner in element.iter():
        if isinstance(inner.tag, str) and inner is not element:
            if role(inner) == "opinion":
                return None
            if role(inner) == "author":
                return stated_author(lines(inner))
    return None


def stated_author(text: str) -> str | None:
    """The judge in words that a source gives as the author; None for nobody in particular or half a line."""
    text = re.sub(r"(?<=[a-z.A-Z])(?=delivered the )", " ", " ".join(text.split())).lstrip("¶ 0123456789*[]")
    if _COLLECTIVE.match(text):
        return None
    if head := separate_head(text):
        return head.author
    if author := delivering_author(text) or author_of(text):
        return author
    if is_author_line(text) or not text or _SEVERAL.match(text):
        return None
    if text.endswith(",") and not _TITLE.search(text):
        return None  # the office follows in another element
    name = re.sub(r"^(?:Opinion (?:of the Court )?by|Author:)[: ]+", "", text, flags=re.IGNORECASE)
    name = _AUTHOR_END.split(name)[0].strip(" :;,")
    return tidy_author(name) if 1 < len(name) <= _MAX_AUTHOR else None


def lines(element: lxml_html.HtmlElement) -> str:
    """The element's text, a line for each line break, without page marks and footnote calls."""
    pieces: list[str] = []
    steps = etree.iterwalk(element, events=("start", "end", "comment", "pi"))
    for event, inner in steps:
        if event == "start" and _skips(inner):
            steps.skip_subtree()
        elif event == "start":
            pieces.append("\n" if inner.tag == "br" else _SPACES.sub(" ", inner.text or ""))
        elif inner is not element:
            pieces.append(_SPACES.sub(" ", inner.tail or ""))
    return "\n".join(" ".join(line.split()) for line in "".join(pieces).split("\n")).strip()


def _skips(node: lxml_html.HtmlElement) -> bool:
    classes = set((node.get("class") or "").split())
    marks = {"page-label", "page-number", "star-pagination", "footnotemark", "bracketnum"}
    return node.tag in {"page-number", "footnotemark", "bracketnum", "sup"} or bool(classes & marks)
