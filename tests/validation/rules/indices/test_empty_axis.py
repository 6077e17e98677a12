"""The wording of OVG502, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_8, i64

CASES = [
    (
        gather_8(data="0,4"),
        i64(0),
        [
            "warning, accepts: data [0,4] has no elements along axis 0, but indices [2,3] ask for some"
        ],
    ),
    (
        gather_8(data="0,4", version="opset7"),
        i64(0),
        [
            "error, accepts: data [0,4] has no elements along axis 0, but indices [2,3] ask for some"
        ],
    ),
    (gather_8(data="0,4", indices="0", out="0,4"), i64(0), []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG502", text, weights) == messages
