"""IR -> ONNX: ONNX Runtime gives what the page of the IR's operation says."""

from __future__ import annotations

from random import Random
from typing import Any

import ml_dtypes
import numpy
import pytest
from converted_child import needs_runtimes, run
from paths import SAMPLES
from written_layer import tensor, written_layer

from ovgather.errors import InvalidModelError
from ovgather.ir.writer import Writer
from ovgather.ops.sampling.random_layer import LayerChoice, RandomLayer
from ovgather.tensor.element_type import named
from ovgather.testing.random_model import random_model
from ovgather.verbs.convert import convert
from ovgather.verbs.written_model import LayerModel

onnx = pytest.importorskip("onnx")

# ONNX Runtime takes no bfloat16 from NumPy.
TYPES = (
    "f32",
    "f16",
    "f64",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "boolean",
    "string",
)


@needs_runtimes
@pytest.mark.parametrize("dynamic", [False, True])
def test_random_layers_give_the_same(dynamic: bool) -> None:
    choice = LayerChoice(element_types=TYPES, wide=True)
    models = [
        random_model(Random(seed), choice, length=1, dynamic=dynamic)
        for seed in range(200)
    ]
    models = [model for model in models if not is_refused(model.layers[0])]
    made = [convert(model.text, weights=model.weights)[0] for model in models]
    answers = run(
        [
            ("onnxruntime", each.text, b"", model.inputs)
            for each, model in zip(made, models, strict=True)
        ]
    )
    for model, answer in zip(models, answers, strict=True):
        assert same(answer, model.expected, model.layers[0]), (model.layers[0], answer)
    assert len(models) > 150


def is_refused(layer: RandomLayer) -> bool:
    return layer.operation.type == "GatherND" and not layer.indices.shape[-1]


def same(got: Any, want: numpy.ndarray, layer: RandomLayer) -> bool:
    if isinstance(got, str):
        return False
    if want.dtype == object:
        if (
            layer.operation.type == "Gather"
        ):  # of a slice of text ONNX Runtime copies the first element only
            first = (
                ...,
                *[slice(0, 1)] * (layer.data.ndim - layer.axis % layer.data.ndim - 1),
            )
            got, want = got[first], want[first]
        return got.shape == want.shape and [str(text) for text in got.flat] == [
            str(text) for text in want.flat
        ]
    return bool(
        got.dtype == want.dtype
        and got.shape == want.shape
        and got.tobytes() == want.tobytes()
    )


def made(
    kind: str,
    opset: str,
    data: tuple[str, object],
    indices: tuple[str, object],
    at: int | None = None,
    guard: bool = True,
    weightless: bool = False,
    **attributes: str,
) -> LayerModel:
    """A layer whose data and indices are Parameters, each a type and a shape, and its axis the Const ``at``."""
    writer = written_layer(kind, opset, data, indices, at, **attributes)
    return convert(
        writer.text, weights=None if weightless else writer.weights, guard=guard
    )[0]


def nodes(converted: LayerModel) -> list[str]:
    return [node.op_type for node in onnx.load_from_string(converted.text).graph.node]


def test_a_plain_layer_is_one_node() -> None:
    converted = made(
        "GatherElements", "opset6", ("f32", ["batch", 7]), ("i64", "?,5"), axis="1"
    )
    assert nodes(converted) == ["GatherElements"]
    assert converted.inputs == (
        "data: input 'data' float [?,7]",
        "indices: input 'indices' int64 [?,5]",
    )
    assert (
        converted.name,
        converted.extension,
        converted.notes,
        converted.weights,
    ) == (
        "pick",
        ".onnx",
        (),
        b"",
    )
    model = onnx.load_from_string(converted.text)
    assert (model.graph.node[0].name, model.graph.node[0].output[0]) == (
        "pick",
        "pick/output",
    )
    onnx.checker.check_model(model, full_check=True)


def test_bfloat16_is_kept() -> None:
    model = random_model(
        Random(4), LayerChoice(element_types=("bf16",)), length=1, constant=True
    )
    graph = onnx.load_from_string(
        convert(model.text, weights=model.weights)[0].text
    ).graph
    assert graph.initializer[0].data_type == onnx.TensorProto.BFLOAT16
    held = numpy.frombuffer(graph.initializer[0].raw_data, ml_dtypes.bfloat16)
    assert held.tobytes() == model.layers[0].data.tobytes()


NOTES = [
    (
        ("Gather", "opset8", ("f32", [3, 4]), ("i64", [2]), 0),
        {},
        "a slice of zeros after data is what an index outside takes, as in IR",
    ),
    (
        ("Gather", "opset8", ("f32", [3, 4]), ("i64", [2]), 0),
        {"guard": False},
        "an index outside, which gives zeros in IR, is an error: there is no guard",
    ),
    (
        ("Gather", "opset8", ("f32", [3, 4]), ("i64", [3, 2]), 1),
        {"guard": False, "batch_dims": "1"},
        "ONNX's Gather has no batch_dims: it is a GatherND",
    ),
    (
        ("Gather", "opset8", ("string", [3, 4]), ("i64", [2]), 0),
        {},
        "of each slice of text ONNX Runtime copies the first element only",
    ),
    (
        ("GatherND", "opset5", ("f32", [2, 3, 4]), ("i64", [2, 3, 1])),
        {"batch_dims": "2"},
        "a Reshape after it makes one dim of all batch dims, as GatherND-5 does",
    ),
]


