"""body that is tied to nothing (OVG306)

What: an If, a Loop or a TensorIterator lacks a body; or an entry of its ``<port_map>`` or ``<back_edges>`` names a port
that the layer does not have, or a layer of the body that is no Parameter (for an input) or no Result (for an output);
or a port, or the condition of a Loop, is in no entry; or two entries are of the same port, or of the same Parameter; or
what an entry says of slices is no number, no axis, or nothing that can be cut.

Why: what should flow in or out goes astray.

OpenVINO: rejects most with ``unordered_map::at`` or ``vector::_M_range_check``. ``external_port_id`` of an input is the
place of the port, counted from 0, whatever its id; of outputs only the order counts (those of an If may also be counted
from 0). Of two entries of one port the first counts. It ignores a back edge to a layer that is no Parameter. Slices of
size 0 of a TensorIterator's input, and those of a stride of 0 of a Loop, end the process; other slices of nothing, and
a Loop that nothing ends, it reads and cannot compile for the CPU.

Bad::

    <input external_port_id="9" internal_layer_id="0"/>

Good::

    <input external_port_id="0" internal_layer_id="0"/>
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.ir.graph import Graph, Layer, Mapping
from ovgather.ir.numbers import read_id, whole_integer
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.facts.body_slices import wrong_slices

CODE = "OVG306"
TITLE = "body that is tied to nothing"
SEVERITIES = ("error",)
VERDICTS = ("rejects", "rejects_on_compile", "accepts", "crashes", "undefined")
_BODIES = {
    "If": {"then_port_map": "then_body", "else_port_map": "else_body"},
    "Loop": {"port_map": "body"},
    "TensorIterator": {"port_map": "body"},
}
_PURPOSES = {"input": "current_iteration", "output": "execution_condition"}
_INNER = {"input": "Parameter", "output": "Result"}
_ENDS = {"from-layer": "Result", "to-layer": "Parameter"}
_OUTCOMES = {"rejected": "rejects", "not compiled": "rejects_on_compile", "dies": "crashes", "open": "undefined"}
_FREE = {"If": 1, "Loop": 2, "TensorIterator": 0}
"""Inputs that belong to the layer itself: a condition, the number of rounds."""


def check(file: File) -> Iterator[Diagnostic]:
    """Every layer of the types that have bodies."""
    if file.model.snippet or "bodies-depth" in file.problems or "ir-version" in file.problems:
        return  # bodies of IR versions before 10 are of another kind
    for layer in file.layers_of(_BODIES):
        entries = file.model.mappings.get(layer.offset, [])
        for around, kind in _BODIES[layer.type].items():
            body = next((body for body in layer.bodies if body.kind == kind), None)
            if body is None:
                span = file.layer_span(layer, "type")
                message = f"{layer.type} without <{kind}>"
                yield file.report(CODE, "error", message, span, layer=layer, openvino="rejects")
                continue
            here = [entry for entry in entries if entry.around == around]
            found = list(_repeated(file, layer, here))
            said = {id(entry) for _, entry in found}
            findings = [finding for finding, _ in found]
            for entry in here:
                findings += _entry(file, layer, body, entry) if id(entry) not in said else ()
            findings += _not_tied(file, layer, around, here)
            yield from findings
            first = _first_values(entries)
            for entry in entries:
                if entry.around == "back_edges" and kind == "body":
                    yield from _back_edge(file, layer, body, entry, first, tied=not findings)


def _repeated(file: File, layer: Layer, entries: list[Mapping]) -> Iterator[tuple[Diagnostic, Mapping]]:
    """Second entries of a port, and second inputs of a Parameter."""
    ports: set[tuple[str, int]] = set()
    taken: dict[int, int] = {}
    for entry in entries:
        port = whole_integer(entry.attributes.get("external_port_id", ""))
        if port is None or port < 0:
            continue
        inner = read_id(entry.attributes.get("internal_layer_id", ""))
        if (entry.name, port) in ports:
            message = f"a second entry of {entry.name} port {port}"
            yield _found(file, layer, entry, "external_port_id", message, "accepts", "goes by the first"), entry
        elif entry.name == "input" and inner is not None and inner in taken:
            message = f"internal_layer_id {inner}: that Parameter takes input port {taken[inner]} already"
            yield _found(file, layer, entry, "internal_layer_id", message, "undefined", "reads it"), entry
        elif entry.name == "input" and inner is not None:
            taken[inner] = port
        ports.add((entry.name, port))


def _entry(file: File, layer: Layer, body: Graph, entry: Mapping) -> Iterator[Diagnostic]:
    for name in ("external_port_id", "internal_layer_id"):
        text = entry.attributes.get(name)
        value = None if text is None else whole_integer(text) if name == "external_port_id" else read_id(text)
        if value is None:
            message = f"<{entry.name}> has no {name}" if text is None else f"{name} {text!r} is not a number"
            yield _found(file, layer, entry, name, message, "rejects")
        elif name == "external_port_id":
            yield from _external(file, layer, entry, value)
        else:
            yield from _internal(file, layer, body, entry, name, value, _INNER[entry.name])
    for name, message, effect, outcome in wrong_slices(layer, entry):
        yield _found(file, layer, entry, name, message, _OUTCOMES[outcome], effect)


def _external(file: File, layer: Layer, entry: Mapping, number: int) -> Iterator[Diagnostic]:
    name = "external_port_id"
    if _is_port(layer, entry, number):
        yield from _axis(file, layer, entry, number)
    elif number < 0:
        purpose = entry.attributes.get("purpose")
        message = f"{name} {number} is no {entry.name} port"
        if layer.type == "Loop":
            message += f": that is for the purpose {_PURPOSES[entry.name]}" + (f", not {purpose!r}" if purpose else "")
        yield _found(file, layer, entry, name, message, _without_port(file, layer, entry.name, number))
    elif entry.name == "input":
        message = f"{name} {number}: the layer has {len(layer.inputs)} input ports, counted from 0"
        yield _found(file, layer, entry, name, message, "rejects")
    else:
        has = ", ".join(str(port.id) for port in layer.outputs) or "none"
        message = f"{name} {number}: the output ports of the layer are {has}"
        yield _found(file, layer, entry, name, message, "accepts", "goes by the order of these numbers")


def _without_port(file: File, layer: Layer, side: str, number: int) -> str:
    """What OpenVINO does with an entry of ``side`` whose ``number`` is no port."""
    if layer.type != "Loop":
        return "accepts" if layer.type == "If" and side == "input" else "rejects"
    numbers = [
        whole_integer(entry.attributes.get("external_port_id", ""))
        for entry in file.model.mappings.get(layer.offset, ())
        if entry.name == side
    ]
    ports = layer.inputs[_FREE["Loop"] :] if side == "input" else layer.outputs
    if len({number for number in numbers if number is not None and number >= 0}) < len(ports):
        return "rejects_on_compile" if (side, number) == ("output", -1) else "rejects"
    # Without the one output that says of going on, the outputs have no rank.
    return "accepts" if side == "input" else "rejects_on_compile"


def _is_port(layer: Layer, entry: Mapping, number: int) -> bool:
    if number < 0:
        return layer.type == "Loop" and entry.attributes.get("purpose") == _PURPOSES[entry.name]
    if entry.name == "input":
        return number < len(layer.inputs)
    # Converters counted the outputs of an If from 0, as its page does.
    return any(port.id == number for port in layer.outputs) or (layer.type == "If" and number < len(layer.outputs))


def _axis(file: File, layer: Layer, entry: Mapping, number: int) -> Iterator[Diagnostic]:
    axis = read_id(entry.attributes.get("axis", ""))
    if layer.type == "If" or axis is None or number < 0:
        return
    port = layer.inputs[number] if entry.name == "input" else next(port for port in layer.outputs if port.id == number)
    rank = len(port.dims)
    if rank and axis >= rank:
        message = f"axis {axis} is out of range [0, {rank - 1}] for {entry.name} port {port.id} of rank {rank}"
        yield _found(file, layer, entry, "axis", message, "rejects")


def _internal(
    file: File, layer: Layer, body: Graph, entry: Mapping, name: str, number: int, wanted: str, ignored: bool = False
) -> Iterator[Diagnostic]:
    inner = body.by_id.get(number)
    # A Parameter it finds in any spelling.
    if inner is not None and (inner.type == wanted or inner.type.lower() == wanted.lower() == "parameter"):
        return
    what = "does not exist" if inner is None else f'is {inner.type} "{inner.name}", no {wanted}'
    effect = "ignores the edge: the value of the last round is not carried on" if ignored else ""
    message = f"{name} {number}: that layer of <{body.kind}> {what}"
    yield _found(file, layer, entry, name, message, "accepts" if ignored else "rejects", effect)


def _back_edge(
    file: File, layer: Layer, body: Graph, entry: Mapping, first: dict[int | None, list[int | None]], tied: bool
) -> Iterator[Diagnostic]:
    numbers = {name: whole_integer(entry.attributes.get(name, "")) for name in _ENDS}
    to = numbers["to-layer"]
    target = body.by_id.get(to) if to is not None else None
    given = first.get(to, []) if target is not None and target.type.lower() == "parameter" else []
    for name, wanted in _ENDS.items():
        number = numbers[name]
        if number is None:
            text = entry.attributes.get(name)
            message = f"back edge without {name}" if text is None else f"{name} {text!r} is not a number"
            yield _found(file, layer, entry, name, message, "rejects")
        else:
            yield from _internal(file, layer, body, entry, name, number, wanted, ignored=not given)
    if not tied or target is None or target.type.lower() != "parameter":
        return
    if not given:
        message = f"to-layer {to}: no entry of <port_map> gives that Parameter its first value"
        yield _found(file, layer, entry, "to-layer", message, "accepts", "ignores the edge")
    elif all(port is not None and port < 0 for port in given):
        message = f"to-layer {to}: that Parameter counts the rounds"
        yield _found(file, layer, entry, "to-layer", message, "rejects")


def _first_values(entries: list[Mapping]) -> dict[int | None, list[int | None]]:
    """The ports that give each Parameter of the body its value for the first round."""
    found: dict[int | None, list[int | None]] = {}
    for entry in entries:
        if entry.name == "input":
            number = read_id(entry.attributes.get("internal_layer_id", ""))
            found.setdefault(number, []).append(whole_integer(entry.attributes.get("external_port_id", "")))
    return found


def _not_tied(file: File, layer: Layer, around: str, entries: list[Mapping]) -> Iterator[Diagnostic]:
    tied = {"input": set[int](), "output": set[int]()}
    for entry in entries:
        number = whole_integer(entry.attributes.get("external_port_id", ""))
        if number is None or not (_is_port(layer, entry, number) or (entry.name == "output" and number >= 0)):
            return  # said already, and which port is meant is not known
        tied[entry.name].add(number)
    if layer.type != "If":
        for place, port in enumerate(layer.inputs):
            if place >= _FREE[layer.type] and place not in tied["input"]:
                span = file.port_span(layer, "input", place)
                message = f"input port {port.id} is in no entry of <{around}>"
                yield file.report(CODE, "error", message, span, layer=layer, openvino="rejects")
    if sum(number >= 0 for number in tied["output"]) < len(layer.outputs):
        place = next((place for place, port in enumerate(layer.outputs) if port.id not in tied["output"]), 0)
        span = file.port_span(layer, "output", place)
        message = f"output port {layer.outputs[place].id} is in no entry of <{around}>"
        yield file.report(CODE, "error", message, span, layer=layer, openvino="rejects")
    purposes = {entry.attributes.get("purpose") for entry in entries if entry.name == "output"}
    if layer.type == "Loop" and "execution_condition" not in purposes:
        message = "no entry has the purpose execution_condition: nothing says when the Loop ends"
        effect = "reads it with an output of dynamic rank, which the CPU refuses"
        span = file.layer_span(layer, "type")
        yield file.report(CODE, "error", message, span, layer=layer, openvino="rejects_on_compile", effect=effect)


def _found(
    file: File, layer: Layer, entry: Mapping, name: str, message: str, verdict: str, effect: str = ""
) -> Diagnostic:
    span = file.element_at(entry.offset).attribute_span(name)
    return file.report(CODE, "error", message, span, layer=layer, openvino=verdict, effect=effect)
