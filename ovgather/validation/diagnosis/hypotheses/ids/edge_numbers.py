"""What: one rule changed the numbers of edges: all are shifted from one layer on, or in one or in all of them the ends
are swapped, or layer and port at one end.
Why: with the rule turned back the edges find their ends, and the ports at both ends agree.
Bad::
    <edge from-layer="1" from-port="0" to-layer="0" to-port="0"/>   <!-- and so all others: layer 1 is the Result -->
Good::
    <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ovgather.ir.graph import Edge, Graph
from ovgather.validation.diagnosis.case import Case, called, counts_on, fits
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 5
_MOST_RUNS = 4
_LEAST_BAD = 2
_MOST_ALONE = 20
_LAYERS = ("from_layer", "to_layer")


class _Rule(NamedTuple):
    """A rule that ``turns`` the numbers of an edge back; ``{edges}`` of the texts are those that it changed."""

    name: str
    message: str
    what: str
    help: str
    turn: Callable[[Edge], Edge]


def propose(case: Case) -> Iterator[Hypothesis]:
    for graph in case.file.graphs:
        bad = case.misfits(graph)
        if not bad or not graph.ids:
            continue
        edges = case.some_edges(graph)
        before = sum(not fits(graph, edge) for edge in edges)
        some = bad[:: 1 + len(bad) // _MOST_ALONE]
        rules = [
            rule
            for rule in [*_shifts(graph), *_EXCHANGES]
            if 2 * _wrong(graph, rule, some) < len(some) >= _LEAST_BAD
        ]
        rule = min(rules, key=partial(_wrong, graph, edges=edges), default=None)
        if rule is not None and 2 * _wrong(graph, rule, edges) < before:
            pairs = [(edge, rule.turn(edge)) for edge in graph.edges]
            changed = [(edge, turned) for edge, turned in pairs if edge != turned]
            # Ids that skip a number are wrong rather.
            price = 1.5 + 0.2 * (not counts_on(graph))
            words = f"{len(changed)} edges"
            turning = _hypothesis(case, rule, changed, words, price)
            yield turning._replace(reach=max(1, before // 2))
        else:
            for edge in bad[:_MOST_ALONE]:
                yield from _of_one(case, graph, edge)


def _wrong(graph: Graph, rule: _Rule, edges: Sequence[Edge]) -> int:
    return sum(not fits(graph, rule.turn(edge)) for edge in edges)


def _of_one(case: Case, graph: Graph, edge: Edge) -> Iterator[Hypothesis]:
    """An edge that leads from or to nothing, and with its numbers exchanged feeds an input that no other one feeds."""
    for rule in _EXCHANGES:
        turned = rule.turn(edge)
        target = graph.with_id(turned.to_layer)
        is_fed = graph.fed.get(turned[2:4], edge) != edge
        if target and not is_fed and not graph.ends(edge) and fits(graph, turned):
            words = f"the edge into {called(target)}"
            turning = _hypothesis(case, rule, [(edge, turned)], words, 0.8)
            many = rule.message.format(edges="{count} edges")
            yield turning._replace(layer=target, many=many, part=turned.to_port)


def _shifts(graph: Graph) -> Iterator[_Rule]:
    """The ids of layers at one end of edges, or at both, lower or higher from one number on."""
    for ends in (_LAYERS[1:], _LAYERS[:1], _LAYERS):
        numbers = sorted({getattr(edge, end) for edge in graph.edges for end in ends})
        expected = {
            number
            for number, layer in zip(graph.ids, graph.signatures, strict=True)
            if (layer.inputs and "to_layer" in ends)
            or (layer.outputs and "from_layer" in ends)
        }
        skipped = sorted(expected - {*numbers})[:_MOST_RUNS]
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
    message = f"{names} of {{edges}} {verb} shifted by {shift:+d} against the ids of layers, from {start} on"
    direction = "lower" if shift > 0 else "higher"
    what = f"{names} of {{edges}} {verb} {direction} by {abs(shift)}"
    return _Rule(ends[0], message, what, "shift them back", turn)


def _exchange(name: str, words: str, order: tuple[int, int, int, int]) -> _Rule:
    def turn(edge: Edge) -> Edge:
        layer, port, target, target_port = [edge[at] for at in order]
        return Edge(layer, port, target, target_port, edge.offset)

    message = f"{words} are swapped in {{edges}}"
    what = f"{words} of {{edges}} are swapped"
    return _Rule(name, message, what, "swap them", turn)


_EXCHANGES = (
    _exchange("from_layer", "source and target", (2, 3, 0, 1)),
    _exchange("from_layer", "from-layer and from-port", (1, 0, 2, 3)),
    _exchange("to_layer", "to-layer and to-port", (0, 1, 3, 2)),
    _exchange("from_layer", "layers and ports", (1, 0, 3, 2)),
    _exchange("from_port", "from-port and to-port", (0, 3, 2, 1)),
)


def _spelt(name: str) -> str:
    return name.replace("_", "-")


def _hypothesis(
    case: Case, rule: _Rule, pairs: list[tuple[Edge, Edge]], words: str, price: float
) -> Hypothesis:
    """Edges become those with which they are paired."""
    edits = tuple(
        edit
        for edge, turned in pairs
        for edit in case.edge_edits(
            edge,
            from_layer=turned.from_layer,
            from_port=turned.from_port,
            to_layer=turned.to_layer,
            to_port=turned.to_port,
        )
    )
    return Hypothesis(
        rule.message.format(edges=words),
        None,
        case.file.edge_span(pairs[0][0], _spelt(rule.name)),
        edits,
        rule.what.format(edges=words),
        price,
        help=rule.help,
        safe=True,
    )
