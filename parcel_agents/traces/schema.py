"""The JSON Schema of `trace.json`, which is published as `docs/trace.schema.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from parcel_agents.errors import InputError
from parcel_agents.traces.model import TRACE_SCHEMA_VERSION, TraceBook

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def trace_schema() -> dict[str, Any]:
    """What a book of traces looks like as JSON: every field is written, also one that has its default."""
    schema = TraceBook.model_json_schema(mode="serialization")
    return {
        "$schema": DIALECT,
        "$id": f"urn:parcel-agents:trace:{TRACE_SCHEMA_VERSION}",
        **schema,
        "title": f"parcel-agents trace.json, version {TRACE_SCHEMA_VERSION}",
    }


def schema_text() -> str:
    """The schema as the file has it."""
    return json.dumps(trace_schema(), indent=2, ensure_ascii=False) + "\n"


def read_book(path: Path) -> TraceBook:
    """The book that a `trace.json` holds.

    Raises:
        InputError: it cannot be read, or holds no traces of this version.
    """
    try:
        text = path.read_text(encoding="utf-8")
        version = json.loads(text).get("schema_version")
        if version != TRACE_SCHEMA_VERSION:
            raise InputError(f"{path}: has schema version {version!r}; this version reads {TRACE_SCHEMA_VERSION}")
        return TraceBook.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{path}: is no trace.json ({where}: {first['msg']})") from error
    except (OSError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: is no trace.json ({error})") from error
