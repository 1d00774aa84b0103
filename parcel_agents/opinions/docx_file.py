"""DOCX: whether a file is a Word file that can be unpacked, and the notes in it."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from lxml import etree

from parcel_agents.errors import OpinionError

MAX_UNPACKED_BYTES = 100_000_000
MAX_XML_BYTES = 30_000_000
"""The text of a thousand pages is a tenth of this."""
MAX_FILES = 5_000
_OLD_WORD = b"\xd0\xcf\x11\xe0"
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def check_package(data: bytes) -> None:
    """Look at a file's table of contents before anything is unpacked.

    Raises:
        OpinionError: it is no Word file, cut off, protected by a password, or unpacks to too much.
    """
    if data.startswith(_OLD_WORD):
        raise OpinionError("is an old Word file or protected by a password; save it as .docx without one")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            members = package.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        kind = "cut off or broken" if data.startswith(b"PK") else "no Word file despite its ending"
        raise OpinionError(f"is {kind}; get the file again") from error
    if not any(member.filename == "word/document.xml" for member in members) and not any(
        member.filename == "[Content_Types].xml" for member in members
    ):
        raise OpinionError("is no Word file despite its ending; save the document as .docx")
    if any(member.flag_bits & 1 for member in members):
        raise OpinionError("is protected by a password; save it without one")
    unpacked = sum(member.file_size for member in members)
    largest = max((m.file_size for m in members if m.filename.endswith((".xml", ".rels"))), default=0)
    if unpacked > MAX_UNPACKED_BYTES or largest > MAX_XML_BYTES or len(members) > MAX_FILES:
        raise OpinionError(
            f"unpacks to {unpacked:,} bytes, too many for one document (limit {MAX_UNPACKED_BYTES:,}, its text "
            f"{MAX_XML_BYTES:,}); take the pictures out or split the file"
        )


def notes_of(blob: bytes, kind: str) -> dict[str, Any]:
    """The notes of a kind by their number in the file, without the rules that separate them from the text."""
    root = etree.fromstring(blob, etree.XMLParser(resolve_entities=False, no_network=True))
    return {
        note.get(f"{W}id", ""): note
        for note in root.iterchildren(f"{W}{kind}")
        if note.get(f"{W}type", "normal") == "normal"
    }
