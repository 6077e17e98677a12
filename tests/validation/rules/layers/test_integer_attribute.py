"""The wording of OVG103, with severity, verdict and help."""

from __future__ import annotations

import pytest
from gather_texts import unary
from rule_messages import messages_of
from small_models import gather_8, gather_elements, i64, whole

CASES = [
    (
        unary("Elu", 'alpha="0,5"'),
        None,
        [
            "error, accepts: alpha '0,5' is not a number | write 0.5: the decimal separator is a point"
        ],
    ),
    (
        unary("Elu", 'alpha="0.5f"'),
        None,
        ["error, accepts: alpha '0.5f' is not a number | write 0.5 if that is meant"],
    ),
    (unary("Elu", 'alpha="x"'), None, []),
    (
        unary("Reshape", 'special_zero="ja"'),
        None,
        [
            "error, accepts: special_zero 'ja' is not true or false | write true or false"
        ],
    ),
    (
        whole(gather_elements(attributes='axis=" 1"')),
        None,
        ["error, accepts: axis ' 1' is not an integer | write 1 if that is meant"],
    ),
    (
        whole(gather_elements(attributes='axis="1e3"')),
        None,
        ["error, accepts: axis '1e3' is not an integer | write 1 if that is meant"],
    ),
    (
        whole(gather_elements(attributes='axis="0x1"')),
        None,
        [
            "error, accepts: axis '0x1' is not an integer | write 1: OpenVINO reads no hexadecimal numbers"
        ],
    ),
    (whole(gather_elements(attributes='axis="-1"')), None, []),
    (
        gather_8(attributes='batch_dims="0.5"'),
        i64(0),
        [
            "error, accepts: batch_dims '0.5' is not an integer | write 0 if that is meant"
        ],
    ),
    (
        gather_8(attributes='batch_dims="--1"'),
        i64(0),
        ["error, rejects: batch_dims '--1' is not an integer"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG103", text, weights) == messages
