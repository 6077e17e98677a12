"""The edges of a file: what stands at their ends, those that lead nowhere, inputs without an edge, and cycles."""

from collections.abc import Callable, Iterator
from functools import cached_property
from sys import maxsize
from typing import NamedTuple

from ovgather.ir.graph import Edge, Graph, Layer, LayerSignature, Port
from ovgather.layers.gather_layer import find_operation
from ovgather.tensor.element_type import ElementType, contradiction, from_port
from ovgather.tensor.walk import reached

_MOST_INPUTS = {"Parameter": 0, "Const": 0, "Result": 1}
_Input = tuple[Layer, int]
_Ends = tuple[Port | None, Port | None]
_Ports = dict[tuple[LayerSignature | None, int], Port]


class Link(NamedTuple):
    """An edge with what stands at its ends; None for what does not exist."""

    edge: Edge
    source: Layer | None
    output: Port | None
    target: Layer | None
    input: Port | None


class Links:
    """The edges of ``graphs``. Edges between the same ports of equal signatures are examined once.

    Where ``is_plain``, every edge joins two ports that say the same, as in most files: none of them is looked at.
    """

    def __init__(self, graphs: list[Graph], is_plain: Callable[[Graph], bool]) -> None:
        self._graphs = graphs
        self._odd = [graph for graph in graphs if not is_plain(graph)]
        forms = {form for graph in self._odd for form in graph.signatures}
        # By their ids; of two ports with one id the first.
        self._outputs: _Ports = {
            (form, port.id): port for form in forms for port in form.outputs[::-1]
        }
        self._inputs: _Ports = {
            (form, port.id): port for form in forms for port in form.inputs[::-1]
        }

    @cached_property
    def _ends(self) -> set[_Ends]:
        """The distinct pairs of an output port and an input port that odd edges join."""
        ends: set[_Ends] = set()
        output = self._outputs.get
        input = self._inputs.get
        for graph in self._odd:
            signature = dict(zip(graph.ids, graph.signatures, strict=True)).get
            ends |= {
                (output((signature(start), out)), input((signature(end), into)))
                for start, out, end, into, _ in graph.edges
            }
        return ends

    def _where(
        self, fits: Callable[[Port | None, Port | None], bool]
    ) -> Iterator[Link]:
        """The links whose ends ``fits``, which is asked once of each two ports, in the order of the text."""
        fitting = {ends for ends in self._ends if fits(*ends)}
        if fitting:
            for graph in self._odd:
                with_id = graph.with_id
                for edge in graph.edges:
                    source = with_id(edge.from_layer)
                    target = with_id(edge.to_layer)
                    output = None
                    if source is not None:
                        output = self._outputs.get((source.signature, edge.from_port))
                    input = None
                    if target is not None:
                        input = self._inputs.get((target.signature, edge.to_port))
                    if (output, input) in fitting:
                        yield Link(edge, source, output, target, input)

    @cached_property
    def contradictory(self) -> list[Link]:
        """The edges whose ends contradict each other."""
        return list(self._where(differ))

    @cached_property
    def dangling(self) -> dict[Edge, Link]:
        """The edges that lead to or from nothing."""
        return {link.edge: link for link in self._where(lambda *ends: None in ends)}

    @cached_property
    def unfed(self) -> dict[Graph, list[_Input]]:
        """The inputs that no edge feeds, but for those that a layer should not have: OVG201 reports them."""
        unfed: dict[Graph, list[_Input]] = {}
        all_arrive = all(input is not None for _, input in self._ends)
        for graph in self._graphs:
            inputs = sum([len(signature.inputs) for signature in graph.signatures])
            if inputs == len(graph.fed) == len(graph.edges) and all_arrive:
                continue  # as many edges as inputs, each to another one
            for layer in graph.layers:
                indices = [
                    index
                    for index, port in enumerate(layer.inputs)
                    if (layer.id, port.id) not in graph.fed
                ]
                if layer.id >= 0:
                    for index in indices:
                        operation = find_operation(layer)
                        if operation is not None:
                            most = len(operation.inputs)
                        else:
                            most = _MOST_INPUTS.get(layer.type, maxsize)
                        if layer.inputs[index].id >= 0 and index < most:
                            unfed.setdefault(graph, []).append((layer, index))
        return unfed


def differ(output: Port | None, input: Port | None) -> bool:
    """Whether the ends of an edge contradict each other."""
    if output is None or input is None:
        return False
    return differ_in_dims(output, input) or types_that_differ(output, input) is not None


def differ_in_dims(output: Port, input: Port) -> bool:
    # A port without dims may be of any rank. OpenVINO writes the same dims at both ends, dynamic ones included.
    return output.dims != input.dims and bool(output.dims) and bool(input.dims)


def types_that_differ(
    output: Port, input: Port
) -> tuple[ElementType, ElementType] | None:
    if (
        output.precision == input.precision
        or not output.precision
        or not input.precision
    ):
        return None
    return contradiction(from_port(output.precision), from_port(input.precision))


def doubles_of(graph: Graph) -> list[tuple[Layer, Layer]]:
    """The layers whose id is taken, each with the first that has it."""
    if len(graph.rows) == len(graph.ids):
        return []
    seen: dict[int, Layer] = {}
    return [
        (layer, seen[layer.id])
        for layer in graph.layers
        if seen.setdefault(layer.id, layer) is not layer
    ]


def upstream(
    layer: Layer, passes: Callable[[Layer], bool] = lambda layer: True
) -> Iterator[Layer]:
    """``layer``, and each layer before it that it depends on through layers that ``passes``."""

    def sources(each: Layer) -> list[Layer]:
        producers = each.graph.producers(each) if passes(each) else ()
        return [source[0] for source in producers if source is not None]

    return reached([layer], sources)


def find_cycle(graph: Graph) -> list[int]:
    """The ids of one cycle, in the order of the edges, the smallest first; empty when there is none."""
    if graph.rises:
        return []
    if len(graph.fed) == len(graph.edges) and graph.order[1] == len(graph.ids):
        return []
    from graphlib import CycleError, TopologicalSorter

    sources: dict[int, list[int]] = {number: [] for number in graph.rows}
    for edge in graph.edges:
        if edge.from_layer in sources and edge.to_layer in sources:
            sources[edge.to_layer].append(edge.from_layer)
    try:
        TopologicalSorter(sources).prepare()
    except CycleError as error:
        cycle: list[int] = error.args[1][1:]  # it begins with its end
        first = cycle.index(min(cycle))
        return [*cycle[first:], *cycle[:first]]
    return []
