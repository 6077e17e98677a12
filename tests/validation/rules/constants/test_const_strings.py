"""The wording of OVG404, with severity, verdict and help."""

from __future__ import annotations

import struct

import pytest
from rule_messages import messages_of
from small_models import constant, net

CASES = [
    (
        net(constant(0, "1", "string", 0, 9, "STRING 1")),
        struct.pack("<ii", 0, 0) + b"A",
        ["error, accepts: 0 packed strings for 1 element"],
    ),
    (
        net(constant(0, "1", "string", 0, 13, "STRING 1")),
        struct.pack("<iii", 1, 2, 1) + b"A",
        ["error, accepts: packed string 0 is at bytes 2 to 1 of 1"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG404", text, weights) == messages
