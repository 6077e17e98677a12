"""The fixes of ids that are numbers but not written as plain ones: only where the edges bear them out."""

import re

from ovgather.validation.context import File, Fix, Problem

_NUMBER = re.compile(r"\s*\+?([0-9]{1,18})\s*", re.ASCII)


def plain_number(text: str) -> int | None:
    """The number that an id with blanks or a plus sign around it means."""
    match = _NUMBER.fullmatch(text)
    return int(match[1]) if match else None


def layer_id(file: File, problem: Problem) -> Fix | None:
    """``id=" 2 "`` of a layer becomes 2, when edges name a layer 2 that is not there otherwise."""
    number, layer = plain_number(problem.value), problem.layer
    if number is None or layer is None:
        return None
    graph, others = layer.graph, [other for other in file.problems.get("layer-id", ()) if other is not problem]
    alike = [other for other in others if plain_number(other.value) == number]
    has_edge = any(number in (edge.from_layer, edge.to_layer) for edge in graph.edges)
    if number in graph.by_id or not has_edge or any(other.layer and other.layer.graph is graph for other in alike):
        return None
    return file.plain(problem, "layer id", number)


def port_id(file: File, problem: Problem) -> Fix | None:
    """``id=" 2 "`` of a port becomes 2, when edges of the layer name such a port and there is no other."""
    number, layer = plain_number(problem.value), problem.layer
    if number is None or layer is None or layer.id < 0:
        return None
    element = file.element(layer)
    for side, ports in (("input", layer.inputs), ("output", layer.outputs)):
        if any(port.start == problem.offset for port in element.ports(side)):
            is_used = any(port.id == number for port in ports) or sum(port.id < 0 for port in ports) > 1
            outputs = {(edge.from_layer, edge.from_port) for edge in layer.graph.edges}
            has_edge = (layer.id, number) in (layer.graph.fed if side == "input" else outputs)
            return file.plain(problem, "port id", number) if has_edge and not is_used else None
    return None


def edge_end(file: File, problem: Problem) -> Fix | None:
    """``from-layer=" 2 "`` of an edge becomes 2, when the edge then comes from or goes to a port that waits for it."""
    number = plain_number(problem.value)
    edges = ((graph, edge) for graph in file.graphs for edge in graph.edges if edge.offset == problem.offset)
    graph, edge = next(edges, (None, None))
    if number is None or graph is None or edge is None:
        return None
    linked = edge._replace(**{problem.subject.replace("-", "_"): number})
    if problem.subject.startswith("from-"):
        source = graph.by_id.get(linked.from_layer)
        fits = source is not None and any(port.id == linked.from_port for port in source.outputs)
    else:
        target = graph.by_id.get(linked.to_layer)
        free = (linked.to_layer, linked.to_port) not in graph.fed
        fits = free and target is not None and any(port.id == linked.to_port for port in target.inputs)
    return file.plain(problem, problem.subject, number) if fits else None
