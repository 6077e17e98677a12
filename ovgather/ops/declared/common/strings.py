"""Strings on the CPU: the plugin moves them in few operations, and refuses the others when it compiles."""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import Node
from ovgather.ops.declared.common.checks import is_compiled
from ovgather.tensor.tensor import Tensor

_TAKEN = frozenset(
    [
        "Assign",
        "BatchToSpace",
        "Col2Im",
        "Concat",
        "DepthToSpace",
        "Einsum",
        "Gather",
        "Identity",
        "Pad",
        "ReadValue",
        "Reshape",
        "Result",
        "ShapeOf",
        "Slice",
        "SpaceToBatch",
        "SpaceToDepth",
        "Split",
        "Squeeze",
        "StridedSlice",
        "StringTensorPack",
        "StringTensorUnpack",
        "Transpose",
        "Unsqueeze",
        "VariadicSplit",
    ]
)
_NOT_MEASURED = frozenset(
    [
        "OneHot",
        "Reverse",
        "ScatterElementsUpdate",
        "ScatterNDUpdate",
        "ScatterUpdate",
        "SegmentMax",
        "SliceScatter",
    ]
)
_KERNELS_MADE_ON_RUNNING = (
    "activation",
    "arithmetic",
    "comparison",
    "logical",
    "normalization",
)
"""The families of which the plugin makes kernels when all shapes are known: others than static ones it compiles."""


def require_no_strings(node: Node, outputs: Sequence[Tensor]) -> None:
    """Refuse what the CPU plugin does not compile for strings. What is constant it never sees."""
    type = node.declaration.type
    if type in _TAKEN or type in _NOT_MEASURED or not is_compiled(outputs):
        return
    if all([tensor.is_constant for tensor in node.inputs]):
        return
    shapes = [tensor.shape for tensor in (*node.inputs, *outputs)]
    family = node.declaration.page.partition("/")[0]
    if family in _KERNELS_MADE_ON_RUNNING and not all(
        [shape.is_static for shape in shapes]
    ):
        return
    for index, tensor in enumerate(node.inputs):
        if tensor.element_type == "string":
            name = node.input_name(index)
            node.refuse_on_compile(
                name, f"{name} is string, the CPU plugin takes none in {type}"
            )
            return
