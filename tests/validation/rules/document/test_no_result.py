"""The wording of OVG010, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import net, parameter

CASES = [
    (net(), None, ["warning, accepts: the model has no layers"]),
    (
        net(parameter(0, "3", "f32", "FP32 3")),
        None,
        ["warning, accepts: no Result: the model computes nothing"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG010", text, weights) == messages
