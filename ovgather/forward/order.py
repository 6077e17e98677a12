"""The rows of a graph in the order of the data."""

from __future__ import annotations

from collections.abc import Iterable

from ovgather.ir.graph import Graph


def rows_in_order(graph: Graph) -> Iterable[int]:
    """Every row after those that feed it; the rows of a cycle, and behind one, come last, as they stand."""
    if graph.rises:
        return sorted(range(len(graph.ids)), key=graph.ids.__getitem__)
    return graph.order[0]
