"""What: one length, precision or element type is replaced by another one in many places, as a search and replace leaves
it.
Why: with the old one in all of them the ports agree with what the layers compute, or the Consts with their sizes.
Bad::
    <dim>321</dim> in 40 ports, where the layers compute 160
Good::
    <dim>160</dim>
"""

from collections.abc import Container, Iterator
from itertools import islice
from typing import TypeVar

from ovgather.forward.ports import port_type
from ovgather.ir.graph import Layer
from ovgather.ir.positions import Element, Span
from ovgather.tensor import element_type
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 7
_LEAST = 3
_MOST = 2
_MOST_AXES = 16
_Pair = TypeVar("_Pair", tuple[int, int], tuple[str, str])
_Place = tuple[Layer, str, int, int]
"""A dim: a layer, the side and the index of its port, and the index of the dim."""


def propose(case: Case) -> Iterator[Hypothesis]:
    dims: dict[tuple[int, int], list[_Place]] = {}
    precisions: dict[tuple[str, str], list[_Place]] = {}
    for layer in case.file.layers:
        for side, ports, tensors in (
            ("output", layer.outputs, case.file.forward.outputs.get(layer.offset, ())),
            ("input", layer.inputs, case.inputs_of(layer)),
        ):
            for index, (port, tensor) in enumerate(zip(ports, tensors, strict=False)):
                pairs = zip(port.dims, tensor.shape.dims or (), strict=False)
                for at, (said, dim) in enumerate(pairs):
                    if said >= 0 and dim.is_static and dim.length != said:
                        pair = said, dim.length
                        dims.setdefault(pair, []).append((layer, side, index, at))
                kind = element_type.find(tensor.element_type)
                is_other = kind is not None and kind.name not in (
                    "dynamic",
                    port_type(port),
                )
                if port.precision and kind is not None and is_other:
                    written = port.precision, kind.port
                    precisions.setdefault(written, []).append((layer, side, index, 0))
    for (said, length), places in _most(dims):
        # The port map of a layer with bodies may be what is wrong there.
        outside = [place for place in places if not _is_of_body(case, place)]
        if len(outside) < _LEAST:
            continue
        lines = [(_port(case, place).named("dim"), place[3]) for place in places]
        spans = [line[at].text_span for line, at in lines if at < len(line)]
        hypothesis = _hypothesis(case, "dims", str(said), str(length), spans)
        yield hypothesis._replace(safe=len(outside) == len(places))
        yield from _of_parameters(case, length, said)
    for (name, right), places in _most(precisions):
        if element_type.from_port(name) is None:  # wherever it stands
            places = _places_of_precision(case, name)
        spans = [_port(case, place).attribute_span("precision") for place in places]
        yield _hypothesis(case, "precisions", name, right, spans)
    yield from _types(case)


def _places_of_precision(case: Case, name: str) -> list[_Place]:
    return [
        (layer, side, index, 0)
        for layer in case.file.layers
        for side, ports in (("output", layer.outputs), ("input", layer.inputs))
        for index, port in enumerate(ports)
        if port.precision == name
    ]


def _of_parameters(case: Case, written: int, right: int) -> Iterator[Hypothesis]:
    """A length of a Parameter, and of the ports that say the same at its axis: those behind them kept the old one."""
    places = _places_by_axis(case, written)
    for layer, axis in islice(_parameter_axes(case, written), _MOST_AXES):
        shape = layer.data["shape"].split(",")
        data = case.element(layer).first("data")
        lines = [
            (_port(case, place).named("dim"), axis)
            for place in places.get((len(shape), axis), ())
        ]
        spans = [line[at].text_span for line, at in lines]
        if len(spans) < _LEAST or data is None:
            continue
        hypothesis = _hypothesis(case, "dims", str(written), str(right), spans)
        message = f"{called(layer)} and {len(spans)} dims of ports say {written}, but the ports behind them {right}"
        changed = ",".join([*shape[:axis], str(right), *shape[axis + 1 :]])
        edits = edits_of(case.source, [(data.attribute_span("shape"), changed)])
        yield hypothesis._replace(
            message=message,
            layer=layer,
            place="data/shape",
            edits=edits + hypothesis.edits,
            price=2.0,
            help=f"give all of them {written} or all {right}",
            safe=False,
        )


def _parameter_axes(case: Case, written: int) -> Iterator[tuple[Layer, int]]:
    """The axes of Parameters of the model that have the length ``written``."""
    for layer in case.file.layers:
        if layer.type == "Parameter" and layer.graph.parent is None:
            for axis, text in enumerate(layer.data.get("shape", "").split(",")):
                if text.strip() == str(written):
                    yield layer, axis


