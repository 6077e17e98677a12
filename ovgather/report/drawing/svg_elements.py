"""Elements that the drawings are made of."""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.report.html_builder import Markup, element


def drawing(key: str, width: float, height: float, title: str, description: str, parts: Sequence[Markup]) -> Markup:
    """An ``<svg>`` that tells what it shows."""
    return element(
        "svg",
        element("title", title, id=f"{key}-title"),
        element("desc", description, id=f"{key}-desc"),
        # What a hand can point to one by one would be read out one by one.
        element("g", *parts, aria_hidden="true"),
        class_="gather",
        role="img",
        width=float(width),
        height=float(height),
        viewBox=f"0 0 {width:g} {height:g}",
        aria_labelledby=f"{key}-title",
        aria_describedby=f"{key}-desc",
    )


def label(x: float, y: float, text: str, classes: str | None = None) -> Markup:
    """A ``<text>``."""
    return element("text", text, x=float(x), y=float(y), class_=classes)
