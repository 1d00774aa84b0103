"""Every place where a text names a case, a reporter cite or a section of a law.

Places are found by whole words and told apart: a case by its full name, by a short one, or another case of the same
name; a cite, or a pin cite to its volume; a section of the law that is meant, of one not named there, of another law.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Literal

from parcel_agents.citations.quantities import find_numbers
from parcel_agents.tools.targets import COMMON_PARTY, Target, is_distinctive, same_law, section_context, squeeze
from parcel_agents.types import Span

Form = Literal[
    "full name",
    "short name",
    "part of the name",
    "another case",
    "cite",
    "pin cite",
    "section",
    "section, law not named",
    "another law",
    "words",
]
OTHER_FORMS: frozenset[str] = frozenset({"another case", "another law"})
"""Forms of places that only look like what is sought."""

_PHRASE = r"[A-Z][\w'’&.-]*(?:(?: (?:of|the|and|for|&|ex|rel\.|de|la|von|van))* [A-Z][\w'’&.-]*){0,6}"
_VERSUS_BEHIND = re.compile(rf"\.?(?: (?:of|the|for|&|[A-Z][\w'’&.-]*)){{0,5}}?,? vs?\.? (?P<party>{_PHRASE})")
_VERSUS_BEFORE = re.compile(rf"(?P<party>{_PHRASE}),? vs?\.? (?:Matter of )?$")
_SUBDIVISIONS = re.compile(r"(?:\s?[\[(][\w-]{1,5}[\])])+")
# A pin cite farther behind a case's first page than this belongs to another case of the volume.
_LONGEST_CASE = 150
# Words that begin too many names to find a case by one of them.
_GENERIC = frozenset(
    "matter state city county board town village new united first bank estate national american general people"
    " department dept commissioner commr court north south east west trust the".split()
)


class Mention(Span):
    """A place where a target is named, and how."""

    form: Form


def find_mentions(text: str, target: Target) -> list[Mention]:
    """The places of a target in a text, in order."""
    if target.kind == "cite":
        return sorted(chain(_cites(text, target), _pin_cites(text, target)), key=lambda mention: mention.start)
    if target.kind == "statute":
        return sorted(chain(_sections(text, target), _spelled_sections(text, target)), key=lambda m: m.start)
    found = list(_names(text, target, target.key))
    if found or target.kind == "words":
        return found
    for piece in _pieces(target):
        if found := [m.model_copy(update={"form": "part of the name"}) for m in _names(text, target, piece)]:
            return found
    return []


def _names(text: str, target: Target, name: str) -> Iterator[Mention]:
    for match in _name_pattern(name).finditer(text):
        left, right = text[max(0, match.start() - 100) : match.start()], text[match.end() : match.end() + 100]
        # "Rowan" is not in "Rowan-Smith"; in "Rowan-type hearing" it is.
        if not re.search(r"[A-Z]\w*-$", left) and not re.match(r"-[A-Z]", right):
            form = _name_form(target, re.sub(r"\s+", " ", left), re.sub(r"\s+", " ", right))
            yield Mention(start=match.start(), end=match.end(), form=form)


def _name_form(target: Target, left: str, right: str) -> Form:
    """How a case is named, by the other party beside it."""
    beside = _VERSUS_BEFORE.search(left) or _VERSUS_BEHIND.match(right)
    if beside is None:
        return "words" if target.kind == "words" else "short name"
    return "full name" if target.other is None or _same_party(target.other, beside["party"]) else "another case"


def _same_party(one: str, other: str) -> bool:
    """True if two names may be one party: a word of the one is a word of the other, or its abbreviation."""
    words = [[squeeze(word) for word in re.findall(r"[\w'’]{2,}", name)] for name in (one, other)]
    return any(_abbreviates(a, b) or _abbreviates(b, a) for a in words[0] for b in words[1])


def _abbreviates(short: str, long: str) -> bool:
    """True if the letters of the short word stand in the long one in order, the first in front: `commrs`."""
    if not short or short[0] != long[:1]:
        return False
    letters = iter(long)
    return short not in {"of", "the"} and all(letter in letters for letter in short)


def _pieces(target: Target) -> Iterator[str]:
    """Shorter forms of a name that is nowhere in full: its first two words, its first, the other party."""
    words = target.key.split()
    if len(words) > 2:
        yield " ".join(words[:2])
    if len(words) > 1 and len(words[0]) > 3 and squeeze(words[0]) not in _GENERIC:
        yield words[0]
    if target.other and not COMMON_PARTY.match(target.other) and squeeze(target.other.split()[0]) not in _GENERIC:
        yield target.other


def _name_pattern(name: str) -> re.Pattern[str]:
    """The name's words in order; a name written with capitals is not found in plain words, but in all capitals."""
    words = re.findall(r"[\w'’]+", name)
    patterns = [re.sub("['’]", "['’]", re.escape(word)) for word in words]
    if name != name.lower():
        patterns = [
            pattern if word.upper() == word else f"(?:{pattern}|{pattern.upper()})"
            for word, pattern in zip(words, patterns, strict=True)
        ]
    joined = r"[\W_]{0,3}".join(patterns)
    return re.compile(rf"(?<!\w){joined}(?!\w)", 0 if name != name.lower() else re.IGNORECASE)


def _cites(text: str, target: Target) -> Iterator[Mention]:
    volume, reporter, page = _cite_parts(target)
    for match in re.finditer(rf"(?<![\w.]){volume}\s+{reporter}\s+{page}(?!\w)", text, re.IGNORECASE):
        yield Mention(start=match.start(), end=match.end(), form="cite")


def _pin_cites(text: str, target: Target) -> Iterator[Mention]:
    volume, reporter, page = _cite_parts(target)
    pattern = rf"(?<![\w.]){volume}\s+{reporter},?\s+at\s+(?P<page>\d{{1,6}})(?:[-–]\d+)?(?!\w)"
    for match in re.finditer(pattern, text, re.IGNORECASE):
        if int(page) <= int(match["page"]) <= int(page) + _LONGEST_CASE:
            yield Mention(start=match.start(), end=match.end(), form="pin cite")


def _cite_parts(target: Target) -> tuple[str, str, str]:
    """Volume, pattern of the reporter, and page: `NY3d`, `N.Y.3d` and `N. Y. 3d` are one."""
    volume, *reporter, page = target.key.split()
    return volume, r"[.\s]*".join(re.escape(char) for char in squeeze("".join(reporter))) + r"\.?", page


def _sections(text: str, target: Target) -> Iterator[Mention]:
    for match in re.finditer(rf"(?<![\w.$]){re.escape(target.key)}(?!\w|\.\d|-[a-zA-Z]\b|%)", text):
        context = section_context(text, match.start(), match.end())
        if not context.marked and not is_distinctive(target.key):
            continue
        form: Form = "section"
        if target.other and context.law:
            form = "section" if same_law(target.other, context.law) else "another law"
        elif target.other:
            form = "section, law not named"
        behind = _SUBDIVISIONS.match(text, match.end())
        yield Mention(start=match.start(), end=behind.end() if behind else match.end(), form=form)


def _spelled_sections(text: str, target: Target) -> Iterator[Mention]:
    """Sections in words, as statutes name them: "required by section nine"."""
    if not target.key.isdigit():
        return
    for number in find_numbers(text):
        if number.text[0].isalpha() and number.value == int(target.key):
            marked = re.search(r"\b[Ss]ections?\s$", text[max(0, number.start - 12) : number.start])
            if marked:
                end = number.start + len(number.text)
                yield Mention(start=number.start, end=end, form="section, law not named")
