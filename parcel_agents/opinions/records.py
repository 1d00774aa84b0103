"""JSON records of opinions: CourtListener's API, static.case.law, and any object with a field `text`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from parcel_agents.errors import OpinionError
from parcel_agents.opinions.captions import name_of
from parcel_agents.opinions.characters import clean
from parcel_agents.opinions.markup import OPINION_KINDS, stated_author
from parcel_agents.types import PartKind

_HTML_FIELDS = (
    "html_with_citations",
    "html",
    "html_lawbox",
    "html_columbia",
    "html_anon_2020",
    "xml_harvard",
)
_TEXT_FIELDS = ("text", "plain_text", "opinion", "decision")
_DESCRIBING = {
    "name": ("name_abbreviation", "name", "case_name", "caseName", "case_name_full", "case_name_short"),
    "court": ("court", "court_name", "court_full_name"),
    "date": ("decision_date", "date", "date_filed", "dateFiled"),
    "author": ("author", "author_str"),
}
# CourtListener's `type`, such as 040dissent; the combined ones hold several voices and say nothing.
_KINDS: tuple[tuple[str, PartKind], ...] = (
    ("concurrenceinpart", "mixed"),
    ("concurrence", "concurrence"),
    ("dissent", "dissent"),
    ("unanimous", "majority"),
    ("unamimous", "majority"),  # as the API spells it
    ("lead", "majority"),
    ("plurality", "plurality"),
    ("remittitur", "majority"),
    ("rehearing", "majority"),
    ("onthemerits", "majority"),
    ("onmotiontostrike", "majority"),
    ("addendum", "unknown"),
    ("trialcourt", "unknown"),
)
_HTML_START = re.compile(
    r"\s*<(?:!doctype|\?xml|html|head|body|opinion|casebody|section|article|div|p|pre|center|table|h\d|case)\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"https?://")
_OFFICIAL_FIRST = ("official", "nominative", "parallel")
# CourtListener numbers the kinds of its citations: federal and state reporters, then others.
_NEUTRAL_TYPE = 8


@dataclass(frozen=True)
class Section:
    """One text of a record: an opinion, or what stands before them all."""

    text: str
    suffix: str
    """The file ending whose reader the text is for."""
    kind: PartKind | None = None
    author: str | None = None


@dataclass(frozen=True)
class Record:
    """The texts of a decision with what its record says of it."""

    sections: Sequence[Section]
    fields: Mapping[str, str] = field(default_factory=dict)


def read_record(source: str, where: str) -> Record:
    """The texts and the description in a JSON object; markup is preferred to plain text.

    Raises:
        OpinionError: the source is not JSON, is no object or holds no text; `where` names it in the message.
    """
    data = _parse(source, where)
    if isinstance(data, list) and len(data) == 1:
        data = data[0]
    if not isinstance(data, dict):
        raise OpinionError(f"{where}: is no JSON object; give an object with a field 'text' or 'html'")
    if (results := data.get("results")) and isinstance(results, list):
        if len(results) > 1:
            raise OpinionError(f"{where}: holds {len(results)} records; save the one of your decision by itself")
        data = results[0] if isinstance(results[0], dict) else data
    fields = _fields(data)
    if sections := _case_sections(data) or _cluster_sections(data, where):
        return Record(sections, fields)
    if section := _section(data):
        return Record([section], fields)
    raise OpinionError(f"{where}: has no text in a field 'text' or 'html'; its fields are {sorted(data)[:30]}")


def html_suffix(text: str, suffix: str) -> str:
    """`.html` for text that begins like a page of HTML whatever its file is called, else the suffix."""
    return ".html" if suffix == ".txt" and _HTML_START.match(text) else suffix


def _parse(source: str, where: str) -> Any:
    try:
        return json.loads(source)
    except json.JSONDecodeError as error:
        raise OpinionError(
            f"{where}: line {error.lineno}: is not JSON ({error.msg}); correct it, or name a text file .txt"
        ) from error
    except (RecursionError, ValueError) as error:
        raise OpinionError(
            f"{where}: is JSON nested too deeply or with too long a number; give an object with a field 'text'"
        ) from error


def _section(data: Mapping[str, Any]) -> Section | None:
    """The text of one opinion with whose it is."""
    for keys, suffix in ((_HTML_FIELDS, ".html"), (_TEXT_FIELDS, ".txt")):
        for key in keys:
            if text := _string(data, key):
                return Section(text, html_suffix(text, suffix), _kind(data), _author(data))
    return None


def _case_sections(data: Mapping[str, Any]) -> list[Section]:
    """The head matter and the opinions of a record of static.case.law, also in the form of the older API."""
    body = data.get("casebody")
    if isinstance(body, dict) and "data" in body:
        body = body["data"]
    if isinstance(body, str) and body.strip():
        return [Section(body, html_suffix(body, ".txt"))]
    if not isinstance(body, dict) or not isinstance(body.get("opinions"), list):
        return []
    opinions = [section for one in body["opinions"] if isinstance(one, dict) and (section := _section(one))]
    head = _string(body, "head_matter")
    # A blank line between paragraphs, where the record sets one line for each.
    front = [Section(head.replace("\n", "\n\n"), ".txt", "front")] if head else []
    return [*front, *(_paragraphs(section) for section in opinions)] if opinions else []


def _paragraphs(section: Section) -> Section:
    return replace(section, text=section.text.replace("\n", "\n\n")) if section.suffix == ".txt" else section


def _cluster_sections(data: Mapping[str, Any], where: str) -> list[Section]:
    """The opinions of a cluster of CourtListener's API.

    Raises:
        OpinionError: the cluster names its opinions by links alone.
    """
    opinions = data.get("sub_opinions") or data.get("opinions")
    if not isinstance(opinions, list) or not opinions or _section(data):
        return []
    links = [one for one in opinions if isinstance(one, str)]
    sections = [section for one in opinions if isinstance(one, dict) and (section := _section(one))]
    if not sections and links:
        raise OpinionError(
            f"{where}: is a cluster that only links to its opinions; fetch and save {', '.join(links[:9])}"
        )
    if not sections:
        raise OpinionError(f"{where}: its opinions have no text; fetch their 'html_with_citations' or 'plain_text'")
    own = [section for section in sections if section.kind is not None]
    # A combined text repeats the opinions that the cluster also gives one by one.
    if any(section.kind == "majority" for section in own):
        return own
    combined = [section for section in sections if section.kind is None]
    return combined[:1] or own


def _string(data: Mapping[str, Any], key: str) -> str | None:
    value = data.get(key)
    return value if isinstance(value, str) and value.strip() else None


def _fields(data: Mapping[str, Any]) -> dict[str, str]:
    """The describing fields; a link to another record of the API describes nothing."""
    cluster = data.get("cluster")
    sources = [data, *([cluster] if isinstance(cluster, dict) else [])]
    for one in list(sources):
        docket = one.get("docket")
        sources += [docket] if isinstance(docket, dict) else []
    fields = {}
    for name, keys in _DESCRIBING.items():
        values = (_described(source, key) for source in sources for key in keys)
        if value := next((value for value in values if value and not _LINK.match(value)), None):
            fields[name] = " ".join(clean(value).split())
    if citation := next((cite for source in sources if (cite := _citation(source))), None):
        fields["citation"] = clean(citation).strip()
    if "name" in fields and not _string(data, "name_abbreviation"):
        fields["name"] = name_of(fields["name"]) or fields["name"] if len(fields["name"]) > 100 else fields["name"]
    if author := fields.pop("author", None):
        fields |= {"author": named} if (named := stated_author(author)) else {}
    if court := fields.get("court"):
        fields["court"] = court.removesuffix(".")
    return fields


def _described(data: Mapping[str, Any], key: str) -> str | None:
    """A field's words; a court may be a record itself."""
    value = data.get(key)
    if isinstance(value, dict):
        return _string(value, "full_name") or _string(value, "name") or _string(value, "name_full")
    return _string(data, key)


