"""Whether the declared output of a layer, and the ports that take it, contradict the axis or ``batch_dims``: OpenVINO
writes exactly the dims that it infers, so an output that only another axis gives shows a wrong axis, if all agree.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ovgather.ir.constants import Constant
from ovgather.ir.graph import Layer, Port
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import dims_shape, is_exact
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import PartialShape
from ovgather.validation.facts.file_facts import FileFacts

_LARGEST_RANK = 16

Candidate = tuple[str, int]
"""``axis`` or ``batch_dims``, and another value of it that gives exactly the declared output."""


class AxisDoubt(NamedTuple):
    """A layer whose declared output other values explain, and the number of ``consumers`` that agree with it."""

    gather: GatherLayer
    declared: PartialShape
    candidates: tuple[Candidate, ...]
    consumers: int

    @property
    def values(self) -> str:
        """``axis 1 or axis 2``."""
        return " or ".join(f"{attribute} {value}" for attribute, value in self.candidates)

    @property
    def fitting(self) -> str:
        """``the declared output and the consumers' ports fit axis 1``."""
        ports = "the declared output and the consumers' ports fit" if self.consumers else "the declared output fits"
        return f"{ports} {self.values}"


def axis_doubts(facts: FileFacts) -> dict[int, AxisDoubt]:
    """The layers in doubt by the byte where they start."""
    doubts = {}
    for gather in facts.gather_layers_where(_may_be_doubtful):
        declared, layer = gather.declared, gather.layer
        consumers = consumers_agree(facts, layer, declared) if declared is not None else None
        if declared is not None and consumers is not None:
            candidates = tuple([candidate for candidate in _others(gather) if _gives(gather, candidate, declared)])
            if candidates:
                doubts[layer.offset] = AxisDoubt(gather, declared, candidates, consumers)
    return doubts


def axis_origin(gather: GatherLayer) -> tuple[str, int] | None:
    """What layers with the axis of one constant have in common: where its bytes are."""
    const = gather.constant(2) if gather.operation.takes_axis else None
    return constant_origin(const) if const is not None else None


def constant_origin(const: Constant) -> tuple[str, int]:
    """What findings have in common that come from the bytes of one constant."""
    return "constant", const.offset


def consumers_agree(facts: FileFacts, layer: Layer, shape: PartialShape) -> int | None:
    """The number of input ports with dims that take output 0 and have ``shape``; None where one contradicts it."""
    shapes = [dims_shape(port.dims) for port in _fed_ports(facts, layer) if port.dims]
    return len(shapes) if all(is_exact(shape, each) for each in shapes) else None


def consumers_take(facts: FileFacts, layer: Layer, kind: ElementType) -> bool:
    """Whether the input ports that take output 0 name the element type ``kind``, at least one of them, and no other."""
    return {element_type.from_port(port.precision) for port in _fed_ports(facts, layer) if port.precision} == {kind}


def _fed_ports(facts: FileFacts, layer: Layer) -> list[Port]:
    return [target.inputs[index] for target, index in facts.consumers.get((layer.offset, 0), ())]


def _may_be_doubtful(gather: GatherLayer) -> bool:
    operation, declared = gather.operation, gather.declared
    if gather.status == "match" or len(gather.layer.inputs) != len(operation.inputs):
        return False
    rank = gather.shapes[0].rank
    if declared is None or declared.rank is None or rank is None or rank > _LARGEST_RANK:
        return False
    certain_axis = gather.axis_source in ("attribute", "const", "comment")
    if not (certain_axis if operation.has_axis else operation.has_batch_dims):
        return False
    if not all(tensor.certain for tensor in gather.tensors[:2]):
        return False
    return gather.inference is None or not is_exact(gather.inference.shape, declared)


def _others(gather: GatherLayer) -> Iterator[Candidate]:
    rank = gather.shapes[0].rank or 0
    if gather.operation.has_axis and gather.axis is not None:
        yield from (("axis", axis) for axis in range(rank) if axis not in (gather.axis, gather.axis + rank))
    if gather.operation.has_batch_dims:
        count = min(rank, (gather.shapes[1].rank or 0) + 1)
        yield from (("batch_dims", number) for number in range(count) if number != gather.batch_dims)


def _gives(gather: GatherLayer, candidate: Candidate, declared: PartialShape) -> bool:
    values = dict([("axis", gather.axis), ("batch_dims", gather.batch_dims), candidate])
    _, inferred = gather.operation.check_and_infer(gather.shapes, values["axis"], values["batch_dims"] or 0)
    return inferred is not None and is_exact(inferred.shape, declared)
