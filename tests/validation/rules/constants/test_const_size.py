"""The wording of OVG403, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import constant, net

CASES = [
    (net(constant(0, "3", "i4", 0, 2, "I4 3")), bytes(2), []),
    (
        net(constant(0, "3", "i4", 0, 1, "I4 3")),
        bytes(2),
        ["error, accepts: size is 1, but [3] of i4 needs 2 bytes"],
    ),
    (
        net(constant(0, "2,3", "f32", 0, 25, "FP32 2,3")),
        bytes(25),
        ["warning, accepts: size is 25, but [2,3] of f32 needs 24 bytes"],
    ),
    (
        net(
            constant(
                0, "4294967296,4294967296", "i32", 0, 0, "I32 4294967296,4294967296"
            )
        ),
        b"",
        [
            "error, accepts: size is 0, but [4294967296,4294967296] of i32 needs 73786976294838206464 bytes"
        ],
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG403", text, weights) == messages
