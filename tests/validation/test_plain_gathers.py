"""Plain Gather layers: what the one pass leaves out, no rule would have reported."""

from __future__ import annotations

import random
import re

import pytest
from paths import SAMPLES

from ovgather import read
from ovgather.validation.check import check_file
from ovgather.validation.facts import file_facts
from ovgather.validation.facts.file_facts import FileFacts

HEAD = '<net name="m" version="11"><layers>'
LAYERS = """
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="?,5" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>-1</dim><dim>5</dim></port></output></layer>
<layer id="1" name="r" type="ReLU" version="opset1"><input><port id="0" precision="FP32"><dim>-1</dim><dim>5</dim>
</port></input><output><port id="1" precision="FP32"><dim>-1</dim><dim>5</dim></port></output></layer>
<layer id="2" name="i" type="Const" version="opset1"><data element_type="i64" shape="3" offset="0" size="24"/>
<output><port id="0" precision="I64"><dim>3</dim></port></output></layer>
<layer id="3" name="a" type="Const" version="opset1"><data element_type="i64" shape="" offset="24" size="8"/>
<output><port id="0" precision="I64"/></output></layer>
<layer id="4" name="g" type="Gather" version="opset8"><data batch_dims="0"/><input>
<port id="0" precision="FP32"><dim>-1</dim><dim>5</dim></port><port id="1" precision="I64"><dim>3</dim></port>
<port id="2" precision="I64"/></input>
<output><port id="3" precision="FP32"><dim>-1</dim><dim>3</dim></port></output></layer>
<layer id="5" name="y" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>-1</dim><dim>3</dim>
</port></input></layer>"""
EDGES = """</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="4" to-port="0"/><edge from-layer="2" from-port="0" to-layer="4" to-port="1"
/><edge from-layer="3" from-port="0" to-layer="4" to-port="2"/>
<edge from-layer="4" from-port="3" to-layer="5" to-port="0"
/></edges></net>"""
MODEL = HEAD + LAYERS + EDGES
WORDS = re.compile(r'<dim>[^<]*</dim>|"[A-Za-z0-9?,]*"')
CHOICES = (
    "<dim>0</dim>",
    "<dim>7</dim>",
    '"0"',
    '"1"',
    '"3"',
    '"I32"',
    '"FP64"',
    '"f16"',
    '"opset1"',
    '"-1"',
    '""',
)


def weights(*values: int) -> bytes:
    return b"".join(value.to_bytes(8, "little", signed=True) for value in values)


def findings(text: str, data: bytes) -> list[tuple[object, ...]]:
    checked = check_file(text.encode(), data, keeps=lambda code: True)
    return [
        (each.code, each.severity, each.message, each.line, each.column, each.help)
        for each in checked.diagnostics
    ]


def mutated(text: str, seed: int) -> str:
    """``text`` with one or two values replaced, mostly by others of the same kind."""
    generator = random.Random(seed)
    for _ in range(generator.choice((1, 1, 2))):
        match = generator.choice([*WORDS.finditer(text)])
        kind = [choice for choice in CHOICES if choice[0] == match[0][0]]
        text = text[: match.start()] + generator.choice(kind) + text[match.end() :]
    return text


def test_a_layer_as_openvino_writes_it_is_plain() -> None:
    facts = FileFacts(read(MODEL.encode(), weights(0, 4, 2, 1)))
    assert facts.alike == []
    assert [gather.layer.name for gather in facts.gather_layers] == ["g"]
    assert facts.unusual_gathers_where(lambda gather: True) == []
    assert [
        gather.layer.name for gather in facts.gather_layers_where(lambda gather: True)
    ] == ["g"]


@pytest.mark.parametrize(
    "values", [(0, 5, 2, 1), (0, -1, 2, 1), (0, 4, 2, 0), (0, 4, 2, 2), (0, 4, 2, -1)]
)
def test_indices_out_of_range_and_other_axes_are_for_the_rules(
    values: tuple[int, ...],
) -> None:
    facts = FileFacts(read(MODEL.encode(), weights(*values)))
    assert [gather.layer.name for gathers in facts.alike for gather in gathers] == ["g"]


@pytest.mark.slow
def test_no_rule_reports_a_plain_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [
        (mutated(MODEL, seed), weights(*values))
        for seed in range(300)
        for values in ((0, 4, 2, 1),)
    ]
    files += [
        (MODEL, weights(*values))
        for values in ((0, 5, 2, 1), (0, -6, 2, 1), (0, 4, 2, 0), (0, 4, 2, 9))
    ]
    samples = sorted(SAMPLES.rglob("*.xml"))
    files += [(path.read_text("utf-8", "replace"), b"") for path in samples]
    found = [findings(text, data) for text, data in files]
    assert sum(map(bool, found)) > 100
    monkeypatch.setattr(file_facts, "is_plain", lambda *facts: False)
    assert [findings(text, data) for text, data in files] == found
