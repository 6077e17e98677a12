"""The element types without kernels, beside ONNX Runtime."""

from __future__ import annotations

import random
import runpy
from pathlib import Path
from typing import Any

import pytest

from ovgather.onnx_file import kernels

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = 150


@pytest.fixture(scope="module")
def tool() -> dict[str, Any]:
    pytest.importorskip("onnx.helper", reason="onnx is not installed")
    return runpy.run_path(str(ROOT / "tools" / "measure_kernels.py"))


def said(tool: dict[str, Any], schema: Any, opset: int, types: Any) -> list[str]:
    from onnx import ModelProto

    model = ModelProto.FromString(tool["model"](schema, opset, types))
    return [*kernels.lacking(model)]


def test_a_type_without_a_kernel(tool: dict[str, Any]) -> None:
    from onnx import defs

    schema = defs.get_schema("Max", 13)
    message = "ONNX Runtime has no kernel for Max of int16"
    assert said(tool, schema, 13, {"T": "int16"}) == [message]
    assert said(tool, schema, 13, {"T": "int32"}) == []


def test_two_types(tool: dict[str, Any]) -> None:
    from onnx import defs

    schema = defs.get_schema("Pow", 15)
    message = "ONNX Runtime has no kernel for Pow of uint8"
    assert said(tool, schema, 15, {"T": "float", "T1": "uint8"}) == [message]
    assert said(tool, schema, 15, {"T": "float", "T1": "int64"}) == []


def test_a_body(tool: dict[str, Any]) -> None:
    from onnx import ModelProto, defs, helper

    schema = defs.get_schema("Max", 13)
    inner = ModelProto.FromString(tool["model"](schema, 13, {"T": "int16"}))
    del inner.graph.input[:]
    node = helper.make_node(
        "If", ["k"], ["y"], then_branch=inner.graph, else_branch=inner.graph
    )
    given = helper.make_tensor_value_info("i0", 5, None)
    graph = helper.make_graph([node], "g", [given], [])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    assert len([*kernels.lacking(model)]) == 2


@pytest.mark.runtime
def test_a_sample_beside_onnx_runtime(tool: dict[str, Any]) -> None:
    pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")
    generator = random.Random(7)
    everything = [
        (schema, opsets, dict(zip(allowed, case, strict=True)))
        for schema, opsets in tool["schemas"]()
        if (allowed := tool["parameters"](schema)) is not None
        for case in tool["cases"](allowed)
    ]
    for schema, opsets, types in generator.sample(everything, SAMPLE):
        found = said(tool, schema, opsets[1], types)
        expected = tool["is_lacking"](schema, opsets, types)
        assert bool(found) == expected, (schema.name, opsets, types)
