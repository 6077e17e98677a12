"""The wording of OVG102, with severity, verdict and help."""

from __future__ import annotations

import pytest
from gather_texts import unary
from rule_messages import messages_of
from small_models import gather_8, gather_elements, i64, whole

CASES = [
    (
        unary("Softmax", 'Axis="1"', "opset8"),
        None,
        ["warning, accepts: unknown attribute `Axis` | did you mean `axis`?"],
    ),
    (
        unary("Softmax", 'Axis="0"', "opset8"),
        None,
        ["error, accepts: unknown attribute `Axis` | did you mean `axis`?"],
    ),
    (unary("Sigmoid", 'anything="1"'), None, []),
    (
        unary("Sigmoid", 'destination_type="f32"'),
        None,
        [
            "warning, accepts: <data> is that of another type, such as Convert: Sigmoid-1 does not have"
            " `destination_type`"
        ],
    ),
    (
        unary("Sigmoid", "").replace(
            'type="Sigmoid"', 'type="ReduceSum" keep_dims="true"'
        ),
        None,
        ["warning, accepts: attribute `keep_dims` is on <layer>, not on <data>"],
    ),
    (
        unary("Clamp", 'minimum="0" max="6"'),
        None,
        ["warning, accepts: unknown attribute `minimum` | did you mean `min`?"],
    ),
    (
        whole(gather_elements(attributes='axis="1" axes="0"')),
        None,
        ["error, accepts: unknown attribute `axes` | did you mean `axis`?"],
    ),
    (
        whole(gather_elements(attributes='axis="1" comment="x"')),
        None,
        ["warning, accepts: unknown attribute `comment`"],
    ),
    (
        whole(gather_elements(attributes='axis="1" batch_dims="0"')),
        None,
        [
            (
                "warning, accepts: unknown attribute `batch_dims` | GatherElements-6 has no batch_dims; Gather-7 "
                "(opset7) and later do"
            )
        ],
    ),
    (
        whole(gather_elements(attributes='axis="1" batch_dims="1"')),
        None,
        [
            (
                "error, accepts: unknown attribute `batch_dims` | GatherElements-6 has no batch_dims; Gather-7 "
                "(opset7) and later do"
            )
        ],
    ),
    (whole(gather_elements(attributes='axis="1" PrimitivesPriority="cpu"')), None, []),
    (
        gather_8(attributes='axis="0"'),
        i64(0),
        [
            "warning, accepts: unknown attribute `axis` | Gather-8 takes its axis from its third input"
        ],
    ),
    (
        gather_8(attributes='batch-dims="0"'),
        i64(0),
        ["error, accepts: unknown attribute `batch-dims` | did you mean `batch_dims`?"],
    ),
    (
        gather_8(attributes='batch_dims="0"', version="opset6"),
        i64(0),
        [
            (
                "warning, accepts: unknown attribute `batch_dims` | Gather-1 has no batch_dims; Gather-7 (opset7) "
                "and later do"
            )
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG102", text, weights) == messages
