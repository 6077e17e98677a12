"""One version of a text in an editor: its model, its findings, and what stands at a byte of it."""

import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from operator import attrgetter
from textwrap import dedent

from ovgather.forward.run import forward_of
from ovgather.forward.sources import without_hidden_symbols
from ovgather.ir.edit.edits import Held, Region
from ovgather.ir.edit.layer_text import end_of
from ovgather.ir.graph import Edge, Graph, Layer
from ovgather.ir.model import Crossing, PortPlace
from ovgather.ir.positions import Element, Span, element_at, tag_at
from ovgather.ir.read import read, unchecked
from ovgather.layers.gather_layer import is_family
from ovgather.layers.reference import LayerReference, called, reference
from ovgather.layers.tensors import computed_tensor
from ovgather.report import render
from ovgather.report.drawing.neighbours import around
from ovgather.report.finding import listed
from ovgather.tensor.symbol import HIDDEN
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.fixes.fix import fix
from ovgather.validation.plan import Plan, plan
from ovgather.validation.selection import baseline, configuration
from ovgather.validation.selection.codes import Choice
from ovgather.verbs.infer import infer
from ovgather.verbs.infer.records import Inferred, InferredFile
from ovgather.verbs.shapes import why

_MOST_LINES = 20
"""Of a drawing, behind the first line."""
_HIDDEN_DIM = re.compile(rf"{HIDDEN}(\d+):(\d+)")
_OTHER = {"root", "not-ir"}
"""The problems of a file that is no IR at all, such as another kind of XML."""


