"""Element types on the CPU: the plugin moves strings in few operations, and has no kernels for some small types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ovgather.ops.declaration import Node
from ovgather.ops.declared.common.checks import (
    FLOATS_OF_FEW_BITS,
    LONG,
    PACKED,
    is_compiled,
)
from ovgather.tensor.tensor import Tensor

_ACCEPTED = frozenset(
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
_NEVER = (
    "CumSum",
    "EmbeddingBagOffsets",
    "EmbeddingBagOffsetsSum",
    "EmbeddingBagPacked",
    "EmbeddingBagPackedSum",
    "EmbeddingSegmentsSum",
    "NonZero",
)
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
_KERNELS_MADE_ON_RUNNING = (
    *_MADE_OF_KERNELS,
    "bitwise",
    "normalization",
)
"""The families of which the plugin makes kernels when all shapes are known: others than static ones it compiles."""


_WITHOUT_KERNELS = FLOATS_OF_FEW_BITS | {"u2", "nf4"}
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
        "Selu",
        "Sign",
        "Sin",
        "Sinh",
        "SoftMax",
        "Tan",
    ]
)
"""The operations of these families that the plugin computes element by element."""
_COMPUTING = frozenset(
    [
        *("activation", "arithmetic", "bitwise", "comparison", "condition", "logical"),
        *("convolution", "matrix", "normalization", "pooling", "quantization"),
        "reduction",
    ]
)
"""The families that do more than move elements."""
_WITHOUT_REFERENCE = frozenset(
    [
        *("BatchNormInference", "FakeQuantize", "GroupNormalization", "LogSoftmax"),
        *("MVN", "NormalizeL2"),
    ]
)
UNUSUAL = _WITHOUT_KERNELS | PACKED | {"string"}
_SHORT = frozenset({"i4", "i8", "u4", "u8"})
_NOTHING: frozenset[str] = frozenset()
_NOT_ACCUMULATED = frozenset({"nf4", "u2"})
_Types = tuple[frozenset[str], frozenset[str]]
_REFUSED: dict[str, _Types] = {
    "AvgPool": (_NOTHING, _NOT_ACCUMULATED | {"f4e2m1"}),
    "BatchNormInference": (_NOTHING, FLOATS_OF_FEW_BITS),
    "BitwiseAnd": (_NOTHING, _NOT_ACCUMULATED),
    "BitwiseNot": (_NOTHING, _NOT_ACCUMULATED),
    "BitwiseOr": (_NOTHING, _NOT_ACCUMULATED),
    "BitwiseXor": (_NOTHING, _NOT_ACCUMULATED),
    "BitwiseLeftShift": (frozenset({"string"}), _NOTHING),
    "BitwiseRightShift": (frozenset({"string"}), _NOTHING),
    "CTCGreedyDecoderSeqLen": (FLOATS_OF_FEW_BITS, _NOTHING),
    "Convolution": (_NOTHING, _NOT_ACCUMULATED),
    "ConvolutionBackpropData": (FLOATS_OF_FEW_BITS, _NOT_ACCUMULATED),
    "DeformableConvolution": (_NOTHING, _NOT_ACCUMULATED),
    "GRN": (frozenset({"string"}), _NOTHING),
    "GatherTree": (_WITHOUT_KERNELS | _SHORT, _NOTHING),
    "GroupConvolution": (_NOTHING, _NOT_ACCUMULATED),
    "GroupConvolutionBackpropData": (FLOATS_OF_FEW_BITS, _NOT_ACCUMULATED),
    "GroupNormalization": (
        frozenset({"boolean", "string"}),
        _WITHOUT_KERNELS,
    ),
    "LRN": (frozenset({"string"}), _NOTHING),
    "LogSoftmax": (frozenset({"boolean", "string"}), _NOTHING),
    "MVN": (_NOTHING, _WITHOUT_KERNELS),
    "MaxPool": (_NOTHING, _NOT_ACCUMULATED | {"f4e2m1"}),
    "Negative": (frozenset({"nf4"}), _NOTHING),
    "NormalizeL2": (_WITHOUT_KERNELS | {"string"}, _NOTHING),
    "ROIPooling": (_NOTHING, frozenset({"f4e2m1", "f8e8m0"})),
    "ScaledDotProductAttention": (FLOATS_OF_FEW_BITS, _NOTHING),
    "ScatterElementsUpdate": (frozenset({"string"}), _NOTHING),
    "ScatterNDUpdate": (frozenset({"string"}), _NOTHING),
    "SoftMax": (frozenset({"string"}), _NOTHING),
}
"""The types that the plugin refuses in single operations, of any shapes and of static ones: measured for 153 operations
and 22 types, with all inputs of one type but for axes, lengths and indices."""
_REFUSED_BY_SOME = {
    "BatchNormInference": (FLOATS_OF_FEW_BITS, _NOTHING),
    "GatherTree": (frozenset({"bf16"}), _NOTHING),
    "GroupNormalization": (_NOTHING, _SHORT | LONG),
}
"""The same where it depends on the processor: on AVX-512, or without bf16 as the inference precision."""
REFUSES_USUAL = frozenset(
    [
        type
        for type, refused in (*_REFUSED.items(), *_REFUSED_BY_SOME.items())
        if not frozenset.union(*refused) <= UNUSUAL
    ]
)
"""The operations that refuse types which others take: of those, no input need be ``UNUSUAL``."""
_OF_PLACES = frozenset({"i32", "i64"})


def require_plugin_types(node: Node, outputs: Sequence[Tensor]) -> None:
    """Refuse types that the CPU plugin does not compile. Most of what is empty it never sees.

    What is constant it computes as it compiles, unless OpenVINO's core has computed it before.
    """
    if all([tensor.is_constant for tensor in node.inputs]):
        _require_computed_constants(node, outputs)
        return
    if is_compiled(outputs) and _is_refused(node, _REFUSED):
        _refuse(node, node.inputs[0])
    elif is_compiled(outputs) and _is_refused(node, _REFUSED_BY_SOME):
        _refuse(node, node.inputs[0], "sometimes")
    elif not _has_kernels(node, outputs):
        for tensor in node.inputs:
            if tensor.element_type in UNUSUAL:
                _refuse(node, tensor)
                return
    elif is_compiled(outputs):
        _require_no_strings(node, outputs)


def _require_computed_constants(node: Node, outputs: Sequence[Tensor]) -> None:
    """Refuse constants of a type of which neither core nor plugin computes this operation."""
    type = node.declaration.type
    family = node.declaration.page.partition("/")[0]
    if node.declaration.moves or family not in _COMPUTING or not is_compiled(outputs):
        return
    if type == "BinaryConvolution":  # its filters are packed
        return
    is_of_kernels = family in (*_MADE_OF_KERNELS, "bitwise")
    has_reference = type in _WITH_REFERENCE or not is_of_kernels
    uncomputed = PACKED
    if not has_reference or type in (*_NEVER, *_WITHOUT_REFERENCE):
        uncomputed |= _WITHOUT_KERNELS
    for tensor in node.inputs:
        if tensor.element_type in uncomputed:
            _refuse(node, tensor)
            return


def _is_refused(node: Node, table: Mapping[str, _Types]) -> bool:
    """Whether it is measured that the plugin refuses the type that the inputs have."""
    refused = table.get(node.declaration.type)
    if refused is None:
        return False
    types = refused[0]
    if all([tensor.shape.is_static for tensor in node.inputs]):
        types = types | refused[1]
    type = node.type(0)
    others = {tensor.element_type for tensor in node.inputs} - _OF_PLACES
    return type in types and others <= {type}


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


def _refuse(node: Node, tensor: Tensor, stage: str = "compile") -> None:
    name = node.input_name(node.inputs.index(tensor))
    type = node.declaration.type
    node.refuse_on_compile(
        name,
        f"{name} is {tensor.element_type}, the CPU plugin takes none in {type}",
        stage,
    )


def _require_no_strings(node: Node, outputs: Sequence[Tensor]) -> None:
    type = node.declaration.type
    if type in _ACCEPTED or type in _NOT_MEASURED:
        _require_moved_strings(node)
        return
    shapes = [tensor.shape for tensor in (*node.inputs, *outputs)]
    family = node.declaration.page.partition("/")[0]
    is_made_on_running = family in _KERNELS_MADE_ON_RUNNING or type == "Select"
    if is_made_on_running and not all([shape.is_static for shape in shapes]):
        return
    # Limits of a FakeQuantize are converted, whatever they are.
    for tensor in node.inputs[:1] if type == "FakeQuantize" else node.inputs:
        if tensor.element_type == "string":
            _refuse(node, tensor)
            return


def _require_moved_strings(node: Node) -> None:
    """Refuse strings that are not moved: lengths, axes and indices."""
    moved = node.declaration.moved_inputs(len(node.inputs))
    if not moved:
        return
    for index, tensor in enumerate(node.inputs):
        if tensor.element_type == "string" and index not in moved:
            _refuse(node, tensor)
            return
