"""A layer with bodies, as OpenVINO has it in memory.

OpenVINO computes a body first with the shapes that its own Parameters declare, then with those of the inputs of
the layer, twice, and again whenever the layer around is computed anew; the number of rounds that it finds in one
pass it keeps in the next one. A ``Subgraph`` goes the same way. So that nested bodies do not multiply, a pass that
cannot differ from the last one is left out, and a body is computed at most ``MOST_RUNS`` times.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ovgather.forward.bodies.body import Body, Learned, Unfollowed
from ovgather.forward.bodies.engine import Engine
from ovgather.forward.bodies.flow import is_exact
from ovgather.forward.bodies.port_map import PortMap, read_port_map
from ovgather.ir.graph import Layer
from ovgather.ops.declaration import Refused
from ovgather.tensor.tensor import Tensor

Rule: TypeAlias = "Callable[[Engine, Subgraph, tuple[Tensor, ...]], list[Tensor]]"

_ONE_BODY = {"body": "port_map"}
_BODIES = {
    "if": {"then_body": "then_port_map", "else_body": "else_port_map"},
    "loop": _ONE_BODY,
    "tensoriterator": _ONE_BODY,
}


class Subgraph:
    """A layer with bodies, as OpenVINO has it in memory.

    Attributes:
        layer: the layer.
        rule: one pass over it.
        bodies, maps: its bodies and what connects them to it.
        count: the number of rounds, as far as a pass has found one; OpenVINO keeps it in a Loop.
        fault: what is wrong with its bodies and their port maps.
        compile_error: why OpenVINO does not compile it for the CPU.
        is_settled: another pass with the same inputs would find the same.
        is_left: a body has been computed too many times.
    """

    def __init__(self, layer: Layer, rule: Rule, around: Subgraph | None) -> None:
        self.layer = layer
        self.rule = rule
        self.learned: Learned = Learned() if around is None else around.learned
        self.bodies: list[Body] = []
        self.maps: list[PortMap] = []
        self.count: int | None = None
        self.fault: Refused | None = None
        self.compile_error: Refused | None = None
        self.is_settled = False
        self.is_left = False
        self._inputs: tuple[Tensor, ...] | None = None
        self._passes = 0
        self._outputs: list[Tensor] | Refused = []

    def infer(self, forward: Engine, inputs: tuple[Tensor, ...]) -> list[Tensor]:
        """The outputs, from what is known after earlier passes.

        Raises:
            Refused: OpenVINO refuses the layer.
            Unfollowed: a body has been computed too many times.
        """
        if self.is_left:
            raise Unfollowed
        passes = 1
        if not self.bodies and self.fault is None:
            self._construct(forward)
            passes = 2
        if self.fault is not None:
            raise self.fault
        if inputs != self._inputs:
            self._inputs = inputs
            self._passes = 0
            self.is_settled = False
        for _ in range(passes):
            if self._passes < 2 and not self.is_settled:
                self._passes += 1
                self._outputs = self._pass(forward, inputs)
        if not self.is_settled:
            self.learned.times += 1
        if isinstance(self._outputs, Refused):
            raise self._outputs
        return self._outputs

    def learn(self, count: int | None) -> None:
        """Keep a number of rounds."""
        if count != self.count:
            self.count = count
            self.learned.times += 1

    def takes_exact(self, forward: Engine, index: int) -> bool:
        """Whether an input is computed from numbers alone."""
        producer = self.layer.producer(index)
        return producer is None or is_exact(forward, producer[0])

    def _construct(self, forward: Engine) -> None:
        """Read the bodies, each with the shapes that its Parameters declare, and the port maps."""
        entries = forward.model.mappings.get(self.layer.offset, [])
        for kind, around in _BODIES[self.layer.type.lower()].items():
            graph = next(
                (graph for graph in self.layer.bodies if graph.kind == kind), None
            )
            if graph is None:
                self.fault = self.fault or Refused(
                    "body", f"{self.layer.type} has no <{kind}>"
                )
                continue
            body = Body(graph, self.learned)
            self.bodies.append(body)
            body.construct(forward)
            try:
                self.maps.append(read_port_map(entries, around, graph))
            except Refused as fault:
                self.fault = self.fault or fault

    def _pass(
        self, forward: Engine, inputs: tuple[Tensor, ...]
    ) -> list[Tensor] | Refused:
        self.is_settled, learned = True, self.learned.times
        try:
            outputs = self.rule(forward, self, inputs)
            self._require_outputs(forward, len(outputs))
        except Refused as refusal:
            return refusal
        finally:
            self.is_settled = self.is_settled and self.learned.times == learned
        return outputs

    def _require_outputs(self, forward: Engine, count: int) -> None:
        """The layer has as many outputs as entries: OpenVINO looks each port up, in IR 10 those with an edge."""
        further = [port.id for port in self.layer.outputs[count:]]
        if further and forward.model.ir_version == 10:
            used = {
                edge.from_port
                for edge in self.layer.graph.edges
                if edge.from_layer == self.layer.id
            }
            further = [id for id in further if id in used]
        if further:
            raise Refused(
                "outputs",
                f"output port {further[0]}: the entries of the layer give {count} outputs",
            )
