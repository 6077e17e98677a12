"""The family, and what scatters: Gather becomes Gather-8, GatherElements GatherElements-6, GatherND GatherND-8."""

from __future__ import annotations

from ovgather.forward.left_out import error_without_slice
from ovgather.layers.conversion.call import FromNode, NodeCall, direct, scalar
from ovgather.ops.declaration import Refused
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
    "GatherND": direct("GatherND", 2, batch_dims=FromNode("batch_dims", 0)),
    "Scatter": _scatter_elements,
    "ScatterElements": _scatter_elements,
    "ScatterND": _scatter_nd,
}
