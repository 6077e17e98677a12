"""Element types that the CPU plugin refuses in single operations, beside OpenVINO."""

from __future__ import annotations

import pytest
from declared_oracle import Case, Operand, Oracle, infer, integers, write

GROUPS = {"num_groups": "2", "epsilon": "1e-5"}
NORMALIZED = {"eps": "1e-5", "eps_mode": "add"}
POOLED = {
    "strides": "1,1",
    "pads_begin": "0,0",
    "pads_end": "0,0",
    "kernel": "2,2",
    "rounding_type": "floor",
    "auto_pad": "explicit",
}


def groups(type: str, batch: str = "1") -> Case:
    shapes = (f"{batch},4,2,2", "4", "4")
    return Case(
        "GroupNormalization", 12, [Operand(each, type) for each in shapes], GROUPS
    )


def normalized(type: str) -> Case:
    return Case("NormalizeL2", 1, [Operand("4,4", type), integers(1)], NORMALIZED)


def pooled(type: str) -> Case:
    return Case("MaxPool", 1, [Operand("1,2,8,8", type)], POOLED)


def softmax(type: str, batch: str) -> Case:
    return Case("LogSoftmax", 5, [Operand(f"{batch},4", type)], {"axis": "1"})


def quantized(type: str, limits: str) -> Case:
    operands = [Operand("1,4", type), *[Operand("", limits)] * 4]
    return Case("FakeQuantize", 1, operands, {"levels": "256"})


CASES = [
    (groups("i8", "?"), False),
    (groups("boolean", "?"), True),
    (normalized("f8e4m3"), True),
    (normalized("f32"), False),
    (pooled("u2"), True),
    (pooled("f8e4m3"), False),
    (softmax("boolean", "?"), True),
    (softmax("f16", "?"), False),
    (quantized("i8", "i8"), True),
    (quantized("f32", "f32"), False),
    (quantized("f32", "string"), False),
]


def batches(type: str, batch: str) -> Case:
    operands = [Operand(f"{batch},4,2,2", type), *[Operand("4", type)] * 4]
    return Case("BatchNormInference", 5, operands, {"epsilon": "1e-5"})


@pytest.mark.parametrize("case", [groups("i8"), batches("f8e4m3", "?")])
def test_what_depends_on_the_processor(case: Case) -> None:
    assert infer(*write(case))["stage"] == "sometimes"


@pytest.mark.parametrize(("case", "is_refused"), CASES)
def test_types(case: Case, is_refused: bool) -> None:
    answer = infer(*write(case))
    if is_refused:
        message = f"is {case.inputs[0].type}, the CPU plugin takes none in {case.type}"
        assert (answer["stage"], message in answer["error"]) == ("compile", True)
    else:
        assert "error" not in answer


@pytest.mark.runtime
def test_openvino_refuses_the_same() -> None:
    oracle = Oracle(compiled=True)
    for case, is_refused in CASES:
        answer = oracle.ask(*write(case))
        assert (answer.get("stage") == "compile") == is_refused, (case, answer)
