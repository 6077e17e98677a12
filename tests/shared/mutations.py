"""Ways to spoil documents, for the tests of the readers."""

from __future__ import annotations

import random
import re

_TOKENS = [
    *(
        b"<",
        b">",
        b'"',
        b"'",
        b"&",
        b"=",
        b"/",
        b" ",
        b"\n",
        b"\r\n",
        b"\t",
        b"\x00",
        b"\x01",
        b"\xff",
        b"\xc3\xa9",
        b"\xe9",
    ),
    *(
        b"<!--",
        b"-->",
        b"--",
        b"<![CDATA[",
        b"]]>",
        b"<?x ",
        b"?>",
        b"<?xml version='1.0'?>",
        b"&amp;",
        b"&lt;",
        b"&#49;",
        b"&e;",
    ),
    *(
        b'<!DOCTYPE net [<!ENTITY e "1">]>',
        b'<!DOCTYPE net SYSTEM "x">',
        b"<layer>",
        b"</layer>",
        b"<layers>",
        b"</layers>",
    ),
    *(
        b"<edges>",
        b"</edges>",
        b"<input>",
        b"</input>",
        b"<input/>",
        b"<output>",
        b"</output>",
        b"<port/>",
        b"<port>",
        b"</port>",
    ),
    *(
        b'<port id="0">',
        b"<dim>",
        b"</dim>",
        b"<dim>4</dim>",
        b"<dim/>",
        b"<rt_info>",
        b"</rt_info>",
        b"<rt_info/>",
        b"<body>",
    ),
    *(
        b"</body>",
        b"<data/>",
        b'<data axis="0"/>',
        b'<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>',
    ),
    *(
        b"-1",
        b"0",
        b"99999999999999999999",
        b"9223372036854775807",
        b"-9223372036854775808",
        b"1e3",
        b"..",
        b"?",
        b"abc",
    ),
    *(
        b' names="a"',
        b' axis="0"',
        b' id="1"',
        b" x=1",
        b"opset8",
        b"GatherND",
        b"Gather",
        b"Const",
        b"Convert",
        b"\xef\xbb\xbf",
    ),
    # Where the quick reader cuts a text, and what would pass for such a place.
    *(
        b"\x0b",
        b"\x0c",
        b"\x7f",
        b'""',
        b'"0"',
        b"7",
        b"07",
        b"port",
        b"<port",
        b"<port ",
        b"</port",
        b"/>",
        b"></port>",
    ),
    *(
        b"names=",
        b'names="',
        b' names=""',
        b' names="<"',
        b'" "',
        b"</layer",
        b"<layer",
        b'<layer id="',
        b"<edge",
    ),
    *(
        b"<!-- </layer> -->",
        b"<![CDATA[</layer>]]>",
        b'"</layer>"',
        b"<>",
        b"><",
        b"input>",
        b"</input><output>",
    ),
]
_VALUES = [
    b"",
    b"-1",
    b"0",
    b"1",
    b"2",
    b"7",
    b"abc",
    b"1.5",
    b"+1",
    b" 1",
    b"99999999999999999999",
    b"9223372036854775807",
]
_VALUES += [
    b"-9223372036854775808",
    b"9" * 5000,
    b"opset1",
    b"opset8",
    b"opset17",
    b"Gather",
    b"GatherElements",
    b"GatherND",
]
_VALUES += [
    b"Const",
    b"Parameter",
    b"If",
    b"f32",
    b"i64",
    b"string",
    b"u1",
    b"FP32",
    b"?",
    b"...",
    b"[...]",
    b"1..2",
    b"2,3",
]
_VALUES += [b",", b"3,,4", b"-2", b"1," * 200 + b"1", b"&lt;", b"a\\,b"]
_TAG = re.compile(rb"<[^<>]*>")
_ELEMENT = re.compile(
    rb"<(layer|port|edge|input|output|dim|data)\b[^<>]*?(?:/>|>.*?</\1>)", re.DOTALL
)
_ATTRIBUTE = re.compile(rb'="([^"]*)"')
_DIM = re.compile(rb">(-?[0-9]+)<")


def spoil(data: bytes, chance: random.Random) -> bytes:
    """``data`` with one to four random changes."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = chance.choice(_WAYS)(data, chance)
    return data


def _place(data: bytes, chance: random.Random) -> int:
    return chance.randrange(len(data) + 1)


def _flip(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]


def _drop(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + data[at + chance.choice((1, 2, 5, 20, 200)) :]


def _insert(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + chance.choice(_TOKENS) + data[at:]


def _insert_between_tags(data: bytes, chance: random.Random) -> bytes:
    tags = list(_TAG.finditer(data))
    at = chance.choice(tags).end() if tags else 0
    return data[:at] + chance.choice(_TOKENS) + data[at:]


def _repeat(data: bytes, chance: random.Random) -> bytes:
    parts = list(_ELEMENT.finditer(data)) or list(re.finditer(rb".", data, re.DOTALL))
    if not parts:
        return data
    part = chance.choice(parts)
    at = part.end() if chance.random() < 0.7 else _place(data, chance)
    return data[:at] + part[0] + data[at:]


def _remove(data: bytes, chance: random.Random) -> bytes:
    parts = (
        list(_ELEMENT.finditer(data))
        if chance.random() < 0.5
        else list(_TAG.finditer(data))
    )
    if not parts:
        return data
    part = chance.choice(parts)
    return data[: part.start()] + data[part.end() :]


def _swap(data: bytes, chance: random.Random) -> bytes:
    tags = list(_TAG.finditer(data))
    if len(tags) < 2:
        return data
    first, second = sorted(chance.sample(tags, 2), key=lambda tag: tag.start())
    between = data[first.end() : second.start()]
    return data[: first.start()] + second[0] + between + first[0] + data[second.end() :]


def _value(data: bytes, chance: random.Random) -> bytes:
    places = list(_ATTRIBUTE.finditer(data))
    if not places:
        return data
    place = chance.choice(places)
    return data[: place.start(1)] + chance.choice(_VALUES) + data[place.end(1) :]


def _dim(data: bytes, chance: random.Random) -> bytes:
    places = list(_DIM.finditer(data))
    if not places:
        return data
    place = chance.choice(places)
    return data[: place.start(1)] + chance.choice(_VALUES) + data[place.end(1) :]


_WAYS = (
    _flip,
    _drop,
    _insert,
    _insert_between_tags,
    _repeat,
    _remove,
    _swap,
    _value,
    _value,
    _dim,
)
