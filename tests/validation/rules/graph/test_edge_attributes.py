"""The wording of OVG301, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import EMPTY

CASES = [
    (
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
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG301", text, weights) == messages
