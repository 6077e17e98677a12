"""What: entries of the port map of a layer with a body are exchanged, or one names a wrong port or layer.
Why: with the entries exchanged the body takes what it declares.
Bad::
    <input external_port_id="1" internal_layer_id="0"/> <input external_port_id="0" internal_layer_id="1"/>
Good::
    <input external_port_id="0" internal_layer_id="0"/> <input external_port_id="1" internal_layer_id="1"/>
"""

from collections.abc import Iterator
from itertools import combinations

from ovgather.ir.graph import Graph, Layer, Mapping, Port
from ovgather.ir.numbers import read_id
from ovgather.ir.positions import tag_at
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 25
_MOST = 12
_OWN = {"If": 1, "Loop": 2}
"""Inputs of the layer itself: a condition, the number of rounds."""
_SIDES = {"input": "Parameter", "output": "Result"}


def propose(case: Case) -> Iterator[Hypothesis]:
    around = [layer.graph.parent for layer in case.subjects if layer.graph.parent is not None]
    for layer in dict.fromkeys((*[each for each in case.subjects if each.bodies], *around)):
        entries = case.file.model.mappings.get(layer.offset, [])[:_MOST]
        for entry, other in combinations(entries, 2):
            if (entry.around, entry.name) == (other.around, other.name) and _suit_better(layer, entry, other):
                yield from _exchanged(case, layer, entry, other)
        for entry in entries:
            if entry.name in _SIDES:
                yield from _other_layer(case, layer, entry, entries)
                yield from _other_port(case, layer, entry, entries)


def _suit_better(layer: Layer, entry: Mapping, other: Mapping) -> bool:
    """Whether the ports at both ends of two entries are more alike once these are exchanged."""
    ends = [(_outside(layer, each), _inside(layer, each)) for each in (entry, other)]
    if any(port is None for pair in ends for port in pair):
        return False
    (outside, inside), (other_outside, other_inside) = ends
    before = _unlike(outside, inside) + _unlike(other_outside, other_inside)
    return _unlike(outside, other_inside) + _unlike(other_outside, inside) < before


def _outside(layer: Layer, entry: Mapping) -> Port | None:
    ports = layer.inputs if entry.name == "input" else layer.outputs
    return next((port for port in ports if str(port.id) == entry.attributes.get("external_port_id")), None)


def _inside(layer: Layer, entry: Mapping) -> Port | None:
    number = read_id(entry.attributes.get("internal_layer_id", ""))
    for body in _bodies(layer, entry):
        inner = body.with_id(number)
        if inner is not None:
            return next(iter(inner.outputs if entry.name == "input" else inner.inputs), None)
    return None


def _unlike(port: Port | None, other: Port | None) -> int:
    """In how much two ports differ: in the number of dims, in these, in the precision."""
    assert port is not None
    assert other is not None
    return 2 * (len(port.dims) != len(other.dims)) + (port.dims != other.dims) + (port.precision != other.precision)


def _exchanged(case: Case, layer: Layer, entry: Mapping, other: Mapping) -> Iterator[Hypothesis]:
    tags = tag_at(case.source, entry.offset), tag_at(case.source, other.offset)
    name = "external_port_id"
    if name not in entry.attributes or name not in other.attributes:
        return
    spans = [tag.attribute_span(name) for tag in tags]
    edits = edits_of(case.source, [(spans[0], other.attributes[name]), (spans[1], entry.attributes[name])])
    message = f"two entries of the port map of {called(layer)} are exchanged"
    what = "the two entries change their external_port_id"
    yield Hypothesis("entry", message, layer, spans[0], edits, what, 1.4, help="exchange them")


def _other_layer(case: Case, layer: Layer, entry: Mapping, entries: list[Mapping]) -> Iterator[Hypothesis]:
    """The Parameter or Result that no entry names."""
    name, named = "internal_layer_id", {each.attributes.get("internal_layer_id") for each in entries}
    for body in _bodies(layer, entry):
        numbers = [
            number for number, form in zip(body.ids, body.signatures, strict=True) if form.type == _SIDES[entry.name]
        ]
        free = [number for number in numbers if str(number) not in named]
        for number in free[:2]:
            yield from _changed(case, layer, entry, name, str(number))


def _other_port(case: Case, layer: Layer, entry: Mapping, entries: list[Mapping]) -> Iterator[Hypothesis]:
    """The port of the layer that no entry names, and that is for the body; -1 is for an entry with a purpose."""
    name, ports = (
        "external_port_id",
        layer.inputs[_OWN.get(layer.type, 0) :] if entry.name == "input" else layer.outputs,
    )
    if entry.attributes.get(name) == "-1":
        return
    named = {each.attributes.get(name) for each in entries if each.name == entry.name}
    for port in [port for port in ports if str(port.id) not in named][:2]:
        yield from _changed(case, layer, entry, name, str(port.id))


def _bodies(layer: Layer, entry: Mapping) -> list[Graph]:
    kind = entry.around.replace("port_map", "body")
    return [body for body in layer.bodies if body.kind == kind]


def _changed(case: Case, layer: Layer, entry: Mapping, name: str, text: str) -> Iterator[Hypothesis]:
    tag = tag_at(case.source, entry.offset)
    span = tag.attribute_span(name)
    if name in entry.attributes and entry.attributes[name] != text:
        what = f"{name} is {text}"
        message = (
            f"{name} of an entry of the port map of {called(layer)} is {entry.attributes[name]}, and none names {text}"
        )
        edits = edits_of(case.source, [(span, text)], what)
        yield Hypothesis("entry", message, layer, span, edits, what, 1.0, help=f"{text} is probably meant")
