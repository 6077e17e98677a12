"""Layers as printed on pages of the specification: read, inferred, and every repair told."""

from __future__ import annotations

import html
import io
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from paths import ROOT

import ovgather
from ovgather.ir.repair.snippet import snippet_edits, values_in_comment
from ovgather.verbs.infer import infer

PAGES = ROOT / "tests" / "data" / "specification_pages"
SNIPPETS = ROOT / "samples_xml" / "snippets"

GATHER_8 = ("[2,32,21,128]", 1, "comment")
GATHER_ELEMENTS_6 = ("[3,10,5]", 1, "attribute")
FIRST_TEXT = ("[2,3]", 1, "attribute")
TEXTS = {
    PAGES / "gather_8.rst": GATHER_8,
    PAGES / "gather_elements_6.txt": GATHER_ELEMENTS_6,
    PAGES / "gather_elements_6_first_text.md": FIRST_TEXT,
    SNIPPETS / "gather_8.txt": GATHER_8,
    SNIPPETS / "gather_elements_6.txt": GATHER_ELEMENTS_6,
    SNIPPETS / "gather_elements_6_first_text.txt": FIRST_TEXT,
}
FORMS: dict[str, Callable[[str], bytes]] = {
    "as it is": str.encode,
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "byte-order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "HTML": lambda text: html.escape(text).encode(),
    "HTML, quotes as they are": lambda text: html.escape(text, quote=False).encode(),
    "HTML and CRLF": lambda text: html.escape(text).replace("\n", "\r\n").encode(),
    "one line": lambda text: text.replace("\n", " ").encode(),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_printed_layers(path: Path, form: str) -> None:
    model = ovgather.read(FORMS[form](path.read_text()))
    assert model.snippet
    (layer,) = infer(model).layers
    assert layer.output is not None
    assert (layer.output.shape, layer.axis, layer.axis_source, layer.status) == (
        *TEXTS[path],
        "match",
    )
    assert {found.code for found in ovgather.validate(model)} == {"OVG005"}
    assert {found.severity for found in ovgather.validate(model)} == {"note"}


def repairs(text: str) -> list[tuple[int, int, str]]:
    found = (item for item in ovgather.validate(text.encode()) if item.code == "OVG005")
    return [(item.line, item.column, item.message) for item in found]


def test_every_repair_is_told() -> None:
    text = 'The layer:\n\n<... type="GatherElements" ...>\n<data axis=1 /><input/><output/></layer>\n\nThat is it.'
    told = repairs(text)
    assert told == [
        (1, 1, "repaired: text before the layer is passed over"),
        (3, 2, "repaired: `...` stands for the element name `layer`"),
        (3, 27, "repaired: `...` stands for further attributes"),
        (4, 12, "repaired: attribute value without quotes"),
        (4, 41, "repaired: text after the layer is passed over"),
    ]


def test_repeated_port_id_is_told() -> None:
    text = (SNIPPETS / "gather_8.txt").read_text()
    assert (
        17,
        19,
        "repaired: output port 0 repeats the port id 2; ports count by position",
    ) in repairs(text)


def test_html_escapes_are_told_once() -> None:
    told = repairs(html.escape((SNIPPETS / "gather_8.txt").read_text()))
    assert [message for _, _, message in told if "&lt;" in message] == [
        "repaired: `&lt;` and the like stand for the characters that they name"
    ]


@pytest.mark.parametrize(
    ("comment", "axis", "source"),
    [
        ("axis = 1", 1, "comment"),
        ("axis=-1", -1, "comment"),
        ("the axis: 0, as always", 0, "comment"),
        ("axis = 1.5", None, "unknown"),
        ("axis = 1x", None, "unknown"),
        ("axis = 99999999999999999999", None, "unknown"),
        ("taxis = 1", None, "unknown"),
        ("axis = 0 --><!-- axis = 1", None, "unknown"),
        ("axis = 1 --><!-- axis = 1", 1, "comment"),
        ("Axis = 1", None, "unknown"),
        ("opset = 8", None, "unknown"),
    ],
)
def test_axis_in_a_comment(comment: str, axis: int | None, source: str) -> None:
    # The output has no dims, so that the ports tell nothing of the axis.
    text = f"""<layer ... type="Gather" version="opset8">
        <input><port id="0"><dim>2</dim><dim>2</dim></port><port id="1"><dim>2</dim></port><port id="2"/></input>
        <!-- {comment} --><output><port id="3"/></output></layer>"""
    (layer,) = infer(text.encode()).layers
    assert (layer.axis, layer.axis_source) == (axis, source)


def test_batch_dims_and_axis_of_an_attribute_in_a_comment() -> None:
    text = (SNIPPETS / "gather_8.txt").read_text()
    text = text.replace('<data batch_dims="1" />', "<!-- batch_dims = 1 -->")
    (layer,) = infer(text.encode()).layers
    assert layer.batch_dims == 1
    assert any(
        "the batch_dims is taken from a comment" in message
        for _, _, message in repairs(text)
    )
    elements = (
        (SNIPPETS / "gather_elements_6.txt")
        .read_text()
        .replace('<data axis="1" />', "<!-- axis = 1 -->")
    )
    (layer,) = infer(elements.encode()).layers
    assert (layer.axis, layer.axis_source, layer.status) == (1, "comment", "match")


def test_comments_of_a_whole_model_say_nothing() -> None:
    model = ovgather.read(
        ROOT / "samples_xml" / "specification" / "gather_8_page_xml.xml", weights=b""
    )
    assert model.comments == {}


def test_values_in_comments() -> None:
    assert values_in_comment("batch_dims = 2, axis = 1; size = 5") == [
        ("batch_dims", 2),
        ("axis", 1),
    ]
    assert values_in_comment("axis = " + "9" * 5000) == []


@pytest.mark.parametrize(
    "text",
    [
        '<layer id="1" name="a ... b=c d" type="Gather" version="opset8" .../>',
        "<... type='GatherElements' ... ><data axis = 1/></...>",
        '<... type="GatherElements" …><data axis=-1></data></...>',
        '<layer\n   ...\n   type="Gather"\n   version=opset8>\n</layer>',
        '<p>so: <layer id=0 type="Gather"></layer></p>',
        '<!DOCTYPE html><html><body><layer id=0 type="Gather"></layer></body></html>',
    ],
)
def test_other_ways_to_print_a_layer(text: str) -> None:
    model = ovgather.read(text.encode())
    assert not model.fatal
    assert model.snippet
    assert len(list(model.layers())) == 1


def test_quoted_text_is_left_alone() -> None:
    (layer,) = ovgather.read(
        b'<... name="a ... b=c d" type="Gather" id=7></layer>'
    ).layers()
    assert (layer.name, layer.id) == ("a ... b=c d", 7)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no layer",
        "<layer>",
        '<layer type="Gather">',
        '<... type="x">',
        '<net><layer type="x"/>',
    ],
)
def test_no_snippet(text: str) -> None:
    assert snippet_edits(text.encode()) is None or text.startswith("<net")
    assert ovgather.read(text.encode()).fatal


