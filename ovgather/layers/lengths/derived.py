"""Shapes, and the values that shapes are made of, through layers outside the Gather family, as IR writes them:
``ShapeOf -> Gather -> Concat -> Reshape`` carries lengths, known or symbolic, back into a shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import prod

from ovgather.ir.numbers import leading_integer
from ovgather.layers.lengths import carried
from ovgather.layers.lengths.carried import UNKNOWN, Carried, Item, broadcast, number, same
from ovgather.layers.tensors import KEEPS_SHAPE
from ovgather.tensor.shape import ANY, Dimension, PartialShape

MOST_ITEMS = 1024
"""The items of tensors that become shapes."""
MOST_VALUES = 1 << 16
_ALSO_KEEP = "CumSum FakeQuantize MVN NormalizeL2 PRelu ScatterElementsUpdate ScatterNDUpdate ScatterUpdate"
_ELEMENT_WISE = (
    "BitwiseAnd BitwiseOr Equal FloorMod Greater GreaterEqual Less LessEqual LogicalAnd LogicalOr Maximum Minimum Mod"
    " NotEqual Power SquaredDifference"
)

Inputs = Sequence[Carried]
Attribute = Callable[[str], "str | None"]
Dims = tuple[Dimension, ...]


def derive(type: str, inputs: Sequence[Carried | None], attribute: Attribute, most: int = MOST_ITEMS) -> Carried | None:
    """The first output of a layer, with ``most`` items; None: its type is not followed, or the inputs do not fit it."""
    facts = [each or UNKNOWN for each in inputs]
    try:
        if type in _OF_DIMS and facts:
            dims = facts[0].shape.dims
            result = UNKNOWN if dims is None else _OF_DIMS[type](dims, facts, attribute)
        else:
            result = _RULES[type](facts, attribute) if type in _RULES else None
    except (ValueError, IndexError, ArithmeticError):  # a file may say anything
        return None
    return Carried(result.shape) if result is not None and len(result.items or ()) > most else result


def _integers(text: str | None) -> list[int] | None:
    numbers = [leading_integer(piece, sign="-") for piece in text.split(",")] if text else [None]
    return None if None in numbers else numbers  # type: ignore[return-value]


def _is_true(text: str | None) -> bool:
    return text is not None and text.lower() in ("true", "1")


def _axes(inputs: Inputs, attribute: Attribute, name: str) -> list[int] | None:
    """The numbers of the second input or of an attribute; None if they are not known."""
    return inputs[1].numbers if len(inputs) > 1 else _integers(attribute(name))


def _from_front(axes: Sequence[int], rank: int) -> set[int]:
    if any(not -rank <= axis < rank for axis in axes):
        raise ValueError("an axis out of range")
    return {axis % rank for axis in axes}


def _lengths(pattern: Carried) -> Dims | None:
    """The dims that a list of lengths says."""
    if pattern.items is None:
        count = pattern.shape[0] if pattern.shape.rank == 1 else ANY
        return (ANY,) * count.min if count.is_static and count.min <= MOST_ITEMS else None
    return tuple([ANY if item is None or number(item) == -1 else Dimension.of(item) for item in pattern.items])


def _binary(compute: Callable[[Item, Item], Item] | None = None) -> Callable[[Inputs, Attribute], Carried | None]:
    def follow(inputs: Inputs, attribute: Attribute) -> Carried | None:
        one, other = inputs[:2]
        rule = attribute("auto_broadcast") or "numpy"
        if rule != "numpy" and not (one.shape.is_static and one.shape == other.shape):
            return Carried(one.shape & other.shape) if rule == "none" else None
        shape = broadcast(one.shape, other.shape)
        if compute is None or one.items is None or other.items is None or not (shape.is_static or shape.rank == 1):
            return Carried(shape)
        count = prod([dim.min for dim in shape]) if shape.is_static else max(len(one.items), len(other.items))
        if count > MOST_VALUES:
            return Carried(shape)
        pairs = zip(one.spread(shape, count), other.spread(shape, count), strict=True)
        return Carried(shape, tuple([None if None in pair else compute(*pair) for pair in pairs]))

    return follow


def _convert(inputs: Inputs, attribute: Attribute) -> Carried:
    return Carried(inputs[0].shape) if attribute("destination_type") == "boolean" else inputs[0]


def _shape_of(inputs: Inputs, attribute: Attribute) -> Carried:
    dims = inputs[0].shape.dims
    if dims is None:
        return Carried(PartialShape((ANY,)))
    start, end = [_integers(attribute(name)) for name in ("start", "end")]
    dims = dims[start[0] if start else 0 : end[0] if end else len(dims)]
    return Carried(PartialShape((Dimension(len(dims)),)), dims)


def _concat(inputs: Inputs, attribute: Attribute) -> Carried | None:
    ranked, axes = [each.shape.dims for each in inputs if each.shape.dims is not None], _integers(attribute("axis"))
    if not ranked or axes is None:
        return None
    axis = axes[0] % len(ranked[0])
    columns = [reduce(same, column) if place != axis else ANY for place, column in enumerate(zip(*ranked, strict=True))]
    lengths: list[Item] = [ANY if each.shape.dims is None else each.shape[axis] for each in inputs]
    columns[axis] = Dimension.of(reduce(carried.added, lengths))
    shape = PartialShape(tuple(columns))
    if len(columns) > 1 or not shape.is_static or shape[0].min > MOST_VALUES:
        return Carried(shape)
    parts = [(None,) * each.shape[0].length if each.items is None else each.items for each in inputs]
    return Carried(shape, tuple([item for part in parts for item in part]))


def _reshape(inputs: Inputs, attribute: Attribute) -> Carried:
    data, pattern = inputs
    dims = _lengths(pattern)
    if dims is None:
        return UNKNOWN
    lengths, whole = list(dims), data.shape.dims
    numbers = [number(item) for item in pattern.items or (None,) * len(lengths)]
    if _is_true(attribute("special_zero")):
        lengths = [
            (whole[place] if whole else ANY) if numbers[place] == 0 else dim for place, dim in enumerate(lengths)
        ]
    if -1 in numbers and whole is not None and None not in (pattern.items or ()):
        place = numbers.index(-1)
        lengths[place] = _rest(whole, lengths[:place] + lengths[place + 1 :])
    return Carried(PartialShape(tuple(lengths)), data.items)


def _rest(whole: Dims, parts: Sequence[Dimension]) -> Dimension:
    """What is left of the elements of ``whole`` for the dim that is -1; a symbol in both cancels out."""
    left, right = list(whole), []
    for part in parts:
        twin = next((place for place, dim in enumerate(left) if dim.symbol and dim.symbol == part.symbol), None)
        if twin is None:
            right.append(part)
        else:
            del left[twin]
    divisor = prod([part.min for part in right])
    if not divisor or not all(part.is_static for part in right):
        return ANY
    product = prod(left, start=Dimension(1))
    if divisor == 1:
        return product
    return Dimension(-(-product.min // divisor), None if product.max is None else product.max // divisor)


def _expand(inputs: Inputs, attribute: Attribute) -> Carried:
    target = PartialShape(_lengths(inputs[1]))
    return Carried(broadcast(inputs[0].shape, target) if attribute("mode") == "bidirectional" else target)


def _range(inputs: Inputs, attribute: Attribute) -> Carried:
    start, stop, step = [each.items[0] if each.items else None for each in inputs[:3]]
    if number(start) == 0 and number(step) == 1 and isinstance(stop, Dimension):
        return Carried(PartialShape((stop,)))
    bounds = [number(start), number(stop), number(step)]
    count = ANY if None in bounds else Dimension(len(range(*bounds)))  # type: ignore[arg-type]
    return Carried(PartialShape((count,)))


def _squeeze(dims: Dims, inputs: Inputs, attribute: Attribute) -> Carried:
    axes = _axes(inputs, attribute, "axes")
    if len(inputs) < 2 and not attribute("axes") and inputs[0].shape.is_static:
        axes = [place for place, dim in enumerate(dims) if dim == 1]
    if axes is None:
        return UNKNOWN
    removed = _from_front(axes, len(dims))
    return Carried(PartialShape(tuple([dim for at, dim in enumerate(dims) if at not in removed])), inputs[0].items)


def _unsqueeze(dims: Dims, inputs: Inputs, attribute: Attribute) -> Carried:
    axes = _axes(inputs, attribute, "axes")
    if axes is None:
        return UNKNOWN
    rank, rest = len(dims) + len(axes), iter(dims)
    ones = _from_front(axes, rank)
    lengths = tuple([Dimension(1) if place in ones else next(rest, ANY) for place in range(rank)])
    return Carried(PartialShape(lengths), inputs[0].items)


def _transpose(dims: Dims, inputs: Inputs, attribute: Attribute) -> Carried:
    order = _axes(inputs, attribute, "perm")
    if order is None and (len(inputs) > 1 or attribute("perm")):
        return Carried(PartialShape((ANY,) * len(dims)))
    return Carried(PartialShape(tuple([dims[place] for place in order or reversed(range(len(dims)))])))


def _slice(dims: Dims, inputs: Inputs, attribute: Attribute) -> Carried:
    starts, stops, steps = [each.numbers for each in inputs[1:4]]
    axes = inputs[4].numbers if len(inputs) > 4 else list(range(len(starts or dims)))
    if axes is None:
        return Carried(PartialShape((ANY,) * len(dims)))
    if starts is None or stops is None or steps is None:
        return _cut(dims, inputs[0], {axis % len(dims): None for axis in axes})
    bounds = zip(axes, starts, stops, steps, strict=True)
    return _cut(dims, inputs[0], {axis % len(dims): slice(*bound) for axis, *bound in bounds})


def _strided_slice(dims: Dims, inputs: Inputs, attribute: Attribute) -> Carried | None:
    starts, stops = [each.numbers for each in inputs[1:3]]
    steps = inputs[3].numbers if len(inputs) > 3 else [1] * len(starts or ())
    no_start, no_stop, shrunk, *others = [
        {place for place, bit in enumerate(_integers(attribute(f"{name}_mask")) or ()) if bit}
        for name in ("begin", "end", "shrink_axis", "new_axis", "ellipsis")
    ]
    if any(others) or starts is None or stops is None or steps is None:
        return None
    cuts: dict[int, slice | None] = {}
    for place, (start, stop, step) in enumerate(zip(starts, stops, steps, strict=True)):
        cuts[place] = slice(None if place in no_start else start, None if place in no_stop else stop, step)
        if place in shrunk:
            cuts[place] = slice(start, start + 1 or None)
    lengths = _cut(dims, inputs[0], cuts)
    return Carried(
        PartialShape(tuple([dim for at, dim in enumerate(lengths.shape) if at not in shrunk])), lengths.items
    )


def _cut(dims: Dims, data: Carried, cuts: dict[int, slice | None]) -> Carried:
    """``data`` with only so much of some axes; None: it is not known how much."""
    cut_dims = list(dims)
    for axis, cut in cuts.items():
        dim = cut_dims[axis]
        is_whole = cut is not None and not cut.start and cut.step == 1 and (cut.stop is None or cut.stop > 1 << 30)
        if cut is not None and dim.is_static:
            cut_dims[axis] = Dimension(len(range(*cut.indices(dim.min))))
        elif not is_whole:
            cut_dims[axis] = Dimension(0, dim.max)
    cut = cuts.get(0)
    items = data.items[cut] if data.items is not None and len(dims) == 1 and cut is not None else None
    return Carried(PartialShape(tuple(cut_dims)), items)


def _matmul(dims: Dims, inputs: Inputs, attribute: Attribute) -> Carried:
    other = inputs[1].shape.dims
    if other is None or len(dims) < 2 or len(other) < 2:
        return UNKNOWN
    row = dims[-1 if _is_true(attribute("transpose_a")) else -2]
    column = other[-2 if _is_true(attribute("transpose_b")) else -1]
    return Carried(PartialShape((*broadcast(PartialShape(dims[:-2]), PartialShape(other[:-2])), row, column)))


_OF_DIMS: dict[str, Callable[[Dims, Inputs, Attribute], Carried | None]] = {
    "Squeeze": _squeeze,
    "Unsqueeze": _unsqueeze,
    "Transpose": _transpose,
    "Slice": _slice,
    "StridedSlice": _strided_slice,
    "MatMul": _matmul,
}
_RULES: dict[str, Callable[[Inputs, Attribute], Carried | None]] = {
    **dict.fromkeys(KEEPS_SHAPE.union(_ALSO_KEEP.split()), lambda inputs, _: Carried(inputs[0].shape)),
    **dict.fromkeys(_ELEMENT_WISE.split(), _binary()),
    "Add": _binary(carried.added),
    "Subtract": _binary(carried.subtracted),
    "Multiply": _binary(carried.multiplied),
    "Divide": _binary(carried.divided),
    **dict.fromkeys(("Convert", "Identity"), _convert),
    "ShapeOf": _shape_of,
    "Concat": _concat,
    "Reshape": _reshape,
    "Broadcast": _expand,
    "Range": _range,
}
