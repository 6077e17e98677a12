"""The finding that an explanation is: its code, its place, its verdict, its evidence."""

from __future__ import annotations

from pathlib import Path

import pytest
from contradictions import Chain, findings
from small_models import constant, i64, layer, net, parameter, result

from ovgather.ir.text import Edit
from ovgather.validation.api import validate
from ovgather.validation.diagnosis.explanation import MOST_ALIKE, Explanation
from ovgather.validation.diagnosis.hypothesis import Hypothesis
from ovgather.validation.diagnostic import Diagnostic

LOOKUP = net(
    parameter(0, "2,3,4", "f32", "FP32 2,3,4", "x"),
    parameter(1, "5", "i64", "I64 5", "indices"),
    constant(2, "", "i64", 0, 8, "I64 ", "axis"),
    layer(
        3,
        "Gather",
        "opset8",
        "",
        ("FP32 2,3,4", "I64 5", "I64 "),
        ("FP32 2,5,4",),
        "lookup",
    ),
    result(4, "FP32 2,5,4"),
    edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0",
)


def test_the_code_is_that_of_the_worst_it_explains() -> None:
    [finding] = Chain(3).dims(2, "output", 2, 9).findings()
    assert (finding.code, finding.severity, finding.openvino) == (
        "OVG215",
        "error",
        "accepts",
    )
    assert [each.code for each in finding.consequences] == ["OVG206"]


def test_a_repair_of_the_weights_is_no_fix() -> None:
    [finding] = findings(LOOKUP, i64(2))
    assert (
        finding.message
        == 'Gather layer 3 "lookup" has axis 2, but its declared output [2,5,4] needs 1'
    )
    assert finding.help == "write 1 as little-endian i64 at byte 0 of the .bin"
    assert finding.fix() is None
    assert finding.layer is not None
    assert finding.layer.name == "axis"


def test_the_message_of_a_hypothesis_does_not_replace_what_it_explains() -> None:
    [finding] = findings(LOOKUP, i64(2))
    assert [each.message for each in finding.related] == [
        'layer 3 "lookup": output dim 1 is 5, but 3 is inferred from the inputs',
        'layer 3 "lookup": output dim 2 is 4, but 5 is inferred from the inputs',
    ]


def test_a_verdict_of_what_is_explained() -> None:
    text = LOOKUP.replace('to-layer="3" to-port="1"', 'to-layer="3" to-port="0"', 1)
    [finding] = findings(text, i64(1))
    assert (finding.hypothesis, finding.openvino) == ("another_target", "rejects")


def test_what_openvino_does_with_a_wrong_edge_that_it_accepts() -> None:
    text = LOOKUP.replace("2,3,4", "5").replace(
        "<dim>2</dim><dim>3</dim><dim>4</dim>", "<dim>5</dim>"
    )
    text = text.replace("<dim>2</dim><dim>5</dim><dim>4</dim>", "<dim>5</dim>")
    assert findings(text, i64(0)) == []
    first, second = 'from-layer="0" from-port="0"', 'from-layer="1" from-port="0"'
    [finding] = findings(
        text.replace(first, "@").replace(second, first).replace("@", second), i64(0)
    )
    assert finding.hypothesis == "exchanged"


UNFIT_LAYOUT = """<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="1,3,8" element_type="f32"/><output>
<port id="0" precision="FP32">
<rt_info><attribute name="layout" version="0" layout="[N,C,H,W]"/></rt_info>
<dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port></output></layer>
<layer id="1" name="y" type="Result" version="opset1"><input><port id="0" precision="FP32">
<dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>"""


def test_the_nearest_evidence_gives_the_code(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(UNFIT_LAYOUT)
    (finding,) = validate(path)
    assert (finding.code, finding.openvino) == ("OVG212", "rejects_on_compile")
    assert "layout [N,C,H,W] does not fit the shape [1,3,8]" in [
        each.message for each in finding.related
    ]


@pytest.mark.parametrize(
    ("codes", "edits", "is_folded"),
    [
        (["OVG403"] * MOST_ALIKE, (), True),
        (["OVG403"] * (MOST_ALIKE - 1), (), False),
        (["OVG403"] * MOST_ALIKE + ["OVG402"], (), False),
        (["OVG403"] * MOST_ALIKE, (Edit(0, 1, b"", ""),), False),
    ],
)
def test_many_findings_of_one_code_that_nothing_explains_are_folded(
    codes: list[str], edits: tuple[Edit, ...], is_folded: bool
) -> None:
    head, *evidence = (
        Diagnostic(code, "error", "", path="m.xml") for code in ["OVG403", *codes]
    )
    hypothesis = Hypothesis("", edits=edits)
    assert Explanation(head, head, evidence, hypothesis).is_folded == is_folded
