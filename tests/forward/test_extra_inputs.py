"""An input more than an operation has: IR 10 takes it where OpenVINO's operation does not count its inputs."""

from __future__ import annotations

import pytest
from declared_oracle import Case, Operand, Oracle, infer, integers, scalar, write

WINDOW = {"strides": "1,1", "dilations": "1,1", "pads_begin": "0,0", "pads_end": "0,0"}
LIMITS = [Operand("", "f32", [limit]) for limit in (-1, 1, -1, 1)]
TAKEN = [
    Case("ReLU", 1, [Operand("2,3")]),
    Case("IsNaN", 10, [Operand("2,3")]),
    Case("SoftMax", 8, [Operand("2,3")], {"axis": "1"}),
    Case("ReduceSum", 1, [Operand("2,3"), integers(1)], {"keep_dims": "false"}),
    Case("MatMul", 1, [Operand("2,3"), Operand("3,4")]),
    Case("Convolution", 1, [Operand("1,3,8,8"), Operand("2,3,3,3")], WINDOW),
    Case("FakeQuantize", 1, [Operand("2,3"), *LIMITS], {"levels": "256"}),
    Case("ShapeOf", 1, [Operand("2,3")]),
    Case("GatherND", 8, [Operand("2,3"), Operand("1,2", "i64")]),
]
COUNTED = [
    Case("Round", 5, [Operand("2,3")]),
    Case("Mish", 4, [Operand("2,3")]),
    Case("Add", 1, [Operand("2,3"), Operand("2,3")]),
    Case("Gather", 8, [Operand("2,3"), integers(1), scalar(0)]),
    Case("Broadcast", 3, [Operand("3"), integers(2, 3)]),
]


def with_another(case: Case, version: int) -> tuple[str, bytes]:
    more = case._replace(inputs=[*case.inputs, Operand("5")])
    xml, weights = write(more)
    return xml.replace('version="11">', f'version="{version}">', 1), weights


@pytest.mark.parametrize("case", TAKEN)
def test_old_ir_takes_it(case: Case) -> None:
    answer = infer(*with_another(case, 10))
    assert "outputs" in answer
    assert answer == infer(*write(case))
    assert infer(*with_another(case, 11))["stage"] == "read"


@pytest.mark.parametrize("case", COUNTED)
def test_counted(case: Case) -> None:
    assert infer(*with_another(case, 10))["stage"] == "read"


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    oracle = Oracle(compiled=True)
    assert all("outputs" in oracle.ask(*with_another(case, 10)) for case in TAKEN)
    refused = [with_another(case, 11) for case in TAKEN]
    refused += [with_another(case, 10) for case in COUNTED]
    assert all(oracle.ask(*file)["stage"] == "read" for file in refused)
