"""Single mistakes in real models: one edit of a healthy file, as people and scripts make them.

A model is the lines of an ``.xml`` as OpenVINO writes them (one element a line) and the bytes of its ``.bin``. Each
kind of mistake is a function that edits a copy and returns the lines it touched, or None if it has nothing to edit.
"""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

OTHER_PRECISION = {"FP32": "I32", "FP16": "FP32", "I64": "FP32", "I32": "FP32", "BOOL": "I64", "U8": "I32"}
OTHER_TYPE = {"i64": "i32", "i32": "i64", "f32": "f16", "f16": "f32", "boolean": "i32", "u8": "i64"}
FAMILY = ("Gather", "GatherElements", "GatherND")
_LAYER = re.compile(r'<layer id="(\d+)" name="([^"]*)" type="([^"]*)" version="([^"]*)"')
_EDGE = re.compile(r'<edge from-layer="(\d+)" from-port="(\d+)" to-layer="(\d+)" to-port="(\d+)"')
_DIM = re.compile(r"<dim>([^<]*)</dim>")


@dataclass
class LayerLines:
    """A layer of the main graph: its first and last line, and its ports as ranges of lines."""

    id: int
    name: str
    type: str
    first: int
    last: int
    inputs: list[tuple[int, int]] = field(default_factory=list)
    outputs: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class ModelText:
    """The lines of an ``.xml``, the bytes of the ``.bin``, and what stands where."""

    lines: list[str]
    weights: bytearray

    def __post_init__(self) -> None:
        self.layers = list(self._layers())
        self.by_id = {layer.id: layer for layer in self.layers}
        self.edges = [
            (number, *map(int, match.groups()))
            for number, line in enumerate(self.lines)
            if line.startswith("\t\t<edge ") and (match := _EDGE.search(line))
        ]

    def _layers(self) -> Iterator[LayerLines]:
        """Only layers of the main graph: two tabs."""
        layer, side, start = None, None, 0
        for number, line in enumerate(self.lines):
            if line.startswith("\t\t<layer ") and (match := _LAYER.search(line)):
                layer = LayerLines(int(match[1]), match[2], match[3], number, number)
                if line.rstrip().endswith("/>"):
                    yield layer
                    layer = None
            elif layer is None:
                continue
            elif line.startswith("\t\t</layer>"):
                layer.last = number
                yield layer
                layer = None
            elif line.startswith("\t\t\t<input>"):
                side = layer.inputs
            elif line.startswith("\t\t\t<output>"):
                side = layer.outputs
            elif side is not None and line.startswith("\t\t\t\t<port "):
                start = number
                if line.rstrip().endswith("/>"):
                    side.append((number, number))
            elif side is not None and line.startswith("\t\t\t\t</port>"):
                side.append((start, number))

    def family(self) -> list[LayerLines]:
        return [layer for layer in self.layers if layer.type in FAMILY]

    def of_type(self, *types: str) -> list[LayerLines]:
        return [layer for layer in self.layers if layer.type in types]

    def shaped_constants(self) -> list[LayerLines]:
        """The Consts that are no scalars."""
        return [
            layer
            for layer in self.of_type("Const")
            if (number := self.data_line(layer)) is not None and re.search(r'shape="\d', self.lines[number])
        ]

    def data_line(self, layer: LayerLines) -> int | None:
        return next((n for n in range(layer.first, layer.last + 1) if self.lines[n].startswith("\t\t\t<data ")), None)

    def dims(self, port: tuple[int, int]) -> list[int]:
        return [number for number in range(port[0], port[1] + 1) if _DIM.search(self.lines[number])]

    def source(self, layer: LayerLines, port: int) -> LayerLines | None:
        for _, origin, _, target, into in self.edges:
            if (target, into) == (layer.id, port):
                return self.by_id.get(origin)
        return None

    def edge_into(self, layer: LayerLines, port: int) -> int | None:
        return next((n for n, _, _, target, into in self.edges if (target, into) == (layer.id, port)), None)


Touched = set[int] | None
Kind = Callable[[ModelText, random.Random], Touched]
KINDS: dict[str, Kind] = {}
Item = TypeVar("Item")


