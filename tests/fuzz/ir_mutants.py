"""Small IR files for the verbs, and ways to spoil them: those of ``mutants.py``, and values that are odd."""

from __future__ import annotations

import random
import re
from functools import partial

from mutants import Bases, Case, spoilt as spoilt_case  # isort: skip
from documents import RICH

from ovgather.tensor.element_type import ALL

Files = dict[str, bytes]
_MOST_BYTES = 6500

HOSTILE = (
    *(
        "\u202e\x85\x7f\ufeff\u2028\x9b",
        "\n::error::owned",
        "##[error]owned",
        "##vso[x]",
        "0" * 5000,
        "-" * 3000,
    ),
    *(
        " " * 4000,
        "1," * 3000,
        "[" * 3000,
        "_" * 5000,
        "\\," * 2000,
        "1e999999999",
        "\u0661\u0662",
        "nan",
        "\ud7ff" * 500,
    ),
)
"""Texts that try to control a terminal or a CI, and to take time or memory."""
_INTEGERS = (
    0,
    1,
    2,
    3,
    5,
    7,
    -1,
    -2,
    -3,
    64,
    255,
    256,
    65536,
    10**9,
    1 << 31,
    (1 << 31) - 1,
    -(1 << 31),
    1 << 32,
)
_LONG = (1 << 62, (1 << 63) - 1, 1 << 63, -(1 << 63), (1 << 64) - 1, 1 << 64, 1 << 128)
_NUMBERS = [str(number) for number in (*_INTEGERS, *_LONG)]
_WORDS = (
    *(
        "",
        " ",
        "a/b",
        "../x",
        "-o",
        "&#27;[31m",
        "&#10;",
        "&#9;",
        "é😀",
        "\u202ename",
        "a,b",
        "a\\,b",
        "{}",
        "%s",
        "[2,?]",
    ),
    *(
        "&lt;b&gt;",
        "&quot;",
        "result",
        "layer",
        "0",
        "1",
        "Result",
        "Parameter",
        "Const",
        "Convert",
        "ShapeOf",
        "Add",
    ),
    *(
        "Gather",
        "GatherElements",
        "GatherND",
        "gather",
        "opset1",
        "opset5",
        "opset6",
        "opset7",
        "opset8",
        "opset16",
    ),
    *HOSTILE,
    *(
        "?",
        "1..4",
        "...",
        "2,3",
        "2,?,4",
        "4611686018427387904",
        "0,4611686018427387904",
        "x" * 300,
    ),
)
_TYPES = [
    *(kind.name for kind in ALL),
    *(kind.port for kind in ALL),
    "undefined",
    "dynamic",
]
_NUMBER = re.compile(rb"(?<=[\">, ])-?[0-9]+(?=[\"<, .])")
_VALUE = re.compile(rb'="([^"]*)"')
_PART = re.compile(
    rb"<(input|output|data|rt_info|body|port_map|port)\b[^<>]*?(?:/>|>.*?</\1>)",
    re.DOTALL,
)
_LAYER = re.compile(rb"<(?:layer|input|output|data)\b[^<>]*[^/]>")
_TYPE = re.compile(rb'(?:element_type|precision|destination_type)="([^"]*)"')


def bases() -> list[tuple[str, Files]]:
    """The files to begin with, by name; those with bodies several times."""
    kinds = Bases().kinds
    cases = [
        case
        for kind in kinds.values()
        for case in kind
        if len(case.text) <= _MOST_BYTES
    ]
    cases += kinds["bodies"] * 4
    cases += [Case(RICH, bytes(range(196)), "rich")] * 4
    return [(case.origin, _files(case)) for case in cases]


def _files(case: Case) -> Files:
    return {
        "m.xml": case.text,
        **({"m.bin": case.weights} if case.weights is not None else {}),
    }


def spoilt(files: Files, chance: random.Random) -> Files:
    """``files`` spoilt in one to four ways."""
    case = Case(files["m.xml"], files.get("m.bin"), "")
    way = chance.random()
    if way < 0.6:
        case = spoilt_case(case, chance)
    if way > 0.5:
        for _ in range(chance.choice((1, 1, 2, 3))):
            case = case._replace(text=chance.choice(_WAYS)(case.text, chance))
    return _files(case)


def _odd(
    text: bytes, chance: random.Random, places: re.Pattern[bytes], values: list[str]
) -> bytes:
    """Another value in one of the ``places``."""
    found = list(places.finditer(text))
    if not found:
        return text
    match = chance.choice(found)
    start, end = match.span(match.lastindex or 0)
    return text[:start] + chance.choice(values).encode() + text[end:]


def _graft(text: bytes, chance: random.Random) -> bytes:
    """A part of a layer goes into another layer, too."""
    parts, tags = list(_PART.finditer(text)), list(_LAYER.finditer(text))
    if not parts or not tags:
        return text
    place = chance.choice(tags).end()
    return text[:place] + chance.choice(parts)[0] + text[place:]


_ODD_NUMBER = partial(_odd, places=_NUMBER, values=_NUMBERS)
_WAYS = (
    _ODD_NUMBER,
    _ODD_NUMBER,
    _ODD_NUMBER,
    _graft,
    partial(_odd, places=_VALUE, values=[*_WORDS, *_NUMBERS]),
    partial(_odd, places=_TYPE, values=_TYPES),
)