def test_a_lone_layer_is_no_file_but_may_be_pasted() -> None:
    text = b'<layer id="0" name="g" type="GatherElements" version="opset6"><data axis="0"/></layer>'
    assert {
        found.severity for found in ovgather.validate(text) if found.code == "OVG005"
    } == {"error"}
    pasted = io.BytesIO(text)
    pasted.name = "<stdin>"
    assert {
        found.severity for found in ovgather.validate(pasted) if found.code == "OVG005"
    } == {"note"}


def test_standard_input() -> None:
    text = (PAGES / "gather_8.rst").read_bytes()
    program = (
        "from ovgather.cli.main import main; main(['infer', '-', '--format', 'json'])"
    )
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, input=text, capture_output=True, check=False)
    assert ran.returncode == 0
    assert b'"shape": "[2,32,21,128]"' in ran.stdout
    assert b'"axis_source": "comment"' in ran.stdout


@pytest.mark.slow
def test_mends_of_random_text_never_overlap() -> None:
    words = [
        b"<...",
        b"<layer ",
        b' type="Gather"',
        b" ...",
        b">",
        b"/>",
        b"</layer>",
        b"<!--",
        b"-->",
        b" a=1",
        b' b="x y=z"',
    ]
    words += [
        b"&lt;layer ",
        b"&lt;",
        b"&gt;",
        b"&quot;",
        b"&amp;",
        b"&lt;/layer&gt;",
        b"\n",
        b"text",
        b"<data axis=1 />",
    ]
    chance = random.Random(3)
    for _ in range(1_000):
        text = b"".join(chance.choices(words, k=chance.randrange(2, 20)))
        edits = snippet_edits(text) or []
        ends = [0, *(edit.start + edit.removed for edit in edits)]
        assert all(edit.start >= end for edit, end in zip(edits, ends, strict=False)), (
            text
        )
        ovgather.validate(text)
