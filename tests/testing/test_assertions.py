"""``ovgather.testing.assert_matches``: passes where all is equal, else says what differs and where."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy
import pytest
from crosscheck_models import gather_model
from paths import SAMPLES

import ovgather
from ovgather.comparison.report import FileReport, Record, Report
from ovgather.errors import InvalidModelError
from ovgather.layers.reference import LayerReference
from ovgather.ops import openvino as ops
from ovgather.ops.sampling.random_layer import LayerChoice, RandomLayer, random_layer
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.testing import assert_matches
from ovgather.testing import assertions as matching
from ovgather.testing.random_model import random_model

PICK = SAMPLES / "specification" / "gather_elements_6_example_2.xml"
LAYER = LayerReference("2", "pick", "GatherElements", "opset6", ())


def clamps(data: Any, indices: Any, axis: int) -> Any:
    return numpy.take_along_axis(data, numpy.maximum(indices, 0), axis)


def right(data: Any, indices: Any, axis: int) -> Any:
    return numpy.take_along_axis(data, indices, axis)


def failure(*arguments: Any, **options: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        assert_matches(*arguments, **options)
    return str(caught.value)


def test_a_function() -> None:
    inputs = {
        "data": numpy.array([[1, 7], [4, 3]], "f4"),
        "indices": numpy.array([[1, 1, 0], [1, 0, -1]], "i4"),
    }
    [name] = [
        layer.name
        for layer in ovgather.read(PICK).layers()
        if layer.type == "GatherElements"
    ]
    assert_matches(PICK, name, inputs, right)
    assert_matches(PICK.read_bytes(), against=right)
    assert failure(PICK, name, inputs, clamps) == (
        f'GatherElements-6 "{name}" (layer 2) of {PICK}: clamps differs from the specification\n'
        "  1 of 6 elements differ, first at [1,2]: got 4.0, want 3.0\n"
        "  data f32 [2,2], indices i32 [2,3], axis 1\n"
        "data [2,2]   indices [2,3]      output [2,3]    taken from data at [2,3]    got [2,3]\n"
        "┌───┬───┐    ┌────┬────┬────┐   ┌───┬───┬───┐   ┌───────┬───────┬───────┐   ┌────┬────┬────┐\n"
        "│ 1 │ 7 │    │  1 │  1 │  0 │   │ 7 │ 7 │ 1 │   │ [0,1] │ [0,1] │ [0,0] │   │  7 │  7 │  1 │\n"
        "├───┼───┤    ├────┼────┼────┤   ├───┼───┼───┤   ├───────┼───────┼───────┤   ├────┼────┼────┤\n"
        "│ 4 │ 3 │    │  1 │  0 │ -1 │   │ 3 │ 4 │ 3 │   │ [1,1] │ [1,0] │ [1,1] │   │  3 │  4 │ 4✗ │\n"
        "└───┴───┘    └────┴────┴────┘   └───┴───┴───┘   └───────┴───────┴───────┘   └────┴────┴────┘\n"
        "negative indices count from the end: -1 of 2 is 1\n"
        "✗: 1 of 6 elements differ\n"
    )


def test_a_function_is_given_what_the_operation_has() -> None:
    seen: dict[str, set[str]] = {}
    for seed in range(80):
        layer = random_layer(Random(seed))

        def kernel(
            data: Any, indices: Any, *, layer: RandomLayer = layer, **named: int
        ) -> Any:
            seen[layer.operation.name] = set(named)
            data.fill(0)  # what the function does to its arguments must not matter
            return layer.expected()

        assert_matches(layer, against=kernel)
    assert seen == {
        "Gather-1": {"axis"},
        "Gather-7": {"axis", "batch_dims"},
        "Gather-8": {"axis", "batch_dims"},
        "GatherElements-6": {"axis"},
        "GatherND-5": {"batch_dims"},
        "GatherND-8": {"batch_dims"},
    }


def test_another_shape_or_type_is_told() -> None:
    layer = random_layer(
        Random(9),
        LayerChoice(
            element_types=("f32",), index_types=("i64",), max_rank=2, max_length=3
        ),
    )
    text = failure(layer, against=lambda data, indices, axis: numpy.zeros((1, 1)))
    assert text.startswith(
        "GatherElements-6: <lambda> differs from the specification\n  got float64[1,1], want float32[2,1]\n"
        "  data f32 [2,1], indices i64 [2,1], axis -2\n"
    )


def test_openvino() -> None:
    pytest.importorskip("openvino")
    quick = LayerChoice(
        element_types=("f32",), index_types=("i32",), outside=False, empty=False
    )
    assert_matches(random_model(Random(4), quick))


def test_an_openvino_model() -> None:
    openvino = pytest.importorskip("openvino")
    opset = openvino.opset13
    data = opset.parameter([3, 4], openvino.Type.f32, name="d")
    indices = opset.parameter([2, 4], openvino.Type.i64, name="i")
    layer = opset.gather_elements(data, indices, 0)
    layer.set_friendly_name("pick")
    text = failure(
        openvino.Model([layer], [data, indices], "m"),
        against=lambda data, indices, axis: data[:2] * 0,
    )
    assert text.startswith(
        'GatherElements-6 "pick" (layer 2) of <openvino.Model>: <lambda> differs from the specification\n'
    )


def test_one_drawn_layer_becomes_a_model() -> None:
    for seed in range(60):
        model = matching.one_layer(random_layer(Random(seed)))
        read = ovgather.read(model.text, model.weights)
        assert not [
            found for found in ovgather.validate(read) if found.severity == "error"
        ]
        assert {
            layer.name for layer in read.layers() if layer.type == "Parameter"
        } == set(model.inputs)


def reported(monkeypatch: pytest.MonkeyPatch, *records: Record) -> dict[str, Any]:
    """Let a cross-check find ``records``; what it was asked for."""
    asked: dict[str, Any] = {}

    def crosscheck(source: object, **options: Any) -> Report:
        asked.update(options, source=source)
        return Report([FileReport("m.xml", records)])

    import importlib

    monkeypatch.setattr(
        importlib.import_module("ovgather.comparison.entry"), "crosscheck", crosscheck
    )
    return asked


def record(verdict: str, reason: str = "", evidence: Evidence | None = None) -> Record:
    return Record(
        LAYER, "alone", "openvino", "CPU", Outcome(verdict, reason, evidence=evidence)
    )


def test_what_a_runtime_got_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    data, indices = numpy.array([[1.0, 2.0]]), numpy.array([[0, -1]])
    operation = ops.find("GatherElements", "opset6")
    assert operation is not None
    evidence = Evidence(operation, data, indices, 1, 0, numpy.array([[1.0, 1.0]]))
    crash = record("crash", "SIGSEGV")._replace(variant="in-place")
    reported(
        monkeypatch, record("equal"), record("different", "clamped", evidence), crash
    )
    text = failure("m.xml")
    assert text.startswith(
        'GatherElements-6 "pick" (layer 2) of m.xml, alone, against openvino on CPU: different\n'
        "  clamped\n"
        "data [1,2]   indices [1,2]"
    )
    assert text.endswith(
        '\nGatherElements-6 "pick" (layer 2) of m.xml, in-place, against openvino on CPU: crash\n  SIGSEGV'
    )


def test_known_departures_fail_only_when_strict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reported(monkeypatch, record("known", "narrowed"))
    assert_matches("m.xml")
    assert "against openvino on CPU: known\n  narrowed" in failure("m.xml", strict=True)


def test_nothing_compared_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    reported(monkeypatch, record("skipped", "the axis is not known"))
    assert failure("m.xml") == "nothing was compared: the axis is not known"
    reported(monkeypatch)
    assert failure("m.xml") == "nothing was compared: the model has no Gather layer"
    assert failure(
        b'<net name="m" version="11"><layers/><edges/></net>', against=right
    ) == ("nothing was compared: <bytes> has no Gather layer")


def test_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = reported(monkeypatch, record("equal"))
    assert_matches(
        "m.xml",
        "pick",
        None,
        ("openvino", "onnxruntime"),
        device="GPU",
        variants=["default"],
        seed=3,
    )
    assert asked == {
        "source": "m.xml",
        "layer": "pick",
        "inputs": None,
        "weights": None,
        "against": ["openvino", "onnxruntime"],
        "device": "GPU",
        "variants": ["default"],
        "seed": 3,
    }


def test_messages() -> None:
    with pytest.raises(InvalidModelError) as caught:
        assert_matches(SAMPLES / "demo" / "good.xml", "token_ids", against=right)
    assert str(caught.value).endswith(
        "layer 'token_ids' is a 'Parameter' (opset1), not a Gather that can be run"
    )
    with pytest.raises(InvalidModelError) as caught:
        assert_matches(SAMPLES / "demo" / "good.xml", against="tensorflow")
    assert (
        str(caught.value)
        == "runtime 'tensorflow' is none of onnx-reference, onnxruntime, openvino, torch"
    )


def test_a_function_may_lack_batch_dims() -> None:
    def take(data: Any, indices: Any, axis: int) -> Any:
        return numpy.take(data, indices, axis)

    files = gather_model("Gather", "opset8", ("f32", [5, 4]), ("i64", [3]), 0)
    assert_matches(files[0], weights=files[1], against=take)
    files = gather_model("Gather", "opset8", ("f32", [3, 5]), ("i64", [3, 2]), 1, 1)
    with pytest.raises(
        AssertionError,
        match="the function takes no batch_dims, and those of the layer are 1",
    ):
        assert_matches(files[0], weights=files[1], against=take)
