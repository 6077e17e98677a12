"""The wording of OVG708, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import net, parameter, result

CASES = [
    (
        net(parameter(0, "...", "f32", "FP32"), result(1, "FP32"), edges="0:0-1:0"),
        None,
        [
            "warning, rejects_on_compile: a Parameter of dynamic rank, which the CPU does not take "
            "| give the rank, with ? for each dim: ?,?,?"
        ],
    ),
    (
        net(parameter(0, "", "f32", "FP32"), result(1, "FP32"), edges="0:0-1:0"),
        None,
        [],
    ),
    (
        net(
            parameter(0, ",".join("1" * 40), "f32", "FP32"),
            result(1, "FP32"),
            edges="0:0-1:0",
        ),
        None,
        [
            "warning, rejects_on_compile: a Parameter of rank 40: the CPU takes at most 32"
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG708", text, weights) == messages
