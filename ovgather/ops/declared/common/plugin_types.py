"""Element types on the CPU: the plugin moves strings in few operations, and has no kernels for some small types."""

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
_NEVER = ("CumSum", "NonZero")
"""The operations that take no unusual type, whatever the shapes."""
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
_MADE_OF_KERNELS = ("activation", "arithmetic", "comparison", "logical")
_KERNELS_MADE_ON_RUNNING = (*_MADE_OF_KERNELS, "normalization")
"""The families of which the plugin makes kernels when all shapes are known: others than static ones it compiles."""


_WITHOUT_KERNELS = frozenset({"u2", "nf4", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1"})
_WITH_REFERENCE = frozenset(
    [
        "Acos",
        "Acosh",
        "Asin",
        "Asinh",
        "Atan",
        "Atanh",
        "Cos",
        "Cosh",
        "HardSigmoid",
        "Identity",
        "Log",
        "Sign",
        "Sin",
        "Sinh",
        "SoftMax",
        "Tan",
    ]
)
"""The operations of these families that the plugin computes element by element."""
UNUSUAL = _WITHOUT_KERNELS | {"string"}


def require_plugin_types(node: Node, outputs: Sequence[Tensor]) -> None:
    """Refuse types that the CPU plugin does not compile. What is constant it never sees, and most of what is empty."""
    if all([tensor.is_constant for tensor in node.inputs]):
        return
    if not _has_kernels(node, outputs):
        for tensor in node.inputs:
            if tensor.element_type in UNUSUAL:
                _refuse(node, tensor)
                return
    elif is_compiled(outputs):
        _require_no_strings(node, outputs)


def _has_kernels(node: Node, outputs: Sequence[Tensor]) -> bool:
    """Whether the plugin computes a node of these types, as far as its kernels go."""
    type = node.declaration.type
    if type in _NEVER:
        return False
    family = node.declaration.page.partition("/")[0]
    if type in _WITH_REFERENCE or (family not in _MADE_OF_KERNELS and type != "Select"):
        return True
    types = {tensor.element_type for tensor in node.inputs}
    return not (
        types & _WITHOUT_KERNELS
        and is_compiled(outputs)
        and all([tensor.shape.is_static for tensor in node.inputs])
    )


def _refuse(node: Node, tensor: Tensor) -> None:
    name = node.input_name(node.inputs.index(tensor))
    type = node.declaration.type
    node.refuse_on_compile(
        name, f"{name} is {tensor.element_type}, the CPU plugin takes none in {type}"
    )


def _require_no_strings(node: Node, outputs: Sequence[Tensor]) -> None:
    type = node.declaration.type
    if type in _TAKEN or type in _NOT_MEASURED:
        return
    shapes = [tensor.shape for tensor in (*node.inputs, *outputs)]
    family = node.declaration.page.partition("/")[0]
    if family in _KERNELS_MADE_ON_RUNNING and not all(
        [shape.is_static for shape in shapes]
    ):
        return
    for tensor in node.inputs:
        if tensor.element_type == "string":
            _refuse(node, tensor)
            return
