"""A Gather layer joined with its operation: axis, shapes, status."""

from __future__ import annotations

import struct

import pytest
from small_models import constant, layer, net, parameter

import ovgather
from ovgather.layers.gather_layer import GatherLayer, gather_layers

RESULT = ("Result", "opset1")


def one(text: str, weights: bytes | None = None) -> GatherLayer:
    (gather,) = gather_layers(ovgather.read(text.encode(), weights))
    return gather


def gather_net(
    axis: str,
    declared: str = "FP32 2,3",
    data: str = "2,2",
    indices: str = "3",
    attributes: str = "",
    version: str = "opset8",
    edges: str = "0:0-9:0 1:0-9:1 2:0-9:2",
    dims: bool = True,
) -> str:
    """A Gather layer (9) of two Parameters (0, 1) and of ``axis``: the layers that make it, the last of them 2."""
    ports = [
        f"FP32 {data}" if dims else "FP32",
        f"I64 {indices}" if dims else "I64",
        "I64",
    ]
    layers = [
        parameter(0, data, "f32", f"FP32 {data}"),
        parameter(1, indices, "i64", f"I64 {indices}"),
        axis,
        layer(9, "Gather", version, attributes, ports, (declared,)),
    ]
    return net(*layers, edges=edges)


CONST = constant(2, "", "i64", 0, 8, "I64")


# -- where the axis comes from -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "axis", "source"),
    [
        ('axis="1"', 1, "attribute"),
        ('axis="-1"', -1, "attribute"),
        ("", 0, "attribute"),
        ('axis="1.9"', 1, "attribute"),
        ('axis="x"', None, "unknown"),
        ('axis="+1"', None, "unknown"),
        ('axis="99999999999999999999"', None, "unknown"),
    ],
)
def test_attribute(data: str, axis: int | None, source: str) -> None:
    gather = one(
        net(
            layer(
                0,
                "GatherElements",
                "opset6",
                data,
                ("FP32 2,3", "I64 2,3"),
                ("FP32 2,3",),
            )
        )
    )
    assert (gather.axis, gather.axis_source) == (axis, source)


@pytest.mark.parametrize(
    ("kind", "code", "written", "read"),
    [
        ("i64", "q", -1, -1),
        ("i32", "i", 1, 1),
        ("i8", "b", -2, -2),
        ("u64", "Q", (1 << 64) - 1, -1),
        ("u8", "B", 255, 255),
    ],
)
@pytest.mark.parametrize("shape", ["", "1"])
def test_constant(kind: str, code: str, written: int, read: int, shape: str) -> None:
    weights = b"..." + struct.pack(f"<{code}", written)
    axis = constant(2, shape, kind, 3, len(weights) - 3, f"I64 {shape}")
    gather = one(gather_net(axis), weights)
    assert (gather.axis, gather.axis_source) == (read, "const")


def test_constant_by_way_of_converts() -> None:
    axis = (
        constant(3, "", "i64", 0, 8, "I64")
        + layer(4, "Convert", "opset1", 'destination_type="i32"', ("I64",), ("I32",))
        + layer(2, "Convert", "opset1", 'destination_type="i64"', ("I32",), ("I64",))
    )
    edges = "3:0-4:0 4:1-2:0 0:0-9:0 1:0-9:1 2:1-9:2"
    gather = one(gather_net(axis, edges=edges), struct.pack("<q", 1))
    assert (gather.axis, gather.axis_source, gather.status) == (1, "const", "match")


def test_converts_that_feed_each_other() -> None:
    convert = ('destination_type="i64"', ("I64",), ("I64",))
    axis = layer(2, "Convert", "opset1", *convert) + layer(
        3, "Convert", "opset1", *convert
    )
    gather = one(gather_net(axis, edges="2:1-3:0 3:1-2:0 2:1-9:2"), b"")
    assert (gather.axis, gather.axis_source) == (None, "unknown")


def test_ports_where_one_axis_fits() -> None:
    gather = one(gather_net(CONST, "FP32 3,5", data="2,5"))
    assert (gather.axis, gather.axis_source, gather.status) == (0, "ports", "match")
    assert (
        one(gather_net(CONST, "FP32 3,5", data="2,5"), b"short").axis_source == "ports"
    )


def test_ports_where_more_than_one_axis_fits() -> None:
    gather = one(gather_net(CONST, "FP32 3,3", data="3,3"))
    assert (gather.axis, gather.axis_source) == (None, "unknown")
    assert gather.status == "unknown"
    assert str(gather.inference and gather.inference.shape) == "[?,?]"


def test_ports_where_no_axis_fits() -> None:
    gather = one(gather_net(CONST, "FP32 7,7", data="2,5"))
    assert (gather.axis, gather.axis_source, gather.status) == (
        None,
        "unknown",
        "mismatch",
    )


def test_ports_say_nothing_of_an_axis_that_is_no_constant() -> None:
    gather = one(gather_net(parameter(2, "", "i64", "I64"), "FP32 3,5", data="2,5"))
    assert (gather.axis, gather.axis_source) == (None, "unknown")
    assert one(gather_net("", "FP32 3,5", data="2,5")).axis is None


def test_ports_without_dims_say_nothing() -> None:
    gather = one(gather_net(CONST, "FP32", data="2,5"))
    assert (gather.axis, gather.axis_source, gather.status) == (
        None,
        "unknown",
        "refines",
    )


