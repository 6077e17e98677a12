"""The wording of OVG305, with severity, verdict and help."""

from __future__ import annotations

import pytest
from gather_texts import branches
from rule_messages import messages_of
from small_models import layer, net, parameter


def relu(number: int) -> str:
    return layer(number, "ReLU", "opset1", "", ("FP32 3",), ("FP32 3",))


CASES = [
    (
        branches(relu(1), edges="0:0-1:0"),
        None,
        [
            "warning, accepts: the layer leads to no Result | remove it, or connect its output"
        ],
    ),
    (
        branches(
            relu(1), relu(2), relu(3), relu(4), edges="0:0-1:0 1:1-2:0 2:1-3:0 1:1-4:0"
        ),
        None,
        [
            "warning, accepts: the layer leads to no Result; 2 others lead only here | remove it, or connect "
            "its output",
            "warning, accepts: the layer leads to no Result | remove it, or connect its output",
        ],
    ),
    (
        branches(parameter(1, "3", "f32", "FP32 3", "spare")),
        None,
        ["note, accepts: no layer uses this Parameter"],
    ),
    (branches(relu(1)), None, []),
    (net(parameter(0, "3", "f32", "FP32 3")), None, []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG305", text, weights) == messages
