"""The wording of OVG004, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of

CASES = [
    (
        '<net version=""><layers/><edges/></net>',
        None,
        ["error, rejects: IR version '' is not a number: OpenVINO reads 10 and 11"],
    ),
    (
        '<net version="11.5"><layers/><edges/></net>',
        None,
        ["error, rejects: IR version '11.5' is not a number: OpenVINO reads 10 and 11"],
    ),
    (
        '<net version="011"><layers/><edges/></net>',
        None,
        ["warning, accepts: IR version '011' is written with leading zeros | write 11"],
    ),
    (
        '<net version="7"><layers/><edges/></net>',
        None,
        [
            "error, rejects: IR version 7 is not read by OpenVINO: it reads 10 and 11 | OpenVINO read it up to 2020.4: "
            "convert the original model again"
        ],
    ),
    (
        '<net version="12"><layers/><edges/></net>',
        None,
        [
            "error, rejects: IR version 12 is not read by OpenVINO: it reads 10 and 11 | "
            "no release up to 2026.4.1 has it: is it a typing error, or from a newer OpenVINO?"
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG004", text, weights) == messages
