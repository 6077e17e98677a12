"""What: the ports of a layer stand in another order in the text, or their ids count in another order.
Why: OpenVINO takes inputs in the order of the text, and edges find them by their ids.
Bad::
    <port id="1"/><port id="0"/>
Good::
    <port id="0"/><port id="1"/>
"""

from collections.abc import Iterator, Sequence

from ovgather.ir.edit.layer_text import end_of
from ovgather.ir.positions import Span
from ovgather.ir.text import Edit
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 18


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.subjects:
        for side, ports in (("input", layer.inputs), ("output", layer.outputs)):
            numbers = [port.id for port in ports]
            if (
                len(numbers) < 2
                or numbers == sorted(numbers)
                or len({*numbers}) < len(numbers)
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
                "port_order",
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


def _edits(
    case: Case, spans: Sequence[Span], texts: Sequence[bytes]
) -> tuple[Edit, ...]:
    """The edits for ``texts`` where others stand."""
    pairs = zip(spans, texts, strict=True)
    changes = [(at, text) for at, text in pairs if case.source.data[slice(*at)] != text]
    return edits_of(case.source, changes)
