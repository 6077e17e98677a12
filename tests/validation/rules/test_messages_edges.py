"""The wording of the findings on edges, with severity, verdict and help."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from consequences import of_rules
from small_models import EMPTY, constant, i64, layer, net, parameter, result, words

_THREE, _ONE, _LAST = "FP32 3", "I64 1", "I64 2"
SEVERITIES = {"rejects": "error", "accepts": "warning"}
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


MESSAGES = [
    (
        "OVG301",
        '<net version="11"><layers/><edges><edge/></edges></net>',
        None,
        [
            "error, rejects: <edge> has no from-layer",
            "error, rejects: <edge> has no from-port",
            "error, rejects: <edge> has no to-layer",
            "error, rejects: <edge> has no to-port",
        ],
    ),
    (
        "OVG301",
        EMPTY.replace(
            "<edges></edges>",
            '<edges><edge from_layer="0" from-port="-1" to-layer="1.0" to-port=""/></edges>',
        ),
        None,
        [
            "error, rejects: <edge> has no from-layer",
            "error, rejects: from-port '-1' is not a plain number",
            "error, rejects: to-layer '1.0' is not a plain number",
            "error, rejects: to-port '' is not a plain number",
        ],
    ),
    (
        "OVG301",
        EMPTY.replace(
            "<edges></edges>",
            '<edges><edge from-layer="00" from-port="+1" to-layer=" 2" to-port="3 "/></edges>',
        ),
        None,
        [
            "warning, accepts: from-layer '00' is written with leading zeros | write 0",
            "warning, accepts: from-port '+1' is written with a sign | write 1",
            "warning, accepts: to-layer ' 2' is written with a blank | write 2",
            "error, rejects: to-port '3 ' is not a plain number",
        ],
    ),
    (
        "OVG302",
        net(layer(0, "Result", "opset1"), edges="7:0-8:1 0:1-0:2"),
        None,
        [
            "error, accepts: edge from layer 7 to layer 8, neither of which exists",
            'error, rejects: edge from port 1 of layer 0 "result", whose output ports are: none',
            'error, rejects: edge to port 2 of layer 0 "result", whose input ports are: none',
        ],
    ),
    (
        "OVG302",
        net(layer(0, "Result", "opset1", "", ("FP32 3",)), edges="7:0-0:0"),
        None,
        ["error, rejects: edge from layer 7, which does not exist"],
    ),
    (
        "OVG302",
        net(
            layer(0, "Parameter", "opset1", "", (), ("FP32 3",)),
            edges="0:0-8:1 0:5-8:1",
        ),
        None,
        [
            "error, accepts: edge to layer 8, which does not exist",
            "error, accepts: edge to layer 8, which does not exist",
        ],
    ),
    (
        "OVG302",
        net(edges="0:0-1:0 1:1-2:0"),
        None,
        ["error, accepts: 2 edges, but <net> has no layers"],
    ),
    (
        "OVG302",
        net(
            layer(0, "Result", "opset1", "", ("FP32 3",)).replace(
                '<port id="0"', "<port"
            ),
            edges="0:1-0:2",
        ),
        None,
        [
            'error, rejects: edge from port 1 of layer 0 "result", whose output ports are: none'
        ],
    ),
    (
        "OVG303",
        net(layer(0, "Result", "opset1", "", ("FP32 3",))),
        None,
        ["error, rejects: no edge feeds input port 0"],
    ),
    (
        "OVG303",
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
    (
        "OVG304",
        net(layer(0, "ReLU", "opset1", "", ("FP32 3",), ("FP32 3",)), edges="0:1-0:0"),
        None,
        ["error, accepts: layers feed each other in a cycle: 0 -> 0"],
    ),
    (
        "OVG304",
        net(
            *[
                layer(k, "ReLU", "opset1", "", ("FP32 3",), ("FP32 3",))
                for k in range(12)
            ],
            edges=" ".join(f"{k}:1-{(k + 1) % 12}:0" for k in range(12)),
        ),
        None,
        [
            "error, accepts: layers feed each other in a cycle: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> … -> 0"
        ],
    ),
    *(
        (
            "OVG303",
            unfed(type, opset, needed),
            i64(3, 1, 1),
            [
                f"{SEVERITIES[verdict]}, {verdict}: no edge feeds input port {len(needed) - 1}"
            ],
        )
        for type, opset, needed, verdict in UNFED
    ),
]


@pytest.mark.parametrize(("code", "text", "weights", "messages"), MESSAGES)
def test_messages(
    code: str, text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    found = of_rules(
        text if isinstance(text, bytes) else text.encode("latin-1"), weights
    )
    assert [words(finding) for finding in found if finding.code == code] == messages
