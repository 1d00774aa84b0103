"""The authorities that a text names: cases by name or reporter cite, statutes and rules by section."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

AuthorityKind = Literal["case", "cite", "statute"]

_WORD = r"[A-Z][\w'’&.-]*"
_PARTY = rf"{_WORD}(?:(?: (?:of|the|de|la|von|van|for|ex rel\.|&))* {_WORD}){{0,6}}"
_CASE = re.compile(rf"\b(?P<first>{_PARTY}) vs?\.? (?P<second>{_PARTY})")
_MATTER = re.compile(rf"\b(?:Matter of|In re|Ex parte) (?P<first>{_PARTY})")
# "CPL 30.30 (1)", "Penal Law § 120.05", "42 USC § 1983", "22 NYCRR 1250.2", "Judiciary Law article 7-A"
_STATUTE = re.compile(
    r"\b(?P<code>(?:[A-Z][\w&.,-]* (?:(?:and|of|the) )?){0,6}"
    r"(?:Law|Code|Act|Rules?|Const|CPL|CPLR|USC|U\.S\.C\.|NYCRR|CFR|C\.F\.R\.))"
    r",?(?: §§?| sections?| art(?:icle)?\.?| [Rr]ules?)? ?(?P<section>\d[\d.:]*(?:-[a-zA-Z0-9]+)?)"
)
_SECTION = re.compile(r"(?:§§? ?|\b[Ss]ections? )(?P<section>\d[\d.:]*(?:-[a-zA-Z0-9]+)?)")
# Volume, reporter and page, with pins and the bracket that holds court and year.
_CITE = re.compile(
    r"\b\d{1,4} [A-Z][\w.]*(?: ?[A-Z0-9][\w.]*)? \d{1,5}(?:,? (?:at )?\d+(?:[-–]\d+)?)*"
    r"(?: ?[\[(][^\[\]()]*\b\d{4}[\])])?"
)
# Parties that stand in too many names to tell one case from another.
_COMMON_PARTIES = re.compile(
    r"(?:The )?(?:People(?: of the State of New York)?|State(?: of [A-Z]\w+(?: \w+)?)?|United States(?: of America)?"
    r"|Commonwealth(?: of [A-Z]\w+)?|City of New York|Matter|U\.?S\.?"
    r"|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois"
    r"|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri"
    r"|Montana|Nebraska|Nevada|New (?:Hampshire|Jersey|Mexico|York)|(?:North|South) (?:Carolina|Dakota)|Ohio|Oklahoma"
    r"|Oregon|Pennsylvania|Rhode Island|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin"
    r"|Wyoming)$"
)
# A full stop behind a whole word ends the sentence and the name; behind `Co` or `Inc` it does not.
_SENTENCE_END = re.compile(r"(?<=[a-z]{4})\.\s")
# Words before a name that belong to the sentence: "Under Rowe v Smith", "See ..."
_LEADING = re.compile(r"^(?:(?:See|Under|In|And|The|As|Citing|Following|Quoting|Distinguishing|Overruling|Both) )+")


@dataclass(frozen=True)
class Authority:
    """An authority as a text names it."""

    kind: AuthorityKind
    text: str
    """The words in the text."""
    key: str
    """What must occur in another text for it to name the same authority: the telling party, cite or section."""


def find_authorities(text: str) -> list[Authority]:
    """The authorities a text names, each once, in order of kind: cases, reporter cites, statutes."""
    found = [*_cases(text), *_cites(text), *_statutes(text)]
    first: dict[tuple[str, str], Authority] = {}
    for authority in found:
        first.setdefault((authority.kind, authority.key), authority)
    return list(first.values())


def names_authority(text: str, authority: Authority) -> bool:
    """True if the text names the authority, by its telling party, its cite or its section."""
    if authority.kind == "cite":
        return re.search(_spaced(authority.key), text, re.IGNORECASE) is not None
    words = [re.escape(word) for word in re.findall(r"[\w.:-]+", authority.key)]
    pattern = r"[\W_]{0,3}".join(words)
    return re.search(rf"(?<![\w.]){pattern}(?![\w]|\.\d)", text, re.IGNORECASE) is not None


def without_citations(text: str) -> str:
    """The text without reporter cites and statutes' sections, whose numbers count nothing."""
    for pattern in (_CITE, _STATUTE, _SECTION):
        text = pattern.sub(" ", text)
    return text


def _cases(text: str) -> list[Authority]:
    found = []
    for match in _CASE.finditer(text):
        first = _LEADING.sub("", match["first"]).rstrip(".,")
        second = _SENTENCE_END.split(match["second"])[0].rstrip(".,")
        first = re.sub(r"^People ex rel\. ", "", first)
        telling = second if _COMMON_PARTIES.match(first) else first
        found.append(Authority("case", f"{first} v {second}", telling))
    for match in _MATTER.finditer(text):
        found.append(Authority("case", match.group(), match["first"].rstrip(".,")))
    return found


def _cites(text: str) -> list[Authority]:
    if not re.search(r"\d [A-Z][\w.]* ?\d* \d", text):
        return []
    # Loading the reporters' tables takes most of a second, and most claims hold no cite.
    from eyecite import get_citations
    from eyecite.models import FullCaseCitation

    cites = [c for c in get_citations(text) if isinstance(c, FullCaseCitation)]
    texts = [str(cite.token) for cite in cites]
    return [Authority("cite", text, text) for text in texts]


def _statutes(text: str) -> list[Authority]:
    found = [Authority("statute", m.group().strip(), m["section"].rstrip(".:")) for m in _STATUTE.finditer(text)]
    return found + [Authority("statute", m.group(), m["section"].rstrip(".:")) for m in _SECTION.finditer(text)]


def _spaced(cite: str) -> str:
    """A pattern for a cite however its reporter is spaced and dotted; its numbers stand alone."""
    volume, *reporter, page = re.findall(r"\d+|[^\W\d_]", cite)
    gap = r"[\W_]*"
    return rf"(?<!\d){volume}{gap}{gap.join(reporter)}{gap}(?<!\d){page}(?!\d)"
