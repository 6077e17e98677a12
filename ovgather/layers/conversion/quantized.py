"""Nodes that quantize, and that compute with quantized numbers."""

from __future__ import annotations

from ovgather.layers.conversion.call import (
    NodeCall,
    NotFollowed,
    derived,
    has_one_element,
    integers,
    type_of,
)
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements

_QUANTIZED = frozenset({"i4", "u4", "i8", "u8", "i16", "u16", "i32"})
_SCALES = frozenset({"f16", "bf16", "f32", "dynamic"})
_WIDE = frozenset({"i32", "i64", "u32", "u64", "boolean"})
_REAL = frozenset({"f16", "bf16", "f32", "f64"})


def _along_axis(call: NodeCall, index: int) -> Tensor:
    """A scale or a zero point, with dims that fit the axis of data that it is for."""
    data, parameter = call.input(0), call.input(index)
    rank = data.shape.rank
    if call.integer("block_size", 0) or rank is None or parameter.shape.rank is None:
        raise NotFollowed("blocks, or an unknown rank")
    if parameter.shape.rank > 1:
        raise NotFollowed("blocks")
    if parameter.shape.rank == 0 or has_one_element(parameter):
        return parameter
    axis = call.integer("axis", 1)
    if not -rank <= axis < rank:
        call.refuse("axis", f"axis {axis} is out of range [{-rank}, {rank - 1}]")
    length, count = data.shape[axis], parameter.shape[0]
    if not length.compatible(count):
        name = ("", "scale", "zero point")[index]
        call.refuse(
            name, f"dim {axis} of data is {length}, {name} has {elements(count)}"
        )
    if count.is_dynamic or length.is_dynamic:
        raise NotFollowed("the number of scales")
    after = range(1, rank - axis % rank)
    if not after:
        return parameter
    return call.layer("Unsqueeze", parameter, integers(after))


def _parameters(call: NodeCall) -> list[Tensor]:
    """The scale, and the zero point where there is one."""
    indices = (1, 2) if call.has(2) else (1,)
    if call.opset < _AXIS_SINCE:
        return [call.input(index) for index in indices]
    return [_along_axis(call, index) for index in indices]


_AXIS_SINCE = 13


def _quantize(call: NodeCall) -> list[Tensor]:
    if len(call.inputs) > 3:
        message = f"{call.proto.op_type} takes 3 inputs, it has {len(call.inputs)}"
        call.refuse_form("inputs", message)
    data, kind = call.input(0), "u8"
    if call.has(2):
        kind = call.inputs[2].element_type
    elif call.integer("output_dtype", 0):
        kind = type_of(call.integer("output_dtype", 0))
    parameters = _parameters(call)
    if kind in _REAL or kind in _WIDE:
        message = f"the zero point is {kind}, but must be an integer of 4 to 16 bits"
        call.refuse("zero point", message)
    if kind not in _QUANTIZED or data.element_type == "string":
        raise NotFollowed("element types")
    result = derived(data, element_type="f32")
    for each in parameters:
        result = call.layer("Divide", result, derived(each, element_type="f32"))
    return [derived(result, element_type=kind)]


def _dequantize(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    scale, *zero_points = _parameters(call)
    if scale.element_type not in _SCALES:
        call.refuse(
            "scale", f"the scale is {scale.element_type}, but must be f32 or f16"
        )
    is_other = any(each.element_type != data.element_type for each in zero_points)
    if data.element_type not in _QUANTIZED or is_other:
        raise NotFollowed("element types")
    real = call.layer("Convert", data, destination_type=scale.element_type)
    for each in zero_points:
        zero = call.layer("Convert", each, destination_type=scale.element_type)
        real = call.layer("Subtract", real, zero)
    return [call.layer("Multiply", real, scale)]


def _quantize_by_range(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    if data.element_type != "f32":
        call.refuse("x", f"DynamicQuantizeLinear takes f32, x is {data.element_type}")
    scale = derived(data, PartialShape(()))
    return [derived(data, element_type="u8"), scale, derived(scale, element_type="u8")]


def _quantized_product(call: NodeCall) -> list[Tensor]:
    """Two matrices, each followed by its scale and its zero point; then those of the product."""
    if not all(has_one_element(call.input(index)) for index in (1, 2, 4, 5, 6, 7)):
        raise NotFollowed("scales of rows or columns")
    if any(
        call.input(index).element_type not in ("i8", "u8") for index in (0, 2, 3, 5, 7)
    ):
        raise NotFollowed("element types")
    first, second = (derived(call.input(index), element_type="f32") for index in (0, 3))
    product = call.layer("MatMul", first, second)
    return [derived(product, element_type=call.input(7).element_type)]


def _integer_product(call: NodeCall) -> list[Tensor]:
    if not all(
        has_one_element(each) and each.element_type != "string"
        for each in call.inputs[2:]
    ):
        raise NotFollowed("zero points of rows or columns")
    first, second = (derived(call.input(index), element_type="i32") for index in (0, 1))
    return [derived(call.layer("MatMul", first, second), element_type="i32")]


TRANSLATIONS = {
    "DequantizeLinear": _dequantize,
    "DynamicQuantizeLinear": _quantize_by_range,
    "MatMulInteger": _integer_product,
    "QLinearMatMul": _quantized_product,
    "QuantizeLinear": _quantize,
}
