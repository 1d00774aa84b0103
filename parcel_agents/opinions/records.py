"""JSON records of opinions: CourtListener's API and files in its image, or any object with a field `text`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from parcel_agents.errors import OpinionError
from parcel_agents.opinions.characters import clean
from parcel_agents.types import PartKind

_HTML_FIELDS = ("html_with_citations", "html", "html_lawbox", "html_columbia", "xml_harvard")
_TEXT_FIELDS = ("text", "plain_text", "opinion", "decision")
_DESCRIBING = {
    "name": ("name", "case_name"),
    "citation": ("citation",),
    "court": ("court",),
    "date": ("date", "date_filed"),
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
)
_HTML_START = re.compile(r"\s*<(?:!doctype|\?xml|html|head|body|opinion|div|p|pre|center|table|h\d)\b", re.IGNORECASE)
_LINK = re.compile(r"https?://")


@dataclass(frozen=True)
class Record:
    """The text of an opinion with what its record says of it."""

    text: str
    suffix: str
    """The file ending whose reader the text is for."""
    fields: Mapping[str, str]
    kind: PartKind | None


def read_record(source: str, where: str) -> Record:
    """The opinion's text and description in a JSON object; markup is preferred to plain text.

    Raises:
        OpinionError: the source is not JSON, is no object or holds no text; `where` names it in the message.
    """
    data = _parse(source, where)
    if not isinstance(data, dict):
        raise OpinionError(f"{where}: is no JSON object; give an object with a field 'text' or 'html'")
    for keys, suffix in ((_HTML_FIELDS, ".html"), (_TEXT_FIELDS, ".txt")):
        for key in keys:
            if text := _string(data, key):
                return Record(text, html_suffix(text, suffix), _fields(data), _kind(data))
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


def _string(data: Mapping[str, Any], key: str) -> str | None:
    value = data.get(key)
    return value if isinstance(value, str) and value.strip() else None


def _fields(data: Mapping[str, Any]) -> dict[str, str]:
    """The describing fields; a link to another record of the API describes nothing."""
    fields = {}
    for field, keys in _DESCRIBING.items():
        values = (_string(data, key) for key in keys)
        if value := next((value for value in values if value and not _LINK.match(value)), None):
            fields[field] = clean(value).strip()
    return fields


def _kind(data: Mapping[str, Any]) -> PartKind | None:
    named = re.sub(r"[^a-z]", "", (_string(data, "type") or "").lower())
    return next((kind for word, kind in _KINDS if word in named), None)
