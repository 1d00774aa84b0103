"""The form of an answer that is one list of objects with the same fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parcel_agents.providers.answers import AnswerForm
from parcel_agents.providers.prompt_file import PromptFile

TEXT = {"type": "string"}
"""A field that holds text. No field is an enumeration: Gemini refuses them inside lists."""
TEXTS = {"type": "array", "items": TEXT}
"""A field that holds several texts."""


def list_form(name: str, about: str, fields: Mapping[str, Any], file: PromptFile) -> AnswerForm:
    """An object whose one field, `name`, is a list of objects, each with all these fields.

    Args:
        name: of the list, and of the form.
        about: what the answer is, in a sentence.
        fields: what each object holds, as JSON schemas by name.
        file: the prompt, which says how to write the answer where no schema is sent.
    """
    schema = {"title": name, **_object({name: {"type": "array", "items": _object(fields)}})}
    return AnswerForm(name, about, schema, file.instructions)


def _object(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }
