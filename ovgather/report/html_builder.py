"""HTML and SVG from elements, whose text is escaped unless it is markup already, and the frame of an HTML report.

Style sheets have light colours and dark ones, which the reader's own setting chooses (``prefers-color-scheme``). A
program that draws SVG without knowing style sheets that well takes the light ones.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape as _escape
from pathlib import Path

from ovgather.text import printable

_EMPTY = frozenset({"br", "input", "meta", "path", "rect"})
_BLOCKS = frozenset({"article", "details", "figure", "h2", "h3", "head", "li", "nav", "p", "section", "table", "tr"})
"""An end of line follows these, so that people can read the source."""
_NAMED = re.compile(r"(?<=:)@(\w+)")
_COLOR = re.compile(r"^@(\w+) (#\w+) (#\w+)\n", re.MULTILINE)
_DRAWINGS = Path(__file__).with_name("drawing").joinpath("style.css").read_text(encoding="utf-8")
COLORS = {name: colors for name, *colors in _COLOR.findall(_DRAWINGS)}
"""Names of colours, with which the sheet of drawings begins: the light and the dark one."""


class Markup(str):
    """Text that is HTML or SVG already."""

    __slots__ = ()


def element(name: str, /, *children: str | int, **attributes: str | float | None) -> Markup:
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
                text = _escape(printable(str(value)), quote=False)
            tag += f' {key.rstrip("_").replace("_", "-")}="{text.replace(chr(34), "&quot;")}"'
    if not children and name in _EMPTY:
        return Markup(f"<{tag}/>")
    end = ""
    if name in _BLOCKS:
        end = "\n"
    return Markup(f"<{tag}>{join(*children)}</{name}>{end}")


def join(*parts: str | int) -> Markup:
    """Markup of ``parts``, one after the other."""
    escaped = (part if type(part) is Markup else _escape(printable(str(part)), quote=False) for part in parts)
    return Markup("".join(escaped))


def sheet(more: str = "") -> str:
    """The style sheet of drawings, and ``more``, where ``@ink`` is a colour: such lines come light, then dark."""
    lines = f"{_COLOR.sub('', _DRAWINGS)}{more}".splitlines(keepends=True)
    plain = "".join(line for line in lines if not _NAMED.search(line))
    colored = "".join(line for line in lines if _NAMED.search(line))
    light = _NAMED.sub(lambda name: COLORS[name[1]][0], colored)
    dark = _NAMED.sub(lambda name: COLORS[name[1]][1], colored)
    return f"{plain}{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n"


def page(title: str, *body: Markup, script: Path | None = None) -> str:
    """A whole page, which fetches nothing: its policy allows only its own style sheet and the text of ``script``."""
    style = sheet(Path(__file__).with_suffix(".css").read_text(encoding="utf-8"))
    code = ""
    if script is not None:
        code = script.read_text(encoding="utf-8")
    scripts = ""
    if code:
        scripts = f" script-src {_hash(code)};"
    policy = f"default-src 'none'; style-src {_hash(style)};{scripts} base-uri 'none'; form-action 'none'"
    end = []
    if code:
        end = [element("script", Markup(code))]
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Markup(style)),
    )
    return "<!DOCTYPE html>\n" + element("html", head, element("body", *body, *end), lang="en")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str | int]]) -> Markup:
    """A table; the first cell of each row heads it. What is no ``td`` yet is put into one. Wide tables scroll."""
    lines = (element("tr", element("th", row[0], scope="row"), *map(_cell, row[1:])) for row in rows)
    columns = element("tr", *(element("th", head, scope="col") for head in heads))
    body = element("table", element("caption", caption), element("thead", columns), element("tbody", *lines))
    return scroll(caption, body)


def _cell(content: str | int) -> Markup:
    if isinstance(content, Markup) and content.startswith("<td"):
        return content
    return element("td", content, class_="number" if isinstance(content, int) else None)


def scroll(label: str, content: Markup) -> Markup:
    """A part that scrolls sideways where the window is narrow, also with the keyboard."""
    return element("div", content, class_="scroll", role="group", tabindex="0", aria_label=label)
