"""Small ONNX models, for the tests of files; imported only where onnx is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy

import ovgather

NEGATIVE = """<ir_version: 8, opset_import: ["" : 17]>
m (float[3, n] data) => (float[2, n] picked) {
  twice = Add (data, data)
  places = Constant <value = int64[2] {0, -1}> ()
  [pick] picked = Gather <axis = 0> (twice, places)
}"""
"""A Gather whose indices are constants, one of them from the end."""


def parsed(text: str) -> Any:
    """The model that a text in the notation of ONNX describes."""
    from onnx import parser

    return parser.parse_model(text)


def value(name: str, kind: str, dims: list[int | str | None] | None) -> Any:
    """An input or output: ``value("x", "float", [3, "n"])``."""
    from onnx import TensorProto, helper

    return helper.make_tensor_value_info(name, getattr(TensorProto, kind.upper()), dims)


def node(kind: str, inputs: str, output: str, **attributes: Any) -> Any:
    """A node whose inputs are written ``"data indices"``."""
    from onnx import helper

    return helper.make_node(kind, inputs.split(), [output], **attributes)


def constant(name: str, values: Any) -> Any:
    """An initializer."""
    from onnx import numpy_helper

    return numpy_helper.from_array(numpy.array(values), name)


def graph(
    nodes: list[Any],
    inputs: list[Any],
    outputs: list[Any],
    constants: list[Any] | None = None,
) -> Any:
    """A graph."""
    from onnx import helper

    return helper.make_graph(
        nodes, "graph", inputs, outputs, initializer=constants or []
    )


def model(
    made: Any, opset: int = 13, functions: list[Any] | None = None, **domains: int
) -> Any:
    """A model of a graph."""
    from onnx import helper

    imports = [
        helper.make_opsetid("", opset),
        *[helper.make_opsetid(name, number) for name, number in domains.items()],
    ]
    return helper.make_model(
        made, opset_imports=imports, ir_version=8, functions=functions or []
    )


def one_node(
    kind: str,
    data: list[int | str | None] | None,
    indices: list[int | str | None] | None,
    output: list[int | str | None] | None = None,
    *,
    opset: int = 13,
    types: tuple[str, str, str] = ("float", "int64", "float"),
    **attributes: Any,
) -> Any:
    """A model of one node ``pick``."""
    inputs = [value("data", types[0], data), value("indices", types[1], indices)]
    made = graph(
        [node(kind, "data indices", "y", name="pick", **attributes)],
        inputs,
        [value("y", types[2], output)],
    )
    return model(made, opset)


def without_opset() -> Any:
    """A model that imports no opset of the domain of its node."""
    made = one_node("Gather", [3, 4], [2])
    made.opset_import[0].domain = "elsewhere"
    return made


def nested(told: bool = True) -> Any:
    """An If whose branches hold a node with a wrong axis each, and one that is right before it.

    With ``told`` the file tells the shape of the data there, and nothing is to be inferred.
    """
    inside = [
        node("Relu", "data", "r"),
        node("GatherElements", "r indices", "b", name="inner", axis=7),
    ]
    branch = graph(inside, [], [value("b", "float", None)])
    if told:
        branch.value_info.append(value("r", "float", [3, 4]))
    nodes = [
        node("GatherElements", "data indices", "u", name="outer", axis=0),
        node("If", "c", "y", name="choice", then_branch=branch, else_branch=branch),
    ]
    inputs = [
        value("c", "bool", []),
        value("data", "float", [3, 4]),
        value("indices", "int64", [2, 4]),
    ]
    return model(
        graph(nodes, inputs, [value("y", "float", None), value("u", "float", [2, 4])])
    )


def findings(model: Any) -> list[tuple[str, str, str]]:
    """Code, severity and message of each, but for what the checker says, and what runtimes treat differently."""
    found = ovgather.validate(model.SerializeToString())
    return [
        (each.code, each.severity, each.message)
        for each in found
        if each.code not in ("OVG814", "OVG852")
    ]


def codes(model: Any) -> list[str]:
    return [code for code, _, _ in findings(model)]


def written(opset: int, graph: str, path: Path) -> str:
    """The path of a model of a graph in ONNX's text."""
    text = f'<ir_version: 9, opset_import: ["" : {opset}]>\nm {graph}'
    model = parsed(text)
    for tensor in model.graph.initializer:
        if 0 in tensor.dims:
            tensor.raw_data = b""  # as numpy_helper.from_array writes it
    path.write_bytes(model.SerializeToString())
    return str(path)
