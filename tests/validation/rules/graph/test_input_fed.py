"""The wording of OVG303, with severity, verdict and help."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from rule_messages import messages_of
from small_models import constant, i64, layer, net, parameter, result

SEVERITIES = {"rejects": "error", "accepts": "warning"}


_THREE, _ONE, _LAST = "FP32 3", "I64 1", "I64 2"


UNFED = [
    ("Broadcast", "opset1", (_THREE, _ONE, _LAST), "accepts"),
    ("Broadcast", "opset2", (_THREE, _ONE, _LAST), "accepts"),
    ("Broadcast", "opset3", (_THREE, _ONE, _LAST), "rejects"),
    ("Pad", "opset1", (_THREE, _ONE, _ONE, "FP32"), "accepts"),
    ("StridedSlice", "opset1", (_THREE, _ONE, _ONE, _LAST), "accepts"),
    ("Slice", "opset8", (_THREE, _ONE, _ONE, _ONE, _LAST), "accepts"),
    ("Squeeze", "opset1", (_THREE, _LAST), "rejects"),
]
"""Layers whose last input no edge feeds, and what OpenVINO makes of that."""


_MORE = {
    "Broadcast": 'mode="numpy"',
    "Pad": 'pad_mode="constant"',
    "StridedSlice": 'begin_mask="0" end_mask="0"',
}


def unfed(type: str, opset: str, inputs: Sequence[str]) -> str:
    """A layer all of whose inputs but the last are fed: the first by a Parameter, the others by Consts."""
    consts = [
        constant(number, "1", "i64", 8 * (number - 1), 8, "I64 1", f"c{number}")
        for number in range(1, len(inputs) - 1)
    ]
    target = len(inputs)
    edges = " ".join(
        f"{number}:0-{target}:{number}" for number in range(len(inputs) - 1)
    )
    made = layer(target, type, opset, _MORE.get(type, ""), inputs, ("FP32 -1",))
    taken = result(target + 1, "FP32 -1")
    edges += f" {target}:{len(inputs)}-{target + 1}:0"
    return net(parameter(0, "3", "f32", "FP32 3"), *consts, made, taken, edges=edges)


CASES = [
    (
        net(layer(0, "Result", "opset1", "", ("FP32 3",))),
        None,
        ["error, rejects: no edge feeds input port 0"],
    ),
    (
        net(
            parameter(1, "3", "f32", "FP32 3"),
            layer(0, "Result", "opset1", "", ("FP32 3",)),
            edges="1:0-0:0 1:0-0:0 1:0-0:0",
        ),
        None,
        [
            "error, rejects: a second edge feeds input port 0 of layer 0",
            "error, rejects: a second edge feeds input port 0 of layer 0",
        ],
    ),
    *[
        (
            unfed(type, opset, needed),
            i64(3, 1, 1),
            [
                f"{SEVERITIES[verdict]}, {verdict}: no edge feeds input port {len(needed) - 1}"
            ],
        )
        for type, opset, needed, verdict in UNFED
    ],
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG303", text, weights) == messages
