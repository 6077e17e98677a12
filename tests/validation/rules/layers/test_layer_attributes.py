"""The wording of OVG101, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, whole

CASES = [
    (
        '<net version="11"><layers><layer/></layers><edges/></net>',
        None,
        [
            "error, rejects: <layer> has no id",
            "error, rejects: <layer> has no name",
            "error, rejects: <layer> has no type",
            "error, rejects: <layer> has no version",
        ],
    ),
    (
        whole(
            gather_elements().replace('id="2" name', 'id="9223372036854775808" name')
        ),
        None,
        [
            "error, rejects: layer id '9223372036854775808' is not a plain number below 2^63"
        ],
    ),
    (
        whole(gather_elements().replace('id="2" name', 'id="002" name')),
        None,
        ["warning, accepts: layer id '002' is written with leading zeros | write 2"],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG101", text, weights) == messages
