"""The body of a layer of an IR."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ovgather.forward.bodies.body import Body, Learned
from ovgather.forward.bodies.engine import LayerEngine
from ovgather.forward.bodies.flow import is_exact
from ovgather.forward.bodies.port_map import PortMap
from ovgather.forward.bodies.sequence import is_one_cell
from ovgather.ir.graph import Graph, Layer
from ovgather.tensor.tensor import UNKNOWN_TENSOR, Tensor


class LayerBody(Body):
    """The body of a layer of an IR, as it has last been computed.

    Attributes:
        graph: its layers.
        deviating, unchecked: what ``LayerEngine`` notes of its layers.
    """

    def __init__(self, graph: Graph, learned: Learned) -> None:
        super().__init__(graph.kind, learned)
        self.graph = graph
        self.deviating: list[Layer] = []
        self.unchecked: Counter[str] = Counter()
        self._outputs: list[tuple[Tensor, ...]] = []
        self._refused: set[int] = set()

    def construct(self, forward: LayerEngine) -> None:
        """Compute the layers with the shapes that the Parameters declare.

        Where the pass has other shapes, the file was read before, so that this refuses nothing. The plugin compiles the
        body with what flows in.
        """
        count = len(forward.refusals)
        self.run(forward, {})
        if forward.input_shapes:
            on_read = []
        else:
            on_read = [
                each for each in forward.refusals[count:] if each.error.stage == "read"
            ]
        if len(on_read) < len(forward.refusals) - count:
            self._given = None
        forward.refusals[count:] = on_read
        self._refused = {each.layer.offset for each in on_read}

    def compute(self, forward: LayerEngine, given: Mapping[int, Tensor]) -> None:
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
        self._keep_refusals(forward, count)

    def _keep_refusals(self, forward: LayerEngine, count: int) -> None:
        """Of the refusals after the first ``count``, keep those of layers that OpenVINO reads and that no earlier round
        refused."""
        refusals = forward.refusals[count:]
        if not refusals:
            return
        del forward.refusals[count:]
        read = self.graph.reaching({"Result", "Assign"})
        before = {*self._refused}
        for refusal in refusals:
            layer = refusal.layer
            while layer.graph is not self.graph and layer.graph.parent is not None:
                layer = layer.graph.parent
            is_repeated = layer is refusal.layer and layer.offset in before
            if layer.id in read and not is_repeated:
                forward.refusals.append(refusal)
                self._refused.add(refusal.layer.offset)

    def parameter(self, id: int) -> Tensor:
        outputs = self._outputs[self.graph.rows[id]]
        if outputs:
            return outputs[0]
        return UNKNOWN_TENSOR

    def result(self, id: int) -> Tensor:
        source = self._source(id)
        if source is None:
            return UNKNOWN_TENSOR
        row, place = source
        outputs = self._outputs[row]
        if place < len(outputs):
            return outputs[place]
        return UNKNOWN_TENSOR

    def _source(self, id: int) -> tuple[int, int] | None:
        """The row of the layer that feeds a Result, and the place of its output."""
        ports = self.graph.signatures[self.graph.rows[id]].inputs
        if ports:
            return self.graph.output(self.graph.fed.get((id, ports[0].id)))
        return None

    def passed(self, id: int) -> int | None:
        source = self._source(id)
        if source is None:
            return None
        layer = self.graph.layer(source[0])
        if layer.type.lower() == "parameter":
            return layer.id
        return None

    def takes_exact(self, forward: LayerEngine, id: int) -> bool:
        source = self._source(id)
        return source is None or is_exact(forward, self.graph.layer(source[0]))

    def becomes_sequence(self, ports: PortMap) -> bool:
        return is_one_cell(self.graph, ports, self._tensor_of)

    def _tensor_of(self, source: tuple[Layer, int] | None) -> Tensor:
        if source is None:
            return UNKNOWN_TENSOR
        outputs = self._outputs[self.graph.rows[source[0].id]][source[1] :]
        if outputs:
            return outputs[0]
        return UNKNOWN_TENSOR

    def used(self) -> set[int]:
        return self.graph.reaching({"Result"})

    def parameters(self) -> list[int]:
        types = [signature.type for signature in self.graph.signatures]
        pairs = zip(self.graph.ids, types, strict=True)
        return [id for id, type in pairs if type == "Parameter"]

    def nested_iterator(self) -> str | None:
        used = self.used()
        for row, signature in enumerate(self.graph.signatures):
            is_iterator = signature.type.lower() == "tensoriterator"
            if is_iterator and self.graph.ids[row] in used:
                return self.graph.names[row]
        return None