def _places_by_axis(case: Case, written: int) -> dict[tuple[int, int], list[_Place]]:
    """The dims of ports, but for those of Consts, that are ``written``, by the rank of the port and the axis."""
    places: dict[tuple[int, int], list[_Place]] = {}
    for layer in case.file.layers:
        for side, ports in (("output", layer.outputs), ("input", layer.inputs)):
            for index, port in enumerate(ports if layer.type != "Const" else ()):
                for axis, length in enumerate(port.dims):
                    if length == written:
                        place = layer, side, index, axis
                        places.setdefault((len(port.dims), axis), []).append(place)
    return places


def _types(case: Case) -> Iterator[Hypothesis]:
    """An element type by which Consts have not the size that their shape needs, and another one by which all these
    have it."""
    fitting: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    right_ones: set[Layer] = set()
    for layer in case.file.layers:
        const = case.constant(layer) if layer.type == "Const" else None
        if const is None or not const.elements:
            continue
        if const.size == const.bytes_needed:
            right_ones.add(layer)
            continue
        kind = const.element_type
        others = {
            other.name
            for other in element_type.ALL
            if other.kind == kind.kind and other.bits * const.elements == 8 * const.size
        }
        fitting[kind.name] = fitting.get(kind.name, others) & others
        counts[kind.name] = counts.get(kind.name, 0) + 1
    for name, others in fitting.items():
        if counts[name] < _LEAST:
            continue
        layers = [layer for layer in case.file.layers if layer not in right_ones]
        places = [place for layer in layers for place in _data_types(case, layer, name)]
        ports = [
            place
            for layer in layers
            for place in _port_types(case, layer, name, right_ones)
        ]
        for right in sorted(others):
            yield _replaced_types(case, name, right, places, ports)


def _replaced_types(
    case: Case, name: str, right: str, places: list[Span], ports: list[Span]
) -> Hypothesis:
    message = f"{len(places)} element types are {name}, but the sizes of the Consts are those of {right}"
    precision = element_type.find_data(right)
    assert precision is not None
    edits = [*[(span, right) for span in places]]
    edits += [(span, precision.port) for span in ports]
    hypothesis = _hypothesis(case, "element types", name, right, places)
    return hypothesis._replace(
        message=f"{message}: all of them were probably replaced",
        edits=edits_of(case.source, edits),
        safe=False,
    )


def _data_types(case: Case, layer: Layer, name: str) -> Iterator[Span]:
    """Where ``<data>`` of a layer names an element type."""
    data = case.element(layer).first("data")
    for attribute, text in layer.data.items():
        if data is not None and text == name and attribute in data.attributes:
            yield data.attribute_span(attribute)


def _port_types(
    case: Case, layer: Layer, name: str, but: Container[Layer]
) -> Iterator[Span]:
    """Where ports of a layer name an element type, ``but`` for those that take what these layers give."""
    sources = layer.graph.producers(layer)
    inputs = [
        _is_of(port.precision, name) and not (source and source[0] in but)
        for port, source in zip(layer.inputs, sources, strict=True)
    ]
    outputs = [_is_of(port.precision, name) for port in layer.outputs]
    for side, ports in (("input", inputs), ("output", outputs)):
        if any(ports):
            elements = case.element(layer).ports(side)
            for element, is_named in zip(elements, ports, strict=False):
                if is_named and "precision" in element.attributes:
                    yield element.attribute_span("precision")


def _is_of(precision: str | None, name: str) -> bool:
    kind = element_type.from_port(precision or "")
    return kind is not None and kind.name == name


def _most(
    places: dict[_Pair, list[_Place]],
) -> list[tuple[_Pair, list[_Place]]]:
    """The pairs of what is written and what is right that stand in most places."""
    pairs = [each for each in places.items() if len(each[1]) >= _LEAST]
    return sorted(pairs, key=lambda each: -len(each[1]))[:_MOST]


def _is_of_body(case: Case, place: _Place) -> bool:
    """Whether a dim is that of a tensor that a layer with bodies gives, or that is computed from one."""
    layer = place[0]
    return any(root.bodies for root in (layer, *case.file.deviations.roots_of(layer)))


def _port(case: Case, place: _Place) -> Element:
    layer, side, index, _ = place
    return case.element(layer).ports(side)[index]


def _hypothesis(
    case: Case, noun: str, written: str, right: str, spans: list[Span]
) -> Hypothesis:
    what = f"{len(spans)} {noun} are {right}, not {written}"
    message = f"{len(spans)} {noun} are {written} where the layers compute {right}"
    message += ": all of them were probably replaced"
    return case.repair(
        message,
        None,
        spans[0],
        [(span, right) for span in spans],
        what,
        1.6,
        reach=len(spans),
        help=f"restore {right}",
        safe=True,
        is_one=True,
    )
