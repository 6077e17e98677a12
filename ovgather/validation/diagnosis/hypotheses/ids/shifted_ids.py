"""What: the ids of layers are numbered anew, or the numbers in edges, from one layer on, as a bad merge leaves them.
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

from ovgather.ir.graph import Edge, Graph, LayerSignature, port_with_id
from ovgather.ir.positions import tag_at
from ovgather.validation.diagnosis.case import Case, called, same
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 5
_MOST_RUNS = 4
_LEAST_BAD, _LEAST_CHANGED = 2, 3
_MOST_ALIGNED = 2_000
_MOST_LOOKED_AT = 200


def propose(case: Case) -> Iterator[Hypothesis]:
    for graph in case.file.graphs:
        bad = [edge for edge in graph.edges if not _fits(graph, graph.rows, edge)]
        if len(bad) < _LEAST_BAD or not graph.ids:
            continue
        edges = [
            *bad[:_MOST_LOOKED_AT],
            *graph.edges[:: 1 + len(graph.edges) // _MOST_LOOKED_AT],
        ]
        most = sum(not _fits(graph, graph.rows, edge) for edge in edges) / 2
        yield from _shifted_ends(case, graph, edges, most)
        in_text = range(len(graph.ids))
        for order in (in_text, sorted(in_text, key=graph.ids.__getitem__)):
            numbers = _old_numbers(graph, order)
            rows = {number: row for row, number in enumerate(numbers)}
            changes = sum(map(ne, numbers, graph.ids))
            wrong = sum(not _fits(graph, rows, edge) for edge in edges)
            if changes >= _LEAST_CHANGED and wrong < most:
                yield _hypothesis(case, graph, numbers)._replace(reach=len(bad))


def _shifted_ends(
    case: Case, graph: Graph, edges: list[Edge], most: float
) -> Iterator[Hypothesis]:
    """The numbers that edges have at one end, or at both, are shifted from one layer on: at ``most`` so many ``edges``
    do not fit then."""
    trials = []
    for ends in (("to_layer",), ("from_layer",), ("from_layer", "to_layer")):
        numbers = sorted({getattr(edge, end) for edge in graph.edges for end in ends})
        skipped = sorted({*graph.ids} - {*numbers})[:_MOST_RUNS]
        beyond = [number for number in numbers if number not in graph.rows][:_MOST_RUNS]
        starts = [*[each + 1 for each in skipped], *beyond]
        shifts = {
            1,
            -1,
            numbers[-1] - graph.ids[-1],
            *[beyond[0] - number for number in skipped if beyond],
        }
        for start in dict.fromkeys(starts):
            for shift in shifts - {0}:
                moved = [_moved(edge, ends, start, shift) for edge in edges]
                wrong = sum(not _fits(graph, graph.rows, edge) for edge in moved)
                trials.append((wrong, len(ends), start, shift, ends))
    best = min(trials, default=None)
    if best is not None and best[0] < most:
        yield _hypothesis_of_edges(case, graph, best[4], best[2], best[3])._replace(
            reach=max(1, int(most))
        )


def _moved(edge: Edge, ends: tuple[str, ...], start: int, shift: int) -> Edge:
    return edge._replace(
        **{
            end: getattr(edge, end) - shift
            for end in ends
            if getattr(edge, end) >= start
        }
    )


def _hypothesis_of_edges(
    case: Case, graph: Graph, ends: tuple[str, ...], start: int, shift: int
) -> Hypothesis:
    pairs = [(edge, _moved(edge, ends, start, shift)) for edge in graph.edges]
    pairs = [(edge, moved) for edge, moved in pairs if edge != moved]
    edits = tuple(
        edit
        for edge, moved in pairs
        for edit in case.edge_edits(
            edge, from_layer=moved.from_layer, to_layer=moved.to_layer
        )
    )
    names = " and ".join(end.replace("_", "-") for end in ends)
    verb = "is" if len(ends) == 1 else "are"
    message = f"{names} of {len(pairs)} edges {verb} shifted by {shift:+d} against the ids of layers, from {start} on"
    place = case.file.edge_span(pairs[0][0], ends[0].replace("_", "-"))
    what = f"{names} of {len(pairs)} edges {verb} {'lower' if shift > 0 else 'higher'} by {abs(shift)}"
    # Ids that skip a number are wrong rather.
    price = 1.5 + 0.2 * (not _counts_on(graph))
    return Hypothesis(
        "shifted_ids",
        message,
        None,
        place,
        edits,
        what,
        price,
        help="shift them back",
        safe=True,
    )


def _counts_on(graph: Graph) -> bool:
    """Whether the ids of layers are 0, 1, 2 and so on, as converters write them."""
    return list(graph.ids) == list(range(len(graph.ids)))


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


def _fits(graph: Graph, rows: dict[int, int], edge: Edge) -> bool:
    """Whether both ends of ``edge`` are there, and agree, where layers have the ids ``rows``."""
    start = rows.get(edge.from_layer)
    end = rows.get(edge.to_layer)
    if start is None or end is None:
        return False
    output = port_with_id(graph.signatures[start].outputs, edge.from_port)
    input = port_with_id(graph.signatures[end].inputs, edge.to_port)
    return (
        output is not None
        and input is not None
        and (same(output, input) or not (output.dims and input.dims))
    )


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
    price = 1.5 + 0.2 * _counts_on(graph)
    return Hypothesis(
        "shifted_ids",
        f"from {called(layer)} on, {message}",
        layer,
        "id",
        edits_of(case.source, changes, what),
        what,
        price,
        help=help,
        safe=True,
    )
