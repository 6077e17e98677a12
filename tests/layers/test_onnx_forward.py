"""The forward pass through the nodes of an ONNX model, beside what OpenVINO makes of the converted model."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

import ovgather
from ovgather.verbs.infer import infer
from ovgather.verbs.infer.records import Inferred

pytestmark = pytest.mark.skipif(
    find_spec("onnx") is None, reason="onnx is not installed"
)

HEADER = '<ir_version: 8, opset_import: ["" : 17]>\nm (float[b, s, 12] x, int64[k] places) => (float[] picked) {\n'
LENGTHS = """
  shape = Shape (x)
  zero = Constant <value = int64[1] {0}> ()
  one = Constant <value = int64[1] {1}> ()
  none = Constant <value = int64 {0}> ()
  unit = Constant <value = int64 {1}> ()
  batch = Gather <axis = 0> (shape, zero)
  seq = Gather <axis = 0> (shape, one)
  length = Gather <axis = 0> (shape, unit)
"""
HEADS = "  rest = Constant <value = int64[2] {3, -1}> ()\n  pattern = Concat <axis = 0> (batch, seq, rest)\n"


def model(nodes: str, axis: int = 0) -> Any:
    """Some nodes that make ``data``, and a Gather of it."""
    from onnx import parser

    text = f"{HEADER}{LENGTHS}{nodes}\n  [last] picked = Gather <axis = {axis}> (data, places)\n}}"
    return parser.parse_model(text).SerializeToString()


def last(nodes: str, **given: object) -> Inferred:
    return infer(ovgather.read(model(nodes)), layer="last", input_shapes=given).layers[
        0
    ]


CASES = [
    ("  data = Relu (x)", "[b,s,12]"),
    (HEADS + "  data = Reshape (x, pattern)", "[b,s,3,4]"),
    (
        HEADS
        + "  heads = Reshape (x, pattern)\n  data = Transpose <perm = [0, 2, 1, 3]> (heads)",
        "[b,3,s,4]",
    ),
    ("  data = Transpose (x)", "[12,s,b]"),
    ("  data = Expand (x, shape)", "[b,s,12]"),
    ("  data = ConstantOfShape (shape)", "[b,s,12]"),
    ("  data = Range (none, length, unit)", "[s]"),
    ("  more = Add (length, unit)\n  data = Range (none, more, unit)", "[s + 1]"),
    ("  data = Concat <axis = 1> (x, x)", "[b,2*s,12]"),
    ("  data = Unsqueeze (x, one)", "[b,1,s,12]"),
    ("  wide = Unsqueeze (x, one)\n  data = Squeeze (wide, one)", "[b,s,12]"),
    ("  data = Cast <to = 10> (x)", "[b,s,12]"),
    ("  data = Slice (x, zero, seq, one)", "[b,s,12]"),
    ("  data = MatMul (x, x)", None),
    ("  flip = Transpose <perm = [0, 2, 1]> (x)\n  data = MatMul (x, flip)", "[b,s,s]"),
    ("  data = Softmax <axis = -1> (x)", "[b,s,12]"),
    ("  low = Shape <start = 1, end = 2> (x)\n  data = ConstantOfShape (low)", "[s]"),
    ("  data = CumSum (x, one)", "[b,s,12]"),
]


@pytest.mark.parametrize(("nodes", "shape"), CASES)
def test_lengths_with_their_names(nodes: str, shape: str | None) -> None:
    found = last(nodes)
    if shape is None:
        return
    typed = found.inputs[0][1]
    assert (typed.named or typed.shape) == shape
    assert "\0" not in str(found)


@pytest.mark.parametrize(("nodes", "shape"), [case for case in CASES if case[1]])
def test_given_lengths(nodes: str, shape: str) -> None:
    found = last(nodes, x=[2, 5, 12]).inputs[0][1]
    dims = [
        eval(dim.partition(":")[0], {"b": 2, "s": 5})
        for dim in shape.strip("[]").split(",")
    ]
    assert found.partial_shape == dims


@pytest.mark.slow
@pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")
def test_openvino_infers_the_same() -> None:
    for nodes, shape in CASES:
        if shape is not None:
            [found] = infer(
                ovgather.read(model(nodes)),
                layer="last",
                input_shapes={"x": [2, 5, 12]},
                with_openvino=True,
            ).layers
            assert found.openvino is not None, nodes
            assert found.openvino[1] == "equal", nodes


def test_nodes_that_are_not_followed() -> None:
    found = last("  data = Conv (x, x)")
    assert found.error is None
    found = last("  data = NonZero (x)")
    assert found.inputs[0][1].partial_shape[0] == 3


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("past_sequence_length+1", "past_sequence_length + 1"),
        ("s77//2", "s77//2"),
        ("2", "2"),
        ("a b", "a b"),
    ],
)
def test_names_of_exporters(name: str, symbol: str) -> None:
    from onnx import TensorProto, helper

    floats, integers = TensorProto.FLOAT, TensorProto.INT64
    node = helper.make_node("Gather", ["d", "i"], ["o"], axis=0, name="pick")
    inputs = [
        helper.make_tensor_value_info("d", floats, [10, 4]),
        helper.make_tensor_value_info("i", integers, [name]),
    ]
    graph = helper.make_graph(
        [node], "g", inputs, [helper.make_tensor_value_info("o", floats, None)]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    [layer] = infer(model).layers
    assert layer.output is not None
    assert layer.output.partial_shape[0].symbol == symbol
    assert layer.output.partial_shape == [-1, 4]


REPEATED = """
  first = Relu (x)
  second = Relu (first)
  third = Relu (second)
  wide = Concat <axis = 1> (third, third)
  data = Concat <axis = 0> (wide, wide)
"""


def test_equal_nodes_are_translated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from ovgather.layers import conversion

    calls = []
    find = conversion.find

    def counted(type: str) -> Any:
        translate = find(type)

        def call(node: Any) -> Any:
            calls.append(type)
            return translate(node)

        return call

    monkeypatch.setattr(conversion, "find", counted)
    typed = last(REPEATED).inputs[0][1]
    assert (typed.named or typed.shape) == "[2*b,2*s,12]"
    assert calls.count("Relu") == 1
    assert calls.count("Concat") == 2
