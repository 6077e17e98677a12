"""The wording of OVG202, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, layer, whole

CASES = [
    (
        whole(gather_elements("", "3,9"), "", "3,9"),
        None,
        [
            "error, rejects: data must have rank 1 or more, but is a scalar: data [], indices [3,9], axis 1"
        ],
    ),
    (
        whole(gather_elements("3,7", "3,9,2"), "3,7", "3,9,2"),
        None,
        [
            (
                "error, rejects: data and indices must have the same rank, not 2 and 3: data [3,7], indices "
                "[3,9,2], axis 1"
            )
        ],
    ),
    (whole(gather_elements("3", "2", 'axis="-1"'), "3", "2"), None, []),
    (
        whole(
            layer(2, "GatherND", "opset8", "", ("FP32 3,4", "I64 2,3"), ("FP32 2",)),
            "3,4",
            "2,3",
            "2",
        ),
        None,
        [
            (
                "error, rejects: the last dim of indices is 3, above rank(data) - batch_dims, which is 2: data "
                "[3,4], indices [2,3]"
            )
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG202", text, weights) == messages
