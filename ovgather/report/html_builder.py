"""HTML and SVG from elements, whose text is escaped unless it is markup already, and the colours of both.

Style sheets have light colours and dark ones, which the reader's own setting chooses (``prefers-color-scheme``). A
program that draws SVG without knowing style sheets that well takes the light ones.
"""

import re
from html import escape as _escape
from pathlib import Path

from ovgather.text import printable

_EMPTY = frozenset({"br", "input", "meta", "path", "rect"})
_BLOCKS = frozenset(
    {
        "article",
        "details",
        "figure",
        "h2",
        "h3",
        "head",
        "li",
        "nav",
        "p",
        "section",
        "table",
        "tr",
    }
)
"""An end of line follows these, so that people can read the source."""
_NAMED = re.compile(r"(?<=:)@(\w+)")
_COLOR = re.compile(r"^@(\w+) (#\w+) (#\w+)\n", re.MULTILINE)
_DRAWINGS = (
    Path(__file__)
    .with_name("drawing")
    .joinpath("style.css")
    .read_text(encoding="utf-8")
)
COLORS = {name: colors for name, *colors in _COLOR.findall(_DRAWINGS)}
"""Names of colours, with which the sheet of drawings begins: the light and the dark one."""


class Markup(str):
    """Text that is HTML or SVG already."""

    __slots__ = ()


def element(
    name: str, /, *children: str | int, **attributes: str | float | None
) -> Markup:
    """An element. ``_`` ends a name that Python reserves and stands for ``-``; None leaves an attribute out.

    >>> element("p", "a < b", element("br"), class_="quiet", aria_label='"x"', hidden=None, x=1.50)
    '<p class="quiet" aria-label="&quot;x&quot;" x="1.5">a &lt; b<br/></p>\\n'
    """
    tag = name
    for key, value in attributes.items():
        if value is not None:
            if isinstance(value, float):
                text = f"{value:g}"
            else:
                text = _as_markup(str(value))
            tag += f' {key.rstrip("_").replace("_", "-")}="{text.replace(chr(34), "&quot;")}"'
    if not children and name in _EMPTY:
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


def sheet() -> str:
    """The style sheet of drawings, where ``@ink`` is a colour: such lines come light, then dark."""
    lines = _COLOR.sub("", _DRAWINGS).splitlines(keepends=True)
    plain = "".join(line for line in lines if not _NAMED.search(line))
    colored = "".join(line for line in lines if _NAMED.search(line))
    light = _NAMED.sub(lambda name: COLORS[name[1]][0], colored)
    dark = _NAMED.sub(lambda name: COLORS[name[1]][1], colored)
    return f"{plain}{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n"
