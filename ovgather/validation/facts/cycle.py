"""Layers of a graph that feed each other."""

from ovgather.ir.graph import Graph


def find_cycle(graph: Graph) -> list[int]:
    """The ids of one cycle, in the order of the edges; empty when there is none."""
    # Ids that rise along every edge, as converters write them, leave no room for a cycle.
    if all(edge.from_layer < edge.to_layer for edge in graph.edges):
        return []
    targets: dict[int, list[int]] = {number: [] for number in graph.by_id}
    waiting = dict.fromkeys(targets, 0)
    for edge in graph.edges:
        if edge.from_layer in targets and edge.to_layer in targets:
            targets[edge.from_layer].append(edge.to_layer)
            waiting[edge.to_layer] += 1
    ready = [number for number, count in waiting.items() if not count]
    while ready:
        number = ready.pop()
        del waiting[number]
        for target in targets[number]:
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    # The remaining layers lie on a cycle or behind one: going back from one of them always ends on a cycle.
    before = {target: number for number in waiting for target in targets[number] if target in waiting}
    number = next(iter(before), -1)
    path: dict[int, None] = {}
    while number in before and number not in path:
        path[number] = None
        number = before[number]
    walked = list(path)
    return walked[walked.index(number) :][::-1] if walked else []
