"""The nodes in place: the whole model, with what flows into and out of each of them among its outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ovgather.crosscheck.onnx.alone import require_runnable
from ovgather.crosscheck.onnx.verdict import judged, refused
from ovgather.crosscheck.repeat import Asked
from ovgather.crosscheck.report import FAILING
from ovgather.layers.onnx_node import ConstantError
from ovgather.runtimes import wire
from ovgather.runtimes.onnx.request import folder_of, refusal, request, tapped
from ovgather.runtimes.onnx.tensors import from_wire
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.pool import Failure
from ovgather.runtimes.request import Skip, with_notes

if TYPE_CHECKING:
    from ovgather.layers.onnx_node import GatherNode
    from ovgather.onnx_file.model import OnnxModel
    from ovgather.tensor.arrays import Array

_TOGETHER = 48
"""Nodes of one run: all that flows through them is in memory at once."""
_FAILED = ("crash", "error")
_ACCEPTED = Outcome("error", cause="accepted")
"""The reference has nothing against what flows into a node."""


class TappedNode(NamedTuple):
    """A node in place: its inputs, each an array or the name of a value of the model."""

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

    def arguments(self, values: Mapping[str, Array]) -> tuple[Array, Array]:
        """What flowed into it."""
        data, indices = (values[feed] if isinstance(feed, str) else feed for feed in self.feeds)
        return data, indices


class InPlace(NamedTuple):
    """A run of the whole model, or of what some nodes need (``pruned``); see ``pool.Case``.

    With ``before`` only what flows into the nodes is looked at: whether the reference refuses it.
    """

    model: OnnxModel
    nodes: Sequence[TappedNode]
    inputs: Mapping[str, Array]
    random: bool
    against: str
    pruned: bool = False
    before: bool = False

    @property
    def outputs(self) -> list[str]:
        """The values that are asked for."""
        made = [] if self.before else [node.output for node in self.nodes]
        return list(dict.fromkeys([*(name for node in self.nodes for name in node.fed), *made]))

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        """See ``pool.Case``."""
        return self.asking(self.outputs)

    def asking(self, outputs: list[str]) -> tuple[wire.Header, list[wire.Blob]]:
        """The frame that asks for some values of the model."""
        text = tapped(self.model, outputs, self.pruned)
        return request(text, folder_of(self.model), self.inputs, outputs)

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        """See ``pool.Case``."""
        failed = refusal(header, self.against)
        if failed is not None:
            return self._all(failed)
        outputs = self.outputs
        try:
            tensors = zip(outputs, header["outputs"], blobs, strict=True)
            values = {name: from_wire(tensor, blob) for name, tensor, blob in tensors}
        except ValueError as error:
            return self._all(Outcome("error", f"{header['title']}: {error}", cause="error"))
        found = []
        for node in self.nodes:
            arguments = node.arguments(values)
            if self.before:
                outcome = refused(node.node, *arguments, _ACCEPTED, self.against)
            else:
                outcome = judged(node.node, *arguments, header, blobs, outputs.index(node.output), self.against)
            found.append(self._noted(outcome))
        return found

    def failed(self, failure: Failure) -> list[Outcome]:
        """The outcome of every node when there is no output."""
        return self._all(Outcome(failure.verdict, failure.reason, cause=failure.cause or failure.verdict))

    def decoy(self) -> InPlace:
        """The run itself: other inputs may not fit."""
        return self

    def only(self, position: int, before: bool = False) -> InPlace:
        """The part of the model that one node needs."""
        return self._replace(nodes=[self.nodes[position]], pruned=True, before=before)

    def _all(self, outcome: Outcome) -> list[Outcome]:
        return [self._noted(outcome)] * len(self.nodes)

    def _noted(self, outcome: Outcome) -> Outcome:
        return with_notes(outcome, "on random inputs" if self.random and outcome.verdict in FAILING else "")


def plan_in_place(
    model: OnnxModel, nodes: Sequence[GatherNode], inputs: Mapping[str, Array], random: bool, against: str
) -> tuple[list[InPlace], dict[int, Outcome]]:
    """The runs of the whole model, and by position the nodes that cannot be judged there."""
    chosen: list[TappedNode] = []
    skipped: dict[int, Outcome] = {}
    for position, node in enumerate(nodes):
        try:
            chosen.append(tap(model, node, inputs))
        except ConstantError as error:
            skipped[position] = Outcome("error", str(error), cause="error")
        except Skip as skip:
            skipped[position] = Outcome("skipped", str(skip))
    parts = [chosen[start : start + _TOGETHER] for start in range(0, len(chosen), _TOGETHER)]
    return [InPlace(model, part, inputs, random, against) for part in parts], skipped


def tap(model: OnnxModel, node: GatherNode, inputs: Mapping[str, Array]) -> TappedNode:
    """Where the values of ``node`` will be found.

    Raises:
        Skip: it cannot be run, or cannot be seen.
    """
    if node.graph.is_function:
        raise Skip("inside a function, whose values cannot be tapped")
    if node.graph.path:
        raise Skip(f"inside the graph {'/'.join(node.graph.path)!r}, whose values cannot be tapped")
    require_runnable(node)
    initializers = {tensor.name for tensor in model.proto.graph.initializer}
    feeds: list[Array | str] = []
    for place, name in enumerate(node.proto.input):
        if name in inputs:
            feeds.append(inputs[name])
            continue
        # The file's own values: what a runtime makes of a constant is part of what is checked.
        held = node.values(place)
        if held is None and name in initializers:
            raise Skip(f"the constant {name!r} cannot be read")
        feeds.append(str(name) if held is None else held)
    return TappedNode(node, (feeds[0], feeds[1]))


def narrowed(whole: InPlace, outcomes: list[Outcome], ask: Callable[[Sequence[Asked]], list[list[Outcome]]]) -> None:
    """Replace in ``outcomes`` the failure of the whole by those of the parts of the model up to each node."""
    places = range(len(whole.nodes))
    failure = outcomes[0]
    outcomes[:] = [outcome for (outcome,) in ask([whole.only(place) for place in places])]
    doubtful = [place for place in places if outcomes[place].verdict in _FAILED]
    fed = [place for place in doubtful if whole.nodes[place].fed]
    before = dict(zip(fed, ask([whole.only(place, before=True) for place in fed]), strict=True))
    for place in doubtful:
        if place in before:
            (input_outcome,) = before[place]
        else:
            node = whole.nodes[place]
            input_outcome = refused(node.node, *node.arguments({}), _ACCEPTED, whole.against)
        outcomes[place] = _explained(outcomes[place], input_outcome)
    if failure.verdict == "crash" and not any(outcome.verdict in FAILING for outcome in outcomes):
        outcomes[:] = [with_notes(failure, "no Gather node is at fault: the model runs up to each of them")] * len(
            places
        )


def _explained(outcome: Outcome, before: Outcome) -> Outcome:
    """The failure of a node, knowing what comes of the model before it."""
    if before.cause == _ACCEPTED.cause:
        return outcome
    if before.verdict in _FAILED:
        return Outcome("skipped", f"the model fails before it: {outcome.reason}", cause=outcome.cause)
    return before
