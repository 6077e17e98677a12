"""The wording of OVG005, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather, gather_elements

CASES = [
    (
        "printed on a page: " + gather_elements(),
        None,
        ["note, rejects: repaired: text before the layer is passed over"],
    ),
    (
        gather_elements(),
        None,
        [
            "error, rejects: a <layer> on its own is not an IR: only <net> is; it is checked as a snippet"
        ],
    ),
    (
        '<layer type="GatherElements"><data axis=1 /></layer>',
        None,
        ["note, rejects: repaired: attribute value without quotes"],
    ),
    (
        gather(comment="axis = 1"),
        None,
        [
            "error, rejects: a <layer> on its own is not an IR: only <net> is; it is checked as a snippet",
            "note, accepts: the axis is taken from a comment: axis = 1",
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG005", text, weights) == messages
