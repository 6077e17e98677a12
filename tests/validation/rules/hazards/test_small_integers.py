"""The wording of OVG704, with severity, verdict and help."""

from __future__ import annotations

import pytest
from gather_texts import chosen, fed, gather, table
from rule_messages import messages_of
from small_models import i64

CASES = [
    (gather(fed("i32", "I32"), chosen()), i64(0, 0, -4), []),
    (
        gather(fed("i32", "I32"), chosen()),
        i64(0, 0, -5),
        [
            "warning, accepts: 1 of 2 constant indices is outside [-4, 3]: -5 at position [1], axis 0 of data [4]"
        ],
    ),
    (
        gather(fed("u16", "U16"), chosen()),
        i64(0, 5000, 4),
        [
            "warning, undefined: 2 of 2 constant indices are outside [-4, 3]: "
            "5000 at position [0], axis 0 of data [4]; then 4 at [1]"
        ],
    ),
    (
        gather(fed("i64", "I64"), chosen(), "opset1"),
        i64(0, 1 << 40, 0),
        [
            "error, crashes: 1 of 2 constant indices is outside [0, 3]: 1099511627776 at position [0], "
            "axis 0 of data [4]"
        ],
    ),
    (gather(fed("i8", "I8"), chosen()), i64(0, 0, 7), []),
    (gather(table("i32", "I32", 16), chosen()), i64(0, 0, 7), []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG704", text, weights) == messages
