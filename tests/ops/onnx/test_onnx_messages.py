"""The wording of the ONNX dialect, and what its arguments mean; none of it needs onnx."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy
import pytest

import ovgather
from ovgather import (
    InvalidModelError,
    evaluate,
    infer_backward,
    infer_output,
    infer_shape,
)

WORDINGS = [
    (
        "Gatherx",
        [],
        {},
        "type 'Gatherx' is not one of Gather, GatherElements, GatherND",
    ),
    (
        "GatherElements",
        [],
        {"version": 10},
        "ONNX opset 10 has no GatherElements: opset 11 is the first that has one",
    ),
    (
        "Gather",
        [],
        {"version": 0},
        "ONNX opset 0 has no Gather: opset 1 is the first that has one",
    ),
    (
        "Gather",
        [],
        {"version": "opset13"},
        "version must be the opset of an ONNX model, an integer such as 13, not 'opset13'",
    ),
    (
        "GatherND",
        [],
        {"version": True},
        "version must be the opset of an ONNX model, an integer such as 13, not True",
    ),
    (
        "Gather",
        [[3], [2]],
        {"batch_dims": 1},
        "Gather-13 has no batch_dims, but is given batch_dims 1",
    ),
    (
        "GatherND",
        [[3], [2]],
        {"version": 11, "batch_dims": 1},
        "GatherND-11 has no batch_dims, but is given batch_dims 1",
    ),
    (
        "GatherND",
        [[3], [2]],
        {"axis": 0},
        "GatherND-13 has no axis, but is given axis 0",
    ),
    (
        "Gather",
        [[3], [2], []],
        {},
        "Gather-13 takes 2 inputs (data, indices), but is given 3",
    ),
    (
        "GatherElements",
        [[3, 4], [2, 4]],
        {"axis": 5},
        "axis 5 is out of range [-2, 1] for data of rank 2: data [3,4], indices [2,4], axis 5",
    ),
    (
        "GatherElements",
        [[3, 4], [2]],
        {},
        "data and indices must have the same rank, not 2 and 1: data [3,4], indices [2], axis 0",
    ),
    (
        "GatherElements",
        [[3, 4], [9, 5]],
        {},
        "dim 1 is 4 in data but 5 in indices, and only dim 0, the axis, may be longer:"
        " data [3,4], indices [9,5], axis 0",
    ),
    (
        "GatherElements",
        [[], []],
        {},
        "indices must have rank 1 or more, but is a scalar: data [], indices [], axis 0",
    ),
    (
        "GatherElements",
        [["n", "n"], ["2..5", 7]],
        {"axis": 1},
        None,
    ),
    (
        "GatherElements",
        [["n:..3", 9], ["5..", 7]],
        {"axis": 1},
        "dim 0 is ..3 in data but 5.. in indices, and only dim 1, the axis, may be longer:"
        " data [n:..3,9], indices [5..,7], axis 1",
    ),
    (
        "GatherElements",
        [[3, "n:..4", "n"], [3, 2, 6]],
        {},
        "n is 2..4 by indices dim 1, but 6.. by indices dim 2: data [3,n:..4,n], indices [3,2,6], axis 0",
    ),
    (
        "GatherND",
        [[3, 4], [2, 0]],
        {},
        "the last dim of indices is 0, but index tuples have a length of 1 or more: data [3,4], indices [2,0]",
    ),
]


@pytest.mark.parametrize(("kind", "shapes", "named", "message"), WORDINGS)
def test_inference(kind: str, shapes: Any, named: Any, message: str | None) -> None:
    if message is None:
        assert infer_shape(kind, shapes, dialect="onnx", **named)
        return
    with pytest.raises((InvalidModelError, ovgather.ShapeInferenceError)) as caught:
        infer_shape(kind, shapes, dialect="onnx", **named)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("kind", "version", "types", "message"),
    [
        (
            "GatherElements",
            11,
            ["tensor(bfloat16)", "int64"],
            "GatherElements-11 takes no data of tensor(bfloat16): data tensor(bfloat16), indices tensor(int64)",
        ),
        ("GatherElements", 13, ["bf16", "i32"], None),
        ("Gather", 9, ["complex128", "int32"], None),
        ("GatherND", 12, ["string", None], None),
        (
            "GatherND",
            13,
            ["float", "tensor(int32)"],
            "indices must be tensor(int64), not tensor(int32): data tensor(float), indices tensor(int32)",
        ),
        (
            "Gather",
            13,
            [None, "f32"],
            "indices must be tensor(int32) or tensor(int64), not tensor(float): indices tensor(float)",
        ),
        (
            "Gather",
            21,
            ["float8e4m3fn", "int64"],
            "Gather-13 takes no data of tensor(float8e4m3fn): data tensor(float8e4m3fn), indices tensor(int64)",
        ),
        (
            "Gather",
            21,
            ["seq(float)", "int64"],
            "data element type seq(float) is none of ONNX's: data seq(float), indices tensor(int64)",
        ),
    ],
)
def test_element_types(
    kind: str, version: int, types: Any, message: str | None
) -> None:
    shapes = [[3], [1]]
    if message is None:
        infer_shape(kind, shapes, dialect="onnx", version=version, element_types=types)
        return
    with pytest.raises(ovgather.ShapeInferenceError) as caught:
        infer_shape(kind, shapes, dialect="onnx", version=version, element_types=types)
    assert str(caught.value) == message
    assert caught.value.kind == "element_type"


def test_an_axis_that_is_not_given_is_0() -> None:
    assert str(infer_shape("Gather", [[3, 4], [2]], dialect="onnx")) == "[2,4]"
    with pytest.raises(
        ovgather.ShapeInferenceError, match="only dim 0, the axis, may be longer"
    ):
        infer_shape("GatherElements", [[3, 4], [3, 5]], dialect="onnx")
    assert (
        infer_output("Gather", [[3, 4], [2]], dialect="onnx").reasons[0]
        == "dim 0 = 2: indices dim 0 (the axis)"
    )
    assert infer_backward("Gather", [3], [[3, 3], []], dialect="onnx").axes == (0, 1)


def test_reasons_and_constraints() -> None:
    made = infer_output(
        "GatherElements", ["a:..6,b,c,4", "n,k,c,m"], dialect="onnx", axis=1
    )
    assert made.shape.named == "[n:..6,k,c,m:..4]"
    assert made.reasons == (
        "dim 0 = n:..6: indices dim 0, at most data dim 0",
        "dim 1 = k: indices dim 1 (the axis)",
        "dim 2 = c: indices dim 2, at most data dim 2",
        "dim 3 = m:..4: indices dim 3, at most data dim 3",
    )
    assert made.equalities == ()
    assert made.constraints == ("n <= 6", "m <= 4", "n <= a")
    made = infer_output("GatherElements", ["3..,?,?", "..3,5,?"], dialect="onnx")
    assert made.constraints == ("5 <= data dim 1", "indices dim 2 <= data dim 2")
    made = infer_output("GatherElements", ["3,n", None], dialect="onnx")
    assert (made.shape.named, made.constraints) == ("[?,?]", ("rank(indices) == 2",))
    assert made.reasons == (
        "dim 0 = ?: indices have a dynamic rank",
        "dim 1 = ?: at most data dim 1, indices have a dynamic rank",
    )
    assert (
        str(infer_shape("GatherElements", ["3,2..7", None], dialect="onnx"))
        == "[?,..7]"
    )
    assert (
        str(infer_shape("GatherElements", [None, "3,2..7"], dialect="onnx"))
        == "[3,2..7]"
    )
    made = infer_output("Gather", ["vocabulary,d", "batch,seq"], dialect="onnx")
    assert made.shape.named == "[batch,seq,d]"


def test_backward_indices_are_no_longer_than_data() -> None:
    found = infer_backward(
        "GatherElements", [3, 4], [["?", "..9"], None], dialect="onnx", axis=0
    )
    assert (str(found.data), str(found.indices)) == ("[?,4..9]", "[3,4]")
    assert found.reasons[1] == "data dim 1 = 4..9: at least output dim 1"
    with pytest.raises(
        ovgather.ShapeInferenceError, match=r"^output dim 1 is 4, but data dim 1 is 3: "
    ):
        infer_backward(
            "GatherElements", [3, 4], [["?", 3], None], dialect="onnx", axis=0
        )


@pytest.mark.parametrize(
    "dtype", ["c8", "c16", "U2", "O", "?", "f2", "f4", "f8", "i1", "u8"]
)
@pytest.mark.parametrize("kind", ["Gather", "GatherElements", "GatherND"])
def test_every_type_of_data(kind: str, dtype: str) -> None:
    data = numpy.array(["a", "bé", ""]) if dtype in "U2O" else numpy.arange(3)
    data = data.astype(dtype)
    indices = numpy.array([[-1], [0]] if kind == "GatherND" else [-1, 0])
    got = evaluate(kind, [data, indices], dialect="onnx", version=11)
    assert got.dtype == data.dtype
    assert got.tolist() == data[[2, 0]].tolist()


@pytest.mark.parametrize("kind", ["Gather", "GatherElements", "GatherND"])
def test_bfloat16_is_of_version_13(kind: str) -> None:
    data = numpy.array([1, 2, 3], dtype=ml_dtypes.bfloat16)
    indices = [[2]] if kind == "GatherND" else [2]
    assert evaluate(kind, [data, indices], dialect="onnx", version=13).tolist() == [3]
    with pytest.raises(
        ovgather.ShapeInferenceError,
        match=rf"^{kind}-\d+ takes no data of tensor\(bfloat16\): ",
    ):
        evaluate(kind, [data, indices], dialect="onnx", version=12)
    with pytest.raises(
        ovgather.ShapeInferenceError,
        match=rf"^{kind}-13 takes no data of tensor\(float8e5m2\): ",
    ):
        evaluate(kind, [data.astype(ml_dtypes.float8_e5m2), indices], dialect="onnx")
    with pytest.raises(
        ovgather.ShapeInferenceError,
        match=r"^data element type datetime64\[D\] is none of ONNX's: ",
    ):
        evaluate(kind, [numpy.zeros(3, "M8[D]"), indices], dialect="onnx")


@pytest.mark.parametrize(
    ("kind", "indices", "message"),
    [
        (
            "Gather",
            [0, 2, 3],
            "indices[2] is 3, outside [-3, 2]: data [3], indices [3], axis 0",
        ),
        (
            "Gather",
            [-4],
            "indices[0] is -4, outside [-3, 2]: data [3], indices [1], axis 0",
        ),
        (
            "GatherElements",
            [5, -9],
            "indices[0] is 5, outside [-3, 2] (2 indices are outside): data [3], indices [2], axis 0",
        ),
        (
            "GatherND",
            [[1 << 32]],
            "indices[0,0] is 4294967296, outside [-3, 2]: data [3], indices [1,1]",
        ),
    ],
)
def test_indices_outside(kind: str, indices: Any, message: str) -> None:
    with pytest.raises(ovgather.IndexOutOfRangeError) as caught:
        evaluate(kind, [[1, 2, 3], indices], dialect="onnx")
    assert str(caught.value) == message


def test_smaller_indices_off_the_axis_say_the_shapes_that_are_given() -> None:
    data = numpy.arange(24).reshape(2, 3, 4)
    got = evaluate(
        "GatherElements", [data, [[[2, -1], [0, 1]]]], dialect="onnx", axis=1
    )
    assert got.tolist() == [[[8, 9], [0, 5]]]
    assert evaluate(
        "GatherElements", [data, numpy.zeros((0, 5, 4), int)], dialect="onnx", axis=1
    ).shape == (0, 5, 4)
    with pytest.raises(
        ovgather.IndexOutOfRangeError,
        match=r"data \[2,3,4\], indices \[1,1,2\], axis 1$",
    ):
        evaluate("GatherElements", [data, [[[2, 3]]]], dialect="onnx", axis=1)
    out = numpy.zeros((1, 2, 2), dtype=data.dtype)
    assert (
        evaluate(
            "GatherElements",
            [data, [[[2, -1], [0, 1]]]],
            dialect="onnx",
            axis=1,
            out=out,
        )
        is out
    )
    assert out.tolist() == got.tolist()


def test_strict() -> None:
    assert evaluate(
        "Gather", [[1, 2, 3], [-1]], dialect="onnx", version=1
    ).tolist() == [3]
    with pytest.raises(
        ovgather.IndexOutOfRangeError, match=r"^indices\[0\] is -1, outside \[0, 2\]: "
    ):
        evaluate("Gather", [[1, 2, 3], [-1]], dialect="onnx", version=1, strict=True)
    for kind, indices in (
        ("Gather", [-1]),
        ("GatherElements", [-1]),
        ("GatherND", [[-1]]),
    ):
        assert evaluate(
            kind, [[1, 2, 3], indices], dialect="onnx", version=11, strict=True
        ).tolist() == [3]


def test_what_is_wrong_with_the_arrays() -> None:
    with pytest.raises(
        InvalidModelError,
        match=r"^Gather-13 takes 2 inputs \(data, indices\), but is given 3$",
    ):
        evaluate("Gather", [[1], [0], 0], dialect="onnx")
    with pytest.raises(
        ovgather.ShapeInferenceError,
        match=r"^indices must be tensor\(int32\) or tensor\(int64\), not ",
    ):
        evaluate("Gather", [[1], numpy.array([0], "u1")], dialect="onnx")
    with pytest.raises(
        ovgather.ShapeInferenceError, match=r"^indices must be integers, not f64"
    ):
        evaluate("Gather", [[1], [0.5]], dialect="onnx")
