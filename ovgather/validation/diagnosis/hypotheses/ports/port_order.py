"""What: the ports of a layer stand in another order in the text.
Why: OpenVINO takes inputs in the order of the text, whatever their ids are.
Bad::
    <port id="1"/><port id="0"/>
Good::
    <port id="0"/><port id="1"/>
"""

from collections.abc import Iterator

from ovgather.ir.edit.layer_text import end_of
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
            pairs = zip(spans, order, strict=True)
            changes = [
                (span, case.source.data[slice(*spans[at])])
                for span, at in pairs
                if span != spans[at]
            ]
            what = f"the {side} ports of {called(layer)} are in the order of their ids"
            message = (
                f"the {side} ports of {called(layer)} are not in the order of their ids"
            )
            yield Hypothesis(
                "port_order",
                message,
                layer,
                spans[0],
                edits_of(case.source, changes, what),
                what,
                1.1,
                help="order them",
            )
