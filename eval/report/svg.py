"""Figures of matplotlib as SVG that stands inside a page."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: it can be found, copied and read aloud
    "text.parse_math": False,  # a dollar sign in a verifier's name is a dollar sign
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "figure.dpi": 72,
}


def as_svg(key: str, draw: Callable[[Figure], None], width: float, height: float) -> str:
    """The figure as an <svg> element that scales with its surroundings."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**STYLE, "svg.hashsalt": key}):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    # Ids are unique in a figure only, and a page has several.
    text = re.sub(r'\bid="', f'id="{key}-', text)
    text = re.sub(r'(href="#|url\(#)', rf"\1{key}-", text)
    return re.sub(
        r'(<svg[^>]*?) width="[^"]*"', r'\1 width="100%"', re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text)
    )
