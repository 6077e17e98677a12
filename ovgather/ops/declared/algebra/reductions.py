"""Reductions along axes.

Pages: reduction/reduce-l1-4, reduce-l2-4, reduce-logical-and-1, reduce-logical-or-1, reduce-max-1, reduce-mean-1,
reduce-min-1, reduce-prod-1, reduce-sum-1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from ovgather.ops.declaration import (
    BOOLEAN,
    INTEGERS,
    NUMBERS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.algebra._known import (
    is_computed,
    require_integral,
    require_numeric,
    require_ranks,
    require_strict_type,
    whole_numbers,
)
from ovgather.ops.declared.common.checks import (
    WITHOUT_BOUNDS,
    WITHOUT_MEAN,
    require_constant_for_plugin,
    stage_of,
)
from ovgather.ops.declared.common.values import lengths, of_numbers, strides
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS
from ovgather.tensor.interval import UNKNOWN, Interval, Item, Items
from ovgather.tensor.tensor import Tensor

_ZERO: Item = 0
_ONE: Item = 1
_WITHOUT_BOUNDS = ("ReduceMean", "ReduceSum")
"""OpenVINO computes these of numbers only."""
_UNREDUCED: dict[str, frozenset[str]] = {
    **dict.fromkeys(("ReduceMax", "ReduceMin"), WITHOUT_BOUNDS),
    "ReduceL1": WITHOUT_MEAN - {"bf16"},
    "ReduceL2": INTEGERS | (WITHOUT_BOUNDS - {"bf16"}),
}
"""The types that need constant axes, where they are others than those of a mean."""
Group = list[Item]
"""The elements that become one element."""


def _infer(node: Node) -> list[Tensor]:
    node.require_count()
    if node.declaration.inputs[0].types != BOOLEAN:
        require_numeric(node, 0)
    elif node.type(0) != "dynamic":
        require_strict_type(node, BOOLEAN, 0)
        require_constant_for_plugin(node, 1)
    if node.type(0) in _UNREDUCED.get(node.declaration.type, WITHOUT_MEAN):
        require_constant_for_plugin(node, 1, stage=stage_of(node.type(0)))
    require_integral(node, 1)
    require_ranks(node, 1, 0, 1)
    return [tensor(_reduced_dims(node), node.type(0))]


def _reduced_dims(node: Node) -> Dims | None:
    dims, keep = node.dims(0), node["keep_dims"]
    if dims is None:
        return None
    axes = _front_axes(node, len(dims))
    if axes and keep and not dims:
        node.refuse("axes", "data is a scalar, of which no axis can be kept")
    if axes == set() and not keep and len(dims) > 1 and is_computed(node, 0):
        node.refuse_on_compile(
            "axes",
            "axes is empty, and keep_dims is false: the CPU plugin needs an axis",
        )
    if axes is not None:
        kept = [LENGTHS[1] if place in axes else dim for place, dim in enumerate(dims)]
        return tuple(
            [dim for place, dim in enumerate(kept) if keep or place not in axes]
        )
    if keep:
        return (ANY,) * len(dims)
    if _axis_count(node) == 1:
        return (ANY,) * (len(dims) - 1)
    return None


def _front_axes(node: Node, rank: int) -> set[int] | None:
    """The axes counted from the front; None: not known."""
    axes = whole_numbers(node, 1)
    if axes is not None and node.type(1) == "u64":
        axes = [_wrapped(node, axis, rank) for axis in axes]
    if axes is None:
        return None
    return {node.front_axis("axes", axis, rank, least_rank=1) for axis in axes}


def _wrapped(node: Node, axis: int, rank: int) -> int:
    """A large ``u64`` as OpenVINO's core reads it: a negative axis, which the CPU plugin does not take."""
    if axis + max(rank, 1) >= 1 << 64:
        node.refuse_on_compile("axes", f"axis {axis} does not fit into 32 bits")
        return axis - (1 << 64)
    return axis


def _axis_count(node: Node) -> int | None:
    """How many axes there are."""
    dims = node.dims(1)
    if dims is None:
        return None
    if not dims:
        return 1
    if dims[0].min == dims[0].max:
        return dims[0].min
    return None


def _groups(node: Node) -> list[Group] | None:
    """The known elements that become one element each, in the order of the output."""
    items, shape = node.value(0), node.shape(0)
    if items is None or shape.dims is None or not shape.is_static:
        return None
    axes = _front_axes(node, len(shape))
    if axes is None:
        return None
    own = lengths(shape)
    output = strides(
        tuple([1 if place in axes else length for place, length in enumerate(own)])
    )
    steps = [0 if place in axes else step for place, step in enumerate(output)]
    places = [0]
    for length, step in zip(own, steps, strict=True):
        places = [place + number * step for place in places for number in range(length)]
    count = 1
    for place, length in enumerate(own):
        count *= 1 if place in axes else length
    groups: list[Group] = [[] for _ in range(count)]
    for item, place in zip(items, places, strict=True):
        groups[place].append(item)
    return groups


def _by_group(
    compute: Callable[[Group], Item],
) -> Callable[[Node, Sequence[Tensor]], list[Items | None]]:
    def value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
        groups = _groups(node)
        return [None if groups is None else tuple([compute(group) for group in groups])]

    return value


def _sum(group: Group) -> Item:
    return reduce(interval.add, group, _ZERO)


def _product(group: Group) -> Item:
    return reduce(interval.multiply, group, _ONE)


def _least(group: Group) -> Item:
    if group:
        return reduce(interval.minimum, group)
    return UNKNOWN


def _greatest(group: Group) -> Item:
    if group:
        return reduce(interval.maximum, group)
    return UNKNOWN


def _mean(group: Group) -> Item:
    total = _sum(group)
    if not group:
        return total
    if isinstance(total, float):
        return total / len(group)
    if isinstance(total, Interval) and any([isinstance(item, float) for item in group]):
        return UNKNOWN
    return interval.truncate_divide(total, len(group))


def _reduction(
    type: str,
    page: str,
    compute: Callable[[Group], Item] | None = None,
    types: frozenset[str] = NUMBERS,
    since: int = 1,
) -> Declaration:
    inputs = (Input("data", types), Input("axes", INTEGERS))
    attributes = (Attribute("keep_dims", "boolean", False),)
    declaration = Declaration(
        type, since, inputs, attributes, _infer, page, extra_inputs=True
    )
    if compute is None:
        return declaration
    value = _by_group(compute)
    return declaration._replace(
        value=of_numbers(value) if type in _WITHOUT_BOUNDS else value
    )


DECLARATIONS = (
    _reduction("ReduceL1", "reduction/reduce-l1-4", since=4),
    _reduction("ReduceL2", "reduction/reduce-l2-4", since=4),
    _reduction("ReduceLogicalAnd", "reduction/reduce-logical-and-1", _least, BOOLEAN),
    _reduction("ReduceLogicalOr", "reduction/reduce-logical-or-1", _greatest, BOOLEAN),
    _reduction("ReduceMax", "reduction/reduce-max-1", _greatest),
    _reduction("ReduceMean", "reduction/reduce-mean-1", _mean),
    _reduction("ReduceMin", "reduction/reduce-min-1", _least),
    _reduction("ReduceProd", "reduction/reduce-prod-1", _product),
    _reduction("ReduceSum", "reduction/reduce-sum-1", _sum),
)
