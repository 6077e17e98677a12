"""The wording of OVG205, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, whole

CASES = [
    (
        whole(gather_elements()).replace(
            '</input><output><port id="2" precision="FP32">',
            '</input><output><port id="2" precision="BOOL">',
        ),
        None,
        [
            (
                "warning, accepts: the output is declared BOOL, but data is FP32 and Gather does"
                " not convert element types | "
                "should be FP32"
            )
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG205", text, weights) == messages
