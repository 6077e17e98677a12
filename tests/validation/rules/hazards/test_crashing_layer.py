"""The wording of OVG707, with severity, verdict and help."""

from __future__ import annotations

import pytest
from gather_texts import branches, state
from rule_messages import messages_of
from small_models import layer

CASES = [
    (
        state("ReadValue", "opset6"),
        None,
        ["error, crashes: ReadValue without variable_id"],
    ),
    (
        state("readvalue", "opset9"),
        None,
        ["error, crashes: readvalue without variable_id"],
    ),
    (state("ReadValue", "opset6", 'variable_id=""'), None, []),
    (state("ReadValue", "opset5"), None, []),
    (state("Assign", "opset8"), None, ["error, crashes: Assign without variable_id"]),
    (
        state("Broadcast", "opset2"),
        None,
        ["error, crashes: Broadcast needs 2 inputs, but has 1"],
    ),
    (state("Broadcast", "opset3"), None, []),
    (state("MaxPool", "opset7"), None, []),
    (
        state("MaxPool", "opset7")
        .replace("0:0-1:0", "")
        .replace('to-layer="1"', 'to-layer="7"'),
        None,
        ["error, crashes: MaxPool needs 1 input, but has 0"],
    ),
    (  # OpenVINO stops at the edge before it makes the layer
        state("MaxPool", "opset7").replace('to-layer="1"', 'to-layer="-7"'),
        None,
        ["error, rejects: MaxPool needs 1 input, but has 0"],
    ),
    (
        branches(
            layer(1, "ReadValue", "opset6", "", ("FP32 3",), ("FP32 3",)),
            edges="0:0-1:0",
        ),
        None,
        ["error, accepts: ReadValue without variable_id"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG707", text, weights) == messages
