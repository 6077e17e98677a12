"""Elements that the drawings are made of."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from ovgather.text import printable, well_formed


def plain(text: str) -> str:
    """``text`` for XML: nothing that a parser stumbles over.

    >>> plain("a<b>\\x00")
    'a&lt;b&gt;\\\\x00'
    """
    return escape(printable(well_formed(text)))


def element(key: str, width: float, height: float, title: str, description: str, parts: Sequence[str]) -> str:
    """An ``<svg>`` that tells what it shows."""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    labels = f'aria-labelledby="{key}-title" aria-describedby="{key}-desc"'
    told = f'<title id="{key}-title">{plain(title)}</title><desc id="{key}-desc">{plain(description)}</desc>'
    # What a hand can point to one by one would be read out one by one.
    inside = f'<g aria-hidden="true">{"".join(parts)}</g>'
    return f'<svg class="gather" role="img" {size} {labels}>{told}{inside}</svg>'


def label(x: float, y: float, text: str, classes: str = "") -> str:
    """A ``<text>``."""
    named = f' class="{classes}"' if classes else ""
    return f'<text x="{x:g}" y="{y:g}"{named}>{plain(text)}</text>'
