"""The wording of OVG113, with severity and verdict; what is refused, tests of the declarations say."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import constant, layer, net, parameter, result


def gather_1(axis: str, precision: str, size: int) -> str:
    ports = ("FP32 4,6", "I64 2", precision)
    return net(
        parameter(0, "4,6", "f32", "FP32 4,6"),
        parameter(1, "2", "i64", "I64 2"),
        constant(2, "", axis, 0, size, precision),
        layer(3, "Gather", "opset1", "", ports, ("FP32 2,6",)),
        result(4, "FP32 2,6"),
        edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0",
    )


CASES = [
    (
        gather_1("f32", "FP32", 4),
        bytes(4),
        [
            "error, rejects_on_compile: axis must be of an integer type, not f32: "
            "data [4,6], indices [2], axis [] = (0)"
        ],
    ),
    (gather_1("i32", "I32", 4), bytes(4), []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG113", text, weights) == messages
