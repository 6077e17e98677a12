"""What: one rule changed the numbers of all edges: they are shifted from one layer on, their ends are swapped, or layer
and port at one end.
Why: with the rule turned back the edges find their ends, and the ports at both ends agree.
Bad::
    <edge from-layer="1" from-port="0" to-layer="0" to-port="0"/>   <!-- and so all others: layer 1 is the Result -->
Good::
    <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ovgather.ir.graph import Edge, Graph
from ovgather.validation.diagnosis.case import Case, counts_on, fits
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 5
_MOST_RUNS = 4
_LEAST_BAD = 2
_LAYERS = ("from_layer", "to_layer")


class _Rule(NamedTuple):
    """A rule that ``turns`` the numbers of an edge back."""

    name: str
    message: str
    what: str
    help: str
    turn: Callable[[Edge], Edge]


def propose(case: Case) -> Iterator[Hypothesis]:
    for graph in case.file.graphs:
        bad = case.misfits(graph)
        if len(bad) < _LEAST_BAD or not graph.ids:
            continue
        edges = case.some_edges(graph)
        trials = [
            (sum(not fits(graph, rule.turn(edge)) for edge in edges), at, rule)
            for at, rule in enumerate([*_shifts(graph), *_EXCHANGES])
        ]
        wrong, _, rule = min(trials)
        before = sum(not fits(graph, edge) for edge in edges)
        if wrong < before / 2:
            yield _hypothesis(case, graph, rule)._replace(reach=max(1, before // 2))


def _shifts(graph: Graph) -> Iterator[_Rule]:
    """The ids of layers at one end of edges, or at both, lower or higher from one number on."""
    for ends in (_LAYERS[1:], _LAYERS[:1], _LAYERS):
        numbers = sorted({getattr(edge, end) for edge in graph.edges for end in ends})
        skipped = sorted({*graph.ids} - {*numbers})[:_MOST_RUNS]
        beyond = [each for each in numbers if each not in graph.rows][:_MOST_RUNS]
        starts = dict.fromkeys([*[each + 1 for each in skipped], *beyond])
        shifts = {1, -1, numbers[-1] - graph.ids[-1]}
        shifts |= {beyond[0] - number for number in skipped if beyond}
        for start in starts:
            yield from [_shift(ends, start, shift) for shift in sorted(shifts - {0})]


def _shift(ends: tuple[str, ...], start: int, shift: int) -> _Rule:
    def turn(edge: Edge) -> Edge:
        numbers = {end: getattr(edge, end) for end in ends}
        moved = {end: old - shift for end, old in numbers.items() if old >= start}
        return edge._replace(**moved)

    names = " and ".join(_spelt(end) for end in ends)
    verb = "is" if len(ends) == 1 else "are"
    message = f"{names} of {{count}} edges {verb} shifted by {shift:+d} against the ids of layers, from {start} on"
    direction = "lower" if shift > 0 else "higher"
    what = f"{names} of {{count}} edges {verb} {direction} by {abs(shift)}"
    return _Rule(ends[0], message, what, "shift them back", turn)


def _exchange(name: str, words: str, order: tuple[int, int, int, int]) -> _Rule:
    def turn(edge: Edge) -> Edge:
        layer, port, target, target_port = [edge[at] for at in order]
        return Edge(layer, port, target, target_port, edge.offset)

    message = f"{words} are swapped in {{count}} edges"
    what = f"{words} of {{count}} edges are swapped"
    return _Rule(name, message, what, "swap them in all edges", turn)


_EXCHANGES = (
    _exchange("from_layer", "source and target", (2, 3, 0, 1)),
    _exchange("from_layer", "from-layer and from-port", (1, 0, 2, 3)),
    _exchange("to_layer", "to-layer and to-port", (0, 1, 3, 2)),
    _exchange("from_layer", "layers and ports", (1, 0, 3, 2)),
    _exchange("from_port", "from-port and to-port", (0, 3, 2, 1)),
)


def _spelt(name: str) -> str:
    return name.replace("_", "-")


def _hypothesis(case: Case, graph: Graph, rule: _Rule) -> Hypothesis:
    pairs = [(edge, rule.turn(edge)) for edge in graph.edges]
    changed = [(edge, turned) for edge, turned in pairs if edge != turned]
    edits = tuple(
        edit
        for edge, turned in changed
        for edit in case.edge_edits(
            edge,
            from_layer=turned.from_layer,
            from_port=turned.from_port,
            to_layer=turned.to_layer,
            to_port=turned.to_port,
        )
    )
    # Ids that skip a number are wrong rather.
    price = 1.5 + 0.2 * (not counts_on(graph))
    return Hypothesis(
        "edge_numbers",
        rule.message.format(count=len(changed)),
        None,
        case.file.edge_span(changed[0][0], _spelt(rule.name)),
        edits,
        rule.what.format(count=len(changed)),
        price,
        help=rule.help,
        safe=True,
    )
