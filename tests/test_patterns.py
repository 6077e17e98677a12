"""Every regular expression of the package takes time in proportion to the text, whatever the text is.

The texts that could make one slow are derived from the expression itself: what its parts match, repeated, alone and in
pairs, behind what leads to the part. Each expression is timed by the methods that the package calls.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from pathlib import Path
from time import thread_time
from typing import Any, NamedTuple

import pytest

import ovgather

try:
    from re import _constants as sre
    from re import _parser as parser
except ImportError:  # Python 3.10
    import sre_constants as sre  # type: ignore[no-redef]
    import sre_parse as parser  # type: ignore[no-redef]

_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "split")
_MOST = 1 << 13  # characters of the longest text
_SLOW = 0.004  # seconds that are measured reliably, and a hundred times what a linear search of ``_MOST`` takes
# of the times of a text and one of half the length, both above ``_SLOW`` / 4
_RATIO = 2.8
_MOST_PIECES = 12
_HANDED = {"_matched": "fullmatch", "matches": "finditer"}
"""Functions that take a pattern, and the method that they call."""
_CUT = {"ovgather.validation.openvino_opinion": 2_000}
"""Modules whose patterns only see texts that were cut to so many characters: there it is enough to be quick."""


class Use(NamedTuple):
    """A pattern, and the method that the package calls."""

    where: str
    pattern: re.Pattern[Any]
    method: str


def _modules() -> Iterator[tuple[str, ast.Module, dict[str, Any]]]:
    """The modules that hold patterns or ``re``, with what they hold."""
    for folder in ovgather.__path__, import_module("ovgather.cli").__path__:
        root = "ovgather" if folder is ovgather.__path__ else "ovgather.cli"
        for path in sorted(Path(folder[0]).rglob("*.py")):
            name = ".".join(path.relative_to(folder[0]).with_suffix("").parts)
            name = f"{root}.{name}".removesuffix(".__init__")
            held = {} if name.endswith(("__main__", "cli.main")) else _held(name)
            text = path.read_text("utf-8")
            if "import re\n" in text or any(map(_patterns, held.values())):
                yield name, ast.parse(text), held


def _held(name: str) -> dict[str, Any]:
    try:
        return vars(import_module(name))
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("ovgather"):
            raise
        return {}  # an extra that is not installed


def _patterns(value: object) -> list[re.Pattern[Any]]:
    items = value if isinstance(value, (list, tuple)) else [value]
    return [each for each in items if isinstance(each, re.Pattern)]


def _uses() -> Iterator[Use]:
    """The patterns that modules hold, with the methods called on a name like theirs, and those written in a call."""
    for name, tree, held in _modules():
        for variable, methods in _called(tree).items():
            value = held.get(variable)
            if isinstance(value, str) and "re" in held:
                value = re.compile(value)
            for pattern in _patterns(value):
                for method in methods:
                    yield Use(f"{name}.{variable}", pattern, method)
        for text, method in _written(tree):
            yield Use(f"{name}: {text!r}", re.compile(text), method)


def _called(tree: ast.Module) -> dict[str, set[str]]:
    """The methods that a module calls on the patterns of each name."""
    called: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _METHODS:
            named = (
                node.value.value
                if isinstance(node.value, ast.Subscript)
                else node.value
            )
            if isinstance(named, ast.Name) and named.id != "re":
                called.setdefault(named.id, set()).add(node.attr)
        if (
            isinstance(node, ast.Call)
            and node.args
            and isinstance(first := node.args[0], ast.Name)
        ):
            method = (
                _HANDED.get(node.func.id)
                if isinstance(node.func, ast.Name)
                else _of_re(node)
            )
            if method:
                called.setdefault(first.id, set()).add(method)
    return called


def _written(tree: ast.Module) -> Iterator[tuple[str | bytes, str]]:
    """The patterns that are written where they are used."""
    for node in ast.walk(tree):
        is_text = (
            isinstance(node, ast.Call)
            and node.args
            and isinstance(node.args[0], ast.Constant)
        )
        if is_text and (method := _of_re(node)):
            yield node.args[0].value, method


def _of_re(call: ast.Call) -> str | None:
    """The method that a call of a function of ``re`` stands for."""
    function = call.func
    if (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
    ):
        return function.attr if function.attr in _METHODS else None
    return None


def _sample(items: Any, state: Any) -> str:
    """The shortest text that ``items`` of a parsed pattern match, or nearly so."""
    return "".join(_sample_of(operation, value, state) for operation, value in items)


def _sample_of(operation: Any, value: Any, state: Any) -> str:
    if operation is sre.LITERAL:
        return chr(value)
    if operation is sre.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if operation is sre.ANY:
        return "a"
    if operation is sre.IN:
        return _characters(value)[0]
    if operation is sre.BRANCH:
        return _sample(value[1][0], state)
    if operation is sre.SUBPATTERN:
        return _sample(value[-1], state)
    if operation in (
        sre.MAX_REPEAT,
        sre.MIN_REPEAT,
        getattr(sre, "POSSESSIVE_REPEAT", None),
    ):
        return _sample(value[2], state) * value[0]
    if operation is getattr(sre, "ATOMIC_GROUP", None):
        return _sample(value, state)
    return ""


def _characters(items: Any) -> list[str]:
    """Some characters of a class: of each range the first and the last, and of each category one."""
    categories = {
        sre.CATEGORY_SPACE: " ",
        sre.CATEGORY_DIGIT: "1",
        sre.CATEGORY_WORD: "a",
    }
    if items[0][0] is sre.NEGATE:
        pattern = [
            each
            for operation, value in items[1:]
            for each in _characters([(operation, value)])
        ]
        spaces = any(value is sre.CATEGORY_SPACE for _, value in items[1:])
        return [
            each
            for each in ("a", "=", "<", "/", ";", " ")
            if each not in pattern and not (spaces and each == " ")
        ]
    found = []
    for operation, value in items:
        if operation is sre.LITERAL:
            found.append(chr(value))
        elif operation is sre.RANGE:
            found += [chr(value[0]), chr(value[1])]
        elif operation is sre.CATEGORY:
            found.append(categories.get(value, "-"))
    return found or ["a"]


def _pieces(items: Any, state: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """What each part of a pattern matches, and what leads to it."""
    texts = [
        "".join(_sample_of(*item, state) for item in part) for part in _windows(items)
    ]
    yield from (("", text) for text in texts)
    for operation, value in items:
        if operation is sre.IN:
            yield from ((before, each) for each in _characters(value))
        if operation in (sre.SUBPATTERN, getattr(sre, "ATOMIC_GROUP", None)):
            inner = value[-1] if operation is sre.SUBPATTERN else value
            yield from _pieces(inner, state, before)
        if operation is sre.BRANCH:
            for branch in value[1]:
                yield before, _sample(branch, state)
                yield from _pieces(branch, state, before)
        if _is_endless(operation, value):
            yield before, _sample(value[2], state)
            yield from _pieces(value[2], state, before)
        before += _sample_of(operation, value, state)
    yield "", before


def _windows(items: Any) -> Iterator[list[Any]]:
    """The parts of a pattern between any two repeats without an end."""
    items = list(items)
    cuts = [
        -1,
        *(
            at
            for at, (operation, value) in enumerate(items)
            if _is_endless(operation, value)
        ),
        len(items),
    ]
    for first, at in enumerate(cuts):
        yield from (items[at + 1 : end] for end in cuts[first + 1 : first + 5])


def _is_endless(operation: Any, value: Any) -> bool:
    return operation in (sre.MAX_REPEAT, sre.MIN_REPEAT) and value[1] > 9


def _texts(pattern: re.Pattern[Any]) -> list[tuple[str, str, str]]:
    """Beginning, repeated part and end of the texts to try."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    pieces = list(
        dict.fromkeys(
            (before, piece) for before, piece in _pieces(tree, tree.state) if piece
        )
    )
    words = list(dict.fromkeys(piece for _, piece in pieces))[:_MOST_PIECES]
    repeated = [
        *pieces,
        *(("", one + other) for one, other in product(words, words) if one != other),
    ]
    leads = list(dict.fromkeys(before for before, _ in pieces))
    repeated += [
        (lead, blank + word)
        for lead in leads[:4]
        for word in words
        for blank in ("", " ")
    ]
    return [
        (before, piece, end)
        for before, piece in dict.fromkeys(repeated)
        for end in ("", "\0", "x")
    ]


