"""The wording of OVG211, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import constant, layer, net, parameter, result

CASES = [
    (
        net(layer(0, "Parameter", "opset1", 'shape="3"', (), ("FP32 3",))),
        None,
        ["error, rejects_on_compile: Parameter without element_type"],
    ),
    (
        net(layer(0, "Parameter", "opset1", 'shape="?"', (), ("FP32 -1",))),
        None,
        ["error, undefined: Parameter without element_type"],
    ),
    (
        net(parameter(0, "3", "fp16", "FP16 3")),
        None,
        [
            "error, rejects: element_type 'fp16' is not an element type | did you mean `f16`?"
        ],
    ),
    (
        net(parameter(0, "3", "complex64", "FP16 3")),
        None,
        ["error, rejects: element_type 'complex64' is not an element type"],
    ),
    (
        net(
            parameter(0, "3", "i64", "I64 3"),
            layer(1, "Convert", "opset1", 'destination_type="float32"', ("I64 3",)),
            result(2, "FP32 3"),
            edges="0:0-1:0 1:1-2:0",
        ),
        None,
        [
            "error, rejects: destination_type 'float32' is not an element type | did you mean `f32`?"
        ],
    ),
    (
        net(layer(0, "Convert", "opset1", "", ("FP32 3",), ("I64 3",))),
        None,
        ["error, accepts: Convert without destination_type"],
    ),
    (
        net(
            layer(
                0,
                "Convert",
                "opset1",
                'destination_type="I64"',
                ("FP32 3",),
                ("I64 3",),
            )
        ),
        None,
        [],
    ),
    (
        net(
            layer(
                0, "Const", "opset1", 'shape="3" offset="0" size="4"', (), ("FP32 3",)
            )
        ),
        bytes(4),
        ["error, accepts: Const without element_type"],
    ),
    *[
        (
            net(constant(0, "3", type, 0, 24, "I64 3")),
            bytes(24),
            [f"error, accepts: element_type '{type}' is not a type of a Const"],
        )
        for type in ("dynamic", "undefined")
    ],
    (
        net(
            layer(
                0,
                "Convert",
                "opset1",
                'destination_type="dynamic"',
                ("FP32 3",),
                ("I64 3",),
            )
        ),
        None,
        ["error, accepts: destination_type 'dynamic' is not a type of a Convert"],
    ),
    (net(parameter(0, "3", "dynamic", "UNSPECIFIED 3")), None, []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG211", text, weights) == messages
