"""The edges of a file with what stands at their ends."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from ovgather.ir.graph import Edge, Graph, Layer, LayerSignature, Port

_Ends = tuple[Port | None, Port | None]
_PortKey = tuple[LayerSignature | None, int]


class Link(NamedTuple):
    """An edge with what stands at its ends; None for what does not exist."""

    edge: Edge
    source: Layer | None
    output: Port | None
    target: Layer | None
    input: Port | None


class Links:
    """Every edge of ``graphs``. Edges between the same ports of equal signatures are examined once."""

    def __init__(self, graphs: list[Graph], signatures: list[LayerSignature]) -> None:
        self._graphs = graphs
        self._signatures = signatures

    @cached_property
    def _outputs(self) -> dict[_PortKey, Port]:
        """The output ports by their ids; of two with one id the first."""
        return {(signature, port.id): port for signature in self._signatures for port in signature.outputs[::-1]}

    @cached_property
    def _inputs(self) -> dict[_PortKey, Port]:
        return {(signature, port.id): port for signature in self._signatures for port in signature.inputs[::-1]}

    @property
    def port_ids_repeat(self) -> bool:
        """Whether two inputs or two outputs of a layer have one id."""
        ports = sum([len(signature.inputs) + len(signature.outputs) for signature in self._signatures])
        return len(self._inputs) + len(self._outputs) < ports

    @cached_property
    def _ends(self) -> set[_Ends]:
        """The distinct pairs of an output port and an input port that edges join."""
        ends: set[_Ends] = set()
        output, input = self._outputs.get, self._inputs.get
        for graph in self._graphs:
            signature = {number: layer.signature for number, layer in graph.by_id.items()}.get
            ends |= {
                (output((signature(start), out)), input((signature(end), into)))
                for start, out, end, into, _ in graph.edges
            }
        return ends

    def __iter__(self) -> Iterator[Link]:
        return self.where(lambda *ends: True)

    def where(self, fits: Callable[[Port | None, Port | None], bool]) -> Iterator[Link]:
        """The links whose ends ``fits``, which is asked once of each two ports, in the order of the text."""
        fitting = {ends for ends in self._ends if fits(*ends)}
        for graph in self._graphs if fitting else ():
            for edge in graph.edges:
                source, target = graph.by_id.get(edge.from_layer), graph.by_id.get(edge.to_layer)
                output = self._outputs.get((source.signature, edge.from_port)) if source is not None else None
                input = self._inputs.get((target.signature, edge.to_port)) if target is not None else None
                if (output, input) in fitting:
                    yield Link(edge, source, output, target, input)

    @cached_property
    def all_arrive(self) -> bool:
        """Whether every edge leads to a port that is there."""
        return all(input is not None for _, input in self._ends)

    @cached_property
    def astray(self) -> list[Link]:
        """The edges that lead to or from nothing."""
        return list(self.where(lambda output, input: None in (output, input)))
