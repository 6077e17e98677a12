"""The Gather nodes of an ONNX file, as ``Check`` runs them: alone, and in the whole model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ovgather.crosscheck.alone.run import TrialRun
from ovgather.crosscheck.confirm import Ask
from ovgather.crosscheck.in_model.bisect import fails, narrowed
from ovgather.crosscheck.in_model.run import ModelRun, Tapped, planned, tensor_bytes
from ovgather.crosscheck.in_model.tap import Feed, OnnxTap
from ovgather.crosscheck.onnx.alone import plan_alone, require_runnable
from ovgather.crosscheck.onnx.inputs import chosen_inputs, wanted_inputs
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.report import ALONE
from ovgather.layers.onnx_node import ConstantError, GatherNode, find_node, gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.runtimes import wire
from ovgather.runtimes.onnx_model import folder_of, request, tapped
from ovgather.runtimes.outcome import Evidence, Outcome, Skip
from ovgather.tensor.onnx_types import OPENVINO

RUNTIMES = ("onnxruntime", "onnx-reference")


@dataclass
class OnnxRun(ModelRun):
    """A run of an ONNX model."""

    points: Sequence[OnnxTap]

    def request(self) -> wire.Frame:
        outputs = [point.name for point in self.points]
        feeds = {want.key: array for want, array in zip(self.wanted, self.rounds[0], strict=True)}
        return request(tapped(self.model, outputs, self.pruned), folder_of(self.model), feeds, outputs)


def plan_in_model(whole: OnnxRun, nodes: Mapping[int, GatherNode]) -> tuple[list[OnnxRun], dict[int, Outcome]]:
    """The runs of the whole model, and by position the nodes that cannot be judged there."""
    places = {want.key: want.position for want in whole.wanted}
    initializers = {tensor.name for tensor in whole.model.proto.graph.initializer}
    values = whole.model.scopes[0][1]

    def feed(node: GatherNode, index: int, name: str) -> Feed:
        if name in places:
            return places[name]
        # The file's own values: what a runtime makes of a constant is part of what is checked.
        array = node.values(index)
        if array is None and name in initializers:
            raise Skip(f"the constant {name!r} cannot be read")
        return OnnxTap(str(name)) if array is None else array

    def tapped_node(position: int, node: GatherNode) -> Tapped:
        require_tappable(node)
        require_runnable(node)
        try:
            feeds = [feed(node, index, name) for index, name in enumerate(node.proto.input)]
        except ConstantError as error:
            raise Skip(str(error), "error") from error
        return Tapped(position, node, feeds, OnnxTap(str(node.proto.output[0])))

    def size(point: OnnxTap) -> int:
        value = values.find(point.name)
        kind = OPENVINO.get(value.element_type or "")
        return tensor_bytes(value.shape, kind.bits if kind is not None else 128, point.depth)

    return planned(whole, nodes, tapped_node, size)


def require_tappable(node: GatherNode) -> None:
    """See that the values of the node can be outputs of the model. Raises Skip."""
    if node.graph.is_function:
        raise Skip("inside a function, whose values cannot be tapped")
    if node.graph.path:
        raise Skip(f"inside the graph {'/'.join(node.graph.path)!r}, whose values cannot be tapped")


class OnnxNodes:
    def __init__(self, model: OnnxModel, options: CrosscheckOptions) -> None:
        self.model = model
        self.options = options
        self.nodes = gather_nodes(model) if options.layer is None else [find_node(model, options.layer)]
        self.path = model.path
        self.references = [node.reference for node in self.nodes]
        self.variants: list[str] = []
        self.whole_in = options.against

    def alone(self, position: int) -> dict[str, list[TrialRun]]:
        try:
            return {ALONE: [plan_alone(self.nodes[position], self.options)]}
        except ConstantError as error:
            raise Skip(str(error), "error") from error

    def alone_on(self, position: int, evidence: Evidence) -> list[TrialRun]:
        return []

    def in_model(self) -> tuple[Sequence[OnnxRun], dict[int, Outcome]]:
        nodes = dict(enumerate(self.nodes))
        try:
            wanted = wanted_inputs(self.model)
            rounds = [chosen_inputs(self.model, wanted, self.options)]
            whole = OnnxRun(self.model, [], [], wanted, rounds, self.options, self.options.against[0])
            return plan_in_model(whole, nodes)
        except Skip as skip:
            return [], dict.fromkeys(nodes, skip.outcome)

    def narrowed(self, run: OnnxRun, outcomes: list[Outcome], ask: Ask) -> list[Outcome]:
        return narrowed(run, outcomes, ask) if fails(outcomes[0]) else outcomes
