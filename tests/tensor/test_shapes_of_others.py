"""Shapes and dims of OpenVINO, NumPy and plain Python: taken, compared and given back."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import ovgather
from ovgather import Dimension, PartialShape

WRITTEN = ["[]", "[3,5]", "[?,3]", "[2..8,..7,9..]", "[...]"]


@pytest.fixture
def openvino() -> Any:
    return pytest.importorskip("openvino", reason="openvino is not installed")


@pytest.mark.parametrize("text", WRITTEN)
def test_shapes_of_openvino(openvino: Any, text: str) -> None:
    shape, theirs = PartialShape(text), openvino.PartialShape(text)
    assert PartialShape(theirs) == PartialShape.of(theirs) == shape
    assert str(shape) == str(theirs) == text
    assert shape.to_openvino() == theirs
    assert shape == theirs
    assert theirs == shape
    assert shape != openvino.PartialShape([1, 1, 1, 1])
    assert [PartialShape([dim]) for dim in shape.dims or ()] == [
        PartialShape([dim]) for dim in ([] if theirs.rank.is_dynamic else theirs)
    ]


def test_dims_and_static_shapes_of_openvino(openvino: Any) -> None:
    for text in ("3", "?", "2..8", "..7", "9.."):
        dim, theirs = Dimension.parse(text), openvino.PartialShape(f"[{text}]")[0]
        assert Dimension.of(theirs) == dim == theirs
        assert dim.to_openvino() == theirs
    assert PartialShape(openvino.Shape([2, 3])) == openvino.Shape([2, 3]) == [2, 3]
    shape = ovgather.infer_shape(
        "Gather", [openvino.PartialShape.dynamic(), openvino.Shape([2])], axis=0
    )
    assert str(shape) == "[...]"
    assert ovgather.infer_shape(
        "Gather", [openvino.PartialShape([-1, 3]), [openvino.Dimension(2)]], axis=0
    ) == (2, 3)


def test_integers_of_numpy() -> None:
    data = [numpy.int64(4), numpy.int32(-1)]
    shape = ovgather.infer_shape(
        "Gather",
        [data, numpy.array([2])],
        axis=numpy.int64(1),
        batch_dims=numpy.int8(0),
    )
    assert shape == [4, 2]
    assert PartialShape([(numpy.int64(2), numpy.int64(8))]) == [(2, 8)]
    assert Dimension(3) == numpy.int64(3)
    assert numpy.zeros(shape.to_tuple()).shape == (4, 2)
    with pytest.raises(ovgather.ArgumentError, match=r"dim 0: .* is not a length"):
        PartialShape([numpy.float32(2)])


@pytest.mark.parametrize(
    ("shape", "equal"),
    [
        ("3,5", (3, 5)),
        ("", ()),
        ("?,3", (-1, 3)),
        ("2..8,9..", ((2, 8), (9, None))),
        ("2..8", (Dimension(2, 8),)),
        ("3", (numpy.int64(3),)),
        ("1", (True,)),
    ],
)
def test_equal_tuples_have_equal_hashes(shape: str, equal: tuple[Any, ...]) -> None:
    assert PartialShape(shape) == equal
    assert equal == PartialShape(shape)
    assert hash(PartialShape(shape)) == hash(equal)
    assert PartialShape(shape).to_tuple() == equal


@pytest.mark.parametrize(
    "other", [(3, 4), (3,), [3, "x"], [3, 5.0], "[3,5]", None, 3, (3, "5"), object()]
)
def test_other_values_are_not_equal(other: object) -> None:
    assert PartialShape([3, 5]) != other
    assert Dimension(3) != other or other == 3


def test_lists_compare_as_they_are_read() -> None:
    assert PartialShape("3,2..8,?") == [3, "2..8", "?"] == PartialShape("3,2..8,?")
    assert PartialShape(None) != []
    assert PartialShape(None) != ()


def test_lengths_of_dims() -> None:
    assert int(PartialShape("3,?")[0]) == 3
    assert list(range(5))[Dimension(2)] == 2
    with pytest.raises(TypeError, match=r"dimension \? is dynamic"):
        int(PartialShape("3,?")[1])
    with pytest.raises(ovgather.ArgumentError, match="dynamic rank"):
        PartialShape(None).to_tuple()
