"""A layer with bodies of an IR: its bodies and port maps as the file has them."""

from __future__ import annotations

from ovgather.forward.bodies.engine import LayerEngine
from ovgather.forward.bodies.flow import is_exact
from ovgather.forward.bodies.layer_body import LayerBody
from ovgather.forward.bodies.port_map import read_port_map
from ovgather.forward.bodies.subgraph import Rule, Subgraph
from ovgather.ir.elements import PORT_MAPS, bodies_of
from ovgather.ir.graph import Layer
from ovgather.ops.declaration import Refused


class LayerSubgraph(Subgraph):
    """A layer with bodies of an IR; ``layer`` is the layer."""

    def __init__(self, layer: Layer, rule: Rule, around: Subgraph | None) -> None:
        super().__init__(layer.type.lower(), layer.offset, rule, around)
        self.layer = layer

    def takes_exact(self, forward: LayerEngine, index: int) -> bool:
        """Whether an input is computed from numbers alone."""
        producer = self.layer.producer(index)
        return producer is None or is_exact(forward, producer[0])

    def construct(self, forward: LayerEngine) -> None:
        """Read the bodies, each with the shapes that its Parameters declare, and the port maps."""
        entries = forward.model.mappings.get(self.layer.offset, [])
        for kind in bodies_of(self.type):
            graph = next(
                (graph for graph in self.layer.bodies if graph.kind == kind), None
            )
            if graph is None:
                self.fault = self.fault or Refused(
                    "body", f"{self.layer.type} has no <{kind}>"
                )
                continue
            body = LayerBody(graph, self.learned)
            self.bodies.append(body)
            body.construct(forward)
            try:
                self.maps.append(read_port_map(entries, PORT_MAPS[kind], graph))
            except Refused as fault:
                self.fault = self.fault or fault

    def require_outputs(self, forward: LayerEngine, count: int) -> None:
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
