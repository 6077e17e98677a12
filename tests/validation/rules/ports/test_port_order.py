"""The wording of OVG214, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, whole

CASES = [
    (
        whole(gather_elements()).replace(
            '<port id="0" precision="FP32"><dim>3</dim><dim>7</dim></port><port id="1"',
            '<port id="5" precision="FP32"><dim>3</dim><dim>7</dim></port><port id="1"',
        ),
        None,
        [
            "warning, accepts: input ports stand in the order 5, 1: OpenVINO uses their position, so port 5 is data, "
            "port 1 is indices | put the ports into the order of their ids"
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG214", text, weights) == messages
