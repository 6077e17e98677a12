"""Words for people: counts, names of layers, printable text, suggestions, paint."""

import re
import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, AnyStr, cast

_COLORS = {
    "error": "31;1",
    "warning": "33;1",
    "note": "36;1",
    "bold": "1",
    "dim": "34",
    "good": "32",
}


class _Pattern:
    def __init__(self, pattern: Any, flags: int) -> None:
        self._how = pattern, flags

    def __getattr__(self, name: str) -> Any:
        value = vars(self)[name] = getattr(re.compile(*self._how), name)
        return value


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A regular expression that is compiled when it is first asked: a command asks few of the ones that it loads.

    >>> pattern("[0-9]+").findall("4 of 12")
    ['4', '12']
    """
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))


_MOST_ROWS = 200
"""Of a table in a notebook."""
_PAINTED = pattern(rf"\x1b\[(?:0|{'|'.join(_COLORS.values())})m")
_COMMAND = pattern(r"^(?:\s|\x1b\[[\d;]*m)*::|##(?=[A-Za-z]*\[)")
"""What makes GitHub Actions, Azure Pipelines or TeamCity take a line of a log for a command."""


def paint(text: str, style: str) -> str:
    """``text`` in the colour of ``style``; ``unpainted`` takes it off."""
    return f"\x1b[{_COLORS[style]}m{text}\x1b[0m"


def unpainted(text: str) -> str:
    """``text`` without colours."""
    return _PAINTED.sub("", text)


def printable(text: str, tab: str = " ") -> str:
    """``text`` without control characters, with which a hostile file could overwrite the terminal."""
    if text.isprintable():
        return text
    characters = (
        char if char.isprintable() else tab if char == "\t" else repr(char)[1:-1]
        for char in text
    )
    return "".join(characters)


def presentable(text: str, tab: str = " ") -> str:
    """``text`` for a terminal or the log of a CI: lines of printable characters and colours, none of them a command."""
    if text.isascii() and text.isprintable() and "::" not in text and "##" not in text:
        return text
    return "\n".join([_presentable(line, tab) for line in text.split("\n")])


def _presentable(line: str, tab: str) -> str:
    parts = _PAINTED.split(line)
    paints = [*_PAINTED.findall(line), ""]
    line = "".join(
        f"{printable(part, tab)}{paint}"
        for part, paint in zip(parts, paints, strict=True)
    )
    return _COMMAND.sub(
        lambda mark: f"{mark[0][:-1]}{ord(mark[0][-1]):#04x}".replace("0x", "\\x"), line
    )


def well_formed(text: str) -> str:
    """``text`` without lone surrogates, which no encoding accepts."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def width(text: str) -> int:
    """The number of terminal columns of ``text``: ideographs take two, combining marks none."""
    if text.isascii():
        return len(text)
    import unicodedata

    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return (
        len(text)
        + wide
        - sum(unicodedata.category(char) in ("Mn", "Me", "Cf") for char in text)
    )


def count(number: object, word: str) -> str:
    """A number with its word."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def elements(number: object) -> str:
    """A number of elements."""
    return count(number, "element")


def first_few(items: Sequence[str], most: int, separator: str = ", ") -> str:
    """The first ``most`` of ``items``, and the number of the others.

    >>> first_few("abcd", 3)
    'a, b, c and 1 more'
    """
    first = separator.join(items[:most])
    if len(items) > most:
        return f"{first} and {len(items) - most} more"
    return first


def size_text(number: int) -> str:
    """A number of bytes: ``512 bytes``, ``1.5 MB``."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return count(number, "byte")


def html_table(
    caption: str, columns: Iterable[str], rows: Iterable[Iterable[object]]
) -> str:
    """A table for notebooks; whatever a file says in it is text.

    >>> html_table("m.xml", ["name"], [["<b>"]])
    '<table><caption>m.xml</caption><tr><th>name</th></tr><tr><td>&lt;b&gt;</td></tr></table>'
    """
    from html import escape

    def row(cells: Iterable[object], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(printable(str(cell)))}</{tag}>' for cell in cells)}</tr>"

    listed = [*islice(rows, _MOST_ROWS + 1)]
    more = "<tr><td>…</td></tr>" if len(listed) > _MOST_ROWS else ""
    body = "".join(row(cells, "td") for cells in listed[:_MOST_ROWS])
    return f"<table><caption>{escape(printable(caption))}</caption>{row(columns, 'th')}{body}{more}</table>"


def shape_text(shape: Iterable[int]) -> str:
    """A shape, or a position, as messages print it: ``[2,3]``."""
    return f"[{','.join(map(str, shape))}]"


def layer_words(type: str, name: str, number: str, body: tuple[str, ...]) -> str:
    """A layer in text: ``GatherElements-6 "ge_0" (layer 2 of loop/body)``."""
    if body:
        inside = f" in {'/'.join(body)}"
    else:
        inside = ""
    if number:
        which = f" (layer {number}{inside})"
    else:
        which = ""
    return printable(f'{type} "{name}"{which}' if name else f"{type}{which}")


def closest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The one of the ``known`` words that resembles ``word`` most, if the likeness, at most 1, reaches ``cutoff``."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, known, n=1, cutoff=cutoff)), None)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``; did you mean `axis`?``, or nothing if no known word resembles ``word``."""
    close = closest(word, known)
    if close:
        return f"; did you mean `{close}`?"
    return ""


def docstring(module: Any, function: str | None = None) -> str:
    """The docstring of ``module`` or of a function in it, also if Python strips docstrings (``-OO``)."""
    if sys.flags.optimize < 2:
        return (getattr(module, function) if function else module).__doc__ or ""
    import ast
    import inspect

    try:
        tree: ast.AST = ast.parse(inspect.getsource(module))
    except OSError:
        return ""
    if function:
        for node in ast.iter_child_nodes(tree):
            if isinstance(node, ast.FunctionDef) and node.name == function:
                tree = node
    return ast.get_docstring(tree, clean=False) or ""  # type: ignore[arg-type]
