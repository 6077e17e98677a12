"""The wording of OVG203, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_8, gather_elements, i64, whole

CASES = [
    (
        whole(gather_elements("3,7", "3,9", output="3,8"), output="3,8"),
        None,
        [
            "error, accepts: output dim 1 is 8, but 9 is inferred from the inputs | should be 9"
        ],
    ),
    (
        whole(gather_elements("3,7", "3,9", output="3,9,1"), output="3,9,1"),
        None,
        [
            "error, accepts: the output has rank 3, but rank 2 is inferred from the inputs: [3,9] | should be [3,9]"
        ],
    ),
    (
        whole(gather_elements("3,7", "3,-1", output="3,8")),
        None,
        [
            "error, accepts: output dim 1 is 8, but 9 is inferred from the inputs | should be 9"
        ],
    ),
    (
        gather_8(data="2,3,4", indices="2,3", out="7,7,7,7"),
        i64(1),
        [
            "error, accepts: output dim 0 is 7, but 2 is inferred from the inputs | should be 2",
            "error, accepts: output dim 1 is 7, but 2 is inferred from the inputs | should be 2",
            "error, accepts: output dim 2 is 7, but 3 is inferred from the inputs | should be 3",
            "error, accepts: output dim 3 is 7, but 4 is inferred from the inputs | should be 4",
        ],
    ),
    (
        gather_8(data="5,4", out="9,9,9"),
        None,
        [
            "error, accepts: no axis makes [9,9,9] of data [5,4] and indices [2,3], batch_dims 0"
        ],
    ),
    (
        gather_8(data="9,4", indices="-1,-1", out="-1,-1,7"),
        None,
        [
            "warning, accepts: output dim 2 is 7, and no axis gives [?,?,7] | "
            "the axis is not known; the nearest, axis 0, gives [?,?,4]"
        ],
    ),
    (
        gather_8(data="9,4", indices="2,3", out="2,3,7"),
        None,
        [
            "error, accepts: output dim 2 is 7, and no axis gives [2,3,7] | "
            "the axis is not known; the nearest, axis 0, gives [2,3,4]"
        ],
    ),
    (gather_8(data="9,4", indices="2,3", out="-1,-1,-1"), None, []),
    (
        whole(gather_elements(output="-1,9"), output="-1,9"),
        None,
        [
            "warning, accepts: output dim 0 is declared dynamic, but 3 is inferred from the inputs | should be 3"
        ],
    ),
    (
        whole(
            gather_elements(data="-1,7", indices="-1,9"), data="-1,7", indices="-1,9"
        ),
        None,
        [],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG203", text, weights) == messages
