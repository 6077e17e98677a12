"""``openvino.Model`` -> Model: the text as OpenVINO writes it, and the constants where they lie in memory.

OpenVINO writes the weights to the null device: nothing of a constant is copied or stored. The ``.bin`` is one that is
read part by part: each Const has a range of its own in it, behind those before it.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ovgather.ir.constants import Weights
from ovgather.ir.edit.edits import Held
from ovgather.ir.model import Model
from ovgather.ir.read import read_held
from ovgather.tensor.foreign import openvino_package
from ovgather.tensor.shape import Dimension, PartialShape

_PLACE = re.compile(
    rb'(<data element_type="[^"]*" shape="[^"]*") offset="\d+" size="\d+"'
)
"""Where the values of a Const are, as OpenVINO writes it: each at 0, for the null device has no positions."""


def model_of(source: Any, path: str) -> Model:
    """The model of an ``openvino.Model``, which messages call ``path``."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.xml"
        openvino_package().serialize(source, file, os.devnull)
        text = file.read_bytes()
    held = _HeldConstants()
    text = _PLACE.sub(held.placed(_constants(source)), text)
    model = read_held(Held(text, path), Weights(part=held.part, size=held.size))
    model.has_lines = False
    shapes = _symbolic_shapes(source.get_parameters())
    model.symbols = {model.graph.offsets[row]: shape for row, shape in shapes.items()}
    return model


def _symbolic_shapes(parameters: Iterable[Any]) -> dict[int, PartialShape]:
    """The shapes of Parameters in which dims have symbols; these have no names in OpenVINO: here ``s0``, ``s1``."""
    symbols: list[Any] = []
    shapes: dict[int, PartialShape] = {}
    for row, parameter in enumerate(parameters):
        shape = parameter.get_partial_shape()
        if shape.rank.is_dynamic:
            dims = []
        else:
            dims = [*shape]
        names: list[str | None] = []
        for dim in dims:
            if dim.is_static or not dim.has_symbol():
                names.append(None)
                continue
            symbol = dim.get_symbol()
            if symbol not in symbols:
                symbols.append(symbol)
            names.append(f"s{symbols.index(symbol)}")
        if any(names):
            known = PartialShape.of(shape)
            pairs = zip(known, names, strict=True)
            shapes[row] = PartialShape(
                tuple([Dimension(dim.min, dim.max, symbol=name) for dim, name in pairs])
            )
    return shapes


def _constants(model: Any) -> Iterator[Any]:
    """The Constants of a model and of all bodies, in the order of the text."""
    for node in model.get_ordered_ops():
        kind = node.get_type_name()
        if kind == "Constant":
            yield node
        elif kind == "If":
            for place in range(2):
                yield from _constants(node.get_function(place))
        elif kind in ("Loop", "TensorIterator"):
            yield from _constants(node.get_function())


class _HeldConstants:
    """The bytes of constants, with where each begins in a ``.bin`` that nobody writes."""

    def __init__(self) -> None:
        self.size = 0
        self._views: list[memoryview] = []
        self._starts: list[int] = []
        self._offsets: dict[tuple[int, int], int] = {}

    def placed(self, constants: Iterator[Any]) -> Callable[[re.Match[bytes]], bytes]:
        """What gives the place of the next constant."""

        def place(match: re.Match[bytes]) -> bytes:
            offset, size = self._put(next(constants))
            return match[1] + b' offset="%d" size="%d"' % (offset, size)

        return place

    def _put(self, node: Any) -> tuple[int, int]:
        """Offset and size of the elements of a Constant; those at one address are one."""
        if node.get_element_type().get_type_name() == "string":
            from ovgather.tensor.packing import pack_strings  # ``data`` has none

            texts = node.get_value_strings()
            view = memoryview(
                pack_strings(text.encode("utf-8", "surrogateescape") for text in texts)
            )
            key = (len(self._views), -1)
        else:
            flat = node.data.reshape(-1)
            view = memoryview(flat.view("u1") if flat.size else b"")
            key = (flat.__array_interface__["data"][0], len(view))
        if not view:  # OpenVINO writes a byte
            view = memoryview(b"\0")
        if key not in self._offsets:
            self._offsets[key] = self.size
            self._starts.append(self.size)
            self._views.append(view)
            self.size += len(view)
        return self._offsets[key], len(view)

    def part(self, offset: int, size: int) -> memoryview:
        parts = []
        index = bisect_right(self._starts, offset) - 1
        while size > 0:
            start = offset - self._starts[index]
            parts.append(self._views[index][start : start + size])
            size -= len(parts[-1])
            offset += len(parts[-1])
            index += 1
        if len(parts) == 1:
            return parts[0]
        return memoryview(b"".join(parts))
