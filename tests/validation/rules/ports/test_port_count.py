"""The wording of OVG201, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, layer, net, whole

CASES = [
    (
        whole(gather_elements()).replace('type="Parameter"', 'type="PARAMETER"'),
        None,
        [],
    ),
    (
        net(
            layer(0, "Parameter", "opset1", 'shape="3" element_type="f32"'),
            layer(
                1, "Const", "opset1", 'element_type="f32" shape="" offset="0" size="4"'
            ),
            layer(2, "Result", "opset1"),
            layer(3, "Gather", "opset8", "", ("FP32 3", "I64 3", "I64", "I64")),
        ),
        bytes(4),
        [
            "error, accepts: Parameter has 1 output port, not 0",
            "error, accepts: Const has 1 output port, not 0",
            "error, rejects: Result takes 1 input port, not 0",
            "error, accepts: Gather-8 has 1 output port, not 0",
            "error, accepts: Gather-8 takes 3 input ports (data, indices, axis), not 4",
        ],
    ),
    (
        net(layer(3, "GatherND", "opset8", "", (), ("FP32",))),
        None,
        ["error, accepts: GatherND-8 takes 2 input ports (data, indices), not 0"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG201", text, weights) == messages