def _seconds(use: Use, text: Any) -> float:
    call = getattr(use.pattern, use.method)
    start = thread_time()
    if use.method == "sub":
        call(text[:0], text)
    elif use.method == "finditer":
        for _ in call(text):
            pass
    else:
        call(text)
    return thread_time() - start


def _slow(use: Use) -> str | None:
    """A text for which time grows faster than its length."""
    is_bytes = isinstance(use.pattern.pattern, bytes)
    most = _CUT.get(use.where.rpartition(".")[0], _MOST)
    slow = _SLOW if most == _MOST else 8 * _SLOW

    def text_of(before: str, piece: str, end: str, size: int) -> Any:
        text = before + piece * (size // len(piece)) + end
        return text.encode("latin-1", "replace") if is_bytes else text

    for before, piece, end in _texts(use.pattern):
        # The shorter text comes first: what grows faster than a square does not end for the longer one.
        if all(
            _seconds(use, text_of(before, piece, end, size)) < slow
            for size in (most // 16, most)
        ):
            continue
        last, size = 0.0, 64
        while size <= most:
            text = text_of(before, piece, end, size)
            seconds = min(
                _seconds(use, text) for _ in range(1 if last < _SLOW / 8 else 2)
            )
            if seconds > slow and last and seconds / last > _RATIO:
                seconds = min(_seconds(use, text) for _ in range(3))
                if seconds > slow and seconds / last > _RATIO:
                    return f"{before!r} + {piece!r} * n + {end!r}: {size} characters take {1000 * seconds:.0f} ms"
            last, size = seconds, 2 * size
    return None


USES = sorted(set(_uses()), key=lambda use: (use.where, use.method))


@pytest.mark.parametrize("use", USES, ids=[f"{use.where}-{use.method}" for use in USES])
def test_time_is_in_proportion_to_the_text(use: Use) -> None:
    assert _slow(use) is None
