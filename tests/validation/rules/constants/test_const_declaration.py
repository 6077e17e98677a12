"""The wording of OVG401, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import constant, layer, net

CASES = [
    (
        net(layer(0, "Const", "opset1", "", (), ("FP32",))),
        b"",
        ["error, accepts: Const without shape, offset, size"],
    ),
    (
        net(
            layer(
                0,
                "Const",
                "opset1",
                'element_type="i64" shape="" value="1"',
                (),
                ("I64",),
            )
        ),
        b"",
        ["error, accepts: a Const has no value attribute: its bytes are in the .bin"],
    ),
    (
        net(
            layer(
                0,
                "Const",
                "opset1",
                'element_type="string" shape="" value="1"',
                (),
                ("STRING",),
            )
        ),
        b"",
        ["error, accepts: a Const has no value attribute: its bytes are in the .bin"],
    ),
    (
        net(
            layer(
                0,
                "Const",
                "opset1",
                'element_type="i8" shape="1" value="1"',
                (),
                ("I8 1",),
            )
        ),
        b"",
        ["error, accepts: a Const has no value attribute: its bytes are in the .bin"],
    ),
    (
        net(constant(0, "?", "f32", 0, 4, "FP32 1")),
        bytes(4),
        ["error, accepts: shape '?' is not a list of dims"],
    ),
    (
        net(constant(0, "-1,-1", "f32", 0, 4, "FP32 1")),
        bytes(4),
        ["error, accepts: shape '-1,-1' is not a list of dims"],
    ),
    (
        net(constant(0, "-1", "f32", 0, 4, "FP32 1")),
        bytes(4),
        ["error, accepts: shape '-1' is not a list of dims"],
    ),
    (
        net(constant(0, "1,", "f32", 0, 4, "FP32 1")),
        bytes(4),
        ["error, accepts: shape '1,' is not a list of dims"],
    ),
    *[
        (
            net(constant(0, f"2, {dim}", "f32", 0, 8, "FP32 2,1")),
            bytes(8),
            [f"error, accepts: shape '2, {dim}': dim '{dim}' is too large"],
        )
        for dim in (1 << 63, 1 << 64)
    ],
    (
        net(constant(0, "9" * 5000, "f32", 0, 8, "FP32 2")),
        bytes(8),
        [
            f"error, accepts: shape '{'9' * 40}… (5000 characters) …{'9' * 10}': "
            f"dim '{'9' * 40}… (5000 characters) …{'9' * 10}' is too large"
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG401", text, weights) == messages
