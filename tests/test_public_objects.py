"""What is public crosses processes, compares, hashes and prints on a line or two: one table of all of it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy
import pytest

import ovgather
from ovgather.comparison.report import FileReport, Record, Report, Stopped
from ovgather.layers.reference import LayerReference
from ovgather.ops import openvino as operations
from ovgather.runtimes.outcome import Evidence, First, Outcome

GOOD, BROKEN = "samples_xml/demo/good.xml", "samples_xml/rules/OVG102/bad-7.xml"
SHAPES = {"token_ids": ["batch", 128]}
LAYER = LayerReference("3", "pick", "Gather", "opset8", ())


def raised(call: Callable[[], object]) -> Exception:
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("nothing is raised")


def wrong_axis() -> Exception:
    return raised(lambda: ovgather.infer_shape("Gather", [[3, 4], [2, 5]], axis=5))


def checked() -> ovgather.Checked:
    return next(iter(ovgather.validate_files([BROKEN])))


def outcome() -> Outcome:
    data = numpy.array([[1.0, numpy.nan], [2.0, 3.0]], "f4")
    gather = operations.find("Gather", "opset8")
    assert gather is not None
    evidence = Evidence(
        gather, data, numpy.array([1, 0]), 0, 0, data, want=data[::-1].copy()
    )
    return Outcome(
        "different",
        "one row\nis wrong",
        1,
        4,
        First((0, 1), numpy.float32("nan"), 3.0),
        "",
        evidence,
    )


def report() -> Report:
    return Report(
        [FileReport("m.xml", (Record(LAYER, "none", "openvino", "CPU", outcome()),))],
        strict=True,
    )


CAST = ovgather.OnnxFix("indices of int8 are cast to int64")
OBJECTS: dict[str, Callable[[], Any]] = {
    "OvgatherError": lambda: ovgather.OvgatherError("no"),
    "ArgumentError": lambda: raised(lambda: ovgather.PartialShape("x,,")),
    "InvalidModelError": lambda: raised(
        lambda: ovgather.gather_layers(GOOD, "no\nsuch layer")
    ),
    "ShapeInferenceError": wrong_axis,
    "IndexOutOfRangeError": lambda: raised(lambda: ovgather.gather_nd([1, 2], [[7]])),
    "UnavailableError": lambda: ovgather.UnavailableError("openvino is not installed"),
    "ConfigurationError": lambda: raised(
        lambda: ovgather.validate(GOOD, target="no release")
    ),
    "Model": lambda: ovgather.read(GOOD),
    "Model of bytes": lambda: ovgather.read(
        Path(GOOD).read_bytes(), Path(GOOD).with_suffix(".bin").read_bytes()
    ),
    "Model of a broken file": lambda: ovgather.read(BROKEN),
    "Model that is fatal": lambda: ovgather.read(b"hello"),
    "Model that is missing": lambda: ovgather.read("nowhere.xml"),
    "Findings": lambda: ovgather.validate(BROKEN),
    "Diagnostic": lambda: ovgather.validate(BROKEN)[0],
    "Verdict": lambda: ovgather.validate(BROKEN).verdict,
    "Checked": lambda: checked(),
    "Fixed": lambda: ovgather.fix(BROKEN),
    "FixedOnnx": lambda: ovgather.FixedOnnx(b"", (CAST,), None, checked()),
    "OnnxFix": lambda: CAST,
    "Topic": lambda: ovgather.explain("Gather-8"),
    "Explained": lambda: ovgather.explain("Incorrect weights in bin file!"),
    "Explained with a file": lambda: ovgather.explain(
        "Incorrect weights in bin file!", BROKEN
    ),
    "Page": lambda: ovgather.rules()[0],
    "Inspected": lambda: ovgather.inspect(GOOD),
    "SurveyedFile": lambda: ovgather.survey(GOOD)[0],
    "SurveyedLayer": lambda: ovgather.survey(GOOD)[0].layers[0],
    "Conformance": lambda: ovgather.Conformance("CPU", [], 3, ["zoo/*"]),
    "UnreadableError": lambda: ovgather.UnreadableError("no"),
    "WorkerError": lambda: ovgather.WorkerError("no"),
    "LostFilesError": lambda: ovgather.LostFilesError({"m.xml": "signal 9"}),
    "NotReproducedError": lambda: ovgather.NotReproducedError("no"),
    "GuardError": lambda: ovgather.GuardError(
        "no", tuple(ovgather.validate(BROKEN)), ("one",)
    ),
    "InferredFile": lambda: ovgather.infer(GOOD, input_shapes=SHAPES, all=True),
    "Inferred": lambda: ovgather.infer(GOOD).layers[0],
    "Typed": lambda: ovgather.infer(GOOD).layers[0].output,
    "RefusedLayer": lambda: ovgather.infer(GOOD, input_shapes=SHAPES).refused,
    "TensorRecord": lambda: (ovgather.infer(GOOD, all=True).tensors or [])[0],
    "LayerReference": lambda: LAYER,
    "Shapes": lambda: ovgather.shapes(GOOD),
    "ShapeAndReason": lambda: ovgather.shapes(GOOD)["embedding"],
    "Inference": lambda: ovgather.infer_output("Gather", [["n", 4], [2, 5]], axis=0),
    "Backward": lambda: ovgather.infer_backward(
        "Gather", ["n", 4], [None, [3]], axis=0
    ),
    "PartialShape": lambda: ovgather.PartialShape("batch,2..8,?"),
    "PartialShape of dynamic rank": lambda: ovgather.PartialShape(None),
    "Dimension": lambda: ovgather.Dimension(2, 8, symbol="n"),
    "Gather": lambda: ovgather.gather_layers(GOOD)[0],
    "GatherInput": lambda: ovgather.gather_layers(GOOD)[0].inputs[0],
    "Producer": lambda: (
        ovgather.gather_layers(GOOD, "sorted_tokens")[0].inputs[1].producer
    ),
    "LayerModel": lambda: ovgather.extract(GOOD, "word_embedding"),
    "LayerModel of lower": lambda: ovgather.lower(
        GOOD, "GatherElements", "GatherND", verify=False
    ),
    "Report": report,
    "FileReport": lambda: report().files[0],
    "Record": lambda: report().records[0],
    "Outcome": outcome,
    "Evidence": lambda: outcome().evidence,
    "First": lambda: outcome().first,
}


@pytest.mark.parametrize("name", OBJECTS)
def test_it_is_a_value(name: str) -> None:
    value = OBJECTS[name]()
    travelled = pickle.loads(pickle.dumps(value))
    for other in (travelled, copy.copy(value), copy.deepcopy(value), OBJECTS[name]()):
        assert other == value
        assert hash(other) == hash(value)
        assert repr(other) == repr(value)
        assert type(other) is type(value)
    assert value != 7
    assert value is not None
    assert len(repr(value).splitlines()) <= 2
    assert len(repr(value)) <= 240
    if isinstance(value, Exception):
        assert (str(travelled), vars(travelled)) == (str(value), vars(value))


def test_an_interruption_keeps_its_report() -> None:
    assert pickle.loads(pickle.dumps(Stopped(report()))).report == report()


def test_what_differs_is_unequal() -> None:
    for one, other in (
        (
            wrong_axis(),
            raised(lambda: ovgather.infer_shape("Gather", [[3, 4], [2, 5]], axis=6)),
        ),
        (ovgather.read(GOOD), ovgather.read(BROKEN)),
        (ovgather.validate(BROKEN)[0], ovgather.validate(BROKEN)[1]),
        (ovgather.infer(GOOD), ovgather.infer(GOOD, input_shapes=SHAPES)),
        (report(), Report(report().files)),
        (outcome().evidence, (outcome().evidence or outcome())._replace(axis=1)),
    ):
        assert one != other


def test_what_travelled_still_works() -> None:
    [gather] = pickle.loads(pickle.dumps(ovgather.gather_layers(GOOD, "sorted_tokens")))
    assert [each.name for each in gather.inputs[1].producer.inputs] == [
        "scores",
        "how_many",
    ]
    [embedding] = pickle.loads(
        pickle.dumps(ovgather.gather_layers(GOOD, "word_embedding"))
    )
    assert embedding.inputs[0].constant.shape == (10, 4)
    model = pickle.loads(pickle.dumps(ovgather.read(GOOD)))
    assert ovgather.infer(model) == ovgather.infer(GOOD)
    broken = pickle.loads(pickle.dumps(ovgather.read(BROKEN)))
    assert ovgather.validate(broken) == ovgather.validate(BROKEN)


def test_of_onnx() -> None:
    pytest.importorskip("onnx.helper", reason="onnx is not installed")
    from onnx_models import one_node

    model = ovgather.read(
        one_node("GatherElements", [3, 4], [2, 4], [2, 4], axis=0).SerializeToString()
    )
    travelled = pickle.loads(pickle.dumps(model))
    assert travelled == model
    assert hash(travelled) == hash(model)
    assert repr(travelled) == "OnnxModel('<bytes>')"
    gathers = ovgather.gather_layers(model)
    assert (
        pickle.loads(pickle.dumps(gathers))
        == gathers
        == ovgather.gather_layers(travelled)
    )


def test_of_onnx_above_the_limit_of_protobuf() -> None:
    pytest.importorskip("onnx.helper", reason="onnx is not installed")
    from google.protobuf.message import EncodeError
    from onnx_models import one_node

    class Large:
        def SerializeToString(self) -> bytes:  # noqa: N802 - protobuf's name
            raise EncodeError("Failed to serialize proto")

    model = ovgather.read(one_node("GatherElements", [3, 4], [2, 4], [2, 4], axis=0))
    model.proto = Large()
    with pytest.raises(ovgather.InvalidModelError) as caught:
        pickle.dumps(model)
    assert str(caught.value) == (
        "<onnx.ModelProto> cannot be copied or pickled: protobuf serializes less than 2 GiB: keep the weights as "
        "external data"
    )


def infer(axis: int) -> str:
    return str(ovgather.infer_shape("Gather", [[3, 4], [2, 5]], axis=axis))


def test_a_wrong_shape_does_not_break_a_pool() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("forkserver")) as pool:
        wrong = pool.submit(infer, 5)
        assert wrong.exception(60) == wrong_axis()
        assert pool.submit(infer, 0).result(60) == "[2,5,4]"
