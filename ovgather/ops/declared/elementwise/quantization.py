"""Rounding to few levels. Pages: quantization/fake-quantize-1, quantization/fake-convert-13."""

from __future__ import annotations

from ovgather.ops.declaration import (
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    shape_of,
    tensor,
)
from ovgather.ops.declared.common.broadcasting import broadcast_dims
from ovgather.ops.declared.common.checks import (
    FLOATS_OF_FEW_BITS,
    LONG,
    is_compiled,
)
from ovgather.ops.declared.elementwise._elementwise import (
    AUTO_BROADCAST,
    join_dims,
    misfit_words,
)
from ovgather.ops.declared.elementwise._functions import QUANTIZED
from ovgather.tensor.interval import Items
from ovgather.tensor.tensor import Tensor

_CONVERTED = frozenset({"bf16", "f16", "f32"})
_OF_16_BITS = 65536
_CRASHING = frozenset({"nf4", "u2"})
_NOT_TAKEN_APART = FLOATS_OF_FEW_BITS | _CRASHING | {"boolean", "i4", "i8", "u4", "u8"}
_UNQUANTIZED_LIMITS = frozenset({"f8e8m0"})
_UNQUANTIZED = (
    FLOATS_OF_FEW_BITS - _UNQUANTIZED_LIMITS | LONG - {"i64"} | frozenset({"f64"})
)
_LEVELS = frozenset([2**bits - less for bits in (4, 8, 16, 32) for less in (0, 1)])
"""The levels by which OpenVINO takes a model for a quantized one."""
_MOST_DIMS = 5
_RANKS = range(2, _MOST_DIMS + 1)
"""The ranks of the data of which the CPU plugin has a kernel."""
_EIGHT_BITS = ("f8e4m3", "f8e5m2")


def _fake_quantize(node: Node) -> list[Tensor]:
    node.require_count()
    rule, dims = node["auto_broadcast"], node.dims(0)
    for index in range(1, 5):
        if (
            node.inputs[index].shape is node.inputs[index - 1].shape
        ):  # most limits have one
            continue
        try:
            dims = join_dims(rule, dims, node.dims(index))
        except ValueError:
            name = node.input_name(index)
            node.refuse(
                name,
                f"shapes of data, {node.shape(0)}, and of {name}, {node.shape(index)}, {misfit_words(rule)}",
            )
    _require_plugin_types(node)
    if node["levels"] in (0, 1):
        _require_plugin_levels(node)
    if node["levels"] == _OF_16_BITS and _changes_nothing(node):
        node.refuse_on_compile(
            "levels",
            f"levels is {_OF_16_BITS}, and the limits of input and output are equal: the CPU plugin fails",
        )
    return [Tensor(node.shape(0), node.type(0))]


def _require_plugin_types(node: Node) -> None:
    """Refuse types without a kernel; of constant limits only where the model counts as quantized by its levels."""
    data, limits = node.inputs[0], node.inputs[1:5]
    kind = data.element_type
    is_quantized = all([each.is_constant for each in limits])
    if not is_quantized:
        refused = _NOT_TAKEN_APART
    else:
        refused = _UNQUANTIZED | ({limits[0].element_type} & _UNQUANTIZED_LIMITS)
        if data.shape.is_static:
            refused |= {limits[0].element_type} & _CRASHING
    is_seen = not data.is_constant and is_compiled([data])
    if kind in refused and is_seen and (not is_quantized or node["levels"] in _LEVELS):
        message = f"data is {kind}, the CPU plugin takes none in FakeQuantize"
        node.refuse_on_compile("data", message)


def _changes_nothing(node: Node) -> bool:
    """Whether the constant limits of input and output are equal: the plugin wants to leave such a layer out."""
    data = node.inputs[0]
    if data.element_type not in _CONVERTED or not is_compiled([data]):
        return False
    if data.is_constant and data.element_type != "f16":
        return False  # OpenVINO's core computes it
    return all(
        [_are_equal(node.value(index), node.value(index + 2)) for index in (1, 2)]
    )


def _are_equal(items: Items | None, others: Items | None) -> bool:
    if not items or not others:
        return False
    longer = max(len(items), len(others))
    return longer // len(items) * tuple(items) == longer // len(others) * tuple(others)


def _require_plugin_levels(node: Node) -> None:
    """Refuse few levels where the CPU plugin has a kernel for the layer; it takes others apart."""
    data, limits = node.inputs[0], node.inputs[1:]
    is_constant = all([each.is_constant for each in limits])
    is_usual = node.rank(0) in _RANKS and all(
        [_is_along_one_axis(each.shape.dims, node.rank(0)) for each in limits]
    )
    if (
        is_constant
        and is_usual
        and node.type(0) in ("f16", "f32")
        and is_compiled(node.inputs[:1])
    ):
        node.refuse_on_compile(
            "levels",
            f"levels is {node['levels']}, the CPU plugin needs at least 2",
            is_certain=not (data.is_constant or data.shape.is_static),
        )


def _is_along_one_axis(limit: Dims | None, rank: int | None) -> bool:
    """Whether a limit is one number, or one for each place along axis 1 or 2 of the data."""
    if limit is None or rank is None or len(limit) > _MOST_DIMS:
        return False
    missing = max(0, rank - len(limit))
    axes = [missing + place for place, dim in enumerate(limit) if dim.max != 1]
    return len(axes) <= 1 and all([axis in (1, 2) for axis in axes])


def _fake_convert(node: Node) -> list[Tensor]:
    node.require_count()
    target = node["destination_type"]
    if target not in _EIGHT_BITS:
        node.refuse(
            "destination_type",
            f"destination_type must be {' or '.join(_EIGHT_BITS)}, not {target}",
        )
    element_type = node.same_type(*range(len(node.inputs)))
    node.require_types()
    if node.has(2) and not node.shape(1).compatible(node.shape(2)):
        node.refuse(
            "shift",
            f"the shape of shift, {node.shape(2)}, must be that of scale, {node.shape(1)}",
        )
    data, scale = node.dims(0), node.dims(1)
    if data is None or scale is None:
        return [tensor(None, element_type)]
    dims = broadcast_dims(data, scale)
    if dims is None or not node.shape(0).compatible(shape_of(dims)):
        node.refuse(
            "scale",
            f"scale of shape {node.shape(1)} cannot be broadcast to data of shape {node.shape(0)}",
        )
    return [tensor(dims, element_type)]


_LIMITS = ("input_low", "input_high", "output_low", "output_high")

DECLARATIONS = (
    Declaration(
        "FakeQuantize",
        1,
        (Input("data"), *[Input(name) for name in _LIMITS]),
        (Attribute("levels", "integer", 0, required=True), AUTO_BROADCAST),
        _fake_quantize,
        "quantization/fake-quantize-1",
        QUANTIZED,
        extra_inputs=True,
    ),
    Declaration(
        "FakeConvert",
        13,
        (
            Input("data", _CONVERTED),
            Input("scale", _CONVERTED),
            Input("shift", _CONVERTED, optional=True),
        ),
        (Attribute("destination_type", "type", "f8e4m3"),),
        _fake_convert,
        "quantization/fake-convert-13",
    ),
)
