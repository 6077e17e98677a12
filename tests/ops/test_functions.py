"""The functions at the top of the package: arguments, defaults, forms."""

from __future__ import annotations

import numpy
import pytest

import ovgather
from ovgather.tensor.shape import Dimension, PartialShape


def test_shapes_in_many_forms() -> None:
    forms = [
        "3,?,5",
        "[3,?,5]",
        [3, -1, 5],
        (3, "?", 5),
        [Dimension(3), (0, None), 5],
        PartialShape.of("3,?,5"),
    ]
    for data in forms:
        made = ovgather.infer_shape(
            "GatherElements", [data, "?,2..8,?"], version="opset6", axis=1
        )
        assert isinstance(made, PartialShape)
        assert str(made) == "[3,2..8,5]"
    assert (
        str(ovgather.infer_shape("Gather", [None, [2]], version="opset8", axis=1))
        == "[...]"
    )
    assert (
        str(ovgather.infer_shape("Gather", [[5], []], version="opset8", axis=0)) == "[]"
    )


def test_version_chooses_the_operation() -> None:
    shapes = [[30, 2, 100, 35], [30, 2, 3, 1]]
    assert (
        str(ovgather.infer_shape("GatherND", shapes, version="opset7", batch_dims=2))
        == "[60,3,35]"
    )
    assert (
        str(ovgather.infer_shape("GatherND", shapes, version="opset16", batch_dims=2))
        == "[30,2,3,35]"
    )
    for version in ("opset1", "opset7", "opset13"):
        assert (
            str(ovgather.infer_shape("Gather", [[2, 5], [3]], version=version, axis=1))
            == "[2,3]"
        )


def test_axis_not_given_is_not_known() -> None:
    assert (
        str(
            ovgather.infer_shape(
                "Gather", [[2, 5], [2, 3]], version="opset8", batch_dims=1
            )
        )
        == "[2,?]"
    )
    assert (
        str(
            ovgather.infer_shape(
                "GatherElements", [["?", 5], [2, "?"]], version="opset6"
            )
        )
        == "[2,?]"
    )
    # Evaluation takes the attribute's default.
    made = ovgather.evaluate(
        "GatherElements", [[[1, 2], [3, 4]], [[1, 0]]], version="opset6"
    )
    assert made.tolist() == [[3, 2]]


def test_axis_shape_is_checked_when_it_is_given() -> None:
    assert str(ovgather.infer_shape("Gather", [[2, 5], [3], [1]], axis=-1)) == "[2,3]"
    with pytest.raises(ovgather.ShapeInferenceError, match=r"shape \[1\], not \[2\]"):
        ovgather.infer_shape("Gather", [[2, 5], [3], [2]], axis=-1)


def test_numpy_numbers_are_integers_too() -> None:
    made = ovgather.infer_shape(
        "Gather", [[2, 5], [2, 3]], axis=numpy.int64(1), batch_dims=numpy.int32(1)
    )
    assert str(made) == "[2,3]"
    assert (
        str(ovgather.infer_shape("Gather", [[2, 5], [3]], axis=numpy.array([1])))
        == "[2,3]"
    )
    with pytest.raises(
        ovgather.ShapeInferenceError, match=r"axis 7 is .*, axis 7, batch_dims 1$"
    ):
        ovgather.infer_shape(
            "Gather", [[2, 5], [2, 3]], axis=numpy.int64(7), batch_dims=numpy.int32(1)
        )


def test_element_types_are_checked_when_they_are_given() -> None:
    shapes = [[3, 4], [3, 2]]
    assert (
        str(
            ovgather.infer_shape(
                "GatherElements", shapes, axis=1, element_types=["string", "i64"]
            )
        )
        == "[3,2]"
    )
    with pytest.raises(ovgather.ShapeInferenceError) as caught:
        ovgather.infer_shape(
            "GatherElements", shapes, axis=1, element_types=["f32", "f32"]
        )
    assert (caught.value.kind, caught.value.argument) == ("element_type", "indices")


