"""What: a layer is defined twice.
Why: its id, or its name, is taken, and without the second one nothing contradicts anything.
Bad::
    <layer id="5" name="add" .../> <layer id="5" name="add" .../>
Good::
    <layer id="5" name="add" .../>
"""

from collections.abc import Iterator

from ovgather.ir.edit.layer_text import end_of, line_of
from ovgather.ir.graph import Layer
from ovgather.ir.positions import Span, element_at
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis, joint

ORDER = 9
_MOST = 20
_MANY = "{count} layers are defined twice"


def propose(case: Case) -> Iterator[Hypothesis]:
    for graph in case.file.graphs:
        if len(graph.rows) == len(graph.ids) and len({*graph.names}) == len(
            graph.names
        ):
            continue  # no id and no name is there twice
        first: dict[tuple[object, ...], int] = {}
        copies = []
        for row, (name, signature) in enumerate(
            zip(graph.names, graph.signatures, strict=True)
        ):
            data = tuple(sorted(signature.data.items()))
            key = (
                name,
                signature.type,
                data,
                len(signature.inputs),
                len(signature.outputs),
            )
            if first.setdefault(key, row) != row:
                copies.append((row, first[key]))
        block: list[Hypothesis] = []
        for (row, origin), before in zip(copies[:_MOST], [None, *copies], strict=False):
            layer = graph.layer(row)
            copy = _hypothesis(case, layer, "is defined twice")
            yield copy if graph.ids.count(layer.id) > 1 else copy._replace(many="")
            if (row - 1, origin - 1) != before:
                yield from _block(block)
                block = []
            block.append(copy)
        yield from _block(block)
    for layer in [
        layer for layer in case.subjects if layer.inputs and not case.file.model.snippet
    ][:_MOST]:
        is_alone = not case.into(layer.graph, layer.id) and not case.out_of(
            layer.graph, layer.id
        )
        if is_alone and layer.graph.edges and layer.id >= 0:
            alone = _hypothesis(
                case, layer, "is not connected: no edge leads to it or from it"
            )
            yield alone._replace(price=1.6, many="")


def _block(copies: list[Hypothesis]) -> Iterator[Hypothesis]:
    """Layers that stand one behind the other, as a merge pastes them."""
    if len(copies) > 1:
        yield joint(copies)


def _hypothesis(case: Case, layer: Layer, words: str) -> Hypothesis:
    what = f"{called(layer)} is removed"
    changes: list[tuple[Span, str]] = [(line_of(case.element(layer)), "")]
    seen = set[tuple[int, ...]]()
    for edge in (
        *case.into(layer.graph, layer.id),
        *case.out_of(layer.graph, layer.id),
    ):
        if edge[:4] in seen:  # the edges are there twice, too
            tag = element_at(case.source, edge.offset)
            changes.append(((tag.start, end_of(tag)), ""))
        seen.add(edge[:4])
    message = f"{called(layer)} {words}"
    return case.repair(
        message,
        layer,
        "id",
        changes,
        what,
        1.0,
        many=_MANY,
        help="delete it",
    )
