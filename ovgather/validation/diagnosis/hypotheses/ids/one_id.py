"""What: the id of one layer is wrong.
Why: edges name an id that no layer has, and with it this layer fits them all.
Bad::
    <layer id="50" .../> and edges to layer 5
Good::
    <layer id="5" .../>
"""

from collections import Counter
from collections.abc import Iterator

from ovgather.ir.graph import Layer
from ovgather.ir.positions import tag_at
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import (
    Hypothesis,
    attribute_change,
)

ORDER = 8
_MOST_MISSING = 3
_MOST_OTHERS = 3
_MANY = "the ids of {count} layers are not those that edges name"


def propose(case: Case) -> Iterator[Hypothesis]:
    for graph in case.file.graphs:
        named = case.named(graph)
        missing = sorted(number for number in named - graph.rows.keys() if number >= 0)[
            :_MOST_MISSING
        ]
        if not missing:
            continue
        doubled = {number for number, count in Counter(graph.ids).items() if count > 1}
        loose = [
            graph.layer(row)
            for row, number in enumerate(graph.ids)
            if number not in named or number in doubled
        ]
        for number in missing:
            fitting = [layer for layer in loose if case.suits(layer, graph, number)]
            # something else may be wrong with a layer of which the id cannot be read, or with the only one
            fitting = fitting or [
                layer for layer in loose if layer.id < 0 or len(loose) == 1
            ]
            for layer in fitting[:_MOST_OTHERS]:
                own = _hypothesis(case, layer, number, len(fitting))
                if layer.id >= 0:
                    edges = case.into(graph, number), case.out_of(graph, number)
                    own = own._replace(reach=sum(map(len, edges)))
                yield own


def _hypothesis(case: Case, layer: Layer, number: int, count: int) -> Hypothesis:
    tag = tag_at(case.source, layer.offset)
    what = f"the id of the layer is {number}"
    message = f"the id of {called(layer)} is wrong: edges call it layer {number}"
    change = attribute_change(tag, "id", str(number))
    ids = layer.graph.ids
    # As converters number layers: the edges are wrong rather.
    is_in_order = sorted(ids) == list(ids)
    # What is no number has a rule.
    price = 0.8 + 0.2 * (count - 1) + 0.7 * is_in_order + 0.5 * (layer.id < 0)
    return case.repair(
        message,
        layer,
        "id",
        [change],
        what,
        price,
        help=f'set id="{number}"',
        is_value=layer.id < 0,
        safe=True,
        many=_MANY,
    )
