"""The wording of OVG208, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, whole

CASES = [
    (
        whole(gather_elements().replace('precision="I64"', 'precision="Q78"')),
        None,
        ["warning, accepts: precision 'Q78' is not an element type"],
    ),
    (
        whole(gather_elements()).replace(
            '<output><port id="2" precision="FP32">',
            '<output><port id="2" precision="float16">',
        ),
        None,
        [
            "error, rejects: precision 'float16' is not an element type | did you mean `FP16`?"
        ],
    ),
    (
        whole(gather_elements()).replace(
            '<output><port id="2" precision="FP32">',
            '<output><port id="2" precision="F32">',
        ),
        None,
        [
            "error, rejects: precision 'F32' is not an element type | did you mean `FP32`?"
        ],
    ),
    (
        whole(gather_elements()).replace(
            '<output><port id="2" precision="FP32">', '<output><port id="2">'
        ),
        None,
        ["error, rejects: output port 2 has no precision"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG208", text, weights) == messages
