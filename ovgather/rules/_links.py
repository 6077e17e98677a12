"""The edges of a file with what stands at their ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from ovgather.ir.model import Edge, Form, Graph, Layer, Port

_Joint = tuple[Form | None, int, Form | None, int]
_Ends = tuple[Port | None, Port | None]


class Link(NamedTuple):
    """An edge with what stands at its ends; None for what does not exist."""

    edge: Edge
    source: Layer | None
    given: Port | None
    target: Layer | None
    taken: Port | None


class Links:
    """Every edge of ``graph`` and of the bodies in it.

    Layers repeat each other, and so do edges: those between the same ports of the same forms are looked at once.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._by_id: dict[int, dict[int, Port]] = {}

    @cached_property
    def ends(self) -> dict[_Joint, _Ends]:
        """The distinct pairs of an output port and an input port that edges join."""
        joints: set[_Joint] = set()
        for graph in self._graph.graphs():
            form = {number: layer.form for number, layer in graph.by_id.items()}.get
            joints |= {(form(source), out, form(target), into) for source, out, target, into, _ in graph.edges}
        return {joint: self._ends(joint) for joint in joints}

    def _ends(self, joint: _Joint) -> _Ends:
        source, out, target, into = joint
        given = self._port(source.outputs, out) if source is not None else None
        return given, self._port(target.inputs, into) if target is not None else None

    def _port(self, ports: tuple[Port, ...], number: int) -> Port | None:
        """The first of ``ports`` with that id."""
        table = self._by_id.get(id(ports))
        if table is None:
            table = self._by_id[id(ports)] = {port.id: port for port in reversed(ports)}
        return table.get(number)

    def __iter__(self) -> Iterator[Link]:
        return self.where(lambda given, taken: True)

    def where(self, fits: Callable[[Port | None, Port | None], bool]) -> Iterator[Link]:
        """The links whose ends ``fits``, which is asked once of each two ports, in the order of the text."""
        asked: dict[tuple[int, int], bool] = {}
        fitting: dict[_Joint, _Ends] = {}
        for joint, (given, taken) in self.ends.items():
            pair = id(given), id(taken)
            if pair not in asked:
                asked[pair] = fits(given, taken)
            if asked[pair]:
                fitting[joint] = given, taken
        for graph in self._graph.graphs() if fitting else ():
            layers = graph.by_id.get
            for edge in graph.edges:
                source, target = layers(edge.from_layer), layers(edge.to_layer)
                forms = source.form if source is not None else None, target.form if target is not None else None
                ends = fitting.get((forms[0], edge.from_port, forms[1], edge.to_port))
                if ends is not None:
                    yield Link(edge, source, ends[0], target, ends[1])

    @cached_property
    def all_arrive(self) -> bool:
        """Whether every edge leads to a port that is there."""
        return all(taken is not None for _, taken in self.ends.values())

    @cached_property
    def astray(self) -> list[Link]:
        """The edges that lead to or from nothing."""
        return list(self.where(lambda given, taken: given is None or taken is None))
