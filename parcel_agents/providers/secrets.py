"""Keys must not be seen: taking them out of whatever a provider's message repeats."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pydantic import SecretStr

_SHORTEST = 6
# What keys look like, in case a message quotes another key than the one we sent.
_KEY_LIKE = re.compile(r"\b(?:sk|gsk|xai)[-_][\w*-]{8,}|\bAIza[\w-]{20,}|\bBearer +[\w.~+/-]+=*", re.IGNORECASE)


def redact(text: str, keys: Iterable[SecretStr | None]) -> str:
    """The text with every key, and everything that looks like one, replaced by `***`."""
    for key in keys:
        value = key.get_secret_value() if key else ""
        if len(value) >= _SHORTEST:
            text = text.replace(value, "***")
    return _KEY_LIKE.sub("***", text)
