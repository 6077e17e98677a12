"""The making of fixes: byte edits that bring the text into line with what is known.

Rules hand out closures that call this, so it is loaded only when a fix is asked for.
"""

from collections.abc import Callable, Container, Sequence

from ovgather.ir.edit.port_text import is_plain
from ovgather.ir.graph import Layer
from ovgather.ir.positions import Element, Span
from ovgather.ir.text import Edit, Source
from ovgather.layers.tensors import dims_shape
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import PartialShape
from ovgather.validation.diagnostic import Fix
from ovgather.validation.facts.axis_evidence import AxisDoubt
from ovgather.validation.facts.file_facts import FileFacts
from ovgather.validation.facts.sound import TrustedFacts

_MOST_SPACE = 1 << 10  # bytes before a dim that are taken out with it


class FixBuilder(TrustedFacts):
    """Makes the fixes of one file."""

    def __init__(
        self, facts: FileFacts, axis_doubts: Container[int], source: Source, element: Callable[[Layer], Element]
    ) -> None:
        super().__init__(facts, axis_doubts)
        self.source = source
        self.element = element

    def dims(self, shape: PartialShape | None) -> list[int] | None:
        """The dims of a port of ``shape``: -1 for a dynamic dim; None for a dynamic rank."""
        if shape is None or shape.rank is None:
            return None
        return [dim.length if dim.is_static else -1 for dim in shape]

    def replaced(self, span: Span, text: str, what: str, safe: bool = True) -> Fix | None:
        """Replaces ``span`` of the parsed text by ``text``; empty quotes stay."""
        old = self.source.data[slice(*span)]
        new = text.encode()
        if old in (b'""', b"''"):
            new = old[:1] + new + old[1:]
        return self._fix([(span, new)], what, safe)

    def exchanged(self, first: Span, second: Span, what: str, safe: bool) -> Fix | None:
        """Exchanges ``first`` and ``second`` of the parsed text."""
        data = self.source.data
        return self._fix([(first, data[slice(*second)]), (second, data[slice(*first)])], what, safe)

    def value(self, element: Element, name: str, text: str, what: str, safe: bool = True) -> Fix | None:
        """Attribute ``name`` of ``element`` gets the value ``text``."""
        span = element.attribute_span(name)
        return None if span == element.name_span else self.replaced(span, text, what, safe)

    def stated(self, doubt: AxisDoubt) -> Fix | None:
        """The attribute gets the one value that explains the declared output."""
        gather, (candidate, *others) = doubt.gather, doubt.candidates
        if others or (candidate.attribute == "axis" and gather.operation.takes_axis):
            return None
        return self._attribute(gather.layer, candidate.attribute, str(candidate.value))

    def _attribute(self, layer: Layer, name: str, text: str) -> Fix | None:
        """``<data>`` of the layer gives ``name`` the value ``text``, which changes what OpenVINO computes."""
        element = self.element(layer)
        data, what = element.first("data"), f"{name} is {text}"
        if data is None:
            at = element.tag_span[1]
            if self.source.data.endswith(b"/>", element.start, at):
                return None
            port = element.first("input")
            space = self._space_before(element, port) if port is not None else b""
            return self._fix([((at, at), space + f'<data {name}="{text}"/>'.encode())], what, False)
        if name in data.attributes:
            return self.value(data, name, text, what, False)
        at = data.name_span[1]
        return self._fix([((at, at), f' {name}="{text}"'.encode())], what, False)

    def renamed(self, element: Element, name: str, right: str, safe: bool = True) -> Fix | None:
        """Attribute ``name`` of ``element`` is called ``right``, unless there is one already."""
        span = element.attribute_span(name, "name")
        if span == element.name_span or element.attribute_span(right, "name") != element.name_span:
            return None
        return self.replaced(span, right, f"`{name}` is now `{right}`", safe)

    def precision(self, layer: Layer, side: str, index: int, kind: ElementType) -> Fix | None:
        """A port gets the precision ``kind``, in the vocabulary that it uses."""
        port = self.element(layer).ports(side)[index]
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
        lengths = self.dims(shape)
        ports = self.element(layer).ports(side)
        if lengths is None or shape is None or index >= len(ports):
            return None
        port = ports[index]
        elements = port.named("dim")
        dims = (layer.inputs if side == "input" else layer.outputs)[index].dims
        if not elements or len(elements) != len(dims):
            return None
        same = len(elements) == len(lengths)
        edits = []
        for at, (dim, length) in enumerate(zip(elements, lengths, strict=False)):
            fits = shape[at].compatible(dims_shape((dims[at],))[0]) if same else dims[at] == length
            if not fits and (edit := self._dim_edit(dim, length)):
                edits.append(edit)
        if len(elements) > len(lengths):  # a dim goes with the space before it
            starts = [dim.start - len(self._space_before(port, dim)) for dim in elements]
            ends = map(self._end, elements)
            edits += [(span, b"") for span in list(zip(starts, ends, strict=True))[len(lengths) :]]
        elif not same:  # a dim comes with the space of the last
            space = self._space_before(port, elements[-1])
            text = b"".join(b"%s<dim>%d</dim>" % (space, length) for length in lengths[len(elements) :])
            edits.append(((self._end(elements[-1]),) * 2, text))
        spelling = ",".join("?" if dim < 0 else str(dim) for dim in lengths)
        return self._fix(edits, f"{side} port {index} is [{spelling}]")

    def dim(self, element: Element, length: int) -> Fix | None:
        """The ``<dim>`` ``element`` says ``length``."""
        edit = self._dim_edit(element, length)
        return self._fix([edit], f"the dim is {length}") if edit else None

    def _dim_edit(self, dim: Element, length: int) -> tuple[Span, bytes] | None:
        text = str(length).encode()
        if dim.text:
            return (dim.text_span, text) if is_plain(dim) else None
        end = self._end(dim)
        plain = not dim.children and b"<!" not in self.source.data[dim.start : end]
        return ((dim.start, end), b"<dim>" + text + b"</dim>") if plain else None

    def _space_before(self, port: Element, dim: Element) -> bytes:
        before = self.source.data[max(port.start, dim.start - _MOST_SPACE) : dim.start]
        return before[len(before.rstrip()) :]

    def _end(self, element: Element) -> int:
        data = self.source.data
        empty = data.endswith(b"/>", element.start, element.tag_span[1])
        return element.tag_span[1] if empty else data.find(b">", element.end) + 1

    def _fix(self, edits: Sequence[tuple[Span, bytes]], what: str, safe: bool = True) -> Fix | None:
        # Where the text was unescaped first, tags would have to be escaped again.
        if not edits or any(edit.kind == "escape" for edit in self.source.edits):
            return None
        original = self.source.to_original
        spans = [(original(begin), original(end), text) for (begin, end), text in edits]
        return Fix(tuple(Edit(start, end - start, text, what) for start, end, text in spans), what, safe)