def test_answers_that_are_kept_are_those_of_the_same_call() -> None:
    def infer(data: object, indices: object, **options: object) -> str:
        return str(ovgather.infer_shape("Gather", [data, indices], **options))  # type: ignore[arg-type]

    assert infer([2, 5], [1], axis=1) == infer([2, 5], [1], axis=1) == "[2,1]"
    for wrong in ([True], [1.0], [b"\x01"]):
        with pytest.raises(ValueError, match="is not a length"):
            infer([2, 5], wrong, axis=1)
    for axis in (True, 1.0):
        with pytest.raises(ovgather.InvalidModelError, match="axis must be an integer"):
            infer([2, 5], [1], axis=axis)
    with pytest.raises(
        ovgather.InvalidModelError, match="batch_dims must be an integer"
    ):
        infer([2, 5], [1], axis=1, batch_dims=False)
    assert infer([2, 5], [1], axis=0) == "[1,5]"
    assert infer([2, 5], "1", axis=0) == "[1,5]"
    assert infer([2, 5], ["1", "s"], axis=0) == "[1,?,5]"
    assert infer([2, 5], [1], axis=1, version="opset1") == "[2,1]"
    assert infer([2, 5], numpy.array([1], "i8"), axis=0) == "[1,5]"
    assert infer([2, 5], numpy.array([1, 0], "i4"), axis=0) == "[1,0,5]"
    first = PartialShape.of([2, 5])
    assert infer(first, PartialShape.of([1]), axis=0) == "[1,5]"
    for length in range(5000):  # more than are kept, made where others were
        assert infer(first, PartialShape.of([length, 1]), axis=0) == f"[{length},1,5]"
        assert infer([2, 5], [length, 1], axis=0) == f"[{length},1,5]"


def test_answers_are_kept_with_their_symbols() -> None:
    for make in (list, PartialShape.of):
        for name in ("batch", "n", "?", "1..7", "batch:1..7", -1):
            data, indices = make([name, 64]), make([3])  # type: ignore[operator]
            for _ in range(2):
                made = ovgather.infer_shape("Gather", [data, indices], axis=1)
                assert made.named == f"[{'?' if name == -1 else name},3]"


@pytest.mark.parametrize("shape", [[-2, 5], (-2, 5), [5, 1 << 63]])
def test_lengths_out_of_range(shape: object) -> None:
    for _ in range(2):
        with pytest.raises(
            ValueError,
            match=r"^[\[(].*[\])] is not a shape: dim [01]: length .* is out of range",
        ) as caught:
            ovgather.infer_shape("Gather", [shape, [1]], axis=0)
        assert str(caught.value).startswith(f"{shape!r} is not a shape")


def test_shapes_may_come_in_any_sequence() -> None:
    assert str(ovgather.infer_shape("Gather", ([2, 5], [1]), axis=0)) == "[1,5]"
    assert (
        str(ovgather.infer_shape("Gather", map(tuple, ([2, 5], [1])), axis=0))
        == "[1,5]"
    )  # type: ignore[arg-type]


def test_infer_output_says_more() -> None:
    made = ovgather.infer_output(
        "Gather", [["batch", 64], ["n", "seq:..512"]], axis=1, batch_dims=1
    )
    assert made.shape.named == "[batch,seq:..512]"
    assert made.equalities == ("batch == n",)
    assert made.reasons[0] == "dim 0 = batch: batch dim, data dim 0 ∩ indices dim 0"
    assert made.shape == ovgather.infer_shape(
        "Gather", [["?", 64], ["?", "..512"]], axis=1, batch_dims=1
    )
    with pytest.raises(ovgather.ShapeInferenceError, match="indices must be"):
        ovgather.infer_output(
            "Gather", [[3], [3]], axis=0, element_types=["f32", "f32"]
        )


def test_evaluate_and_the_named_functions_agree() -> None:
    data, indices = (
        numpy.arange(12).reshape(3, 4),
        numpy.array([[0, 2], [1, -1], [3, 0]]),
    )
    assert (
        ovgather.gather(data, indices, 1, 1)
        == ovgather.evaluate("Gather", [data, indices, 1], batch_dims=1)
    ).all()
    assert (
        ovgather.gather_elements(data, indices, 1)
        == numpy.take_along_axis(data, indices, 1)
    ).all()
    assert (ovgather.gather_nd(data, indices[:1]) == data[0, 2]).all()


def test_lists_are_arrays() -> None:
    made = ovgather.gather([[1.5, 2.5]], [1], 1)
    assert isinstance(made, numpy.ndarray)
    assert made.dtype == numpy.float64
    assert ovgather.gather(["a", "b"], [1, 5], 0).tolist() == ["b", ""]
