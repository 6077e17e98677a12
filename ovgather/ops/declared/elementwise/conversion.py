"""Conversion of element types. Pages: type/convert-1, type/convert-like-1, type/convert-promote-types-14."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from ovgather.ops.declaration import ALL_TYPES, Attribute, Declaration, Input, Node
from ovgather.ops.declared.elementwise._elementwise import FLOATS
from ovgather.ops.declared.elementwise._numbers import convert_items
from ovgather.tensor import element_type as element_types
from ovgather.tensor.interval import Items
from ovgather.tensor.tensor import Tensor

_PROMOTED = ALL_TYPES - {"u2", "u3", "u6", "nf4", "f8e8m0", "f4e2m1", "string"}
_LARGER = {frozenset({"f8e4m3", "f8e5m2"}): "f16", frozenset({"f16", "bf16"}): "f32"}
"""What two floating-point types of equal width become."""
_MOST_UNSIGNED = 32
_WITH_KERNELS = frozenset({"f32", "f16", "bf16"})
_NARROW = {
    "nf4": frozenset({"f64", "i4", "i8", "u4", "u8", "boolean"}),
    "f4e2m1": frozenset({"f64", "i4", "i8", "u4", "u8", "boolean"}),
    "f8e8m0": frozenset({"f64"}),
}
"""What the CPU plugin makes of floats of few bits beside ``_WITH_KERNELS``, of which alone it makes them; measured for
all pairs of types."""
_NEVER_WRITTEN = ("u3", "u6")
_NO_BOOLEAN = ("u2", "f8e4m3", "f8e5m2", *_NARROW)
"""Of static shapes the CPU plugin makes no booleans of them."""


def _convert(node: Node) -> list[Tensor]:
    node.require_count()
    if node["destination_type"] == "dynamic":
        node.refuse_on_compile(
            "destination_type",
            "destination_type is dynamic, or absent: nothing converts to that",
        )
    if node["destination_type"] == "string" != node.type(0):
        message = "the CPU plugin converts nothing to string"
        node.refuse_on_compile("destination_type", message)
    return _converted(node, node["destination_type"])


def _convert_like(node: Node) -> list[Tensor]:
    node.require_count()
    return _converted(node, node.type(1))


def _converted(node: Node, type: str) -> list[Tensor]:
    if type == "boolean" and not node.inputs[0].is_constant:
        message = f"{node.input_name(0)} is an output of TopK or VariadicSplit: the CPU plugin makes no boolean of it"
        node.refuse_on_compile(node.input_name(0), message, is_certain=False)
    if not _is_compiled(node, node.type(0), type):
        message = f"the CPU plugin converts no {node.type(0)} to {type}"
        node.refuse_on_compile("destination_type", message)
    return [Tensor(node.shape(0), type)]


def _is_compiled(node: Node, source: str, target: str) -> bool:
    """Whether the CPU plugin converts one type to another; OpenVINO's core converts constants of other types."""
    if source == target or "dynamic" in (source, target):
        return True
    is_constant = node.inputs[0].is_constant
    if target in _NARROW:
        return source in _WITH_KERNELS or (is_constant and source == "f64")
    if source in _NARROW and target not in _NARROW[source] | _WITH_KERNELS:
        return False
    if target == "boolean" and (source in _NARROW or not is_constant):
        return source not in _NO_BOOLEAN or not node.shape(0).is_static
    return is_constant or target not in _NEVER_WRITTEN


def _value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    """The elements of each input as the output of the same number holds them."""
    values: list[Items | None] = []
    for index, output in enumerate(outputs):
        items = node.value(index)
        values.append(
            None
            if items is None or node.type(index) in ("i4", "u4")
            else convert_items(items, node.type(index), output.element_type)
        )
    return values


