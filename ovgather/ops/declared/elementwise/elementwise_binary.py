"""Operations on pairs of elements of two inputs that are broadcast to each other.

Pages: arithmetic/add-1 and the other pages of its folder, comparison/equal-1, logical/logical-and-1,
bitwise/bitwise-and-13.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ovgather.ops.declaration import (
    BOOLEAN,
    NUMBERS,
    Attribute,
    Declaration,
    Input,
    Node,
)
from ovgather.ops.declared.common.values import of_numbers
from ovgather.ops.declared.elementwise import _item_math as items
from ovgather.ops.declared.elementwise._elementwise import (
    AUTO_BROADCAST,
    FLOATS,
    INTEGRAL,
    SHIFTED,
    broadcast_output,
    pair_values,
    require_types,
)
from ovgather.tensor import interval
from ovgather.tensor.interval import Item, Items, bounds
from ovgather.tensor.tensor import Tensor

_FLOORS = Attribute("m_pythondiv", "boolean", default=True)


def _same_types(node: Node) -> list[Tensor]:
    """The output has the element type of both inputs."""
    node.require_count()
    element_type = node.same_type(0, 1)
    require_types(node)
    return broadcast_output(node, element_type)


_DIVIDED_BY_ZERO = {
    "Divide": frozenset({"i8", "u8"}),
    "FloorMod": frozenset({"i8", "i16", "i32", "i64", "u16"}),
    "Mod": frozenset[str](),
}
"""The integer types of constants that OpenVINO's constant folding takes in spite of a divisor 0."""


def _quotient(node: Node) -> list[Tensor]:
    """Where all is known OpenVINO divides when it compiles: it refuses integers divided by 0, or dies of them."""
    outputs = _same_types(node)
    kind = outputs[0].element_type
    divisors = node.inputs[1].value or ()
    is_folded = node.inputs[0].is_constant or node.inputs[0].value is not None
    if kind in FLOATS or not is_folded:
        return outputs
    type = node.declaration.type
    if 0 in divisors and kind not in _DIVIDED_BY_ZERO[type]:
        node.refuse_on_compile("b", "integers are divided by 0")
    bits = {"i32": 31, "i64": 63}.get(kind)
    numbers = node.inputs[0].value or ()
    if bits is None or type == "FloorMod" or len(numbers) != len(divisors):
        return outputs
    if (-(1 << bits), -1) in zip(numbers, divisors, strict=True):
        node.refuse_on_compile("a", f"-2^{bits} / -1 is beyond {kind}")
    return outputs


def _comparison(node: Node) -> list[Tensor]:
    node.require_count()
    node.same_type(0, 1)
    return broadcast_output(node, "boolean")


def _logical(node: Node) -> list[Tensor]:
    node.require_count()
    require_types(node)
    return broadcast_output(node, "boolean")


def _pairs(
    compute: Callable[[Item, Item], Item],
) -> Callable[[Node, Sequence[Tensor]], list[Items | None]]:
    def value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
        return pair_values(node, outputs, compute)

    return value


