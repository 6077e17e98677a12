"""A file under check, as every rule gets it: facts, spans, and the making of findings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ovgather.ir.graph import Edge, Layer, Problem
from ovgather.ir.model import Model
from ovgather.ir.numbers import beginning, read_id
from ovgather.ir.positions import Element, Span, Unread, element_at, tag_at
from ovgather.layers.reference import reference
from ovgather.targets.purpose import ANY, Purpose
from ovgather.validation.diagnostic import Diagnostic, Related
from ovgather.validation.facts.axis_evidence import AxisDoubt, axis_doubts
from ovgather.validation.facts.file_facts import FileFacts

if TYPE_CHECKING:
    from ovgather.validation.diagnostic import Fix
    from ovgather.validation.facts.majority import PortVotes
    from ovgather.validation.fixes.builder import FixBuilder
    from ovgather.validation.selection.suppression import Suppressions

Findings = Iterator[Diagnostic]
"""What a rule yields."""
_LONG = 120
_MOST_ELEMENTS = 1000
_NOT_BUILT = "passes over it: the layer leads to no Result"


class File(FileFacts):
    """The argument of every rule's ``check``. While findings are only ``counting``, a span is only its first byte."""

    def __init__(self, model: Model, purpose: Purpose = ANY) -> None:
        super().__init__(model)
        self.source = model.source
        self.purpose = purpose
        self.counting = False
        self._elements: dict[int, Element] = {}

    @cached_property
    def suppressions(self) -> Suppressions | None:
        """The comments that suppress findings; None when there is none."""
        # Comments begin with <!, and one letter is quick to find.
        if self.model.fatal or b"!" not in self.source.data or b"ovgather:" not in self.source.data:
            return None
        from ovgather.validation.selection.suppression import Suppressions

        return Suppressions(self.model)

    @cached_property
    def fixes(self) -> FixBuilder:
        """The builder of the fixes of findings."""
        from ovgather.validation.fixes.builder import FixBuilder

        return FixBuilder(self, self.axis_doubts, self.source, self.element)

    @cached_property
    def axis_doubts(self) -> dict[int, AxisDoubt]:
        """The family layers whose declared output contradicts their axis, by the byte where they start."""
        return axis_doubts(self)

    @cached_property
    def votes(self) -> PortVotes:
        """The votes on which port is the odd one."""
        from ovgather.validation.facts.majority import PortVotes

        return PortVotes(self)

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
        related: Iterable[tuple[str, Span]] = (),
        about: Iterable[Layer] = (),
        origin: Hashable = None,
    ) -> Diagnostic:
        """A diagnostic at ``span`` of the parsed text, or at ``original`` of the text before repair.

        Without either it is of the whole file. A message or a help that takes time to make is given as a function.

        OpenVINO meets a defect when it builds ``needs`` (left out: ``layer``), so never when that leads to no Result;
        but those that are ``parsed`` it meets when it reads the graph, so only a body may escape it.

        ``related`` are other positions of the mistake. ``about`` are further layers that it concerns, and ``origin`` is
        what all findings of one mistake share: see ``causes``.
        """
        if self.counting:
            return self._counted(code, severity, span, original, layer)
        message = message if isinstance(message, str) else message()
        help = help() if callable(help) else help
        cause = needs or layer
        if parsed and cause is not None:
            cause = cause.graph.parent
        if openvino != "accepts" and cause is not None and not self.is_built(cause):
            openvino, effect = "accepts", _NOT_BUILT
        if self.purpose.target is not None:
            effect = self._with_target(code, effect)
        if len(message) > _LONG or len(help or "") > _LONG or len(effect) > _LONG:
            from ovgather.validation.wording import short

            message, help, effect = short(message), short(help) if help else help, short(effect)
        line = column = end_line = end_column = 1
        if span is not None:
            line, column, end_line, end_column = self.source.span(span[0], max(span))
        elif original is not None:
            line, column = self.source.original_position(original[0])
            end_line, end_column = self.source.original_position(original[1])
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
            source=self.source if span is not None or original is not None else None,
            fix=fix,
            related=tuple(Related(text, *self.source.span(span[0], max(span))) for text, span in related),
            subjects=tuple(each.offset for each in (layer, *about) if each is not None),
            origin=origin,
        )

    def _with_target(self, code: str, effect: str) -> str:
        """``effect``, and whether the target release does so, where that was measured."""
        from ovgather.validation.facts.on_target import on_target

        assert self.purpose.target is not None
        more = on_target(code, self.purpose.target)
        return "; ".join(filter(None, (effect, more)))

    def _counted(
        self, code: str, severity: str, span: Span | None, original: Span | None, layer: Layer | None
    ) -> Diagnostic:
        """A diagnostic that is only counted; comments that may suppress it need its position and layer."""
        line, column, about = 1, 1, None
        if self.suppressions is not None:
            if span is not None:
                line, column = self.source.position(span[0])
            elif original is not None:
                line, column = self.source.original_position(original[0])
            about = reference(layer) if layer is not None else None
        return Diagnostic(code, severity, "", path="", line=line, column=column, layer=about)

    def report_odd_number(self, code: str, problem: Problem, what: str) -> Diagnostic:
        """A number that OpenVINO reads though it is not written plainly; ``what`` names the attribute."""
        element = self.element_at(problem.offset)
        name, number = problem.subject, str(read_id(problem.value))
        return self.report(
            code,
            "warning",
            f"{what} {problem.value!r} is written with {beginning(problem.value)}",
            element.attribute_span(name),
            layer=problem.layer,
            openvino="accepts",
            effect=f"reads it as {number}",
            help=f"write {number}",
            fix=lambda: self.fixes.value(element, name, number, f"{what} {number} is written as a plain number"),
        )

    def element(self, layer: Layer) -> Element:
        """The ``<layer>`` element with the spans of its content."""
        return self._element(layer.offset)

    def element_at(self, offset: int) -> Element:
        """The element that starts at byte ``offset``; while findings are only counted, nothing of it but that."""
        return Unread("", {}, offset, self.source.data) if self.counting else self._element(offset)

    def _element(self, offset: int) -> Element:
        if offset not in self._elements:
            if len(self._elements) > _MOST_ELEMENTS:
                self._elements.clear()
            self._elements[offset] = element_at(self.source, offset)
        return self._elements[offset]

    def port_span(
        self, layer: Layer, side: str, index: int, dim: int | None = None, attribute: str | None = None
    ) -> Span:
        """The span of a port, of one of its dims or of an attribute; of the layer's name where there is no port."""
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
        """The span of an attribute of ``<data>``; of ``<data>`` or the layer's name where it is absent."""
        if self.counting:
            return layer.offset, layer.offset
        element = self.element(layer)
        data = element.first("data")
        return data.attribute_span(name, part) if data is not None else element.attribute_span("name")

    def layer_span(self, layer: Layer, attribute: str = "name") -> Span:
        """The span of an attribute of ``<layer>``."""
        if self.counting:
            return layer.offset, layer.offset
        return tag_at(self.source, layer.offset).attribute_span(attribute)

    def edge_span(self, edge: Edge, attribute: str = "") -> Span:
        """The span of an edge, or of one of its attributes."""
        if self.counting:
            return edge.offset, edge.offset
        element = tag_at(self.source, edge.offset)
        return element.attribute_span(attribute) if attribute else element.tag_span
