"""What happens to a job: its files are read, its claims matched with opinions and verified. It goes on where it was."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from parcel_agents.api import averify, make_context
from parcel_agents.briefs.check import BriefClaim, BriefReport, match_claims, spoken, to_verify
from parcel_agents.briefs.folder_source import offered
from parcel_agents.briefs.shelf import Authority, Shelf, Shelved
from parcel_agents.briefs.source import SourceText
from parcel_agents.briefs.sources import AskedSource, OpinionSource, authorities_of, make_sources, with_sources
from parcel_agents.briefs.traces import claim_trace, notes_of
from parcel_agents.config import Config
from parcel_agents.errors import InputError
from parcel_agents.graphs.state import VerifyContext
from parcel_agents.integrations.library import Library
from parcel_agents.server.model import JobClaim, JobClaims
from parcel_agents.server.reading import Reader
from parcel_agents.server.record import JobRecord
from parcel_agents.server.settings import ServerSettings
from parcel_agents.traces.asking import asked_of
from parcel_agents.traces.model import UNCHECKED, Asked
from parcel_agents.types import Opinion, Verdict

_OTHER_PANEL = "the citations checked first were checked with the panel"


class Checker:
    """Checks jobs with one panel."""

    def __init__(
        self,
        config: Config,
        settings: ServerSettings,
        *,
        make: Callable[[Config], VerifyContext] = lambda config: make_context(config=config),
        reader: Callable[[float, int], Reader] = Reader,
        library: Library | None = None,
    ) -> None:
        """Take the configuration and the limits.

        Args:
            config: panels and settings.
            settings: what the web app may do.
            make: makes the panel of a job.
            reader: makes the process that reads files.
            library: opinions of the server, which briefs need not bring along.

        Raises:
            ConfigError: a source is unknown.
        """
        self._config = config
        self._settings = settings
        self._make = make
        self._reader = reader
        self._sources: tuple[OpinionSource, ...] = make_sources(config)
        if library is not None:
            # What a brief cites is looked for on the server before anybody else is asked.
            self._sources = (AskedSource(_OnTheServer(library)), *self._sources)

    async def check(self, record: JobRecord) -> None:
        """Do what is left to do of a job.

        Raises:
            InputError: the brief or all of the opinions cannot be read; the message is for the user.
            RunStoppedError: a provider does not accept the key, or the cap on costs is reached.
        """
        record.change(state="reading", why="")
        shelf, held = await self._read(record)
        record.step = "Asking the sources for opinions that are not at hand"
        source, report = await asyncio.to_thread(_match, record, shelf, self._sources)
        if len(report.claims) > self._settings.max_claims:
            raise InputError(
                f"The brief has {len(report.claims):,} explanatory parentheticals; the most that are checked at once "
                f"is {self._settings.max_claims:,}. Split the brief."
            )
        # What was told of such a claim stands, also if the opinion that could not be read then can be read now.
        absent = {number for number, status in record.done() if status in ("not_at_hand", "not_matched")}
        claims = tuple(
            one.model_copy(update={"at_hand": one.at_hand and one.number not in absent})
            for one in _claims(report, source)
        )
        if record.done() and [one.text for one in claims] != [one.text for one in record.claims.claims]:
            raise InputError(
                "This version of the app finds other claims in the brief than the one that began the check, so the "
                "verdicts cannot be carried on. Those below stand for what they name; start a new check for the rest."
            )
        held |= await asyncio.to_thread(_keep_sourced, record, report, held)
        record.set_claims(JobClaims(claims=claims, opinions=held))
        # The panel's models are looked up in the file system.
        context = await asyncio.to_thread(self._make, self._config)
        asked = asked_of(self._config, context)
        record.change(state="checking", notes=(*_other_panels(record, asked), *notes_of(report)), asked=asked)
        record.step = ""
        await _verify(record, report, source, context)
        record.change(state="done")

    async def warm_up(self) -> None:
        """Load what the first claim would wait for; nothing is asked of a model."""

        def load() -> None:
            example = files("parcel_agents").joinpath("examples", "opinions", "people_v_marlowe.md")
            opinion = Opinion.load(Path(str(example)))
            self._make(self._config).retriever.index(opinion).prepare(["The officer may open the locker."])

        await asyncio.to_thread(load)

    async def _read(self, record: JobRecord) -> tuple[Shelf, dict[str, str]]:
        """The opinions that can be read, and the file that holds each, by its id."""
        settings, job = self._settings, record.job
        reader = self._reader(settings.read_seconds, settings.read_bytes)
        shelved: list[Shelved] = []
        held: dict[str, str] = {}
        faults: list[str] = []
        try:
            record.step = "Reading the brief"
            if not record.read_brief_path.exists():
                fault = await reader.read("brief", record.brief_path, record.read_brief_path, name=job.brief.name)
                if fault:
                    raise InputError(f"The brief could not be read: {job.brief.name} {fault}.")
            for place, file in enumerate(job.opinions, 1):
                record.step = f"Reading opinion {place} of {len(job.opinions)}"
                out = record.folder / "read" / f"opinion-{place:04}.json"
                if not out.exists():
                    path = record.folder / "uploads" / file.stored
                    if fault := await reader.read("opinion", path, out, name=file.name):
                        faults.append(f"{file.name}: {fault}")
                        continue
                one = await asyncio.to_thread(record.shelved, out.name)
                shelved.append(one)
                held.setdefault(one.opinion.id, out.name)
        finally:
            await reader.close()
        # Of the files that are stored only this attempt tells.
        stored = tuple(f"{file.name}: " for file in job.opinions)
        kept = [one for one in job.left_out if not one.startswith(stored)]
        record.change(left_out=(*kept, *faults))
        return Shelf(tuple(shelved), record.job.left_out), held


@dataclass(frozen=True)
class _OnTheServer:
    """The server's own opinions as a source."""

    library: Library
    name: str = "server"
    own_files: bool = True

    def fetch(self, authority: Authority) -> Sequence[Opinion]:
        return offered(self.library.shelf(), authority)


