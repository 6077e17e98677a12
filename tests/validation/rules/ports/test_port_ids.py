"""The wording of OVG209, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, layer, net, whole

CASES = [
    (
        whole(gather_elements().replace('<port id="1"', "<port")),
        None,
        ["error, rejects: <port> has no id"],
    ),
    (
        whole(gather_elements().replace('<port id="1"', '<port id="-1"')),
        None,
        ["error, rejects: port id '-1' is not a plain number"],
    ),
    (
        whole(gather_elements().replace('<port id="1"', '<port id="01"')),
        None,
        ["warning, accepts: port id '01' is written with leading zeros | write 1"],
    ),
    (
        net(
            layer(
                0,
                "Split",
                "opset1",
                'num_splits="2"',
                ("FP32 4", "I64"),
                ("FP32 2", "FP32 2"),
            ).replace('<port id="3"', '<port id="2"')
        ),
        None,
        ["error, accepts: two output ports have the id 2"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG209", text, weights) == messages
