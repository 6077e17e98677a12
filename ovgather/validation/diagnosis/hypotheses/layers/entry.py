"""What: entries of the port map of a layer with a body are swapped, or the two numbers of one entry; or an entry
names a wrong port, layer or axis, or a Result that is gone.
Why: with another entry the body takes and gives what it declares.
Bad::
    <input external_port_id="1" internal_layer_id="0"/> <input external_port_id="0" internal_layer_id="1"/>
Good::
    <input external_port_id="0" internal_layer_id="0"/> <input external_port_id="1" internal_layer_id="1"/>
"""

from collections.abc import Iterable, Iterator
from itertools import combinations

from ovgather.ir.edit.layer_text import end_of, port_text
from ovgather.ir.elements import INNER_TYPES, WHOLE_SLICES
from ovgather.ir.graph import Graph, Layer, Mapping, Port, inner_layer
from ovgather.ir.numbers import read_id
from ovgather.ir.positions import element_at, tag_at
from ovgather.validation.diagnosis.case import Case, called, edge_text, unused
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 25
_MOST = 12
_MOST_LOOSE = 4
_MOST_ALIKE = 2
_LEAST_SHIFTED = 2
_OWN = {"If": 1, "Loop": 2}
"""Inputs of the layer itself: a condition, the number of rounds."""
_EXTERNAL = "external_port_id"
_INTERNAL = "internal_layer_id"
_SHARED = 4


def propose(case: Case) -> Iterator[Hypothesis]:
    around = [
        layer.graph.parent for layer in case.subjects if layer.graph.parent is not None
    ]
    for layer in dict.fromkeys(
        (*[each for each in case.subjects if each.bodies], *around)
    ):
        mappings = case.file.model.mappings.get(layer.offset, [])
        for body in layer.bodies:
            yield from _shifted(case, layer, body, mappings)
        entries = mappings[:_MOST]
        for entry, other in combinations(entries, 2):
            if entry.name in INNER_TYPES and other.name in INNER_TYPES:
                yield from _exchanged(case, layer, entry, other, entries)
        for entry in entries:
            if entry.name in INNER_TYPES:
                yield from _other_layer(case, layer, entry, entries)
                yield from _other_port(case, layer, entry, entries)
                yield from _other_numbers(case, layer, entry)
                yield from _other_axis(case, layer, entry)
                yield from _usual_slices(case, layer, entry)
                yield from _missing_result(case, layer, entry)


def _shifted(
    case: Case, layer: Layer, body: Graph, mappings: list[Mapping]
) -> Iterator[Hypothesis]:
    """All entries with ids of layers that are lower, or higher, by one number than those of the body."""
    numbers = [
        (entry, name, read_id(entry.attributes.get(name, "")))
        for entry in mappings
        for name in (_INTERNAL, "from-layer", "to-layer")
        if name in entry.attributes and body in _bodies(layer, entry)
    ]
    known = [
        (entry, name, number) for entry, name, number in numbers if number is not None
    ]
    missing = [number for _, _, number in known if number not in body.rows]
    shifts = dict.fromkeys(number - min(missing) for number in body.ids if missing)
    if len(missing) < _LEAST_SHIFTED:
        return
    for shift in shifts:
        if all(number + shift in body.rows for _, _, number in known):
            changes = [
                (tag_at(case.source, entry.offset).attribute_span(name), number + shift)
                for entry, name, number in known
            ]
            what = f"{len(changes)} numbers are {'higher' if shift > 0 else 'lower'} by {abs(shift)}"
            message = f"the port map of {called(layer)} names layers of <{body.kind}>"
            message += f" by ids that are shifted by {-shift:+d}"
            place = changes[0][0]
            yield case.repair(
                message,
                layer,
                place,
                [(at, str(text)) for at, text in changes],
                what,
                1.6,
                reach=len(missing),
                help="shift them back",
            )


def _outside(layer: Layer, entry: Mapping) -> Port | None:
    ports = layer.inputs if entry.name == "input" else layer.outputs
    return next(
        (port for port in ports if str(port.id) == entry.attributes.get(_EXTERNAL)),
        None,
    )


def _inside(layer: Layer, entry: Mapping) -> Port | None:
    inner = inner_layer(layer, entry, _INTERNAL)
    if inner is None or inner.type != INNER_TYPES.get(entry.name):
        return None
    ports = inner.outputs if entry.name == "input" else inner.inputs
    return next(iter(ports), None)


