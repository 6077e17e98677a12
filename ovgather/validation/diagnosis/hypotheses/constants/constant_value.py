"""What: a Const holds another value than meant, such as an axis, an order or a Reshape pattern.
Why: with one other element the layer that takes it computes what its ports declare. The bytes are in the ``.bin``.
Where another Const has these bytes, too, and a third one those that fit, the offset is wrong.
Bad::
    data [2,3,4], axis 2 -> Gather -> port [2,5,4]
Good::
    data [2,3,4], axis 1 -> Gather -> port [2,5,4]
"""

from collections.abc import Iterator
from functools import partial
from itertools import permutations
from typing import NamedTuple

from ovgather.forward.records import find_layer
from ovgather.ir.constants import INTEGER_CODES, Constant, Weights
from ovgather.ir.graph import Layer
from ovgather.layers.tensors import dims_shape
from ovgather.tensor.tensor import Tensor
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.fitting import fitting, numbers
from ovgather.validation.diagnosis.hypothesis import Hypothesis
from ovgather.validation.facts.index_bounds import describe

ORDER = 13
_MOST_ELEMENTS = 8
_MOST_HELD = 64
_MOST_FITTING = 2
_MOST_OUTSIDE = 3
_MOST_TRIED = 4
_MOST_READINGS = 8


class _Reading(NamedTuple):
    """The inputs of a layer that take some bytes of the ``.bin``, by way of Consts such as ``source``, and what flows
    into all of its inputs."""

    layer: Layer
    places: list[int]
    source: Layer
    inputs: list[Tensor]


def propose(case: Case) -> Iterator[Hypothesis]:
    yield from _within_range(case)
    by_bytes: dict[tuple[int, int], dict[Layer, _Reading]] = {}
    for layer in filter(case.is_wrong, case.nearby):
        inputs = case.inputs_of(layer)
        for place, source in enumerate(layer.graph.producers(layer)):
            const = None if source is None else case.constant(source[0])
            if source is not None and const is not None:
                readings = by_bytes.setdefault((const.offset, const.size), {})
                reading = _Reading(layer, [], source[0], inputs)
                readings.setdefault(layer, reading).places.append(place)
    for readings in by_bytes.values():
        yield from _of_bytes(case, [*readings.values()][:_MOST_READINGS])


def _of_bytes(case: Case, readings: list[_Reading]) -> Iterator[Hypothesis]:
    """Other values of the bytes that ``readings`` take; of several readings those with which all agree."""
    first = readings[0]
    const = case.constant(first.source)
    if const is None or not 1 <= const.elements <= _MOST_ELEMENTS:
        return
    is_readable = const.element_type.name in INTEGER_CODES
    old = const.integers() if is_readable else None
    if old is None:
        return
    agrees = partial(_agrees, case, first)
    offsets = _offsets(case, first.source, const)
    others = [values for values in offsets if agrees(values)]
    for values in others[:_MOST_FITTING]:
        price = 0.9 + 0.1 * (len(others) - 1)
        hypothesis = _hypothesis(case, first, const, old, values, price)
        yield from _at_another_offset(case, hypothesis, const, offsets[values])
    reach = case.reach(*[each.layer for each in readings])
    texts = dict.fromkeys(
        values for each in readings for values in _values(old, each.layer)
    )
    common = [
        values
        for values in texts
        if all(_agrees(case, each, values) for each in readings)
    ]
    if not common:
        common = [values for values in _values(old, first.layer) if agrees(values)]
    for values, more in fitting(common, lambda values: True):
        hypothesis = _hypothesis(case, first, const, old, values, 1.3 + more)
        yield hypothesis._replace(reach=reach)


def _offsets(case: Case, layer: Layer, const: Constant) -> dict[tuple[int, ...], int]:
    """What other Consts of the same form hold, each with its offset, where one takes bytes of this one, too."""
    consts = [other for each, other in case.constants if each is not layer]
    first, last = const.offset, const.offset + const.size
    if not any(
        each.offset < last and first < each.offset + each.size for each in consts
    ):
        return {}
    held: dict[tuple[int, ...], int] = {}
    for offset in {
        each.offset: None
        for each in consts
        if (each.element_type, each.shape) == (const.element_type, const.shape)
    }:
        values = const._replace(offset=offset).integers()
        if values not in (None, const.integers()) and len(held) < _MOST_HELD:
            held.setdefault(values, offset)
    return held


