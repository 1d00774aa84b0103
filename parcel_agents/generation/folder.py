"""The folder of a data set that is being made: what `run` reads, and what the same command goes on from.

OUT/claims.jsonl, claims_contrast.jsonl   the set
OUT/opinions/                             the decisions, as they were given
OUT/CARD.md, card.json                    what the set is, and how it came about
OUT/review.jsonl                          claims that the blind reader labelled otherwise, for a person to decide on
OUT/dropped.jsonl                         claims that do not go into the set, with the reasons
OUT/exemplars.json                        parentheticals that showed a model the style
OUT/generate.json                         the settings; another command with others is refused
OUT/records/                              a file per decision that is done
OUT/spent.json                            dollars, over all the times that the command was given
OUT/checkpoints.sqlite                    how far the decisions under way have come
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from pydantic import Field, ValidationError

from parcel_agents.errors import ConfigError, InputError
from parcel_agents.generation.model import DecisionRecord, Exemplars
from parcel_agents.store.folder_lock import FolderLock
from parcel_agents.store.replacing import replace_file
from parcel_agents.types import SCHEMA_VERSION, Frozen, content_hash

META, LOCK, EXEMPLARS, RECORDS, OPINIONS = "generate.json", "generate.lock", "exemplars.json", "records", "opinions"
CHECKPOINTS, SPENT = "checkpoints.sqlite", "spent.json"
M = TypeVar("M", bound=Frozen)
_NO_DIFFERENCE = frozenset(["schema_version", "created", "versions"])


class GenerateMeta(Frozen):
    """The whole of `generate.json`."""

    schema_version: int = SCHEMA_VERSION
    made_by: str
    """`rules`, or the model that writes."""
    blind: str | None
    """The model that labels each claim blind; None where no model does."""
    settings: dict[str, Any]
    """What the claims depend on, by name."""
    prompts: dict[str, str]
    """Name and hash of each prompt file, by what it is for."""
    versions: dict[str, str]
    created: str
    """When it began, in the form of ISO 8601."""

    def differences(self, wanted: GenerateMeta) -> list[str]:
        """What another command would change that the claims depend on, each field with both values."""
        old, new = self.model_dump(mode="json"), wanted.model_dump(mode="json")
        pairs = [(name, old[name], new[name]) for name in old if name not in _NO_DIFFERENCE | {"settings", "prompts"}]
        for table in ("settings", "prompts"):
            names = dict.fromkeys([*old[table], *new[table]])
            pairs += [(name, old[table].get(name), new[table].get(name)) for name in names]
        return [f"{name} is {now!r}, was {was!r}" for name, was, now in pairs if was != now]


class _Spent(Frozen):
    """The whole of `spent.json`."""

    cost_usd: float = Field(ge=0)


class OutFolder:
    """The folder, open for writing; closing it lets others write."""

    def __init__(self, path: Path, meta: GenerateMeta) -> None:
        """Open a new folder, or one that was made with the same settings.

        Raises:
            InputError: it holds something else, cannot be written, or another process writes there.
            ConfigError: it was made with other settings; the message names them.
        """
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            # A kill may have left the lock, or half of the settings, and nothing else.
            begun = {LOCK, f"{META}.new"}
            if not (path / META).is_file() and any(one.name not in begun for one in path.iterdir()):
                raise InputError(f"{path}: holds other files; name a new folder with --out")
            self._lock = FolderLock(path / LOCK)
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({error.strerror or error}); name another folder") from error
        try:
            self.meta = self._begin(meta)
        except BaseException:
            self._lock.release()
            raise

    def _begin(self, meta: GenerateMeta) -> GenerateMeta:
        file = self.path / META
        if file.is_file():
            there = _load(file, GenerateMeta)
            if differences := there.differences(meta):
                raise ConfigError(
                    f"{self.path}: this set was made with other settings: {'; '.join(differences)}. "
                    "Change them back, or name another folder with --out"
                )
            meta = there
        else:
            replace_file(file, _pretty(meta))
        for folder in (RECORDS, OPINIONS):
            (self.path / folder).mkdir(exist_ok=True)
        return meta

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._lock.release()

    @property
    def checkpoints(self) -> Path:
        """The file for the graph's checkpoints."""
        return self.path / CHECKPOINTS

    def record(self, opinion_id: str) -> DecisionRecord | None:
        """What came of a decision before; None if it is not done.

        Raises:
            InputError: the file is damaged.
        """
        file = self._record_file(opinion_id)
        return _load(file, DecisionRecord) if file.is_file() else None

    def keep_record(self, record: DecisionRecord) -> None:
        """Write down what came of a decision."""
        replace_file(self._record_file(record.opinion_id), _pretty(record))

    def exemplars(self) -> Exemplars | None:
        """The exemplars that were chosen before; None if there are none yet."""
        file = self.path / EXEMPLARS
        return _load(file, Exemplars) if file.is_file() else None

    def keep_exemplars(self, exemplars: Exemplars) -> None:
        """Write the exemplars down."""
        replace_file(self.path / EXEMPLARS, _pretty(exemplars))

    def spent_usd(self) -> float:
        """What the set has cost so far, decisions under way and requests in vain included."""
        file = self.path / SPENT
        return _load(file, _Spent).cost_usd if file.is_file() else 0.0

    def keep_spent(self, cost_usd: float) -> None:
        """Write down what the set has cost so far."""
        replace_file(self.path / SPENT, _pretty(_Spent(cost_usd=cost_usd)))

    def keep_opinion(self, file: Path, opinion_id: str) -> str:
        """Copy a decision into the set; returns the copy's name."""
        name = f"{opinion_id}{file.suffix.lower()}"
        copy = self.path / OPINIONS / name
        if not copy.exists():
            # A kill in the midst must not leave half a decision under this name.
            begun = self.path / f"{OPINIONS}.new"
            shutil.copyfile(file, begun)
            begun.replace(copy)
        return name

    def write_lines(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """A file with a JSON object a line; none if there are no rows."""
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        if lines:
            replace_file(self.path / name, "".join(f"{line}\n" for line in lines))
        else:
            (self.path / name).unlink(missing_ok=True)

    def read_lines(self, name: str) -> list[dict[str, Any]]:
        """The objects of such a file; none if there is no file.

        Raises:
            InputError: the file cannot be read, or a line is no JSON object.
        """
        file = self.path / name
        rows = []
        try:
            # Editors may put a byte order mark before it.
            lines = file.read_text(encoding="utf-8-sig").split("\n") if file.is_file() else []
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{file}: cannot be read ({error}); save it as UTF-8 text") from error
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    row = json.loads(line)
                except ValueError as error:
                    raise InputError(f"{file}:{number}: is no JSON ({error}); correct the line") from error
                if not isinstance(row, dict):
                    raise InputError(f"{file}:{number}: is no JSON object; correct the line")
                rows.append(row)
        return rows

    def _record_file(self, opinion_id: str) -> Path:
        # An id is the stem of any file; its hash is a safe name of bounded length.
        return self.path / RECORDS / f"{content_hash(opinion_id)}.json"


def _load(file: Path, kind: type[M]) -> M:
    try:
        return kind.model_validate_json(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        what = str(error).splitlines()[0]
        raise InputError(f"{file}: is damaged ({what}); restore it, or name a new folder with --out") from error


def _pretty(model: Frozen) -> str:
    return json.dumps(model.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"
