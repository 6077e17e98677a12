"""The wording of OVG210, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, layer, net, parameter, whole

CASES = [
    (
        whole(gather_elements()).replace('shape="3,7"', 'shape="-3,7"'),
        None,
        [
            "error, rejects: '-3,7' is not a shape: dim 0: '-3' is not a dimension: write 5, ?, -1, 2..8, ..8 or 8.."
        ],
    ),
    (
        net(layer(0, "Parameter", "opset1", "", (), ("FP32 3",))),
        None,
        ["error, rejects: Parameter without <data>"],
    ),
    (
        net(layer(0, "Parameter", "opset1", 'element_type="f32"', (), ("FP32 3",))),
        None,
        ["warning, accepts: Parameter without shape: it is a scalar"],
    ),
    (
        whole(gather_elements()).replace("<data shape", "<data/><data shape", 1),
        None,
        ["error, rejects: Parameter with an empty <data>"],
    ),
    (
        net(layer(0, "Parameter", "opset1", " ", (), ("FP32 3",))),
        None,
        ["error, rejects_on_compile: Parameter with an empty <data>"],
    ),
    (
        net(parameter(0, "3,9223372036854775807", "f32", "FP32 3,-1")),
        None,
        [
            "error, accepts: shape '3,9223372036854775807': dim 9223372036854775807 is too large"
        ],
    ),
    (net(parameter(0, "0..9223372036854775807", "f32", "FP32 -1")), None, []),
    (
        net(parameter(0, "8..2", "f32", "FP32 -1")),
        None,
        [
            (
                "error, undefined: '8..2' is not a shape: dim 0: dimension 8..2 is empty: the lower end is above the "
                "upper end"
            )
        ],
    ),
    (
        net(parameter(0, "3.5", "f32", "FP32 -1")),
        None,
        [
            (
                "error, rejects: '3.5' is not a shape: dim 0: '3.5' is not a dimension: write 5, "
                "?, -1, 2..8, ..8 or 8.."
            )
        ],
    ),
    (
        net(parameter(0, "batch,n:2..8", "f32", "FP32 -1,-1")),
        None,
        [
            (
                "error, rejects: 'batch,n:2..8' is not a shape: dim 0: 'batch' is not a dimension: write 5, ?, -1, "
                "2..8, ..8 or 8.."
            )
        ],
    ),
    (net(parameter(0, "3,4", "f32", "FP32 3,4")), None, []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG210", text, weights) == messages
