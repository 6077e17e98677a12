"""``crosscheck a.onnx`` alone: each node in ONNX Runtime and, once converted, in OpenVINO."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import onnx_models as models
import pytest
from onnx_child import requires_onnx

import ovgather
from ovgather.comparison.onnx import converted
from ovgather.comparison.report import Record
from ovgather.layers.reference import LayerReference
from ovgather.onnx_file.model import OnnxModel
from ovgather.runtimes.load import convert
from ovgather.runtimes.outcome import Outcome

pytestmark = [
    requires_onnx,
    pytest.mark.runtime,
    pytest.mark.skipif(
        find_spec("openvino") is None or find_spec("onnxruntime") is None,
        reason="runtimes are missing",
    ),
]
NODE = LayerReference("0", "pick", "Gather", "ai.onnx:17", ())


def records(source: Any, **given: Any) -> dict[tuple[str, str, str], Record]:
    report = ovgather.crosscheck(source, **given)
    return {
        (record.layer.name, record.variant, record.against): record
        for record in report.records
    }


@pytest.mark.slow
def test_all_nodes_are_compared_in_both(folder: Path) -> None:
    found = records(folder / "a.onnx")
    names = ("word", "type", "pick", "order", "places")
    assert {found[name, "in-place", "openvino"].verdict for name in names} == {"equal"}
    assert {found[name, "in-place", "onnxruntime"].verdict for name in names} == {
        "equal"
    }
    assert not any(
        runtime == "openvino"
        for _, _, runtime in records(folder / "a.onnx", against=["onnxruntime"])
    )
    assert not any(
        runtime == "openvino"
        for _, _, runtime in records(folder / "a.onnx", mode="alone")
    )


def test_a_model_without_a_file() -> None:
    found = records(models.parsed(models.NEGATIVE))
    assert found["pick", "in-place", "openvino"].verdict == "equal"


def test_a_model_that_openvino_does_not_convert() -> None:
    text = """<ir_version: 8, opset_import: ["" : 17]>
    m (float[3,3] x, int64[2] i) => (float[2,3] y, float d) { [pick] y = Gather (x, i)\n d = Det (x) }"""
    record = records(models.parsed(text))["pick", "in-place", "openvino"]
    assert record.verdict == "error"
    assert record.cause == "not-converted"
    assert record.reason.startswith("OpenVINO does not convert the model: ")
    assert "Det-17" in record.reason


@pytest.mark.parametrize(
    ("cause", "is_native_wrong", "culprit"),
    [
        ("other-attributes", False, "the conversion"),
        ("other-data", False, "what comes before the node"),
        ("values", False, "OpenVINO"),
        ("values", True, "ONNX Runtime"),
    ],
)
def test_the_one_that_is_wrong(cause: str, is_native_wrong: bool, culprit: str) -> None:
    record = Record(
        NODE, "in-place", "openvino", "CPU", Outcome("different", "so", cause=cause)
    )
    assert (
        converted._blamed(record, is_native_wrong).reason == f"{culprit} is wrong: so"
    )


def test_nothing_to_compare(tmp_path: Path) -> None:
    bare = tmp_path / "bare.onnx"
    text = '<ir_version: 8, opset_import: ["" : 17]>\nm (float[3] x) => (float[3] y) { y = Relu (x) }'
    bare.write_bytes(models.parsed(text).SerializeToString())
    model = ovgather.read(bare)
    assert isinstance(model, OnnxModel)
    ir = convert(model, str(tmp_path), timeout=60)
    assert isinstance(ir, str)
    for report in (
        ovgather.crosscheck(bare),
        ovgather.crosscheck(ir),
        ovgather.crosscheck(bare, converted=ir),
    ):
        assert (report.ok, report.exit_code, report.records) == (False, 1, ())
        assert report.nothing_compared
