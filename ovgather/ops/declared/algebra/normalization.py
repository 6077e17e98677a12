"""Normalization of elements, along axes or per channel; the output has the shape of the data.

Pages: normalization/mvn-1, mvn-6, normalize-l2-1, lrn-1, grn-1, batch-norm-inference-1, batch-norm-inference-5,
group-normalization-12.
"""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import (
    BOOLEAN,
    INTEGERS,
    NUMBERS,
    REALS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.algebra._known import (
    require_integral,
    require_least_rank,
    require_ranks,
    whole_numbers,
)
from ovgather.ops.declared.common.checks import (
    LONG,
    PACKED,
    WITHOUT_MEAN,
    is_compiled,
    require_constant_for_plugin,
    require_static_for_plugin,
    stage_of,
)
from ovgather.tensor.dimension import ANY, Dimension
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements

_MOST_HALF = 65504.0
"""The largest number of f16."""


def _same(node: Node) -> list[Tensor]:
    """One output like the data."""
    return [tensor(node.dims(0), node.type(0))]


def _infer_mvn_1(node: Node) -> list[Tensor]:
    node.require_count()
    return _same(node)


def _infer_mvn_6(node: Node) -> list[Tensor]:
    node.require_count()
    axes, rank = node.dims(1), node.rank(0)
    if axes is not None and node.shape(1).is_static:
        require_ranks(node, 1, 1)
        if rank is not None and rank < axes[0].min:
            node.refuse("axes", f"axes has {elements(axes[0])}, data has rank {rank}")
    numbers = whole_numbers(node, 1) or ()
    for axis in numbers:
        if rank and not -rank <= axis < rank:
            node.refuse_on_compile(
                "axes", f"axes {axis} is out of range [{-rank}, {rank - 1}]"
            )
    if rank is not None and not _has_mean_kernel(rank, numbers):
        _require_reduced_axes(node)
    if node.type(0) in WITHOUT_MEAN:
        require_constant_for_plugin(node, 1, stage=stage_of(node.type(0)))
    if node.type(0) == "boolean" and rank and numbers:
        last = {*range(rank - len(numbers), rank)}
        if {axis % rank for axis in numbers} != last or (0 in last and rank > 1):
            node.refuse_on_compile(
                "data", "data is boolean, of which the CPU plugin makes no mean"
            )
    return _same(node)


def _has_mean_kernel(rank: int, axes: Sequence[int]) -> bool:
    """Whether the CPU plugin takes the mean over all spatial ``axes``, or over the channels as well."""
    places = sorted([axis % rank for axis in axes if rank])
    return places in ([*range(1, rank)], [*range(2, rank)])


def _require_reduced_axes(node: Node) -> None:
    """Refuse on compile axes that a reduction does not take, which OpenVINO puts in the place of the node."""
    axes = node.inputs[1]
    if axes.element_type in REALS | PACKED | BOOLEAN:
        message = f"axes must be of an integer type, not {axes.element_type}"
        node.refuse_on_compile("axes", message)
    if axes.is_null:
        message = "axes is empty, and so is the .bin: OpenVINO reads no argument"
        node.refuse_on_compile("axes", message)


def _infer_normalize_l2(node: Node) -> list[Tensor]:
    node.require_count()
    require_ranks(node, 1, 0, 1)
    rank, axes = node.rank(0), whole_numbers(node, 1)
    if rank is not None and axes is not None:
        if node.type(1) == "boolean":
            node.refuse("axes", "axes must be numeric, not boolean")
        for axis in axes:
            node.front_axis("axes", axis, rank, least_rank=1)
    if rank is not None and not _has_kernel(rank, axes):
        _require_decomposed(node)
    elif node.type(0) in LONG and is_compiled(node.inputs[:1]):
        message = f"data is {node.type(0)}, of which the CPU plugin has no kernel"
        node.refuse_on_compile("data", message)
    _require_no_constant(node)
    return _same(node)


def _has_kernel(rank: int, axes: Sequence[int] | None) -> bool:
    """Whether the CPU plugin normalizes over ``axes`` itself; None: they are not known."""
    return rank <= 4 and axes is not None and sorted(axes) in ([1], [*range(1, rank)])


def _require_decomposed(node: Node) -> None:
    """Refuse on compile what the sum does not take that OpenVINO puts in the place of a NormalizeL2."""
    _require_reduced_axes(node)
    if node.type(0) == "f16" and not abs(node["eps"]) <= _MOST_HALF:
        message = f"eps is {node['eps']:g}, which is no number of f16"
        node.refuse_on_compile("eps", message)


def _require_no_constant(node: Node) -> None:
    if node.inputs[0].is_constant and is_compiled(node.inputs[:1]):
        message = "data is constant: the CPU plugin crashes"
        node.refuse_on_compile("data", message, "sometimes")


def _infer_lrn(node: Node) -> list[Tensor]:
    node.require_count()
    axes, rank = node.dims(1), node.rank(0)
    if axes is not None and node.shape(1).is_static:
        require_ranks(node, 1, 1)
        if rank is not None and rank < axes[0].min:
            node.refuse("axes", f"axes has {elements(axes[0])}, data has rank {rank}")
    require_integral(node, 1)
    numbers = whole_numbers(node, 1)
    for axis in [1] if numbers is None else numbers:
        if rank is not None and axis >= rank:  # negative ones pass
            node.refuse("axes", f"axis {axis} is out of range [0, {rank - 1}]")
    require_constant_for_plugin(node, 1)
    if node["size"] < 0 and numbers:
        node.refuse_on_compile(
            "size", f"size is {node['size']}, at least 0 is expected"
        )
    if numbers is not None and len(numbers) == 0:
        node.refuse_on_compile("axes", "axes is empty: the CPU plugin crashes")
    if rank is not None and numbers and not _takes_lrn_axes(numbers, rank):
        node.refuse_on_compile(
            "axes", "the CPU plugin takes the channels, or all spatial dims with others"
        )
    return _same(node)


def _takes_lrn_axes(axes: Sequence[int], rank: int) -> bool:
    if rank < 3:
        return min(axes) >= 0
    return [*axes] == [1] or {*range(2, rank)} <= {*axes}


def _infer_grn(node: Node) -> list[Tensor]:
    node.require_count()
    require_ranks(node, 0, 2, 3, 4)
    _require_no_constant(node)
    return _same(node)


def _infer_batch_norm(node: Node) -> list[Tensor]:
    node.require_count()
    if node.declaration.since == 1:
        data = 2
    else:
        data = 0
    if not node["epsilon"] >= 0:  # nan, too
        node.refuse_value(
            "epsilon", f"epsilon is {node['epsilon']:g}, but must not be negative"
        )
    element_type = node.same_type(0, 1, 2, 3, 4)
    if element_type not in REALS and element_type != "dynamic":
        node.refuse(
            "data", f"the inputs must be of a floating-point type, not {element_type}"
        )
    require_least_rank(node, data, 2)
    channels = ANY
    for index in range(5):
        if index != data:
            require_ranks(node, index, 1)
            channels = _merged_channels(node, index, 0, channels)
    channels = _merged_channels(node, data, 1, channels)
    if channels.max == 0:
        node.refuse("data", "there are 0 channels, there must be at least 1")
    dims = node.dims(data)
    return [
        tensor(None if dims is None else (dims[0], channels, *dims[2:]), element_type)
    ]


def _merged_channels(
    node: Node, index: int, place: int, channels: Dimension
) -> Dimension:
    """The number of channels, as far as an input and those before it say."""
    dims = node.dims(index)
    if dims is None:
        return channels
    if not dims[place].compatible(channels):
        name = node.input_name(index)
        node.refuse(
            name, f"{name} has {dims[place]} channels, those before it have {channels}"
        )
    return dims[place] & channels


def _infer_group(node: Node) -> list[Tensor]:
    node.require_count()
    groups = node["num_groups"]
    if groups <= 0:
        node.refuse_value("num_groups", f"num_groups is {groups}, but must be positive")
    for index in (1, 2):
        require_ranks(node, index, 1)
    require_least_rank(node, 0, 2)
    dims = node.dims(0)
    if dims is not None:
        _require_channels(node, dims)
        if len(dims) == 2:
            _require_plugin_rows(node)
    scale, bias = node.dims(1), node.dims(2)
    if scale is not None and bias is not None and not scale[0].compatible(bias[0]):
        node.refuse("bias", f"scale has length {scale[0]}, bias has length {bias[0]}")
    for index in (1, 2):
        types = {node.type(0), node.type(index)}
        if len(types) > 1 and "dynamic" not in types:
            name = node.input_name(index)
            message = f"{name} is {node.type(index)}, the CPU plugin needs {node.type(0)} as data is"
            node.refuse_on_compile(name, message)
    return _same(node)


def _require_plugin_rows(node: Node) -> None:
    """Refuse on compile data without spatial dims of which the CPU plugin makes no kernel."""
    for index in range(len(node.inputs)):
        require_static_for_plugin(node, index)
    is_widened = node.type(0) == "f16" and all(
        [each.is_constant for each in node.inputs[1:]]
    )
    if node.type(0) in _OTHER_REALS and not is_widened:
        message = f"data is {node.type(0)} of rank 2, the CPU plugin takes f32"
        node.refuse_on_compile("data", message, stage_of(node.type(0)))


def _require_channels(node: Node, dims: Dims) -> None:
    channels, groups = dims[1], node["num_groups"]
    for index in (1, 2):
        length = node.dims(index)
        if length is not None and not length[0].compatible(channels):
            name = node.input_name(index)
            node.refuse(
                name, f"{name} has length {length[0]}, data has {channels} channels"
            )
    if channels.min != channels.max:
        return
    if groups > channels.min:
        node.refuse(
            "num_groups", f"num_groups is {groups}, data has {channels} channels"
        )
    if channels.min % groups:
        node.refuse(
            "num_groups",
            f"the {channels} channels of data cannot be divided into {groups} groups",
        )


DATA = Input("data", REALS)
AXES = Input("axes", INTEGERS)
_OTHER_REALS = ("bf16", "f16", "f64")
_NORMS = (
    Input("gamma", REALS),
    Input("beta", REALS),
    Input("mean", REALS),
    Input("variance", REALS),
)

MVN_1 = Declaration(
    "MVN",
    1,
    (DATA,),
    (
        Attribute("eps", "number", 0.0, required=True),
        Attribute(
            "across_channels", "boolean", False
        ),  # or reduction_axes: the page requires one of both
        Attribute("normalize_variance", "boolean", False, required=True),
        Attribute("reduction_axes", "integers", ()),
    ),
    _infer_mvn_1,
    "normalization/mvn-1",
)
MVN_6 = Declaration(
    "MVN",
    6,
    (DATA, AXES),
    (
        Attribute("eps", "number", 0.0, required=True),
        Attribute("normalize_variance", "boolean", False, required=True),
        Attribute(
            "eps_mode",
            "enum",
            "inside_sqrt",
            required=True,
            values=("inside_sqrt", "outside_sqrt"),
        ),
    ),
    _infer_mvn_6,
    "normalization/mvn-6",
)
NORMALIZE_L2 = Declaration(
    "NormalizeL2",
    1,
    (Input("data", NUMBERS), AXES),
    (
        Attribute("eps", "number", 0.0, required=True),
        Attribute("eps_mode", "enum", "add", required=True, values=("add", "max")),
    ),
    _infer_normalize_l2,
    "normalization/normalize-l2-1",
)
LRN = Declaration(
    "LRN",
    1,
    (DATA, AXES),
    (
        Attribute("alpha", "number", 0.0, required=True),
        Attribute("beta", "number", 0.0, required=True),
        Attribute("bias", "number", 0.0, required=True),
        Attribute("size", "integer", 0, required=True),
    ),
    _infer_lrn,
    "normalization/lrn-1",
    extra_inputs=True,
)
GRN = Declaration(
    "GRN",
    1,
    (DATA,),
    (Attribute("bias", "number", 1.0, required=True),),
    _infer_grn,
    "normalization/grn-1",
)
BATCH_NORM_1 = Declaration(
    "BatchNormInference",
    1,
    (*_NORMS[:2], DATA, *_NORMS[2:]),
    (Attribute("epsilon", "number", 0.0, required=True),),
    _infer_batch_norm,
    "normalization/batch-norm-inference-1",
)
BATCH_NORM_5 = BATCH_NORM_1._replace(
    since=5, inputs=(DATA, *_NORMS), page="normalization/batch-norm-inference-5"
)
GROUP_NORMALIZATION = Declaration(
    "GroupNormalization",
    12,
    (DATA, Input("scale", REALS), Input("bias", REALS)),
    (
        Attribute("num_groups", default=0, required=True),
        Attribute("epsilon", "number", 0.0, required=True),
    ),
    _infer_group,
    "normalization/group-normalization-12",
)
DECLARATIONS = (
    MVN_1,
    MVN_6,
    NORMALIZE_L2,
    LRN,
    GRN,
    BATCH_NORM_1,
    BATCH_NORM_5,
    GROUP_NORMALIZATION,
)