def _unlike(layer: Layer, entry: Mapping) -> int:
    """In how much the ports at the ends of an entry differ: in the number of dims, in these, in the precision."""
    outside, inside = _outside(layer, entry), _inside(layer, entry)
    if outside is None or inside is None:
        return 4
    dims, axis = list(outside.dims), read_id(entry.attributes.get("axis", ""))
    if axis is not None and axis < len(dims) and axis < len(inside.dims):
        dims[axis] = inside.dims[axis]  # it is sliced
    is_other_type = outside.precision != inside.precision
    return (
        2 * (len(dims) != len(inside.dims))
        + (dims != list(inside.dims))
        + is_other_type
    )


def _faults(layer: Layer, entries: Iterable[Mapping]) -> int:
    """In how much the ports at the ends of entries differ; an end that two entries share counts more."""
    entries = [*entries]
    ends = [
        (entry.around, name, entry.name, entry.attributes.get(name))
        for entry in entries
        for name in (_EXTERNAL, _INTERNAL)
        if entry.attributes.get(name) != "-1"
    ]
    shared = len(ends) - len({*ends})
    return _SHARED * shared + sum(_unlike(layer, entry) for entry in entries)


def _exchanged(
    case: Case, layer: Layer, entry: Mapping, other: Mapping, entries: list[Mapping]
) -> Iterator[Hypothesis]:
    """Two entries with the port, or the layer, of each other, where the ports at their ends are more alike then."""
    others_of_layer = [
        each
        for each in entries
        if each.name in INNER_TYPES and each not in (entry, other)
    ]
    before = _faults(layer, [*others_of_layer, entry, other])
    for name in (_EXTERNAL, _INTERNAL):
        own, others = entry.attributes.get(name), other.attributes.get(name)
        if own is None or others is None or own == others:
            continue
        swapped = (
            entry._replace(attributes={**entry.attributes, name: others}),
            other._replace(attributes={**other.attributes, name: own}),
        )
        if _faults(layer, [*others_of_layer, *swapped]) >= before:
            continue
        spans = [
            tag_at(case.source, each.offset).attribute_span(name)
            for each in (entry, other)
        ]
        message = f"{name} {own} and {others} of two entries of the port map of {called(layer)} are swapped"
        lines = [case.line(each.offset) for each in (entry, other)]
        what = f"lines {lines[0]} and {lines[1]} change their {name}"
        price = 1.4 if name == _EXTERNAL else 1.5
        yield case.repair(
            message,
            layer,
            spans[0],
            [(spans[0], others), (spans[1], own)],
            what,
            price,
            help=f"swap {name} of lines {lines[0]} and {lines[1]}",
        )


def _other_layer(
    case: Case, layer: Layer, entry: Mapping, entries: list[Mapping]
) -> Iterator[Hypothesis]:
    """The Parameter or Result that no entry names."""
    name = _INTERNAL
    named = {each.attributes.get(_INTERNAL) for each in entries}
    for body in _bodies(layer, entry):
        numbers = [
            number
            for number, form in zip(body.ids, body.signatures, strict=True)
            if form.type == INNER_TYPES[entry.name]
        ]
        free = [number for number in numbers if str(number) not in named]
        own = read_id(entry.attributes.get(name, ""))
        mappings = case.file.model.mappings.get(layer.offset, [])
        for number in free[:2]:
            yield from _changed(case, layer, entry, name, str(number))
            if own is not None and own not in body.rows:
                yield from _renumbered(case, layer, body, mappings, own, number)


def _renumbered(
    case: Case,
    layer: Layer,
    body: Graph,
    mappings: list[Mapping],
    old: int,
    new: int,
) -> Iterator[Hypothesis]:
    """All entries that name a layer of the body which is not there name another one."""
    places = [
        (tag_at(case.source, entry.offset).attribute_span(name), str(new))
        for entry in mappings
        for name in (_INTERNAL, "from-layer", "to-layer")
        if entry.attributes.get(name) == str(old) and entry.body == body.kind
    ]
    if len(places) > 1:
        message = (
            f"{len(places)} entries of the port map of {called(layer)} name layer {old}"
        )
        message += f", which <{body.kind}> has not; layer {new} has none"
        what = f"the entries name layer {new}"
        yield case.repair(
            message,
            layer,
            places[0][0],
            places,
            what,
            1.1,
            help=f"write {new} for {old}",
        )


def _other_port(
    case: Case, layer: Layer, entry: Mapping, entries: list[Mapping]
) -> Iterator[Hypothesis]:
    """The port of the layer that no entry names, and that is for the body; -1 is for an entry with a purpose."""
    name = _EXTERNAL
    ports = layer.outputs
    if entry.name == "input":
        ports = layer.inputs[_OWN.get(layer.type, 0) :]
    if entry.attributes.get(name) == "-1":
        return
    named = {each.attributes.get(name) for each in entries if each.name == entry.name}
    for port in [port for port in ports if str(port.id) not in named][:2]:
        yield from _changed(case, layer, entry, name, str(port.id))


