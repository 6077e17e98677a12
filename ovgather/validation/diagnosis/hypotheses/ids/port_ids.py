"""What: the ids of a layer's ports are not those that edges name: they count from 1, or one of them is changed.
Why: edges name ports by their ids. With other ids every edge finds its port.
Bad::
    <port id="1"/><port id="2"/>   <!-- and edges to ports 0 and 1 -->
Good::
    <port id="0"/><port id="1"/>
"""

from collections.abc import Iterable, Iterator, Sequence

from ovgather.ir.graph import Layer, Port
from ovgather.ir.positions import Element
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import (
    Hypothesis,
    attribute_change,
    edits_of,
)

ORDER = 14
_MANY = "the ids of ports of {count} layers are not those that edges name"


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.everyone:
        element = case.element(layer)
        changes = []
        words = []
        astray = 0
        taken, given = case.ports_named(layer.graph, layer.id)
        unreadable = any(port.id < 0 for port in (*layer.inputs, *layer.outputs))
        for side, ports, named in (
            ("input", layer.inputs, taken),
            ("output", layer.outputs, given),
        ):
            numbers = _numbers(ports, named)
            if numbers is not None:
                changes += _changes(element.ports(side), ports, numbers, unreadable)
                words.append(f"{side} ports are {', '.join(map(str, numbers))}")
                ids = {port.id for port in ports}
                if side == "input":
                    edges = case.into(layer.graph, layer.id)
                    astray += sum(edge.to_port not in ids for edge in edges)
                else:
                    edges = case.out_of(layer.graph, layer.id)
                    astray += sum(edge.from_port not in ids for edge in edges)
        if changes:
            hypothesis = _hypothesis(case, layer, changes, words)
            yield hypothesis._replace(reach=1 if unreadable else astray)


def _numbers(ports: Sequence[Port], named: Iterable[int]) -> list[int] | None:
    """The ids with which each of the ids that edges name is there; None where they are there, or no ids are."""
    ids = [port.id for port in ports]
    wanted = sorted({*named})
    missing = [each for each in wanted if each not in ids]
    if not missing or not ids or len({*wanted}) > len(ids):
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


def _changes(
    elements: Sequence[Element],
    ports: Sequence[Port],
    numbers: Sequence[int],
    unreadable: bool,
) -> list[tuple[Element, str]]:
    """The ports that get other ids; where some are ``unreadable``, these: others are another mistake."""
    pairs = zip(elements, ports, numbers, strict=False)
    return [
        (element, str(number))
        for element, port, number in pairs
        if port.id != number and (port.id < 0 or not unreadable)
    ]


def _hypothesis(
    case: Case,
    layer: Layer,
    changes: list[tuple[Element, str]],
    words: list[str],
) -> Hypothesis:
    what = f"the {' and the '.join(words)}"
    message = f"edges name other port ids than {called(layer)} has"
    help = f"number them as edges do: {what}"
    is_missing = all("id" not in port.attributes for port, _ in changes)
    if is_missing:
        message = f"{called(layer)} has a port without an id"
        help = f"write it: {what}"
    place = changes[0][0].attribute_span("id")
    spans = [attribute_change(port, "id", number) for port, number in changes]
    edits = edits_of(case.source, spans, what)
    ids = [port.id for port in (*layer.inputs, *layer.outputs)]
    # As converters number them.
    price = (1.0 if len(changes) == 1 else 1.4) + 0.5 * (ids == list(range(len(ids))))
    return Hypothesis(
        "port_ids",
        message,
        layer,
        place,
        edits,
        what,
        price,
        help=help,
        is_value=min(ids) < 0 and not is_missing,
        safe=True,
        many=_MANY,
    )
