"""Opinions from elsewhere: what a firm's document system or a reporter's API has of the decisions that are cited.

Nothing that a source gives is believed: it is shelved and matched as files are, and only what is certainly the decision
that was asked for counts. A source that fails or has nothing never stops a check; the match says what happened.
"""

from __future__ import annotations

import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, cast

from pydantic import SecretStr

from parcel_agents.briefs.cited import authority_of, cited_decisions, decision_key, full_authority
from parcel_agents.briefs.plain_cites import is_blank
from parcel_agents.briefs.shelf import Authority, Match, Shelf, Shelved, begins_there, shelve
from parcel_agents.citations.harvest import harvest
from parcel_agents.citations.model import Citation
from parcel_agents.config import Config
from parcel_agents.providers.secrets import redact
from parcel_agents.registry import SOURCES
from parcel_agents.types import Opinion

KEPT_OPINIONS = 200
"""How many of the opinions that a source gave stay in memory."""
_SHOWN = 200
"""Characters of an error."""
_SECRETS = (
    re.compile(r"(://)[^/\s@]+(?=@)"),
    re.compile(r"(\S\?)[^\s)]+"),
    re.compile(
        r"([\w-]*(?:key|token|secret|passw\w*|pwd|cookie|session|authorization)['\"]?\s*[=:\s]\s*['\"]?(?:(?:basic|bearer)\s+)?)"
        r"\S+",
        re.IGNORECASE,
    ),
)
"""What errors may repeat: who asks and what is asked, in an address, and what is said to be secret."""

_log = logging.getLogger(__name__)


class OpinionSource(Protocol):
    """Gives the opinion of a decision that is not among the files.

    One call at a time comes to a source, in a thread that need not be the one that made it. Nobody can end a call, so
    it must have a time limit of its own. An exception is taken for "could not be asked", and is never raised further.
    What it found is kept and not asked for again. A source with an attribute `own_files` that is true gives files that
    the user keeps and names: they are believed as files at hand are, and looked for again each time.
    """

    @property
    def name(self) -> str:
        """The name in the configuration."""
        ...

    def fetch(self, authority: Authority) -> Sequence[Opinion]:
        """The opinions that it has of this decision, usually one or none; made by `parse_opinion` or `Opinion.load`."""
        ...


class AskedSource:
    """A source at work: asked by one thread at a time, and once for each authority that it has."""

    def __init__(self, source: OpinionSource, *, hidden: Iterable[str] = ()) -> None:
        """Take a source, and words that its errors must not show."""
        self.name = source.name
        self._source = source
        self._own_files = bool(getattr(source, "own_files", False))
        self._hidden = [SecretStr(word) for word in hidden]
        self._kept: OrderedDict[Authority, Match] = OrderedDict()
        self._lock = threading.Lock()

    def fetch(self, authority: Authority) -> Sequence[Opinion]:
        """What the source itself gives."""
        return self._source.fetch(authority)

    def match(self, authority: Authority) -> Match:
        """The opinion of the authority, or why this source has none; it raises nothing."""
        with self._lock:
            if authority in self._kept:
                self._kept.move_to_end(authority)
                return self._kept[authority]
            match = self._ask(authority)
            if match.status == "at_hand" and not self._own_files:
                self._kept[authority] = match
                while len(self._kept) > KEPT_OPINIONS:
                    self._kept.popitem(last=False)
            return match

    def _ask(self, authority: Authority) -> Match:
        try:
            return match_given(self.name, authority, self._source.fetch(authority), own_files=self._own_files)
        except Exception as error:  # noqa: BLE001 - whatever another package raises, the claim is one without opinion
            _log.debug("the source %s could not be asked", self.name, exc_info=True)
            return Match("not_at_hand", f"the source {self.name} could not be asked ({self._told(error)})")

    def _told(self, error: Exception) -> str:
        """The class of an error and the first line of its text, without secrets."""
        # The system's errors name the file.
        text = error.strerror or "" if isinstance(error, OSError) and error.filename is not None else str(error)
        first = next(iter(text.strip().splitlines()), "")
        plain = redact(first, self._hidden)
        for secret in _SECRETS:
            plain = secret.sub(r"\1***", plain)
        return ": ".join(part for part in (type(error).__name__, plain[:_SHOWN]) if part)


@dataclass(frozen=True)
class SourcedShelf(Shelf):
    """Files, and what sources said of authorities that are not among them."""

    told: Mapping[Authority, Match] = field(default_factory=dict)

    def match(self, authority: Authority) -> Match:
        """As for files; for an authority that sources were asked for, what came of it."""
        return self.told.get(authority) or super().match(authority)


def make_sources(config: Config) -> tuple[OpinionSource, ...]:
    """The sources that the settings name, in their order; make them once, since they remember what they gave.

    Raises:
        ConfigError: a name has no table, a kind is unknown, or it does not take these settings.
    """
    made = []
    for name, table in config.get_sources().items():
        source = cast(OpinionSource, SOURCES.create(table.kind, **{**table.settings, "name": name}))
        hidden = list(_strings(table.settings))
        made.append(AskedSource(source, hidden=hidden))
    return tuple(made)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _strings(each)


def asked_sources(sources: Iterable[OpinionSource]) -> tuple[AskedSource, ...]:
    """Sources that remember what they gave; those that do already stay as they are."""
    return tuple(one if isinstance(one, AskedSource) else AskedSource(one) for one in sources)


