"""Where things stand in the text: the spans of layers, ports, dims, attributes and edges."""

from __future__ import annotations

from ovgather.ir.graph import Edge, Layer
from ovgather.ir.positions import Element, Span, Unread, element_at, tag_at
from ovgather.ir.text import Source

_MOST_ELEMENTS = 1000


class Spans:
    """The spans of one text, in bytes. While findings are only ``counting``, they are no more than a first byte."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.counting = False
        self._elements: dict[int, Element] = {}

    def element(self, layer: Layer) -> Element:
        """The ``<layer>`` element with the places of all that is in it."""
        return self._element(layer.offset)

    def element_at(self, offset: int) -> Element:
        """The element that starts at byte ``offset``; while findings are only counted, nothing of it but that."""
        return Unread("", {}, offset, self.source.data) if self.counting else self._element(offset)

    def _element(self, offset: int) -> Element:
        found = self._elements.get(offset)
        if found is None:
            if len(self._elements) > _MOST_ELEMENTS:
                self._elements.clear()
            found = self._elements[offset] = element_at(self.source, offset)
        return found

    def port_span(
        self, layer: Layer, side: str, index: int, dim: int | None = None, attribute: str | None = None
    ) -> Span:
        """The place of a port, of one of its dims or of an attribute; of the layer's name where there is no port."""
        if self.counting:
            return layer.offset, layer.offset
        element = self.element(layer)
        ports = element.ports(side)
        if index >= len(ports):
            return element.attribute_span("name")
        if dim is not None:
            dims = ports[index].named("dim")
            if dim < len(dims):
                return dims[dim].text_span
        return ports[index].attribute_span(attribute) if attribute is not None else ports[index].name_span

    def data_span(self, layer: Layer, name: str, part: str = "value") -> Span:
        """The place of an attribute of ``<data>``; of ``<data>`` or the layer's name where it is absent."""
        if self.counting:
            return layer.offset, layer.offset
        element = self.element(layer)
        data = element.first("data")
        return data.attribute_span(name, part) if data is not None else element.attribute_span("name")

    def layer_span(self, layer: Layer, attribute: str = "name") -> Span:
        """The place of an attribute of ``<layer>``."""
        if self.counting:
            return layer.offset, layer.offset
        return tag_at(self.source, layer.offset).attribute_span(attribute)

    def edge_span(self, edge: Edge, attribute: str = "") -> Span:
        """The place of an edge, or of one of its attributes."""
        if self.counting:
            return edge.offset, edge.offset
        element = tag_at(self.source, edge.offset)
        return element.attribute_span(attribute) if attribute else element.tag_span
