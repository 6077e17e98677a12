"""A dimension: what is known of one length of a tensor's shape."""

from __future__ import annotations

from operator import index as _integer
from types import EllipsisType
from typing import Any

from ovgather.errors import ArgumentError, short_repr
from ovgather.tensor.foreign import bounds_of, openvino_package
from ovgather.tensor.symbol import normalized, read_quoted, written

_LARGEST = (1 << 63) - 1  # OpenVINO holds a length in 64 signed bits


class Frozen:
    """What a value object is: not to be changed once made."""

    __slots__ = ()

    def __setattr__(self, name: str, *_: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed: {name}")

    __delattr__ = __setattr__


class Dimension(Frozen):
    """The lengths a dimension may have: from ``min`` to ``max``, both included; ``max`` None: no upper end.

    Two dimensions are equal when their intervals are, as in OpenVINO: the symbol does not count. A dimension equals an
    ``openvino.Dimension`` with the same interval, a length, -1 for any length, or ``(lo, hi)`` with None for no upper
    end. ``int`` gives the length of a static one.

    Args:
        min: the smallest length, at least 0.
        max: the largest length, None for no upper end; left out: the same as ``min``.
        symbol: a name that marks dimensions known to be equal to each other.

    Raises:
        ArgumentError: a bound is negative or beyond 64 bits, or ``max`` is less than ``min``.

    >>> str(Dimension(5)), str(Dimension(2, 8)), str(Dimension(0, None)), str(Dimension(8, None))
    ('5', '2..8', '?', '8..')
    >>> Dimension(2, 8, symbol="batch").symbol
    'batch'
    >>> Dimension(5) == 5, Dimension(0, None) == -1, Dimension(2, 8) == (2, 8), int(Dimension(5))
    (True, True, True, 5)
    """

    __slots__ = ("max", "min", "symbol")
    min: int
    max: int | None
    symbol: str | None

    def __new__(
        cls,
        min: int,
        max: int | EllipsisType | None = ...,
        *,
        symbol: str | None = None,
    ) -> Dimension:
        low = _bound(min)
        if symbol is not None and not isinstance(symbol, str):
            raise ArgumentError(f"symbol must be a name, not {short_repr(symbol)}")
        if max is ...:
            high = low
        else:
            high = None
            if max is not None:
                high = _bound(max)
        if high is not None and high < low:
            raise ArgumentError(
                f"dimension {low}..{high} is empty: the lower end is above the upper end"
            )
        return exact(low, high, symbol)

    @classmethod
    def of(cls, value: object) -> Dimension:
        """Make a dimension of anything that says one: a Dimension, a length or -1, text, ``(lo, hi)``.

        A Dimension may be OpenVINO's, a length a NumPy integer. Text is what ``parse`` takes, a name (a symbol of any
        length), or a name with what is known of it. A name that is no expression stands in quotes: ``"batch size"``.

        Raises:
            ArgumentError: ``value`` says no dimension.

        >>> [str(Dimension.of(value)) for value in (5, -1, "?", "2..8", (2, 8), (2, None))]
        ['5', '?', '?', '2..8', '2..8', '2..']
        >>> Dimension.of("batch"), Dimension.of("seq:5..9"), Dimension.of("past + 1")
        (Dimension(0, None, symbol='batch'), Dimension(5, 9, symbol='seq'), Dimension(0, None, symbol='past + 1'))
        """
        if type(value) is int and value >= 0:
            return LENGTHS[value]
        if isinstance(value, Dimension):
            return value
        if isinstance(value, str):
            return _of_text(value)
        if isinstance(value, (tuple, list)):
            if len(value) != 2:
                raise ArgumentError(
                    f"{short_repr(value)} is not an interval: give (lo, hi)"
                )
            low, high = value
            return cls(low, None if high is None or high == -1 else high)
        if (bounds := bounds_of(value)) is not None:
            return cls(*bounds)
        return LENGTHS[_bound(value, -1)]

    @classmethod
    def parse(cls, text: str) -> Dimension:
        """Read a dimension as OpenVINO writes it: ``5``, ``?`` or ``-1``, ``2..8``, ``..8``, ``8..``; no names.

        Raises:
            ArgumentError: ``text`` is none of these.

        >>> str(Dimension.parse("..8")), str(Dimension.parse("-1")), str(Dimension.parse("2..2"))
        ('..8', '?', '2')
        """
        return _parse(text, "5, ?, -1, 2..8, ..8 or 8..")

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
            ArgumentError: the dimension is dynamic.
        """
        if self.min != self.max:
            raise ArgumentError(f"dimension {self} is dynamic: it has no single length")
        return self.min

    def to_openvino(self) -> Any:
        """The same as an ``openvino.Dimension``, without the symbol; UnavailableError if OpenVINO is not installed."""
        return openvino_package().Dimension(
            self.min, -1 if self.max is None else self.max
        )

    @property
    def plain(self) -> int | tuple[int, int | None]:
        """The dimension in numbers, which it is equal to: a length, -1 for any length, else ``(lo, hi)``.

        >>> Dimension(5).plain, Dimension(0, None).plain, Dimension(2, None).plain
        (5, -1, (2, None))
        """
        if self.min == self.max:
            return self.min
        if self.max is None and not self.min:
            return -1
        return (self.min, self.max)

    @property
    def named(self) -> str:
        """The dimension with its symbol, as ``of`` reads it; ``str`` leaves the symbol out, as OpenVINO does.

        >>> Dimension(5, 9, symbol="seq").named, Dimension(0, None, symbol="batch").named, Dimension(7).named
        ('seq:5..9', 'batch', '7')
        >>> Dimension.of(Dimension(0, 9, symbol="batch size").named).symbol
        'batch size'
        """
        if self.symbol is None:
            return str(self)
        name = written(self.symbol)
        if self.min or self.max is not None:
            return f"{name}:{self}"
        return name

    def compatible(self, other: Dimension) -> bool:
        """Some length belongs to both.

        >>> Dimension(2, 8).compatible(Dimension(8, None)), Dimension(1).compatible(Dimension(3))
        (True, False)
        """
        return (self.max is None or other.min <= self.max) and (
            other.max is None or self.min <= other.max
        )

    def __and__(self, other: Dimension) -> Dimension:
        """The lengths that belong to both; keeps this dimension's symbol, else the other's.

        Raises:
            ArgumentError: no length belongs to both.
        """
        if not self.compatible(other):
            raise ArgumentError(
                f"dimensions {self} and {other} have no length in common"
            )
        low = self.min if self.min >= other.min else other.min
        high = self.max
        if high is None or (other.max is not None and other.max < high):
            high = other.max
        symbol = self.symbol or other.symbol
        if low == self.min and high == self.max and symbol is self.symbol:
            return self
        return exact(low, high, symbol)

    def __mul__(self, other: Dimension | int) -> Dimension:
        """The lengths that a product of both may have; without a symbol, unless one of them is 1.

        >>> str(Dimension(2, 6) * Dimension(3)), str(Dimension(0, None) * Dimension(0)), str(2 * Dimension(3, None))
        ('6..18', '0', '6..')
        """
        if not isinstance(other, Dimension):
            try:
                other = LENGTHS[_bound(other)]
            except ArgumentError:
                return NotImplemented
        if self.min == self.max == 1:
            return other
        if other.min == other.max == 1:
            return self
        if self.max == 0 or other.max == 0:
            return LENGTHS[0]
        high = None
        if not (self.max is None or other.max is None):
            high = self.max * other.max
        return exact(self.min * other.min, high, None)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Dimension):
            return self.min == other.min and self.max == other.max
        if isinstance(other, tuple):
            return self.plain == other
        if (bounds := bounds_of(other)) is not None:
            return (self.min, self.max) == bounds
        try:
            return self.plain == _integer(other)  # type: ignore[arg-type]
        except TypeError:
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.plain)  # as of what it is equal to

    def __index__(self) -> int:
        return self.length

    def __reduce__(self) -> tuple[object, ...]:
        return exact, (self.min, self.max, self.symbol)

    def __str__(self) -> str:
        if self.min == self.max:
            return str(self.min)
        if self.max is None:
            if self.min:
                return f"{self.min}.."
            return "?"
        if self.min:
            return f"{self.min}..{self.max}"
        return f"..{self.max}"

    def __repr__(self) -> str:
        if self.symbol:
            symbol = f", symbol={self.symbol!r}"
        else:
            symbol = ""
        return (
            f"Dimension({self.min}{'' if self.is_static else f', {self.max}'}{symbol})"
        )


def exact(low: int, high: int | None, symbol: str | None) -> Dimension:
    """A dimension of bounds that are known to be right."""
    dimension = object.__new__(Dimension)
    _set_min(dimension, low)
    _set_max(dimension, high)
    _set_symbol(dimension, symbol)
    return dimension


# The slots' own setters pass by ``Frozen``; ``object.__setattr__`` would look each slot up and take half as long again.
_set_min, _set_max, _set_symbol = [
    vars(Dimension)[name].__set__ for name in ("min", "max", "symbol")
]


def _bound(value: object, least: int = 0) -> int:
    if isinstance(value, bool):
        raise ArgumentError(f"{short_repr(value)} is not a length")
    try:
        length = _integer(value)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentError(
            f"{short_repr(value)} is not a length: an integer is needed"
        ) from None
    if not least <= length <= _LARGEST:
        raise ArgumentError(f"length {short_repr(length)} is out of range [0, 2^63-1]")
    return length


class _Lengths(dict[int, Dimension]):
    """Dimensions of one length. Equal ones share one object, which makes shapes quick to compare."""

    def __missing__(self, length: int) -> Dimension:
        bound = _bound(length)
        dimension = exact(bound, bound, None)
        if len(self) < _MOST_SHARED:
            self[bound] = dimension
        return dimension


def _of_text(text: str) -> Dimension:
    if (quoted := read_quoted(text)) is not None and quoted[1][:1] in ("", ":"):
        if quoted[1]:
            bounds = Dimension.parse(quoted[1][1:])
        else:
            bounds = ANY
        return exact(bounds.min, bounds.max, quoted[0])
    name, colon, rest = text.partition(":")
    name = name.strip()
    if not name.isidentifier():
        expression = normalized(name)
        if expression is not None:
            if colon:
                bounds = Dimension.parse(rest)
            else:
                bounds = ANY
            return exact(bounds.min, bounds.max, expression)
        return _parse(
            text, "5, ?, -1, 2..8, ..8, 8.., a name such as batch, or batch:2..8"
        )
    if colon:
        bounds = Dimension.parse(rest)
    else:
        bounds = ANY
    return exact(bounds.min, bounds.max, name)


def _parse(text: str, spellings: str) -> Dimension:
    if not isinstance(text, str):
        raise ArgumentError(f"{short_repr(text)} is not a dimension: text is needed")
    piece = text.strip()
    if piece in ("?", "-1", ".."):
        return ANY
    low, dots, high = piece.partition("..")
    if dots:
        digits = low + high
    else:
        digits = low
    if not (digits.isascii() and digits.isdigit()):
        raise ArgumentError(f"{short_repr(text)} is not a dimension: write {spellings}")
    if not dots:
        return LENGTHS[_number(low)]
    return Dimension(_number(low or "0"), _number(high) if high else None)


def _number(digits: str) -> int:
    digits = digits.lstrip("0") or "0"
    if (
        len(digits) > _MOST_DIGITS
    ):  # Python reads no more than 4300, and takes long for them
        raise ArgumentError(
            f"length {short_repr(digits)[1:-1]} is out of range [0, 2^63-1]"
        )
    return int(digits)


_MOST_DIGITS = 100
_MOST_SHARED = 1 << 14
ANY = exact(0, None, None)
LENGTHS = _Lengths({-1: ANY})
