"""What: the ids of layers are numbered anew, or the numbers in edges, from one layer on, as a bad merge leaves them.
Why: with the old numbers every edge finds its ends, and the ports at both ends agree.
Bad::
    layers 0, 1, 3, 4 and edges 0 -> 1, 1 -> 2, 2 -> 3
Good::
    layers 0, 1, 2, 3 and edges 0 -> 1, 1 -> 2, 2 -> 3
"""

from collections.abc import Iterator
from operator import ne

from ovgather.ir.graph import Edge, Graph, port_with_id
from ovgather.ir.positions import tag_at
from ovgather.validation.diagnosis.case import Case, called, same
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 5
_MOST_SHIFTS = 12
_MOST_RUNS = 4
_LEAST_BAD = 2
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
        trials = []
        for order, numbers in enumerate(_numberings(graph)):
            rows = {number: row for row, number in enumerate(numbers)}
            changes = sum(map(ne, numbers, graph.ids))
            if len(rows) == len(graph.ids) and changes >= _LEAST_BAD:
                wrong = sum(not _fits(graph, rows, edge) for edge in edges)
                trials.append((wrong, order, numbers))
        best = min(trials, default=None)
        if best is not None and best[0] < most:
            yield _hypothesis(case, graph, best[2])._replace(reach=len(bad))


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


def _numberings(graph: Graph) -> Iterator[list[int]]:
    """The ids that layers may have had: without a shift, or those that edges name, in their order."""
    shifts = [*dict.fromkeys(_shifts(graph))][:_MOST_SHIFTS]
    for start, shift in sorted(shifts, key=lambda each: (abs(each[1]), each)):
        yield [
            number - shift if row >= start else number
            for row, number in enumerate(graph.ids)
        ]
    named = {end for edge in graph.edges for end in (edge.from_layer, edge.to_layer)}
    if sorted(graph.ids) == [*graph.ids]:
        yield sorted(named)


def _shifts(graph: Graph) -> Iterator[tuple[int, int]]:
    """From which row on ids may be shifted, and by which number.

    Where layers count higher than edges do, edges name ids that are skipped; where they count lower, ids are there
    twice, or no edge names them.
    """
    ids = graph.ids
    named = {
        number for edge in graph.edges for number in (edge.from_layer, edge.to_layer)
    }
    known = {*ids}
    skipped = named - known
    runs = sorted(number for number in skipped if number - 1 not in skipped)
    for first in runs[:_MOST_RUNS]:
        count = next(
            count
            for count in range(1, len(skipped) + 2)
            if first + count not in skipped
        )
        start = next((row for row, number in enumerate(ids) if number >= first), None)
        if start is not None:
            yield start, count
        else:  # edges count higher
            unnamed = [row for row, number in enumerate(ids) if number not in named]
            yield from ((row, -count) for row in unnamed[:_MOST_RUNS])
    falls = [row for row in range(1, len(ids)) if ids[row] <= ids[row - 1]]
    yield from ((row, ids[row] - ids[row - 1] - 1) for row in falls[:_MOST_RUNS])


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
