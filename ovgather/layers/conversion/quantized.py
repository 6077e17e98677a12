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

_QUANTIZED = frozenset({"i4", "u4", "i8", "u8", "i16", "u16", "i32"})


def _along_axis(call: NodeCall, data: Tensor, parameter: Tensor) -> Tensor:
    """A scale or a zero point, with dims that fit the axis of data that it is for."""
    rank = data.shape.rank
    if call.integer("block_size", 0) or rank is None or parameter.shape.rank is None:
        raise NotFollowed("blocks, or an unknown rank")
    if call.has(2) and str(call.inputs[2].shape) != str(call.input(1).shape):
        raise NotFollowed("a zero point of another shape than the scale")
    axis = call.integer("axis", 1)
    if parameter.shape.rank == 1 and not -rank <= axis < rank:
        raise NotFollowed("an axis out of range")
    if parameter.shape.rank != 1 or parameter.shape[0].max == 1:
        return parameter
    if parameter.shape[0].is_dynamic:
        raise NotFollowed("the number of scales")
    after = range(1, rank - axis % rank)
    if not after:
        return parameter
    return call.layer("Unsqueeze", parameter, integers(after))


def _quantize(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    scale = _along_axis(call, call.input(0), call.input(1))
    kind = "u8"
    if call.has(2):
        kind = call.inputs[2].element_type
    elif call.integer("output_dtype", 0):
        kind = type_of(call.integer("output_dtype", 0))
    if kind not in _QUANTIZED or data.element_type != scale.element_type:
        raise NotFollowed("element types")
    return [derived(call.layer("Divide", data, scale), element_type=kind)]


def _dequantize(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    scale = _along_axis(call, call.input(0), call.input(1))
    is_other = call.has(2) and call.inputs[2].element_type != data.element_type
    if data.element_type not in _QUANTIZED or is_other:
        raise NotFollowed("element types")
    real = call.layer("Convert", data, destination_type=scale.element_type)
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
