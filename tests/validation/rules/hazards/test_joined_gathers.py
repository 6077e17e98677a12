"""The wording of OVG714, with verdicts, and the Concats whose inputs OpenVINO does not join."""

from __future__ import annotations

import pytest
from bodies_oracle import Net
from rule_messages import messages_of

MESSAGE = (
    "warning, {}: inputs {} are Gathers with batch_dims of the same data, of one dim each"
    " | give indices one dim more, and reshape the output of the Concat"
)


@pytest.mark.parametrize(
    ("order", "indices", "batch_dims", "messages"),
    [
        ("aa", "4", 1, [MESSAGE.format("accepts", "0 and 1")]),
        ("ab", "4", 1, [MESSAGE.format("accepts", "0 and 1")]),
        ("xab", "4", 1, [MESSAGE.format("rejects_on_compile", "1 and 2")]),
        ("axb", "4", 1, []),  # not neighbours
        ("ao", "4", 1, []),  # other data
        ("aa", "4,1", 1, []),
        ("aa", "4", 0, []),
    ],
)
def test_messages(
    order: str, indices: str, batch_dims: int, messages: list[str]
) -> None:
    net = Net()
    data, other = net.parameter("4,7"), net.parameter("4,7")
    axis = net.const("", "i64", [1])

    def gather(source: tuple[int, int]) -> tuple[int, int]:
        inputs = [source, net.parameter(indices, "i32"), axis]
        return net.add("Gather", inputs, {"batch_dims": batch_dims}, opset=8)

    inputs = {
        "a": gather(data),
        "b": gather(data),
        "o": gather(other),
        "x": net.parameter("2"),
    }
    concat = net.add("Concat", [inputs[each] for each in order], {"axis": 0})
    net.result(concat)
    assert messages_of("OVG714", net.document(), net.weights.data) == messages
