"""Activation functions, and SoftMax.

Pages: activation/elu-1 and the other pages of its folder.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    NUMBERS,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.checks import (
    is_compiled,
    require_constant_for_plugin,
    require_elements_for_plugin,
    stage_of,
)
from ovgather.ops.declared.elementwise import _functions
from ovgather.ops.declared.elementwise._elementwise import (
    FLOATS,
    require_types,
    same_output,
)
from ovgather.tensor.tensor import Tensor

_UNCONVERTED = ("bf16", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1")


def _swish(node: Node) -> list[Tensor]:
    outputs = same_output(node)
    if node.has(1):
        _require_equal_types(node)
        if node.rank(1):
            node.refuse("beta", f"beta must be a scalar, its rank is {node.rank(1)}")
        if node.type(0) in _UNCONVERTED:
            message = f"the CPU plugin takes no {node.type(0)} beside a beta"
            node.refuse_on_compile("data", message, stage_of(node.type(0)))
    return outputs


def _hard_sigmoid(node: Node) -> list[Tensor]:
    outputs = same_output(node)
    for index in (1, 2):
        if node.shape(index).is_static and node.rank(index):
            name = node.input_name(index)
            node.refuse(
                name, f"{name} must be a scalar, its shape is {node.shape(index)}"
            )
    _require_equal_types(node)
    require_constant_for_plugin(node, 1, 2)
    return outputs


def _prelu(node: Node) -> list[Tensor]:
    outputs = same_output(node)
    shapes = [node.shape(0), node.shape(1)]
    if (
        node.inputs[0].is_constant
        or not all([shape.is_static and shape.rank for shape in shapes])
        or not is_compiled(outputs)
    ):
        return outputs
    data, slope = [[dim.min for dim in shape] for shape in shapes]
    is_of_channels = len(slope) == 1 and data[1:2] == slope
    ends = {data[-1], slope[-1]}
    if not is_of_channels and len(ends) > 1 and not ends & {0, 1}:
        message = f"the last dim of slope is {slope[-1]}, that of data is {data[-1]}"
        node.refuse_on_compile("slope", message)
    return outputs


def _require_equal_types(node: Node) -> None:
    """Refuse other element types than that of the first input; ``dynamic`` is another one, too."""
    for index in range(1, len(node.inputs)):
        if node.type(index) != node.type(0):
            name = node.input_name(index)
            node.refuse(
                name,
                f"{name} must be {node.type(0)} as data is, not {node.type(index)}",
            )


def _selu(node: Node) -> list[Tensor]:
    node.require_count()
    element_type = node.same_type(0, 1, 2)
    require_types(node)
    require_constant_for_plugin(node, 1, 2)
    require_elements_for_plugin(node, 1, 2)
    return [tensor(node.dims(0), element_type)]


def _soft_max(node: Node) -> list[Tensor]:
    outputs = same_output(node)
    rank = node.rank(0)
    if rank is not None:
        node.front_axis("axis", node["axis"], rank, least_rank=1)
    return outputs


def _unsigned_axis(node: Node) -> list[Tensor]:
    outputs = same_output(node)
    axis, rank = node["axis"], node.rank(0)
    if rank is not None and not 0 <= axis < max(rank, 1):
        node.refuse("axis", f"axis {axis} is out of range [0, {max(rank, 1) - 1}]")
    return outputs


_COUNTED = ("Gelu", "Mish", "PReLU", "Swish")
"""The types of which OpenVINO counts the inputs."""


def _activation(
    type: str, page: str, since: int, types: frozenset[str] | None, *further: str
) -> Declaration:
    inputs = (Input("data", types), *[Input(name) for name in further])
    return Declaration(
        type,
        since,
        inputs,
        (),
        same_output,
        f"activation/{page}",
        _functions.value_of(type),
        extra_inputs=type not in _COUNTED,
    )


_GELU = _activation("Gelu", "gelu-2", 2, FLOATS)
_GELU_MODE = Attribute("approximation_mode", "enum", "erf", values=("erf", "tanh"))
_SOFT_MAX = _activation("SoftMax", "softmax-1", 1, None)._replace(
    value=_functions.SOFT_MAX
)
_LOG_SOFT_MAX = _activation("LogSoftmax", "log-soft-max-5", 5, None)
_ELU = _activation("Elu", "elu-1", 1, None)
_SELU = _activation("Selu", "selu-1", 1, FLOATS, "alpha", "lambda")

DECLARATIONS = (
    _activation("HSigmoid", "hsigmoid-5", 5, NUMBERS),
    _activation("HSwish", "hswish-4", 4, NUMBERS),
    _activation("Mish", "mish-4", 4, FLOATS),
    _activation("SoftPlus", "softplus-4", 4, FLOATS),
    _activation("SoftSign", "softsign-9", 9, FLOATS),
    _activation("PReLU", "prelu-1", 1, None, "slope")._replace(
        infer=_prelu, value=_functions.PRELU
    ),
    _activation("HardSigmoid", "hard-sigmoid-1", 1, None, "alpha", "beta")._replace(
        infer=_hard_sigmoid
    ),
    _activation("Swish", "swish-4", 4, FLOATS)._replace(
        inputs=(Input("data", FLOATS), Input("beta", optional=True)),
        infer=_swish,
        value=_functions.SWISH,
    ),
    _ELU._replace(attributes=(Attribute("alpha", "number", 0.0, required=True),)),
    _SELU._replace(
        inputs=tuple([Input(name, FLOATS) for name in ("data", "alpha", "lambda")]),
        infer=_selu,
    ),
    _GELU,
    _GELU._replace(
        since=7,
        attributes=(_GELU_MODE,),
        page="activation/gelu-7",
        value=_functions.GELU,
    ),
    _SOFT_MAX._replace(
        attributes=(Attribute("axis", "integer", 0),), infer=_unsigned_axis
    ),
    _SOFT_MAX._replace(
        since=8,
        attributes=(Attribute("axis", "integer", 1),),
        infer=_soft_max,
        page="activation/softmax-8",
    ),
    _LOG_SOFT_MAX._replace(
        attributes=(Attribute("axis", "integer", 1),), infer=_soft_max
    ),
)
