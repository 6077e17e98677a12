"""The wording of OVG002, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, words

from ovgather.validation.api import validate

CASES = [
    (
        '<net name="m" version="11"><layers/><edges/></net><net/>',
        None,
        ["error, accepts: malformed XML: text after the root element"],
    ),
    (
        "<net",
        None,
        ["error, rejects: malformed XML: this tag has no end: is the text cut off?"],
    ),
    (
        "<net><layers></net>",
        None,
        [
            "error, rejects: malformed XML: `</net>` where `</layers>` was expected:"
            " <layers> was opened on line 1 and never closed"
        ],
    ),
    (
        '<net version="11" name="&#0;"><layers/><edges/></net>',
        None,
        ["error, accepts: malformed XML: `&#0;` is not an XML character"],
    ),
    (
        '<net version="11"><!-- a -- b --><layers/><edges/></net>',
        None,
        ["error, accepts: malformed XML: `--` within a comment"],
    ),
    (
        '<?xml nversion="11"><layers>' + gather_elements() + "</layers><edges/></net>",
        None,
        ["error, rejects: malformed XML: this tag has no end: is the text cut off?"],
    ),
    (
        "hello, world",
        None,
        ["error, rejects: malformed XML: the text begins with `hello,`, not with `<`"],
    ),
    (
        '<?xml version="1.0"?>&#49; & &one;\n<net version="11"><layers/><edges/></net>',
        None,
        ["error, accepts: malformed XML: text before the root element"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG002", text, weights) == messages


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("&amp;", "accepts"),
        ("\n&x;", "accepts"),
        ("&", "accepts"),
        ("x\x00<", "accepts"),
        ("</net>", "rejects"),
    ],
)
def test_what_stands_behind_the_root(text: str, verdict: str) -> None:
    found = validate(
        f'<net name="m" version="11"><layers/><edges/></net>{text}'.encode()
    )
    told = [words(finding) for finding in found if finding.code == "OVG002"]
    assert told == [f"error, {verdict}: malformed XML: text after the root element"]
