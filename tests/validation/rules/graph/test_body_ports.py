"""Ports of an If that a port map leaves out: OpenVINO looks at no branch that a constant condition rules out."""

from __future__ import annotations

import pytest
from nets import Net

from ovgather.validation.api import validate

BODY = """<{0}_body><layers><layer id="0" name="p" type="Parameter" version="opset1">
<data shape="2" element_type="f32"/><output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>
<layer id="1" name="r" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>2</dim></port></input></layer></layers>
<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></{0}_body>"""
INLET = '<input external_port_id="1" internal_layer_id="0"/>'
OUTLET = '<output external_port_id="9" internal_layer_id="1"/>'


def branches(condition: bool | None, lacking: str) -> Net:
    """An If of which the branch ``lacking`` gives no output; without a condition, a Parameter is it."""
    net = Net()
    if condition is None:
        chosen = net.parameter("u8", "")
    else:
        chosen = net.const("u8", [], [int(condition)])
    chosen = net.add("Convert", 'destination_type="boolean"', chosen)
    inside = ""
    for name in ("then", "else"):
        outlet = "" if name == lacking else OUTLET
        inside += f"<{name}_port_map>{INLET}{outlet}</{name}_port_map>"
        inside += BODY.format(name)
    data = net.parameter("f32", "2")
    given = net.add("If", "", chosen, data, version="opset8", shape="2", inside=inside)
    net.add("Result", "", given)
    return net


@pytest.mark.parametrize(
    ("condition", "lacking", "verdict"),
    [
        (True, "else", "accepts"),
        (False, "then", "accepts"),
        (True, "then", "rejects"),
        (False, "else", "rejects"),
        (None, "then", "rejects"),
        (None, "else", "rejects"),
    ],
)
def test_outputs_that_a_branch_lacks(
    condition: bool | None, lacking: str, verdict: str
) -> None:
    findings = validate(branches(condition, lacking).model())
    [found] = [each for each in findings if "is in no entry" in each.message]
    assert (found.code, found.openvino) == ("OVG306", verdict)


@pytest.mark.parametrize("condition", [True, False, None])
def test_branches_that_give_all_outputs(condition: bool | None) -> None:
    findings = validate(branches(condition, "neither").model())
    assert not [each for each in findings if each.code == "OVG306"]
