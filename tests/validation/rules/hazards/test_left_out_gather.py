"""The wording of OVG713, and the Gathers that OpenVINO does not leave out."""

from __future__ import annotations

import pytest
from bodies_oracle import Net
from rule_messages import messages_of

MESSAGE = (
    "warning, accepts: the indices [{}] are constant, and the axis is the dim that layer 3"
    ' "unsqueeze3" adds: data [{}] | repeat with a Broadcast or a Tile'
)


@pytest.mark.parametrize(
    ("shape", "axis", "indices", "readers", "messages"),
    [
        ("?,?", 0, "3", 1, [MESSAGE.format("3", "1,?,?")]),
        ("2,?,?", 1, "1,2", 1, [MESSAGE.format("1,2", "2,1,?,?")]),
        ("?,4", 0, "3", 1, []),  # one open dim
        ("?,?", 0, "", 1, []),  # one index: the layers do nothing
        ("?,?", 0, "3", 2, []),
    ],
)
def test_messages(
    shape: str, axis: int, indices: str, readers: int, messages: list[str]
) -> None:
    net = Net()
    dims = [int(dim) for dim in indices.split(",") if dim]
    count = 1
    for dim in dims:
        count *= dim
    data = net.parameter(shape)
    axes = net.const("1", "i64", [axis])
    positions = net.const(indices, "i64", [0] * count)
    added = net.add("Unsqueeze", [data, axes])
    along = net.const("", "i64", [axis])
    gather = net.add("Gather", [added, positions, along], {"batch_dims": 0}, opset=8)
    net.result(gather)
    if readers > 1:
        net.result(net.add("Relu", [added]))
    assert messages_of("OVG713", net.document(), net.weights.data) == messages


def test_the_axis_of_another_dim() -> None:
    net = Net()
    added = net.add("Unsqueeze", [net.parameter("?,?"), net.const("1", "i64", [0])])
    inputs = [added, net.const("3", "i64", [0, 0, 0]), net.const("", "i64", [1])]
    net.result(net.add("Gather", inputs, opset=8))
    assert messages_of("OVG713", net.document(), net.weights.data) == []