def _other_panels(record: JobRecord, asked: Asked) -> tuple[str, ...]:
    """What a reader has to know where a job goes on with another panel than it had."""
    before = record.job.asked
    same = _kind_of(before) == _kind_of(asked)
    kept = tuple(note for note in record.job.notes if note.startswith(_OTHER_PANEL))
    checked = sum(status not in UNCHECKED for status in dict(record.done()).values())
    if not before.panel or same or not checked:
        return kept
    now = f"“{asked.panel}”"
    if before.panel == asked.panel:
        now += " of other settings or another version"
    return (*kept, f"{_OTHER_PANEL} “{before.panel}”, those after with {now} ({checked} before)")


def _kind_of(asked: Asked) -> tuple[object, ...]:
    """What makes a panel another one; the time and Python do not."""
    versions = asked.versions.get("parcel_agents"), asked.versions.get("panel")
    return asked.panel, asked.tiers, asked.policy, asked.retriever, asked.top_k, versions


async def _verify(record: JobRecord, report: BriefReport, source: SourceText, context: VerifyContext) -> None:
    done = {number for number, _ in record.done()}
    for number, claim in enumerate(report.claims, 1):
        if number not in done and claim.match.shelved is None:
            record.add(claim_trace(number, claim, source))

    def keep(verdict: Verdict) -> None:
        place = int(verdict.claim_id)
        claim = report.claims[place]
        named = verdict.model_copy(update={"claim_id": claim.harvested.id})
        record.add(claim_trace(place + 1, replace(claim, verdict=named), source))

    for opinion, wanted in to_verify(report, done={number - 1 for number in done}):
        await averify(opinion, wanted, context=context, on_verdict=keep)


def _match(record: JobRecord, shelf: Shelf, sources: Sequence[OpinionSource]) -> tuple[SourceText, BriefReport]:
    read = record.read_brief()
    full = with_sources(shelf, authorities_of(read.citations), sources) if sources else shelf
    return SourceText(read.text, read.opinion, read.pages), match_claims(read.citations, full)


def _keep_sourced(record: JobRecord, report: BriefReport, held: dict[str, str]) -> dict[str, str]:
    """Keep what sources gave beside what was read of the uploads; by the opinion's id the name of its file."""
    kept: dict[str, str] = {}
    for claim in report.claims:
        one = claim.match.shelved
        if one is not None and one.opinion.id not in held and one.opinion.id not in kept:
            kept[one.opinion.id] = f"sourced-{one.opinion.id}.json"
            record.keep_shelved(kept[one.opinion.id], one)
    return kept


def _claims(report: BriefReport, source: SourceText) -> list[JobClaim]:
    return [_claim(number, claim, source) for number, claim in enumerate(report.claims, 1)]


def _claim(number: int, claim: BriefClaim, source: SourceText) -> JobClaim:
    found = claim.harvested
    year = f" ({found.year})" if found.year else ""
    named = ", ".join(word for word in (found.name or "an authority without a name", found.cite) if word)
    return JobClaim(
        number=number,
        text=spoken(found),
        cited=f"{named}{year}",
        page=source.place(found.start)["page"],
        at_hand=claim.match.shelved is not None,
    )
