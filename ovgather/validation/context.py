"""The argument of every rule: a file with its facts and spans, and ``report``, which creates findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property, lru_cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING

from ovgather.ir.graph import Edge, Graph, Layer, LayerSignature, Mapping, Port, Problem
from ovgather.ir.model import Model
from ovgather.ir.numbers import beginning, read_id
from ovgather.ir.positions import Element, Span, element_at, tag_at
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.reference import reference
from ovgather.targets.purpose import ANY, Purpose
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import PartialShape
from ovgather.validation.diagnostic import (
    WHOLE_FILE,
    Diagnostic,
    Fix,
    Position,
    Related,
)
from ovgather.validation.effect import Effect
from ovgather.validation.facts.file_facts import FileFacts
from ovgather.validation.facts.hazards import on_target

if TYPE_CHECKING:
    from ovgather.validation.fixes.builder import FixBuilder
    from ovgather.validation.selection.suppression import Suppressions

# All that most rules need, from one place.
__all__ = (
    "Diagnostic", "Edge", "Effect", "ElementType", "File", "Findings", "Fix", "GatherLayer", "Graph", "Layer",
    "LayerSignature", "Mapping", "PartialShape", "Place", "Port", "Problem", "Rule",
)  # fmt: skip

Findings = Iterator[Diagnostic]
"""What a rule yields."""
Place = Span | str | Callable[[], Span]
"""A span of bytes, a path in the layer (see ``File.place``), or how to look it up."""
_LONGEST = 480  # no message, effect or help is longer
_MOST_ELEMENTS = 1000
_NOT_BUILT = "passes over it: the layer leads to no Result"


class Rule:
    """What a rule says of itself: the ``severities`` and ``verdicts`` of its findings, the usual one first, and whether
    their fixes may be ``safe`` or ``unsafe``; each as words. ``stage``: see ``Diagnostic``. ``onnxruntime``: what ONNX
    Runtime does with the finding, of rules for ONNX files. ``of_snippets``: it holds of a lone layer, too. ``needs``:
    facts of a ``File`` and types of layers; the rule is silent about a file with none of them, and is not loaded."""

    def __init__(
        self,
        code: str,
        title: str,
        severities: str,
        verdicts: str = "",
        fixes: str = "",
        stage: str = "load",
        onnxruntime: str = "",
        of_snippets: bool = True,
        needs: str = "",
    ) -> None:
        self.code = code
        self.title = title
        self.stage = stage
        self.onnxruntime = onnxruntime
        self.of_snippets = of_snippets
        self.needs = needs
        self.severities, self.verdicts, self.fixes = (
            tuple(words.split()) for words in (severities, verdicts, fixes)
        )


class File(FileFacts):
    """The argument of every rule's ``check``. Findings of the verdicts ``counted`` are only counted: their messages are
    not made."""

    def __init__(self, model: Model, purpose: Purpose = ANY) -> None:
        super().__init__(model)
        self.source = model.source
        self.purpose = purpose
        self.counted: Collection[str] = ()
        self.element_at: Callable[[int], Element] = lru_cache(_MOST_ELEMENTS)(
            partial(element_at, self.source)
        )
        """The element that starts at a byte."""

    def has_any(self, needs: Iterable[str]) -> bool:
        """Whether the file has one of these: its own facts, such as ``links.contradictory``, or types of layers."""
        return any(
            need in self.types if need[0].isupper() else attrgetter(need)(self)
            for need in needs
        )

    @cached_property
    def suppressions(self) -> Suppressions | None:
        """The comments that suppress findings; None when there is none."""
        # Comments begin with <!, and one letter is quick to find.
        if (
            self.model.fatal
            or b"!" not in self.source.data
            or b"ovgather:" not in self.source.data
        ):
            return None
        from ovgather.validation.selection.suppression import Suppressions

        return Suppressions(self.model)

    @cached_property
    def fixes(self) -> FixBuilder:
        from ovgather.validation.fixes.builder import FixBuilder

        return FixBuilder(self, self.element)

    def report(
        self,
        rule: Rule,
        message: str | Callable[[], str],
        place: Place | None = None,
        layer: Layer | None = None,
        openvino: str | None = None,
        effect: str | Effect = "",
        *,
        severity: str | None = None,
        label: str = "",
        help: str | Callable[[], str | None] | None = None,
        parsed: bool = False,
        needs: Layer | None = None,
        fix: Callable[[], Fix | None] | None = None,
        original: bool = False,
        related: Iterable[tuple[str, Place]] = (),
        about: Iterable[Layer | Edge | Problem] = (),
        stage: str | None = None,
    ) -> Diagnostic:
        """A diagnostic at ``place``: a span of the parsed text, of the text before repair if ``original``, or a path in
        ``layer``, see ``File.place``; left out, it is on the file.

        Severity and verdict are the usual ones of ``rule`` where they are left out. A message or a help that takes time
        to make is given as a function. OpenVINO meets a defect when it builds ``needs`` (left out: ``layer``), so never
        when that leads to no Result; but those that are ``parsed`` it meets when it reads the graph, so only a body may
        escape it. The finding concerns the layers ``about`` it as well.
        """
        code = rule.code
        severity = severity or rule.severities[0]
        openvino = openvino or rule.verdicts[0]
        position = (
            WHOLE_FILE
            if place is None
            else partial(self._position, place, layer, original)
        )
        cause = needs or layer
        if parsed and cause is not None:
            cause = cause.graph.parent
        if openvino != "accepts" and cause is not None and not self.is_built(cause):
            openvino = "accepts"
            effect = _NOT_BUILT
        if openvino in self.counted:
            subject = None
            if layer is not None and self.suppressions is not None:
                subject = reference(layer)
            return Diagnostic(
                code,
                severity,
                "",
                path="",
                position=position,
                layer=subject,
                openvino=openvino,
            )
        if not isinstance(message, str):
            message = message()
        if callable(help):
            help = help()
        words = str(effect)
        if self.purpose.target is not None:
            # whether the target release does so as well, where that was measured
            on_release = on_target(code, self.purpose.target)
            words = "; ".join(filter(None, (words, on_release)))
        finding = Diagnostic(
            code,
            severity,
            _short(message),
            path=self.model.path,
            position=position,
            layer=reference(layer) if layer is not None else None,
            openvino=openvino,
            effect=_short(words),
            hazard=effect if isinstance(effect, Effect) else None,
            stage=stage or rule.stage,
            label=label,
            help=_short(help) if help else help,
            source=self.source if place is not None else None,
            fix=fix,
            related=partial(self._related, [*related], layer) if related else (),
        )
        finding.part = place if isinstance(place, str) else ""
        finding.subjects = tuple(
            [each.offset for each in (layer, *about) if each is not None]
        )
        return finding

    def _position(
        self, place: Place, layer: Layer | None, original: bool = False
    ) -> Position:
        span = place() if callable(place) else place
        if isinstance(span, str):
            assert layer is not None
            span = self._span(layer, span)
        begin, end = span
        if original:
            position = self.source.lines.position
        else:
            position = self.source.position
        return *position(begin), *position(max(begin, end))

    def _related(
        self, places: list[tuple[str, Place]], layer: Layer | None
    ) -> tuple[Related, ...]:
        return tuple(
            [Related(text, *self._position(place, layer)) for text, place in places]
        )

    def report_odd_number(self, rule: Rule, problem: Problem, what: str) -> Diagnostic:
        """A number that OpenVINO reads though it is not written plainly; ``what`` names the attribute."""
        number = read_id(problem.value)
        layer = problem.layer
        span = self.span_at(problem.offset, problem.subject)
        message = f"{what} {problem.value!r} is written with {beginning(problem.value)}"
        effect = f"reads it as {number}"
        fix = partial(self.plain, problem, what, number)
        report = partial(
            self.report,
            rule,
            message,
            span,
            layer,
            "accepts",
            effect,
            severity="warning",
        )
        if self.ids_repeat:
            return report()  # another number may have been meant
        return report(help=f"write {number}", fix=fix)

    def plain(self, problem: Problem, what: str, number: int | None) -> Fix | None:
        """The fix that writes a number, ``what``, as a plain one."""
        element = self.element_at(problem.offset)
        change = f"{what} {number} is written as a plain number"
        return self.fixes.value(element, problem.subject or "id", str(number), change)

    def element(self, layer: Layer) -> Element:
        """The ``<layer>`` element with the spans of its content."""
        return self.element_at(layer.offset)

    # -- places: spans that are looked up when they are shown ----------------------------------------------------

    def span_at(self, offset: int, attribute: str = "", part: str = "value") -> Place:
        """The span of an attribute of the element at byte ``offset``; of the element's name where there is none."""
        return lambda: tag_at(self.source, offset).attribute_span(attribute, part)

    def edge_span(self, edge: Edge, attribute: str = "") -> Place:
        """The span of an edge, or of one of its attributes."""
        if attribute:
            return self.span_at(edge.offset, attribute)
        return lambda: tag_at(self.source, edge.offset).tag_span

    def place(self, layer: Layer, path: str, part: str = "value") -> Place:
        """What ``path`` names in ``<layer>``: ``type``, ``data/shape``, ``input/0``, ``output/0/names`` or
        ``output/0/dim/1``; the port or ``<data>`` if it lacks that, and the layer's name if it lacks these."""
        return partial(self._span, layer, path, part)

    def _span(self, layer: Layer, path: str, part: str = "value") -> Span:
        section, *steps = path.split("/")
        if not steps:
            return tag_at(self.source, layer.offset).attribute_span(path, part)
        element = self.element(layer)
        if section == "data":
            elements = element.named("data")
            index = 0
        else:
            elements = element.ports(section)
            index = int(steps[0])
        if index >= len(elements):
            return element.attribute_span("name")
        if "dim" in steps:
            dims = elements[index].named("dim")
        else:
            dims = []
        if steps[-1].isdigit() and int(steps[-1]) < len(dims):
            return dims[int(steps[-1])].text_span
        # A number is no attribute.
        return elements[index].attribute_span(steps[-1], part)


def _short(text: str) -> str:
    """``text`` without the middle of every long quotation, and of itself if it is still too long."""
    if len(text) <= 120:
        return text
    quoted = r"""(?<!\w)(?:'[^']{81,}'|"[^"]{81,}"|`[^`]{81,}`)(?!\w)"""
    text = re.sub(
        quoted,
        lambda match: (
            f"{match[0][:41]}… ({len(match[0]) - 2} characters) …{match[0][-11:]}"
        ),
        text,
    )
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - 183]} … {text[-180:]}"
