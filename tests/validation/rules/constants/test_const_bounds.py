"""The wording of OVG402, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import constant, net

CASES = [
    (
        net(constant(0, "2", "f32", 4, 8, "FP32 2")),
        bytes(8),
        [
            "error, accepts: the constant is bytes 4 to 12 of the .bin, which has 8: 4 are missing"
        ],
    ),
    (
        net(constant(0, "2", "f32", 8, 8, "FP32 2")),
        bytes(8),
        [
            "error, accepts: the constant is bytes 8 to 16 of the .bin, which has 8: 8 are missing"
        ],
    ),
    (net(constant(0, "2", "f32", 8, 8, "FP32 2")), None, []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG402", text, weights) == messages
