"""The wording of OVG213, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import net, parameter, result


def named(*names: str) -> str:
    layers = [parameter(k, "3", "f32", "FP32 3", f"p{k}") for k in range(len(names))]
    layers = [
        text.replace('precision="FP32"', f'precision="FP32" names="{name}"')
        for text, name in zip(layers, names, strict=True)
    ]
    results = [result(10 + k, "FP32 3") for k in range(len(names))]
    return net(
        *layers,
        *results,
        edges=" ".join(f"{k}:0-{10 + k}:0" for k in range(len(names))),
    )


CASES = [
    (named("a,b", "c"), None, []),
    (named("", ""), None, []),
    (named("a\\,b", "a,b"), None, []),
    (named("a,a", "b"), None, []),
    (named("a,", "b"), None, ["warning, accepts: names 'a,' has an empty item"]),
    (named("a", ",b"), None, ["warning, accepts: names ',b' has an empty item"]),
    (
        named("a,b", "b,c", "b"),
        None,
        [
            "warning, accepts: tensor name 'b' is taken by layer 0 \"p0\"",
            "warning, accepts: tensor name 'b' is taken by layer 0 \"p0\"",
        ],
    ),
    (
        named("a\\", "b"),
        None,
        ["warning, accepts: names 'a\\\\' ends with a backslash that escapes nothing"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG213", text, weights) == messages
