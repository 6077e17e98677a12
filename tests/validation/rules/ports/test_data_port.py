"""The wording of OVG212, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import constant, net, parameter

CASES = [
    (
        net(
            constant(0, "1", "i64", 0, 8, "I64"),
            parameter(1, "3", "f32", "FP32 3"),
            parameter(2, "2", "f32", "FP32 2"),
        ),
        bytes(8),
        [],
    ),
    (
        net(
            constant(0, "2", "i32", 0, 8, "I32"),
            parameter(1, "3", "f32", "FP32 3"),
            parameter(2, "2", "f32", "FP32 2"),
        ),
        bytes(8),
        [
            "error, accepts: the port has no dims, as that of a scalar, but <data> says [2]"
        ],
    ),
    # Such a file omits the dims of ports; a dynamic rank has none.
    (
        net(constant(0, "1", "i64", 0, 8, "I64"), parameter(1, "3", "f32", "FP32 3")),
        bytes(8),
        [],
    ),
    (
        net(parameter(0, "...", "f32", "FP32"), parameter(1, "3", "f32", "FP32 3")),
        None,
        [],
    ),
    (
        net(parameter(0, "3,7", "f32", "FP32 3,8")),
        None,
        ["error, accepts: the port says [3,8], but <data> says [3,7]"],
    ),
    (
        net(parameter(0, "3,7", "f32", "FP32 3")),
        None,
        ["error, accepts: the port says [3], but <data> says [3,7]"],
    ),
    (
        net(parameter(0, "3,1..8", "f32", "FP32 3,9")),
        None,
        ["error, accepts: the port says [3,9], but <data> says [3,1..8]"],
    ),
    (net(parameter(0, "3,7", "f32", "FP32 3,-1")), None, []),
    (
        net(constant(0, "2", "f32", 0, 8, "I32 3")),
        bytes(8),
        [
            "error, accepts: the port says I32, but <data> says f32",
            "error, accepts: the port says [3], but <data> says [2]",
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG212", text, weights) == messages
