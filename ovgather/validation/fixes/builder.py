"""The making of fixes: byte edits that bring the text into line with what the rest of the file says, if it is trusted.
Rules hand out closures that call this, so it is loaded only when a fix is asked for.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Sequence
from itertools import islice

from ovgather.forward.sources import without_hidden_symbols
from ovgather.ir.constants import constant
from ovgather.ir.edit.layer_text import dim_edit, dims_edits, is_plain, space_before
from ovgather.ir.graph import Graph, Layer
from ovgather.ir.numbers import leading_integer
from ovgather.ir.positions import Element, Span
from ovgather.ir.text import Edit
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import PortTensor, computed_tensor, dims_shape, is_exact, port_tensor
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.lazy import Table
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape
from ovgather.tensor.tensor import Basis
from ovgather.text import closest
from ovgather.validation.diagnostic import Fix
from ovgather.validation.facts.attributes import is_suspect
from ovgather.validation.facts.axis_evidence import AxisDoubt
from ovgather.validation.facts.edges import is_fed_as_declared, upstream
from ovgather.validation.facts.file_facts import FileFacts
from ovgather.validation.facts.inlets import inlets

_Ends = dict[int, list[int]]
_UNKNOWN = PortTensor(DYNAMIC_RANK, False, None)
_MOST_ALIKE, _MOST = 20, 1000  # outputs with the same dims, and layers before each, that are looked at


class FixBuilder:
    """Makes the fixes of one file; ``axis_doubts``: the layers whose axis is doubtful."""

    def __init__(self, facts: FileFacts, axis_doubts: Container[int], element: Callable[[Layer], Element]) -> None:
        self.facts, self.source, self.element = facts, facts.model.source, element
        self._axis_doubts = axis_doubts
        self._ends, self._outputs = Table(_ends), Table(_outputs)
        self.sound = Table(self._is_sound)
        """Whether no defect of a layer could change its output once it is fixed."""
        bad = {crossing.target.layer for crossing, *_ in inlets(facts.model)}  # what depends on them is misled
        self._misled = Table[Layer, object](lambda at: bad and at.graph.parent and not bad.isdisjoint(upstream(at)))

    def dims(self, shape: PartialShape) -> list[int] | None:
        """The dims of a port of ``shape``: -1 for a dynamic dim; None for a dynamic rank."""
        return None if shape.rank is None else [dim.length if dim.is_static else -1 for dim in shape]

    def replaced(self, span: Span, text: str, what: str, safe: bool = True) -> Fix | None:
        """Replaces ``span`` of the parsed text by ``text``; empty quotes stay."""
        old = self.source.data[slice(*span)]
        new = text.encode()
        if old in (b'""', b"''"):
            new = old[:1] + new + old[1:]
        return self._fix([(span, new)], what, safe)

    def exchanged(self, first: Span, second: Span, what: str, safe: bool) -> Fix | None:
        data = self.source.data
        return self._fix([(first, data[slice(*second)]), (second, data[slice(*first)])], what, safe)

    def value(self, element: Element | None, name: str, text: str, what: str, safe: bool = True) -> Fix | None:
        """Attribute ``name`` of ``element``, if there is one, gets the value ``text``."""
        if element is None or (span := element.attribute_span(name)) == element.name_span:
            return None
        return self.replaced(span, text, what, safe)

    def stated(self, doubt: AxisDoubt) -> Fix | None:
        """``<data>`` says the one value that explains the declared output, which changes what OpenVINO computes."""
        gather, ((name, value), *others) = doubt.gather, doubt.candidates
        is_fed = self._is_wired(gather) and is_fed_as_declared(gather.layer) and not self._misled[gather.layer]
        if others or not is_fed or (name == "axis" and gather.operation.takes_axis):
            return None
        element, text, what = self.element(gather.layer), str(value), f"{name} is {value}"
        data = element.first("data")
        if data is None:
            at = element.tag_span[1]
            if self.source.data.endswith(b"/>", element.start, at):
                return None
            port = element.first("input")
            space = space_before(element, port) if port is not None else b""
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

    def precision(self, layer: Layer, side: str, index: int, kind: ElementType | None) -> Fix | None:
        """A port gets the precision ``kind``, if that is known, in the vocabulary that it uses."""
        if kind is None or kind.name == "dynamic":
            return None
        port = self.element(layer).ports(side)[index]
        written = port.attributes.get("precision")
        if written is None:
            if close := closest("precision", port.attributes, cutoff=0.7):  # misspelt
                means = element_type.from_port(port.attributes[close])
                return self.renamed(port, close, "precision") if means == kind else None
            at = port.attribute_span("id", "both")[1]
            added = f' precision="{kind.port}"'.encode()
            return self._fix([((at, at), added)], f"{side} port {index} is {kind.port}")
        old = element_type.from_port(written)
        text = kind.name if old is not None and old.name == written else kind.port
        return self.value(port, "precision", text, f"{side} port {index} is {text}")

    def port_dims(self, layer: Layer, side: str, index: int, shape: PartialShape) -> Fix | None:
        """The dims of a port become those of ``shape``; of equally many only those that contradict it."""
        parent, ports = self.element(layer).first(side), self.element(layer).ports(side)
        lengths = self.dims(shape)
        if lengths is None or parent is None or index >= len(ports):
            return None
        elements, dims = ports[index].named("dim"), (layer.inputs if side == "input" else layer.outputs)[index].dims
        if not elements or len(elements) != len(dims) or not all(map(is_plain, elements)):
            return None
        fitting = list(lengths)
        if len(dims) == len(lengths):
            pairs = zip(shape, dims_shape(dims), dims, lengths, strict=True)
            fitting = [old if dim.compatible(declared) else new for dim, declared, old, new in pairs]
        edits = dims_edits(parent, ports[index], fitting)
        spelling = ",".join("?" if dim < 0 else str(dim) for dim in lengths)
        return self._fix(edits, f"{side} port {index} is [{spelling}]")

    def dim(self, element: Element, length: int) -> Fix | None:
        """The ``<dim>`` ``element`` says ``length``."""
        return self._fix([dim_edit(element, length)], f"the dim is {length}") if is_plain(element) else None

    def _fix(self, edits: Sequence[tuple[Span, bytes]], what: str, safe: bool = True) -> Fix | None:
        # Where the text was unescaped first, tags would have to be escaped again.
        if not edits or any(edit.kind == "escape" for edit in self.source.edits):
            return None
        changes = [Edit(begin, end - begin, text, what) for (begin, end), text in edits]
        return Fix(tuple(map(self.source.edit_of_original, changes)), what, safe)

    # -- what the file says of the tensor at a port elsewhere than at the port itself -------------------------------

    def known(self, layer: Layer, side: str, index: int) -> PortTensor:
        """The tensor at a port from the rest of the file; unknown where that is doubtful."""
        if side == "input":
            source = layer.producer(index)
            return _UNKNOWN if source is None or self._misled[source[0]] else self.flowing(*source)
        if index or not self.sound[layer]:
            return _UNKNOWN
        if (gather := self.facts.gathers.get(layer.offset)) is not None:
            inferred = PortTensor(gather.inference.shape, True, None) if gather.inference is not None else _UNKNOWN
            kind, source = gather.output_type, gather.sources[0]
            if source is not None and not layer.inputs[0].precision:  # the producer's port alone is not enough
                kind = self.known(source[0], "output", source[1]).element_type
            return inferred._replace(element_type=kind)
        return self._computed(layer)

    def _computed(self, layer: Layer) -> PortTensor:
        """What a layer of another type computes from Parameters and Consts."""
        tensor = computed_tensor(self.facts.forward, (layer, 0))
        if tensor is None or tensor.basis is not Basis.COMPUTED:
            return _UNKNOWN
        return PortTensor(without_hidden_symbols(tensor.shape), True, element_type.find(tensor.element_type))

    def flowing(self, layer: Layer, index: int) -> PortTensor:
        """The tensor of an output port: the known facts, else the declared ones."""
        facts, port = self.known(layer, "output", index), port_tensor(layer.outputs[index])
        flowing = facts if facts.certain else port
        return flowing._replace(element_type=facts.element_type or port.element_type)

    def fed(self, layer: Layer, index: int) -> PortTensor:
        """What flows into an input, as far as the producer's port is not alone in saying so; unknown if an output of
        a layer that may precede is exactly what the input port says: then the edge may be wrong."""
        source, port = layer.producer(index), layer.inputs[index]
        alike = self._outputs[layer.graph].get((port.dims, port.precision), [])
        is_doubtful = len(alike) > _MOST_ALIKE or any(layer not in islice(upstream(each), _MOST) for each in alike)
        if source is None or is_doubtful or not self._takes(layer, index) or not self.sound[source[0]]:
            return _UNKNOWN
        others = self.facts.consumers[source[0].offset, source[1]]
        witnesses = [port_tensor(other.inputs[at]) for other, at in others if (other, at) != (layer, index)]
        witnesses.append(self.known(source[0], "output", source[1]))
        declared, shapes = port_tensor(source[0].outputs[source[1]]), [each.shape for each in witnesses if each.certain]
        agreed = bool(shapes) and all(is_exact(shape, declared.shape) for shape in shapes)
        same_type = {each.element_type for each in witnesses} - {None} == {declared.element_type}
        return (declared if agreed else _UNKNOWN)._replace(element_type=declared.element_type if same_type else None)

    def _is_sound(self, layer: Layer) -> bool:
        if len(layer.graph.rows) != len(layer.graph.ids) or self._misled[layer]:
            return False  # edges lead to the last of the layers with an id, whichever was meant
        if (gather := self.facts.gathers.get(layer.offset)) is not None:
            sources = layer.graph.producers(layer)
            certain = all(self.sound[source[0]] for source in sources if source and source[0].type == "Const")
            is_fed = self._is_wired(gather) and is_fed_as_declared(layer)
            return certain and is_fed and self._is_readable(gather) and not _errors(gather)
        if layer.type == "Const":
            const = constant(layer, self.facts.model.weights)
            return const is not None and const.fits and self._suits(layer)
        suits = layer.type != "Parameter" or ("shape" in layer.data and self._suits(layer))
        return suits and is_fed_as_declared(layer)

    def _is_wired(self, gather: GatherLayer) -> bool:
        """Whether each input port is fed by one edge, and the ids are in order."""
        numbers = [port.id for port in gather.layer.inputs]
        right = len(numbers) == len(gather.operation.inputs) and numbers == sorted({*numbers})
        return right and (self.facts.model.snippet or self._fed(gather.layer) == numbers)

    def _is_readable(self, gather: GatherLayer) -> bool:
        """Whether OpenVINO reads all attributes, none is missing, and the ports do not contradict the axis."""
        if gather.layer.offset in self._axis_doubts:
            return False
        for attribute in gather.operation.attributes:
            text = gather.layer.data.get(attribute.name)
            if attribute.required if text is None else leading_integer(text, sign="-") is None:
                return False
        return not is_suspect(self.facts, gather)

    def _suits(self, layer: Layer) -> bool:
        """Whether the declared outputs of ``layer`` suit the Gather layers that read them."""
        consumers = map(layer.graph.with_id, self._ends[layer.graph][1].get(layer.id, ()))
        gathers = (self.facts.gathers.get(consumer.offset) for consumer in consumers if consumer is not None)
        return not any(gather is not None and _errors(gather) for gather in gathers)

    def _takes(self, layer: Layer, index: int) -> bool:
        """Whether exactly one edge feeds input ``index``, and the layer can do with what flows in."""
        gather = self.facts.gathers.get(layer.offset)
        once = self._fed(layer).count(layer.inputs[index].id) == 1
        return once and (gather is None or (self._is_wired(gather) and not _errors(gather)))

    def _fed(self, layer: Layer) -> list[int]:
        return sorted(self._ends[layer.graph][0].get(layer.id, ()))


def _outputs(graph: Graph) -> dict[tuple[tuple[int, ...], str | None], list[Layer]]:
    """The layers with an output of some dims, by these dims alone and with the precision."""
    outputs: dict[tuple[tuple[int, ...], str | None], list[Layer]] = {}
    for layer in graph.layers:
        for port in layer.outputs:
            for precision in {port.precision, None}:
                outputs.setdefault((port.dims, precision), []).append(layer)
    return outputs


def _ends(graph: Graph) -> tuple[_Ends, _Ends]:
    """The input ports that edges feed (twice where two do), and the consumers, each by the id of the layer."""
    # Edges that ``FileFacts.consumers`` leaves out, to a missing port or the first of two into one, count as well: they
    # may be right once the file is fixed.
    sources, consumers = defaultdict(list), defaultdict(list)
    for edge in graph.edges:
        sources[edge.to_layer].append(edge.to_port)
        consumers[edge.from_layer].append(edge.to_layer)
    return sources, consumers


def _errors(gather: GatherLayer) -> bool:
    check, types = gather.operation.check, gather.element_types
    return bool(check(gather.shapes, axis=gather.axis, batch_dims=gather.batch_dims, element_types=types))
