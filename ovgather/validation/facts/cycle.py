"""Layers of a graph that feed each other."""

from __future__ import annotations

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
    # What is left lies on a cycle or behind one: going back from it always ends on a cycle.
    before = {target: number for number in waiting for target in targets[number] if target in waiting}
    if not before:
        return []
    seen: dict[int, int] = {}
    number = next(iter(before))
    walked: list[int] = []
    while number not in seen:
        seen[number] = len(walked)
        walked.append(number)
        number = before[number]
    return walked[seen[number] :][::-1]
