"""What a browser sends: sizes and numbers are limited while it arrives, and files are stored under made names."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from parcel_agents.errors import InputError
from parcel_agents.opinions.document import BINARY_READERS, MAX_BYTES, READERS, SUFFIXES
from parcel_agents.server.model import Job, UploadedFile
from parcel_agents.traces.text_marks import harmless

MAX_NAME = 120
_HEAD = 65_536
_OLD_WORD = b"\xd0\xcf\x11\xe0"
_WIDE = (b"\xff\xfe", b"\xfe\xff")
KINDS = "text (.txt, .md), Word (.docx), PDF or HTML"


class TooLargeError(InputError):
    """More bytes or more files than the app takes."""


@dataclass(frozen=True)
class Dropped:
    """A file as it came: what the browser calls it, and its bytes."""

    name: str
    file: BinaryIO


def store(folder: Path, brief: Dropped, opinions: list[Dropped], *, brief_alone: bool = False) -> Job:
    """A job of these files, which are then in the folder's `uploads`.

    Args:
        folder: of the job.
        brief: the brief.
        opinions: those that came with it.
        brief_alone: True if it may come without any that can be read.

    Raises:
        TooLargeError: a file is larger than the readers take.
        InputError: the brief is of a kind that cannot be read, or no opinion is left; in words for the user.
    """
    uploads = folder / "uploads"
    try:
        kept = _store(uploads, "brief", brief)
    except TooLargeError:
        raise
    except InputError as error:
        raise InputError(f"The brief cannot be read: {error}. Give it as {KINDS}.") from error
    files: list[UploadedFile] = []
    left_out: list[str] = []
    for number, one in enumerate(opinions, 1):
        try:
            files.append(_store(uploads, f"opinion-{number:04}", one))
        except TooLargeError:
            raise
        except InputError as error:
            left_out.append(str(error))
    if not files and not brief_alone:
        told = f": {'; '.join(left_out[:5])}" if left_out else ""
        raise InputError(f"There is no opinion to check the brief against{told}. Add the opinions as {KINDS}.")
    created = datetime.now(UTC).isoformat(timespec="milliseconds")
    return Job(id=folder.name, created=created, brief=kept, opinions=tuple(files), left_out=tuple(left_out))


def shown_name(name: str) -> str:
    """A file's name as it may be shown: no folders, no signs that deceive, not too long."""
    last = re.split(r"[/\\]", name)[-1]
    plain = " ".join(harmless(last).split()) or "file without a name"
    if len(plain) <= MAX_NAME:
        return plain
    suffix = Path(plain).suffix[:10]
    return f"{plain[: MAX_NAME - len(suffix)]}{suffix}"


def kind_of(name: str, head: bytes) -> str:
    """The ending under which a file is stored: by what it holds, and by its name where that is a text.

    Raises:
        InputError: it is of no kind that can be read.
    """
    suffix = Path(name).suffix.lower()
    if head.lstrip()[:5] == b"%PDF-":
        return ".pdf"
    if head.startswith(b"PK"):
        if suffix == ".docx":
            return ".docx"
        raise InputError(f"{name} is an archive; unpack it and add the files themselves")
    if head.startswith(_OLD_WORD):
        raise InputError(f"{name} is an old Word file or protected by a password; save it as .docx")
    if suffix in BINARY_READERS:
        raise InputError(f"{name} is named {suffix} and holds something else")
    if b"\0" in head and not head.startswith(_WIDE):
        raise InputError(f"{name} is no text, Word, PDF or HTML file")
    if suffix not in READERS and suffix != ".json":
        raise InputError(f"{name} is of a kind that cannot be read; known: {', '.join(SUFFIXES)}")
    return suffix


def _store(folder: Path, stem: str, dropped: Dropped) -> UploadedFile:
    name = shown_name(dropped.name)
    dropped.file.seek(0, 2)
    size = dropped.file.tell()
    if size > MAX_BYTES:
        raise TooLargeError(
            f"{name} has {size / 1e6:,.1f} MB; the most that one file may have is {MAX_BYTES / 1e6:,.0f} MB. Split it, "
            "or take out its pictures."
        )
    if size == 0:
        raise InputError(f"{name} is empty")
    dropped.file.seek(0)
    stored = f"{stem}{kind_of(name, dropped.file.read(_HEAD))}"
    dropped.file.seek(0)
    with (folder / stored).open("xb") as out:
        shutil.copyfileobj(dropped.file, out)
    return UploadedFile(stored=stored, name=name, size=size)
