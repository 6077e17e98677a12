"""Port maps as OpenVINO reads them: which input of a layer flows into which Parameter of its body, and back out.

Pages: infrastructure/loop-5, infrastructure/tensor-iterator-1, condition/if-8.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ovgather.ir.graph import Graph, Mapping
from ovgather.ir.numbers import read_id, whole_integer
from ovgather.ops.declaration import Refused
from ovgather.text import closest

_UNSIGNED = 1 << 64
_LIKENESS = 0.8  # of a misspelt attribute


class Slices(NamedTuple):
    """How a tensor is cut, or put together again, along ``axis``."""

    axis: int
    start: int
    end: int
    stride: int
    part_size: int


def slice_count(length: int, slices: Slices) -> int:
    """The number of slices that the CPU plugin cuts of ``length``; 0: it refuses that."""
    start, end = [
        place + (length + 1) * (place < 0) for place in (slices.start, slices.end)
    ]
    if slices.stride < 0:
        start, end = end, start
    step = abs(slices.stride)
    if not step or not 0 <= start < end <= length or (end - start) % step:
        return 0
    return (end - start) // step


class Inlet(NamedTuple):
    """Input ``input`` of the layer flows into a Parameter; in later rounds ``result`` does, where there is one.

    Parameters and Results are given by their ids.
    """

    input: int
    parameter: int
    slices: Slices | None
    result: int | None


class Outlet(NamedTuple):
    """A Result that flows out, into the outputs in the order of the outlets."""

    result: int
    slices: Slices | None


class PortMap(NamedTuple):
    """The inlets and outlets of one body, and the ends with a purpose: a Parameter and a Result of a Loop's body."""

    inlets: tuple[Inlet, ...]
    outlets: tuple[Outlet, ...]
    iteration: int | None = None
    condition: int | None = None


def read_port_map(entries: Sequence[Mapping], around: str, body: Graph) -> PortMap:
    """The entries of the element ``around`` that connect a layer to ``body``.

    Raises:
        Refused: OpenVINO cannot read an entry, or it names no Parameter or Result of the body.
    """
    own = [entry for entry in entries if entry.around == around]
    inputs = _sorted([entry for entry in own if entry.name == "input"], unsigned=True)
    outputs = _sorted(
        [entry for entry in own if entry.name == "output"], unsigned=False
    )
    back_edges = [entry for entry in entries if entry.around == "back_edges"]
    inlets = tuple(_inlets(inputs, back_edges, body))
    outlets = tuple(
        [
            Outlet(_inner(entry, body, "Result"), _slices(entry))
            for port, entry in outputs
            if port >= 0
        ]
    )
    iteration = _with_purpose(inputs, "current_iteration", body, "Parameter")
    condition = _with_purpose(outputs, "execution_condition", body, "Result")
    return PortMap(inlets, outlets, iteration, condition)


def _sorted(entries: Iterable[Mapping], unsigned: bool) -> list[tuple[int, Mapping]]:
    """The first entry of each port, in the order of the ports; OpenVINO takes those of no input port as the last."""
    by_port: dict[int, Mapping] = {}
    for entry in entries:
        by_port.setdefault(_integer(entry, "external_port_id"), entry)
    if unsigned:
        return sorted(by_port.items(), key=lambda item: item[0] % _UNSIGNED)
    return sorted(by_port.items(), key=lambda item: item[0])


def _inlets(
    inputs: list[tuple[int, Mapping]], back_edges: Sequence[Mapping], body: Graph
) -> Iterator[Inlet]:
    for port, entry in inputs:
        slices = _slices(entry, is_input=True)
        if slices is not None:
            yield Inlet(port, _inner(entry, body, "Parameter"), slices, None)
            continue
        number = _unsigned(entry, "internal_layer_id")
        edge = next(
            (edge for edge in back_edges if _unsigned(edge, "to-layer") == number), None
        )
        if edge is not None:
            result = _layer_of(
                body,
                _unsigned(edge, "from-layer"),
                "Result",
                "back_edges",
                "from-layer",
            )
            yield Inlet(port, _inner(entry, body, "Parameter"), None, result)
        elif port >= 0:
            yield Inlet(port, _inner(entry, body, "Parameter"), None, None)


def _with_purpose(
    entries: list[tuple[int, Mapping]], purpose: str, body: Graph, type: str
) -> int | None:
    """The layer of the last entry with a purpose."""
    layers = [
        _inner(entry, body, type)
        for _, entry in entries
        if entry.attributes.get("purpose") == purpose
    ]
    if layers:
        return layers[-1]
    return None


def _inner(entry: Mapping, body: Graph, type: str) -> int:
    """The id of the Parameter or the Result that an entry names."""
    number = _unsigned(entry, "internal_layer_id")
    return _layer_of(body, number, type, entry.around, "internal_layer_id")


def _layer_of(body: Graph, number: int, type: str, around: str, name: str) -> int:
    fault = layer_fault(body, number, type)
    if fault is not None:
        raise Refused(around, f"{name} {number} {fault}")
    return number


def layer_fault(body: Graph, number: int, type: str) -> str | None:
    """What is wrong with the layer of ``body`` that an entry names, which has to be of ``type``."""
    row = body.rows.get(number)
    if row is None:
        return f"is not a layer of <{body.kind}>"
    own = body.signatures[row].type
    # OpenVINO takes a Parameter in any case.
    if own == type or own.lower() == type.lower() == "parameter":
        return None
    return f'is {own} "{body.names[row]}" of <{body.kind}>, but must be a {type}'


def _slices(entry: Mapping, is_input: bool = False) -> Slices | None:
    """How an entry cuts; None: not at all."""
    if "axis" not in entry.attributes:
        return None
    if is_input:
        axis = _unsigned(entry, "axis")
    else:
        axis = _integer(entry, "axis")
    start = _integer(entry, "start", 0)
    end = _integer(entry, "end", -1)
    return Slices(
        axis, start, end, _integer(entry, "stride", 1), _integer(entry, "part_size", 1)
    )


def _integer(entry: Mapping, name: str, default: int | None = None) -> int:
    text = entry.attributes.get(name)
    if text is None:
        value = default
    else:
        value = whole_integer(text)
    if value is None:
        raise Refused(entry.around, number_fault(entry, name))
    return value


def _unsigned(entry: Mapping, name: str) -> int:
    text = entry.attributes.get(name)
    value = None
    if text is not None:
        value = read_id(text)
    if value is None:
        raise Refused(entry.around, number_fault(entry, name))
    return value


def number_fault(entry: Mapping, name: str) -> str:
    """What is wrong with an attribute that is to be a number."""
    text = entry.attributes.get(name)
    if text is None:
        if close := closest(name, entry.attributes, _LIKENESS):
            return f"<{entry.name}> has `{close}` in place of `{name}`"
        return f"<{entry.name}> has no {name}"
    return f"{name} {text[:60]!r} is not a number"
