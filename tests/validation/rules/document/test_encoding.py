"""The wording of OVG007, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import EMPTY

CASES = [
    (
        '<?xml version="1.0" encoding="koi8-r"?>' + EMPTY,
        None,
        [
            "warning, accepts: encoding 'koi8-r' is not one that OpenVINO knows: the file is read as UTF-8"
        ],
    ),
    ('<?xml version="1.0" encoding="utf-8"?>' + EMPTY, None, []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG007", text, weights) == messages
