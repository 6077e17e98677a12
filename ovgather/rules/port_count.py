"""wrong number of ports (OVG201)

What: a Gather layer whose number of input or output ports is not that of its operation; a Parameter, Const
or Result likewise; a layer of another type that has no input at all.

Why: arguments are counted by the place of their ports.

OpenVINO: counts edges, not ports: a missing one is "index '1' out of range", a third one a bare check
without explanation. A port too many that no edge touches is "node index is out of range" in IR v11; in v10 it
is passed over.

Bad::

    <input><port id="0"/></input>   <!-- GatherElements -->

Good::

    <input><port id="0"/><port id="1"/></input>
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.diagnostics import Diagnostic
from ovgather.ir import opsets
from ovgather.ir.model import Layer
from ovgather.layer import is_family
from ovgather.rules._file import File
from ovgather.rules.crashing_layer import lacks

CODE = "OVG201"
TITLE = "wrong number of ports"
_NONE = frozenset({"ReadValue"})
"""Types beside Parameter and Const that may have no input."""
_PLAIN = {"Parameter": ((), ("value",)), "Const": ((), ("value",)), "Result": (("value",), ())}


def check(file: File) -> Iterator[Diagnostic]:
    """Ports of the family, and of the layers that begin and end a graph."""
    for view in file.gather_layers:
        inputs = tuple(item.name for item in view.operation.inputs)
        yield from _compare(file, view.layer, view.operation.name, inputs, ("output",))
    for layer in file.layers:
        if layer.type in _PLAIN:
            inputs, outputs = _PLAIN[layer.type]
            # A Result with an output port does no harm: OpenVINO has one too.
            wrong = len(layer.outputs) != len(outputs) and layer.type != "Result"
            if wrong or len(layer.inputs) != len(inputs):
                yield from _compare(file, layer, layer.type, inputs, outputs)
        elif not layer.inputs and layer.type not in _NONE and not is_family(layer):
            yield from _no_input(file, layer)


def _no_input(file: File, layer: Layer) -> Iterator[Diagnostic]:
    """A layer of a type that computes something, out of nothing."""
    if file.model.snippet or not opsets.known(layer.type, layer.version) or lacks(layer) is not None:
        return
    if any(edge.to_layer == layer.id for edge in layer.graph.edges):
        return  # said by OVG302
    stored = {"offset", "size", "element_type"} <= layer.data.keys()
    help = "did you mean type Const? It has offset and size" if stored else None
    message, span = f"{layer.type} without any input", file.layer_span(layer, "type")
    yield file.report(CODE, "error", message, span, layer=layer, openvino="rejects", help=help)


def _compare(
    file: File, layer: Layer, name: str, inputs: tuple[str, ...], outputs: tuple[str, ...]
) -> Iterator[Diagnostic]:
    for side, ports, wanted in (("input", layer.inputs, inputs), ("output", layer.outputs, outputs)):
        if len(ports) == len(wanted):
            continue
        names = f" ({', '.join(wanted)})" if len(wanted) > 1 else ""
        plural = "" if len(wanted) == 1 else "s"
        message = f"{name} takes {len(wanted)} {side} port{plural}{names}, not {len(ports)}"
        if side == "output":
            message = f"{name} has {len(wanted)} output port{plural}, not {len(ports)}"
        span = file.port_span(layer, side, len(wanted))
        spare = len(ports) > len(wanted) and not _touched(layer, side, {port.id for port in ports[len(wanted) :]})
        verdict = "accepts" if spare and file.model.ir_version == 10 else "rejects"
        effect = "passes over a port that no edge touches, in IR v10" if verdict == "accepts" else ""
        yield file.report(CODE, "error", message, span, layer=layer, openvino=verdict, effect=effect)


def _touched(layer: Layer, side: str, numbers: set[int]) -> bool:
    """Whether an edge goes to or comes from a port of ``layer`` whose id is one of ``numbers``."""
    if side == "input":
        return any((layer.id, number) in layer.graph.fed for number in numbers)
    return any(edge.from_layer == layer.id and edge.from_port in numbers for edge in layer.graph.edges)
