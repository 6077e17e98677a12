"""The wording of OVG709, with severity, verdict and help."""

from __future__ import annotations

import pytest
from nets import Net
from rule_messages import messages_of
from small_models import net, parameter, result

CASES = [
    (
        net(
            parameter(0, "2147483648,1,2147483648", "f32", "FP32"),
            result(1, "FP32"),
            edges="0:0-1:0",
        ),
        None,
        [
            "error, rejects_on_compile: a Parameter of shape [2147483648,1,2147483648] takes 18446744073709551616 "
            "bytes | is one of the dims not known? Then it is ?"
        ],
    ),
    *[
        (
            net(parameter(0, shape, "f32", "FP32"), result(1, "FP32"), edges="0:0-1:0"),
            None,
            [],
        )
        for shape in (
            "2147483648,?,2147483648",
            "2147483648,0,2147483648",
            "8388608,8388608",
            "9223372036854775807",
        )
    ],
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG709", text, weights) == messages


@pytest.mark.parametrize(
    ("repeats", "messages"),
    [
        (1 << 30, []),
        (
            1 << 34,
            [
                "warning, undefined: the output of shape [17179869184,4] takes 274877906944 bytes"
            ],
        ),
        (
            1 << 48,
            [
                "error, rejects_on_compile: the output of shape [281474976710656,4] takes 4503599627370496 bytes"
            ],
        ),
    ],
)
def test_computed_lengths(repeats: int, messages: list[str]) -> None:
    net = Net()
    tiled = net.add(
        "Tile", "", net.parameter("f32", "1,4"), net.const("i64", [2], [repeats, 1])
    )
    net.add("Result", "", net.add("ReLU", "", tiled))
    assert messages_of("OVG709", net.text.decode(), net.weights) == messages
