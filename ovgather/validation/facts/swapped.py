"""Whether data and indices of a Gather layer are fed to each other's port."""

from __future__ import annotations

from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import Tensor


def are_swapped(gather: GatherLayer) -> bool:
    """Whether what flows into each of the first two ports contradicts it, and fits the other."""
    inputs = gather.layer.inputs
    if len(inputs) < 2:
        return False
    tensors = gather.tensors
    data, indices = gather.ports[:2]
    return (
        _contradict(tensors[0], data)
        and _contradict(tensors[1], indices)
        and not _contradict(tensors[0], indices)
        and not _contradict(tensors[1], data)
        and all(gather.layer.producer(index) is not None for index in (0, 1))
    )


def _contradict(given: Tensor, declared: Tensor) -> bool:
    if given is declared:
        return False
    if given.certain and declared.certain and not given.shape.compatible(declared.shape):
        return True
    left, right = given.element_type, declared.element_type
    return left is not None and right is not None and left != right and "dynamic" not in (left.name, right.name)