def authorities_of(citations: Sequence[Citation]) -> tuple[Authority, ...]:
    """What `match_claims` asks a shelf for: each decision that is cited, also by a second name that it is given."""
    cited = cited_decisions(citations)
    renamed = [
        authority_of(found, citations)
        for found in harvest(citations)
        if (first := cited.get(decision_key(found.cite, found.name, found.year))) and found.name != first.name
    ]
    return tuple(dict.fromkeys([*map(full_authority, cited.values()), *renamed]))


def with_sources(
    shelf: Shelf,
    authorities: Iterable[Authority],
    sources: Iterable[OpinionSource],
    progress: Callable[[], None] = lambda: None,
) -> Shelf:
    """The shelf, and for each authority that is not at hand what the first source that has it gave.

    An authority that files come near is not asked for, since a person has to say which is meant; nor is one without a
    cite, since a name alone is too little where nobody knows how many decisions bear it.

    Args:
        shelf: the files at hand, which win over sources.
        authorities: the decisions that will be asked for.
        sources: in the order in which they are asked.
        progress: called after each authority.
    """
    asked = asked_sources(sources)
    if not asked:
        return shelf
    told: dict[Authority, Match] = {}
    taken = {one.file: one.opinion.id for one in shelf.files}
    for authority in authorities:
        match = shelf.match(authority)
        if match.status == "not_at_hand":
            told[authority] = _apart(_first(match, authority, asked), taken)
        progress()
    return SourcedShelf(shelf.files, shelf.unreadable, told)


def match_given(name: str, authority: Authority, given: object, *, own_files: bool = False) -> Match:
    """Whether what a source gave is the authority, matched as files are; `not_at_hand` with the reason if not.

    Args:
        name: the source's name.
        authority: what it was asked for.
        given: what it gave, whatever that is.
        own_files: True for files that the user keeps and names.
    """
    if fault := _fault(given):
        return Match("not_at_hand", f"the source {name} gave {fault}")
    shelf = Shelf(tuple(_shelved(one, own_files) for one in cast(Sequence[Opinion], given)), ())
    if not shelf.files:
        return Match("not_at_hand", f"the source {name} has none")
    match = shelf.match(authority)
    if match.shelved is not None and not own_files and not _is_certain(authority, match.shelved):
        shown = "which shows neither its cite nor its year"
        return Match("not_at_hand", f"the source {name} gave an opinion of this name, {shown}")
    if match.shelved is not None:
        found = replace(match.shelved, file=f"{name}/{match.shelved.file}")
        return Match("at_hand", f"{match.why}, from the source {name}", found)
    if all(one.is_summary for one in shelf.files):
        return Match("not_at_hand", f"the source {name} gave a summary, no opinion: {shelf.files[0].file}")
    if len(shelf.files) > 1 and match.status == "not_matched":
        said = f"gave {len(shelf.files)} opinions, of which none is certainly meant: {match.why}"
        return Match("not_at_hand", f"the source {name} {said}")
    what = match.why if match.status == "not_matched" else _described(shelf.files[0].opinion)
    return Match("not_at_hand", f"the source {name} gave another opinion: {what}")


def _shelved(one: Opinion, own_files: bool) -> Shelved:
    """The opinion under the names that it shows itself; what a foreign source calls it proves nothing."""
    label = one.source or one.name or one.id
    if own_files:
        return shelve(label, one)
    shown = shelve(one.name or "an opinion without a name", one)
    # A summary is known by what it is called.
    return replace(shown, file=label)


def _is_certain(authority: Authority, one: Shelved) -> bool:
    """True by its cite or pages, or by name and year: of the many decisions of a source others may have the name."""
    certain = {cite for cite in authority.cites if not is_blank(cite)}
    return bool(certain & one.cites or authority.years & one.years) or begins_there(authority, one)


def _fault(given: object) -> str | None:
    """What is wrong with a thing that should be a sequence of opinions, None if it is one."""
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        return f"no list of opinions, but {type(given).__name__}"
    for one in given:
        if not isinstance(one, Opinion):
            return f"something that is no Opinion, but {type(one).__name__}"
        if not one.text.strip() or not one.passages:
            return "an opinion without text or passages; it has to come from parse_opinion or Opinion.load"
        # Indexes and verdicts are kept by id: another opinion's id would bring another opinion's verdicts.
        if one.id != one.identified().id:
            return "an opinion whose id is not that of its content; it has to come from parse_opinion or Opinion.load"
    return None


def _described(opinion: Opinion) -> str:
    return ", ".join(part for part in (opinion.name, opinion.citation) if part) or opinion.source or opinion.id


def _first(absent: Match, authority: Authority, sources: Sequence[AskedSource]) -> Match:
    """The match of the first source that has the authority, else that of the files with what each source said."""
    if not authority.cite:
        return replace(absent, why=f"{absent.why}; sources are asked by citation alone")
    said = [absent.why]
    for source in sources:
        match = source.match(authority)
        if match.status == "at_hand":
            return match
        said.append(match.why)
    return replace(absent, why="; ".join(said))


def _apart(match: Match, taken: dict[str, str]) -> Match:
    """The match under a file name of its own: two opinions under one would be taken for the same."""
    found = match.shelved
    if found is None or taken.setdefault(found.file, found.opinion.id) == found.opinion.id:
        return match
    return replace(match, shelved=replace(found, file=f"{found.file} ({found.opinion.id})"))
