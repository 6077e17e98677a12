"""What OpenVINO reads and refuses to compile, because the layers it puts in the place of a node do not take it."""

from __future__ import annotations

import pytest
from declared_oracle import Case, Operand, Oracle, infer, integers, scalar, write


def pdpd(operation: str, a: str, b: str, type: str = "f32") -> Case:
    opset = 13 if operation.startswith("Bitwise") else 1
    operands = [Operand(a, type), Operand(b, type)]
    return Case(operation, opset, operands, {"auto_broadcast": "pdpd"})


def summed(data: Operand, axis: Operand) -> Case:
    return Case("CumSum", 3, [data, axis])


def reduced(operation: str, type: str, axes: Operand) -> Case:
    return Case(operation, 4, [Operand("2,3", type), axes], {"keep_dims": "true"})


def normalized(axes: Operand, type: str = "f32", eps: str = "1e-5") -> Case:
    attributes = {"eps": eps, "eps_mode": "add"}
    return Case("NormalizeL2", 1, [Operand("2,3,4,4", type), axes], attributes)


def centred(data: str, axes: Operand) -> Case:
    attributes = {"eps": "1", "normalize_variance": "true", "eps_mode": "inside_sqrt"}
    return Case("MVN", 6, [Operand(data), axes], attributes)


def blocks(data: str, block: list[int], begins: list[int] | None) -> Case:
    pads = Operand(str(len(block)), "i64", begins)
    ends = integers(*[0] * len(block))
    return Case("SpaceToBatch", 2, [Operand(data), integers(*block), pads, ends])


def suppressed(threshold: Operand) -> Case:
    operands = [Operand("1,6,4"), Operand("1,2,6"), scalar(3), threshold]
    return Case("NonMaxSuppression", 4, operands)


def priors(image: Operand, variance: str) -> Case:
    attributes = {"variance": variance, "min_size": "1", "offset": "0.5"}
    return Case("PriorBox", 8, [integers(2, 2), image], attributes)


def scattered(operation: str, *index: int) -> Case:
    operands = [integers(4, 0, 2), integers(*index), integers(1), scalar(0)]
    return Case(operation, 12 if operation == "ScatterElementsUpdate" else 3, operands)


def placed(index: int) -> Case:
    indices = Operand("1,1", "i64", [index])
    return Case("ScatterNDUpdate", 4, [integers(4, 1), indices, integers(7)])


REAL = Operand("2", "f32", [1.0, 0.0])
REFUSED = [
    (pdpd("Subtract", "4,3,5", "4,3"), "auto_broadcast"),
    (pdpd("Subtract", "4,?,5", "4,3", "i32"), "auto_broadcast"),
    (pdpd("Divide", "4,3,5", "4"), "auto_broadcast"),
    (pdpd("Less", "4,3,5", "4,3"), "auto_broadcast"),
    (pdpd("BitwiseOr", "4,3,5", "4,3", "i32"), "auto_broadcast"),
    (pdpd("Mod", "4,3,5", ""), "auto_broadcast"),
    (summed(integers(4, 0), scalar(1)), "axis"),
    (summed(integers(4, 0), integers(0)), "axis"),
    (reduced("ReduceL2", "i32", Operand("1", "i64")), "axes"),
    (reduced("ReduceL1", "u8", Operand("", "i64")), "axes"),
    (reduced("ReduceMean", "u4", Operand("1", "i64")), "axes"),
    (reduced("ReduceMin", "nf4", Operand("1", "i64")), "axes"),
    (normalized(REAL), "axes"),
    (normalized(Operand("1", "i64"), "f16", "1e5"), "eps"),
    (normalized(integers(1), "i32"), "data"),
    (centred("2,3,4,4", REAL), "axes"),
    (blocks("6,4,4", [0, 1, 1], [0, 0, 0]), "block_shape"),
    (blocks("6,4,4", [1, 2, 1], [0, -1, 0]), "block_shape"),
    (blocks("1,8,2", [2, 3, 1], [0, 1, 0]), "block_shape"),
    (blocks("3,1,2", [1, 1, 1], [-99, 0, 0]), "pads_end"),
    (suppressed(scalar(1)), "iou_threshold"),
    (priors(Operand("2", "i64"), "-0.1"), "variance"),
    (scattered("ScatterElementsUpdate", 5), "indices"),
    (scattered("ScatterUpdate", -4), "indices"),
    (placed(5), "indices"),
]
TAKEN = [
    pdpd("Add", "4,3,5", "4,3"),
    pdpd("Subtract", "4,3,5", "4,3,1"),
    pdpd("Divide", "4,3,5", "4", "i32"),
    pdpd("Less", "4,?,5", "4,3"),
    pdpd("Mod", "4,3,5", "4,3,5"),
    summed(Operand("2", "i64"), scalar(5)),
    summed(integers(4, 0), scalar(-1)),
    reduced("ReduceL1", "i32", Operand("1", "i64")),
    reduced("ReduceL2", "f32", Operand("1", "i64")),
    normalized(integers(1), "f16", "1e5"),
    normalized(Operand("1", "i64"), "i32"),
    blocks("6,4,4,4", [0, 1, 1, 1], [0, 0, 0, 0]),
    blocks("6,4,4,4", [1, 2, 1, 1], [0, -1, 0, 0]),
    blocks("?,4,4", [1, 2, 1], [0, -1, 0]),
    blocks("6,4,4", [1, -1, 1], None),
    suppressed(scalar(0.5, "f32")),
    priors(integers(20, 20), "-0.1"),
    scattered("ScatterElementsUpdate", -3),
    placed(-1),
]


@pytest.mark.parametrize(("case", "argument"), REFUSED)
def test_refusal(case: Case, argument: str) -> None:
    answer = infer(*write(case))
    assert answer["stage"] == "compile"
    assert argument in answer["error"]


@pytest.mark.parametrize("case", TAKEN)
def test_no_refusal(case: Case) -> None:
    assert "error" not in infer(*write(case))


@pytest.mark.slow
@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    oracle = Oracle(compiled=True)
    refusals = [oracle.ask(*write(case)).get("stage") for case, _ in REFUSED]
    answers = [oracle.ask(*write(case)).get("stage") for case in TAKEN]
    assert refusals == ["compile"] * len(REFUSED)
    assert answers == [None] * len(TAKEN)
