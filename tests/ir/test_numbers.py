"""The small functions of the package: numbers, run-time information, quotes, tags, edits and names, by example."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ovgather.ir import encoding, numbers, opsets
from ovgather.ir.bulk.layer_signature import values
from ovgather.ir.bulk.reader import after_misc, without_names
from ovgather.ir.constants import parse_shape
from ovgather.ir.edit.edits import Patched
from ovgather.ir.edit.layer_text import dims_edits
from ovgather.ir.positions import element_at, split_names
from ovgather.ir.reader import state as rt_info
from ovgather.ir.repair.explain import explain, missing_quote, runs_on
from ovgather.ir.repair.repair import TAG, matches, repairs
from ovgather.ir.repair.snippet import snippet_edits
from ovgather.ir.text import Edit, Lines, Source, decode, pieces
from ovgather.ir.writer import quote

FUSED = b'<attribute name="fused_names" version="0" value="-"/>'
EXAMPLES: list[tuple[Callable[[Any], Any], dict[Any, Any]]] = [
    (
        numbers.read_id,
        {
            "12": 12,
            "002": 2,
            " 2": 2,
            "+2": 2,
            "2 ": None,
            "-1": None,
            "0.9": None,
            "9" * 18: 10**18 - 1,
            "9" * 19: None,
        },
    ),
    (
        numbers.whole_integer,
        {
            " -1": -1,
            "+01": 1,
            "1 ": None,
            "1.0": None,
            "0" * 30 + "7": 7,
            "-" + "9" * 30: None,
        },
    ),
    (
        numbers.beginning,
        {
            "012": "leading zeros",
            " +1": "a blank",
            "-1": "a sign",
            "0": "",
            "12": "",
            "": "",
        },
    ),
    (numbers.strict_integer, {"-1": -1, "1.0": None, "+1": None, "9" * 19: None}),
    (numbers.leading_integer, {"1.9": 1, "abc": None, "+1": 1}),
    (
        numbers.read_dim,
        {
            "7": (7, True),
            "-1": (-1, True),
            " 7 ": (7, True),
            "2.5": (2, False),
            "?": (-1, False),
        },
    ),
    (
        rt_info.is_order,
        {
            "": True,
            "0,1": True,
            "2x, 3,": True,
            "x,y": False,
            "1,,2": False,
            str(1 << 64): False,
        },
    ),
    (
        rt_info.is_element_type,
        {"F32": True, "boolean": True, "undefined": True, "FP32": False, "": False},
    ),
    (
        rt_info.is_names,
        {"": True, "a": True, "a,b,": True, "a,,b": False, ",a": False, " ": False},
    ),
    (
        rt_info.layout_names,
        {
            "NCHW": [*"NCHW"],
            "[N,...,batch]": ["N", "...", "batch"],
            "N?": ["N", "?"],
            "": ["..."],
            "**SCALAR**": [],
            "NN": None,
            "[N,C": None,
            "N,C": None,
        },
    ),
    (
        parse_shape,
        {
            "3, 2": (3, 2),
            "": (),
            "?": None,
            " ": None,
            "3,": (3,),
            "+2": None,
            " 2x": (2,),
        },
    ),
    (split_names, {r"p,q\,r,,s": ("p", "q,r", "s"), "": ()}),
    (decode, {b"a\xe2\x82b": "a\ufffd\ufffdb", b"plain": "plain"}),
    (quote, {'a<b>\n\x18"': "'a&lt;b&gt;&#10;\\x18\"'", "a": '"a"'}),
    (
        without_names,
        {
            b'<port id="0" names="a,b">': b'<port id="0" names="">',
            b'<attribute name="fused_names" value="a, b" version="0"/>': FUSED,
            b'<attribute name="fused_names" version="0" value="a"/>': FUSED,
            b'<attribute name="fused_names" version="0" value="a" version="0"/>': FUSED.replace(
                b"/", b' version="0"/'
            ),
        },
    ),
    (
        values,
        {
            b' axis="1" batch_dims="0"': {"axis": "1", "batch_dims": "0"},
            b' axis="1" axis="0"': None,
        },
    ),
    (
        encoding.describe_weights,
        {
            b"<?xml version='1.0'?>": "XML, perhaps a copy of the model's .xml",
            bytes(8): None,
            b"<html>": "an HTML page",
        },
    ),
    (encoding.to_utf8, {"é".encode("utf-16"): (b"\xc3\xa9", "utf-16", "")}),
    (opsets.spelling, {"GATHERND": "GatherND", "Relu": "ReLU", "Gathers": None}),
]


@pytest.mark.parametrize(
    ("function", "argument", "result"),
    [
        (function, argument, result)
        for function, table in EXAMPLES
        for argument, result in table.items()
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_examples(function: Callable[[Any], Any], argument: Any, result: Any) -> None:
    assert function(argument) == result


def test_a_sign_that_is_not_accepted() -> None:
    assert numbers.leading_integer("+1", sign="-") is None


def test_early_types_and_opsets() -> None:
    assert opsets.known("ExperimentalDetectronTopKROIs", "extension") is True
    assert "opset17" in opsets.opsets()
    assert "Const" in opsets.types()
    assert "Constant" not in opsets.types()


def test_quotes() -> None:
    assert missing_quote(b'<data axis="1 />', 12) == (13, b'"')
    assert missing_quote(b'<data axis=1" />', 11) == (11, b'"')
    assert missing_quote(b'<layer name="my layer type="X">', 28) is None
    assert runs_on(b"<data axis='1 kind='2' />", 20) == ("axis", "1 kind=")


def test_repairs() -> None:
    assert repairs(b'<net name="a&b"/>', 4, 14) == [
        Edit(12, 1, b"&amp;", "bare `&`", "lax")
    ]
    assert explain(Source(b"<a>\n<b></a>"), 7, 7) == (
        "`</a>` where `</b>` was expected: <b> was opened on line 2 and never closed",
        9,
        4,
    )
    edits = snippet_edits(b'<... type="Gather"><data axis=1 /></layer>') or []
    stands = "`...` stands for the element name `layer`"
    assert [edit.what for edit in edits] == [stands, "attribute value without quotes"]


def test_tags_outside_comments() -> None:
    assert [match.start() for match in matches(TAG, b"<a><!-- <b> --><c>")] == [0, 15]
    assert [match.start() for match in matches(TAG, b"<a><!-- <b>")] == [0]


def test_blanks_and_comments() -> None:
    assert after_misc(b"<net> <!-- a --> <layers/>", 5) == 17


def test_successive_edits() -> None:
    patched = Patched(b"axis 1.9, dim 9")
    patched.apply([Edit(5, 3, b"1", "")])
    patched.apply([Edit(12, 1, b"2", "")])
    assert patched.text == b"axis 1, dim 2"
    assert [tuple(region) for region in patched.regions()] == [
        (5, 8, b"1"),
        (14, 15, b"2"),
    ]


def test_dims_of_a_port() -> None:
    text = b'<input><port id="0"><dim>2</dim><dim>3</dim></port></input>'
    parent = element_at(Source(text), 0)
    edits = dims_edits(parent, parent.named("port")[0], [2, -1, 7])
    assert edits == [((37, 38), b"-1"), ((44, 44), b"<dim>7</dim>")]


def test_lines_and_pieces() -> None:
    lines = Lines(b"one\ntwo")
    assert (lines.position(5), lines.offset(2, 2)) == ((2, 2), 5)
    assert Source(b"<net>\n  <layers/>\n</net>").line(2) == "  <layers/>"
    assert [len(piece) for piece in pieces(b"x" * 100, 10, 20)] == [20, 40, 30]


def test_dims_with_markup_are_read() -> None:
    import ovgather

    port = b'<port id="0"><dim>1<!-- c --></dim><dim><![CDATA[2]]></dim><dim>3<x>4</x></dim><foo/></port>'
    layer = (
        b'<layer id="0" name="a" type="T" version="opset1"><output>'
        + port
        + b"</output></layer>"
    )
    model = ovgather.read(
        b'<net name="m" version="11"><layers>' + layer + b"</layers><edges/></net>"
    )
    assert model.graph.layers[0].outputs[0].dims == (1, 2, 3)
    assert [(problem.kind, problem.subject) for problem in model.problems] == [
        ("unknown-element", "foo")
    ]


def test_a_port_without_an_end_is_explained() -> None:
    import ovgather

    text = b'<net name="m" version="11"><layers><layer id="0" name="a" type="T"><input><port id="0"></input>'
    (problem,) = ovgather.read(text).problems
    assert (
        problem.value
        == "`</input>` where `</port>` was expected: <port> was opened on line 1 and never closed"
    )
