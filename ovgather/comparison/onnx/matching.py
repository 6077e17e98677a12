"""Which layer of an IR is which node of the ONNX file it was made from, and which input is which: OpenVINO keeps the
names of values as names of tensors, and those of nodes as names of layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ovgather.comparison.in_model.inputs import ModelInput, wanted_inputs
from ovgather.comparison.options import Tolerance
from ovgather.comparison.verdict.judge import outcome_of, value_difference
from ovgather.errors import InvalidModelError
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer, find_operation, is_family
from ovgather.layers.onnx_node import ConstantError, GatherNode
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
            for position in range(len(layer.outputs)):
                for name in model.tensor_names(layer, position):
                    self.tensors.setdefault(name, (layer, position))

    def gather(self, node: GatherNode) -> GatherLayer:
        """The layer that a node became. Raises Skip."""
        if node.graph.path:
            raise Skip(
                f"inside {'/'.join(node.graph.path)!r}: only nodes of the main graph are compared with an IR"
            )
        output = ""
        if node.proto.output:
            output = node.proto.output[0]
        maker = self.tensors.get(output, (None, 0))[0]
        by_name = maker or self.layers.get(node.proto.name) or self.layers.get(output)
        if by_name is None:
            raise Skip(
                f"the IR has no tensor {output!r}, and no layer of its name: it was folded away, or renamed"
            )
        if not is_family(by_name):
            raise Skip(
                f"in the IR {output!r} is made by a {by_name.type}, not by a Gather: it was folded or replaced"
            )
        operation = find_operation(by_name)
        if operation is None or operation.type != node.proto.op_type:
            raise Skip(
                f"in the IR {output!r} is made by a {by_name.type} of {by_name.version}"
            )
        return GatherLayer(self.model, by_name, operation)


def other_constant(
    node: GatherNode, gather: GatherLayer, tolerance: Tolerance | None
) -> Outcome | None:
    """The outcome where the data of both are constants of one shape with other values, also where no index points."""
    ours = _constant(node, 0)
    theirs = _constant(gather, 0)
    same_shape = ours is not None and theirs is not None and ours.shape == theirs.shape
    difference = value_difference(theirs, ours, tolerance) if same_shape else None  # type: ignore[arg-type]
    words = "its data, a constant of the IR, differ"
    if difference is not None:
        return outcome_of("different", "other-constant", words, difference)
    return None


def _constant(gather: GatherNode | GatherLayer, index: int) -> Array | None:
    try:
        if index < len(gather.shapes):
            return gather.values(index)
        return None
    except ConstantError:
        return None


def fit(node: GatherNode, gather: GatherLayer) -> int:
    """How many constants a node and a layer share; -1 where they cannot be the same."""
    if (
        gather.operation.type != node.proto.op_type
        or node.batch_dims != gather.batch_dims
    ):
        return -1
    rank = gather.shapes[0].rank
    if (
        rank
        and node.axis is not None
        and gather.axis is not None
        and node.axis % rank != gather.axis % rank
    ):
        return -1
    shared = 0
    for index in (0, 1):
        ours = _constant(node, index)
        theirs = _constant(gather, index)
        if ours is None or theirs is None:
            continue  # a constant may have been folded, or an initializer be computed
        if ours.shape != theirs.shape or value_difference(theirs, ours) is not None:
            return -1
        shared += 1
    return shared


def matched_by_constants(
    nodes: Mapping[int, GatherNode], layers: Sequence[GatherLayer]
) -> dict[int, GatherLayer]:
    """The layers that share constants with one node alone, and are the only ones of it."""
    fits = {
        (at, number): fit(node, layer)
        for at, node in nodes.items()
        for number, layer in enumerate(layers)
    }
    matches = {}
    for (at, number), shared in fits.items():
        rivals = (
            each
            for (one, other), each in fits.items()
            if (one == at) != (other == number)
        )
        if shared > 0 and all(each < shared for each in rivals):
            matches[at] = layers[number]
    return matches


def matched_in_order(
    nodes: Mapping[int, GatherNode], layers: Sequence[GatherLayer]
) -> dict[int, GatherLayer]:
    """The layers in the order of the nodes, for each operation that both have equally many of."""
    matches: dict[int, GatherLayer] = {}
    for type in {node.proto.op_type for node in nodes.values()}:
        some = {at: node for at, node in nodes.items() if node.proto.op_type == type}
        own = [layer for layer in layers if layer.operation.type == type]
        pairs = list(zip(some, own, strict=False))
        if len(some) == len(own) and all(
            fit(nodes[at], layer) >= 0 for at, layer in pairs
        ):
            matches |= dict(pairs)
    return matches


def matched_inputs(
    onnx: OnnxModel, ours: Sequence[ModelInput], ir: Model
) -> list[tuple[ModelInput, ModelInput | None]]:
    """Each input with that of the IR, by name, or in order where no name is the same; None: the IR has none.

    Raises Skip, InvalidModelError.
    """
    theirs = wanted_inputs(ir)
    by_name = {name: want for want in theirs for name in want.names}
    pairs = [(want, by_name.get(want.names[0])) for want in ours]
    used = {its.position for _, its in pairs if its is not None}
    if not used and len(ours) == len(theirs):
        pairs = list(zip(ours, theirs, strict=True))
    elif len(used) < len(theirs):
        other = next(want for want in theirs if want.position not in used)
        names = ", ".join(repr(want.names[0]) for want in ours) or "none"
        words = f"{ir.path} takes the input {other.names[0]!r}, which {onnx.path} has not: it has {names}"
        raise InvalidModelError(words)
    for mine, its in pairs:
        if its is None or (
            (mine.kind == its.kind or not mine.type_name)
            and mine.shape.compatible(its.shape)
        ):
            continue
        words = f"{mine.type_name or None} {mine.shape.named} in {onnx.path}, {its.type_name} {its.shape} in {ir.path}"
        raise InvalidModelError(f"the input {mine.names[0]!r} is {words}")
    return pairs
