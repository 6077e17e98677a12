"""One mistake in a port or an edge where two places contradict each other, and only one is wrong; see
``single_mistakes``.
"""

from __future__ import annotations

import random
import re

from graph_mistakes import OTHER_PRECISION
from mistake_text import (
    LayerLines,
    ModelText,
    Touched,
    kind,
    pick,
    random_dim,
    replaced,
    with_attribute,
)


def feeding(model: ModelText) -> list[LayerLines]:
    """The layers whose first output a layer of the family takes."""
    sources = [
        model.source(gather, port)
        for gather in model.family()
        for port in range(len(gather.inputs))
    ]
    return [layer for layer in model.layers if layer in sources and layer.outputs]


@kind
def producer_precision_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, feeding(model))
    if layer is None:
        return None
    return with_attribute(
        model,
        layer.outputs[0][0],
        "precision",
        lambda text: OTHER_PRECISION.get(text, "I8"),
    )


@kind
def producer_dim_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(
        chance, [layer for layer in feeding(model) if model.dims(layer.outputs[0])]
    )
    if layer is None:
        return None
    number = chance.choice(model.dims(layer.outputs[0]))
    length = re.search(r"<dim>(-?\d+)<", model.lines[number])[1]
    return replaced(
        model,
        number,
        "<dim>[^<]*<",
        f"<dim>{int(length) + 1 if int(length) > 0 else 7}<",
    )


@kind
def producer_dim_deleted(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(
        chance,
        [layer for layer in feeding(model) if len(model.dims(layer.outputs[0])) > 1],
    )
    if layer is None:
        return None
    return replaced(
        model, chance.choice(model.dims(layer.outputs[0])), "<dim>[^<]*</dim>", ""
    )


@kind
def dim_added(model: ModelText, chance: random.Random) -> Touched:
    dim = random_dim(model, chance)
    return None if dim is None else replaced(model, dim, "</dim>", "</dim><dim>5</dim>")


@kind
def edge_from_other_layer(model: ModelText, chance: random.Random) -> Touched:
    edge = chance.choice(model.edges)
    others = [
        layer
        for layer in model.layers
        if layer.id < edge[3]
        and layer.id != edge[1]
        and any(f'id="{edge[2]}"' in model.lines[start] for start, _ in layer.outputs)
    ]
    other = pick(chance, others)
    return (
        None
        if other is None
        else with_attribute(model, edge[0], "from-layer", lambda _: str(other.id))
    )


@kind
def input_ports_out_of_order(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, [g for g in model.family() if len(g.inputs) > 1])
    if layer is None:
        return None
    (start, middle), (after, end) = layer.inputs[:2]
    first, second = model.lines[start : middle + 1], model.lines[after : end + 1]
    model.lines[start : end + 1] = [*second, *first]
    return set(range(start, end + 1))


@kind
def port_id_of_another(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, [g for g in model.family() if len(g.inputs) > 1])
    return (
        None
        if layer is None
        else with_attribute(model, layer.inputs[1][0], "id", lambda _: "00")
    )


@kind
def layer_id_of_another(model: ModelText, chance: random.Random) -> Touched:
    first, second = chance.sample(model.layers, 2)
    return with_attribute(model, first.first, "id", lambda _: f"0{second.id}")


@kind
def precision_attribute_misspelt(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, [g for g in model.layers if g.outputs])
    return (
        None
        if layer is None
        else replaced(model, layer.outputs[0][0], " precision=", " precison=")
    )