class Document:
    """The text of the file ``path`` as it stands in the editor, which may not be what the file holds.

    Attributes:
        version: the editor's number of this text.
        findings: what ``validate`` reports of it, by the configuration file of its folder.
        is_final: whether the mistake behind several findings was searched for, which ``finish`` does.
    """

    def __init__(
        self,
        path: str,
        text: str,
        version: int | None,
        is_final: bool = True,
        why: str = "",
    ) -> None:
        """``why``: the text cannot be checked."""
        self.path = path
        self.version = version
        self.data = text.encode("utf-8", "replace")
        if why:
            self.model = read(unchecked(path, why))
        else:
            self.model = read(Held(self.data, path))
        self.source = self.model.source
        self._configuration = configuration.find(os.path.dirname(path) or os.curdir)
        self._plan = plan(self._configuration, Choice(), Plan())
        is_other = self.model.fatal and any(
            problem.kind in _OTHER for problem in self.model.problems
        )
        self.is_final = is_final or is_other
        if is_other:
            self.findings = []
        else:
            self.findings = self._check()

    def finish(self) -> None:
        """Search for the mistake behind several findings, if that was left out."""
        if not self.is_final:
            self.is_final = True
            self.findings = self._check()

    def _check(self) -> list[Diagnostic]:
        checked = self._plan._replace(explain=self.is_final).check(
            self.path, self.model
        )
        if self._configuration.baseline is not None:
            [checked] = baseline.read(self._configuration.baseline).apply(
                [checked], self._plan.reports
            )
        return listed(checked)

    def fixes(self) -> list[Region]:
        """All safe fixes together, as ``validate --fix`` makes them, checked again: parts of ``data`` to replace."""
        return fix(self.data, self.path, self._plan).regions

    def ignoring(self, finding: Diagnostic) -> tuple[int, str] | None:
        """The byte of the original where a comment keeps ``finding`` from being reported, and this comment."""
        if not finding.line or self.model.fatal:
            return None
        byte = self.parsed(self.source.lines.offset(finding.line, finding.column))
        start = self.source.data.rfind(b"<edge", 0, byte + len("<edge"))
        here = self.layer_at(byte)
        if self._edge_at(byte) is None:
            if here is None:
                start = self.source.data.find(b"<net")
            else:
                start = here[1].start
        if self._edge_at(byte) is not None or here is not None:
            directive = "ignore"
        else:
            directive = "ignore-file"
        indent = (
            self.source.data[:start].rpartition(b"\n")[2].decode("utf-8", "replace")
        )
        comment = (
            f"<!-- ovgather: {directive} {finding.code} accepted: say why "
            f"-->\n{indent if indent.isspace() else ''}"
        )
        return self.source.to_original(start), comment

    # -- what stands where ------------------------------------------------------------------------------------------

    @cached_property
    def _layers(self) -> list[Layer]:
        return sorted(self.model.layers(), key=attrgetter("offset"))

    @cached_property
    def _edges(self) -> dict[int, tuple[Graph, Edge]]:
        return {
            edge.offset: (graph, edge)
            for graph in self.model.graph.graphs()
            for edge in graph.edges
        }

    def parsed(self, byte: int) -> int:
        """The byte of the parsed text for ``byte`` of the original: they differ behind a repair."""
        source = self.source
        if source.edits:
            return bisect_left(range(len(source.data)), byte, key=source.to_original)
        return byte

    def layer_at(self, byte: int) -> tuple[Layer, Element] | None:
        """The innermost layer around ``byte``, and its element."""
        index = bisect_right(self._layers, byte, key=attrgetter("offset")) - 1
        layer = None
        if index >= 0:
            layer = self._layers[index]
        while layer is not None:
            element = element_at(self.source, layer.offset)
            if byte <= end_of(element):
                return layer, element
            layer = layer.graph.parent
        return None

    def port_at(self, byte: int) -> PortPlace | None:
        """The port at ``byte``, or the output that the edge there starts at."""
        if (output := self._edge_at(byte)) is not None:
            return output
        if (here := self.layer_at(byte)) is None:
            return None
        layer, element = here
        for side, ports in (("input", layer.inputs), ("output", layer.outputs)):
            for index, port in enumerate(element.ports(side)[: len(ports)]):
                if port.start <= byte <= end_of(port):
                    return PortPlace(layer, side, index)
        return None

    def _edge_at(self, byte: int) -> PortPlace | None:
        """The output that the edge at ``byte`` starts at."""
        start = self.source.data.rfind(b"<edge", 0, byte + len("<edge"))
        if start not in self._edges or byte > tag_at(self.source, start).tag_span[1]:
            return None
        graph, edge = self._edges[start]
        source = graph.source(edge)
        if source is not None:
            return PortPlace(source[0], "output", source[1])
        return None

    def ports_at(self, byte: int, side: str) -> list[PortPlace]:
        """The port or edge at ``byte``, else all ports of the layer there: those on ``side``, if it has any."""
        if (port := self.port_at(byte)) is not None:
            return [port]
        if (here := self.layer_at(byte)) is None:
            return []
        sides = {"input": here[0].inputs, "output": here[0].outputs}
        if not sides[side]:
            side = {"input": "output", "output": "input"}[side]
        return [PortPlace(here[0], side, place) for place in range(len(sides[side]))]

    def producers_at(self, byte: int) -> list[Span]:
        """The outputs that feed what is at ``byte``; of an output, what it has its tensor from across a body's edge."""
        if (output := self._edge_at(byte)) is not None:
            return [self._span(output)]
        ports = self.ports_at(byte, "input")
        across = [
            each.source
            for port in ports
            for each in self._crossings(port)
            if each.target == port
        ]
        outputs = across or [output for port in ports for output in origin(port)]
        return [self._span(port, with_layer=len(outputs) > 1) for port in outputs]

    def consumers_at(self, byte: int) -> list[Span]:
        """The inputs that take the same tensor as what is at ``byte``, and where it goes on across a body's edge."""
        outputs = (
            output for port in self.ports_at(byte, "output") for output in origin(port)
        )
        ports = [
            PortPlace(layer, "input", place)
            for output in outputs
            for layer, place in output.layer.consumers(output.place)
        ]
        across = [
            each.target
            for port in ports
            for each in self._crossings(port)
            if each.source == port
        ]
        return [self._span(port, with_layer=True) for port in ports + across]

    def _crossings(self, port: PortPlace) -> Iterator[Crossing]:
        """The ways into bodies, out of them, and between rounds that may begin or end at ``port``."""
        for layer in (port.layer, port.layer.graph.parent):
            if layer is not None:
                yield from self.model.crossings(layer)

    def _span(self, port: PortPlace, with_layer: bool = False) -> Span:
        """The tag of a port; or from the tag of its layer on, since editors list places by their first line."""
        element = element_at(self.source, port.layer.offset)
        begin, end = element.ports(port.side)[port.place].tag_span
        return (element.start if with_layer else begin), end

    # -- Gather layers ------------------------------------------------------------------------------------------------

    @cached_property
    def inferred(self) -> dict[int, Inferred]:
        if self.model.fatal:
            return {}
        layers = filter(is_family, self.model.layers())
        return {
            layer.offset: record
            for layer, record in zip(layers, infer(self.model).layers, strict=True)
        }

    def explained_at(self, byte: int) -> str:
        """What ``infer --why`` says of the Gather layer at ``byte``; of another what ``show --neighbours`` draws."""
        port = self.port_at(byte)
        layer = port.layer if port is not None else (self.layer_at(byte) or (None,))[0]
        if layer is None:
            return ""
        if (record := self.inferred.get(layer.offset)) is not None:
            text = render(
                "infer", "text", [InferredFile(self.path, [record])], why=True
            )
            return dedent(text.split("\n", 1)[1].rstrip())
        first, *more = around(layer).splitlines()
        return "\n".join(
            [first, *more[:_MOST_LINES], *["…"] * (len(more) > _MOST_LINES)]
        )

    def dim_at(self, byte: int) -> str:
        """Where the dim at ``byte`` comes from; empty where none stands there."""
        port = self.port_at(byte)
        if port is None or self._edge_at(byte) is not None:
            return ""
        element = element_at(self.source, port.layer.offset).ports(port.side)[
            port.place
        ]
        place = self.source.data.count(b"<dim", element.start, byte + len("<dim>")) - 1
        [*outputs] = origin(port)
        if (
            not outputs
            or not place >= 0
            or byte >= self.source.data.find(b"</port", element.start)
        ):
            return ""
        layer = outputs[0].layer
        index = outputs[0].place
        tensor = computed_tensor(forward_of(self.model), (layer, index))
        dims = tensor.shape.dims if tensor is not None else None
        if tensor is None or dims is None or place >= len(dims):
            return f"dim {place}: its length is not known here"
        record = None
        if port.side == "output":
            record = self.inferred.get(layer.offset)
        if (
            record is not None
            and record.inference is not None
            and place < len(record.inference.reasons)
        ):
            return record.inference.reasons[place]
        dim = without_hidden_symbols(tensor.shape)[place]
        symbol = dims[place].symbol or ""
        names = {
            str(each.offset): each.name
            for each in self._layers
            if each.type == "Parameter"
        }
        origins = [
            f"dim {at} of {names.get(offset, 'an input')}"
            for offset, at in _HIDDEN_DIM.findall(symbol)
        ]
        if port.side == "output":
            giver = ""
        else:
            giver = f", from {called(reference(layer))}"
        return f"dim {place} = {dim}{giver}: {' and '.join(dict.fromkeys(origins)) or why(tensor)}"

    def lenses(self) -> Iterator[tuple[LayerReference, int, Span]]:
        """Each Gather layer with the number of its consumers, and the span of its start tag."""
        for layer in self._layers:
            if layer.offset in self.inferred:
                number = sum(
                    len(list(layer.consumers(at))) for at in range(len(layer.outputs))
                )
                yield (
                    reference(layer),
                    number,
                    element_at(self.source, layer.offset).tag_span,
                )

    def outline(self) -> Iterator[tuple[str, str, Span, Span]]:
        """Each Gather layer: its name, its shapes, the span of its element and that of its start tag."""
        for offset, record in self.inferred.items():
            element = element_at(self.source, offset)
            name = record.layer.name or record.layer.id or record.layer.type
            body = ""
            if record.layer.body:
                body = f" in {'/'.join(record.layer.body)}"
            inputs = ", ".join(
                tensor.named or tensor.shape for _, tensor in record.inputs
            )
            output = "?"
            if record.output is not None:
                output = record.output.named or record.output.shape
            yield (
                name,
                f"{record.operation} {inputs} -> {output}{body}",
                (offset, end_of(element)),
                element.tag_span,
            )


def origin(port: PortPlace) -> list[PortPlace]:
    """The output that ``port`` has its tensor from: itself, or the one that feeds it, if there is one."""
    if port.side == "input":
        source = port.layer.producer(port.place)
    else:
        source = (port.layer, port.place)
    if source is not None:
        return [PortPlace(source[0], "output", source[1])]
    return []
