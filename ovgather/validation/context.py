"""A file under check: the model, its family layers, and the making of diagnostics at places in the text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ovgather.ir.constants import Constant, constant
from ovgather.ir.graph import Edge, Graph, Layer, LayerSignature, Problem
from ovgather.ir.model import Model
from ovgather.ir.positions import Element, Span, Unread, element_at, tag_at
from ovgather.layers.followed_shapes import follow
from ovgather.layers.gather_layer import GatherLayer, gather_layers
from ovgather.layers.reference import reference
from ovgather.layers.tensors import Followed
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.facts.edges import Links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ovgather.validation.diagnostic import Fix
    from ovgather.validation.facts.index_bounds import OutOfRange
    from ovgather.validation.facts.majority import PortVotes
    from ovgather.validation.fixes.builder import Mends
    from ovgather.validation.selection.suppression import Suppressions


_ROOTS = frozenset({"Result", "Assign", "Parameter"})
_LONG = 120
_NOT_BUILT = "passes over it: the layer leads to no Result"


class File:
    """What every rule's ``check`` is given."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.counting = False
        """Findings are only counted now: nothing but their severity, and with comments their place, is worked out."""
        self._elements: dict[int, Element] = {}
        self._built: dict[int, set[int]] = {}
        self.problems: dict[str, list[Problem]] = {}
        for problem in model.problems:
            self.problems.setdefault(problem.kind, []).append(problem)

    @cached_property
    def _wired(self) -> tuple[list[GatherLayer], list[GatherLayer]]:
        from ovgather.validation.rules.graph.swapped_inputs import are_swapped

        gathers = list(gather_layers(self.model, self.declared))
        swapped = _of(_grouped(gathers), are_swapped)
        apart = set(swapped)
        return ([gather for gather in gathers if gather not in apart] if swapped else gathers), swapped

    @property
    def gather_layers(self) -> list[GatherLayer]:
        """The family layers whose operation is known, but for those whose inputs are ``swapped``."""
        return self._wired[0]

    @property
    def swapped(self) -> list[GatherLayer]:
        """The family layers whose data and indices are fed to each other's port; nothing else is told of them."""
        return self._wired[1]

    @cached_property
    def gathers(self) -> dict[int, GatherLayer]:
        """The same by the byte where the layer starts."""
        return {gather.layer.offset: gather for gather in self.gather_layers}

    @cached_property
    def graphs(self) -> list[Graph]:
        """The graph of the model and all bodies."""
        return list(self.model.graph.graphs())

    @cached_property
    def layers(self) -> list[Layer]:
        """Every layer, bodies included."""
        return [layer for graph in self.graphs for layer in graph.layers]

    @cached_property
    def signatures(self) -> list[LayerSignature]:
        """What the layers say: each form once."""
        return list(dict.fromkeys([layer.signature for layer in self.layers]))

    @cached_property
    def types(self) -> dict[str, list[LayerSignature]]:
        """The forms by their type."""
        found: dict[str, list[LayerSignature]] = {}
        for signature in self.signatures:
            found.setdefault(signature.type, []).append(signature)
        return found

    def forms_of(self, types: Iterable[str]) -> list[LayerSignature]:
        """The forms of ``types``."""
        known = self.types
        return [signature for type in types for signature in known.get(type, ())]

    def layers_of(self, types: Iterable[str]) -> list[Layer]:
        """The layers of ``types``."""
        return self._layers(set(self.forms_of(types)))

    def layers_where(self, fits: Callable[[LayerSignature], bool], types: Iterable[str] | None = None) -> list[Layer]:
        """The layers, those of ``types`` if these are given, whose form ``fits``: which is asked once of each form."""
        signatures = self.signatures if types is None else self.forms_of(types)
        return self._layers({signature for signature in signatures if fits(signature)})

    def _layers(self, signatures: set[LayerSignature]) -> list[Layer]:
        return [layer for layer in self.layers if layer.signature in signatures] if signatures else []

    @cached_property
    def declared(self) -> dict[LayerSignature, Constant]:
        """The forms of the Consts whose declaration can be read, with what they hold."""
        weights = self.model.weights
        return {
            signature: held
            for signature in self.forms_of(["Const"])
            if (held := constant(signature, weights)) is not None
        }

    @cached_property
    def misfits(self) -> dict[LayerSignature, Constant]:
        """Those of them whose size is not that of their shape."""
        return {signature: held for signature, held in self.declared.items() if not held.fits}

    def constants_where(self, fits: Callable[[Constant], bool]) -> list[tuple[Layer, Constant]]:
        """The Consts whose declaration can be read and ``fits``, with what they hold."""
        return self.constants_of({signature for signature, held in self.declared.items() if fits(held)})

    def constants_of(self, signatures: Iterable[LayerSignature]) -> list[tuple[Layer, Constant]]:
        """The Consts of ``forms``, with what they hold."""
        return [(layer, self.declared[layer.signature]) for layer in self._layers(set(signatures))]

    @cached_property
    def alike(self) -> list[list[GatherLayer]]:
        """The family layers, those that are wired alike (so all that is known of them is the same) together."""
        return _grouped(self.gather_layers)

    def gather_layers_where(self, fits: Callable[[GatherLayer], bool]) -> list[GatherLayer]:
        """The family layers that ``fits``, which is asked once of those that are wired alike."""
        return _of(self.alike, fits)

    @cached_property
    def followed(self) -> Followed:
        """The shapes that follow from what Parameters and Consts declare; asked for only where something is wrong."""
        return follow(self.model, self.gather_layers)

    @cached_property
    def unfit(self) -> list[GatherLayer]:
        """The family layers in which shape inference finds anything wrong."""
        return self.gather_layers_where(lambda gather: bool(gather.errors))

    @cached_property
    def out_of_range(self) -> list[OutOfRange]:
        """The family layers whose constant indices point outside data."""
        from ovgather.validation.facts.index_bounds import out_of_range

        return out_of_range(self.alike)

    @cached_property
    def links(self) -> Links:
        """Every edge of every graph, with its ends."""
        return Links(self.graphs, self.signatures)

    @cached_property
    def suppressions(self) -> Suppressions | None:
        """The comments that keep findings from being reported; None when there is none."""
        data = self.model.source.data
        # Comments begin with <!, and one letter is found at once.
        if self.model.fatal or b"!" not in data or b"ovgather:" not in data:
            return None
        from ovgather.validation.selection.suppression import Suppressions

        return Suppressions(self.model)

    @cached_property
    def mends(self) -> Mends:
        """What makes the fixes of findings."""
        from ovgather.validation.fixes.builder import Mends

        return Mends(self)

    @cached_property
    def votes(self) -> PortVotes:
        """What says which port is the odd one."""
        from ovgather.validation.facts.majority import PortVotes

        return PortVotes(self)

    # -- what OpenVINO builds ------------------------------------------------------------------------------------

    def is_built(self, layer: Layer) -> bool:
        """Whether OpenVINO makes anything of ``layer``: it is a Parameter, or leads to a Result or an Assign."""
        graph = layer.graph
        if self.model.snippet:
            return True
        if layer.id < 0:  # whatever its number should have been
            return graph.parent is None or self.is_built(graph.parent)
        if id(graph) not in self._built:
            self._built[id(graph)] = _leading(graph)
        reached = layer.id in self._built[id(graph)] and graph.by_id[layer.id] is layer
        return reached and (graph.parent is None or self.is_built(graph.parent))

    # -- places --------------------------------------------------------------------------------------------------

    def element(self, layer: Layer) -> Element:
        """The ``<layer>`` element with the places of all that is in it."""
        return self._element(layer.offset)

    def element_at(self, offset: int) -> Element:
        """The element that starts at byte ``offset``; while findings are only counted, nothing of it but that."""
        return Unread(offset, self.model.source.data) if self.counting else self._element(offset)

    def _element(self, offset: int) -> Element:
        found = self._elements.get(offset)
        if found is None:
            if len(self._elements) > 1000:
                self._elements.clear()
            found = self._elements[offset] = element_at(self.model.source, offset)
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
        return tag_at(self.model.source, layer.offset).attribute_span(attribute)

    def edge_span(self, edge: Edge, attribute: str = "") -> Span:
        """The place of an edge, or of one of its attributes."""
        if self.counting:
            return edge.offset, edge.offset
        element = tag_at(self.model.source, edge.offset)
        return element.attribute_span(attribute) if attribute else element.tag_span

    # -- findings ------------------------------------------------------------------------------------------------

    def report(
        self,
        code: str,
        severity: str,
        message: str | Callable[[], str],
        span: Span | None = None,
        *,
        layer: Layer | None = None,
        openvino: str = "undefined",
        effect: str = "",
        label: str = "",
        help: str | Callable[[], str | None] | None = None,
        parsed: bool = False,
        needs: Layer | None = None,
        fix: Callable[[], Fix | None] | None = None,
        original: Span | None = None,
    ) -> Diagnostic:
        """A diagnostic at ``span`` of the parsed text, or at ``original`` of the text before it was mended.

        Without either it is of the whole file. A message or a help that takes time to make is given as a function.

        OpenVINO meets a defect when it builds ``needs`` (left out: ``layer``), so never when that leads to no Result;
        but those that are ``parsed`` it meets when it reads the graph, so only a body may escape it.
        """
        if self.counting:
            return self._counted(code, severity, span, original, layer)
        message = message if isinstance(message, str) else message()
        help = help() if callable(help) else help
        source = self.model.source
        met = needs or layer
        if parsed and met is not None:
            met = met.graph.parent
        if openvino != "accepts" and met is not None and not self.is_built(met):
            openvino, effect = "accepts", _NOT_BUILT
        if len(message) > _LONG or len(help or "") > _LONG or len(effect) > _LONG:
            from ovgather.validation.wording.shorten import short

            message, help, effect = short(message), short(help) if help else help, short(effect)
        line = column = end_line = end_column = 1
        if span is not None:
            line, column, end_line, end_column = source.span(span[0], max(span))
        elif original is not None:
            line, column = source.original_position(original[0])
            end_line, end_column = source.original_position(original[1])
        return Diagnostic(
            code,
            severity,
            message,
            path=self.model.path,
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            layer=reference(layer) if layer is not None else None,
            openvino=openvino,
            effect=effect,
            label=label,
            help=help,
            source=source if span is not None or original is not None else None,
            fix=fix,
        )

    def _counted(
        self, code: str, severity: str, span: Span | None, original: Span | None, layer: Layer | None
    ) -> Diagnostic:
        """A diagnostic that is only counted; comments that may suppress it want to know where it belongs."""
        if self.suppressions is None:
            return Diagnostic(code, severity, "", path="")
        place = (1, 1)
        if span is not None:
            place = self.model.source.position(span[0])
        elif original is not None:
            place = self.model.source.original_position(original[0])
        about = reference(layer) if layer is not None else None
        return Diagnostic(code, severity, "", path="", line=place[0], column=place[1], layer=about)


def _grouped(gathers: list[GatherLayer]) -> list[list[GatherLayer]]:
    groups: dict[int, list[GatherLayer]] = {}
    for gather in gathers:
        groups.setdefault(id(gather.wiring), []).append(gather)
    return list(groups.values())


def _of(alike: list[list[GatherLayer]], fits: Callable[[GatherLayer], bool]) -> list[GatherLayer]:
    """The layers of the groups that ``fits``, in the order of the text."""
    groups = [gathers for gathers in alike if fits(gathers[0])]
    found = [gather for gathers in groups for gather in gathers]
    return sorted(found, key=lambda gather: gather.layer.offset) if len(groups) > 1 else found


def _leading(graph: Graph) -> set[int]:
    """The ids of the layers that OpenVINO builds: the roots, and all that leads to them."""
    sources: dict[int, list[int]] = {}
    for edge in graph.edges:
        sources.setdefault(edge.to_layer, []).append(edge.from_layer)
    waiting = [layer.id for layer in graph.layers if layer.type in _ROOTS]
    found = set(waiting)
    while waiting:
        for source in sources.get(waiting.pop(), ()):
            if source not in found:
                found.add(source)
                waiting.append(source)
    return found
