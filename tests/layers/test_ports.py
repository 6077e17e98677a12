"""What the file says of the tensor at a port."""

from __future__ import annotations

import pytest
from small_models import layer, net

import ovgather
from ovgather.ir.graph import Layer
from ovgather.layers.tensors import (
    PortTensor,
    dims_shape,
    input_tensor,
    output_tensor,
    parameter_shape,
)


def first(text: str) -> Layer:
    return next(ovgather.read(text.encode()).layers())


def flowing(text: str) -> PortTensor:
    """What flows into the first input of the first layer."""
    model = ovgather.read(text.encode())
    return input_tensor(model, next(model.layers()), 0)


def told(kind: str, data: str, port: str) -> tuple[str, bool, str]:
    tensor = output_tensor(first(net(layer(0, kind, "opset1", data, (), (port,)))), 0)
    return str(tensor.shape), tensor.certain, str(tensor.element_type)


@pytest.mark.parametrize(
    ("kind", "data", "port", "expected"),
    [
        ("Relu", "", "FP32 2,-1", ("[2,?]", True, "f32")),
        ("Relu", "", "FP32", ("[...]", False, "f32")),
        ("Relu", "", "- 2", ("[2]", True, "None")),
        ("Relu", "", "bogus 2", ("[2]", True, "None")),
        ("Relu", "", "boolean 2", ("[2]", True, "boolean")),
        (
            "Parameter",
            'shape="2,3..5,?" element_type="f16"',
            "FP32 7",
            ("[2,3..5,?]", True, "f16"),
        ),
        ("Parameter", 'shape="" element_type="f16"', "FP16", ("[]", True, "f16")),
        ("Parameter", 'shape="..." element_type="f16"', "FP16", ("[...]", True, "f16")),
        ("Parameter", 'element_type="f16"', "FP16", ("[]", True, "f16")),
        (
            "Parameter",
            'shape="2,,3" element_type="f16"',
            "FP16 2",
            ("[2]", False, "f16"),
        ),
        ("Parameter", 'shape="2"', "FP32 2", ("[2]", True, "dynamic")),
        ("Parameter", 'shape="2" element_type="FP32"', "I64 2", ("[2]", True, "i64")),
        ("Const", 'shape="2, 3" element_type="i64"', "I32 9", ("[2,3]", True, "i64")),
        ("Const", 'shape="" element_type="i64"', "I64", ("[]", True, "i64")),
        ("Const", 'shape="?" element_type="i64"', "I64", ("[...]", False, "i64")),
        ("Const", 'element_type="i64"', "I64 4", ("[4]", True, "i64")),
        ("Const", "", "I64 4", ("[4]", True, "i64")),
        ("Convert", 'destination_type="i32"', "I64 4", ("[4]", True, "i32")),
        ("Convert", 'destination_type="x"', "I64 4", ("[4]", True, "i64")),
    ],
)
def test_outputs(
    kind: str, data: str, port: str, expected: tuple[str, bool, str]
) -> None:
    assert told(kind, data, port) == expected


@pytest.mark.parametrize(
    ("given", "taken", "expected"),
    [
        (
            "FP32 2,3",
            "FP16 9,9",
            ("[2,3]", True, "f32"),
        ),  # the producer's word comes first
        ("FP32", "FP32 9,9", ("[9,9]", True, "f32")),
        ("- 2,3", "FP16 2,3", ("[2,3]", True, "f16")),
        ("FP32", "FP32", ("[...]", False, "f32")),
    ],
)
def test_inputs(given: str, taken: str, expected: tuple[str, bool, str]) -> None:
    text = net(
        layer(1, "Relu", "opset1", "", (taken,)),
        layer(0, "Relu", "opset1", "", (), (given,)),
        edges="0:0-1:0",
    )
    tensor = flowing(text)
    assert (str(tensor.shape), tensor.certain, str(tensor.element_type)) == expected


def test_inputs_that_nothing_feeds() -> None:
    for edges in ("", "7:0-1:0", "0:7-1:0", "0:0-1:7"):
        text = net(
            layer(1, "Relu", "opset1", "", ("I64 4",)),
            layer(0, "Relu", "opset1", "", (), ("FP32 2",)),
            edges=edges,
        )
        assert str(flowing(text).shape) == "[4]"


def test_second_output_and_repeated_ids() -> None:
    split = layer(0, "Split", "opset1", "", (), ("FP32 2", "FP32 3"))
    taking = layer(1, "Relu", "opset1", "", ("FP32",))
    assert str(flowing(net(taking, split, edges="0:1-1:0")).shape) == "[3]"
    # Of two layers with one id the last counts.
    twice = split + layer(0, "Split", "opset1", "", (), ("FP32 5",))
    assert str(flowing(net(taking, twice, edges="0:0-1:0")).shape) == "[5]"
    two_edges = net(taking, split, edges="0:0-1:0 0:1-1:0")
    assert str(flowing(two_edges).shape) == "[3]"


def test_shapes() -> None:
    assert str(dims_shape((0, -1, 7))) == "[0,?,7]"
    assert str(dims_shape((1,) * 1_000)) == str(dims_shape((1,) * 1_000))
    assert [
        str(parameter_shape(text)) for text in (None, "", "[2, ?]", "..8", "2;3")
    ] == [
        "[]",
        "[]",
        "[2,?]",
        "[..8]",
        "None",
    ]
