"""The text of a model for single mistakes: what can be edited in it, and the kinds of mistakes by name.

A model is the lines of an ``.xml`` as OpenVINO writes them (one element a line) and the bytes of its ``.bin``. Each
kind of mistake is a function that edits a copy and returns the lines it touched, or None if it has nothing to edit.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

FAMILY = ("Gather", "GatherElements", "GatherND")
_LAYER = re.compile(
    r'<layer id="(\d+)" name="([^"]*)" type="([^"]*)" version="([^"]*)"'
)
_EDGE = re.compile(
    r'<edge from-layer="(\d+)" from-port="(\d+)" to-layer="(\d+)" to-port="(\d+)"'
)
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
            if (number := self.data_line(layer)) is not None
            and re.search(r'shape="\d', self.lines[number])
        ]

    def data_line(self, layer: LayerLines) -> int | None:
        return next(
            (
                n
                for n in range(layer.first, layer.last + 1)
                if self.lines[n].startswith("\t\t\t<data ")
            ),
            None,
        )

    def dims(self, port: tuple[int, int]) -> list[int]:
        return [
            number
            for number in range(port[0], port[1] + 1)
            if _DIM.search(self.lines[number])
        ]

    def source(self, layer: LayerLines, port: int) -> LayerLines | None:
        for _, origin, _, target, into in self.edges:
            if (target, into) == (layer.id, port):
                return self.by_id.get(origin)
        return None

    def edge_into(self, layer: LayerLines, port: int) -> int | None:
        return next(
            (
                n
                for n, _, _, target, into in self.edges
                if (target, into) == (layer.id, port)
            ),
            None,
        )


Touched = set[int] | None
Kind = Callable[[ModelText, random.Random], Touched]
KINDS: dict[str, Kind] = {}
Item = TypeVar("Item")


def kind(function: Kind) -> Kind:
    KINDS[function.__name__] = function
    return function


def replaced(model: ModelText, number: int, pattern: str, text: str) -> Touched:
    line = re.sub(pattern, lambda _: text, model.lines[number], count=1)
    if line == model.lines[number]:
        return None
    model.lines[number] = line
    return {number}


def with_attribute(
    model: ModelText, number: int | None, name: str, change: Callable[[str], str]
) -> Touched:
    if number is None:
        return None
    match = re.search(rf'\b{name}="([^"]*)"', model.lines[number])
    if match is None:
        return None
    return replaced(model, number, rf'\b{name}="[^"]*"', f'{name}="{change(match[1])}"')


def with_data(
    model: ModelText, layer: LayerLines | None, name: str, change: Callable[[str], str]
) -> Touched:
    """Change an attribute of the layer's ``<data>``."""
    return (
        None
        if layer is None
        else with_attribute(model, model.data_line(layer), name, change)
    )


def blanked(model: ModelText, first: int, last: int) -> set[int]:
    """Remove lines, but keep their numbers: blank lines mean nothing."""
    for number in range(first, last + 1):
        model.lines[number] = ""
    return set(range(first, last + 1))


def pick(chance: random.Random, items: list[Item]) -> Item | None:
    return chance.choice(items) if items else None


def random_dim(model: ModelText, chance: random.Random) -> int | None:
    """The line of a dim of any port of any family layer."""
    layer = pick(
        chance,
        [
            g
            for g in model.layers
            if any(model.dims(port) for port in g.inputs + g.outputs)
        ],
    )
    if layer is None:
        return None
    port = chance.choice(
        [port for port in layer.inputs + layer.outputs if model.dims(port)]
    )
    return chance.choice(model.dims(port))


def axis_const(
    model: ModelText, layer: LayerLines
) -> tuple[LayerLines, int, str] | None:
    """The Const of a Gather's axis, its offset, its format."""
    const = model.source(layer, 2)
    if const is None or const.type != "Const":
        return None
    line = model.lines[model.data_line(const)]
    offset, size = (
        int(re.search(rf'{name}="(\d+)"', line)[1]) for name in ("offset", "size")
    )
    return const, offset, "<q" if size == 8 else "<i"
