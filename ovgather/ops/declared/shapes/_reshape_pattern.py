"""The output dims of Reshape from a pattern whose elements may be numbers, intervals or unknown.

Dims that are equal in the data and in the pattern are taken out before elements are counted, so ``n`` of an open dim
cancels; what is left gives the dim of which the pattern says -1.
"""

from __future__ import annotations

from math import prod

from ovgather.ops.declaration import Dims, Node
from ovgather.ops.declared.common.values import INT64_MAX
from ovgather.ops.declared.shapes._arguments import target_dimension
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension, exact
from ovgather.tensor.interval import (
    UNKNOWN,
    Interval,
    Item,
    Items,
    of_dimension,
    to_dimension,
)
from ovgather.text import elements


def reshaped_dims(node: Node, pattern: Items) -> Dims:
    """The dims that ``pattern`` makes of input 0; refuses one that cannot hold its elements."""
    dims = node.dims(0)
    usual = _usual_dims(dims, pattern)
    if usual is not None:
        return usual
    place = _open_place(node, pattern)
    output = [
        _pattern_dimension(node, index, item) for index, item in enumerate(pattern)
    ]
    copied = [
        index
        for index, dim in enumerate(output)
        if node["special_zero"] and dim.max == 0
    ]
    if dims is None:
        return _dims_of_unknown_rank(node, output, place, copied)
    for index in copied:
        if index >= len(dims):
            node.refuse(
                "shape",
                f"element {index} of shape is 0, and data has only {len(dims)} dims",
            )
        output[index] = dims[index]
    inner = [dim for index, dim in enumerate(dims) if index not in copied]
    outer = [
        dim
        for index, dim in enumerate(output)
        if index not in copied and index != place
    ]
    count = _Count(inner, outer)
    if place is not None:
        output[place] = count.remaining(node)
    elif not copied and all([dim.min == dim.max for dim in (*dims, *output)]):
        count.require_equal(node)
    return tuple(output)


def _usual_dims(dims: Dims | None, pattern: Items) -> Dims | None:
    """What ``reshaped_dims`` gives for known lengths other than 0 that fit; it takes a fifth of the time."""
    if dims is None or any([dim.min != dim.max for dim in dims]):
        return None
    fixed = 1
    for item in pattern:
        if item.__class__ is not int or item == 0 or item < -1:
            return None
        if item != -1:
            fixed *= item
    whole = prod([dim.min for dim in dims])
    opened = pattern.count(-1)
    if (
        opened > 1
        or not 0 < fixed <= whole < INT64_MAX
        or whole % fixed
        or (not opened and whole != fixed)
    ):
        return None
    return tuple([LENGTHS[whole // fixed if item == -1 else item] for item in pattern])  # type: ignore[index]


def _open_place(node: Node, pattern: Items) -> int | None:
    """Which element is -1."""
    places = [index for index, item in enumerate(pattern) if item == -1]
    if len(places) > 1:
        node.refuse(
            "shape", f"elements {places[0]} and {places[1]} of shape are both -1"
        )
    if places:
        return places[0]
    return None


def _pattern_dimension(node: Node, index: int, item: Item) -> Dimension:
    highest = interval.bounds(item)[1]
    is_read = UNKNOWN not in (node.value(1) or ())
    if is_read and highest is not None and highest < -1:
        node.refuse(
            "shape",
            f"element {index} of shape is {highest}, lengths must be -1 or more",
        )
    if isinstance(item, Interval) and (item.low is None or item.low < 0):
        return ANY
    return target_dimension(item)


def _dims_of_unknown_rank(
    node: Node, output: list[Dimension], place: int | None, copied: list[int]
) -> Dims:
    for index in copied:
        output[index] = ANY
    if place is None:
        return tuple(output)
    if not copied and any(
        [dim.max == 0 for index, dim in enumerate(output) if index != place]
    ):
        node.refuse(
            "shape", "an element of shape is -1 and another is 0, so -1 has no length"
        )
    is_plain = all(
        [dim.min == dim.max for index, dim in enumerate(output) if index != place]
    )
    # OpenVINO leaves out empty data.
    output[place] = exact(1, None, None) if is_plain else ANY
    return tuple(output)


_WORD = 1 << 64


class _Count:
    """How many elements the dims of data and those of the pattern hold, without the dims that both have.

    ``fixed`` is the product of the lengths, ``open`` that of the other dims.
    """

    def __init__(self, inner: list[Dimension], outer: list[Dimension]) -> None:
        rest = list(outer)
        left = []
        self.has_open_pairs = False
        for dim in inner:
            same = _same(dim, rest)
            if same is None:
                left.append(dim)
            else:
                self.has_open_pairs |= dim.min != dim.max
                del rest[same]
        self.fixed_data, self.open_data = _products(left)
        self.fixed_shape, self.open_shape = _products(rest)
        self.is_huge = max(self.fixed_data, self.fixed_shape) > INT64_MAX

    def remaining(self, node: Node) -> Dimension:
        """The length that makes both counts equal."""
        if self.is_huge:
            return ANY
        if self.fixed_shape == 0 != self.fixed_data:
            node.refuse(
                "shape",
                "an element of shape is -1 and the others make 0 elements, so -1 has no length",
            )
        whole, part = self.open_data, self.open_shape
        if self.fixed_data != self.fixed_shape:
            whole = interval.multiply(whole, self.fixed_data)
            part = interval.multiply(part, self.fixed_shape)
        if isinstance(whole, Interval) or isinstance(part, Interval):
            return _quotient(whole, part)
        if whole % part:
            if self.has_open_pairs:  # the core does not know that they are equal
                return ANY
            node.refuse(
                "shape",
                f"{elements(whole)} of data cannot be divided by {part} of shape, so -1 has no length",
            )
        return to_dimension(whole // part)

    def require_equal(self, node: Node) -> None:
        """Refuse other counts, which OpenVINO computes modulo 2^64."""
        if (self.fixed_data - self.fixed_shape) % _WORD:
            shape = prod(
                [
                    int(item)
                    for item in node.value(1) or ()
                    if not isinstance(item, Interval)
                ]
            )
            data = prod([dim.min for dim in node.dims(0) or ()])
            node.refuse("shape", f"shape makes {elements(shape)}, data has {data}")


def _same(dim: Dimension, others: list[Dimension]) -> int | None:
    """The place of a dim that is certainly of equal length, and not 0."""
    is_fixed = dim.min == dim.max
    if dim.max == 0 or (not is_fixed and dim.symbol is None):
        return None
    for place, other in enumerate(others):
        if is_fixed and other.min == other.max == dim.min:
            return place
        if not is_fixed and other.symbol == dim.symbol:
            return place
    return None


def _products(dims: list[Dimension]) -> tuple[int, Item]:
    product: Item = 1
    for dim in dims:
        if dim.min != dim.max:
            product = interval.multiply(product, of_dimension(dim))
    return prod([dim.min for dim in dims if dim.min == dim.max]), product


def _quotient(whole: Item, part: Item) -> Dimension:
    """The dim of which ``part`` times the length is ``whole``."""
    (low, high), (least, most) = interval.bounds(whole), interval.bounds(part)
    low, least = max(low or 0, 0), max(least or 0, 0)
    lowest = 0 if most == 0 else -(-low // most) if most is not None else int(low > 0)
    highest = None
    if not (high is None or least == 0):
        highest = high // least
    symbol = interval.floor_divide(whole, part)
    if highest is not None and highest < lowest:
        highest, symbol = None, interval.UNKNOWN
    return exact(
        int(lowest),
        None if highest is None else int(highest),
        getattr(symbol, "symbol", None),
    )
