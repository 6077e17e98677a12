"""Arguments of element types that OpenVINO's core does not read, beside OpenVINO."""

from __future__ import annotations

import pytest
from declared_oracle import Case, Operand, Oracle, infer, write


def reduced(type: str) -> Case:
    return Case("ReduceSum", 1, [Operand("2,2"), Operand("1", type, [1])])


@pytest.mark.runtime
@pytest.mark.parametrize("type", ["u1", "u2", "u3", "u6"])
def test_is_refused(type: str) -> None:
    xml, weights = write(reduced("u8"))
    xml = xml.replace('element_type="u8"', f'element_type="{type}"')
    oracle = Oracle()
    answer, theirs = infer(xml, weights), oracle.ask(xml, weights)
    assert f"axes is {type}, OpenVINO reads no argument of this type" in answer["error"]
    assert (answer["stage"], theirs["stage"]) == ("read", "read")


def test_u8_is_read() -> None:
    assert "outputs" in infer(*write(reduced("u8")))


@pytest.mark.runtime
def test_packed_filters_of_a_constant_binary_convolution() -> None:
    inputs = [Operand("1,1,1,1", "f32", [1]), Operand("1,1,1,1", "u8", [1])]
    window = {"strides": "1,1", "dilations": "1,1", "pads_begin": "0,0"}
    attributes = {
        **window,
        "pads_end": "0,0",
        "mode": "xnor-popcount",
        "pad_value": "0",
    }
    xml, weights = write(Case("BinaryConvolution", 1, inputs, attributes))
    xml = xml.replace('element_type="u8"', 'element_type="u1"')
    oracle = Oracle(compiled=True)
    theirs = oracle.ask(xml, weights)
    assert ("error" in infer(xml, weights), "error" in theirs) == (False, False)
