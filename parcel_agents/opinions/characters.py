"""From bytes to clean characters: encodings, line ends, and characters that are no text."""

from __future__ import annotations

import re

from parcel_agents.errors import OpinionError

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# NUL and its kin, byte order marks, soft hyphens, zero-width signs and directions show nothing and split words
# for whoever compares or searches; the private use area means something only in the font of the source.
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ue000-\uf8ff]")
_WINDOWS = re.compile("[\x80-\x9f]")
_LINE_ENDS = re.compile("\r\n?|\v|\u2028|\u2029")
_MAX_CONTROL_SHARE = 0.01
"""More control characters than this share of a file are no text with a few stray bytes in it."""


def decode(data: bytes, where: str) -> str:
    """The characters of a file: UTF-8 or UTF-16 by its mark, else the Windows code page of older court pages.

    Raises:
        OpinionError: the file is empty or binary; `where` names it in the message.
    """
    if not data.strip(b"\x00 \t\r\n\f"):
        raise OpinionError(f"{where}: the file is empty; give a file with the text of an opinion")
    text = _decoded(data)
    controls = sum(1 for char in text if ord(char) < 32 and char not in "\t\n\r\f\v")
    if controls > len(text) * _MAX_CONTROL_SHARE:
        raise OpinionError(f"{where}: is a binary file; give the opinion as .md, .txt, .html, .json, .pdf or .docx")
    return text


def clean(text: str) -> str:
    """The text with plain line ends and without characters that are invisible or no characters at all."""
    # Halves of surrogate pairs, as JSON can hold them, cannot be written to any file or sent anywhere.
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = _LINE_ENDS.sub("\n", text)
    # The codes 128-159 are controls in Unicode, but whoever wrote them meant the Windows code page.
    text = _WINDOWS.sub(lambda char: char[0].encode("latin-1").decode("cp1252", "replace"), text)
    return _INVISIBLE.sub("", text)


def _decoded(data: bytes) -> str:
    encoding = "utf-16" if data.startswith(_UTF16_MARKS) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
