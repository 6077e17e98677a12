"""The wording of OVG706, with severity, verdict and help."""

from __future__ import annotations

import struct

import pytest
from gather_texts import chosen, fed, gather, table
from rule_messages import messages_of
from small_models import i64, parameter

CASES = [
    (
        gather(fed("u64", "U64")),
        None,
        [
            "warning, accepts: the values of data are u64, which the CPU does not compute with"
        ],
    ),
    (gather(fed("i64", "I64")), None, []),
    (
        gather(table("f64", "FP64", 32)),
        i64(0) + struct.pack("<4d", 0.5, 0.1, 1e300, float("nan")),
        [
            "warning, accepts: 2 of 4 constant values of data do not survive the CPU: 0.1 at position [1] becomes "
            "0.10000000149011612"
        ],
    ),
    (
        gather(table("u64", "U64", 32)),
        i64(0, 1, -1, 2, 3),
        [
            "warning, accepts: 1 of 4 constant values of data does not survive the CPU: 18446744073709551615 at "
            "position [1] becomes 2147483647"
        ],
    ),
    (gather(table("u64", "U64", 32)), i64(0, 1, 2, 3, 4), []),
    (
        gather(parameter(0, "?", "f32", "FP32 -1", "data"), chosen()),
        i64(0, 1, 1 << 32),
        [
            "warning, accepts: 1 of 2 constant values of indices does not survive the CPU: 4294967296 at position [1] "
            "becomes 2147483647"
        ],
    ),
    (gather(fed("f32", "FP32"), chosen()), i64(0, 1, 1 << 32), []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG706", text, weights) == messages
