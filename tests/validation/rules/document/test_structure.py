"""The wording of OVG009, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import gather_elements, whole

CASES = [
    (
        '<net version="11"><layers/><layers/><edges/><edge/></net>',
        None,
        [
            "warning, accepts: a second <layers> is ignored",
            "warning, accepts: unknown element <edge> in <net>",
        ],
    ),
    (
        whole(gather_elements().replace("<input>", "<inputs/><input>")),
        None,
        [
            "warning, accepts: unknown element <inputs> in <layer> | did you mean <input>?"
        ],
    ),
    (
        whole(gather_elements().replace("<dim>7</dim>", "<dim>7</dim><size>9</size>")),
        None,
        ["warning, accepts: unknown element <size> in <port>"],
    ),
    (
        '<net version="11"><layers><node/></layers><edges><link/></edges></net>',
        None,
        [
            "warning, accepts: unknown element <node> in <layers>",
            "warning, accepts: unknown element <link> in <edges>",
        ],
    ),
    *[
        (
            f'<net version="11">{texts[0]}<layers>{texts[1]}</layers><edges>{texts[2]}</edges></net>',
            None,
            [f"warning, accepts: text {said!r} between elements"],
        )
        for texts, said in (
            (("stray", "", ""), "stray"),
            (("", "<![CDATA[x]]>", ""), "x"),
            (("", "", " a\n b -->"), "a b -->"),
            (("&amp;", "<!-- c -->", "\r\n"), "&"),
        )
    ],
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG009", text, weights) == messages
