"""Calls of functions that call functions: how many nodes they make."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("onnx.helper")

from onnx_models import parsed

from ovgather.onnx_file.graphs import graphs, multiplied, with_calls
from ovgather.onnx_file.model import OnnxModel

HEAD = '<ir_version: 8, opset_import: ["": 17, "own": 1]>'
GRAPH = "g (float[2] x) => (float[2] y) {{ y = own.F{} (x) }}"
FUNCTION = '<domain: "own", opset_import: ["": 17, "own": 1]> F{} (a) => (b) {{ {} }}'


def doubled(depth: int) -> Any:
    """A model whose functions call each other twice."""
    functions = [FUNCTION.format(0, "b = Relu (a)")]
    for place in range(depth):
        nodes = f"c = own.F{place} (a) b = own.F{place} (c)"
        functions.append(FUNCTION.format(place + 1, nodes))
    return parsed("\n".join([HEAD, GRAPH.format(depth), *functions]))


def test_few_calls_are_followed() -> None:
    model = doubled(3)
    assert multiplied(model) == 0
    assert len(list(with_calls(model, list(graphs(model))))) == 16


def test_calls_that_multiply_are_not_followed() -> None:
    model = doubled(30)
    assert multiplied(model) == 3 * 2**30 - 1
    assert len(list(with_calls(model, list(graphs(model))))) == 32
    shapes = OnnxModel("m.onnx", None, model.SerializeToString()).shapes
    assert shapes.problem is not None
    assert "too many for onnx's shape inference" in shapes.problem


def test_a_function_that_calls_itself_is_not_followed() -> None:
    function = FUNCTION.format(0, "c = own.F0 (a) b = own.F0 (c)")
    model = parsed("\n".join([HEAD, GRAPH.format(0), function]))
    assert multiplied(model) == -1
    assert len(list(with_calls(model, list(graphs(model))))) == 2