def kind(function: Kind) -> Kind:
    KINDS[function.__name__] = function
    return function


def _replace(model: ModelText, number: int, pattern: str, text: str) -> Touched:
    line = re.sub(pattern, lambda _: text, model.lines[number], count=1)
    if line == model.lines[number]:
        return None
    model.lines[number] = line
    return {number}


def _attribute(model: ModelText, number: int | None, name: str, change: Callable[[str], str]) -> Touched:
    if number is None:
        return None
    match = re.search(rf'\b{name}="([^"]*)"', model.lines[number])
    if match is None:
        return None
    return _replace(model, number, rf'\b{name}="[^"]*"', f'{name}="{change(match[1])}"')


def _data(model: ModelText, layer: LayerLines | None, name: str, change: Callable[[str], str]) -> Touched:
    """Change an attribute of the layer's ``<data>``."""
    return None if layer is None else _attribute(model, model.data_line(layer), name, change)


def _blank(model: ModelText, first: int, last: int) -> set[int]:
    """Remove lines, but keep their numbers: blank lines mean nothing."""
    for number in range(first, last + 1):
        model.lines[number] = ""
    return set(range(first, last + 1))


def _pick(chance: random.Random, items: list[Item]) -> Item | None:
    return chance.choice(items) if items else None


def _axis_const(model: ModelText, layer: LayerLines) -> tuple[LayerLines, int, str] | None:
    """The Const of a Gather's axis, its offset, its format."""
    const = model.source(layer, 2)
    if const is None or const.type != "Const":
        return None
    line = model.lines[model.data_line(const)]
    offset, size = (int(re.search(rf'{name}="(\d+)"', line)[1]) for name in ("offset", "size"))
    return const, offset, "<q" if size == 8 else "<i"


@kind
def axis_const_changed(model: ModelText, chance: random.Random) -> Touched:
    gathers = [g for g in model.of_type("Gather") if _axis_const(model, g) and len(model.dims(g.inputs[0])) > 1]
    gather = _pick(chance, gathers)
    if gather is None:
        return None
    _, offset, form = _axis_const(model, gather)
    axis = struct.unpack_from(form, model.weights, offset)[0]
    rank = len(model.dims(gather.inputs[0]))
    struct.pack_into(form, model.weights, offset, chance.choice([a for a in range(rank) if a != axis % rank]))
    return set()


@kind
def axis_attribute_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.of_type("GatherElements") if len(model.dims(g.inputs[0])) > 1])
    if layer is None:
        return None
    rank = len(model.dims(layer.inputs[0]))
    number = model.data_line(layer)
    axis = int(re.search(r'axis="(-?\d+)"', model.lines[number])[1])
    return _attribute(model, number, "axis", lambda _: str(chance.choice([a for a in range(rank) if a != axis % rank])))


@kind
def axis_out_of_range(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, model.of_type("GatherElements"))
    return _data(model, layer, "axis", lambda _: "7")


@kind
def axis_attribute_deleted(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, model.of_type("GatherElements"))
    return None if layer is None else _blank(model, model.data_line(layer), model.data_line(layer))


@kind
def data_capitalised(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.family() if model.data_line(g)])
    return None if layer is None else _replace(model, model.data_line(layer), "<data ", "<Data ")


@kind
def attribute_misspelt(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.family() if model.data_line(g)])
    if layer is None:
        return None
    number = model.data_line(layer)
    name = re.search(r"(axis|batch_dims)=", model.lines[number])[1]
    return _replace(model, number, f"{name}=", chance.choice([name.title(), name + "s", name[:-1]]) + "=")


@kind
def batch_dims_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.of_type("Gather", "GatherND") if model.data_line(g)])
    return (
        None
        if layer is None
        else _attribute(model, model.data_line(layer), "batch_dims", lambda text: str(int(text) + 1))
    )


@kind
def const_shape_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(
        chance, [c for c in model.of_type("Const") if re.search(r'shape="\d', model.lines[model.data_line(c)])]
    )
    return _data(model, layer, "shape", lambda text: "3, " + text)