def _division(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    if outputs[0].element_type in FLOATS:
        return pair_values(node, outputs, items.quotient)
    return pair_values(
        node,
        outputs,
        items.floor_quotient if node["m_pythondiv"] else items.cut_quotient,
    )


def _floor_remainder(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    if outputs[0].element_type in FLOATS:
        step = 0
    else:
        step = 1
    return pair_values(
        node, outputs, lambda one, other: items.floor_remainder(one, other, step)
    )


def _whole_remainder(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    """The remainders of integers: OpenVINO computes no others."""
    if outputs[0].element_type in FLOATS:
        return [None]
    return pair_values(
        node, outputs, lambda one, other: items.cut_remainder(one, other, 1)
    )


def _least(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    """The smaller items; of floating-point numbers without an upper end OpenVINO knows nothing."""
    if outputs[0].element_type in FLOATS and any(
        [
            bounds(item)[1] is None
            for index in range(2)
            for item in node.value(index) or ()
        ]
    ):
        return [None]
    return pair_values(node, outputs, interval.minimum)


def _square(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    """The squared differences of floating-point numbers: OpenVINO computes no others."""
    if outputs[0].element_type in FLOATS:
        return pair_values(node, outputs, items.squared_difference)
    return [None]


def _binary(
    type: str,
    page: str,
    infer: Callable[[Node], list[Tensor]],
    types: frozenset[str] | None,
    compute: Callable[[Item, Item], Item] | None = None,
    since: int = 1,
) -> Declaration:
    inputs = (Input("a", types), Input("b", types))
    value = None
    if compute is not None:
        value = _pairs(compute)
    return Declaration(type, since, inputs, (AUTO_BROADCAST,), infer, page, value)


def _arithmetic(
    type: str, name: str, compute: Callable[[Item, Item], Item] | None
) -> Declaration:
    return _binary(type, f"arithmetic/{name}-1", _same_types, NUMBERS, compute)


def _compared(
    type: str, name: str, compute: Callable[[Item, Item], Item]
) -> Declaration:
    declaration = _binary(type, f"comparison/{name}-1", _comparison, None)
    return declaration._replace(value=of_numbers(_pairs(compute)))


def _joined(type: str, name: str, compute: Callable[[Item, Item], Item]) -> Declaration:
    return _binary(type, f"logical/logical-{name}-1", _logical, BOOLEAN, compute)


def _bitwise(type: str, name: str) -> Declaration:
    page = f"bitwise/bitwise-{name}-13"
    declaration = _binary(type, page, _same_types, INTEGRAL, since=13)
    return declaration._replace(of_plugin=True)


def _shifted(type: str, name: str) -> Declaration:
    return _binary(
        type, f"bitwise/bitwise-{name}-shift-15", _same_types, SHIFTED, since=15
    )


_DIVIDE = _arithmetic("Divide", "divide", None)
_XOR = _joined("LogicalXor", "xor", items.one_of_two)

DECLARATIONS = (
    _arithmetic("Add", "add", interval.add),
    _arithmetic("Subtract", "subtract", interval.subtract),
    _arithmetic("Multiply", "multiply", interval.multiply),
    _arithmetic("Maximum", "maximum", interval.maximum),
    _arithmetic("Minimum", "minimum", None)._replace(value=_least),
    _arithmetic("FloorMod", "floormod", None)._replace(
        infer=_quotient, value=_floor_remainder
    ),
    _arithmetic("Mod", "mod", None)._replace(infer=_quotient, value=_whole_remainder),
    _arithmetic("Power", "power", items.power),
    _arithmetic("SquaredDifference", "squared-difference", None)._replace(
        value=_square
    ),
    _DIVIDE._replace(
        attributes=(AUTO_BROADCAST, _FLOORS), infer=_quotient, value=_division
    ),
    _compared("Equal", "equal", items.equal)._replace(value=_pairs(items.equal)),
    _compared(
        "NotEqual",
        "notequal",
        lambda one, other: items.opposite(items.equal(one, other)),
    ),
    _compared("Less", "less", items.less),
    _compared(
        "LessEqual",
        "lessequal",
        lambda one, other: items.opposite(items.less(other, one)),
    ),
    _compared("Greater", "greater", lambda one, other: items.less(other, one)),
    _compared(
        "GreaterEqual",
        "greater-equal",
        lambda one, other: items.opposite(items.less(one, other)),
    ),
    _joined("LogicalAnd", "and", interval.minimum),
    _joined("LogicalOr", "or", interval.maximum),
    _XOR,
    _XOR._replace(type="Xor", until=1),
    _bitwise("BitwiseAnd", "and"),
    _bitwise("BitwiseOr", "or"),
    _bitwise("BitwiseXor", "xor"),
    _shifted("BitwiseLeftShift", "left"),
    _shifted("BitwiseRightShift", "right"),
)
