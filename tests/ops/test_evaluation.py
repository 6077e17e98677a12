"""Arguments of evaluation: ``out``, ``strict``, and the forms of an axis."""

from __future__ import annotations

import itertools
from typing import Any

import numpy
import pytest

from ovgather.errors import IndexOutOfRangeError, InvalidModelError
from ovgather.ops import evaluation
from ovgather.ops import openvino as ops
from ovgather.ops.api_evaluate import evaluate, gather, gather_elements, gather_nd

CALLS = {
    "gather": lambda data, indices, out: gather(data, indices, 0, out=out),
    "gather_elements": lambda data, indices, out: gather_elements(
        data, indices, 0, out=out
    ),
    "gather_nd": lambda data, indices, out: gather_nd(data, indices[:, None], out=out),
}


@pytest.mark.parametrize("name", CALLS)
def test_out(name: str) -> None:
    data, indices = numpy.array([1.0, 2.0, 3.0]), numpy.array([2, 0, -2])
    out = numpy.empty(3)
    assert CALLS[name](data, indices, out) is out
    assert out.tolist() == [3, 1, 2]
    strided = numpy.empty(6)[::2]
    assert CALLS[name](data, indices, strided) is strided
    assert strided.tolist() == [3, 1, 2]
    assert CALLS[name](data, indices, data) is data
    assert data.tolist() == [3, 1, 2]
    numbers, places = numpy.array([10, 11, 12]), numpy.array([2, 0, 1])
    assert (
        CALLS[name](numbers, places, places).tolist() == places.tolist() == [12, 10, 11]
    )


@pytest.mark.parametrize(
    "out", [numpy.empty(2), numpy.empty(3, "f4"), [0.0, 0.0, 0.0], numpy.empty((3, 1))]
)
def test_out_that_does_not_fit(out: Any) -> None:
    with pytest.raises(
        InvalidModelError,
        match=r"^out must be an array of float64 \[3\], not .*: data \[3\]",
    ):
        gather(numpy.zeros(3), [0, 1, 2], 0, out=out)


STRICT = [
    ("Gather", "opset1"),
    ("Gather", "opset7"),
    ("GatherElements", "opset6"),
    ("GatherND", "opset5"),
]


@pytest.mark.parametrize(("kind", "version"), STRICT)
def test_strict_refuses_negative_indices(kind: str, version: str) -> None:
    indices = numpy.array([[0], [-1]]) if kind == "GatherND" else numpy.array([0, -1])
    axis = None if kind == "GatherND" else 0
    assert evaluate(kind, [[5, 6], indices], version=version, axis=axis).tolist() == [
        5,
        6,
    ]
    with pytest.raises(IndexOutOfRangeError) as caught:
        evaluate(kind, [[5, 6], indices], version=version, axis=axis, strict=True)
    assert (caught.value.value, caught.value.low, caught.value.high) == (-1, 0, 1)
    assert evaluate(
        kind, [[5, 6], indices[:1]], version=version, axis=axis, strict=True
    ).tolist() == [5]


@pytest.mark.parametrize(
    ("kind", "version"), [("Gather", "opset8"), ("GatherND", "opset8")]
)
def test_strict_where_the_page_allows_negative_indices(kind: str, version: str) -> None:
    indices = (
        numpy.array([[0], [-2], [2]]) if kind == "GatherND" else numpy.array([0, -2, 2])
    )
    axis = None if kind == "GatherND" else 0
    assert evaluate(
        kind, [[5, 6], indices[:2]], version=version, axis=axis, strict=True
    ).tolist() == [5, 5]
    with pytest.raises(IndexOutOfRangeError) as caught:
        evaluate(kind, [[5, 6], indices], version=version, axis=axis, strict=True)
    assert (caught.value.value, caught.value.low, caught.value.high) == (2, -2, 1)


@pytest.mark.parametrize(
    "axis", [1, -1, numpy.int8(1), numpy.array(1), numpy.array([1], "u8"), [-1]]
)
def test_axis_in_many_forms(axis: Any) -> None:
    assert gather([[1, 2], [3, 4]], [1], axis).tolist() == [[2], [4]]
    assert evaluate("Gather", [[[1, 2], [3, 4]], [1], axis]).tolist() == [[2], [4]]


@pytest.mark.parametrize(
    "axis", [1.0, "1", True, numpy.array([0, 1]), [[0]], numpy.array(True)]
)
def test_axis_that_is_none(axis: Any) -> None:
    with pytest.raises(
        InvalidModelError,
        match=r"^axis must be an integer, a scalar or of shape \[1\], not ",
    ):
        gather([[1, 2], [3, 4]], [1], axis)


def test_all_versions_agree_on_what_they_share() -> None:
    data = numpy.arange(60).reshape(3, 4, 5)
    for axis, indices in itertools.product(range(-3, 3), ([0, 2], [[1], [0]], 2)):
        made = [
            evaluation.evaluate(operation, data, numpy.asarray(indices), axis).tolist()
            for operation in ops.OPERATIONS
            if operation.type == "Gather"
        ]
        assert made[0] == made[1] == made[2] == numpy.take(data, indices, axis).tolist()
