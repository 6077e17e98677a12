"""Ways to spoil the text of an IR file: in its elements, its attributes, its values and its edges."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

_ELEMENTS = re.compile(
    rb"<(layers|layer|port|edges|edge|input|output|dim|data|body|then_body|else_body|port_map|then_port_map|else_port_map"
    rb"|back_edges|rt_info|attribute)\b[^<>]*?(?:/>|>.*?</\1>)",
    re.DOTALL,
)
_ATTRIBUTES = re.compile(rb"\s([A-Za-z_-]+)=\"([^\"]*)\"")
_NUMBERS = re.compile(rb"(?<=[\">, ])-?[0-9]+(?=[\"<, .])")
_EDGES = re.compile(rb"<edge\b[^<>]*>")
_ENDS = (b"from-layer", b"from-port", b"to-layer", b"to-port")


def _matches(
    pattern: re.Pattern[bytes], text: bytes, chance: random.Random, count: int = 1
) -> list[re.Match[bytes]]:
    """Some of the places where ``pattern`` stands, in order; none where there are fewer than ``count``."""
    found = list(pattern.finditer(text))
    return (
        sorted(chance.sample(found, count), key=lambda match: match.start())
        if len(found) >= count
        else []
    )


def _put(text: bytes, match: re.Match[bytes], new: bytes, group: int = 0) -> bytes:
    return text[: match.start(group)] + new + text[match.end(group) :]


def _drop_attribute(text: bytes, chance: random.Random) -> bytes:
    for match in _matches(_ATTRIBUTES, text, chance):
        return _put(text, match, b"")
    return text


def _misspell_attribute(text: bytes, chance: random.Random) -> bytes:
    for match in _matches(_ATTRIBUTES, text, chance):
        return _put(text, match, _misspelt(match[1], chance), 1)
    return text


def _misspell_value(text: bytes, chance: random.Random) -> bytes:
    for match in _matches(_ATTRIBUTES, text, chance):
        return _put(text, match, _misspelt(match[2], chance), 2)
    return text


def _misspelt(word: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(word) + 1)
    kinds = (
        word[:at] + word[at + 1 :],
        word[:at] + word[at : at + 1] + word[at:],
        word[:at] + chance.choice((b"a", b"_", b"-", b"1", b" ")) + word[at:],
        word.swapcase(),
        word.replace(b"_", b"-"),
        word.replace(b"-", b"_"),
    )
    return chance.choice(kinds)


def _swap_values(text: bytes, chance: random.Random) -> bytes:
    """The values of two attributes, of one tag where there are two, change places."""
    tags = [
        list(_ATTRIBUTES.finditer(text, tag.start(), tag.end()))
        for tag in re.finditer(rb"<[^<>]*>", text)
    ]
    rich = [tag for tag in tags if len(tag) > 1]
    if not rich:
        return text
    first, second = sorted(
        chance.sample(chance.choice(rich), 2), key=lambda match: match.start()
    )
    return _put(_put(text, second, first[2], 2), first, second[2], 2)


def _take_value(text: bytes, chance: random.Random) -> bytes:
    """An attribute takes the value that another one of that name has."""
    for match in _matches(_ATTRIBUTES, text, chance):
        others = [
            other[2] for other in _ATTRIBUTES.finditer(text) if other[1] == match[1]
        ]
        return _put(text, match, chance.choice(others), 2)
    return text


def _change_number(text: bytes, chance: random.Random) -> bytes:
    for match in _matches(_NUMBERS, text, chance):
        value = int(match[0])
        kinds = (
            value + 1,
            value - 1,
            -value,
            value * 2,
            value + 64,
            value * 2**31,
            0,
            1,
            -1,
            chance.randrange(20),
        )
        return _put(text, match, b"%d" % chance.choice(kinds))
    return text


def _drop_element(text: bytes, chance: random.Random) -> bytes:
    for match in _matches(_ELEMENTS, text, chance):
        return _put(text, match, b"")
    return text


def _repeat_element(text: bytes, chance: random.Random) -> bytes:
    for match in _matches(_ELEMENTS, text, chance):
        return text[: match.end()] + match[0] + text[match.end() :]
    return text


def _move_element(text: bytes, chance: random.Random) -> bytes:
    """An element goes to the end of another one."""
    for match in _matches(_ELEMENTS, text, chance):
        without = _put(text, match, b"")
        for place in _matches(re.compile(rb"</?[a-z_]+[^<>]*>"), without, chance):
            return without[: place.start()] + match[0] + without[place.start() :]
    return text


def _swap_elements(text: bytes, chance: random.Random) -> bytes:
    pair = _matches(_ELEMENTS, text, chance, 2)
    if not pair or pair[1].start() < pair[0].end():
        return text
    first, second = pair
    return _put(_put(text, second, first[0]), first, second[0])


def _change_edge(text: bytes, chance: random.Random) -> bytes:
    """One end of an edge goes elsewhere: to a number that another edge has there, or nearby."""
    for edge in _matches(_EDGES, text, chance):
        name = chance.choice(_ENDS)
        here = re.search(name + rb'="([^"]*)"', edge[0])
        if here is None:
            continue
        others = [match[1] for match in re.finditer(name + rb'="([^"]*)"', text)] + [
            b"0",
            b"1",
            b"2",
            b"99",
        ]
        return _put(text, edge, _put(edge[0], here, chance.choice(others), 1))
    return text


def _turn_edge(text: bytes, chance: random.Random) -> bytes:
    for edge in _matches(_EDGES, text, chance):
        turned = (
            edge[0]
            .replace(b"from-", b"\0")
            .replace(b"to-", b"from-")
            .replace(b"\0", b"to-")
        )
        return _put(text, edge, turned)
    return text


def _truncate(text: bytes, chance: random.Random) -> bytes:
    return text[: chance.randrange(len(text) + 1)]


_INFORMATION = (
    b'old_api_map_order" version="0" value="%s"',
    b'old_api_map_element_type" version="0" value="%s"',
    b'fused_names" version="0" value="%s"',
    b'primitives_priority" version="0" value="%s"',
    b'layout" version="0" layout="%s"',
    b'decompression" version="0" value="%s"',
)
_SAID = (
    b"",
    b"x,y",
    b"0,2,1",
    b"0,,1",
    b"-1",
    b"bogus",
    b"f32",
    b"FP32",
    b"a,",
    b",",
    b" ",
    b"[N,C]",
    b"NCHW",
    b"[[[",
)
_TEXTS = (
    b"stray",
    b"7",
    b"&amp;",
    b"&#65;",
    b"&x;",
    b"<![CDATA[x]]>",
    b"-->",
    b"\xc2\xa0",
    b"<!-- c -->",
    b"\n\n",
)
_AFTER = (
    b"&amp;",
    b"&x;",
    b"&",
    b"x",
    b"<!-- c -->",
    b"<net/>",
    b"</net>",
    b"<",
    b"\x00",
    b"<![CDATA[x]]>",
    b"\n \n",
)
_LAYER_END = re.compile(rb"(?=<(?:input|output)>)")
_VERSIONS = re.compile(rb' version="(opset[0-9]+)"')
_SHAPES = re.compile(rb' shape="([0-9?., -]*)"')


def _add_information(text: bytes, chance: random.Random) -> bytes:
    """Run-time information of a layer, right or wrong."""
    for match in _matches(_LAYER_END, text, chance):
        inside = b"".join(
            b'<attribute name="'
            + chance.choice(_INFORMATION) % chance.choice(_SAID)
            + b"/>"
            for _ in range(chance.choice((1, 1, 2)))
        )
        return _put(text, match, b"<rt_info>" + inside + b"</rt_info>")
    return text


def _add_text(text: bytes, chance: random.Random) -> bytes:
    """Text before or behind a tag."""
    for match in _matches(re.compile(rb"<[^<>]*>"), text, chance):
        at = chance.choice((match.start(), match.end()))
        return text[:at] + chance.choice(_TEXTS) + text[at:]
    return text


def _add_after(text: bytes, chance: random.Random) -> bytes:
    return text + chance.choice((b"", b"\n")) + chance.choice(_AFTER)


def _change_version(text: bytes, chance: random.Random) -> bytes:
    for match in _matches(_VERSIONS, text, chance):
        kinds = (
            b"extension",
            b"custom",
            b"opset%d" % chance.randrange(1, 19),
            b"",
            b"Opset8",
            b"8",
        )
        return _put(text, match, chance.choice(kinds), 1)
    return text


def _change_shape(text: bytes, chance: random.Random) -> bytes:
    """Another shape in ``<data>``: blank, of intervals, or beyond all memory."""
    for match in _matches(_SHAPES, text, chance):
        dims = match[1].split(b",")
        place = chance.randrange(len(dims))
        dims[place] = chance.choice(
            (b"?", b"1..8", b"2..", b"..3", b"2147483648", b"9..9", b"", b"&#10;")
        )
        kinds = (
            b",".join(dims),
            b"&#10;",
            b" ",
            b"...",
            b",".join([b"2147483648"] * len(dims)),
        )
        return _put(text, match, chance.choice((kinds[0], *kinds)), 1)
    return text


WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _drop_attribute,
    _misspell_attribute,
    _misspell_value,
    _swap_values,
    _take_value,
    _take_value,
    _change_number,
    _change_number,
    _drop_element,
    _repeat_element,
    _move_element,
    _swap_elements,
    _change_edge,
    _change_edge,
    _turn_edge,
    _truncate,
    _add_information,
    _add_text,
    _add_after,
    _change_version,
    _change_shape,
)
