"""The wording of OVG304, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import layer, net

CASES = [
    (
        net(layer(0, "ReLU", "opset1", "", ("FP32 3",), ("FP32 3",)), edges="0:1-0:0"),
        None,
        ["error, accepts: layers feed each other in a cycle: 0 -> 0"],
    ),
    (
        net(
            *[
                layer(k, "ReLU", "opset1", "", ("FP32 3",), ("FP32 3",))
                for k in range(12)
            ],
            edges=" ".join(f"{k}:1-{(k + 1) % 12}:0" for k in range(12)),
        ),
        None,
        [
            "error, accepts: layers feed each other in a cycle: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> … -> 0"
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG304", text, weights) == messages