# -- batch_dims ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "data", "read"),
    [
        ("opset8", 'batch_dims="1"', 1),
        ("opset7", 'batch_dims="-1"', -1),
        ("opset8", "", 0),
        ("opset8", 'batch_dims="x"', 0),
        ("opset1", 'batch_dims="1"', 0),
    ],
)
def test_batch_dims(version: str, data: str, read: int) -> None:
    assert one(gather_net(CONST, attributes=data, version=version)).batch_dims == read


# -- shapes --------------------------------------------------------------------------------------------------------


def test_parameters_say_more_than_ports() -> None:
    elements = layer(
        2,
        "GatherElements",
        "opset6",
        'axis="1"',
        ("FP32 -1,-1", "I64 -1,-1"),
        ("FP32 -1,-1",),
    )
    layers = (
        parameter(0, "2..8,5", "f32", "FP32 -1,-1"),
        parameter(1, "4,1..7", "i64", "I64 -1,-1"),
        elements,
    )
    gather = one(net(*layers, edges="0:0-2:0 1:0-2:1"))
    assert [str(shape) for shape in gather.shapes] == ["[2..8,5]", "[4,1..7]"]
    assert str(gather.inference and gather.inference.shape) == "[4,1..7]"
    assert gather.status == "refines"
    assert [str(kind) for kind in gather.element_types] == ["f32", "i64"]


def test_ports_of_a_file_without_precisions() -> None:
    elements = layer(
        2, "GatherElements", "opset6", 'axis="1"', ("- 2,5", "- 2,3"), ("FP32 2,3",)
    )
    layers = (
        parameter(0, "2,5", "f32", "FP32 2,5"),
        parameter(1, "2,3", "i64", "I64 2,3"),
        elements,
    )
    gather = one(net(*layers, edges="0:0-2:0 1:0-2:1", version="10"))
    assert (gather.status, [str(kind) for kind in gather.element_types]) == (
        "match",
        ["f32", "i64"],
    )
    assert one(net(elements)).element_types == [None, None]


@pytest.mark.parametrize(
    ("data", "indices", "declared", "shapes", "status"),
    [
        # A port without dims is a scalar or has a dynamic rank: the output tells which, or nobody does.
        ("FP32 4,5", "I64", "FP32 5", "[4,5] []", "match"),
        ("FP32 4,5", "I64", "FP32", "[4,5] [...]", "match"),
        ("FP32 4,5", "I64", "FP32 2,5", "[4,5] [...]", "unknown"),
        ("FP32 4", "I64", "FP32", "[4] []", "match"),
        ("FP32", "I64 3", "FP32 3", "[...] [3]", "unknown"),
        ("FP32", "I64", "FP32", "[...] [...]", "match"),
    ],
)
def test_ports_without_dims(
    data: str, indices: str, declared: str, shapes: str, status: str
) -> None:
    text = net(
        constant(2, "", "i64", 0, 8, "I64"),
        layer(9, "Gather", "opset8", "", (data, indices, "I64"), (declared,)),
        edges="2:0-9:2",
    )
    gather = one(text, bytes(8))
    assert " ".join(str(shape) for shape in gather.shapes[:2]) == shapes
    assert gather.status == status


def test_a_parameter_without_dims_is_known() -> None:
    for shape, known in (("", "[]"), ("...", "[...]"), ("[]", "[]")):
        layers = (
            parameter(0, "4,5", "f32", "FP32 4,5"),
            parameter(1, shape, "i64", "I64"),
            constant(2, "", "i64", 0, 8, "I64"),
        )
        gathering = layer(
            9, "Gather", "opset8", "", ("FP32 4,5", "I64", "I64"), ("FP32",)
        )
        gather = one(net(*layers, gathering, edges="0:0-9:0 1:0-9:1 2:0-9:2"), bytes(8))
        assert str(gather.shapes[1]) == known


@pytest.mark.parametrize(
    ("indices", "declared", "status"),
    [
        ("I64 2,3", "FP32 2,3", "match"),
        ("I64 2,3", "FP32 -1,3", "refines"),
        ("I64 2,3", "FP32 -1,-1", "refines"),
        ("I64 2,3", "FP32", "refines"),
        ("I64 2,3", "FP32 2,4", "mismatch"),
        ("I64 2,3", "FP32 2,3,1", "mismatch"),
        ("I64 2,-1", "FP32 2,3", "unknown"),
        ("I64 2,-1", "FP32 2,-1", "match"),
        ("I64 -1,3", "FP32 2,-1", "refines"),
        ("I64 3,3", "FP32 2,3", "mismatch"),
        ("I64 2", "FP32 2", "mismatch"),
        ("I64", "FP32 2,3", "unknown"),
    ],
)
def test_status(indices: str, declared: str, status: str) -> None:
    gather = one(
        net(
            layer(
                0,
                "GatherElements",
                "opset6",
                'axis="1"',
                ("FP32 2,5", indices),
                (declared,),
            )
        )
    )
    assert gather.status == status
    assert bool(gather.errors) == (gather.inference is None)


def test_layers_that_lack_ports() -> None:
    gather = one(
        net(layer(0, "GatherElements", "opset6", 'axis="1"', ("FP32 2,5", "I64 2,3")))
    )
    assert (gather.declared, gather.status) == (None, "refines")
    for inputs in ((), ("FP32 2,5",), ("FP32 2,5",) * 5):
        gather = one(
            net(layer(0, "GatherElements", "opset6", 'axis="1"', inputs, ("FP32 2,5",)))
        )
        assert gather.status == "mismatch"
        assert gather.errors
