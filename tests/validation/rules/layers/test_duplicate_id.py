"""The wording of OVG109, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import net, parameter

CASES = [
    (
        net(
            parameter(0, "3", "f32", "FP32 3", "a"),
            parameter(0, "3", "f32", "FP32 3", "b"),
            parameter(0, "3", "f32", "FP32 3", "c"),
        ),
        None,
        [
            "error, accepts: layer id 0 is taken: layer 'a' has it",
            "error, accepts: layer id 0 is taken: layer 'a' has it",
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG109", text, weights) == messages
