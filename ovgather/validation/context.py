"""A file under check, as every rule gets it: facts, spans, and the making of findings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ovgather.ir.graph import Layer, Problem
from ovgather.ir.model import Model
from ovgather.ir.numbers import beginning, read_id
from ovgather.ir.positions import Span
from ovgather.layers.reference import reference
from ovgather.targets.purpose import ANY, Purpose
from ovgather.validation.diagnostic import Diagnostic, Related
from ovgather.validation.facts.axis_evidence import AxisDoubt, axis_doubts
from ovgather.validation.facts.file_facts import FileFacts
from ovgather.validation.spans import Spans

if TYPE_CHECKING:
    from ovgather.validation.diagnostic import Fix
    from ovgather.validation.facts.majority import PortVotes
    from ovgather.validation.fixes.builder import FixBuilder
    from ovgather.validation.selection.suppression import Suppressions

Findings = Iterator[Diagnostic]
"""What a rule yields."""
_LONG = 120
_NOT_BUILT = "passes over it: the layer leads to no Result"


class File(FileFacts, Spans):
    """What every rule's ``check`` is given."""

    def __init__(self, model: Model, purpose: Purpose = ANY) -> None:
        FileFacts.__init__(self, model)
        Spans.__init__(self, model.source)
        self.purpose = purpose

    @cached_property
    def suppressions(self) -> Suppressions | None:
        """The comments that keep findings from being reported; None when there is none."""
        # Comments begin with <!, and one letter is found at once.
        if self.model.fatal or b"!" not in self.source.data or b"ovgather:" not in self.source.data:
            return None
        from ovgather.validation.selection.suppression import Suppressions

        return Suppressions(self.model)

    @cached_property
    def fixes(self) -> FixBuilder:
        """What builds the fixes of findings."""
        from ovgather.validation.fixes.builder import FixBuilder

        return FixBuilder(self, self)

    @cached_property
    def axis_doubts(self) -> dict[int, AxisDoubt]:
        """The family layers whose declared output contradicts their axis, by the byte where they start."""
        return axis_doubts(self)

    @cached_property
    def votes(self) -> PortVotes:
        """What says which port is the odd one."""
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
        source = self.source
        met = needs or layer
        if parsed and met is not None:
            met = met.graph.parent
        if openvino != "accepts" and met is not None and not self.is_built(met):
            openvino, effect = "accepts", _NOT_BUILT
        if self.purpose.target is not None:
            effect = self._with_target(code, effect)
        if len(message) > _LONG or len(help or "") > _LONG or len(effect) > _LONG:
            from ovgather.validation.wording import short

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
            related=tuple(Related(text, *source.span(span[0], max(span))) for text, span in related),
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
        """A diagnostic that is only counted; comments that may suppress it want to know where it belongs."""
        if self.suppressions is None:
            return Diagnostic(code, severity, "", path="")
        place = (1, 1)
        if span is not None:
            place = self.source.position(span[0])
        elif original is not None:
            place = self.source.original_position(original[0])
        about = reference(layer) if layer is not None else None
        return Diagnostic(code, severity, "", path="", line=place[0], column=place[1], layer=about)

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
