"""How well files are described: name, citation, court, date, author and parts against what a person read in them.

Fields compare as a lawyer would: names by both parties, dates as dates, courts by their words in any order.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

from parcel_agents.errors import InputError, ParcelError
from parcel_agents.types import Opinion

EXPECTED = "expected.jsonl"
FIELDS = ("name", "citation", "court", "date", "author", "parts")

_WORD = re.compile(r"[^\W_]+")
_VERSUS = re.compile(r"\s+(?:v|vs|versus|against)\.?\s+", re.IGNORECASE)
_LEAD_IN = re.compile(
    r"(?:in re|in (?:the )?matter of|in (?:the )?interest of|ex parte|matter of)\b:?\s*", re.IGNORECASE
)
_PARTY_NOISE = frozenset("the a an et al of and co company corp corporation inc llc ltd lp na as ex rel".split())
_COURT_NOISE = frozenset("of the for in at s circuit department".split())
_NUMBERS = frozenset("1 2 3 4 5 6 first second third fourth fifth sixth seventh eighth ninth tenth eleventh dc".split())
_COUNTRY = frozenset("united states state".split())
_SEATS = frozenset("appellate judicial district division salem middlesex".split())
_COUNTY = re.compile(r",? [\w ]+ County\b", re.IGNORECASE)
_DATE_FORMS = ("%Y-%m-%d", "%m-%d-%Y", "%m/%d/%Y", "%m/%d/%y", "%B %d %Y", "%b %d %Y", "%d %B %Y", "%d %b %Y")


@dataclass(frozen=True)
class Expected:
    """What a person read in one file; a list holds values of which any is right, None that the file does not say."""

    file: str
    kind: str
    values: dict[str, Any]


@dataclass
class FilesReport:
    """How many (file, field) pairs are right, in all and by kind of source."""

    right: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    by_kind_right: Counter[str] = field(default_factory=Counter)
    by_kind_asked: Counter[str] = field(default_factory=Counter)
    files: int = 0
    misses: list[str] = field(default_factory=list)

    def count(self, row: Expected, found: dict[str, Any]) -> None:
        """Compare one file."""
        self.files += 1
        for name, wanted in row.values.items():
            is_right = agrees(name, found.get(name), wanted)
            self.asked[name] += 1
            self.by_kind_asked[row.kind] += 1
            self.right[name] += is_right
            self.by_kind_right[row.kind] += is_right
            if not is_right:
                self.misses.append(f"{row.file}: {name}: expected {wanted!r}, found {found.get(name)!r}")

    def row(self) -> dict[str, Any]:
        """The metrics as a JSON object: shares with counts."""
        total = sum(self.asked.values())
        right = sum(self.right.values())
        shares = {name: _share(self.right[name], self.asked[name]) for name in FIELDS if self.asked[name]}
        kinds = {kind: _share(self.by_kind_right[kind], asked) for kind, asked in sorted(self.by_kind_asked.items())}
        return {"files": self.files, "all": _share(right, total), **shares, "by_kind": kinds}


def read_expected(folder: Path) -> list[Expected]:
    """The rows of the folder's `expected.jsonl`.

    Raises:
        InputError: there is no such file, or a line is not an object with `file` and `kind`.
    """
    path = folder / EXPECTED
    if not path.is_file():
        raise InputError(f"{folder}: has no {EXPECTED}; give a folder of opinions with that file")
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{path}: line {number}: is not JSON ({error.msg})") from error
        if not isinstance(data, dict) or not {"file", "kind"} <= set(data):
            raise InputError(f"{path}: line {number}: needs the fields 'file' and 'kind'")
        rows.append(Expected(data["file"], data["kind"], {name: data[name] for name in FIELDS if name in data}))
    return rows


def measure_files(folder: Path, rows: Sequence[Expected], progress: Callable[[], None] = lambda: None) -> FilesReport:
    """Read each file and compare; a file that cannot be read counts as wrong in every field."""
    report = FilesReport()
    for row in rows:
        try:
            found = described(Opinion.load(folder / row.file))
        except ParcelError as error:
            found = dict.fromkeys(FIELDS, f"not read: {error}")
        report.count(row, found)
        progress()
    return report


def described(opinion: Opinion) -> dict[str, Any]:
    """What the reader found; the author is that of the Court's opinion."""
    own = [part for part in opinion.parts if part.footnote is None and part.kind not in {"front", "closing"}]
    author = next((part.author for part in own if part.kind == "majority"), None)
    return {
        "name": opinion.name,
        "citation": opinion.citation,
        "court": opinion.court,
        "date": opinion.date,
        "author": author,
        "parts": sorted({part.kind for part in own}),
    }


def agrees(name: str, found: Any, wanted: Any) -> bool:
    """True if a found value is what a person read, in other dress perhaps."""
    if name == "parts":
        return bool(found == sorted(wanted or []))
    if isinstance(wanted, list):
        return any(agrees(name, found, one) for one in wanted)
    if found is None or wanted is None:
        return found is wanted
    compare = _COMPARISONS[name]
    return compare(str(found), str(wanted))


def _same_name(found: str, wanted: str) -> bool:
    sides = [[_party(side) for side in _VERSUS.split(_LEAD_IN.sub("", text), maxsplit=1)] for text in (found, wanted)]
    if len(sides[0]) != len(sides[1]):
        return False
    return all(one and other and (one <= other or other <= one) for one, other in zip(*sides, strict=True))


def _party(text: str) -> frozenset[str]:
    words = frozenset(_words(text))
    return words - _PARTY_NOISE or words


def _same_citation(found: str, wanted: str) -> bool:
    return "".join(_words(found)) == "".join(_words(wanted))


def _same_court(found: str, wanted: str) -> bool:
    needed, given = (set(_words(_COUNTY.sub("", text))) - _COURT_NOISE for text in (wanted, found))
    # A lower district or the seat may be left out; a court of another rank or place may not.
    return needed - _COUNTRY <= given and given - needed <= _COUNTRY | _SEATS | _NUMBERS


def _same_date(found: str, wanted: str) -> bool:
    one, other = _day(found), _day(wanted)
    return one is not None and one == other


def _day(text: str) -> date | None:
    text = re.sub(r"[.,]", " ", text).replace("Sept ", "Sep ")
    text = " ".join(text.split())
    for form in _DATE_FORMS:
        try:
            return datetime.strptime(text, form).date()
        except ValueError:
            continue
    return None


def _same_author(found: str, wanted: str) -> bool:
    return set(_words(wanted)) <= set(_words(found))


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
    # Initials count as one word however they are set: "D. L." and "D.L.", "N.Y." and "NY".
    plain = re.sub(r"\b([a-z])\.\s?(?=[a-z]\b)", r"\1", plain).replace("'", "")
    return _WORD.findall(plain)


def _share(right: int, asked: int) -> str:
    return f"{right}/{asked} ({right / asked:.1%})" if asked else "-"


_COMPARISONS: dict[str, Callable[[str, str], bool]] = {
    "name": _same_name,
    "citation": _same_citation,
    "court": _same_court,
    "date": _same_date,
    "author": _same_author,
}
