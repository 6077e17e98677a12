"""What: the ids of layers are numbered anew from one layer on, as a bad merge leaves them.
Why: with the old numbers every edge finds its ends, and the ports at both ends agree.
Bad::
    layers 0, 1, 3, 4 and edges 0 -> 1, 1 -> 2, 2 -> 3
Good::
    layers 0, 1, 2, 3 and edges 0 -> 1, 1 -> 2, 2 -> 3
"""

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import count
from operator import ne

from ovgather.ir.graph import Graph, LayerSignature
from ovgather.ir.positions import tag_at
from ovgather.validation.diagnosis.case import Case, called, counts_on, fits
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 5
_LEAST_BAD, _LEAST_CHANGED = 2, 3
_MOST_ALIGNED = 2_000


def propose(case: Case) -> Iterator[Hypothesis]:
    for graph in case.file.graphs:
        bad = case.misfits(graph)
        if len(bad) < _LEAST_BAD or not graph.ids:
            continue
        edges = case.some_edges(graph)
        most = sum(not fits(graph, edge) for edge in edges) / 2
        in_text = range(len(graph.ids))
        for order in (in_text, sorted(in_text, key=graph.ids.__getitem__)):
            numbers = _old_numbers(graph, order)
            rows = {number: row for row, number in enumerate(numbers)}
            changes = sum(map(ne, numbers, graph.ids))
            wrong = sum(not fits(graph, edge, rows) for edge in edges)
            if changes >= _LEAST_CHANGED and wrong < most:
                yield _hypothesis(case, graph, numbers)._replace(reach=len(bad))


def _old_numbers(graph: Graph, order: Sequence[int]) -> list[int]:
    """The ids by which edges call the layers, if they are in the ``order`` of these rows: a layer has the ports that
    edges name of it, where not all layers are named."""
    named: dict[int, tuple[set[int], set[int]]] = {}
    for edge in graph.edges:
        named.setdefault(edge.to_layer, (set(), set()))[0].add(edge.to_port)
        named.setdefault(edge.from_layer, (set(), set()))[1].add(edge.from_port)
    ids, old = [graph.ids[row] for row in order], sorted(named)
    begin = _equal(ids, old)
    end = _equal(ids[begin:][::-1], old[begin:][::-1])
    rows = order[begin : len(order) - end]
    old = old[begin : len(old) - end]
    pairs = [*zip(rows, old, strict=False)]
    if len(rows) != len(old):
        layers = [_ports(graph.signatures[row]) for row in rows[:_MOST_ALIGNED]]
        ends = [(*map(frozenset, named[number]),) for number in old[:_MOST_ALIGNED]]
        pairs = [(rows[row], old[at]) for row, at in _aligned(layers, ends)]
    numbers = [*graph.ids]
    free = count(max(*ids, *named) + 1)
    matched = dict(pairs)
    for row in rows:
        numbers[row] = matched[row] if row in matched else next(free)
    return numbers


def _ports(layer: LayerSignature) -> tuple[frozenset[int], ...]:
    """The ids of the inputs and of the outputs."""
    sides = layer.inputs, layer.outputs
    return tuple(frozenset(port.id for port in side) for side in sides)


def _equal(numbers: list[int], others: list[int]) -> int:
    """How many numbers are the same at the beginning of both."""
    pairs = enumerate(zip(numbers, others, strict=False))
    return next(
        (at for at, (one, other) in pairs if one != other),
        min(len(numbers), len(others)),
    )


def _aligned(
    layers: Sequence[Hashable], ends: Sequence[Hashable]
) -> Iterator[tuple[int, int]]:
    """The pairs of places of two sequences with as many equal elements as possible, in order."""
    matcher = SequenceMatcher(None, layers, ends, autojunk=False)
    for _, begin, end, other, other_end in matcher.get_opcodes():
        if end - begin == other_end - other:
            yield from zip(range(begin, end), range(other, other_end), strict=True)


def _hypothesis(case: Case, graph: Graph, numbers: list[int]) -> Hypothesis:
    rows = [row for row, number in enumerate(graph.ids) if number != numbers[row]]
    changes = [
        (
            tag_at(case.source, graph.offsets[row]).attribute_span("id"),
            str(numbers[row]),
        )
        for row in rows
    ]
    layer = graph.layer(rows[0])
    shifts = {graph.ids[row] - numbers[row] for row in rows}
    if len(shifts) == 1:
        (shift,) = shifts
        message = (
            f"the ids of {len(rows)} layers are shifted by {shift:+d} against the edges"
        )
        what = f"the ids of {len(rows)} layers are {'lower' if shift > 0 else 'higher'} by {abs(shift)}"
        help = "shift them back"
    else:
        message = f"{len(rows)} layers have new ids, but edges name the old ones:"
        message += f" they call this one layer {numbers[rows[0]]}"
        what = f"{len(rows)} layers have the ids that edges name"
        help = "number the layers as the edges do, or the edges as the layers"
    price = 1.5 + 0.2 * counts_on(graph)
    return case.repair(
        f"from {called(layer)} on, {message}",
        layer,
        "id",
        changes,
        what,
        price,
        help=help,
        safe=True,
    )
