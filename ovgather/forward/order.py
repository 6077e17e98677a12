"""The rows of a graph in the order of the data."""

from __future__ import annotations

from collections.abc import Iterable

from ovgather.ir.graph import Graph


def rows_in_order(graph: Graph) -> Iterable[int]:
    """Every row after those that feed it; the rows of a cycle, and behind one, come last, as they stand."""
    if graph.rises:
        return sorted(range(len(graph.ids)), key=graph.ids.__getitem__)
    return _sorted_rows(graph)


def _sorted_rows(graph: Graph) -> list[int]:
    rows = graph.rows
    count = len(graph.ids)
    targets: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for edge in graph.fed.values():
        source = rows.get(edge.from_layer)
        target = rows.get(edge.to_layer)
        if source is not None and target is not None:
            targets[source].append(target)
            waiting[target] += 1
    ordered = [row for row in range(count) if not waiting[row]]
    for row in ordered:  # grows while it is read
        for target in targets[row]:
            waiting[target] -= 1
            if not waiting[target]:
                ordered.append(target)
    ordered += [row for row in range(count) if waiting[row]]
    return ordered
