"""The wording of OVG207, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, whole

CASES = [
    (
        whole(gather_elements().replace("<dim>7</dim>", "<dim>7.5</dim>")),
        None,
        ["error, accepts: dim '7.5' is not an integer of -1 or more"],
    ),
    (
        whole(gather_elements().replace("<dim>7</dim>", "<dim>2..9</dim>")),
        None,
        [
            "error, accepts: dim '2..9' is not an integer of -1 or more | a dynamic dim is -1 in a port"
        ],
    ),
    (whole(gather_elements().replace("<dim>7</dim>", "<dim> 7 </dim>")), None, []),
    (
        whole(
            gather_elements().replace("<dim>7</dim>", "<dim>\xa07</dim>", 1)
        ).encode(),
        None,
        [r"error, rejects: dim '\xa07' is not an integer of -1 or more"],
    ),
    (
        whole(gather_elements().replace("<dim>7</dim>", "<dim>seven</dim>")),
        None,
        ["error, rejects: dim 'seven' is not an integer of -1 or more"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG207", text, weights) == messages
