"""What element-wise operations share: ``auto_broadcast``, element types, rules of one and two inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ovgather.ops.declaration import (
    ALL_TYPES,
    BOOLEAN,
    REALS,
    Attribute,
    Dims,
    Node,
    tensor,
)
from ovgather.ops.declared.common.broadcasting import (
    broadcast_dim,
    broadcast_dims,
    merge_dims,
)
from ovgather.ops.declared.common.checks import is_compiled
from ovgather.ops.declared.common.values import spread
from ovgather.ops.declared.elementwise._numbers import fitted, whole
from ovgather.tensor.interval import Item, Items
from ovgather.tensor.tensor import Tensor

AUTO_BROADCAST = Attribute(
    "auto_broadcast", "enum", "numpy", values=("none", "explicit", "numpy", "pdpd")
)
FLOATS = REALS - {"nf4"}
"""What OpenVINO calls real: ``nf4`` is none of them."""
INTEGRAL = ALL_TYPES - FLOATS
"""What OpenVINO calls integral: all that is not real, ``boolean``, ``nf4`` and ``string`` included."""
SHIFTED = INTEGRAL - BOOLEAN
CLAMPED = ALL_TYPES - BOOLEAN
_DECOMPOSED = frozenset({"Subtract", "Divide"})
"""OpenVINO puts other layers in their place, which broadcast as NumPy does."""
_OF_FLOATS = frozenset({"Divide", "Mod"})
"""Of integers OpenVINO computes them by layers that broadcast from the first dim on."""
_WITH_PDPD = frozenset(
    {
        "Add",
        "BitwiseLeftShift",
        "BitwiseRightShift",
        "FloorMod",
        "Maximum",
        "Minimum",
        "Multiply",
        "Power",
        "SquaredDifference",
    }
)
"""The CPU plugin broadcasts their inputs from the first dim on as well."""
_WORDS = {
    FLOATS: "of a floating-point type",
    INTEGRAL: "of an integer type or boolean",
    SHIFTED: "of an integer type",
    CLAMPED: "numeric",
}


def pdpd_dims(one: Dims, other: Dims) -> Dims | None:
    """The dims of ``one``, to which ``other`` is broadcast from its first dim on; None: it does not fit."""
    if len(other) > len(one):
        return None
    dims = list(one)
    for place, theirs in enumerate(other):
        mine = one[place]
        if theirs.is_static and mine.is_static and theirs.min > mine.min:
            return None
        joined = broadcast_dim(mine, theirs)
        if joined is None:
            return None
        dims[place] = joined
    return tuple(dims)


def join_dims(rule: str, one: Dims | None, other: Dims | None) -> Dims | None:
    """The dims of two inputs that ``auto_broadcast`` joins; None: of dynamic rank. ValueError: they do not fit."""
    if rule in ("none", "explicit"):
        return merge_dims(one, other)
    if one is None or other is None:
        return None
    if rule == "pdpd":
        dims = pdpd_dims(one, other)
    else:
        dims = broadcast_dims(one, other)
    if dims is None:
        raise ValueError
    return dims


def broadcast_output(node: Node, element_type: str) -> list[Tensor]:
    """The output of two inputs that are broadcast as ``auto_broadcast`` says."""
    rule = node["auto_broadcast"]
    data, other = node.inputs[0].shape, node.inputs[1].shape
    try:
        dims = join_dims(rule, data.dims, other.dims)
        if rule == "pdpd":
            _require_plugin_pdpd(node)
        same = data if dims is data.dims else other if dims is other.dims else None
        return [
            tensor(dims, element_type) if same is None else Tensor(same, element_type)
        ]
    except ValueError:
        shapes = f"shapes {node.shape(0)} and {node.shape(1)}"
        node.refuse(node.input_name(1), f"{shapes} {misfit_words(rule)}")


def _require_plugin_pdpd(node: Node) -> None:
    """Refuse on compile shapes that OpenVINO reads, and then broadcasts as NumPy does."""
    type = node.declaration.type
    data, other = node.shape(0), node.shape(1)
    is_static = data.is_static and other.is_static
    is_accepted = type in _WITH_PDPD or (
        type in _OF_FLOATS and node.type(0) not in FLOATS
    )
    if is_accepted or all([each.is_constant for each in node.inputs]):
        return
    if type == "Mod":
        is_misfit = data != other or not is_static
    elif data.dims is None or other.dims is None:
        is_misfit = False
    else:
        is_checked = type in _DECOMPOSED or (is_static and is_compiled(node.inputs[:2]))
        is_misfit = is_checked and broadcast_dims(data.dims, other.dims) is None
    if is_misfit:
        message = (
            f"the CPU plugin does not broadcast {other} to {data} from the first dim on"
        )
        node.refuse_on_compile("auto_broadcast", message)


def misfit_words(rule: str) -> str:
    """What is wrong with shapes that ``auto_broadcast`` does not join."""
    if rule in ("none", "explicit"):
        return "differ, and auto_broadcast is none"
    if rule == "pdpd":
        return (
            "do not fit: the second is not broadcast to the first from its first dim on"
        )
    return "cannot be broadcast to each other"


def same_output(node: Node) -> list[Tensor]:
    """The output has the shape and the element type of the first input."""
    node.require_count()
    require_types(node)
    return [Tensor(node.shape(0), node.type(0))]


def require_types(node: Node) -> None:
    """Refuse an input of an element type that the declaration does not take; the types of all inputs are the same."""
    types = node.declaration.inputs[0].types
    words = None
    if types is not None:
        words = _WORDS.get(types)
    if types is None or words is None:
        node.require_types()
        return
    for index, own in enumerate(node.inputs):
        if own.element_type not in types and own.element_type != "dynamic":
            name = node.input_name(index)
            node.refuse(name, f"{name} must be {words}, not {own.element_type}")


def pair_values(
    node: Node, outputs: Sequence[Tensor], compute: Callable[[Item, Item], Item]
) -> list[Items | None]:
    """The elements of the output of two inputs, as its element type holds them."""
    one, other, output = node.value(0), node.value(1), outputs[0]
    if one is None or other is None or not _spreads(node, output):
        return [None]
    pairs = zip(
        spread(one, node.shape(0), output.shape),
        spread(other, node.shape(1), output.shape),
        strict=True,
    )
    return [
        fitted(
            (compute(whole(mine), whole(theirs)) for mine, theirs in pairs),
            output.element_type,
        )
    ]


def _spreads(node: Node, output: Tensor) -> bool:
    """Both inputs are broadcast as NumPy does it."""
    if node["auto_broadcast"] != "pdpd":
        return True
    ones = node.shape(1).dims or ()
    return node.shape(1) == output.shape or all(dim.min == 1 for dim in ones)


def map_values(
    node: Node, outputs: Sequence[Tensor], compute: Callable[[Item], Item]
) -> list[Items | None]:
    """The elements of the output of one input, as its element type holds them."""
    items = node.value(0)
    if items is None:
        return [None]
    return [fitted((compute(whole(item)) for item in items), outputs[0].element_type)]
