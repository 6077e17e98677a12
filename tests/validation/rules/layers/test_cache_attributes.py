"""The wording of OVG110, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, layer, net, whole

CASES = [
    (
        whole(
            gather_elements(
                attributes='axis="1" offset="-1" size="8.0" element_type="Q78"'
            )
        ),
        None,
        [
            "error, rejects: offset '-1' cannot be read, and GatherElements has no weights",
            "error, rejects: size '8.0' cannot be read, and GatherElements has no weights",
            "error, rejects: element_type 'Q78' cannot be read, and GatherElements has no weights",
        ],
    ),
    (whole(gather_elements(attributes='axis="1" offset="x" size="8"')), None, []),
    (
        net(
            layer(
                0,
                "Parameter",
                "opset1",
                'element_type="f32" shape="3" offset="0" size="12"',
                (),
                ("FP32 3",),
            )
        ),
        None,
        [
            "warning, accepts: Parameter with offset and size, as a Const has them | did you mean type Const?"
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG110", text, weights) == messages
