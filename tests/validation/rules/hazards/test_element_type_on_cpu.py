"""The wording of OVG705, with severity, verdict and help."""

from __future__ import annotations

import pytest
from gather_texts import INDICES, fed, gather, gather_of
from nets import Net
from rule_messages import messages_of
from small_models import constant, i64, net, parameter, result

from ovgather.validation.api import validate

CASES = [
    (
        gather(fed("u2", "U2")),
        None,
        ["warning, crashes: data is u2, which Gather-8 cannot gather on the CPU"],
    ),
    (
        gather(fed("u6", "U6"), version="opset1"),
        None,
        [
            "warning, rejects_on_compile: data is u6, which Gather-1 cannot gather on the CPU"
        ],
    ),
    (gather(fed("string", "STRING")), None, []),
    (
        gather_of(fed("string", "STRING"), INDICES),
        None,
        [
            "warning, rejects_on_compile: data is string, which GatherElements-6 cannot gather on the CPU"
        ],
    ),
    (
        gather(fed("dynamic", "UNSPECIFIED")),
        None,
        [
            "warning, rejects_on_compile: data is dynamic, which Gather-8 cannot gather on the CPU"
        ],
    ),
    (
        gather(fed("dynamic", "UNSPECIFIED")).replace(' element_type="dynamic"', ""),
        None,
        [],
    ),
    (
        net(parameter(0, "8", "u3", "U3 8"), result(1, "U3 8"), edges="0:0-1:0"),
        None,
        [
            "warning, rejects_on_compile: a Parameter of element type u3, which the CPU does not take"
        ],
    ),
    (
        gather(
            fed("f32", "FP32"), parameter(1, "2", "f16", "FP16 2", "indices"), "opset1"
        ),
        i64(0),
        [
            "warning, rejects_on_compile: indices are f16, Gather-1 takes integers on the CPU"
        ],
    ),
    *[
        (
            gather(
                fed("f32", "FP32"),
                constant(1, "2", kind, 8, size, f"{kind.upper()} 2", "indices"),
            ),
            i64(0, 0),
            [
                f"warning, {verdict}: indices are {kind}, Gather-8 takes no {kind} on the CPU"
            ],
        )
        for kind, size, verdict in (
            ("u1", 1, "crashes"),
            ("u3", 3, "rejects_on_compile"),
            ("u6", 3, "rejects_on_compile"),
        )
    ],
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG705", text, weights) == messages


@pytest.mark.parametrize(
    ("shape", "verdict"), [("2,3", "rejects_on_compile"), ("2,?", "unknown")]
)
def test_parameters_of_a_dynamic_type_wait_for_open_dims(
    shape: str, verdict: str
) -> None:
    net = Net()
    net.add("Result", "", net.add("ReLU", "", net.parameter("dynamic", shape)))
    assert validate(net.model()).verdict.openvino == verdict
