"""Operations on each element of one input.

Pages: arithmetic/abs-1 and the other pages of its folder, activation/clamp-1, activation/exp-1, activation/relu-1,
activation/sigmoid-1, activation/identity-16, comparison/isinf-10, logical/logical-not-1, bitwise/bitwise-not-13.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ovgather.ops.declaration import (
    INT32_64,
    NUMBERS,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.values import of_numbers
from ovgather.ops.declared.elementwise import _functions
from ovgather.ops.declared.elementwise import _item_math as items
from ovgather.ops.declared.elementwise._elementwise import (
    CLAMPED,
    FLOATS,
    INTEGRAL,
    map_values,
    require_types,
    same_output,
)
from ovgather.ops.declared.elementwise._numbers import INTEGER_LIMITS
from ovgather.tensor import interval
from ovgather.tensor.interval import Item, Items
from ovgather.tensor.tensor import Tensor

_floor = items.monotonous(math.floor)
_ceiling = items.monotonous(math.ceil)
_to_even = items.monotonous(round)
_away = items.monotonous(items.away_from_zero)
_root = items.monotonous(math.sqrt)


def _clamp(node: Node) -> list[Tensor]:
    outputs = same_output(node)
    low, high = node["min"], node["max"]
    if not low <= high:
        node.refuse("min", f"min {low:g} is greater than max {high:g}")
    return outputs


def _opposite(node: Node) -> list[Tensor]:
    outputs = same_output(node)
    if node.type(0).startswith("u"):
        node.refuse_on_compile(
            "data", f"data is {node.type(0)}, the CPU plugin multiplies it with -1"
        )
    return outputs


def _boolean(node: Node) -> list[Tensor]:
    node.require_count()
    require_types(node)
    return [tensor(node.dims(0), "boolean")]


def _each(
    compute: Callable[[Item], Item],
) -> Callable[[Node, Sequence[Tensor]], list[Items | None]]:
    def value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
        return map_values(node, outputs, compute)

    return value


def _clamp_value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    low, high = _end(node, node["min"], math.ceil), _end(node, node["max"], math.floor)
    return map_values(
        node, outputs, lambda item: interval.maximum(low, interval.minimum(high, item))
    )


def _end(node: Node, end: float, round_end: Callable[[float], int]) -> Item:
    """An end of ``Clamp`` as the element type of the input holds it."""
    limits = INTEGER_LIMITS.get(node.type(0))
    if limits is None:
        return end
    least, most = limits
    if end <= least:
        return least
    if end >= most:
        return most
    return round_end(end)


def _round(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    return map_values(
        node, outputs, _to_even if node["mode"] == "half_to_even" else _away
    )


def _square_root(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    return map_values(node, outputs, _root if node.type(0) in FLOATS else _integer_root)


def _integer_root(item: Item) -> Item:
    root = _root(item)
    return _to_even(root)


def _negative(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    """The opposite numbers, of the types that OpenVINO's core computes."""
    if node.type(0) not in FLOATS | INT32_64:
        return [None]
    return map_values(node, outputs, interval.negate)


def _not(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    if node.type(0) != "boolean":
        return [None]
    return map_values(node, outputs, items.opposite)


def _unary(
    type: str,
    page: str,
    since: int = 1,
    types: frozenset[str] | None = NUMBERS,
    compute: Callable[[Item], Item] | None = None,
) -> Declaration:
    if compute is None:
        value = _functions.value_of(type)
    else:
        value = of_numbers(_each(compute))
    return Declaration(
        type,
        since,
        (Input("data", types),),
        (),
        same_output,
        page,
        value,
        extra_inputs=True,
    )


def _tested(type: str, *attributes: Attribute) -> Declaration:
    page = f"comparison/{type.lower()}-10"
    return Declaration(
        type,
        10,
        (Input("data", FLOATS),),
        attributes,
        _boolean,
        page,
        extra_inputs=True,
    )


_CLAMP = _unary("Clamp", "activation/clamp-1", types=CLAMPED)
_CLAMP_ENDS = (
    Attribute("min", "number", 0.0, required=True),
    Attribute("max", "number", 0.0, required=True),
)
_ROUND = _unary("Round", "arithmetic/round-5", 5, None)
_MODE = Attribute(
    "mode", "enum", "half_to_even", values=("half_to_even", "half_away_from_zero")
)
_DETECTED = [
    Attribute(f"detect_{name}", "boolean", default=True)
    for name in ("negative", "positive")
]

DECLARATIONS = (
    *[
        _unary(name, f"arithmetic/{name.lower()}-1")
        for name in ("Acos", "Asin", "Atan", "Cos", "Cosh", "Erf", "Log")
    ],
    *[
        _unary(name, f"arithmetic/{name.lower()}-1")
        for name in ("Sin", "Sinh", "Tan", "Tanh")
    ],
    *[
        _unary(name, f"arithmetic/{name.lower()}-3", since=4)
        for name in ("Acosh", "Asinh", "Atanh")
    ],
    _unary("ErfInv", "arithmetic/erfinv-17", 17, FLOATS),
    _unary("Abs", "arithmetic/abs-1")._replace(value=_each(items.absolute)),
    _unary("Ceiling", "arithmetic/ceiling-1", compute=_ceiling),
    _unary("Exp", "activation/exp-1"),
    _unary("Floor", "arithmetic/floor-1", compute=_floor),
    _unary("Negative", "arithmetic/negative-1")._replace(
        infer=_opposite, value=of_numbers(_negative)
    ),
    _unary("ReLU", "activation/relu-1", compute=lambda item: interval.maximum(0, item)),
    _unary("Sigmoid", "activation/sigmoid-1"),
    _unary("Sign", "arithmetic/sign-1", compute=items.sign),
    _unary("Sqrt", "arithmetic/sqrt-1")._replace(value=of_numbers(_square_root)),
    _CLAMP._replace(attributes=_CLAMP_ENDS, infer=_clamp, value=_clamp_value),
    _ROUND._replace(attributes=(_MODE,), value=of_numbers(_round), extra_inputs=False),
    _unary("Identity", "activation/identity-16", 16, None)._replace(
        moves=(0,), in_order=True, extra_inputs=False
    ),
    _unary("LogicalNot", "logical/logical-not-1", types=None)._replace(value=_not),
    _unary("BitwiseNot", "bitwise/bitwise-not-13", 13, INTEGRAL)._replace(
        of_plugin=True
    ),
    _tested("IsFinite"),
    _tested("IsInf", *_DETECTED),
    _tested("IsNaN"),
)
