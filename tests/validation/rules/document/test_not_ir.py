"""The wording of OVG003, with severity, verdict and help."""

from __future__ import annotations

import html

import pytest
from rule_messages import messages_of
from small_models import EMPTY, gather_elements, whole

ESCAPED = "it has `&lt;` for `<`"


CASES = [
    ('{"format": "json"}', None, ["error, rejects: not an IR: this looks like JSON"]),
    (
        "PK\x03\x04",
        None,
        [
            "error, rejects: not an IR: this looks like a ZIP archive, such as a PyTorch or Keras model"
        ],
    ),
    (b"\x1f\x8b", None, ["error, rejects: not an IR: this looks like gzip data"]),
    ("%PDF-1.7", None, ["error, rejects: not an IR: this looks like a PDF"]),
    (
        "\x7fELF",
        None,
        ["error, rejects: not an IR: this looks like a program or shared library"],
    ),
    (
        b"\x00\x01",
        None,
        ["error, rejects: not an IR: this looks like binary data, perhaps the .bin"],
    ),
    ("<html/>", None, ["error, rejects: not an IR: this looks like an HTML page"]),
    *[
        (
            text,
            None,
            [
                f"error, rejects: not an IR: this looks like XML that is escaped as a whole: {ESCAPED}"
            ],
        )
        for text in (
            html.escape('<?xml version="1.0"?>\n' + EMPTY),
            html.escape(whole(gather_elements())),
        )
    ],
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG003", text, weights) == messages
