"""The wording of OVG108, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, layer, net, whole

CASES = [
    (
        whole(gather_elements().replace('"GatherElements"', '"gatherelements"')),
        None,
        [
            "warning, accepts: type 'gatherelements' is spelt 'GatherElements' | write 'GatherElements'"
        ],
    ),
    (
        net(layer(0, "Relu", "opset1", "", ("FP32 3",), ("FP32 3",))),
        None,
        ["note, accepts: type 'Relu' is spelt 'ReLU' | write 'ReLU'"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG108", text, weights) == messages
