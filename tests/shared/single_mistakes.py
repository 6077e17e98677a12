"""Single mistakes in real models: one edit of a healthy file, as people and scripts make them.

Those in edges and ports are in ``graph_mistakes`` and ``blame_mistakes``.
"""

from __future__ import annotations

import random
import re
import struct

import blame_mistakes  # noqa: F401  their kinds are among KINDS
import graph_mistakes  # noqa: F401
from mistake_text import (
    FAMILY,
    KINDS,
    ModelText,
    Touched,
    axis_const,
    blanked,
    kind,
    pick,
    replaced,
    with_attribute,
    with_data,
)

__all__ = ["KINDS", "ModelText"]
OTHER_TYPE = {
    "i64": "i32",
    "i32": "i64",
    "f32": "f16",
    "f16": "f32",
    "boolean": "i32",
    "u8": "i64",
}


@kind
def axis_const_changed(model: ModelText, chance: random.Random) -> Touched:
    gathers = [
        g
        for g in model.of_type("Gather")
        if axis_const(model, g) and len(model.dims(g.inputs[0])) > 1
    ]
    gather = pick(chance, gathers)
    if gather is None:
        return None
    _, offset, form = axis_const(model, gather)
    axis = struct.unpack_from(form, model.weights, offset)[0]
    rank = len(model.dims(gather.inputs[0]))
    struct.pack_into(
        form,
        model.weights,
        offset,
        chance.choice([a for a in range(rank) if a != axis % rank]),
    )
    return set()


@kind
def axis_attribute_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(
        chance,
        [
            g
            for g in model.of_type("GatherElements")
            if len(model.dims(g.inputs[0])) > 1
        ],
    )
    if layer is None:
        return None
    rank = len(model.dims(layer.inputs[0]))
    number = model.data_line(layer)
    axis = int(re.search(r'axis="(-?\d+)"', model.lines[number])[1])
    return with_attribute(
        model,
        number,
        "axis",
        lambda _: str(chance.choice([a for a in range(rank) if a != axis % rank])),
    )


@kind
def axis_out_of_range(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, model.of_type("GatherElements"))
    return with_data(model, layer, "axis", lambda _: "7")


@kind
def axis_attribute_deleted(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, model.of_type("GatherElements"))
    return (
        None
        if layer is None
        else blanked(model, model.data_line(layer), model.data_line(layer))
    )


@kind
def data_capitalised(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, [g for g in model.family() if model.data_line(g)])
    return (
        None
        if layer is None
        else replaced(model, model.data_line(layer), "<data ", "<Data ")
    )


@kind
def attribute_misspelt(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, [g for g in model.family() if model.data_line(g)])
    if layer is None:
        return None
    number = model.data_line(layer)
    name = re.search(r"(axis|batch_dims)=", model.lines[number])[1]
    return replaced(
        model,
        number,
        f"{name}=",
        chance.choice([name.title(), name + "s", name[:-1]]) + "=",
    )


@kind
def batch_dims_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(
        chance, [g for g in model.of_type("Gather", "GatherND") if model.data_line(g)]
    )
    if layer is None:
        return None
    return with_attribute(
        model, model.data_line(layer), "batch_dims", lambda text: str(int(text) + 1)
    )


@kind
def const_shape_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(
        chance,
        [
            c
            for c in model.of_type("Const")
            if re.search(r'shape="\d', model.lines[model.data_line(c)])
        ],
    )
    return with_data(model, layer, "shape", lambda text: "3, " + text)


@kind
def const_dim_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(
        chance,
        [
            c
            for c in model.of_type("Const")
            if re.search(r'shape="\d', model.lines[model.data_line(c)])
        ],
    )
    if layer is None:
        return None
    return with_attribute(
        model,
        model.data_line(layer),
        "shape",
        lambda text: re.sub(r"^\d+", lambda m: str(int(m[0]) + 1), text),
    )


@kind
def const_type_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, model.of_type("Const"))
    if layer is None:
        return None
    return with_attribute(
        model,
        model.data_line(layer),
        "element_type",
        lambda text: OTHER_TYPE.get(text, "i64"),
    )


@kind
def const_offset_beyond(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, model.of_type("Const"))
    if layer is None:
        return None
    return with_attribute(
        model, model.data_line(layer), "offset", lambda _: str(len(model.weights) + 64)
    )


@kind
def const_size_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, model.of_type("Const"))
    return with_data(model, layer, "size", lambda text: str(int(text) + 4))


@kind
def type_misspelt(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, model.family())
    if layer is None:
        return None
    return with_attribute(
        model,
        layer.first,
        "type",
        lambda text: text.lower() if chance.random() < 0.5 else text + "s",
    )


@kind
def type_of_another_operation(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, model.of_type("Gather"))
    if layer is None:
        return None
    return replaced(
        model, layer.first, 'type="Gather"', f'type="{chance.choice(FAMILY[1:])}"'
    )


@kind
def version_wrong(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, model.family())
    if layer is None:
        return None
    return with_attribute(
        model,
        layer.first,
        "version",
        lambda _: chance.choice(["opset2", "opset99", "opset"]),
    )


@kind
def version_deleted(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, model.family())
    return (
        None if layer is None else replaced(model, layer.first, r' version="[^"]*"', "")
    )


@kind
def closing_port_missing(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(
        chance,
        [g for g in model.layers if g.inputs and g.inputs[0][0] != g.inputs[0][1]],
    )
    return (
        None
        if layer is None
        else blanked(model, layer.inputs[0][1], layer.inputs[0][1])
    )


@kind
def closing_layer_missing(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, [g for g in model.layers if g.first != g.last])
    return None if layer is None else blanked(model, layer.last, layer.last)


@kind
def tag_misspelt(model: ModelText, chance: random.Random) -> Touched:
    return replaced(model, chance.choice(model.edges)[0], "<edge ", "<egde ")


@kind
def quote_missing(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, model.layers)
    return None if layer is None else replaced(model, layer.first, r'(?<=type=)"', "")


@kind
def parameter_shape_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, model.of_type("Parameter"))
    if layer is None:
        return None
    return with_attribute(
        model,
        model.data_line(layer),
        "shape",
        lambda text: text.replace("?", "7", 1) if "?" in text else "9," + text,
    )


@kind
def parameter_type_bad(model: ModelText, chance: random.Random) -> Touched:
    layer = pick(chance, model.of_type("Parameter"))
    return with_data(model, layer, "element_type", lambda _: "float")


@kind
def weights_truncated(model: ModelText, chance: random.Random) -> Touched:
    del model.weights[len(model.weights) // 2 :]
    return set()
