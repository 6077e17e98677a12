"""What: the ids of a layer's ports are not those that edges name: they count from 1, or one of them is changed.
Why: edges name ports by their ids. With other ids every edge finds its port.
Bad::
    <port id="1"/><port id="2"/>   <!-- and edges to ports 0 and 1 -->
Good::
    <port id="0"/><port id="1"/>
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ovgather.ir.graph import Layer, Port
from ovgather.ir.positions import Element
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import (
    Hypothesis,
    attribute_change,
)

ORDER = 14
_MANY = "the ids of ports of {count} layers are not those that edges name"


class _Side(NamedTuple):
    """The ports of one side that get other ids: with how many edges ``loose_edges``, and higher by which ``shifts``."""

    changes: list[tuple[Element, str]]
    words: str
    loose_edges: int
    shifts: set[int]


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.everyone:
        sides = [*_sides(case, layer)]
        if len({frozenset(side.shifts) for side in sides}) == 1:
            yield _hypothesis(case, layer, sides)  # one rule changed them all
        else:
            yield from [_hypothesis(case, layer, [side]) for side in sides]


def _sides(case: Case, layer: Layer) -> Iterator[_Side]:
    """The inputs and the outputs, if they get other ids; where some cannot be read, these: others are another
    mistake."""
    element = case.element(layer)
    named_inputs, named_outputs = case.ports_named(layer.graph, layer.id)
    into = [edge.to_port for edge in case.into(layer.graph, layer.id)]
    out_of = [edge.from_port for edge in case.out_of(layer.graph, layer.id)]
    unreadable = any(port.id < 0 for port in (*layer.inputs, *layer.outputs))
    for side, ports, named, ends in (
        ("input", layer.inputs, named_inputs, into),
        ("output", layer.outputs, named_outputs, out_of),
    ):
        numbers = _numbers(ports, named)
        if numbers is None:
            continue
        changes = [
            (tag, str(number), number - port.id)
            for tag, port, number in zip(
                element.ports(side), ports, numbers, strict=False
            )
            if port.id != number and (port.id < 0 or not unreadable)
        ]
        if changes:
            ids = {port.id for port in ports}
            yield _Side(
                [change[:2] for change in changes],
                f"{side} ports are {', '.join(map(str, numbers))}",
                1 if unreadable else sum(end not in ids for end in ends),
                {shift for _, _, shift in changes},
            )


def _numbers(ports: Sequence[Port], named: Iterable[int]) -> list[int] | None:
    """The ids with which each of the ids that edges name is there; None where they are there, or no ids are."""
    ids = [port.id for port in ports]
    wanted = sorted({number for number in named if number >= 0})
    missing = [each for each in wanted if each not in ids]
    if not missing or not ids or len(wanted) > len(ids):
        return None
    if len(wanted) == len(ids):
        return wanted
    free = [
        *[at for at, number in enumerate(ids) if number in ids[:at]],
        *[at for at, number in enumerate(ids) if number not in [*wanted, *ids[:at]]],
    ]
    if len(missing) > len(free):
        return None
    numbers = list(ids)
    for at, number in zip(free, missing, strict=False):
        numbers[at] = number
    if numbers == sorted({*numbers}):
        return numbers
    return None


def _hypothesis(
    case: Case,
    layer: Layer,
    sides: Sequence[_Side],
) -> Hypothesis:
    changes = [change for side in sides for change in side.changes]
    what = f"the {' and the '.join(side.words for side in sides)}"
    message = f"edges name other port ids than {called(layer)} has"
    help = f"number them as edges do: {what}"
    if len(changes) == 1:
        [(port, number)] = changes
        message = f"port {port.attributes.get('id')} of {called(layer)} is called {number} by its edge"
        help = f'set id="{number}"'
    is_missing = all("id" not in port.attributes for port, _ in changes)
    if is_missing:
        words = " and ".join([f'id="{number}"' for _, number in changes])
        message = f"{called(layer)} has a port without an id"
        help = f"add {words}"
    place = changes[0][0].attribute_span("id")
    spans = [attribute_change(port, "id", number) for port, number in changes]
    ids = [port.id for port in (*layer.inputs, *layer.outputs)]
    # As converters number them.
    price = (1.0 if len(changes) == 1 else 1.4) + 0.5 * (ids == list(range(len(ids))))
    return case.repair(
        message,
        layer,
        place,
        spans,
        what,
        price,
        reach=sum(side.loose_edges for side in sides),
        help=help,
        is_value=min(ids) < 0 and not is_missing,
        safe=True,
        many=_MANY,
    )
