"""What: the ports of a layer stand in another order in the text, or on the other side, or their ids count in another
order; or its ``<input>`` and ``<output>`` are swapped.
Why: OpenVINO takes inputs in the order of the text, and edges find them by their ids.
Bad::
    <port id="1"/><port id="0"/>
Good::
    <port id="0"/><port id="1"/>
"""

from collections.abc import Iterator, Sequence

from ovgather.ir.edit.layer_text import end_of, insertion, line_of
from ovgather.ir.graph import Layer
from ovgather.ir.positions import Span
from ovgather.ir.text import Edit
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 18
_OTHER_SIDE = {"input": "output", "output": "input"}


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.subjects:
        yield from _other_side(case, layer)
        yield from _exchanged_sides(case, layer)
        for side, ports in (("input", layer.inputs), ("output", layer.outputs)):
            numbers = [port.id for port in ports]
            if (
                len(numbers) < 2
                or numbers == sorted(numbers)
                or len({*numbers}) < len(numbers)
                or min(numbers) < 0  # no id, which stands nowhere in an order
            ):
                continue
            elements = case.element(layer).ports(side)
            order = sorted(range(len(numbers)), key=numbers.__getitem__)
            spans = [(each.start, end_of(each)) for each in elements]
            blocks = [case.source.data[slice(*spans[at])] for at in order]
            message = (
                f"the {side} ports of {called(layer)} are not in the order of their ids"
            )
            what = f"the {side} ports of {called(layer)} are in the order of their ids"
            moved = Hypothesis(
                message,
                layer,
                spans[0],
                _edits(case, spans, blocks),
                what,
                1.1,
                help="sort them by id",
            )
            ids = [each.attribute_span("id") for each in elements]
            texts = [str(number).encode() for number in sorted(numbers)]
            yield moved
            yield moved._replace(
                edits=_edits(case, ids, texts),
                what=f"the ids of the {side} ports of {called(layer)} are in order",
                price=1.2,
                help="number them in order",
            )


def _other_side(case: Case, layer: Layer) -> Iterator[Hypothesis]:
    """Outputs that edges lead to, and inputs that edges leave, stand behind the ports of their side."""
    element = case.element(layer)
    inputs = [port.id for port in layer.inputs]
    outputs = [port.id for port in layer.outputs]
    into, out_of = case.ports_named(layer.graph, layer.id)
    for side, own, named, other, others, leave in (
        ("input", inputs, into, "output", outputs, out_of),
        ("output", outputs, out_of, "input", inputs, into),
    ):
        strays = [
            port
            for port, number in zip(element.ports(other), others, strict=True)
            if number in named.difference(own, leave)
        ]
        parent = element.first(side)
        if parent is None or not strays:
            continue
        changes = [(line_of(port), b"") for port in strays]
        text = b"".join(case.source.data[port.start : end_of(port)] for port in strays)
        changes.append(insertion(parent, element.ports(side), len(own), text))
        what = f"the {side} ports of {called(layer)} are all in <{side}>"
        yield case.repair(
            f"<{other}> of {called(layer)} holds a port that is an {side} for the edges",
            layer,
            strays[0].tag_span,
            changes,
            what,
            1.0,
            reach=case.reach(layer),
            help=f"move it into <{side}>",
            safe=True,
        )


def _exchanged_sides(case: Case, layer: Layer) -> Iterator[Hypothesis]:
    """``<input>`` and ``<output>`` have each other's name: edges lead to all ports of the one, and leave the other."""
    into, out_of = case.ports_named(layer.graph, layer.id)
    inputs = {port.id for port in layer.inputs}
    outputs = {port.id for port in layer.outputs}
    if not into or into != outputs or not out_of <= inputs:
        return
    element = case.element(layer)
    sides = element.named("input") + element.named("output")
    fixes = [
        case.file.fixes.renamed_element(side, _OTHER_SIDE[side.name]) for side in sides
    ]
    edits = [edit for fix in fixes if fix is not None for edit in fix.edits]
    yield Hypothesis(
        f"<input> and <output> of {called(layer)} are swapped: edges lead to the ports in <output>",
        layer,
        sides[0].name_span,
        tuple(edits),
        "they change their names",
        reach=case.reach(layer),
        help="swap the names of the two elements",
        part="sides",
        is_one=True,
    )


def _edits(
    case: Case, spans: Sequence[Span], texts: Sequence[bytes]
) -> tuple[Edit, ...]:
    """The edits for ``texts`` where others stand."""
    pairs = zip(spans, texts, strict=True)
    changes = [(at, text) for at, text in pairs if case.source.data[slice(*at)] != text]
    return edits_of(case.source, changes)
