"""Values as plain JSON."""

from __future__ import annotations

import math
from dataclasses import asdict, is_dataclass
from typing import Any


def plain(value: Any) -> Any:
    """Dataclasses as objects, tuples as lists, nan as None, whatever they are nested in."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return None if isinstance(value, float) and math.isnan(value) else value
