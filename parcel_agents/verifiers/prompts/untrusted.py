"""Text from outside, made fit to stand in a prompt.

Opinions and claims come from files and from other programs. They may hold instructions, fake passage numbers, the end
of a block, a chat template's control words, or characters that nobody sees. Three rules make all of that harmless,
whatever it is:

1. Angle brackets belong to us. In text from outside `<` and `>` become `‹` and `›`, so no marker of ours, no closing
   tag and no `<|im_start|>` can be written by it.
2. `[p12]` at the beginning of a passage is ours. Inside the text such numbers get round brackets.
3. What cannot be seen is taken out: control characters, bidirectional and zero-width ones, tags, selectors.

The block's name carries a hash of its text as well. A text cannot hold its own hash, so even a marker that got past
the first rule would be the wrong one.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("<＜﹤⟨〈〈", "‹"),
        **dict.fromkeys(">＞﹥⟩〉〉", "›"),
        "［": "[",
        "］": "]",
        "\u2028": "\n",
        "\u2029": "\n",
        "\x85": "\n",
        "\r": "\n",
        "\v": "\n",
        "\f": "\n",
        "\t": " ",
    }
)
_PASSAGE_ID = re.compile(r"\[(\s*p\s*\d[\d\s,;p-]*)\]", re.IGNORECASE)
_BLANKS = re.compile(r"[^\S\n]+")
_GAPS = re.compile(r"\n{3,}")
# Control (Cc), format (Cf), private use (Co), lone surrogates (Cs), unassigned (Cn).
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_INVISIBLE = {"Cc", "Cf", "Co", "Cs", "Cn"}


def clean(text: str) -> str:
    """The text by the three rules above, with its lines kept and runs of blanks made one."""
    text = text.replace("\r\n", "\n").translate(_LOOKALIKES)
    if not text.isascii() or any(character < " " or character == "\x7f" for character in text):
        text = "".join(c for c in text if c == "\n" or unicodedata.category(c) not in _INVISIBLE)
        text = _SELECTORS.sub("", text)
    text = _PASSAGE_ID.sub(r"(\1)", text)
    return _GAPS.sub("\n\n", _BLANKS.sub(" ", text)).strip()


def clean_line(text: str) -> str:
    """The text by the three rules, in one line."""
    return " ".join(clean(text).split())


def fence(kind: str, body: str, *context: str) -> str:
    """A block with marked ends, named by a hash of its body and of what stands before it.

    Args:
        kind: the word in the marks.
        body: the block's text, cleaned.
        context: other text that the mark must not be known to.
    """
    data = "\x00".join((kind, body, *context)).encode("utf-8")
    name = f"{kind} {hashlib.sha256(data).hexdigest()[:16]}"
    return f"<{name}>\n{body}\n</{name}>"
