"""Builds fixes: byte edits that make the text agree with the rest of the file.

Rules return closures that call this module, so it is imported only when a fix is needed.
"""

from collections.abc import Callable, Sequence

from ovgather.ir.edit.layer_text import (
    dim_edit,
    dims_edits,
    dims_text,
    insertion,
    is_plain,
)
from ovgather.ir.graph import Layer
from ovgather.ir.numbers import strict_integer
from ovgather.ir.positions import Element, Span
from ovgather.ir.text import Edit
from ovgather.layers.tensors import computed_tensor, dims_shape
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape
from ovgather.tensor.tensor import Tensor
from ovgather.text import closest
from ovgather.validation.diagnostic import Fix
from ovgather.validation.facts.file_facts import FileFacts

_UNKNOWN = Tensor(DYNAMIC_RANK, "dynamic")


class FixBuilder:
    """Makes the fixes of one file."""

    def __init__(self, facts: FileFacts, element: Callable[[Layer], Element]) -> None:
        self.facts = facts
        self.source = facts.model.source
        self.element = element

    def dims(self, shape: PartialShape) -> list[int] | None:
        """The dims of a port of ``shape``: -1 for a dynamic dim; None for a dynamic rank."""
        if shape.rank is None:
            return None
        return [dim.length if dim.is_static else -1 for dim in shape]

    def replaced(
        self, span: Span, text: str, what: str, safe: bool = True
    ) -> Fix | None:
        """Replaces ``span`` of the parsed text by ``text``; empty quotes stay."""
        old = self.source.data[slice(*span)]
        new = text.encode()
        if old in (b'""', b"''"):
            new = old[:1] + new + old[1:]
        return self._fix([(span, new)], what, safe)

    def value(
        self,
        element: Element | None,
        name: str,
        text: str,
        what: str,
        safe: bool = True,
    ) -> Fix | None:
        """Attribute ``name`` of ``element``, if there is one, gets the value ``text``."""
        if (
            element is None
            or (span := element.attribute_span(name)) == element.name_span
        ):
            return None
        return self.replaced(span, text, what, safe)

    def attribute(self, layer: Layer, name: str, text: str, what: str) -> Fix | None:
        """``<data>``, which may lack the attribute, says ``text``: OpenVINO computes something else then."""
        data = self.element(layer).first("data")
        if data is not None and name in data.attributes:
            return self.value(data, name, text, what, False)
        return self.added(layer, f'{name}="{text}"', what)

    def added(self, layer: Layer, attributes: str, what: str) -> Fix | None:
        """``<data>`` has ``attributes`` that it lacks: OpenVINO computes something else then."""
        element = self.element(layer)
        data = element.first("data")
        if data is not None:
            at = data.name_span[1]
            change = (at, at), f" {attributes}".encode()
        else:
            change = insertion(
                element, element.content, 0, f"<data {attributes}/>".encode()
            )
        return self._fix([change], what, False)

    def dims_as_elements(self, port: Element) -> Fix | None:
        """The attribute ``dims`` of ``port`` is elements in it."""
        dims = [each.strip() for each in port.attributes["dims"].split(",")]
        if any(strict_integer(each) is None for each in dims):
            return None
        begin, end = port.attribute_span("dims", "both")
        tag_end = port.tag_span[1]
        added = "".join([f"<dim>{each}</dim>" for each in dims]).encode()
        place = (tag_end, tag_end)
        if self.source.data.endswith(b"/>", *port.tag_span):
            place = (tag_end - 2, tag_end)
            added = b">%b</port>" % added
        changes = [((begin - 1, end), b""), (place, added)]
        return self._fix(changes, "the dims are elements of the port", False)

    def into_data(self, layer: Layer, name: str) -> Fix | None:
        """Attribute ``name`` of ``<layer>`` stands in ``<data>``, in small letters."""
        element = self.element(layer)
        begin, end = element.attribute_span(name, "both")
        what = f"{name.lower()} stands in <data>"
        added = self.attribute(layer, name.lower(), element.attributes[name], what)
        removed = self.replaced((begin - 1, end), "", what)
        if added is None or removed is None:
            return None
        return added._replace(edits=(*removed.edits, *added.edits))

    def renamed(
        self, element: Element, name: str, right: str, safe: bool = True
    ) -> Fix | None:
        """Attribute ``name`` of ``element`` is called ``right``, unless there is one already."""
        span = element.attribute_span(name, "name")
        if (
            span == element.name_span
            or element.attribute_span(right, "name") != element.name_span
        ):
            return None
        return self.replaced(span, right, f"`{name}` is now `{right}`", safe)

    def renamed_element(self, element: Element, right: str) -> Fix | None:
        """``element`` has the name ``right``; OpenVINO ignored it before."""
        begin, end = element.name_span
        edits = [(element.name_span, right.encode())]
        if not self.source.data.endswith(b"/>", *element.tag_span):
            edits.append(
                ((element.end + 2, element.end + 2 + end - begin), right.encode())
            )
        return self._fix(edits, f"<{element.name}> is <{right}>", False)

    def precision(
        self, layer: Layer, side: str, index: int, kind: ElementType | None
    ) -> Fix | None:
        """A port gets the precision ``kind``, if that is known, in the vocabulary that it uses."""
        if kind is None or kind.name == "dynamic":
            return None
        port = self.element(layer).ports(side)[index]
        written = port.attributes.get("precision")
        if written is None:
            if close := closest("precision", port.attributes, cutoff=0.7):  # misspelt
                means = element_type.from_port(port.attributes[close])
                if means == kind:
                    return self.renamed(port, close, "precision")
                return None
            at = port.attribute_span("id", "both")[1]
            added = f' precision="{kind.port}"'.encode()
            return self._fix([((at, at), added)], f"{side} port {index} is {kind.port}")
        old = element_type.from_port(written)
        if old is not None and old.name == written:
            text = kind.name
        else:
            text = kind.port
        return self.value(port, "precision", text, f"{side} port {index} is {text}")

    def port_dims(
        self, layer: Layer, side: str, index: int, shape: PartialShape
    ) -> Fix | None:
        """The dims of a port become those of ``shape``; of equally many only those that contradict it."""
        parent = self.element(layer).first(side)
        ports = self.element(layer).ports(side)
        lengths = self.dims(shape)
        if lengths is None or parent is None or index >= len(ports):
            return None
        elements = ports[index].named("dim")
        dims = (layer.inputs if side == "input" else layer.outputs)[index].dims
        if (
            not elements
            or len(elements) != len(dims)
            or not all(map(is_plain, elements))
        ):
            return None
        fitting = list(lengths)
        if len(dims) == len(lengths):
            pairs = zip(shape, dims_shape(dims), dims, lengths, strict=True)
            fitting = [
                old if dim.compatible(declared) else new
                for dim, declared, old, new in pairs
            ]
        edits = dims_edits(parent, ports[index], fitting)
        spelling = dims_text(lengths)
        return self._fix(edits, f"{side} port {index} is [{spelling}]")

    def dim(self, element: Element, length: int) -> Fix | None:
        """The ``<dim>`` ``element`` says ``length``."""
        if is_plain(element):
            return self._fix([dim_edit(element, length)], f"the dim is {length}")
        return None

    def _fix(
        self, edits: Sequence[tuple[Span, bytes]], what: str, safe: bool = True
    ) -> Fix | None:
        # Where the text was unescaped first, tags would have to be escaped again.
        if not edits or any(edit.kind == "escape" for edit in self.source.edits):
            return None
        changes = [Edit(begin, end - begin, text, what) for (begin, end), text in edits]
        return Fix(tuple(map(self.source.edit_of_original, changes)), what, safe)

    def tensor(self, layer: Layer, side: str, index: int) -> Tensor:
        """The tensor at a port, from the rest of the file."""
        if side == "input":
            source = layer.producer(index)
        else:
            source = (layer, index)
        return computed_tensor(self.facts.forward, source) or _UNKNOWN
