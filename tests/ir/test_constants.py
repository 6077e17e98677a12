"""What a Const declares and holds."""

from __future__ import annotations

import pytest

import ovgather
from ovgather.ir.constants import Constant, Weights, constant, parse_shape
from ovgather.ir.graph import Layer
from ovgather.tensor.element_type import find


def layer(kind: str = "Const", **data: str) -> Layer:
    attributes = " ".join(f'{name}="{value}"' for name, value in data.items())
    text = f'<layer id="0" name="c" type="{kind}" version="opset1"><data {attributes}/></layer>'
    (found,) = ovgather.read(
        f'<net version="11"><layers>{text}</layers></net>'.encode()
    ).layers()
    return found


def held(weights: bytes | None = bytes(range(64)), **data: str) -> Constant | None:
    given = {"element_type": "i64", "shape": "", "offset": "0", "size": "8", **data}
    return constant(layer(**given), None if weights is None else Weights(weights))


@pytest.mark.parametrize(
    ("element_type", "values"),
    [
        ("i8", (1, -1)),
        ("u8", (1, 255)),
        ("i16", (1, -1)),
        ("u16", (1, 65535)),
        ("i32", (1, -1)),
        ("U32", (1, 4294967295)),
        ("i64", (1, -1)),
        ("u64", (1, 18446744073709551615)),
    ],
)
def test_integers(element_type: str, values: tuple[int, ...]) -> None:
    width = int(element_type[1:]) // 8
    weights = b"pad" + (1).to_bytes(width, "little") + b"\xff" * width
    found = held(
        weights, element_type=element_type, shape="2", offset="3", size=str(2 * width)
    )
    assert found is not None
    assert found.integers() == values
    assert found.integers(1) is None
    assert (found.elements, found.bytes_needed) == (2, 2 * width)


@pytest.mark.parametrize(
    "element_type", ["f32", "f16", "boolean", "i4", "u1", "string", "nf4", "dynamic"]
)
def test_what_is_no_whole_integer(element_type: str) -> None:
    found = held(element_type=element_type)
    assert found is None or found.integers() is None


def test_sizes() -> None:
    def needed(**data: str) -> int:
        found = held(**data)
        assert found is not None
        return found.bytes_needed

    assert needed(element_type="u1", shape="9") == 2
    assert needed(element_type="u3", shape="8") == 3
    assert needed(element_type="string", shape="9") == 0
    assert needed(element_type="f64", shape="0, 5") == 0


@pytest.mark.parametrize(
    "data",
    [
        {"size": "-8"},
        {"offset": "x"},
        {"shape": "?"},
        {"shape": "-1"},
        {"element_type": "FP32"},
        {"size": str(1 << 63)},
    ],
    ids=str,
)
def test_what_cannot_be_read(data: dict[str, str]) -> None:
    assert held(**data) is None


def test_what_is_missing() -> None:
    assert constant(layer(element_type="i64", shape="", size="8"), None) is None
    assert constant(layer(element_type="i64", offset="0", size="8"), None) is None
    assert (
        constant(
            layer("Parameter", element_type="i64", shape="", offset="0", size="8"), None
        )
        is None
    )
    for found in (
        held(None),
        held(b"1234567"),
        held(offset=str((1 << 63) - 8), size=str((1 << 63) - 1)),
    ):
        assert found is not None
        assert (found.data, found.integers()) == (None, None)


def test_shorter_than_its_shape() -> None:
    found = held(shape="2")
    assert found is not None
    assert (found.bytes_needed, found.integers()) == (16, None)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("", ()),
        (" ", None),
        ("3", (3,)),
        ("3, 2", (3, 2)),
        ("3,2,", (3, 2)),
        ("1x,2.5", (1, 2)),
        ("0", (0,)),
        ("3,,2", None),
        (",", None),
        ("[1]", None),
        ("?", None),
        ("2,-1", None),
        ("9" * 5000, None),
    ],
)
def test_shapes(text: str, shape: tuple[int, ...] | None) -> None:
    assert parse_shape(text) == shape


@pytest.mark.slow
def test_absurd_constants_take_no_time() -> None:
    assert held(shape="999999999999999999," * 100_000) is None
    found = held(shape="999999999999999999," * 900)
    assert found is not None
    assert found.integers() is None
    text = b"""<net name="m" version="11"><layers><layer id="0" name="c" type="Const" version="opset1">
        <data element_type="f32" shape="%s1" offset="9223372036854775800" size="200000000"/>
        <output><port id="0" precision="FP32"/></output></layer></layers></net>"""
    for count in (0, 1, 900, 100_000):
        assert ovgather.validate(text % (b"999999999999999999," * count), bytes(4))


@pytest.mark.parametrize(
    ("kind", "count", "exact"),
    [("u3", 1, {1, 3}), ("u3", 9, {4, 6}), ("u6", 5, {4, 6}), ("u4", 3, {2})],
)
def test_sizes_that_are_exact(kind: str, count: int, exact: set[int]) -> None:
    element_type = find(kind)
    assert element_type is not None
    assert {
        size
        for size in range(20)
        if Constant(element_type, (count,), 0, size, None).fits
    } == exact
