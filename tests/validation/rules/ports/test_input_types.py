"""The wording of OVG204, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_8, i64

CASES = [
    (
        gather_8(idx="boolean"),
        i64(0),
        [
            "error, rejects: indices must be of an integer type, not boolean: data f32, indices boolean, axis i64"
        ],
    ),
    (
        gather_8(idx="nf4"),
        i64(0),
        [
            (
                "error, undefined: indices must be of an integer type, not nf4 (OpenVINO's own check lets it "
                "through): data f32, indices nf4, axis i64"
            )
        ],
    ),
    (
        gather_8(idx="f32"),
        i64(0),
        [
            "error, rejects: indices must be of an integer type, not f32: data f32, indices f32, axis i64"
        ],
    ),
    (gather_8(idx="f32", version="opset1"), i64(0), []),
    (gather_8(idx="dynamic"), i64(0), []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG204", text, weights) == messages
