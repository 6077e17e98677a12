"""The wording of what shape inference and evaluation say: the argument, its value, what was expected, the bindings."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from ovgather.errors import (
    IndexOutOfRangeError,
    InvalidModelError,
    OvgatherError,
    ShapeInferenceError,
)
from ovgather.ops import openvino as ops
from ovgather.ops.api_evaluate import evaluate, gather, gather_elements, gather_nd
from ovgather.ops.api_infer import infer_shape
from ovgather.tensor.shape import PartialShape

OPERATIONS = {operation.name: operation for operation in ops.OPERATIONS}

INFERENCE = [
    (
        ("Gather-8", "3,4", "2,5", 5, 0),
        [
            "axis 5 is out of range [-2, 1] for data of rank 2: data [3,4], indices [2,5], axis 5"
        ],
    ),
    (
        ("Gather-8", "", "2", 0, 0),
        [
            "data must have rank 1 or more, a scalar has no axis: data [], indices [2], axis 0"
        ],
    ),
    (
        ("Gather-8", "2,3,4", "2,3", 2, -3),
        [
            "batch_dims -3 is below -rank(indices), which is -2: data [2,3,4], indices [2,3], axis 2, batch_dims -3"
        ],
    ),
    (
        ("Gather-8", "2,3,4", "2,3", 0, -1),
        [
            "batch_dims -1 (from the end of indices: 1) must not be above axis, which is 0:"
            " data [2,3,4], indices [2,3], axis 0, batch_dims -1"
        ],
    ),
    (
        ("Gather-8", "2,3,4", "2", 1, 2),
        [
            "batch_dims 2 must not be above axis, which is 1: data [2,3,4], indices [2], axis 1, batch_dims 2",
            "batch_dims 2 is above the rank of indices, which is 1: data [2,3,4], indices [2], axis 1, batch_dims 2",
        ],
    ),
    (
        ("Gather-7", "2", "2", None, 1),
        [
            "batch_dims 1 must be below the rank of data, which is 1:"
            " data [2], indices [2], axis not known, batch_dims 1"
        ],
    ),
    (
        ("Gather-7", "2,5", "3,?", 1, 1),
        [
            "batch dim 0 is 2 in data but 3 in indices: data [2,5], indices [3,?], axis 1, batch_dims 1"
        ],
    ),
    (
        ("GatherElements-6", "...", "3,5", 2, 0),
        [
            "axis 2 is out of range [-2, 1] for indices of rank 2: data [...], indices [3,5], axis 2"
        ],
    ),
    (
        ("GatherElements-6", "2,1..7", "3,9..", 0, 0),
        [
            "dim 1 is 1..7 in data but 9.. in indices, and only dim 0, the axis, may differ:"
            " data [2,1..7], indices [3,9..], axis 0"
        ],
    ),
    (
        ("GatherElements-6", "2,5", "3,4", None, 0),
        [
            "data and indices differ in dims 0 and 1, but only the axis may differ:"
            " data [2,5], indices [3,4], axis not known"
        ],
    ),
    (
        ("GatherElements-6", "2,5", "3", 0, 0),
        [
            "data and indices must have the same rank, not 2 and 1: data [2,5], indices [3], axis 0"
        ],
    ),
    (
        ("GatherElements-6", "", "", 0, 0),
        [
            "indices must have rank 1 or more, but is a scalar: data [], indices [], axis 0",
            "data must have rank 1 or more, but is a scalar: data [], indices [], axis 0",
        ],
    ),
    (
        ("GatherND-8", "3,4", "2", None, -1),
        [
            "batch_dims -1 is negative, and GatherND does not count from the end: data "
            "[3,4], indices [2], batch_dims -1"
        ],
    ),
    (
        ("GatherND-8", "3,4", "2", None, 2),
        [
            "batch_dims 2 must be below the rank of data, which is 2: data [3,4], indices [2], batch_dims 2",
            "batch_dims 2 must be below the rank of indices, which is 1: data [3,4], indices [2], batch_dims 2",
        ],
    ),
    (
        ("GatherND-8", "3,4", "2,3", None, 0),
        [
            "the last dim of indices is 3, above rank(data) - batch_dims, which is 2: data [3,4], indices [2,3]"
        ],
    ),
    (
        ("GatherND-8", "3,4", "3,2..5", None, 1),
        [
            "the last dim of indices is 2..5, above rank(data) - batch_dims, which is 1:"
            " data [3,4], indices [3,2..5], batch_dims 1"
        ],
    ),
]


@pytest.mark.parametrize(("call", "messages"), INFERENCE)
def test_inference(
    call: tuple[str, str, str, int | None, int], messages: list[str]
) -> None:
    name, data, indices, axis, batch_dims = call
    shapes = [PartialShape.of(data), PartialShape.of(indices)]
    found = OPERATIONS[name].check(shapes, axis=axis, batch_dims=batch_dims)
    assert [str(problem) for problem in found] == messages


def test_axis_shape_and_input_count() -> None:
    shapes = [PartialShape.of(text) for text in ("3,4", "2", "2")]
    [found] = OPERATIONS["Gather-8"].check(shapes, axis=0)
    assert (
        str(found)
        == "axis must be a scalar or have shape [1], not [2]: data [3,4], indices [2], axis 0"
    )
    [found] = OPERATIONS["Gather-8"].check(shapes[:1], axis=0)
    assert str(found) == "Gather-8 takes 3 inputs (data, indices, axis), but is given 1"
    [found] = OPERATIONS["GatherElements-6"].check(shapes, axis=0)
    assert (
        str(found) == "GatherElements-6 takes 2 inputs (data, indices), but is given 3"
    )


@pytest.mark.parametrize(
    ("name", "types", "messages"),
    [
        (
            "Gather-8",
            ["f32", "f32", "string"],
            [
                "indices must be of an integer type, not f32: data f32, indices f32, axis string",
                "axis must be of an integer type, not string (OpenVINO's own check lets it through):"
                " data f32, indices f32, axis string",
            ],
        ),
        (
            "GatherND-5",
            [None, "boolean"],
            ["indices must be of an integer type, not boolean: indices boolean"],
        ),
        (
            "GatherElements-6",
            ["f32", "u8"],
            ["indices must be i32 or i64, not u8: data f32, indices u8"],
        ),
        (
            "GatherElements-6",
            ["f32", "dynamic"],
            ["indices must be i32 or i64, not dynamic: data f32, indices dynamic"],
        ),
        (
            "Gather-1",
            ["float"],
            ["data element type float is none of OpenVINO's: data float"],
        ),
        ("Gather-1", ["f32", "f32", "f32"], []),
        ("Gather-8", ["f32", "dynamic", "U4"], []),
    ],
)
def test_element_types(name: str, types: list[str | None], messages: list[str]) -> None:
    shapes = [PartialShape.of([3]), PartialShape.of([1])]
    found = OPERATIONS[name].check(shapes, axis=0, element_types=types)
    assert [str(problem) for problem in found] == messages
    assert all(problem.kind == "element_type" for problem in found)


def call(*arguments: Any, **named: Any) -> Any:
    return lambda function: function(*arguments, **named)


@pytest.mark.parametrize(
    ("function", "made", "kind", "message"),
    [
        (
            infer_shape,
            call("Gatherx", []),
            InvalidModelError,
            "type 'Gatherx' is not one of Gather, GatherElements, GatherND",
        ),
        (
            infer_shape,
            call("GatherElements", [], version="opset5"),
            InvalidModelError,
            "opset 'opset5' has no GatherElements: opset6 to opset16 have one",
        ),
        (
            infer_shape,
            call("Gather", [[3], [3]], version="opset1", batch_dims=1),
            InvalidModelError,
            "Gather-1 has no batch_dims, but is given batch_dims 1",
        ),
        (
            evaluate,
            call("GatherElements", [[3], [0]], batch_dims=-1),
            InvalidModelError,
            "GatherElements-6 has no batch_dims, but is given batch_dims -1",
        ),
        (
            infer_shape,
            call("GatherND", [[3], [3]], axis=0),
            InvalidModelError,
            "GatherND-8 has no axis, but is given axis 0",
        ),
        (
            infer_shape,
            call("Gather", [[3], [3]], dialect="tf"),
            OvgatherError,
            "dialect 'tf' is unknown: openvino and onnx are known",
        ),
        (
            infer_shape,
            call("Gather", [[3], ["x y"]]),
            ValueError,
            "['x y'] is not a shape: dim 0: 'x y' is not a dimension: write 5, ?, -1, 2..8, ..8, 8..,"
            " a name such as batch, or batch:2..8",
        ),
        (
            infer_shape,
            call("Gather", [[3], [3]], axis=1.5),
            InvalidModelError,
            "axis must be an integer, a scalar or of shape [1], not 1.5",
        ),
        (
            infer_shape,
            call("Gather", [[3], [3]], batch_dims="1"),
            InvalidModelError,
            "batch_dims must be an integer, a scalar or of shape [1], not '1'",
        ),
        (
            evaluate,
            call("Gather", [[3], [0]]),
            InvalidModelError,
            "Gather-8 needs an axis: give axis, or a third input",
        ),
        (
            evaluate,
            call("Gather", [[3]], axis=0),
            InvalidModelError,
            "Gather-8 takes 3 inputs (data, indices, axis), but is given 1",
        ),
        (
            gather,
            call([1, 2], [[0.5]], 0),
            ShapeInferenceError,
            "indices must be integers, not f64: data [2], indices [1,1], axis 0",
        ),
        (
            gather,
            call([1, 2], [0], 0, out=numpy.zeros(2, "f4")),
            InvalidModelError,
            "out must be an array of int64 [1], not float32 [2]: data [2], indices [1], axis 0",
        ),
        (
            gather_elements,
            call([[1, 2], [3, 4]], [[0, 7], [9, -3]], 1),
            IndexOutOfRangeError,
            "indices[0,1] is 7, outside [-2, 1] (3 indices are outside): data [2,2], indices [2,2], axis 1",
        ),
        (
            gather_elements,
            call(numpy.zeros((0, 2)), [[0, 0]]),
            IndexOutOfRangeError,
            "indices[0,0] is 0, outside the empty range of an axis without elements (2 indices are outside):"
            " data [0,2], indices [1,2], axis 0",
        ),
        (
            gather_nd,
            call([[1, 2], [3, 4]], [[[0, 1]], [[-3, 0]]]),
            IndexOutOfRangeError,
            "indices[1,0,0] is -3, outside [-2, 1]: data [2,2], indices [2,1,2]",
        ),
    ],
)
def test_functions(
    function: Any, made: Any, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as caught:
        made(function)
    assert str(caught.value) == message


def test_errors_are_what_callers_catch() -> None:
    with pytest.raises(ValueError, match="axis 5"):
        infer_shape("Gather", [[3], [3]], axis=5)
    with pytest.raises(IndexError, match=r"indices\[0\]"):
        gather_elements([1], [5])
    with pytest.raises(OvgatherError):
        infer_shape("Gather", [[3], [3]], axis=5)
