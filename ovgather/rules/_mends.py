"""The making of fixes: what one file knows of its tensors, and byte edits that bring the text into line with it.

Rules hand out closures that call this, so it is loaded only when a fix is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ovgather import element_type
from ovgather.diagnostics import Fix
from ovgather.element_type import ElementType
from ovgather.ir.constants import constant
from ovgather.ir.model import Layer
from ovgather.ir.positions import Element, Span
from ovgather.ir.source import Edit
from ovgather.layer import GatherLayer
from ovgather.ports import dims_shape, output_tensor, port_tensor
from ovgather.shape import PartialShape

if TYPE_CHECKING:
    from ovgather.rules._file import File

_DECLARING = frozenset({"Parameter", "Const"})
_NUMBER = re.compile(r"\s*\+?([0-9]{1,18})\s*", re.ASCII)


class Known(NamedTuple):
    """What is known of the tensor at a port from elsewhere than the port itself; None: nothing."""

    shape: PartialShape | None
    element_type: ElementType | None


_NOTHING = Known(None, None)


def plain_number(text: str) -> int | None:
    """The number that an id with blanks or a plus sign around it means.

    >>> plain_number(" 02"), plain_number("+2"), plain_number("2.0"), plain_number("-2")
    (2, 2, None, None)
    """
    found = _NUMBER.fullmatch(text)
    return int(found[1]) if found else None


class Mends:
    """Makes the fixes of one file."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.source = file.model.source
        self._feeding: dict[int, dict[int, list[int]]] = {}
        self._views = {view.layer.offset: view for view in file.gather_layers}

    # -- what is known -------------------------------------------------------------------------------------------

    def known(self, layer: Layer, side: str, index: int) -> Known:
        """What the rest of the file says of a port."""
        if side == "input":
            source = layer.producer(index)
            return _NOTHING if source is None else self.flowing(*source)
        view = self._views.get(layer.offset)
        if view is not None:
            return _made(view) if index == 0 and self._sound(view) else _NOTHING
        if layer.type in _DECLARING and index == 0:
            if layer.type == "Const" and not self._fits(layer):
                return _NOTHING
            made = output_tensor(layer, 0)
            kind = element_type.find_data(layer.data.get("element_type", "-"))
            return Known(made.shape if made.certain else None, kind)
        if layer.type == "Convert" and index == 0:
            return Known(None, element_type.find_data(layer.data.get("destination_type", "-")))
        return _NOTHING

    def flowing(self, layer: Layer, index: int) -> Known:
        """What flows out of an output port: what is known of it, else what the port says."""
        known, port = self.known(layer, "output", index), port_tensor(layer.outputs[index])
        shape = port.shape if known.shape is None and port.certain else known.shape
        return Known(shape, known.element_type or port.element_type)

    def _sound(self, view: GatherLayer) -> bool:
        """Whether nothing else is wrong with a layer that would make another output when it is put right."""
        layer = view.layer
        numbers = sorted(port.id for port in layer.inputs)
        wired = len(numbers) == len(view.operation.inputs) and len(set(numbers)) == len(numbers)
        if not wired or (self._fed(layer) != numbers and not self.file.model.snippet):
            return False
        from ovgather.rules.unknown_attribute import is_suspect

        kinds = view.element_types
        return not is_suspect(self.file, view) and not view.operation.check(
            view.shapes, axis=view.axis, batch_dims=view.batch_dims, element_types=kinds
        )

    def fed_once(self, layer: Layer, index: int) -> bool:
        """Whether exactly one edge feeds input ``index``."""
        return self._fed(layer).count(layer.inputs[index].id) == 1

    def _fed(self, layer: Layer) -> list[int]:
        """The input ports of ``layer`` that edges feed, with those that two feed twice."""
        fed = self._feeding.get(id(layer.graph))
        if fed is None:
            fed = self._feeding[id(layer.graph)] = {}
            for edge in layer.graph.edges:
                fed.setdefault(edge.to_layer, []).append(edge.to_port)
        return sorted(fed.get(layer.id, ()))

    def _fits(self, layer: Layer) -> bool:
        """Whether a Const has the bytes that its declaration needs: else that is in doubt, not the port."""
        held = constant(layer, self.file.model.weights)
        return held is not None and (held.element_type.name == "string" or held.size == held.bytes_needed)

    def dims(self, shape: PartialShape | None) -> list[int] | None:
        """How a port spells ``shape``: -1 for every dim that is not static; None for a dynamic rank."""
        if shape is None or shape.rank is None:
            return None
        return [dim.length if dim.is_static else -1 for dim in shape]

    # -- fixes ---------------------------------------------------------------------------------------------------

    def replaced(self, span: Span, text: str, what: str, safe: bool = True) -> Fix | None:
        """What stands at ``span`` of the parsed text becomes ``text``; quotes with nothing between them stay."""
        old = self.source.data[slice(*span)]
        new = text.encode()
        if old in (b'""', b"''"):
            new = old[:1] + new + old[1:]
        return self._fix([(span, new)], what, safe)

    def value(self, element: Element, name: str, text: str, what: str, safe: bool = True) -> Fix | None:
        """Attribute ``name`` of ``element`` gets the value ``text``."""
        span = element.attribute_span(name)
        return None if span == element.name_span else self.replaced(span, text, what, safe)

    def renamed(self, element: Element, name: str, right: str, safe: bool = True) -> Fix | None:
        """Attribute ``name`` of ``element`` is called ``right``, unless there is one already."""
        span = element.attribute_span(name, "name")
        if span == element.name_span or element.attribute_span(right, "name") != element.name_span:
            return None
        return self.replaced(span, right, f"`{name}` is now `{right}`", safe)

    def precision(self, layer: Layer, side: str, index: int, kind: ElementType) -> Fix | None:
        """A port gets the precision ``kind``, in the vocabulary that it uses."""
        port = self.file.element(layer).ports(side)[index]
        written = port.attributes.get("precision")
        if written is None:
            at = port.attribute_span("id", "both")[1]
            added = f' precision="{kind.port}"'.encode()
            return self._fix([((at, at), added)], f"{side} port {index} is {kind.port}")
        old = element_type.from_port(written)
        text = kind.name if old is not None and old.name == written else kind.port
        return self.value(port, "precision", text, f"{side} port {index} is {text}")

    def port_dims(self, layer: Layer, side: str, index: int, shape: PartialShape | None) -> Fix | None:
        """The dims of a port become those of ``shape``; of equally many only those that contradict it."""
        wanted = self.dims(shape)
        ports = self.file.element(layer).ports(side)
        if wanted is None or shape is None or index >= len(ports):
            return None
        port = ports[index]
        written = port.named("dim")
        dims = (layer.inputs if side == "input" else layer.outputs)[index].dims
        if not written or len(written) != len(dims):
            return None
        same = len(written) == len(wanted)
        edits = []
        for at, (dim, length) in enumerate(zip(written, wanted, strict=False)):
            fits = shape[at].compatible(dims_shape((dims[at],))[0]) if same else dims[at] == length
            if not fits and (edit := self._dim_edit(dim, length)):
                edits.append(edit)
        if len(written) > len(wanted):
            edits += self._without(port, written, len(wanted))
        elif not same:
            edits.append(self._with_more(port, written, wanted))
        return self._fix(edits, f"{side} port {index} is {_spelt(wanted)}")

    def dim(self, element: Element, length: int) -> Fix | None:
        """The ``<dim>`` ``element`` says ``length``."""
        edit = self._dim_edit(element, length)
        return self._fix([edit], f"the dim is {length}") if edit else None

    def _dim_edit(self, dim: Element, length: int) -> tuple[Span, bytes] | None:
        text = str(length).encode()
        if dim.text:
            plain = b"<" not in self.source.data[slice(*dim.text_span)]
            return (dim.text_span, text) if plain else None
        end = self._end(dim)
        plain = not dim.children and b"<!" not in self.source.data[dim.start : end]
        return ((dim.start, end), b"<dim>" + text + b"</dim>") if plain else None

    def _without(self, port: Element, dims: Sequence[Element], kept: int) -> list[tuple[Span, bytes]]:
        """The edits that take the dims from number ``kept`` on out, each with the space before it."""
        edits = []
        for dim in dims[kept:]:
            begin = dim.start - len(self._space_before(port, dim))
            edits.append(((begin, self._end(dim)), b""))
        return edits

    def _with_more(self, port: Element, dims: Sequence[Element], wanted: Sequence[int]) -> tuple[Span, bytes]:
        """The edit that adds what is missing, spaced as the last dim is."""
        space = self._space_before(port, dims[-1])
        text = b"".join(space + b"<dim>" + str(length).encode() + b"</dim>" for length in wanted[len(dims) :])
        at = self._end(dims[-1])
        return (at, at), text

    def _space_before(self, port: Element, dim: Element) -> bytes:
        before = self.source.data[port.start : dim.start]
        return before[len(before.rstrip()) :]

    def _end(self, element: Element) -> int:
        """The byte after all of ``element``."""
        if self.source.data.startswith(b"</", element.end):
            return self.source.data.find(b">", element.end) + 1
        return element.tag_span[1]

    def _fix(self, edits: Sequence[tuple[Span, bytes]], what: str, safe: bool = True) -> Fix | None:
        made = []
        for (begin, end), text in edits:
            start, stop = self.source.to_original(begin), self.source.to_original(end)
            made.append(Edit(start, stop - start, text, what))
        # Where the text was unescaped first, tags would have to be escaped again.
        if not made or any(edit.kind == "escape" for edit in self.source.edits):
            return None
        return Fix(tuple(made), what, safe)


def _made(view: GatherLayer) -> Known:
    shape = view.inference.shape if view.inference is not None else None
    return Known(shape, view.output_type)


def _spelt(dims: Sequence[int]) -> str:
    return f"[{','.join('?' if dim < 0 else str(dim) for dim in dims)}]"
