"""Elements as far as they are known: arithmetic on intervals bounds every value that they stand for."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from ovgather.tensor import interval
from ovgather.tensor.interval import UNKNOWN, Interval, Item, of_dimension, to_dimension
from ovgather.tensor.shape import PartialShape

INT64_MAX = (1 << 63) - 1
ENDS: list[Item] = [
    -3,
    -1,
    0,
    1,
    2,
    5,
    *[Interval(low, high) for low in (-2, 0, 1, 3) for high in (3, 7)],
]


def side(text: str) -> Item:
    """A number, or the dim that the text of a shape describes."""
    return (
        int(text)
        if text.lstrip("-").isdigit()
        else of_dimension(PartialShape.of(text)[0])
    )


@pytest.mark.parametrize(
    ("call", "one", "other", "made"),
    [
        (interval.add, "n:2..5", "3", "n + 3:5..8"),
        (interval.add, "n", "0", "n"),
        (interval.add, "past", "seq", "past + seq"),
        (interval.add, "4", "-1", "3"),
        (interval.subtract, "n:2..5", "2", "n - 2:..3"),
        (interval.subtract, "n", "n", "0"),
        (interval.multiply, "n", "1", "n"),
        (interval.multiply, "n", "0", "0"),
        (interval.multiply, "2..5", "3", "6..15"),
        (interval.multiply, "n", "4", "4*n"),
        (interval.floor_divide, "9", "2", "4"),
        (interval.floor_divide, "4..9", "2", "2..4"),
        (interval.floor_divide, "n", "2", "n//2"),
        (interval.ceil_divide, "9", "2", "5"),
        (interval.ceil_divide, "4..9", "2", "2..5"),
        (interval.minimum, "3", "2", "2"),
        (interval.minimum, "4..9", "5", "4..5"),
        (interval.maximum, "n:4..9", "3", "n:4..9"),
        (interval.maximum, "?", "1", "1.."),
        (interval.union, "2", "5", "2..5"),
        (interval.union, "n", "n", "n"),
    ],
)
def test_lengths(
    call: Callable[[Item, Item], Item], one: str, other: str, made: str
) -> None:
    found = PartialShape((to_dimension(call(side(one), side(other))),))
    assert found.named == f"[{made}]"


@pytest.mark.parametrize(
    ("call", "exact"),
    [
        (interval.add, lambda one, other: one + other),
        (interval.subtract, lambda one, other: one - other),
        (interval.multiply, lambda one, other: one * other),
        (interval.minimum, min),
        (interval.maximum, max),
        (interval.floor_divide, lambda one, other: one // other if other > 0 else None),
        (
            interval.ceil_divide,
            lambda one, other: -(-one // other) if other > 0 else None,
        ),
        (
            interval.truncate_divide,
            lambda one, other: int(one / other) if other > 0 else None,
        ),
        (interval.union, lambda one, other: one),
    ],
)
def test_every_value_lies_within(
    call: Callable[[Item, Item], Item], exact: Callable[[int, int], int | None]
) -> None:
    for one, other in product(ENDS, ENDS):
        low, high = (
            interval.bounds(call(one, other))
            if exact(1, 0) is not None or _is_positive(other)
            else (None, None)
        )
        for left, right in product(_values(one), _values(other)):
            value = exact(left, right)
            assert value is None or (
                (low is None or low <= value) and (high is None or value <= high)
            ), (one, other)


def _is_positive(item: Item) -> bool:
    low = interval.bounds(item)[0]
    return low is not None and low > 0


def _values(item: Item) -> range:
    low, high = interval.bounds(item)
    assert low is not None
    assert high is not None
    return range(int(low), int(high) + 1)


def test_beyond_64_bits_nothing_is_known() -> None:
    assert interval.add(INT64_MAX, 1) == UNKNOWN
    assert interval.multiply(1 << 40, 1 << 40) == UNKNOWN
    assert interval.subtract(-INT64_MAX, 2) == UNKNOWN
    assert interval.add(Interval(1, INT64_MAX), 1) == Interval(2, None)
    assert interval.between(float("inf"), float("nan")) == UNKNOWN


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (4, "4"),
        (-1, "?"),
        (0, "0"),
        (UNKNOWN, "?"),
        (Interval(-5, 3), "..3"),
        (Interval(5, 3), "?"),
        (1 << 63, "?"),
    ],
)
def test_lengths_of_items(item: Item, text: str) -> None:
    assert str(PartialShape((to_dimension(item),))) == f"[{text}]"
