"""No text of a file reaches a terminal or the log of a CI unless it prints and is no command there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from ovgather.cli._shared.group import run
from ovgather.report import formats
from ovgather.text import presentable

BAD = "a\x1b[31m\x9b2J\u2028\u202e\x7f\ufeff\x85"
"""Escapes, controls of C1, line ends and marks of direction; XML has neither ESC nor NUL."""
XML_BAD = BAD.replace("\x1b", "")
COMMAND = "::error::owned"
_LINE = re.compile(r"^\s*::|##[A-Za-z]*\[")


def ir(folder: Path) -> str:
    layer = f"""
<layer id="{{}}" name="n{{}}{XML_BAD}" type="{{}}" version="opset{{}}"><data {{}}/>{{}}</layer>"""
    port = f'<port id="0" precision="FP{XML_BAD}32" names="t{XML_BAD}"><dim>{XML_BAD}2</dim><dim>3\x85</dim></port>'
    one = f"<input>{port}</input>"
    gather = f"<input>{port}{port.replace('0', '1')}</input><output>{port.replace('0', '2')}</output>"
    text = f"""<?xml version="1.0"?>
<net name="m{XML_BAD}" version="11">
<layers>{layer.format(0, 0, "Parameter", 1, 'shape="2,3" element_type="f32"', f"<output>{port}</output>")}
{layer.format(1, 1, "GatherElements", 6, f'axis="0{XML_BAD}" b{"x" * 9}="{XML_BAD}"', gather)}
{layer.format(2, 2, f"Foreign{XML_BAD}", f"9{XML_BAD}", f'k="{XML_BAD}"', gather)}
<!--
{COMMAND}
##[error]owned
##VSO[task.complete]owned
::stop-commands::x
-->
{layer.format(3, 3, "Result", 1, f'u="{XML_BAD}"', one)}
</layers>
<edges>
<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="0" from-port="0" to-layer="1" to-port="1"/>
<edge from-layer="1" from-port="2" to-layer="3" to-port="0"/>
</edges>
<rt_info><Runtime_version value="{XML_BAD}"/><conversion_parameters><framework value="{XML_BAD}"/>
</conversion_parameters>
</rt_info>
</net>"""
    path = folder / "m.xml"
    path.write_text(text, "utf-8")
    return str(path)


def onnx(folder: Path) -> str:
    helper = pytest.importorskip("onnx.helper")
    bad = f"{BAD}\n{COMMAND}\n\0"
    shapes = [[bad, 4], [f"b{bad}"], [f"c{bad}", 4]]
    kinds = [1, 7, 1]
    tensors = zip("dio", kinds, shapes, strict=True)
    inputs = [
        helper.make_tensor_value_info(f"{name}{bad}", *rest) for name, *rest in tensors
    ]
    nodes = [
        helper.make_node(
            "Gather", [f"d{bad}", f"i{bad}"], [f"o{bad}"], name=f"n{bad}", axis=0
        ),
        helper.make_node(
            f"X{bad}", [f"o{bad}"], [f"p{bad}"], name=f"m{bad}", domain=f"y{bad}"
        ),
    ]
    graph = helper.make_graph(nodes, f"g{bad}", inputs[:2], inputs[2:])
    model = helper.make_model(
        graph, producer_name=bad, opset_imports=[helper.make_opsetid("", 13)]
    )
    model.doc_string = model.domain = model.producer_version = bad
    path = folder / "m.onnx"
    path.write_bytes(model.SerializeToString())
    return str(path)


RUNS = [
    *(["validate", "--format", format] for format in formats("validate")),
    ["validate", "--diff"],
    ["validate", "--diff", "--unsafe-fixes"],
    ["validate", "--fix", "--unsafe-fixes"],
    ["validate", "--statistics"],
    *(["infer", "--why", "--all", "--format", format] for format in formats("infer")),
    *(["inspect", "--format", format] for format in formats("inspect")),
    *(["survey", "--format", format] for format in formats("survey")),
    ["show"],
    ["show", "--layer", "1"],
    ["show", "--layer", "n{bad}"],
    ["show", "--layer", "n{bad}", "--neighbours"],
    ["show", "--layer", "none{bad}"],
    ["extract", "--layer", "n{bad}", "-o", "{folder}/x.xml"],
    ["convert", "-o", "{folder}/y.onnx"],
    ["run", "--layer", "n{bad}"],
]


_PAINTED = ("concise", "text")
COLORED = [
    run
    for run in RUNS
    if run[0] not in ("convert", "extract", "run")
    and ("--format" not in run or run[-1] in _PAINTED)
]
"""Those with colours: other formats are the same with them."""


@pytest.mark.parametrize(
    ("arguments", "color"),
    [*((run, False) for run in RUNS), *((run, True) for run in COLORED)],
    ids=str,
)
@pytest.mark.parametrize("make", [ir, onnx])
def test_no_text_of_a_file_controls_what_shows_it(
    make: Any, arguments: list[str], color: bool, tmp_path: Path, capfdbinary: Any
) -> None:
    path = make(tmp_path)
    bad = f"1{XML_BAD}" if make is ir else f"{BAD}\n{COMMAND}\n\0"
    verb, *options = [each.format(bad=bad, folder=tmp_path) for each in arguments]
    if color:
        options += ["--color", "always"]
    code = run([verb, path, *options])
    assert code != 70
    for stream in capfdbinary.readouterr():
        text = stream.decode("utf-8")
        if color:
            text = re.sub(r"\x1b\[(?:\d\d(?:;1)?|[01])m", "", text)
        for line in text.split("\n"):
            assert line.replace("\t", "").removesuffix("\r").isprintable(), ascii(line)
            assert "github" in arguments or not _LINE.search(line), ascii(line)


def test_what_is_presentable_stays() -> None:
    assert presentable("a: ov::Model ## b\n  c") == "a: ov::Model ## b\n  c"
    assert presentable(" ::error::x\n##[group]\n\x1b[31;1mred\x1b[0m\x1b[8m\t.") == (
        " :\\x3aerror::x\n#\\x23[group]\n\x1b[31;1mred\x1b[0m\\x1b[8m ."
    )
    assert presentable("a\tb\r", tab="\t") == "a\tb\\r"