@kind
def const_dim_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(
        chance, [c for c in model.of_type("Const") if re.search(r'shape="\d', model.lines[model.data_line(c)])]
    )
    return (
        None
        if layer is None
        else _attribute(
            model, model.data_line(layer), "shape", lambda text: re.sub(r"^\d+", lambda m: str(int(m[0]) + 1), text)
        )
    )


@kind
def const_type_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, model.of_type("Const"))
    return (
        None
        if layer is None
        else _attribute(model, model.data_line(layer), "element_type", lambda text: OTHER_TYPE.get(text, "i64"))
    )


@kind
def const_offset_beyond(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, model.of_type("Const"))
    return (
        None
        if layer is None
        else _attribute(model, model.data_line(layer), "offset", lambda _: str(len(model.weights) + 64))
    )


@kind
def const_size_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, model.of_type("Const"))
    return _data(model, layer, "size", lambda text: str(int(text) + 4))


@kind
def duplicate_layer_id(model: ModelText, chance: random.Random) -> Touched:
    first, second = chance.sample(model.layers, 2)
    return _attribute(model, first.first, "id", lambda _: str(second.id))


@kind
def edge_to_missing_port(model: ModelText, chance: random.Random) -> Touched:
    return _attribute(model, chance.choice(model.edges)[0], "to-port", lambda _: "9")


@kind
def edge_from_missing_port(model: ModelText, chance: random.Random) -> Touched:
    return _attribute(model, chance.choice(model.edges)[0], "from-port", lambda _: "9")


@kind
def edge_to_other_port(model: ModelText, chance: random.Random) -> Touched:
    edges = [e for e in model.edges if e[3] in model.by_id and len(model.by_id[e[3]].inputs) > 1]
    edge = _pick(chance, edges)
    if edge is None:
        return None
    ports = [p for p in range(len(model.by_id[edge[3]].inputs)) if p != edge[4]]
    return _attribute(model, edge[0], "to-port", lambda _: str(chance.choice(ports)))


@kind
def edge_to_unknown_layer(model: ModelText, chance: random.Random) -> Touched:
    return _attribute(model, chance.choice(model.edges)[0], "to-layer", lambda _: "99999")


@kind
def edge_from_unknown_layer(model: ModelText, chance: random.Random) -> Touched:
    return _attribute(model, chance.choice(model.edges)[0], "from-layer", lambda _: "99999")


@kind
def edge_deleted(model: ModelText, chance: random.Random) -> Touched:
    number = chance.choice(model.edges)[0]
    return _blank(model, number, number)


@kind
def edge_of_axis_deleted(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.of_type("Gather") if model.edge_into(g, 2) is not None])
    return None if layer is None else _blank(model, model.edge_into(layer, 2), model.edge_into(layer, 2))


@kind
def edge_duplicated(model: ModelText, chance: random.Random) -> Touched:
    number = chance.choice(model.edges)[0]
    model.lines[number] += "\n" + model.lines[number]
    return {number}


@kind
def inputs_swapped(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.family() if len(g.inputs) > 1])
    if layer is None:
        return None
    first, second = model.edge_into(layer, 0), model.edge_into(layer, 1)
    return (_attribute(model, first, "to-port", lambda _: "1") or set()) | (
        _attribute(model, second, "to-port", lambda _: "0") or set()
    )


@kind
def cycle(model: ModelText, chance: random.Random) -> Touched:
    layers = [g for g in model.layers if g.inputs and g.outputs and model.edge_into(g, 0) is not None]
    layer = _pick(chance, layers)
    if layer is None:
        return None
    targets = [target for _, source, _, target, _ in model.edges if source == layer.id]
    takers = [model.by_id[target] for target in targets if target in model.by_id and model.by_id[target].outputs]
    if not takers:
        return None
    taker = chance.choice(takers)
    port = re.search(r'id="(\d+)"', model.lines[taker.outputs[0][0]])[1]
    number = model.edge_into(layer, 0)
    touched = _attribute(model, number, "from-layer", lambda _: str(taker.id)) or set()
    return touched | (_attribute(model, number, "from-port", lambda _: port) or set())


@kind
def layer_deleted(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.layers if g.type not in ("Parameter", "Result")])
    return None if layer is None else _blank(model, layer.first, layer.last)