@pytest.mark.parametrize(("layer", "options", "note"), NOTES)
def test_what_is_added_is_said(layer: Any, options: Any, note: str) -> None:
    assert note in made(*layer, **options).notes


REFUSED = [
    (
        ("GatherElements", "opset6", ("i4", [3]), ("i64", [3])),
        {"axis": "0"},
        "data is i4, and GatherElements-13 of ONNX takes no such data",
    ),
    (
        ("GatherElements", "opset6", ("dynamic", [3]), ("i64", [3])),
        {"axis": "0"},
        "the file does not say which element type data has",
    ),
    (
        ("GatherND", "opset8", ("f32", [3]), ("i64", [3, 0])),
        {},
        "its index tuples are empty, which ONNX does not have",
    ),
    (
        ("Gather", "opset8", ("f32", None), ("i64", [2]), 0),
        {},
        "the rank of data is not known, so ONNX gives no zeros for an index outside",
    ),
    (
        ("Gather", "opset8", ("f32", [3, 4]), ("i64", None), 1),
        {"batch_dims": "1"},
        "batch_dims is 1, and the rank of data or indices is not known",
    ),
    (
        ("Gather", "opset8", ("f32", [3, 4]), ("i64", None), 1),
        {"batch_dims": "-1"},
        "batch_dims is -1, and the rank of indices is not known",
    ),
    (
        ("Gather", "opset8", ("f32", [3, 4]), ("i64", [2]), 7),
        {},
        "axis 7 is out of range [-2, 1] for data of rank 2: data [3,4], indices [2], axis 7",
    ),
    (
        ("GatherElements", "opset6", ("f32", None), ("i64", [3])),
        {"axis": "0"},
        "the rank of data is not known, and ONNX wants that of a model's inputs and outputs",
    ),
    (
        ("GatherND", "opset8", ("f32", [3, 4]), ("i64", [2, "?"])),
        {},
        "the rank of the output is not known, and ONNX wants that of a model's inputs and outputs",
    ),
]


@pytest.mark.parametrize(("layer", "options", "why"), REFUSED)
def test_what_has_no_counterpart_is_refused(layer: Any, options: Any, why: str) -> None:
    with pytest.raises(InvalidModelError) as caught:
        made(*layer, **options)
    assert str(caught.value) == f"<bytes>: layer 'pick' cannot be converted: {why}"


@pytest.mark.parametrize("type", ["f32", "bf16", "u8"])
def test_a_large_constant_is_written_as_protobuf_would(type: str) -> None:
    writer = Writer("m")
    data = numpy.random.default_rng(1).bytes((named(type).bits // 8) << 17)
    table = numpy.frombuffer(data, named(type).dtype).reshape(1 << 15, 4)
    feeds = [
        writer.const("table", named(type), table),
        writer.parameter("places", tensor("i64", [2])),
        writer.number("axis", named("i64"), 0),
    ]
    output = tensor(type, [2, 4])
    writer.result("out", writer.layer("pick", "Gather", "opset8", {}, feeds, output))
    text = convert(writer.text, weights=writer.weights)[0].text
    model = onnx.load_from_string(text)
    held = {tensor.name: tensor for tensor in model.graph.initializer}["table"]
    assert (held.raw_data, list(held.dims)) == (data, [1 << 15, 4])
    onnx.checker.check_model(model)
    assert len(model.SerializeToString()) == len(text)  # nothing is written twice


def test_constant_indices_outside_need_the_guard() -> None:
    outside = SAMPLES / "specification" / "gather_8_example_7_constant_indices.xml"
    assert convert(outside)[0].notes
    with pytest.raises(
        InvalidModelError,
        match="constant indices are outside axis 0: ONNX would not run it without",
    ):
        convert(outside, guard=False)


def test_an_axis_that_is_not_known_is_refused() -> None:
    with pytest.raises(
        InvalidModelError,
        match="layer 'pick' cannot be converted: its axis is not known",
    ):
        made("Gather", "opset8", ("f32", [3, 3]), ("i64", [3]), 1, weightless=True)


def test_indices_that_are_no_integers_are_refused() -> None:
    sample = SAMPLES / "rules" / "OVG404" / "good.xml"
    edge = 'from-layer="%d" from-port="0" to-layer="3" to-port="1"'
    # The texts, not the numbers.
    text = sample.read_text(encoding="utf-8").replace(edge % 1, edge % 0)
    with pytest.raises(
        InvalidModelError, match="indices are string: only integers can index"
    ):
        convert(text.encode(), weights=str(sample.with_suffix(".bin")))
