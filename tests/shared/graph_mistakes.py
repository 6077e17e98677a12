"""One mistake in the edges or the ports of a model; see ``single_mistakes``."""

from __future__ import annotations

import random
import re

from mistake_text import (
    ModelText,
    Touched,
    blanked,
    kind,
    pick,
    random_dim,
    replaced,
    with_attribute,
)

OTHER_PRECISION = {
    "FP32": "I32",
    "FP16": "FP32",
    "I64": "FP32",
    "I32": "FP32",
    "BOOL": "I64",
    "U8": "I32",
}


@kind
def duplicate_layer_id(model: ModelText, chance: random.Random) -> Touched:
    first, second = chance.sample(model.layers, 2)
    return with_attribute(model, first.first, "id", lambda _: str(second.id))


@kind
def edge_to_missing_port(model: ModelText, chance: random.Random) -> Touched:
    return with_attribute(
        model, chance.choice(model.edges)[0], "to-port", lambda _: "9"
    )


@kind
def edge_from_missing_port(model: ModelText, chance: random.Random) -> Touched:
    return with_attribute(
        model, chance.choice(model.edges)[0], "from-port", lambda _: "9"
    )


@kind
def edge_to_other_port(model: ModelText, chance: random.Random) -> Touched:
    edges = [
        e
        for e in model.edges
        if e[3] in model.by_id and len(model.by_id[e[3]].inputs) > 1
    ]
    edge = pick(chance, edges)
    if edge is None:
        return None
    ports = [p for p in range(len(model.by_id[edge[3]].inputs)) if p != edge[4]]
    return with_attribute(
        model, edge[0], "to-port", lambda _: str(chance.choice(ports))
    )


@kind
def edge_to_unknown_layer(model: ModelText, chance: random.Random) -> Touched:
    return with_attribute(
        model, chance.choice(model.edges)[0], "to-layer", lambda _: "99999"
    )


@kind
def edge_from_unknown_layer(model: ModelText, chance: random.Random) -> Touched:
    return with_attribute(
        model, chance.choice(model.edges)[0], "from-layer", lambda _: "99999"
    )


@kind
def edge_deleted(model: ModelText, chance: random.Random) -> Touched:
    number = chance.choice(model.edges)[0]
    return blanked(model, number, number)


@kind
def edge_of_axis_deleted(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(
        chance,
        [g for g in model.of_type("Gather") if model.edge_into(g, 2) is not None],
    )
    return (
        None
        if layer is None
        else blanked(model, model.edge_into(layer, 2), model.edge_into(layer, 2))
    )


@kind
def edge_duplicated(model: ModelText, chance: random.Random) -> Touched:
    number = chance.choice(model.edges)[0]
    model.lines[number] += "\n" + model.lines[number]
    return {number}


@kind
def inputs_swapped(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, [g for g in model.family() if len(g.inputs) > 1])
    if layer is None:
        return None
    first, second = model.edge_into(layer, 0), model.edge_into(layer, 1)
    return (with_attribute(model, first, "to-port", lambda _: "1") or set()) | (
        with_attribute(model, second, "to-port", lambda _: "0") or set()
    )


@kind
def cycle(model: ModelText, chance: random.Random) -> Touched:
    layers = [
        g
        for g in model.layers
        if g.inputs and g.outputs and model.edge_into(g, 0) is not None
    ]
    layer = pick(chance, layers)
    if layer is None:
        return None
    targets = [target for _, source, _, target, _ in model.edges if source == layer.id]
    takers = [
        model.by_id[target]
        for target in targets
        if target in model.by_id and model.by_id[target].outputs
    ]
    if not takers:
        return None
    taker = chance.choice(takers)
    port = re.search(r'id="(\d+)"', model.lines[taker.outputs[0][0]])[1]
    number = model.edge_into(layer, 0)
    touched = (
        with_attribute(model, number, "from-layer", lambda _: str(taker.id)) or set()
    )
    return touched | (
        with_attribute(model, number, "from-port", lambda _: port) or set()
    )


@kind
def layer_deleted(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(
        chance, [g for g in model.layers if g.type not in ("Parameter", "Result")]
    )
    return None if layer is None else blanked(model, layer.first, layer.last)


@kind
def duplicate_port_id(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, [g for g in model.layers if len(g.inputs) > 1])
    return (
        None
        if layer is None
        else with_attribute(model, layer.inputs[1][0], "id", lambda _: "0")
    )


@kind
def port_deleted(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, [g for g in model.layers if len(g.inputs) > 1])
    return None if layer is None else blanked(model, *chance.choice(layer.inputs))


@kind
def output_dim_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(
        chance, [g for g in model.family() if g.outputs and model.dims(g.outputs[0])]
    )
    if layer is None:
        return None
    return replaced(
        model, chance.choice(model.dims(layer.outputs[0])), "<dim>[^<]*<", "<dim>77<"
    )


@kind
def input_dim_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, [g for g in model.family() if model.dims(g.inputs[0])])
    if layer is None:
        return None
    return replaced(
        model, chance.choice(model.dims(layer.inputs[0])), "<dim>[^<]*<", "<dim>77<"
    )


@kind
def dim_deleted(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(
        chance, [g for g in model.family() if g.outputs and model.dims(g.outputs[0])]
    )
    if layer is None:
        return None
    number = chance.choice(model.dims(layer.outputs[0]))
    return blanked(model, number, number)


@kind
def dim_text_bad(model: ModelText, chance: random.Random) -> Touched:
    if (dim := random_dim(model, chance)) is None:
        return None
    return replaced(
        model, dim, "<dim>[^<]*<", f"<dim>{chance.choice(['x', '', '3.5', '-7', '?'])}<"
    )


@kind
def output_precision_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, [g for g in model.family() if g.outputs])
    if layer is None:
        return None
    return with_attribute(
        model,
        layer.outputs[0][0],
        "precision",
        lambda text: OTHER_PRECISION.get(text, "I8"),
    )


@kind
def input_precision_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, model.family())
    if layer is None:
        return None
    return with_attribute(
        model,
        layer.inputs[0][0],
        "precision",
        lambda text: OTHER_PRECISION.get(text, "I8"),
    )


@kind
def precision_misspelt(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, [g for g in model.layers if g.outputs])
    return (
        None
        if layer is None
        else with_attribute(
            model, layer.outputs[0][0], "precision", lambda text: text + "x"
        )
    )
