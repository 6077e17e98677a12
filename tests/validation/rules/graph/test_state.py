"""The wording of OVG307, with severity, verdict and help."""

from __future__ import annotations

import pytest
from gather_texts import state
from rule_messages import messages_of
from small_models import layer, net, parameter, result


def variable(read: str, kept: str, end: str = "1:1-3:0") -> str:
    def layers(number: int, type: str, name: str) -> str:
        return layer(
            number, type, "opset6", f'variable_id="{name}"', ("FP32 3",), ("FP32 3",)
        )

    start = parameter(0, "3", "f32", "FP32 3")
    both = (layers(1, "ReadValue", read), layers(2, "Assign", kept))
    return net(start, *both, result(3, "FP32 3"), edges=f"0:0-1:0 1:1-2:0 {end}")


CASES = [
    (
        variable("past", "present"),
        None,
        [
            "error, rejects: no ReadValue that leads to a Result reads the variable 'present' | did you mean 'past'?"
        ],
    ),
    (
        variable("past", "past").replace(
            '"ReadValue" version="opset6"', '"Abs" version="opset1"'
        ),
        None,
        [
            "error, rejects: no ReadValue that leads to a Result reads the variable 'past'"
        ],
    ),
    (
        variable("past", "past").replace(
            '"Assign" version="opset6"', '"Assign" version="opset3"'
        ),
        None,
        [
            "error, rejects: the ReadValue of the variable 'past' is newer than this Assign of opset3"
        ],
    ),
    (variable("past", "past"), None, []),
    (
        variable("past", "past", "0:0-3:0"),
        None,
        [
            "error, rejects_on_compile: only its own Assign reads the variable 'past'"
            " | leave both out: nothing depends on the variable"
        ],
    ),
    (variable("past", "past").replace("opset6", "opset3"), None, []),
    (
        state("ReadValue", "opset6", 'variable_id="past"'),
        None,
        ["warning, rejects_on_run: no Assign keeps the variable 'past'"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG307", text, weights) == messages
