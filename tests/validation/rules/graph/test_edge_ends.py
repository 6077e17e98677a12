"""The wording of OVG302, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import layer, net

CASES = [
    (
        net(layer(0, "Result", "opset1"), edges="7:0-8:1 0:1-0:2"),
        None,
        [
            "error, accepts: edge from layer 7 to layer 8, neither of which exists",
            'error, rejects: edge from port 1 of layer 0 "result", which has no output ports',
            'error, rejects: edge to port 2 of layer 0 "result", which has no input ports',
        ],
    ),
    (
        net(layer(0, "Result", "opset1", "", ("FP32 3",)), edges="7:0-0:0"),
        None,
        ["error, rejects: edge from layer 7, which does not exist"],
    ),
    (
        net(
            layer(0, "Parameter", "opset1", "", (), ("FP32 3",)),
            edges="0:0-8:1 0:5-8:1",
        ),
        None,
        [
            "error, accepts: edge to layer 8, which does not exist",
            "error, accepts: edge to layer 8, which does not exist",
        ],
    ),
    (
        net(edges="0:0-1:0 1:1-2:0"),
        None,
        ["error, accepts: 2 edges, but <net> has no layers"],
    ),
    (
        net(
            layer(0, "Result", "opset1", "", ("FP32 3",)).replace(
                '<port id="0"', "<port"
            ),
            edges="0:1-0:2",
        ),
        None,
        [
            'error, rejects: edge from port 1 of layer 0 "result", which has no output ports'
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG302", text, weights) == messages
