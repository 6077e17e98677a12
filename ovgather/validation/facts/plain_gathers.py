"""Gather layers as OpenVINO writes them, about which no rule has anything to say, found in one pass: a Gather-8 of
common types whose inputs declare what their producers declare, with a Const axis and constant indices in range, and an
output of exactly the dims that follow.
"""

from collections.abc import Mapping
from math import prod

from ovgather.forward.run import Forward
from ovgather.ir.constants import Constant
from ovgather.ir.graph import Graph, LayerSignature
from ovgather.layers.tensors import dims_shape
from ovgather.tensor.shape import key_of

_DATA = {"batch_dims": "0"}
_TYPES: dict[str | None, str] = {"FP32": "f32", "FP16": "f16", "I64": "i64", "I32": "i32"}
_INTEGERS = frozenset({"I64", "I32"})
_MOST_DIMS = 8
_MOST_ELEMENTS = 1 << 40

Extremes = Mapping[LayerSignature, "tuple[int, int] | None"]


def is_plain(
    graph: Graph, row: int, forward: Forward, constants: Mapping[LayerSignature, Constant], extremes: Extremes
) -> bool:
    """Whether the layer in ``row`` is a plain Gather; the other arguments are those of ``FileFacts``."""
    signature = graph.signatures[row]
    if signature.type != "Gather" or signature.version != "opset8" or signature.data != _DATA:
        return False
    inputs = signature.inputs
    if len(inputs) != 3 or len(signature.outputs) != 1:
        return False
    if inputs[1].precision not in _INTEGERS or inputs[2].precision not in _INTEGERS:
        return False
    sources: list[LayerSignature | None] = []
    number, fed = graph.ids[row], graph.fed
    for port in inputs:
        source = graph.output(fed.get((number, port.id)))
        if source is None or source[0] == row:
            return False
        form, dims, kind = graph.signatures[source[0]], port.dims, _TYPES.get(port.precision)
        outputs = forward.outputs[graph.offsets[source[0]]]
        if source[1] >= len(outputs):
            return False  # the operation has no such output
        output, tensor = form.outputs[source[1]], outputs[source[1]]
        if output.dims != dims or output.precision != port.precision or tensor.element_type != kind or tensor.basis:
            return False
        constant = constants.get(form)
        if constant is not None:  # whose tensor has its shape
            if constant.shape != dims:
                return False
        elif tensor.is_constant or not dims or not (key_of(tensor.shape) == dims or tensor.shape == dims_shape(dims)):
            return False  # keys of known lengths are dims: to make shapes of ports takes 20 ms of 500
        sources.append(form if constant is not None else None)
    _, indices, axis = sources
    bounds = extremes[axis] if axis is not None and prod(inputs[2].dims) == 1 else None
    if bounds is None or not _fits(signature, bounds[0]):
        return False
    if indices is None:
        return True
    length, bounds = inputs[0].dims[bounds[0]], extremes[indices]
    return bounds is not None and bounds[0] >= 0 and (length < 0 or bounds[1] < length)


def _fits(signature: LayerSignature, axis: int) -> bool:
    """Whether ``axis`` is in range, and the output is exactly what follows."""
    data, indices, output = signature.inputs[0], signature.inputs[1].dims, signature.outputs[0]
    dims, declared = data.dims, output.dims
    if not 0 <= axis < len(dims) or not indices or 0 in dims or 0 in indices or output.precision != data.precision:
        return False
    if declared != dims[:axis] + indices + dims[axis + 1 :] or len(declared) > _MOST_DIMS:
        return False
    return abs(prod(dims)) <= _MOST_ELEMENTS and abs(prod(declared)) <= _MOST_ELEMENTS
