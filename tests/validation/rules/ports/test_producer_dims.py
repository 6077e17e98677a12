"""The wording of OVG206, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, whole

CASES = [
    (
        whole(gather_elements("3,8")),
        None,
        [
            'error, accepts: input 0 is declared [3,8], but layer 0 "data" produces [3,7]'
        ],
    ),
    (
        whole(gather_elements("3,7,1")),
        None,
        [
            'error, accepts: input 0 is declared [3,7,1], but layer 0 "data" produces [3,7]'
        ],
    ),
    (
        whole(gather_elements("3,-1")),
        None,
        [
            'warning, accepts: input 0 is declared [3,?], but layer 0 "data" produces [3,7]'
        ],
    ),
    (
        whole(gather_elements()).replace(
            '<input><port id="0" precision="FP32">',
            '<input><port id="0" precision="FP16">',
        ),
        None,
        [
            'warning, accepts: wrong element type: input 0 is declared FP16, but layer 0 "data" produces FP32',
            'warning, accepts: wrong element type: input 0 is declared FP16, but layer 2 "pick" produces FP32',
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG206", text, weights) == messages