def _other_numbers(case: Case, layer: Layer, entry: Mapping) -> Iterator[Hypothesis]:
    """The port and the layer of the body exchanged, if they are a port and such a layer then."""
    numbers = entry.attributes.get(_EXTERNAL, ""), entry.attributes.get(_INTERNAL, "")
    swapped = entry._replace(
        attributes={**entry.attributes, _EXTERNAL: numbers[1], _INTERNAL: numbers[0]}
    )
    is_right = _outside(layer, entry) is not None and _inside(layer, entry) is not None
    if is_right or _outside(layer, swapped) is None or _inside(layer, swapped) is None:
        return
    tag = tag_at(case.source, entry.offset)
    spans = tag.attribute_span(_EXTERNAL), tag.attribute_span(_INTERNAL)
    message = f"{_EXTERNAL} and {_INTERNAL} of an entry of the port map of {called(layer)} are swapped"
    yield case.repair(
        message,
        layer,
        spans[0],
        [(spans[0], numbers[1]), (spans[1], numbers[0])],
        "the two numbers change places",
        1.0,
        help=f"swap {_EXTERNAL} and {_INTERNAL}",
    )


def _other_axis(case: Case, layer: Layer, entry: Mapping) -> Iterator[Hypothesis]:
    """The axis along which the outer port differs from that of the body."""
    outside = _outside(layer, entry)
    inside = _inside(layer, entry)
    if (
        "axis" not in entry.attributes
        or outside is None
        or inside is None
        or len(outside.dims) != len(inside.dims)
    ):
        return
    pairs = zip(outside.dims, inside.dims, strict=True)
    axes = [axis for axis, (whole, part) in enumerate(pairs) if whole != part]
    if len(axes) == 1:
        yield from _changed(case, layer, entry, "axis", str(axes[0]))


def _usual_slices(case: Case, layer: Layer, entry: Mapping) -> Iterator[Hypothesis]:
    """The part that each iteration takes or gives, as converters write it: one after the other, from first to last."""
    for name, usual in WHOLE_SLICES.items():
        yield from _changed(case, layer, entry, name, usual)


def _missing_result(case: Case, layer: Layer, entry: Mapping) -> Iterator[Hypothesis]:
    """A Result that the entry names and the body lacks, for an output that nothing takes."""
    number = read_id(entry.attributes.get(_INTERNAL, ""))
    if entry.name == "output":
        for body in _bodies(layer, entry):
            if number is None or body.with_id(number) is not None or not body.edges:
                continue
            loose = [
                (each, at)
                for each in body.layers
                for at in range(len(each.outputs))
                if not case.is_used((each, at))
            ]
            outside = _outside(layer, entry)
            alike = []
            if outside is not None and not loose:
                alike = case.outputs_like(body, outside)
            for giver, at in (*loose[:_MOST_LOOSE], *alike[-_MOST_ALIKE:]):
                port = giver.outputs[at]
                text = f'<layer id="{number}" name="result {number}" type="Result" version="opset1">'
                text += f"<input>{port_text(0, port)}</input></layer>"
                edge = edge_text((giver, at), number, 0)
                end = end_of(element_at(case.source, body.edges[-1].offset))
                what = f"a Result {number} of <{body.kind}> takes {called(giver)}"
                message = f"<{body.kind}> has no layer {number}, which the port map names as an output"
                message += f", and {unused(giver)}" if loose else ""
                place = tag_at(case.source, entry.offset).attribute_span(_INTERNAL)
                yield case.repair(
                    message,
                    layer,
                    place,
                    [((body.offsets[0],) * 2, text), ((end, end), edge)],
                    what,
                    1.3,
                    help="put the Result back",
                )


def _bodies(layer: Layer, entry: Mapping) -> list[Graph]:
    return [body for body in layer.bodies if body.kind == entry.body]


def _changed(
    case: Case, layer: Layer, entry: Mapping, name: str, text: str
) -> Iterator[Hypothesis]:
    tag = tag_at(case.source, entry.offset)
    span = tag.attribute_span(name)
    if name in entry.attributes and entry.attributes[name] != text:
        what = f"{name} is {text}"
        message = f"{name} of an entry of the port map of {called(layer)} is {entry.attributes[name]}"
        if name in (_EXTERNAL, _INTERNAL):
            message += f", and none names {text}"
        yield case.repair(
            message,
            layer,
            span,
            [(span, text)],
            what,
            1.0,
            help=f'set {name}="{text}"',
            is_value=True,
        )
