"""The rules of a declaration, asked for one node."""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import UNREADABLE, Node
from ovgather.ops.declared.common.plugin_types import (
    REFUSES_USUAL,
    UNUSUAL,
    require_plugin_types,
)
from ovgather.tensor.interval import UNKNOWN
from ovgather.tensor.tensor import MOST_ITEMS, Tensor

_CASTING = ("LRN", "MVN", "ScatterUpdate")
"""The operations whose arguments OpenVINO's core casts, of any numeric type, instead of reading them."""
_NEVER_READ_EMPTY = ("MVN", "Reshape", "SparseFillEmptyRows", "StridedSlice")
_MOST_COMPUTED = 64
"""Elements of an output that are computed: shapes have fewer. Of constants OpenVINO computes all."""


def infer(node: Node) -> list[Tensor]:
    """The outputs as the declaration says, with their values."""
    outputs = [*node.declaration.infer(node)]
    if node.unreadable is not None:
        _require_readable(node, node.unreadable)
    if node.declaration.type in REFUSES_USUAL or any(
        [tensor.element_type in UNUSUAL for tensor in node.inputs]
    ):
        require_plugin_types(node, outputs)
    rule = node.declaration.value
    if rule is None:
        are_small = []
    else:
        are_small = [_is_small(tensor, node) for tensor in outputs]
    if rule is None or True not in are_small or _is_open(node):
        return outputs
    lacks_value = node.lacks_value
    values = rule(node, outputs)
    # of a value that is not known no shape is less known
    node.lacks_value = lacks_value
    for index, (tensor, value) in enumerate(zip(outputs, values, strict=False)):
        if value is not None and are_small[index]:
            outputs[index] = Tensor(
                tensor.shape, tensor.element_type, value, tensor.basis
            )
    return outputs


def _require_readable(node: Node, given: Tensor) -> None:
    """Refuse an argument that OpenVINO's core cannot read."""
    name = node.input_name(node.inputs.index(given))
    type = given.element_type
    if given.is_null and node.declaration.type not in _NEVER_READ_EMPTY:
        node.refuse(
            name, f"{name} is empty, and so is the .bin: OpenVINO reads no argument"
        )
    message = f"{name} is {type}, OpenVINO reads no argument of this type"
    if type == "nf4":
        if node.declaration.type != "LRN":
            node.refuse_on_compile(name, message)
    elif type in UNREADABLE and (
        type == "string" or node.declaration.type not in _CASTING
    ):
        node.refuse(name, message)


def _is_open(node: Node) -> bool:
    """Whether nothing is known of an element of an input: OpenVINO computes none of the others then.

    Concat keeps them for Broadcast, which asks for each input of a Concat.
    """
    if node.declaration.type == "Concat":
        return False
    return any(
        [
            each.value is not None and len(each.value) > 1 and UNKNOWN in each.value
            for each in node.inputs
        ]
    )


def _is_small(tensor: Tensor, node: Node) -> bool:
    """Whether the elements of an output are followed: few, or constant indices."""
    dims = tensor.shape.dims
    if dims is None:
        return False
    count = 1
    for dim in dims:
        if dim.min != dim.max:
            return False
        count *= dim.min
    if count <= _MOST_COMPUTED:
        return True
    is_index = tensor.element_type in ("i32", "i64") and all(
        [each.is_constant for each in node.inputs]
    )
    return is_index and count <= MOST_ITEMS


def of_constants(node: Node, outputs: Sequence[Tensor]) -> list[Tensor]:
    """The outputs of a node of constants.

    Refuses on compile what is no constant that the CPU plugin can keep: strings that OpenVINO's core does not compute,
    and what has a shape that shows only when it is computed.
    """
    of_plugin = node.declaration.of_plugin
    if of_plugin and "string" in [tensor.element_type for tensor in outputs]:
        node.refuse_on_compile(
            "outputs", "all inputs are constants, and the CPU plugin keeps no strings"
        )
    is_unfolded = any([each.is_unfolded for each in node.inputs])
    is_open = is_unfolded or not (node.declaration.value or node.lacks_value)
    if is_open and not all([tensor.shape.is_static for tensor in outputs]):
        node.refuse_on_compile(
            "outputs",
            "all inputs are constants, and only their elements tell the shape",
        )
    if not (is_unfolded or of_plugin):
        return [*outputs]
    node.lacks_value = False  # OpenVINO's core knows no more of it
    return [
        Tensor(
            tensor.shape,
            tensor.element_type,
            tensor.value,
            tensor.basis,
            is_constant=True,
            is_unfolded=tensor.value is None,
        )
        for tensor in outputs
    ]
