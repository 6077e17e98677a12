"""Dimensions and partial shapes: what is known of a tensor's shape before it is computed.

A dimension is an interval of lengths, a partial shape is a sequence of dimensions or a dynamic rank. Both are
immutable and print as OpenVINO prints them.

>>> shape = PartialShape.of("2, 1..7, ?")
>>> str(shape), shape.rank, shape.is_static
('[2,1..7,?]', 3, False)
>>> str(shape & PartialShape.of([-1, (5, 9), 4]))
'[2,5..7,4]'
"""

from __future__ import annotations

from operator import index as _integer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import EllipsisType

_LARGEST = (1 << 63) - 1  # OpenVINO holds a length in 64 signed bits
_new = object.__new__


class _Frozen:
    """What a value object is: not to be changed once made."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed: {name}")


class Dimension(_Frozen):
    """The lengths a dimension may have: from ``min`` to ``max``, both included; ``max`` None: no upper end.

    Two dimensions are equal when their intervals are, as in OpenVINO: the symbol does not count.

    Args:
        min: the smallest length, at least 0.
        max: the largest length, None for no upper end; left out: the same as ``min``.
        symbol: a name that marks dimensions known to be equal to each other.

    Raises:
        ValueError: a bound is negative or beyond 64 bits, or ``max`` is less than ``min``.

    >>> str(Dimension(5)), str(Dimension(2, 8)), str(Dimension(0, None)), str(Dimension(8, None))
    ('5', '2..8', '?', '8..')
    >>> Dimension(2, 8, symbol="batch").symbol
    'batch'
    """

    __slots__ = ("max", "min", "symbol")
    min: int
    max: int | None
    symbol: str | None

    def __init__(self, min: int, max: int | EllipsisType | None = ..., *, symbol: str | None = None) -> None:
        low = _bound(min)
        high = low if max is ... else None if max is None else _bound(max)
        if high is not None and high < low:
            raise ValueError(f"dimension {low}..{high} is empty: the lower end is above the upper end")
        _set_min(self, low)
        _set_max(self, high)
        _set_symbol(self, symbol)

    @classmethod
    def parse(cls, text: str) -> Dimension:
        """Read a dimension as OpenVINO writes it: ``5``, ``?`` or ``-1``, ``2..8``, ``..8``, ``8..``.

        Raises:
            ValueError: ``text`` is none of these.

        >>> str(Dimension.parse("..8")), str(Dimension.parse("-1")), str(Dimension.parse("2..2"))
        ('..8', '?', '2')
        """
        piece = text.strip()
        if piece in ("?", "-1", ".."):
            return _ANY
        low, dots, high = piece.partition("..")
        if not (_digits(low) if not dots else (not low or _digits(low)) and (not high or _digits(high))):
            raise ValueError(f"{text!r} is not a dimension: write 5, ?, -1, 2..8, ..8 or 8..")
        if not dots:
            return cls(int(low))
        return cls(int(low or 0), int(high) if high else None)

    @property
    def is_static(self) -> bool:
        """There is one length only."""
        return self.min == self.max

    @property
    def is_dynamic(self) -> bool:
        """More than one length is possible."""
        return self.min != self.max

    @property
    def length(self) -> int:
        """The length of a static dimension.

        Raises:
            ValueError: the dimension is dynamic.
        """
        if self.min != self.max:
            raise ValueError(f"dimension {self} is dynamic: it has no single length")
        return self.min

    def compatible(self, other: Dimension) -> bool:
        """Some length belongs to both.

        >>> Dimension(2, 8).compatible(Dimension(8, None)), Dimension(1).compatible(Dimension(3))
        (True, False)
        """
        return (self.max is None or other.min <= self.max) and (other.max is None or self.min <= other.max)

    def __and__(self, other: Dimension) -> Dimension:
        """The lengths that belong to both; keeps this dimension's symbol, else the other's.

        Raises:
            ValueError: no length belongs to both.
        """
        if not self.compatible(other):
            raise ValueError(f"dimensions {self} and {other} have no length in common")
        low = self.min if self.min >= other.min else other.min
        high = self.max
        if high is None or (other.max is not None and other.max < high):
            high = other.max
        symbol = self.symbol or other.symbol
        if low == self.min and high == self.max and symbol is self.symbol:
            return self
        return _dimension(low, high, symbol)

    def __mul__(self, other: Dimension) -> Dimension:
        """The lengths that a product of both may have; without a symbol.

        >>> str(Dimension(2, 6) * Dimension(3)), str(Dimension(0, None) * Dimension(0))
        ('6..18', '0')
        """
        if self.max == 0 or other.max == 0:
            return _STATIC[0]
        unbounded = self.max is None or other.max is None
        high = None if self.max is None or other.max is None or unbounded else self.max * other.max
        return _dimension(self.min * other.min, high, None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dimension):
            return NotImplemented
        return self.min == other.min and self.max == other.max

    def __hash__(self) -> int:
        return hash((self.min, self.max))

    def __reduce__(self) -> tuple[object, ...]:
        return _dimension, (self.min, self.max, self.symbol)

    def __str__(self) -> str:
        if self.min == self.max:
            return str(self.min)
        if self.max is None:
            return f"{self.min}.." if self.min else "?"
        return f"{self.min}..{self.max}" if self.min else f"..{self.max}"

    def __repr__(self) -> str:
        named = f", symbol={self.symbol!r}" if self.symbol else ""
        return f"Dimension({self.min}{'' if self.is_static else f', {self.max}'}{named})"


class PartialShape(_Frozen):
    """A shape as far as it is known: ``dims`` is a tuple of dimensions, None when not even the rank is known.

    >>> str(PartialShape.of([3, "2..8", -1])), str(PartialShape.of([])), str(PartialShape.of(None))
    ('[3,2..8,?]', '[]', '[...]')
    """

    __slots__ = ("dims",)
    dims: tuple[Dimension, ...] | None

    def __init__(self, dims: tuple[Dimension, ...] | None) -> None:
        _set_dims(self, None if dims is None else tuple(dims))

    @classmethod
    def of(cls, value: object) -> PartialShape:
        """Make a shape of anything that says one.

        Args:
            value: a PartialShape; text as OpenVINO writes it, with or without brackets (``"2,1..7,?"``,
                ``"[]"`` or ``""`` for a scalar, ``"[...]"`` for a dynamic rank); a sequence whose items are
                lengths, ``-1`` or ``"?"``, ``"lo..hi"``, ``(lo, hi)`` or Dimensions; None for a dynamic rank.

        Raises:
            ValueError: ``value`` says no shape; the message says what is wrong with it.

        >>> str(PartialShape.of([2, (1, 7), (3, None), "?"]))
        '[2,1..7,3..,?]'
        >>> PartialShape.of("2,,3")
        Traceback (most recent call last):
        ValueError: '2,,3' is not a shape: dim 1: '' is not a dimension: write 5, ?, -1, 2..8, ..8 or 8..
        """
        if isinstance(value, PartialShape):
            return value
        if value is None:
            return DYNAMIC_RANK
        if isinstance(value, str):
            return _parse_shape(value)
        try:
            items: tuple[object, ...] = tuple(value)  # type: ignore[arg-type]
        except TypeError:
            raise ValueError(
                f"{value!r} is not a shape: give a sequence of dims, text, or None for a dynamic rank"
            ) from None
        return _shape(tuple([_dimension_of(item, place, value) for place, item in enumerate(items)]))

    @property
    def rank(self) -> int | None:
        """The number of dimensions, None when it is not known."""
        return None if self.dims is None else len(self.dims)

    @property
    def is_static(self) -> bool:
        """The rank and every length are known."""
        return self.dims is not None and all(dim.min == dim.max for dim in self.dims)

    def compatible(self, other: PartialShape) -> bool:
        """Some shape belongs to both.

        >>> shape = PartialShape.of("2,?")
        >>> shape.compatible(PartialShape.of("?,3")), shape.compatible(PartialShape.of([]))
        (True, False)
        """
        if self.dims is None or other.dims is None:
            return True
        if len(self.dims) != len(other.dims):
            return False
        return all(mine.compatible(theirs) for mine, theirs in zip(self.dims, other.dims, strict=True))

    def __and__(self, other: PartialShape) -> PartialShape:
        """The shapes that belong to both.

        Raises:
            ValueError: there is none; the message names the rank or the dimension.
        """
        if self.dims is None:
            return other
        if other.dims is None:
            return self
        if len(self.dims) != len(other.dims):
            raise ValueError(f"ranks {len(self.dims)} and {len(other.dims)} differ: {self} and {other}")
        for place, (mine, theirs) in enumerate(zip(self.dims, other.dims, strict=True)):
            if not mine.compatible(theirs):
                raise ValueError(f"dim {place}: {mine} and {theirs} have no length in common: {self} and {other}")
        return _shape(tuple([mine & theirs for mine, theirs in zip(self.dims, other.dims, strict=True)]))

    def __iter__(self) -> Iterator[Dimension]:
        return iter(self._known())

    def __len__(self) -> int:
        return len(self._known())

    def __bool__(self) -> bool:
        return True  # a shape is a value, that of a scalar too; not the emptiness of its dims

    def __getitem__(self, place: int) -> Dimension:
        return self._known()[place]

    def _known(self) -> tuple[Dimension, ...]:
        if self.dims is None:
            raise ValueError("a shape of dynamic rank has no dims")
        return self.dims

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PartialShape):
            return NotImplemented
        return self.dims == other.dims

    def __hash__(self) -> int:
        return hash(self.dims)

    def __reduce__(self) -> tuple[object, ...]:
        return PartialShape, (self.dims,)

    def __str__(self) -> str:
        return "[...]" if self.dims is None else f"[{','.join([str(dim) for dim in self.dims])}]"

    def __repr__(self) -> str:
        return f"PartialShape.of({str(self)!r})"


# The slots' own setters, since __setattr__ refuses.
_set_min = Dimension.__dict__["min"].__set__
_set_max = Dimension.__dict__["max"].__set__
_set_symbol = Dimension.__dict__["symbol"].__set__
_set_dims = PartialShape.__dict__["dims"].__set__


def _dimension(low: int, high: int | None, symbol: str | None) -> Dimension:
    """A dimension of bounds that are known to be right."""
    made = _new(Dimension)
    _set_min(made, low)
    _set_max(made, high)
    _set_symbol(made, symbol)
    return made


def _shape(dims: tuple[Dimension, ...]) -> PartialShape:
    made = _new(PartialShape)
    _set_dims(made, dims)
    return made


def _bound(value: object) -> int:
    if isinstance(value, bool):
        raise ValueError(f"{value!r} is not a length")
    try:
        length = _integer(value)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"{value!r} is not a length: an integer is needed") from None
    if not 0 <= length <= _LARGEST:
        raise ValueError(f"length {length} is out of range [0, 2^63-1]")
    return length


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


_ANY = _dimension(0, None, None)
_STATIC = tuple([_dimension(length, length, None) for length in range(257)])
DYNAMIC_RANK = PartialShape(None)


def _dimension_of(item: object, place: int, whole: object) -> Dimension:
    if type(item) is int and 0 <= item <= 256:
        return _STATIC[item]
    if isinstance(item, Dimension):
        return item
    try:
        if isinstance(item, str):
            return Dimension.parse(item)
        if isinstance(item, (tuple, list)):
            if len(item) != 2:
                raise ValueError(f"{item!r} is not an interval: give (lo, hi)")
            low, high = item
            return Dimension(low, None if high is None or high == -1 else high)
        if type(item) is not bool and item == -1:
            return _ANY
        return Dimension(item)  # type: ignore[arg-type]
    except ValueError as problem:
        raise ValueError(f"{whole!r} is not a shape: dim {place}: {problem}") from None


def _parse_shape(text: str) -> PartialShape:
    inner = text.strip()
    if inner.startswith("[") and inner.endswith("]") and len(inner) > 1:
        inner = inner[1:-1].strip()
    if not inner:
        return _shape(())
    if inner == "...":
        return DYNAMIC_RANK
    return _shape(tuple([_dimension_of(piece, place, text) for place, piece in enumerate(inner.split(","))]))
