"""Which layer of an IR is which node of the ONNX file that it was made from, and which input is which.

OpenVINO keeps the names of ONNX's values as names of tensors, and those of nodes as names of layers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from ovgather.crosscheck.in_model.inputs import ModelInput, wanted_inputs
from ovgather.crosscheck.onnx.divergence import outcome_of, value_difference
from ovgather.crosscheck.onnx.nodes import require_tappable
from ovgather.errors import InvalidModelError
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.positions import element_of, split_names
from ovgather.layers.gather_layer import GatherLayer, find_operation, is_family
from ovgather.layers.onnx_node import ConstantError, GatherNode
from ovgather.onnx_file.graphs import text
from ovgather.onnx_file.model import OnnxModel
from ovgather.runtimes.outcome import Outcome, Skip
from ovgather.tensor.arrays import Array


class Names:
    """The layers of the top graph of an IR by the names of the tensors that they make, and by their own."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.tensors: dict[str, tuple[Layer, int]] = {}
        self.layers: dict[str, Layer] = {}
        for layer in model.graph.layers:
            self.layers.setdefault(layer.name, layer)
            for position, port in enumerate(element_of(model.source, layer).ports("output")):
                for name in split_names(port.attributes.get("names", "")):
                    self.tensors.setdefault(name, (layer, position))

    def gather(self, node: GatherNode) -> GatherLayer:
        """The layer that a node became. Raises Skip."""
        require_tappable(node)
        output = text(node.proto.output[0]) if node.proto.output else ""
        maker = self.tensors[output][0] if output in self.tensors else None
        by_name = maker or self.layers.get(text(node.proto.name)) or self.layers.get(output)
        if by_name is None:
            raise Skip(f"the IR has no tensor {output!r}, and no layer of its name: it was folded away, or renamed")
        if not is_family(by_name):
            raise Skip(f"in the IR {output!r} is made by a {by_name.type}, not by a Gather: it was folded or replaced")
        operation = find_operation(by_name)
        if operation is None or operation.type != node.proto.op_type:
            raise Skip(f"in the IR {output!r} is made by a {by_name.type} of {by_name.version}")
        return GatherLayer(self.model, by_name, operation)


def is_tappable(node: GatherNode) -> bool:
    """Whether the values of a node can be outputs of the model."""
    with suppress(Skip):
        require_tappable(node)
        return node.operation is not None
    return False


def other_constant(node: GatherNode, gather: GatherLayer) -> Outcome | None:
    """The outcome where the data of both are constants of one shape with other values, also where no index points."""
    ours, theirs = _constant(node, 0), _constant(gather, 0)
    if ours is None or theirs is None or ours.shape != theirs.shape:
        return None
    difference = value_difference(theirs, ours)
    if difference is None:
        return None
    return outcome_of("different", "other-constant", "its data, a constant of the IR, differ", difference)


def _constant(gather: GatherNode | GatherLayer, index: int) -> Array | None:
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
        ours, theirs = _constant(node, index), _constant(gather, index)
        if ours is None or theirs is None:
            continue  # a constant may have been folded, or an initializer be computed
        if ours.shape != theirs.shape or value_difference(theirs, ours) is not None:
            return -1
        shared += 1
    return shared


def matched_by_constants(nodes: Mapping[int, GatherNode], layers: Sequence[GatherLayer]) -> dict[int, GatherLayer]:
    """The layers that share constants with one node alone, and are the only ones of it."""
    fits = {(at, number): fit(node, layer) for at, node in nodes.items() for number, layer in enumerate(layers)}
    found = {}
    for (at, number), shared in fits.items():
        rivals = [each for (one, other), each in fits.items() if ((one == at) != (other == number)) and each >= shared]
        if shared > 0 and not rivals:
            found[at] = layers[number]
    return found


def matched_in_order(nodes: Mapping[int, GatherNode], layers: Sequence[GatherLayer]) -> dict[int, GatherLayer]:
    """The layers in the order of the nodes, for each operation that both have equally many of."""
    found: dict[int, GatherLayer] = {}
    for type in {node.proto.op_type for node in nodes.values()}:
        some = {at: node for at, node in nodes.items() if node.proto.op_type == type}
        own = [layer for layer in layers if layer.operation.type == type]
        pairs = list(zip(some, own, strict=False))
        if len(some) == len(own) and all(fit(nodes[at], layer) >= 0 for at, layer in pairs):
            found |= dict(pairs)
    return found


class Input(NamedTuple):
    """An input of both models; ``theirs`` is that of the IR, None where the IR has none."""

    ours: ModelInput
    theirs: ModelInput | None


def matched_inputs(onnx: OnnxModel, ours: Sequence[ModelInput], ir: Model) -> list[Input]:
    """The inputs of both, matched by name, or in order where no name is the same. Raises Skip, InvalidModelError."""
    theirs = wanted_inputs(ir)
    by_name = {name: want for want in theirs for name in want.names}
    pairs = [Input(want, by_name.get(want.names[0])) for want in ours]
    used = {pair.theirs.position for pair in pairs if pair.theirs is not None}
    if not used and len(ours) == len(theirs):
        pairs = [Input(*pair) for pair in zip(ours, theirs, strict=True)]
    elif len(used) < len(theirs):
        other = next(want for want in theirs if want.position not in used)
        names = ", ".join(repr(want.names[0]) for want in ours) or "none"
        raise InvalidModelError(
            f"{ir.path} takes the input {other.names[0]!r}, which {onnx.path} has not: it has {names}"
        )
    for mine, its in pairs:
        if its is None:
            continue
        same = mine.kind == its.kind or not mine.type_name
        if not same or not mine.shape.compatible(its.shape):
            ours_text = f"{mine.type_name or None} {mine.shape.named} in {onnx.path}"
            raise InvalidModelError(
                f"the input {mine.names[0]!r} is {ours_text}, {its.type_name} {its.shape} in {ir.path}"
            )
    return pairs
