"""The wording of OVG406, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import constant, net, result


def overlapping(*places: tuple[int, int]) -> str:
    layers = [
        constant(k, str(size // 4), "f32", at, size, f"FP32 {size // 4}")
        for k, (at, size) in enumerate(places)
    ]
    results = [
        result(10 + k, f"FP32 {size // 4}") for k, (_, size) in enumerate(places)
    ]
    return net(
        *layers,
        *results,
        edges=" ".join(f"{k}:0-{10 + k}:0" for k in range(len(places))),
    )


CASES = [
    (overlapping((0, 16), (0, 8), (16, 8)), bytes(24), []),
    (
        overlapping((0, 16), (4, 8), (12, 8)),
        bytes(24),
        [
            "note, accepts: bytes 4 to 12 overlap those of another constant, 0 to 16",
            "note, accepts: bytes 12 to 20 overlap those of another constant, 0 to 16",
        ],
    ),
    (
        overlapping((0, 8), (12, 8), (16, 8)),
        bytes(24),
        ["note, accepts: bytes 12 to 20 overlap those of another constant, 16 to 24"],
    ),
    (
        overlapping((0, 8), (4, 8), (16, 8)),
        bytes(24),
        ["note, accepts: bytes 4 to 12 overlap those of another constant, 0 to 8"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG406", text, weights) == messages
