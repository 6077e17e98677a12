"""A body of an If, a Loop or a TensorIterator, as it has last been computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ovgather.forward.bodies.engine import Engine
from ovgather.ir.graph import Graph, Layer
from ovgather.tensor.tensor import UNKNOWN_TENSOR, Tensor

MOST_RUNS = 100


class Unfollowed(Exception):
    """A body has been computed too many times already."""


class Learned:
    """How often a pass has found what may change the next one."""

    times = 0


class Body:
    """A body of a layer, as it has last been computed.

    Attributes:
        graph: its layers.
        deviating, unchecked: what ``Engine`` notes of its layers.
    """

    def __init__(self, graph: Graph, learned: Learned) -> None:
        self.graph = graph
        self.learned = learned
        self.deviating: list[Layer] = []
        self.unchecked: Counter[str] = Counter()
        self._given: Mapping[int, Tensor] | None = None
        self._outputs: list[tuple[Tensor, ...]] = []
        self._refused: set[int] = set()
        self._runs = 0
        self._may_change = False

    def construct(self, forward: Engine) -> None:
        """Compute the layers with the shapes that the Parameters declare.

        Where the pass has other shapes, the file was read before, so that this refuses nothing.
        """
        count = len(forward.refusals)
        self.run(forward, {})
        if forward.input_shapes:
            del forward.refusals[count:]
            self._refused.clear()

    def run(self, forward: Engine, given: Mapping[int, Tensor]) -> None:
        """Compute the layers; ``given`` are the tensors of Parameters, by their ids.

        With the same tensors there is a second run where nested layers have learned something in the first one.
        """
        is_same = given == self._given
        if is_same and not self._may_change:
            return
        if self._runs == MOST_RUNS:
            raise Unfollowed
        self._runs += 1
        self._given = dict(given)
        learned = self.learned.times
        noted = (forward.deviating, forward.unchecked)
        count = len(forward.refusals)
        self.deviating, self.unchecked = forward.deviating, forward.unchecked = (
            [],
            Counter(),
        )
        try:
            self._outputs = forward.run(self.graph, given)
        finally:
            forward.deviating, forward.unchecked = noted
        self._may_change = not is_same and self.learned.times != learned
        self._keep_refusals(forward, count)

    def _keep_refusals(self, forward: Engine, count: int) -> None:
        """Of the refusals after the first ``count``, keep the first of each layer that OpenVINO reads."""
        refusals = forward.refusals[count:]
        if not refusals:
            return
        del forward.refusals[count:]
        read = self.graph.reaching({"Result", "Assign"})
        for refusal in refusals:
            layer = refusal.layer
            while layer.graph is not self.graph and layer.graph.parent is not None:
                layer = layer.graph.parent
            is_repeated = layer is refusal.layer and layer.offset in self._refused
            if layer.id in read and not is_repeated:
                forward.refusals.append(refusal)
                self._refused.add(refusal.layer.offset)

    def parameter(self, id: int) -> Tensor:
        """The tensor of a Parameter."""
        outputs = self._outputs[self.graph.rows[id]]
        if outputs:
            return outputs[0]
        return UNKNOWN_TENSOR

    def result(self, id: int) -> Tensor:
        """The tensor that flows into a Result."""
        source = self.source(id)
        if source is None:
            return UNKNOWN_TENSOR
        row, place = source
        outputs = self._outputs[row]
        if place < len(outputs):
            return outputs[place]
        return UNKNOWN_TENSOR

    def source(self, id: int) -> tuple[int, int] | None:
        """The row of the layer that feeds a Result, and the place of its output."""
        ports = self.graph.signatures[self.graph.rows[id]].inputs
        if ports:
            return self.graph.output(self.graph.fed.get((id, ports[0].id)))
        return None
