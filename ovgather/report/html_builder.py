"""HTML and SVG from elements: text is escaped unless it is markup already."""

from __future__ import annotations

from html import escape as _escape

from ovgather.text import printable

_EMPTY = frozenset({"br", "meta", "path", "rect"})
_BLOCKS = frozenset({"article", "details", "figure", "h2", "h3", "head", "li", "nav", "p", "section", "table", "tr"})
"""An end of line follows these, so that people can read the source."""


class Markup(str):
    """Text that is HTML or SVG already."""

    __slots__ = ()


def element(name: str, /, *children: str, **attributes: str | float | None) -> Markup:
    """An element. ``_`` ends a name that Python reserves and stands for ``-``; None leaves an attribute out.

    >>> element("p", "a < b", element("br"), class_="quiet", aria_label='"x"', hidden=None, x=1.50)
    '<p class="quiet" aria-label="&quot;x&quot;" x="1.5">a &lt; b<br/></p>\\n'
    """
    tag = name + "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if not children and name in _EMPTY:
        return Markup(f"<{tag}/>")
    end = "\n" if name in _BLOCKS else ""
    return Markup(f"<{tag}>{join(*children)}</{name}>{end}")


def join(*parts: str) -> Markup:
    """Markup of ``parts``, one after the other."""
    return Markup("".join(part if type(part) is Markup else _escape(printable(part), quote=False) for part in parts))


def _attribute(value: str | float) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return _escape(printable(str(value)), quote=False).replace('"', "&quot;")
