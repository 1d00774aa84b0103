"""The answer of a model on one claim: its form, and what makes one usable."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from parcel_agents.providers import Rung, UnusableError
from parcel_agents.providers.answers import AnswerForm
from parcel_agents.types import LABELS, Label
from parcel_agents.verifiers.prompts.untrusted import clean_line

Protocol = Literal["evidence", "label"]
"""`evidence`: label, passages and a reason; `label`: the paper's, a label and nothing else."""

MAX_REASON = 600

_LABEL = {"type": "string", "enum": list(LABELS)}
_FIELDS: dict[Protocol, dict[str, Any]] = {
    # The label last: a model that writes down the passages and the reason first decides better.
    "evidence": {
        "passages": {"type": "array", "items": {"type": "string"}},
        "reason": {"type": "string"},
        "label": _LABEL,
    },
    "label": {"label": _LABEL},
}


@dataclass(frozen=True)
class Answer:
    """What the model said, checked against what it was shown."""

    label: Label
    passages: tuple[str, ...] = ()
    reason: str = ""


def make_form(protocol: Protocol, instructions: Mapping[Rung, str]) -> AnswerForm:
    """The form of an answer under this protocol, with what the prompt file says of it at each rung."""
    fields = _FIELDS[protocol]
    schema = {
        "title": "verdict",
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
    return AnswerForm("verdict", "What the opinion's text makes of the claim.", schema, instructions)


def read_answer(fields: Mapping[str, Any], *, shown: Sequence[str], locates: bool) -> Answer:
    """The answer that the fields give.

    Args:
        fields: what the model wrote, by name of the field.
        shown: the passages that were in the prompt.
        locates: whether the answer has to point to passages.

    Raises:
        UnusableError: the label is none of ours, a passage was not shown, or a label that needs a passage has none.
    """
    said = " ".join(str(fields["label"]).split())
    label = said.strip(" .*_`\"'").lower().replace(" ", "_").replace("-", "_")
    known = next((one for one in LABELS if one == label), None)
    if known is None:
        raise UnusableError(f"the label {said[:40]!r} is none of {', '.join(LABELS)}")
    if not locates:
        return Answer(known)
    passages = tuple(dict.fromkeys(id for item in fields["passages"] for id in _ids(item)))
    if strange := [id for id in passages if id not in shown]:
        raise UnusableError(f"points to passages that it was not shown: {', '.join(strange)[:100]}")
    if known != "not_found" and not passages:
        raise UnusableError(f"says {known} and points to no passage")
    return Answer(known, passages, clean_line(fields["reason"])[:MAX_REASON])


def _ids(item: str) -> list[str]:
    """Passage ids as models write them: `p7`, `[p7]`, `p7, p8`; the word `none` is no id."""
    return [id for id in re.split(r"[\s,;.\[\]()]+", item.strip()) if id and id.lower() not in ("none", "-")]