def _at_another_offset(
    case: Case, hypothesis: Hypothesis, const: Constant, offset: int
) -> Iterator[Hypothesis]:
    """The right values are in the ``.bin``, and the Const names another place of it; with a size that does not fit, it
    names the place of another Const."""
    assert hypothesis.layer is not None
    names = {"offset": offset}
    if const.size != const.bytes_needed:
        names["size"] = const.bytes_needed
    data = case.element(hypothesis.layer).first("data")
    fixes = [
        case.file.fixes.value(data, name, str(number), f"{name} is {number}", False)
        for name, number in names.items()
    ]
    made = [fix for fix in fixes if fix is not None]
    if len(made) == len(names):
        nouns = " and the ".join(names)
        verb = "is" if len(names) == 1 else "are"
        settings = [f'{name}="{number}"' for name, number in names.items()]
        yield hypothesis._replace(
            message=f"{hypothesis.message}: the {nouns} of the Const {verb} probably wrong",
            edits=tuple(edit for fix in made for edit in fix.edits),
            what=" and ".join(fix.what for fix in made),
            weights=None,
            help=f"set {' and '.join(settings)}",
        )


def _within_range(case: Case) -> Iterator[Hypothesis]:
    """Constant indices out of range that become a length, an order or a shape: what they lead to is refused."""
    wrongs = case.file.out_of_range
    if len(case.findings) <= len(wrongs):
        return
    for wrong in wrongs[:_MOST_OUTSIDE]:
        old = wrong.held.integers() or ()
        layer = wrong.gather.layer
        source = layer.graph.producers(layer)[1]
        if source is None or not 1 <= len(old) <= _MOST_ELEMENTS:
            continue
        low, high = wrong.range.low, wrong.range.high
        help = f"write indices from {low} to {high} at byte {wrong.held.offset} of the .bin"
        for index in range(min(high + 1, _MOST_TRIED)):
            new = tuple([each if low <= each <= high else index for each in old])
            reading = _Reading(layer, [1], source[0], [])
            hypothesis = _hypothesis(case, reading, wrong.held, old, new, 1.3)
            yield hypothesis._replace(
                message=describe(wrong),
                layer=layer,
                place="input/1",
                help=help,
                is_value=True,
            )


def _values(old: tuple[int, ...], layer: Layer) -> list[tuple[int, ...]]:
    """Other elements: one changed, or in another order."""
    changed = [
        (*old[:at], other, *old[at + 1 :])
        for at in range(len(old))
        for other in numbers(layer)
        if other != old[at]
    ]
    if sorted(old) == list(range(len(old))) and len(old) <= 5:
        orders = [*permutations(range(len(old)))]
    else:
        orders = []
    return [*changed, *[each for each in orders if each != old]]


def _agrees(case: Case, reading: _Reading, values: tuple[int, ...]) -> bool:
    inputs = [*reading.inputs]
    for place in reading.places:
        own = inputs[place]
        inputs[place] = Tensor(
            own.shape,
            own.element_type,
            values,
            own.basis,
            own.is_constant,
            own.is_stored,
        )
    return case.agrees(reading.layer, inputs)


def _hypothesis(
    case: Case,
    reading: _Reading,
    const: Constant,
    old: tuple[int, ...],
    new: tuple[int, ...],
    price: float,
) -> Hypothesis:
    layer, (place, *_), source, _ = reading
    data = b"".join(
        each.to_bytes(const.element_type.bits // 8, "little", signed=True)
        for each in new
    )
    weights = case.file.model.weights
    assert weights is not None
    declaration = find_layer(layer.signature)
    if declaration is not None:
        name = declaration.input_name(place)
    else:
        name = f"input {place}"
    declared = " ".join(str(dims_shape(port.dims)) for port in layer.outputs[:1])
    message = f"{layer.type} {called(layer)} has {name} {_spelt(old)},"
    message += f" but its declared output {declared} needs {_spelt(new)}"
    words = f"{_spelt(new)} as little-endian {const.element_type.name}"
    help = f"write {words} at byte {const.offset} of the .bin"
    changed = patched_weights(weights, const.offset, data)
    return Hypothesis(
        message,
        source,
        "data/offset",
        price=price,
        weights=changed,
        help=help,
    )


def patched_weights(weights: Weights, offset: int, data: bytes) -> Weights:
    """``weights`` with other bytes at ``offset``."""

    def part(start: int, size: int) -> memoryview | None:
        view = weights.read(start, size)
        if view is None or start >= offset + len(data) or start + size <= offset:
            return view
        copy = bytearray(view)
        for at, byte in enumerate(data, offset - start):
            if 0 <= at < size:
                copy[at] = byte
        return memoryview(bytes(copy))

    return Weights(path=weights.path, part=part, size=weights.size)


def _spelt(values: tuple[int, ...]) -> str:
    if len(values) == 1:
        return str(values[0])
    return f"({','.join(map(str, values))})"