@kind
def duplicate_port_id(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.layers if len(g.inputs) > 1])
    return None if layer is None else _attribute(model, layer.inputs[1][0], "id", lambda _: "0")


@kind
def port_deleted(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.layers if len(g.inputs) > 1])
    return None if layer is None else _blank(model, *chance.choice(layer.inputs))


@kind
def output_dim_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.family() if g.outputs and model.dims(g.outputs[0])])
    if layer is None:
        return None
    return _replace(model, chance.choice(model.dims(layer.outputs[0])), "<dim>[^<]*<", "<dim>77<")


@kind
def input_dim_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.family() if model.dims(g.inputs[0])])
    return (
        None
        if layer is None
        else _replace(model, chance.choice(model.dims(layer.inputs[0])), "<dim>[^<]*<", "<dim>77<")
    )


@kind
def dim_deleted(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.family() if g.outputs and model.dims(g.outputs[0])])
    if layer is None:
        return None
    number = chance.choice(model.dims(layer.outputs[0]))
    return _blank(model, number, number)


@kind
def dim_text_bad(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.layers if any(model.dims(port) for port in g.inputs + g.outputs)])
    if layer is None:
        return None
    port = chance.choice([port for port in layer.inputs + layer.outputs if model.dims(port)])
    return _replace(
        model, chance.choice(model.dims(port)), "<dim>[^<]*<", f"<dim>{chance.choice(['x', '', '3.5', '-7', '?'])}<"
    )


@kind
def output_precision_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.family() if g.outputs])
    return (
        None
        if layer is None
        else _attribute(model, layer.outputs[0][0], "precision", lambda text: OTHER_PRECISION.get(text, "I8"))
    )


@kind
def input_precision_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, model.family())
    return (
        None
        if layer is None
        else _attribute(model, layer.inputs[0][0], "precision", lambda text: OTHER_PRECISION.get(text, "I8"))
    )


@kind
def precision_misspelt(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.layers if g.outputs])
    return None if layer is None else _attribute(model, layer.outputs[0][0], "precision", lambda text: text + "x")


@kind
def type_misspelt(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, model.family())
    return (
        None
        if layer is None
        else _attribute(model, layer.first, "type", lambda text: text.lower() if chance.random() < 0.5 else text + "s")
    )


@kind
def type_of_another_operation(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, model.of_type("Gather"))
    if layer is None:
        return None
    return _replace(model, layer.first, 'type="Gather"', f'type="{chance.choice(FAMILY[1:])}"')


@kind
def version_wrong(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, model.family())
    return (
        None
        if layer is None
        else _attribute(model, layer.first, "version", lambda _: chance.choice(["opset2", "opset99", "opset"]))
    )


@kind
def version_deleted(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, model.family())
    return None if layer is None else _replace(model, layer.first, r' version="[^"]*"', "")


@kind
def closing_port_missing(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.layers if g.inputs and g.inputs[0][0] != g.inputs[0][1]])
    return None if layer is None else _blank(model, layer.inputs[0][1], layer.inputs[0][1])


@kind
def closing_layer_missing(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, [g for g in model.layers if g.first != g.last])
    return None if layer is None else _blank(model, layer.last, layer.last)


@kind
def tag_misspelt(model: ModelText, chance: random.Random) -> Touched:
    return _replace(model, chance.choice(model.edges)[0], "<edge ", "<egde ")


@kind
def quote_missing(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, model.layers)
    return None if layer is None else _replace(model, layer.first, r'(?<=type=)"', "")


@kind
def parameter_shape_changed(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, model.of_type("Parameter"))
    return (
        None
        if layer is None
        else _attribute(
            model,
            model.data_line(layer),
            "shape",
            lambda text: text.replace("?", "7", 1) if "?" in text else "9," + text,
        )
    )


@kind
def parameter_type_bad(model: ModelText, chance: random.Random) -> Touched:
    layer = _pick(chance, model.of_type("Parameter"))
    return _data(model, layer, "element_type", lambda _: "float")


@kind
def weights_truncated(model: ModelText, chance: random.Random) -> Touched:
    del model.weights[len(model.weights) // 2 :]
    return set()
