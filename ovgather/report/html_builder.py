"""HTML from elements, whose text is escaped unless it is markup already."""

from html import escape as _escape

from ovgather.text import printable

_BLOCKS = frozenset(("details", "h2", "head", "p", "section", "table", "tr"))
"""An end of line follows these, so that people can read the source."""


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(name: str, /, *children: str | int, **attributes: str | None) -> Markup:
    """An element. ``_`` ends a name that Python reserves and stands for ``-``; None leaves an attribute out.

    >>> element("p", "a < b", element("meta"), class_="quiet", aria_label='"x"', hidden=None)
    '<p class="quiet" aria-label="&quot;x&quot;">a &lt; b<meta/></p>\\n'
    """
    tag = name
    for key, value in attributes.items():
        if value is not None:
            text = _as_markup(value).replace('"', "&quot;")
            tag += f' {key.rstrip("_").replace("_", "-")}="{text}"'
    if name == "meta":
        return Markup(f"<{tag}/>")
    end = "\n" if name in _BLOCKS else ""
    return Markup(f"<{tag}>{join(*children)}</{name}>{end}")


def _as_markup(text: str) -> str:
    """``text`` as markup, in which no log of a CI sees a command."""
    return _escape(printable(text), quote=False).replace("##", "#&#35;")


def join(*parts: str | int) -> Markup:
    """Markup of ``parts``, one after the other."""
    escaped = (
        part if type(part) is Markup else _as_markup(str(part)) for part in parts
    )
    return Markup("".join(escaped))
