"""The wording of OVG104, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_8, gather_elements, i64, whole

CASES = [
    (
        gather_8(),
        i64(-3),
        [
            "error, rejects: axis -3 is out of range [-2, 1] for data of rank 2: data [5,4], indices [2,3], axis -3"
        ],
    ),
    (
        gather_8(axis_shape="1,1"),
        i64(0),
        [
            "error, rejects: axis must be a scalar or have shape [1], not [1,1]: data [5,4], indices [2,3], axis 0"
        ],
    ),
    (
        # A port without an edge, which IR v10 may have, hides nothing.
        whole(gather_elements(attributes='axis="2"'))
        .replace("</input>", '<port id="9"/></input>', 1)
        .replace('version="11"', 'version="10"', 1),
        None,
        [
            "error, rejects: axis 2 is out of range [-2, 1] for data of rank 2: data [3,7], indices [3,9], axis 2"
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG104", text, weights) == messages
