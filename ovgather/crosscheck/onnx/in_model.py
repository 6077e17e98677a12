"""The nodes in place: the whole model, with what flows into and out of each of them among its outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ovgather.crosscheck.confirm import Ask, Run
from ovgather.crosscheck.in_model.given_indices import told
from ovgather.crosscheck.onnx.alone import evidence_of, require_runnable
from ovgather.crosscheck.report import FAILING
from ovgather.crosscheck.tolerance import Tolerance
from ovgather.crosscheck.verdict.judge import judge, judge_error
from ovgather.layers.onnx_node import ConstantError, GatherNode
from ovgather.onnx_file.model import OnnxModel
from ovgather.runtimes import wire
from ovgather.runtimes.onnx_model import folder_of, refusal, request, tapped
from ovgather.runtimes.outcome import Evidence, Outcome, Skip, with_notes
from ovgather.runtimes.wire import onnx_from_wire
from ovgather.tensor.arrays import Array

_TOGETHER = 48
"""Nodes of one run: all that flows through them is in memory at once."""
_FAILED = ("crash", "error")
_ACCEPTED = Outcome("error", cause="accepted")
"""The reference has nothing against what flows into a node."""


class TappedNode(NamedTuple):
    """A node in place: its inputs, each an array or the name of a value of the model."""

    position: int
    node: GatherNode
    feeds: tuple[Array | str, Array | str]

    @property
    def output(self) -> str:
        """The value that it makes."""
        return str(self.node.proto.output[0])

    @property
    def fed(self) -> list[str]:
        """The values that must be tapped to know its inputs."""
        return [feed for feed in self.feeds if isinstance(feed, str)]

    def evidence(self, values: Mapping[str, Array]) -> Evidence:
        """What flowed, and what came out where that is known."""
        data, indices = (values[feed] if isinstance(feed, str) else feed for feed in self.feeds)
        return evidence_of(self.node, data, indices, values.get(self.output, data))


@dataclass
class ModelRun(Run):
    """A run of the whole model, or of what some nodes need (``pruned``).

    With ``before`` only what flows into the nodes is looked at: whether the reference refuses it.
    """

    model: OnnxModel
    layers: Sequence[TappedNode]
    inputs: Mapping[str, Array]
    random: bool
    against: str
    pruned: bool = False
    before: bool = False
    tolerance: Tolerance | None = None

    @property
    def outputs(self) -> list[str]:
        """The values that are asked for."""
        own = [] if self.before else [node.output for node in self.layers]
        return list(dict.fromkeys([*(name for node in self.layers for name in node.fed), *own]))

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        return self.request_for(self.outputs)

    def request_for(self, outputs: list[str]) -> tuple[wire.Header, list[wire.Blob]]:
        """The frame that asks for some values of the model."""
        text = tapped(self.model, outputs, self.pruned)
        return request(text, folder_of(self.model), self.inputs, outputs)

    def evidence(self, header: wire.Header, blobs: list[bytearray]) -> list[Evidence]:
        """What flowed through each node. Raises ValueError."""
        tensors = zip(self.outputs, header["outputs"], blobs, strict=True)
        values = {name: onnx_from_wire(tensor, blob) for name, tensor, blob in tensors}
        return [node.evidence(values) for node in self.layers]

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        failed = refusal(header, self.against)
        if failed is not None:
            return self.all(failed)
        try:
            evidence = self.evidence(header, blobs)
        except ValueError as error:
            return self.all(Outcome("error", f"{header['title']}: {error}", cause="error"))
        if self.before:
            return [self.refused(*each) for each in zip(evidence, self.layers, strict=True)]
        version, against = header["version"], self.against
        outcomes = [judge(each, against=against, version=version, tolerance=self.tolerance) for each in evidence]
        return [self.noted(self._told(*each)) for each in zip(outcomes, evidence, self.layers, strict=True)]

    def refused(self, evidence: Evidence, layer: TappedNode) -> Outcome:
        """Whether the reference refuses what flows into a node: else the cause is that of ``_ACCEPTED``."""
        return self._told(judge_error(evidence, _ACCEPTED, self.against), evidence, layer)

    def _told(self, outcome: Outcome, evidence: Evidence, layer: TappedNode) -> Outcome:
        return outcome if self.random else told(outcome, evidence, layer.node)

    def in_runtime(self, name: str) -> ModelRun:
        return replace(self, against=name)

    def only(self, position: int, before: bool = False) -> ModelRun:
        """The part of the model that one node needs."""
        return replace(self, layers=[self.layers[position]], pruned=True, before=before)

    def noted(self, outcome: Outcome) -> Outcome:
        return with_notes(outcome, "on random inputs" if self.random and outcome.verdict in FAILING else "")


def plan_in_model(
    model: OnnxModel,
    nodes: Mapping[int, GatherNode],
    inputs: Mapping[str, Array],
    random: bool,
    against: str,
    tolerance: Tolerance | None = None,
) -> tuple[list[ModelRun], dict[int, Outcome]]:
    """The runs of the whole model, and by position the nodes that cannot be judged there."""
    tapped_nodes: list[TappedNode] = []
    skipped: dict[int, Outcome] = {}
    for position, node in nodes.items():
        try:
            tapped_nodes.append(TappedNode(position, node, _feeds(model, node, inputs)))
        except ConstantError as error:
            skipped[position] = Skip(str(error), "error").outcome
        except Skip as skip:
            skipped[position] = skip.outcome
    parts = [tapped_nodes[start : start + _TOGETHER] for start in range(0, len(tapped_nodes), _TOGETHER)]
    return [ModelRun(model, part, inputs, random, against, tolerance=tolerance) for part in parts], skipped


def require_tappable(node: GatherNode) -> None:
    """See that the values of the node can be outputs of the model. Raises Skip."""
    if node.graph.is_function:
        raise Skip("inside a function, whose values cannot be tapped")
    if node.graph.path:
        raise Skip(f"inside the graph {'/'.join(node.graph.path)!r}, whose values cannot be tapped")


def _feeds(model: OnnxModel, node: GatherNode, inputs: Mapping[str, Array]) -> tuple[Array | str, Array | str]:
    """Where the values of ``node`` will be found. Raises Skip."""
    require_tappable(node)
    require_runnable(node)
    initializers = {tensor.name for tensor in model.proto.graph.initializer}
    feeds: list[Array | str] = []
    for index, name in enumerate(node.proto.input):
        # The file's own values: what a runtime makes of a constant is part of what is checked.
        array = inputs[name] if name in inputs else node.values(index)
        if array is None and name in initializers:
            raise Skip(f"the constant {name!r} cannot be read")
        feeds.append(str(name) if array is None else array)
    return feeds[0], feeds[1]


def narrowed(whole: ModelRun, failure: Outcome, ask: Ask) -> list[Outcome]:
    """The outcomes of the parts of the model up to each node, where the whole ends in a ``failure``."""
    positions = range(len(whole.layers))
    outcomes = [outcome for (outcome,) in ask([whole.only(position) for position in positions])]
    doubtful = [position for position in positions if outcomes[position].verdict in _FAILED]
    feeding = [position for position in doubtful if whole.layers[position].fed]
    before = dict(zip(feeding, ask([whole.only(position, before=True) for position in feeding]), strict=True))
    for position in doubtful:
        outcome, layer = outcomes[position], whole.layers[position]
        result = before[position][0] if layer.fed else whole.refused(layer.evidence({}), layer)
        if result.verdict in _FAILED and result.cause not in (_ACCEPTED.cause, "refused"):
            result = Outcome("skipped", f"the model fails before it: {outcome.reason}", cause=outcome.cause)
        outcomes[position] = outcome if result.cause == _ACCEPTED.cause else result
    if failure.verdict == "crash" and not any(outcome.verdict in FAILING for outcome in outcomes):
        note = "no Gather node is at fault: the model runs up to each of them"
        return [with_notes(failure, note)] * len(positions)
    return outcomes
