"""PDF: what stands on a page: pieces of text with their places, drawn lines, pictures."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdf import PageObject

_LETTER = re.compile(r"[^\W\d_]")
_NARROW = frozenset("iljtfrI.,;:!'’‘()[]|-/ ")
_WIDE = frozenset("mwMW—@%&")
_USUAL_LETTER = 440.0
"""Thousandths of the type's size that a small letter is wide on average."""
_MIN_TOLD = 5
_MIN_RULE = 36.0
_MAX_RULE_HEIGHT = 2.0

Matrix = tuple[float, float, float, float, float, float]
_UNIT: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Piece:
    """Text that stands in one place, in points; `y` is its base line and grows upwards."""

    x: float
    y: float
    size: float
    text: str
    width: float = 0.0
    """About how wide it is, without blanks at its end."""

    @property
    def end(self) -> float:
        """About where it ends on the right."""
        return self.x + self.width


@dataclass(frozen=True)
class Rule:
    """A horizontal line that is drawn on the page."""

    x: float
    y: float
    width: float


@dataclass
class Sheet:
    """A page of the file."""

    number: int
    """Counted from 1."""
    width: float
    height: float
    pieces: list[Piece] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    has_picture: bool = False

    @property
    def letters(self) -> int:
        """How many letters stand on the page."""
        return sum(len(_LETTER.findall(piece.text)) for piece in self.pieces)


def read_sheet(page: PageObject, number: int) -> Sheet:
    """What stands on a page, upright whichever way the file turns it; text that runs across it is left out."""
    box = page.mediabox
    rotation = page.rotation % 360
    across = rotation in {90, 270}
    width, height = float(box.width), float(box.height)
    sheet = Sheet(number, height if across else width, width if across else height)
    visitor = _Visitor(page, sheet, _upright(rotation, float(box.left), float(box.bottom), width, height))
    page.extract_text(
        orientations=(rotation,),
        visitor_text=visitor.text,
        visitor_operand_before=visitor.before,
        visitor_operand_after=visitor.after,
    )
    return sheet


def width_of(text: str, size: float) -> float:
    """About how wide a text is in common type of this size."""
    units = sum(0.3 if char in _NARROW else 0.8 if char in _WIDE else 0.65 if char.isupper() else 0.47 for char in text)
    return units * size


def _upright(rotation: int, left: float, bottom: float, width: float, height: float) -> Matrix:
    """The matrix that puts the page upright with its corner at zero."""
    turned: dict[int, Matrix] = {
        90: (0.0, -1.0, 1.0, 0.0, -bottom, left + width),
        180: (-1.0, 0.0, 0.0, -1.0, left + width, bottom + height),
        270: (0.0, 1.0, -1.0, 0.0, bottom + height, -left),
    }
    return turned.get(rotation, (1.0, 0.0, 0.0, 1.0, -left, -bottom))


class _Visitor:
    """Takes what pypdf meets on a page; text in a form is placed by the matrices of all the forms around it."""

    def __init__(self, page: PageObject, sheet: Sheet, upright: Matrix) -> None:
        self._sheet = sheet
        self._outer = [upright]
        self._resources: list[Any] = [page.get("/Resources")]
        self._from: tuple[float, float] | None = None
        self._breadths: dict[int, float] = {}

    def text(self, text: str, cm: Sequence[float], tm: Sequence[float], font: Any, size: float) -> None:
        if not text.strip("\n"):
            return
        place = _product(_product(_matrix(tm), _matrix(cm)), self._outer[-1])
        height = abs(size) * math.hypot(place[2], place[3])
        if all(math.isfinite(value) for value in (*place, height)):
            text = text.replace("\n", " ")
            breadth = self._breadths.get(id(font)) or self._breadths.setdefault(id(font), _breadth(font))
            width = breadth * width_of(text.rstrip(), height)
            self._sheet.pieces.append(Piece(place[4], place[5], height, text, width))

    def before(self, operator: bytes, operands: Sequence[Any], cm: Sequence[float], tm: Sequence[float]) -> None:
        if operator == b"Do":
            form = self._form(operands)
            self._resources.append(form.get("/Resources") if form else None)
            inner = _product(_matrix(form.get("/Matrix", _UNIT)), _matrix(cm)) if form else _matrix(cm)
            self._outer.append(_product(inner, self._outer[-1]))
        elif operator == b"INLINE IMAGE":
            self._sheet.has_picture = True
        elif operator in {b"re", b"m", b"l"}:
            self._draw(operator, operands, _product(_matrix(cm), self._outer[-1]))

    def after(self, operator: bytes, operands: Sequence[Any], cm: Sequence[float], tm: Sequence[float]) -> None:
        if operator == b"Do" and len(self._outer) > 1:
            self._outer.pop()
            self._resources.pop()

    def _form(self, operands: Sequence[Any]) -> Any:
        """The form that is drawn; None for a picture, which is noted, and for what is not there."""
        try:
            drawn = self._resources[-1].get_object()["/XObject"].get_object()[operands[0]].get_object()
            if drawn.get("/Subtype") == "/Image":
                self._sheet.has_picture = True
                return None
            return drawn
        except (AttributeError, IndexError, KeyError, TypeError):
            return None

    def _draw(self, operator: bytes, operands: Sequence[Any], matrix: Matrix) -> None:
        try:
            numbers = [float(value) for value in operands]
        except (TypeError, ValueError):
            return
        if operator == b"re" and len(numbers) == 4:
            (x, y), (end, top) = (
                _moved(matrix, *numbers[:2]),
                _moved(matrix, numbers[0] + numbers[2], sum(numbers[1::2])),
            )
        elif len(numbers) == 2 and operator == b"m":
            self._from = _moved(matrix, *numbers)
            return
        elif len(numbers) == 2 and self._from is not None:
            (x, y), (end, top) = self._from, _moved(matrix, *numbers)
        else:
            return
        if abs(top - y) <= _MAX_RULE_HEIGHT and abs(end - x) >= _MIN_RULE:
            self._sheet.rules.append(Rule(min(x, end), min(y, top), abs(end - x)))


def _breadth(font: Any) -> float:
    """How wide the letters of a font are, compared with common type; 1 where the file does not say."""
    try:
        first = int(font["/FirstChar"])
        letters = [float(width) for width in font["/Widths"].get_object()[max(0, 97 - first) : max(0, 123 - first)]]
    except (KeyError, TypeError, ValueError, AttributeError):
        return 1.3 if isinstance(font, dict) and "Courier" in str(font.get("/BaseFont")) else 1.0
    told = [width for width in letters if width > 0]
    return min(2.0, max(0.4, sum(told) / len(told) / _USUAL_LETTER)) if len(told) >= _MIN_TOLD else 1.0


def _matrix(values: Sequence[Any]) -> Matrix:
    a, b, c, d, e, f = (float(value) for value in values)
    return a, b, c, d, e, f


def _moved(m: Matrix, x: float, y: float) -> tuple[float, float]:
    return x * m[0] + y * m[2] + m[4], x * m[1] + y * m[3] + m[5]


def _product(m: Matrix, n: Matrix) -> Matrix:
    return (
        m[0] * n[0] + m[1] * n[2],
        m[0] * n[1] + m[1] * n[3],
        m[2] * n[0] + m[3] * n[2],
        m[2] * n[1] + m[3] * n[3],
        m[4] * n[0] + m[5] * n[2] + n[4],
        m[4] * n[1] + m[5] * n[3] + n[5],
    )
