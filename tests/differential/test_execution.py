"""Execution against the installed OpenVINO, bit for bit: its CPU plugin, and the reference in its core."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy
import pytest
import random_layers
from openvino_child import ask, requires_openvino

from ovgather.errors import IndexOutOfRangeError
from ovgather.ops import evaluation
from ovgather.ops import openvino as ops
from ovgather.tensor import element_type, packing

pytestmark = requires_openvino
LAYERS, RUNS = 100, 9


def evaluate(
    layer: random_layers.Layer, data: numpy.ndarray, indices: numpy.ndarray
) -> tuple[str, Any]:
    operation = ops.find(layer["type"], layer["opset"])
    assert operation is not None
    try:
        made = evaluation.evaluate(
            operation, data, indices, layer["axis"], layer["batch_dims"]
        )
    except IndexOutOfRangeError as error:
        return "error", str(error)
    return "output", bits(made)


def to_send(layer: random_layers.Layer, data: numpy.ndarray) -> Any:
    """The bits of data; where they are packed, the bytes and the shape."""
    kind = element_type.find(layer["data_type"])
    assert kind is not None
    if kind.bits >= 8:
        return bits(data)
    return numpy.frombuffer(packing.pack(kind, data), "u1"), data.shape


def received(layer: random_layers.Layer, answer: tuple[str, Any]) -> tuple[str, Any]:
    kind = element_type.find(layer["data_type"])
    assert kind is not None
    if kind.bits >= 8 or answer[0] == "error":
        return answer
    content, shape = answer[1]
    return "output", bits(packing.unpack(kind, shape, content.tobytes()))


def bits(array: numpy.ndarray) -> numpy.ndarray:
    return array if array.dtype.kind == "U" else array.view(f"u{array.itemsize}")


def compare(
    engine: str, seed: int
) -> list[tuple[random_layers.Layer, Any, tuple[str, Any], tuple[str, Any]]]:
    rng = Random(seed)
    made = [random_layers.layer(rng, engine) for _ in range(LAYERS)]
    runs = [[random_layers.run(rng, layer) for _ in range(RUNS)] for layer in made]
    sent = [
        {**layer, "runs": [(to_send(layer, data), indices) for data, indices in pairs]}
        for layer, pairs in zip(made, runs, strict=True)
    ]
    answers = ask("execute", sent)
    return [
        (layer, pair, evaluate(layer, *pair), received(layer, theirs))
        for layer, pairs, each in zip(made, runs, answers, strict=True)
        for pair, theirs in zip(pairs, each, strict=True)
    ]


def same(ours: tuple[str, Any], theirs: tuple[str, Any]) -> bool:
    if ours[0] != theirs[0]:
        return False
    if ours[0] == "error":
        return "indices values of GatherElement exceed data size" in theirs[1]
    return ours[1].shape == theirs[1].shape and bool((ours[1] == theirs[1]).all())


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "seed"), [("cpu", 20260418), ("core", 20260419)])
def test_outputs_agree(engine: str, seed: int) -> None:
    compared = compare(engine, seed)
    different = [entry for entry in compared if not same(*entry[2:])]
    assert not different, f"{len(different)} of {len(compared)}, first {different[0]}"
    assert len(compared) > 850
    if engine == "cpu":
        assert any(ours[0] == "error" for _, _, ours, _ in compared)


def layer(
    kind: str, opset: str, data: Any, indices: Any, **more: Any
) -> random_layers.Layer:
    """A layer with one run, as the child takes it, and as ``evaluate`` does."""
    data, indices = numpy.asarray(data), numpy.asarray(indices, "i8")
    types = {
        "data_type": f"{data.dtype.kind}{data.itemsize * 8}",
        "indices_type": "i64",
    }
    ranks = {"data_rank": data.ndim, "indices_rank": indices.ndim}
    runs = [(bits(data), indices)]
    return {
        "engine": "cpu",
        "type": kind,
        "opset": opset,
        "axis": 0,
        "batch_dims": 0,
        **types,
        **ranks,
        "runs": runs,
        **more,
    }


ROWS = numpy.array([[1, 2], [3, 4], [5, 6]], "f4")
DEPARTURES = {
    "a negative index of Gather-1 and Gather-7 gives zeros": (
        layer("Gather", "opset7", ROWS, [-1, 0]),
        [[0, 0], [1, 2]],
        [[5, 6], [1, 2]],
    ),
    "indices are narrowed to 32 bits": (
        layer("Gather", "opset8", ROWS, [2**32 + 1, 0]),
        [[3, 4], [1, 2]],
        [[0, 0], [1, 2]],
    ),
    "indices are narrowed to 32 bits, and one that is outside is read": (
        layer("GatherElements", "opset6", ROWS, [[2**32 + 1, 0]]),
        [[3, 2]],
        "indices[0,0] is 4294967297, outside [-3, 2]: data [3,2], indices [1,2], axis 0",
    ),
    "64-bit integers are narrowed to 32 bits": (
        layer("GatherElements", "opset6", numpy.array([[2**31, 7]]), [[0, 0]]),
        [[-(2**31), 7]],
        [[2**31, 7]],
    ),
    "f64 is rounded to f32": (
        layer("GatherElements", "opset6", numpy.array([[1e-300, 0.5]]), [[0, 0]]),
        [[0, 0.5]],
        [[1e-300, 0.5]],
    ),
}


@pytest.mark.parametrize(
    ("case", "cpu", "right"), DEPARTURES.values(), ids=DEPARTURES.keys()
)
def test_the_cpu_plugin_still_departs(
    case: random_layers.Layer, cpu: Any, right: Any
) -> None:
    data, indices = case["runs"][0]
    data = data.view(case["data_type"][0] + str(data.itemsize))
    [[(outcome, content)]] = ask("execute", [case])
    assert (outcome, content.view(data.dtype).tolist()) == ("output", cpu)
    outcome, content = evaluate(case, data, indices)
    assert (
        content if outcome == "error" else content.view(data.dtype).tolist()
    ) == right