def _citation(data: Mapping[str, Any]) -> str | None:
    """The citation a lawyer would use: as the record states it, the official one, a reporter's before a number."""
    if value := _string(data, "citation"):
        return value
    listed = data.get("citations") or data.get("citation")
    if not isinstance(listed, list):
        return None
    cites = [(_rank(one), index, cite) for index, one in enumerate(listed) if (cite := _cite(one))]
    cites = [ranked for ranked in cites if ranked[0] <= _NEUTRAL_TYPE]
    return min(cites)[2] if cites else None


def _cite(one: Any) -> str | None:
    if isinstance(one, str):
        return one.strip() or None
    if not isinstance(one, dict):
        return None
    if cite := _string(one, "cite"):
        return cite
    pieces = [str(one.get(key) or "").strip() for key in ("volume", "reporter", "page")]
    return " ".join(pieces) if all(pieces) else None


def _rank(one: Any) -> int:
    kind = one.get("type") if isinstance(one, dict) else None
    if isinstance(kind, str):
        return _OFFICIAL_FIRST.index(kind) if kind in _OFFICIAL_FIRST else len(_OFFICIAL_FIRST)
    if isinstance(kind, int):
        # Lexis and Westlaw have the two numbers before that of neutral citations.
        return kind if kind not in {_NEUTRAL_TYPE - 2, _NEUTRAL_TYPE - 1} else _NEUTRAL_TYPE + 1
    return 0


def _author(data: Mapping[str, Any]) -> str | None:
    for key in ("author", "author_str"):
        value = _described(data, key)
        if value and not _LINK.match(value):
            return stated_author(value)
    return None


def _kind(data: Mapping[str, Any]) -> PartKind | None:
    stated = (_string(data, "type") or "").strip().lower()
    if kind := OPINION_KINDS.get(re.sub(r"[\s_]+", "-", stated)):
        return kind
    named = re.sub(r"[^a-z]", "", stated)
    return next((kind for word, kind in _KINDS if word in named), None)