def _promote(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    common = _common_type(node, node.type(0), node.type(1))
    return [Tensor(node.shape(index), common) for index in range(2)]


def _common_type(node: Node, one: str, other: str) -> str:
    if "dynamic" in (one, other):
        return "dynamic"
    if one == other or other == "boolean":
        return one
    if one == "boolean":
        return other
    if (one in FLOATS) != (other in FLOATS):
        return _real_type(node, one, other)
    is_scalar = [node.rank(index) == 0 for index in range(2)]
    if node["pytorch_scalar_promotion"] and is_scalar[0] != is_scalar[1]:
        if is_scalar[1]:
            return _type_beside_scalar(node, one, other)
        return _type_beside_scalar(node, other, one)
    if _is_signed(one) != _is_signed(other):
        return _signed_type(node, one, other)
    if _bits(one) != _bits(other):
        if _bits(one) > _bits(other):
            return one
        return other
    larger = _LARGER.get(frozenset({one, other}))
    if larger is None or not node["promote_unsafe"]:
        _refuse(node, "there is no type that takes both")
    return larger


def _real_type(node: Node, one: str, other: str) -> str:
    if one in FLOATS:
        real, integer = (one, other)
    else:
        real, integer = (other, one)
    if not node["promote_unsafe"] and _bits(real) < 2 * _bits(integer):
        _refuse(node, f"{real} does not hold every {integer}")
    return real


def _type_beside_scalar(node: Node, target: str, scalar: str) -> str:
    if node["promote_unsafe"]:
        return target
    is_signed = _is_signed(target)
    is_like = is_signed == _is_signed(scalar) and _bits(target) >= _bits(scalar)
    is_wide = (
        is_signed and not _is_signed(scalar) and 2 * _bits(target) >= _bits(scalar)
    )
    if not is_like and not is_wide:
        _refuse(node, f"{target} does not hold every {scalar}")
    return target


def _signed_type(node: Node, one: str, other: str) -> str:
    if _is_signed(one):
        signed, unsigned = (one, other)
    else:
        signed, unsigned = (other, one)
    is_unsafe, width = node["promote_unsafe"], 2 * _bits(unsigned)
    if _bits(unsigned) <= _MOST_UNSIGNED and (is_unsafe or width <= _bits(signed)):
        bits = max(width, _bits(signed))
        if bits < 4:
            _refuse(node, f"there is no signed type of {bits} bits")
        return f"i{bits}"
    if not is_unsafe:
        _refuse(node, f"no signed type holds every {unsigned}")
    target: str = node["u64_integer_promotion_target"]
    return target


def _refuse(node: Node, reason: str) -> NoReturn:
    node.refuse(
        "input_1",
        f"{node.type(0)} and {node.type(1)} are not promoted to one type: {reason}",
    )


def _bits(name: str) -> int:
    return element_types.named(name).bits


def _is_signed(name: str) -> bool:
    return element_types.named(name).kind != "unsigned"


_PROMOTION = (
    Attribute("promote_unsafe", "boolean", default=False),
    Attribute("pytorch_scalar_promotion", "boolean", default=False),
    Attribute("u64_integer_promotion_target", "type", "f32"),
)

DECLARATIONS = (
    Declaration(
        "Convert",
        1,
        (Input("data"),),
        (Attribute("destination_type", "type", "dynamic", required=True),),
        _convert,
        "type/convert-1",
        _value,
        moves=(0,),
        in_order=True,
        extra_inputs=True,
    ),
    Declaration(
        "ConvertLike",
        1,
        (Input("data"), Input("like")),
        (),
        _convert_like,
        "type/convert-like-1",
        moves=(0,),
        in_order=True,
        extra_inputs=True,
    ),
    Declaration(
        "ConvertPromoteTypes",
        14,
        (Input("input_0", _PROMOTED), Input("input_1", _PROMOTED)),
        _PROMOTION,
        _promote,
        "type/convert-promote-types-14",
        _value,
        outputs=("output_0", "output_1"),
        extra_inputs=True,
    ),
)
