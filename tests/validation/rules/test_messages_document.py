"""The wording of the findings on the document, with severity, verdict and help."""

from __future__ import annotations

import html
from pathlib import Path

import pytest
from consequences import of_rules
from small_models import (
    EMPTY,
    gather,
    gather_8,
    gather_elements,
    i64,
    net,
    parameter,
    whole,
    words,
)

from ovgather.validation.api import validate

ESCAPED = "it has `&lt;` for `<`"
MESSAGES = [
    (
        "OVG002",
        '<net name="m" version="11"><layers/><edges/></net><net/>',
        None,
        ["error, accepts: malformed XML: text after the root element"],
    ),
    (
        "OVG002",
        "<net",
        None,
        ["error, rejects: malformed XML: this tag has no end: is the text cut off?"],
    ),
    (
        "OVG002",
        "<net><layers></net>",
        None,
        [
            "error, rejects: malformed XML: `</net>` where `</layers>` was expected:"
            " <layers> was opened on line 1 and never closed"
        ],
    ),
    (
        "OVG002",
        '<net version="11" name="&#0;"><layers/><edges/></net>',
        None,
        ["error, accepts: malformed XML: `&#0;` is not an XML character"],
    ),
    (
        "OVG002",
        '<net version="11"><!-- a -- b --><layers/><edges/></net>',
        None,
        ["error, accepts: malformed XML: `--` within a comment"],
    ),
    (
        "OVG003",
        '{"format": "json"}',
        None,
        ["error, rejects: not an IR: this looks like JSON"],
    ),
    (
        "OVG003",
        "PK\x03\x04",
        None,
        [
            "error, rejects: not an IR: this looks like a ZIP archive, such as a PyTorch or Keras model"
        ],
    ),
    (
        "OVG003",
        b"\x1f\x8b",
        None,
        ["error, rejects: not an IR: this looks like gzip data"],
    ),
    ("OVG003", "%PDF-1.7", None, ["error, rejects: not an IR: this looks like a PDF"]),
    (
        "OVG003",
        "\x7fELF",
        None,
        ["error, rejects: not an IR: this looks like a program or shared library"],
    ),
    (
        "OVG003",
        b"\x00\x01",
        None,
        ["error, rejects: not an IR: this looks like binary data, perhaps the .bin"],
    ),
    (
        "OVG003",
        "<html/>",
        None,
        ["error, rejects: not an IR: this looks like an HTML page"],
    ),
    (
        "OVG004",
        '<net version=""><layers/><edges/></net>',
        None,
        ["error, rejects: IR version '' is not a number: OpenVINO reads 10 and 11"],
    ),
    (
        "OVG004",
        '<net version="11.5"><layers/><edges/></net>',
        None,
        ["error, rejects: IR version '11.5' is not a number: OpenVINO reads 10 and 11"],
    ),
    (
        "OVG004",
        '<net version="011"><layers/><edges/></net>',
        None,
        ["warning, accepts: IR version '011' is written with leading zeros | write 11"],
    ),
    (
        "OVG002",
        '<?xml nversion="11"><layers>' + gather_elements() + "</layers><edges/></net>",
        None,
        ["error, rejects: malformed XML: this tag has no end: is the text cut off?"],
    ),
    (
        "OVG002",
        "hello, world",
        None,
        ["error, rejects: malformed XML: the text begins with `hello,`, not with `<`"],
    ),
    (
        "OVG002",
        '<?xml version="1.0"?>&#49; & &one;\n<net version="11"><layers/><edges/></net>',
        None,
        ["error, accepts: malformed XML: text before the root element"],
    ),
    *(
        (
            "OVG003",
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
    ),
    (
        "OVG005",
        "printed on a page: " + gather_elements(),
        None,
        ["note, rejects: repaired: text before the layer is passed over"],
    ),
    (
        "OVG005",
        gather_elements(),
        None,
        [
            "error, rejects: a <layer> on its own is not an IR: only <net> is; it is checked as a snippet"
        ],
    ),
    (
        "OVG005",
        '<layer type="GatherElements"><data axis=1 /></layer>',
        None,
        ["note, rejects: repaired: attribute value without quotes"],
    ),
    (
        "OVG005",
        gather(comment="axis = 1"),
        None,
        [
            "error, rejects: a <layer> on its own is not an IR: only <net> is; it is checked as a snippet",
            "note, accepts: the axis is taken from a comment: axis = 1",
        ],
    ),
    (
        "OVG006",
        "<!DOCTYPE net>" + EMPTY,
        None,
        ["note, accepts: a document type is ignored: nothing in it is used"],
    ),
    (
        "OVG007",
        '<?xml version="1.0" encoding="koi8-r"?>' + EMPTY,
        None,
        [
            "warning, accepts: encoding 'koi8-r' is not one that OpenVINO knows: the file is read as UTF-8"
        ],
    ),
    ("OVG007", '<?xml version="1.0" encoding="utf-8"?>' + EMPTY, None, []),
    (
        "OVG008",
        gather_8(),
        None,
        [
            (
                "warning, rejects: no .bin beside the file: constants, and what depends on them, are not known | "
                "pass it with --weights FILE"
            )
        ],
    ),
    ("OVG008", gather_8(), i64(0), []),
    (
        "OVG009",
        '<net version="11"><layers/><layers/><edges/><edge/></net>',
        None,
        [
            "warning, accepts: a second <layers> is ignored",
            "warning, accepts: unknown element <edge> in <net>",
        ],
    ),
    (
        "OVG009",
        whole(gather_elements().replace("<input>", "<inputs/><input>")),
        None,
        [
            "warning, accepts: unknown element <inputs> in <layer> | did you mean <input>?"
        ],
    ),
    (
        "OVG009",
        whole(gather_elements().replace("<dim>7</dim>", "<dim>7</dim><size>9</size>")),
        None,
        ["warning, accepts: unknown element <size> in <port>"],
    ),
    (
        "OVG009",
        '<net version="11"><layers><node/></layers><edges><link/></edges></net>',
        None,
        [
            "warning, accepts: unknown element <node> in <layers>",
            "warning, accepts: unknown element <link> in <edges>",
        ],
    ),
    *(
        (
            "OVG009",
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
    ),
    ("OVG010", net(), None, ["warning, accepts: the model has no layers"]),
    (
        "OVG010",
        net(parameter(0, "3", "f32", "FP32 3")),
        None,
        ["warning, accepts: no Result: the model computes nothing"],
    ),
]


@pytest.mark.parametrize(("code", "text", "weights", "messages"), MESSAGES)
def test_messages(
    code: str, text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    found = of_rules(
        text if isinstance(text, bytes) else text.encode("latin-1"), weights
    )
    assert [words(finding) for finding in found if finding.code == code] == messages


def test_an_onnx_model_that_is_called_an_ir(tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_bytes(b"\x08\x07\x12\x04")
    assert [words(finding) for finding in validate(path)] == [
        "error, rejects: not an IR: this looks like a protobuf file, perhaps an ONNX model"
    ]


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
