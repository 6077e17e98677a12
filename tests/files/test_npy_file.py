"""What ``run`` writes to a ``.npy``: every NumPy reads it, and ``run`` takes it back."""

from __future__ import annotations

import io

import ml_dtypes
import numpy
import pytest

from ovgather.errors import InvalidModelError
from ovgather.files.arrays import as_written, to_npy
from ovgather.tensor.element_type import ALL


@pytest.mark.parametrize(
    "kind", [kind for kind in ALL if kind.kind != "dynamic"], ids=str
)
def test_every_type_comes_back(kind: object) -> None:
    dtype = kind.dtype  # type: ignore[attr-defined]
    array = (
        numpy.array([["a", "é"], ["", "x" * 9]], object)
        if dtype.kind == "O"
        else numpy.ones((2, 2), dtype)
    )
    read = as_written(numpy.load(io.BytesIO(to_npy(array)), allow_pickle=False), dtype)
    assert (read.dtype, read.shape, read.tolist()) == (dtype, (2, 2), array.tolist())


def test_a_type_that_numpy_writes_and_cannot_read() -> None:
    array = numpy.array([1.5, -2], ml_dtypes.float8_e5m2)
    assert numpy.load(io.BytesIO(to_npy(array))).tobytes() == array.tobytes()


def test_text_that_numpy_does_not_keep() -> None:
    with pytest.raises(InvalidModelError, match="text that ends in NUL"):
        to_npy(numpy.array(["a\0"], object))
    assert numpy.load(io.BytesIO(to_npy(numpy.array([b"a\xff"], object)))).tolist() == [
        "a\udcff"
    ]
