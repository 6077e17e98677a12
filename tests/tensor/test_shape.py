"""Dimension and PartialShape."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovgather.tensor.shape import DYNAMIC_RANK, Dimension, PartialShape

BOUNDS = st.integers(0, 9)
DIMENSIONS = st.builds(
    lambda low, more: Dimension(low, None if more is None else low + more),
    BOUNDS,
    st.none() | st.integers(0, 4),
)
SHAPES = st.none().map(PartialShape.of) | st.lists(DIMENSIONS, max_size=4).map(
    PartialShape.of
)


def lengths(dim: Dimension, up_to: int = 30) -> set[int]:
    return {
        length
        for length in range(up_to)
        if dim.min <= length and (dim.max is None or length <= dim.max)
    }


@pytest.mark.parametrize(
    ("text", "low", "high", "written"),
    [
        ("5", 5, 5, "5"),
        ("0", 0, 0, "0"),
        ("?", 0, None, "?"),
        ("-1", 0, None, "?"),
        ("2..8", 2, 8, "2..8"),
        ("..8", 0, 8, "..8"),
        ("0..8", 0, 8, "..8"),
        ("8..", 8, None, "8.."),
        ("0..", 0, None, "?"),
        ("..", 0, None, "?"),
        ("2..2", 2, 2, "2"),
        ("..0", 0, 0, "0"),
        (" 3 ", 3, 3, "3"),
        ("007", 7, 7, "7"),
        ("9223372036854775807", 2**63 - 1, 2**63 - 1, "9223372036854775807"),
    ],
)
def test_dimension_text(text: str, low: int, high: int | None, written: str) -> None:
    dim = Dimension.parse(text)
    assert (dim.min, dim.max, str(dim)) == (low, high, written)
    assert Dimension.parse(written) == dim


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "-2",
        "+2",
        "1.5",
        "2 .. 8",
        "8..2",
        "-1..5",
        "1..-1",
        "...",
        "2..8..9",
        "??",
        "٣",
        "0x5",
        str(2**63),
    ],
)
def test_text_that_is_no_dimension(text: str) -> None:
    with pytest.raises(ValueError, match=r"dimension|range"):
        Dimension.parse(text)


@pytest.mark.parametrize(
    ("arguments"),
    [(-1,), (3, 2), (2**63,), (True,), ("3",), (1.0,), (0, True), (None,)],
)
def test_bounds_that_are_none(arguments: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match=r"length|empty"):
        Dimension(*arguments)  # type: ignore[arg-type]


def test_static_and_dynamic() -> None:
    assert Dimension(5).is_static
    assert not Dimension(5).is_dynamic
    assert Dimension(5).length == 5
    assert Dimension(2, 8).is_dynamic
    assert Dimension(0, None).is_dynamic
    with pytest.raises(ValueError, match=r"2\.\.8 is dynamic"):
        _ = Dimension(2, 8).length


@given(DIMENSIONS, DIMENSIONS)
def test_intersection_is_that_of_the_lengths(one: Dimension, other: Dimension) -> None:
    common = lengths(one) & lengths(other)
    assert one.compatible(other) == other.compatible(one) == bool(common)
    if common:
        assert lengths(one & other) == common
        assert one & other == other & one
    else:
        with pytest.raises(ValueError, match="no length in common"):
            _ = one & other


@given(DIMENSIONS, DIMENSIONS, BOUNDS, BOUNDS)
def test_product_holds_every_product(
    one: Dimension, other: Dimension, first: int, second: int
) -> None:
    one_length, other_length = one.min + first, other.min + second
    if one.compatible(Dimension(one_length)) and other.compatible(
        Dimension(other_length)
    ):
        assert (one * other).compatible(Dimension(one_length * other_length))


@given(DIMENSIONS)
def test_text_of_a_dimension_reads_back(dim: Dimension) -> None:
    assert Dimension.parse(str(dim)) == dim
    assert hash(Dimension.parse(str(dim))) == hash(dim)


def test_symbol() -> None:
    batch, other = Dimension(2, 8, symbol="batch"), Dimension(5, 9, symbol="other")
    assert (batch & other).symbol == "batch"
    assert (Dimension(5, 9) & batch).symbol == "batch"
    assert (batch & Dimension(0, None)) is batch
    assert batch == Dimension(2, 8)
    assert hash(batch) == hash(Dimension(2, 8))
    assert repr(batch) == "Dimension(2, 8, symbol='batch')"


@pytest.mark.parametrize(
    ("text", "symbol", "rest", "named"),
    [
        ("batch", "batch", "?", "batch"),
        (" seq : 5..9 ", "seq", "5..9", "seq:5..9"),
        ("n:5", "n", "5", "n:5"),
        ("n:?", "n", "?", "n"),
        ("n:..8", "n", "..8", "n:..8"),
        ("5..9", None, "5..9", "5..9"),
    ],
)
def test_names_of_dims(text: str, symbol: str | None, rest: str, named: str) -> None:
    for shape in (
        PartialShape.of([text]),
        PartialShape.of(text),
        PartialShape.of(f"[{text}]"),
    ):
        assert (shape[0].symbol, str(shape[0]), shape.named) == (
            symbol,
            rest,
            f"[{named}]",
        )
        assert shape.symbolic == (symbol is not None)
        assert PartialShape.of(shape.named)[0].symbol == symbol
        assert eval(repr(shape)).named == shape.named


def test_a_file_names_no_dims() -> None:
    for text in ("batch", "n:5", "2,n"):
        with pytest.raises(
            ValueError, match=r"is not a dimension: write 5, \?, -1, 2..8, ..8 or 8..$"
        ):
            PartialShape.parse(text)


def test_symbols_go_with_the_dims() -> None:
    shape, other = PartialShape.of("batch,?,3"), PartialShape.of("4..8,n,3")
    assert (shape & other).named == "[batch:4..8,n,3]"
    assert (shape & other).symbolic
    assert (
        copy.deepcopy(shape).named
        == pickle.loads(pickle.dumps(shape)).named
        == "[batch,?,3]"
    )
    assert not PartialShape.of("?,3").symbolic
    assert not PartialShape.of(None).symbolic
    assert shape == PartialShape.of("?,?,3")


@pytest.mark.parametrize("value", [True, 1.0, 2.0, False])
def test_what_equals_a_length_is_none(value: object) -> None:
    PartialShape.of([0, 1, 2])
    with pytest.raises(ValueError, match="is not a length"):
        PartialShape.of([0, value])


@pytest.mark.parametrize(
    "value", [Dimension(2, 8, symbol="n"), PartialShape.of("2,?"), DYNAMIC_RANK]
)
def test_value_objects(value: Dimension | PartialShape) -> None:
    name = "min" if isinstance(value, Dimension) else "dims"
    with pytest.raises(AttributeError, match="cannot be changed"):
        setattr(value, name, 1)
    with pytest.raises(AttributeError, match="cannot be changed"):
        delattr(value, name)
    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value
    assert value != "2"
    with pytest.raises(AttributeError):
        value.anything = 1  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ([], "[]"),
        ((), "[]"),
        ("", "[]"),
        ("[]", "[]"),
        (" [ ] ", "[]"),
        (None, "[...]"),
        ("...", "[...]"),
        ("[...]", "[...]"),
        ([2, 64, 300], "[2,64,300]"),
        ((2, 8), "[2,8]"),
        ([(2, 8)], "[2..8]"),
        ([[2, 8]], "[2..8]"),
        ([(2, None), (2, -1), (0, 5), (0, None)], "[2..,2..,..5,?]"),
        ([-1, "?", "1..7", Dimension(3)], "[?,?,1..7,3]"),
        ("2,1..7,?", "[2,1..7,?]"),
        ("[2, 3]", "[2,3]"),
        (range(3), "[0,1,2]"),
        (PartialShape.of("2,?"), "[2,?]"),
    ],
)
def test_shapes_of_many_things(value: object, written: str) -> None:
    assert str(PartialShape.of(value)) == written
    assert PartialShape.of(written) == PartialShape.of(value)


def test_shapes_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    assert str(PartialShape.of(numpy.array([2, -1, 300]))) == "[2,?,300]"
    assert str(PartialShape.of(numpy.zeros((2, 3)).shape)) == "[2,3]"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (5, "5 is not a shape: give a sequence of dims"),
        ("2,,3", r"'2,,3' is not a shape: dim 1: '' is not a dimension"),
        ("[2", r"dim 0: '\[2' is not a dimension"),
        ([2, -2], r"\[2, -2\] is not a shape: dim 1: length -2 is out of range"),
        ([True], "dim 0: True is not a length"),
        ([2.0], "dim 0: 2.0 is not a length"),
        ([(1, 2, 3)], r"dim 0: \(1, 2, 3\) is not an interval"),
        ([(5, 1)], "dim 0: dimension 5..1 is empty"),
        (
            ["x y"],
            "dim 0: 'x y' is not a dimension: write 5, .*, a name such as batch, or batch:2..8$",
        ),
        (["2x"], "dim 0: '2x' is not a dimension"),
        ("n:", "dim 0: '' is not a dimension"),
        (["n:m"], "dim 0: 'm' is not a dimension"),
        ([None], "dim 0: None is not a length"),
        ("2,3,", "dim 2: '' is not a dimension"),
    ],
)
def test_what_is_no_shape(value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PartialShape.of(value)


def test_sequence() -> None:
    shape = PartialShape.of("2,1..7,?")
    assert [str(dim) for dim in shape] == ["2", "1..7", "?"]
    assert len(shape) == shape.rank == 3
    assert shape[-1] == Dimension(0, None)
    assert not shape.is_static
    assert PartialShape.of([2, 3]).is_static
    assert PartialShape.of([]).is_static
    assert repr(shape) == "PartialShape('[2,1..7,?]')"


def test_dynamic_rank() -> None:
    assert DYNAMIC_RANK.rank is None
    assert not DYNAMIC_RANK.is_static
    for use in (len, list, lambda shape: shape[0]):
        with pytest.raises(ValueError, match="dynamic rank"):
            use(DYNAMIC_RANK)


@pytest.mark.parametrize("value", [[], None, [0], [2]])
def test_every_shape_is_true(value: object) -> None:
    assert PartialShape.of(value)


@given(SHAPES, SHAPES)
def test_intersection_of_shapes(one: PartialShape, other: PartialShape) -> None:
    assert one.compatible(other) == other.compatible(one)
    if one.compatible(other):
        both = one & other
        assert both == other & one
        assert both.compatible(one)
        assert both & one == both
    else:
        with pytest.raises(ValueError, match=r"differ|no length in common"):
            _ = one & other


def test_messages_of_intersection_name_the_dim() -> None:
    with pytest.raises(
        ValueError,
        match=r"dim 1: 3 and 4 have no length in common: \[2,3\] and \[2,4\]",
    ):
        _ = PartialShape.of([2, 3]) & PartialShape.of([2, 4])
    with pytest.raises(ValueError, match=r"ranks 1 and 2 differ: \[2\] and \[2,4\]"):
        _ = PartialShape.of([2]) & PartialShape.of([2, 4])


@given(SHAPES)
def test_text_of_a_shape_reads_back(shape: PartialShape) -> None:
    assert PartialShape.of(str(shape)) == shape
    assert hash(PartialShape.of(str(shape))) == hash(shape)
