"""Constant data of a node and of the layer made from it, compared without running anything."""

from __future__ import annotations

from ovgather.crosscheck.onnx.divergence import outcome_of, value_difference
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.onnx_node import ConstantError, GatherNode
from ovgather.runtimes.outcome import Outcome
from ovgather.tensor.arrays import Array


def other_constant(node: GatherNode, gather: GatherLayer) -> Outcome | None:
    """The outcome where the data of both are constants of one shape with other values, also where no index points."""
    ours, theirs = constant(node, 0), constant(gather, 0)
    if ours is None or theirs is None or ours.shape != theirs.shape:
        return None
    difference = value_difference(theirs, ours)
    if difference is None:
        return None
    return outcome_of("different", "other-constant", "its data, a constant of the IR, differ", difference)


def constant(gather: GatherNode | GatherLayer, index: int) -> Array | None:
    """The values of a constant input."""
    try:
        return gather.values(index) if index < len(gather.shapes) else None
    except ConstantError:
        return None


def fit(node: GatherNode, gather: GatherLayer) -> int:
    """How many constants a node and a layer share; -1 where they cannot be the same."""
    if gather.operation.type != node.proto.op_type or node.batch_dims != gather.batch_dims:
        return -1
    rank = gather.shapes[0].rank
    if rank and node.axis is not None and gather.axis is not None and node.axis % rank != gather.axis % rank:
        return -1
    shared = 0
    for index in (0, 1):
        ours, theirs = constant(node, index), constant(gather, index)
        if ours is None or theirs is None:
            continue  # a constant may have been folded, or an initializer be computed
        if ours.shape != theirs.shape or value_difference(theirs, ours) is not None:
            return -1
        shared += 1
    return shared
