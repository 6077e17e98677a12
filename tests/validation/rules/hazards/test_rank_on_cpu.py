"""The wording of OVG708, with severity, verdict and help."""

from __future__ import annotations

import pytest
from bodies_oracle import Net, branches, entry
from rule_messages import messages_of
from small_models import net, parameter, result

CASES = [
    (
        net(parameter(0, "...", "f32", "FP32"), result(1, "FP32"), edges="0:0-1:0"),
        None,
        [
            "warning, rejects_on_compile: a Parameter of dynamic rank, which the CPU does not take "
            "| give the rank, with ? for each dim: ?,?,?"
        ],
    ),
    (
        net(parameter(0, "", "f32", "FP32"), result(1, "FP32"), edges="0:0-1:0"),
        None,
        [],
    ),
    (
        net(
            parameter(0, ",".join("1" * 40), "f32", "FP32"),
            result(1, "FP32"),
            edges="0:0-1:0",
        ),
        None,
        [
            "warning, rejects_on_compile: a Parameter of rank 40: the CPU takes at most 32"
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG708", text, weights) == messages


@pytest.mark.parametrize(
    ("source", "type", "comparison", "is_decided"),
    [
        ("same", "i64", "NotEqual", True),
        ("same", "i32", "LessEqual", True),
        ("other", "i64", "NotEqual", False),
        ("same", "f32", "NotEqual", False),
    ],
)
def test_an_if_on_two_lengths(
    source: str, type: str, comparison: str, is_decided: bool
) -> None:
    """OpenVINO decides whether two lengths are equal where they are one length: it compiles the file then."""
    net = Net()
    data, table = net.parameter("?"), net.parameter("?,?")
    behind = net.add("Relu", [data]) if source == "same" else net.parameter("?")
    lengths = [
        net.add(
            "Convert",
            [net.add("ShapeOf", [each], {"output_type": "i64"}, opset=3)],
            {"destination_type": type},
        )
        for each in (data, behind)
    ]
    bodies = []
    for shape, place in (("?", 1), ("?,?", 2)):
        body = Net(net.weights)
        own = body.parameter(shape)
        end = body.result(own)
        entries = [entry("input", place, own[0]), entry("output", 3, end)]
        bodies.append((body, entries))
    (then, then_entries), (other, other_entries) = bodies
    inner = branches(then, then_entries, other, other_entries)
    condition = net.add(comparison, lengths)
    net.result(net.add("If", [condition, data, table], opset=8, inside=inner))
    messages = messages_of("OVG708", net.document(), None)
    assert bool(messages) is not is_decided
