"""Evaluation against the formulas, and at the edges: dtypes, widths, empty arrays."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import naive
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ovgather.errors import IndexOutOfRangeError, ShapeInferenceError
from ovgather.ops.api_evaluate import evaluate, gather, gather_elements, gather_nd
from ovgather.tensor import element_type

INDEX_TYPES = st.sampled_from(["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
LENGTHS = st.integers(0, 3)


def integers(
    draw: Any, shape: list[int], low: int, high: int, dtype: str
) -> numpy.ndarray:
    low = max(low, 0) if dtype[0] == "u" else low
    count = int(numpy.prod(shape))
    values = draw(
        st.lists(st.integers(low, max(low, high)), min_size=count, max_size=count)
    )
    return numpy.array(values, dtype).reshape(shape)


@settings(max_examples=150, deadline=None)
@given(
    st.data(),
    st.lists(LENGTHS, min_size=1, max_size=4),
    st.lists(LENGTHS, max_size=3),
    INDEX_TYPES,
)
def test_gather(
    source: st.DataObject, data_shape: list[int], rest: list[int], dtype: str
) -> None:
    axis = source.draw(st.integers(0, len(data_shape) - 1))
    batch = source.draw(st.integers(0, axis))
    indices = integers(source.draw, data_shape[:batch] + rest, -5, 5, dtype)
    data = numpy.arange(1, 1 + int(numpy.prod(data_shape))).reshape(data_shape)
    given_axis = source.draw(st.sampled_from([axis, axis - len(data_shape)]))
    given_batch = source.draw(
        st.sampled_from(
            [batch, batch - indices.ndim if batch < indices.ndim else batch]
        )
    )
    expected = naive.gather(data, indices, axis, batch)
    for version in ("opset7", "opset8"):
        got = evaluate(
            "Gather",
            [data, indices],
            version=version,
            axis=given_axis,
            batch_dims=given_batch,
        )
        numpy.testing.assert_array_equal(got, expected, strict=True)


@settings(max_examples=150, deadline=None)
@given(
    st.data(),
    st.lists(LENGTHS, min_size=1, max_size=4),
    st.integers(0, 4),
    st.sampled_from(["i4", "i8"]),
)
def test_gather_elements(
    source: st.DataObject, shape: list[int], chosen: int, dtype: str
) -> None:
    axis = source.draw(st.integers(0, len(shape) - 1))
    indices_shape = [*shape[:axis], chosen, *shape[axis + 1 :]]
    low, high = source.draw(st.sampled_from([(-shape[axis], shape[axis] - 1), (-4, 4)]))
    indices = integers(source.draw, indices_shape, low, high, dtype)
    data = numpy.arange(int(numpy.prod(shape))).reshape(shape)
    outside = (indices >= shape[axis]) | (indices < -shape[axis])
    given_axis = source.draw(st.sampled_from([axis, axis - len(shape)]))
    if not outside.any():
        got = gather_elements(data, indices, given_axis)
        numpy.testing.assert_array_equal(
            got, naive.gather_elements(data, indices, axis), strict=True
        )
        return
    with pytest.raises(IndexOutOfRangeError) as caught:
        gather_elements(data, indices, given_axis)
    first = tuple(int(part) for part in numpy.argwhere(outside)[0])
    assert caught.value.position == first
    assert caught.value.value == indices[first]
    assert caught.value.count == outside.sum()
    assert (caught.value.low, caught.value.high) == (-shape[axis], shape[axis] - 1)


@settings(max_examples=150, deadline=None)
@given(
    st.data(),
    st.lists(LENGTHS, min_size=1, max_size=4),
    st.lists(LENGTHS, max_size=2),
    INDEX_TYPES,
)
def test_gather_nd(
    source: st.DataObject, data_shape: list[int], rest: list[int], dtype: str
) -> None:
    batch = source.draw(st.integers(0, len(data_shape) - 1))
    length = source.draw(st.integers(0, len(data_shape) - batch))
    sizes = data_shape[batch : batch + length]
    tuples = data_shape[:batch] + rest
    beyond = source.draw(st.sampled_from([0, 0, 1]))
    parts = [
        integers(source.draw, tuples, -size - beyond, size - 1 + beyond, dtype)
        for size in sizes
    ]
    indices = numpy.stack(parts, axis=-1) if parts else numpy.zeros([*tuples, 0], dtype)
    data = numpy.arange(int(numpy.prod(data_shape))).reshape(data_shape)
    outside = [
        ((part >= size) | (part.astype("i8") < -size))
        for part, size in zip(parts, sizes, strict=True)
    ]
    if not any(mask.any() for mask in outside):
        expected = naive.gather_nd(data, indices, batch)
        numpy.testing.assert_array_equal(
            gather_nd(data, indices, batch), expected, strict=True
        )
        joined = evaluate(
            "GatherND", [data, indices], version="opset5", batch_dims=batch
        )
        shape = (
            (int(numpy.prod(data_shape[:batch])), *expected.shape[batch:])
            if batch > 1
            else expected.shape
        )
        numpy.testing.assert_array_equal(joined, expected.reshape(shape), strict=True)
        return
    with pytest.raises(IndexOutOfRangeError) as caught:
        gather_nd(data, indices, batch)
    first = tuple(
        int(part) for part in numpy.argwhere(numpy.stack(outside, axis=-1))[0]
    )
    assert caught.value.position == first
    assert caught.value.value == indices[first]
    assert caught.value.count == sum(mask.sum() for mask in outside)


EXACT = [item for item in element_type.ALL if item.bits and item.name != "string"]


@pytest.mark.parametrize("item", EXACT, ids=str)
def test_every_bit_of_every_dtype_is_copied(item: element_type.ElementType) -> None:
    width = max(item.bits, 8) // 8
    generator = numpy.random.default_rng(1)
    codes = generator.integers(0, 2 ** min(item.bits, 63), (64, 3), dtype="u8").astype(
        f"u{width}"
    )
    if item.name == "boolean":
        codes &= 1
    data = codes.view(item.dtype)
    rows = generator.integers(0, 64, 100)
    for made, expected in (
        (gather(data, rows, 0), codes[rows]),
        (gather_elements(data, numpy.stack([rows] * 3, axis=1)), codes[rows]),
        (gather_nd(data, rows[:, None]), codes[rows]),
        (
            gather(data, numpy.stack([rows % 3] * 64), 1, batch_dims=1),
            numpy.take_along_axis(codes, rows[None] % 3, 1),
        ),
    ):
        assert made.dtype == item.dtype
        assert (made.view(codes.dtype) == expected).all()


@pytest.mark.parametrize("item", EXACT, ids=str)
def test_zeros_outside_are_zero_bits(item: element_type.ElementType) -> None:
    data = numpy.ones((2, 3), f"u{max(item.bits, 8) // 8}").view(item.dtype)
    made = gather(data, [5, 0], 0)
    assert not any(made[0].tobytes())
    assert made[1].tobytes() == data[0].tobytes()


@pytest.mark.parametrize("width", [2, 4, 8])
def test_nan_payloads_survive(width: int) -> None:
    bits = {
        2: [0x7C01, 0x7DFF, 0xFC01, 0x8000],
        4: [0x7F800001, 0xFF812345, 0x7FC00001, 0x80000000],
    }
    codes = numpy.array(
        bits.get(width, [0x7FF0000000000001, 0xFFF0123456789ABC, 2**63, 1]), f"u{width}"
    )
    data = codes.view(f"f{width}")
    assert (gather(data, [3, 2, 1, 0], 0).view(codes.dtype) == codes[::-1]).all()
    assert (gather_elements(data, [3, 2, 1, 0]).view(codes.dtype) == codes[::-1]).all()
    assert (
        gather_nd(data, [[3], [2], [1], [0]]).view(codes.dtype) == codes[::-1]
    ).all()


@pytest.mark.parametrize("dtype", ["U3", "S3", object, "T"])
def test_text(dtype: Any) -> None:
    words = [b"a", b"bc", b"def"] if dtype == "S3" else ["a", "bc", "def"]
    if dtype == "T" and numpy.lib.NumpyVersion(numpy.__version__) < "2.0.0":
        pytest.skip("StringDType came with NumPy 2")
    data = numpy.array(words, numpy.dtypes.StringDType() if dtype == "T" else dtype)
    made = gather(data, [2, -3, 7], 0)
    assert made.dtype == data.dtype
    assert made.tolist() == [words[2], words[0], b"" if dtype == "S3" else ""]
    assert gather_elements(data, [2, -3]).tolist() == [words[2], words[0]]
    assert gather_nd(data, [[2], [-3]]).tolist() == [words[2], words[0]]


def test_other_dtypes() -> None:
    for dtype in ("c8", "M8[s]", [("a", "i4"), ("b", "f8")], ">f4", "g"):
        data = (
            numpy.arange(4).astype(dtype)
            if not isinstance(dtype, list)
            else numpy.array([(1, 2.0)] * 4, dtype)
        )
        assert (gather(data, [3, 0], 0) == data[[3, 0]]).all()
        assert gather(data, [3, 0], 0).dtype == data.dtype


@pytest.mark.parametrize("value", [2**32, 2**32 + 1, 2**63, 2**64 - 1, 2**31])
def test_unsigned_indices_are_not_narrowed(value: int) -> None:
    indices = numpy.array([value, 1], "u8")
    assert gather([1, 2, 3], indices, 0).tolist() == [0, 2]
    with pytest.raises(IndexOutOfRangeError) as caught:
        gather_nd([1, 2, 3], indices[:, None])
    assert caught.value.value == value
    assert caught.value.position == (0, 0)


@pytest.mark.parametrize(
    "value", [2**32, 2**32 + 1, -(2**32), 2**63 - 1, -(2**63), -4, 3]
)
def test_signed_indices_are_not_narrowed(value: int) -> None:
    indices = numpy.array([value, 1], "i8")
    assert gather([1, 2, 3], indices, 0).tolist() == [0, 2]
    with pytest.raises(IndexOutOfRangeError) as caught:
        gather_elements([1, 2, 3], indices)
    assert (caught.value.value, caught.value.low, caught.value.high) == (value, -3, 2)


@pytest.mark.parametrize("name", ["int4", "uint4", "uint2"])
def test_narrow_indices(name: str) -> None:
    indices = numpy.array([1, 0], getattr(ml_dtypes, name))
    assert gather([5, 6], indices, 0).tolist() == [6, 5]
    assert gather_nd([5, 6], indices[:, None]).tolist() == [6, 5]
    if name[0] == "i":
        assert gather(
            [5, 6], numpy.array([-1, -2], getattr(ml_dtypes, name)), 0
        ).tolist() == [6, 5]


@pytest.mark.parametrize("dtype", ["f4", bool, "c8", "U1", object, ml_dtypes.bfloat16])
@pytest.mark.parametrize("version", ["opset1", "opset7", "opset8"])
def test_indices_that_are_no_integers(dtype: Any, version: str) -> None:
    with pytest.raises(
        ShapeInferenceError, match=r"^indices must be integers, not "
    ) as caught:
        evaluate("Gather", [[1, 2], numpy.array([0], dtype)], version=version, axis=0)
    assert (caught.value.kind, caught.value.argument) == ("element_type", "indices")


@pytest.mark.parametrize("dtype", ["u1", "i1", "i2", "u4", "u8"])
def test_gather_elements_takes_i32_and_i64_only(dtype: str) -> None:
    with pytest.raises(ShapeInferenceError, match="must be i32 or i64, not "):
        gather_elements([1, 2], numpy.array([0], dtype))


def test_scalars() -> None:
    assert gather([1, 2, 3], 2, 0).tolist() == 3
    assert gather([1, 2, 3], 2, 0).shape == ()
    assert gather([[1, 2], [3, 4]], numpy.int8(-1), 1).tolist() == [2, 4]
    assert gather([1, 2, 3], 9, 0).tolist() == 0
    assert gather_nd([[1, 2], [3, 4]], [1, 0]).shape == ()
    assert isinstance(gather([1, 2, 3], 2, 0), numpy.ndarray)


def test_empty() -> None:
    assert gather([1, 2], [], 0).shape == (0,)
    assert gather(numpy.zeros((0, 3)), [[1, 2]], 0).tolist() == [[[0, 0, 0], [0, 0, 0]]]
    assert gather(numpy.zeros((2, 0)), [0, 1], 0).shape == (2, 0)
    assert gather(
        numpy.zeros((0, 3)), numpy.zeros((0, 2), int), 1, batch_dims=1
    ).shape == (0, 2)
    assert gather_elements(numpy.zeros((3, 0)), numpy.zeros((3, 0), int)).shape == (
        3,
        0,
    )
    assert gather_elements(numpy.zeros((0, 3)), numpy.zeros((0, 3), int)).shape == (
        0,
        3,
    )
    assert gather_nd(numpy.zeros((0, 3)), numpy.zeros((0, 2), int)).shape == (0,)
    for call in (
        lambda: gather_elements(numpy.zeros((0, 3)), numpy.zeros((1, 3), int)),
        lambda: gather_nd(numpy.zeros((0, 3)), [[0]]),
    ):
        with pytest.raises(
            IndexOutOfRangeError,
            match="outside the empty range of an axis without elements",
        ):
            call()


def test_empty_tuples_take_the_whole_batch() -> None:
    data = numpy.arange(6).reshape(2, 3)
    assert gather_nd(data, numpy.zeros((2, 0), int)).tolist() == [data.tolist()] * 2
    assert (
        gather_nd(data, numpy.zeros((2, 0), int), batch_dims=1).tolist()
        == data.tolist()
    )


def test_layouts_do_not_matter() -> None:
    data = numpy.arange(24).reshape(2, 3, 4).T[::-1]
    indices = numpy.array([[2, 0], [1, 1]]).T[:, ::-1]
    numpy.testing.assert_array_equal(
        gather(data, indices, 1), naive.gather(data, indices, 1, 0)
    )
    along = numpy.zeros((4, 3, 5), "i8").transpose(0, 1, 2)[:, :, ::-1]
    numpy.testing.assert_array_equal(
        gather_elements(data, along, 2), naive.gather_elements(data, along, 2)
    )
    big_endian = numpy.array([[1, 0]], ">i8")
    assert gather_elements([[5], [6]], big_endian.T).tolist() == [[6], [5]]
