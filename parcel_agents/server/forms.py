"""Forms with files, read with limits."""

from __future__ import annotations

from fastapi import Request
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Message

from parcel_agents.server.uploads import Dropped

UNREADABLE = "The form that was sent cannot be read."
_FIELDS = 10


async def read_form(request: Request, *, max_bytes: int, max_files: int) -> FormData:
    """The form that a request carries; the caller closes it.

    Raises:
        HTTPException: it is larger than it may be or has too many files (413), or is broken (400).
    """
    large = HTTPException(413, f"The most that can be sent at once is {max_bytes / 1e6:,.1f} MB.")
    said = request.headers.get("content-length", "0")
    if not said.isascii() or not said.isdigit() or int(said) > max_bytes:
        raise large
    got = 0

    async def counted() -> Message:
        nonlocal got
        message = await request.receive()
        got += len(message.get("body", b""))
        if got > max_bytes:
            raise large
        return message

    try:
        return await Request(request.scope, counted).form(max_files=max_files + 1, max_fields=_FIELDS)
    except HTTPException as error:
        if error.status_code == 413:
            raise
        if "Too many" in str(error.detail) and "files" in str(error.detail):
            raise HTTPException(413, f"The most files that can be sent at once is {max_files:,}.") from error
        raise HTTPException(400, UNREADABLE) from error
    except (ClientDisconnect, UnicodeError) as error:
        # Nobody waits for the answer any more, or the text is in a code of which Python knows the name alone.
        raise HTTPException(400, UNREADABLE) from error


def text_in(form: FormData, name: str) -> str:
    """A field of a form; empty where there is none or it is a file."""
    value = form.get(name)
    return value if isinstance(value, str) else ""


def files_in(form: FormData, name: str) -> list[Dropped]:
    """The files of a field; a browser sends one without a name where none was chosen."""
    return [
        Dropped(one.filename, one.file) for one in form.getlist(name) if isinstance(one, UploadFile) and one.filename
    ]
