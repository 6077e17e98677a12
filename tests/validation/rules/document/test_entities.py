"""The wording of OVG006, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import EMPTY

CASES = [
    (
        "<!DOCTYPE net>" + EMPTY,
        None,
        ["note, accepts: a document type is ignored: nothing in it is used"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG006", text, weights) == messages
