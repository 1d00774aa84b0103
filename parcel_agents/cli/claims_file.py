"""Reading claims for `verify`: from arguments, and from a JSONL file of which no line is lost."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parcel_agents.errors import ClaimError
from parcel_agents.types import Claim

MAX_BYTES = 50_000_000


@dataclass(frozen=True)
class Line:
    """A line of a claims file: a claim, or what is wrong with it."""

    where: str
    """File and line number."""
    claim: Claim | None
    text: str
    """What the line holds, as far as it can be told."""
    fault: str | None = None


def read_claims(path: Path, *, opinion: str) -> list[Line]:
    """The lines of a claims file: objects with `claim`, and if they like `id` and `opinion_id`.

    Args:
        path: the file.
        opinion: the file name of the opinion without its ending, which a line's `opinion_id` must equal.

    Raises:
        ClaimError: the file cannot be read or holds nothing.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ClaimError(f"{path}: is too large for a file of claims (limit {MAX_BYTES:,} bytes); split it")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ClaimError(f"{path}: cannot be read ({error.strerror or error})") from error
    except UnicodeDecodeError as error:
        raise ClaimError(f"{path}: is not UTF-8 text; give one JSON object per line") from error
    lines: list[Line] = []
    seen: dict[str, str] = {}
    # Only a line feed ends a line of JSONL: claims may hold other separators.
    for number, row in enumerate(text.split("\n"), 1):
        if row.strip():
            line = _read(row, f"{path}:{number}", opinion)
            if line.claim is not None and line.claim.id in seen:
                fault = f"the id {line.claim.id!r} stands already at {seen[line.claim.id]}"
                line = Line(line.where, None, line.text, fault)
            elif line.claim is not None:
                seen[line.claim.id] = line.where
            lines.append(line)
    if not lines:
        raise ClaimError(f"{path}: holds no claims; give one JSON object per line, with a field 'claim'")
    return lines


def _read(row: str, where: str, opinion: str) -> Line:
    def fault(what: str, text: str = "") -> Line:
        return Line(where, None, text or row.strip()[:200], what)

    try:
        data: Any = json.loads(row)
    except (json.JSONDecodeError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        return fault(f"the line is not JSON ({reason})")
    if not isinstance(data, dict):
        return fault('the line is no JSON object; give {"claim": "(holding that ...)"}')
    claim = data.get("claim")
    if not isinstance(claim, str) or not claim.strip():
        return fault(f"the field 'claim' is missing or no text; the line has {sorted(map(str, data))}")
    id = data.get("id")
    if id is not None and not isinstance(id, str | int):
        return fault("the field 'id' is neither text nor number", claim)
    about = data.get("opinion_id")
    if isinstance(about, str) and about != opinion:
        return fault(f"the claim is about the opinion {about!r}, not {opinion!r}", claim)
    return Line(where, Claim.of(claim, None if id is None else str(id)), claim)
