"""The wording of OVG215, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import layer, net, parameter

CASES = [
    (
        net(
            parameter(0, "3,7", "f32", "FP32 3,7"),
            layer(
                1, "ShapeOf", "opset3", 'output_type="i64"', ("FP32 3,7",), ("I32 2",)
            ),
            layer(2, "Concat", "opset1", 'axis="0"', ("I32 2",), ("I64 2",)),
            layer(3, "Abs", "opset1", "", ("FP32 3,7",), ("FP32 3",)),
            layer(4, "Abs", "opset1", "", ("FP32 3,7",), ("FP32 3,8",)),
            layer(5, "Result", "opset1", "", ("I64 2",)),
            layer(6, "Result", "opset1", "", ("FP32 3",)),
            layer(7, "Result", "opset1", "", ("FP32 3,8",)),
            layer(
                8, "Abs", "opset1", "", ("FP32 3,7",), ("FP32 4,7",)
            ),  # nothing takes it
            edges="0:0-1:0 1:1-2:0 0:0-3:0 0:0-4:0 2:1-5:0 3:1-6:0 4:1-7:0 0:0-8:0",
        ),
        None,
        [
            "warning, accepts: output 0 is declared i32, but the layer computes i64",
            "error, accepts: output 0 is declared [3], but the layer computes [3,7]",
            "error, accepts: output 0 is declared [3,8], but the layer computes [3,7]",
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG215", text, weights) == messages
