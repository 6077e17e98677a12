"""The wording of OVG106, with severity, verdict and help."""

from __future__ import annotations

import pytest
from consequences import of_rules
from gather_texts import unary
from rule_messages import messages_of
from small_models import gather_elements, whole, words

CASES = [
    (
        unary("Elu", ""),
        None,
        ["warning, accepts: Elu-1 without alpha: the specification requires it"],
    ),
    (
        whole(gather_elements(attributes="")),
        None,
        [
            "error, rejects: GatherElements-6 without axis: the specification requires it"
        ],
    ),
    (whole(gather_elements(attributes='Axis="0"')), None, []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG106", text, weights) == messages


def test_several_required_attributes_are_one_finding() -> None:
    text = unary("LRN", 'size="5"')
    [message] = [
        words(each) for each in of_rules(text.encode()) if each.code == "OVG106"
    ]
    assert (
        message
        == "error, rejects: LRN-1 without alpha, beta, bias: the specification requires them"
    )
