"""Ids that two layers of a graph have, and the edges that lead astray because of them."""

from ovgather.ir.graph import Edge, Graph, Layer
from ovgather.validation.facts.edges import Link
from ovgather.validation.facts.file_facts import FileFacts


def misled_edges(facts: FileFacts) -> set[Edge]:
    """The edges that lead to or from nothing because an id is given twice."""
    graphs, links = _crowded(facts), links_by_edge(facts)
    return {link.edge for graph in graphs for link in strays_of(graph, links)[0]}


def _crowded(facts: FileFacts) -> list[Graph]:
    return [graph for graph in facts.graphs if len(graph.by_id) != len(graph.layers)]


def links_by_edge(facts: FileFacts) -> dict[Edge, Link]:
    """The links by their edges, if they are asked for."""
    return {link.edge: link for link in facts.links} if _crowded(facts) else {}


def doubled_ids(graph: Graph) -> set[int]:
    """The ids that two layers of ``graph`` have: which of them an edge means is not known."""
    return {layer.id for layer, _ in doubles_of(graph) if layer.id >= 0}


def doubles_of(graph: Graph) -> list[tuple[Layer, Layer]]:
    """The layers whose id is taken, each with the first that has it."""
    if len(graph.by_id) == len(graph.layers):
        return []
    seen: dict[int, Layer] = {}
    return [(layer, seen[layer.id]) for layer in graph.layers if seen.setdefault(layer.id, layer) is not layer]


def strays_of(graph: Graph, links: dict[Edge, Link]) -> tuple[list[Link], int | None]:
    """The edges that go astray for it, and the one id that one of the two layers should have instead."""
    doubles = doubled_ids(graph)
    ours = [links[edge] for edge in graph.edges]
    astray = [link for link in ours if link.output is None or link.input is None]
    missing = {link.edge.from_layer for link in astray if link.source is None}
    missing |= {link.edge.to_layer for link in astray if link.target is None}
    intended_id = min(missing) if len(missing) == len(doubles) == 1 else None
    explained = doubles if intended_id is None else doubles | {intended_id}
    return [link for link in astray if explained & {link.edge.from_layer, link.edge.to_layer}], intended_id
