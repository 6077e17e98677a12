"""The wording of OVG105, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_8, i64

CASES = [
    (
        gather_8(attributes='batch_dims="2"', data="2,3,4", indices="2,3"),
        i64(1),
        [
            (
                "error, rejects: batch_dims 2 must not be above axis, which is 1: data [2,3,4], indices [2,3], axis "
                "1, batch_dims 2"
            )
        ],
    ),
    (
        gather_8(attributes='batch_dims="-3"', data="...", indices="2,3").replace(
            "<dim>...</dim>", ""
        ),
        i64(1),
        [
            (
                "error, accepts: batch_dims -3 is below -rank(indices), which is -2: data [...], indices [2,3], "
                "axis 1, batch_dims -3"
            )
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG105", text, weights) == messages
