"""port id that is absent, no number, or given twice (OVG209)

What: a ``<port>`` without a usable id, or two input ports (or two output ports) of a layer with the same
one. An id with leading zeros, a sign or a blank is a warning.

Why: edges find ports by their id. Input and output ids are looked up apart, so an output may repeat the id
of an input.

OpenVINO: rejects a missing or malformed id; of two equal ones of inputs one stays without its edge, and the layer is
"inconsistent". Two equal ones of outputs it takes, if the operation has so many outputs (of which OVG201 speaks).

Bad::

    <port id="0"/><port id="0"/>

Good::

    <port id="0"/><port id="1"/>
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ovgather.ir.graph import Layer, LayerSignature, Port
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.fixes.plain_numbers import port_id

CODE = "OVG209"
TITLE = "port id that is absent, no number, or given twice"
SEVERITIES = ("error", "warning")
VERDICTS = ("rejects", "accepts")


def check(file: File) -> Iterator[Diagnostic]:
    """The ids of every layer's ports."""
    for problem in file.problems.get("port-id", ()):
        port = file.element_at(problem.offset)
        message = f"port id {problem.value!r} is not a plain number" if problem.subject else "<port> has no id"
        span = port.attribute_span("id")
        fix = partial(port_id, file, problem) if problem.subject else None
        yield file.report(CODE, "error", message, span, layer=problem.layer, openvino="rejects", parsed=True, fix=fix)
    for problem in file.problems.get("port-id-odd", ()):
        yield file.report_odd_number(CODE, problem, "port id")
    for layer in file.layers_where(_repeats) if file.links.port_ids_repeat else ():
        for side, ports in (("input", layer.inputs), ("output", layer.outputs)):
            yield from _repeated(file, layer, side, ports)


def _repeats(signature: LayerSignature) -> bool:
    return any(len({port.id for port in ports}) < len(ports) for ports in (signature.inputs, signature.outputs))


def _repeated(file: File, layer: Layer, side: str, ports: tuple[Port, ...]) -> Iterator[Diagnostic]:
    seen: dict[int, int] = {}
    for index, port in enumerate(ports):
        if port.id in seen and port.id >= 0:
            span = file.port_span(layer, side, index, attribute="id")
            message = f"two {side} ports have the id {port.id}"
            verdict = "rejects" if side == "input" else "accepts"
            related = [("the other port", file.port_span(layer, side, seen[port.id], attribute="id"))]
            yield file.report(CODE, "error", message, span, layer=layer, openvino=verdict, related=related)
        seen.setdefault(port.id, index)
