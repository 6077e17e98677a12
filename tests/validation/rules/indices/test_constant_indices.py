"""The wording of OVG501, with severity, verdict and help."""

from __future__ import annotations

import pytest
from gather_texts import chosen, fed, gather
from rule_messages import messages_of
from small_models import gather_8, i64

CASES = [
    (
        gather(fed("i8", "I8"), chosen()),
        i64(0, 0, 7),
        [
            "warning, accepts: 1 of 2 constant indices is outside [-4, 3]: 7 at position [1], axis 0 of data [4]"
        ],
    ),
    (gather(fed("i32", "I32"), chosen()), i64(0, 0, 7), []),
    (gather_8(), i64(0), []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG501", text, weights) == messages
