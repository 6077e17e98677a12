"""The family, and what scatters: Gather becomes Gather-8, GatherElements GatherElements-6, GatherND GatherND-8."""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.forward.left_out import error_without_slice
from ovgather.layers.conversion.call import (
    FromNode,
    NodeCall,
    derived,
    direct,
    scalar,
)
from ovgather.ops.declaration import Refused
from ovgather.tensor.dimension import Dimension
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor

_AXIS = FromNode("axis", 0)
_REDUCTION = FromNode(
    "reduction",
    "none",
    {"none": "none", "add": "sum", "mul": "prod", "min": "min", "max": "max"},
)


def _gather(call: NodeCall) -> list[Tensor]:
    return [
        call.layer("Gather", call.input(0), call.input(1), scalar(_AXIS.read(call)))
    ]


def _elements(call: NodeCall) -> list[Tensor]:
    axis, indices = _AXIS.read(call), call.input(1)
    output = call.layer("GatherElements", call.input(0), indices, axis=axis)
    if call.sliced:
        data, start = call.sliced[:2]
        step = call.sliced[4] if len(call.sliced) > 4 else None
        call.compile_error = error_without_slice(data, start, step, indices, axis)
    return [output]


def _scatter_elements(call: NodeCall) -> list[Tensor]:
    inputs = [call.input(index) for index in range(3)]
    axis = scalar(_AXIS.read(call))
    return [
        call.layer(
            "ScatterElementsUpdate", *inputs, axis, reduction=_REDUCTION.read(call)
        )
    ]


def _tuples(call: NodeCall) -> list[Tensor]:
    """OpenVINO repeats a batch of one for the batches of the other input."""
    inputs = [call.input(0), call.input(1)]
    batch = call.integer("batch_dims", 0)
    data, indices = (each.shape.dims or () for each in inputs)
    if 0 < batch < min(len(data), len(indices)):
        batches = [
            other if one == 1 else one
            for one, other in zip(data[:batch], indices[:batch], strict=True)
        ]
        inputs = [
            derived(
                each, PartialShape((*_repeated(dims[:batch], batches), *dims[batch:]))
            )
            for each, dims in zip(inputs, (data, indices), strict=True)
        ]
    return [call.layer("GatherND", *inputs, batch_dims=batch)]


def _repeated(
    own: Sequence[Dimension], batches: Sequence[Dimension]
) -> list[Dimension]:
    return [
        batch if each == 1 else each for each, batch in zip(own, batches, strict=True)
    ]


_scatter_tuples = direct("ScatterNDUpdate", 3, reduction=_REDUCTION)


def _scatter_nd(call: NodeCall) -> list[Tensor]:
    data, indices, updates = (call.input(index).shape for index in range(3))
    ranks = (data.rank, indices.rank, updates.rank)
    if None not in ranks and indices.rank and indices[-1].is_static:
        needed = len(indices) - 1 + len(data) - indices[-1].min
        if len(updates) != needed:
            message = f"updates has rank {len(updates)}, the CPU plugin wants {needed}"
            call.compile_error = Refused(
                "updates", f"{message}: {data}, {indices}", "compile"
            )
    return _scatter_tuples(call)


TRANSLATIONS = {
    "Gather": _gather,
    "GatherElements": _elements,
    "GatherND": _tuples,
    "Scatter": _scatter_elements,
    "ScatterElements": _scatter_elements,
    "ScatterND": _scatter_nd,
}
