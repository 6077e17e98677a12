"""Models that people hold: of OpenVINO, onnx and onnx_ir, open files and bytes, in every verb."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy
import pytest

import ovgather
from ovgather.report import formats, render
from ovgather.testing import assert_matches
from ovgather.validation.check import check_file

SAMPLE = (
    Path(__file__).parents[2]
    / "samples_xml/specification/gather_elements_6_example_1.xml"
)
INDICES = numpy.array([[0, 1, 2, 0], [1, 1, 1, 1]])


def openvino_model(indices: numpy.ndarray = INDICES) -> Any:
    openvino = pytest.importorskip("openvino", reason="openvino is not installed")
    opset = openvino.opset13
    data = opset.parameter([3, 4], numpy.float32, name="data")
    gather = opset.gather_elements(data, opset.constant(indices), 0)
    gather.set_friendly_name("pick")
    return openvino.Model([opset.result(gather)], [data], "m")


def onnx_model() -> Any:
    pytest.importorskip("onnx.helper", reason="onnx is not installed")
    from onnx_models import one_node

    return one_node("GatherElements", [3, 4], [2, 4], [2, 4], axis=0)


def onnx_ir_model() -> Any:
    return pytest.importorskip("onnx_ir", reason="onnx_ir is not installed").from_proto(
        onnx_model()
    )


def onnx_bytes() -> Any:
    return onnx_model().SerializeToString()


MODELS = {
    "<openvino.Model>": openvino_model,
    "<onnx.ModelProto>": onnx_model,
    "<onnx_ir.Model>": onnx_ir_model,
    "<bytes>": onnx_bytes,
    "<file>": lambda: io.BytesIO(onnx_bytes()),
}


@pytest.mark.parametrize("path", MODELS)
def test_every_verb_takes_them(path: str) -> None:
    make = MODELS[path]
    assert ovgather.read(make()).path == path
    assert {each.severity for each in ovgather.validate(make())} <= {"note"}
    inferred = ovgather.infer(make())
    assert inferred.path == path
    assert [
        (layer.layer.name, str(layer.output and layer.output.shape))
        for layer in inferred.layers
    ] == [("pick", "[2,4]")]
    assert "output" in ovgather.show(make(), "pick")
    assert [made.name for made in ovgather.convert(make())] == ["pick"]
    what = (
        "Parameter 'data' f32 [3,4]"
        if path == "<openvino.Model>"
        else "input 'data' float [3,4]"
    )
    assert ovgather.extract(make(), "pick").inputs[0] == f"data: {what}"


@pytest.mark.runtime
@pytest.mark.parametrize("path", MODELS)
def test_crosscheck_takes_them(path: str) -> None:
    pytest.importorskip("openvino" if "openvino" in path else "onnxruntime")
    report = ovgather.crosscheck(MODELS[path](), variants=["none"])
    assert {record.verdict for record in report.records} == {"equal"}
    assert [file.path for file in report] == [path]


def test_findings_name_the_layer() -> None:
    model = openvino_model(numpy.array([[0, 1, 9, 0]]))
    [finding] = ovgather.validate(model)
    assert str(finding).startswith(
        '<openvino.Model>: GatherElements-6 "pick" (layer 2): error[OVG501]: 1 of 4'
    )
    assert (finding.line, finding.end_column, finding.fix(), finding.excerpt()) == (
        0,
        0,
        None,
        "",
    )
    checked = [check_file(model)]
    for name in formats("validate"):
        text = render("validate", name, checked)
        assert "pick" in text
        assert ":0:0" not in text
    assert '--> <openvino.Model>\n  = in: GatherElements-6 "pick" (layer 2)' in render(
        "validate", "text", checked
    )


def test_weights_of_openvino_models_are_held() -> None:
    [gather] = ovgather.infer(openvino_model()).layers
    assert (gather.axis, gather.axis_source) == (0, "attribute")
    assert_matches(
        openvino_model(),
        against=lambda data, indices, axis: numpy.take_along_axis(data, indices, axis),
    )


def test_open_files_of_ir() -> None:
    with SAMPLE.open("rb") as file:
        assert [str(layer.inference) for layer in ovgather.infer(file).layers] == [
            "Inference('[2,2]')"
        ]
    with SAMPLE.open() as text:
        assert ovgather.infer(text).path == str(SAMPLE)
    assert ovgather.read(io.BytesIO(b"")).fatal
    assert ovgather.read(ovgather.read(SAMPLE)).path == str(SAMPLE)


@pytest.mark.parametrize(
    "name", ["read", "validate", "infer", "show", "convert", "extract", "crosscheck"]
)
@pytest.mark.parametrize(
    "source", [7, None, object(), [1]], ids=["number", "None", "object", "list"]
)
def test_other_objects(name: str, source: Any) -> None:
    if name == "convert":
        pytest.importorskip("onnx.helper", reason="onnx is not installed")
    with pytest.raises(
        ovgather.ArgumentError,
        match=r"^source must be a path, bytes, an open binary file or a model",
    ):
        getattr(ovgather, name)(source)


def test_parts_of_onnx_models() -> None:
    with pytest.raises(
        ovgather.ArgumentError, match=r"^source must be a path, .* not GraphProto"
    ):
        ovgather.validate(onnx_model().graph)
    broken = onnx_model()
    broken.ClearField("graph")
    assert "it holds no graph" in str(ovgather.validate(broken)[0])


def test_shapes_for_inputs() -> None:
    [layer] = ovgather.infer(
        openvino_model(), input_shapes={"data": ("batch", 4)}
    ).layers
    assert layer.inputs[0][1].named == "[batch,4]"
    with pytest.raises(
        ovgather.InvalidModelError, match=r"input 'data': 1.5 is not a shape"
    ):
        ovgather.infer(openvino_model(), input_shapes={"data": 1.5})
    with pytest.raises(
        ovgather.InvalidModelError, match="has no input 'x'; it takes\n  data or in0"
    ):
        ovgather.infer(openvino_model(), input_shapes={"x": None})


def test_drawings() -> None:
    assert ovgather.show(SAMPLE, axis=0).startswith("Gather")
