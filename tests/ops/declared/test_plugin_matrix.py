"""Layers whose types, empty inputs or lengths the CPU plugin refuses, beside like ones that it takes, and OpenVINO."""

from __future__ import annotations

from math import prod

import pytest
from declared_oracle import Case, Operand, Oracle, infer, integers, write

WINDOW = {"strides": "1,1", "dilations": "1,1", "pads_begin": "1,1", "pads_end": "1,1"}
BINARY = WINDOW | {"mode": "xnor-popcount", "pad_value": "0"}
POOL = {
    "strides": "1,1",
    "pads_begin": "0,0",
    "pads_end": "0,0",
    "kernel": "2,2",
    "axis": "0",
}
RESIZED = {"axes": "2,3", "mode": "nearest"}


def constant(shape: str, type: str = "f32") -> Operand:
    return Operand(shape, type, [1] * prod(map(int, shape.split(","))))


def cell(type: str, weights: bool, batch: str = "2") -> Case:
    shapes = ("12,3", "12,4", "12")
    operands = [
        constant(each, type) if weights else Operand(each, type) for each in shapes
    ]
    data = [Operand(f"{batch},3", type), Operand(f"{batch},4", type)]
    return Case("GRUCell", 3, [*data, *operands], {"hidden_size": "4"})


def sequence(type: str, weights: bool, batch: str = "2") -> Case:
    shapes = ("1,4,3", "1,4,4", "1,4")
    operands = [
        constant(each, type) if weights else Operand(each, type) for each in shapes
    ]
    data = [Operand(f"{batch},5,3", type), Operand(f"{batch},1,4", type)]
    attributes = {"hidden_size": "4", "direction": "forward", "activations": "tanh"}
    return Case(
        "RNNSequence", 5, [*data, Operand(batch, "i32"), *operands], attributes, 2
    )


def backward(type: str, filters: str, data: str, begin: int, kind: str = "f32") -> Case:
    operands = [Operand(data, kind), Operand(filters, kind)]
    return Case(type, 1, operands, WINDOW | {"pads_begin": f"{begin},1"})


def by_groups(data: str, begin: int, kind: str = "f32") -> Case:
    return backward("GroupConvolutionBackpropData", "2,2,3,3,3", data, begin, kind)


def plain(data: str, begin: int) -> Case:
    return backward("ConvolutionBackpropData", "4,3,3,3", data, begin)


def binary(type: str, filters: str = "u1", data: str = "2,3,8,8") -> Case:
    kernel = Operand("4,3,3,3", filters, [1] * 14 if filters == "u1" else [1] * 108)
    return Case("BinaryConvolution", 1, [Operand(data, type), kernel], BINARY)


def resized(sizes: Operand, type: str = "f32", axes: str = "2,3") -> Case:
    return Case(
        "Interpolate", 1, [Operand("2,3,8,8", type), sizes], RESIZED | {"axes": axes}
    )


def pooled(type: str, outputs: int = 2) -> Case:
    return Case("MaxPool", 8, [Operand("1,2,8,8", type)], POOL, outputs)


def quantized(type: str, levels: str = "256", batch: str = "2") -> Case:
    limits = [Operand("", "f32", [limit]) for limit in (0, 1, 0, 1)]
    return Case(
        "FakeQuantize", 1, [Operand(f"{batch},3", type), *limits], {"levels": levels}
    )


def quantized_between(type: str) -> Case:
    return Case(
        "FakeQuantize", 1, [Operand("2,3", type), *[Operand("")] * 4], {"levels": "256"}
    )


def scattered(axis: Operand) -> Case:
    operands = [Operand("2,3"), Operand("2,2", "i32"), Operand("2,2"), axis]
    return Case("ScatterElementsUpdate", 3, operands)


def scattered_to(type: str) -> Case:
    operands = [Operand("3,4"), Operand("2", type), Operand("2,4"), integers(0)]
    return Case("ScatterUpdate", 3, operands)


def decoded(type: str, data: str = "5,2,6", mask: str = "5,2") -> Case:
    return Case("CTCGreedyDecoder", 1, [Operand(data, type), Operand(mask, type)])


def product_of(one: str, other: str) -> Case:
    equation = {"equation": "ab,bc->ac"}
    return Case("Einsum", 7, [Operand(one), Operand(other)], equation)


def selu(alpha: str) -> Case:
    values = [Operand(alpha, "f32", [1] * int(alpha)), Operand("1", "f32", [1])]
    return Case("Selu", 1, [Operand("2,3"), *values])


def transformed(data: str, axes: Operand) -> Case:
    return Case("RDFT", 9, [Operand(data), axes])


def normalized(type: str) -> Case:
    attributes = {
        "eps": "1e-9",
        "normalize_variance": "true",
        "eps_mode": "inside_sqrt",
    }
    return Case("MVN", 6, [Operand("2,3,8,8"), Operand("1", type, [1])], attributes)


CASES = [
    (cell("f64", weights=True), None),
    (cell("i32", weights=True), "compile"),
    (cell("i32", weights=False), None),
    (cell("f8e4m3", weights=False), "compile"),
    (cell("f8e4m3", weights=False, batch="?"), None),
    (cell("boolean", weights=False, batch="?"), "compile"),
    (sequence("i8", weights=True), "compile"),
    (sequence("i8", weights=False), None),
    (sequence("u2", weights=False, batch="?"), "compile"),
    (sequence("nf4", weights=False, batch="?"), None),
    (by_groups("1,4,8,8", 9), None),
    (by_groups("1,4,8,8", 10), "compile"),
    (by_groups("?,4,?,?", 60), None),
    (by_groups("?,4,?,?", 70), "compile"),
    (by_groups("1,4,8,8", 1, "f8e4m3"), "compile"),
    (plain("1,4,8,8", 60), "compile"),
    (plain("?,4,?,?", 70), None),
    (plain("?,4,8,8", 10), "compile"),
    (binary("f16"), None),
    (binary("u8"), "compile"),
    (binary("bf16"), "sometimes"),
    (binary("f32", filters="i8"), "compile"),
    (binary("f32", data="0,3,8,8"), "compile"),
    (resized(integers(4, 4)), None),
    (resized(integers(4, 4), "u16"), "compile"),
    (resized(integers(4, 4, type="u8")), "compile"),
    (resized(Operand("2,1", "i64")), "compile"),
    (resized(Operand("1", "i64")), None),
    (resized(Operand("3", "i64")), "compile"),
    (resized(integers()), "compile"),
    (resized(integers(4, 4, 4, 4), axes="0,1,2,3"), "compile"),
    (pooled("f8e4m3"), "compile"),
    (pooled("f8e4m3", outputs=1), None),
    (pooled("bf16"), "sometimes"),
    (quantized("i8"), None),
    (quantized("f64"), "compile"),
    (quantized("f64", levels="10"), None),
    (quantized("i64", batch="?"), None),
    (quantized_between("i8"), "compile"),
    (scattered(integers()), "compile"),
    (scattered(integers(1)), None),
    (scattered(Operand("0", "i64")), None),
    (scattered_to("nf4"), None),
    (scattered_to("string"), "compile"),
    (scattered_to("u2"), "compile"),
    (decoded("bf16"), None),
    (decoded("f8e4m3"), "compile"),
    (decoded("i8", "5,0,6", "5,0"), "compile"),
    (product_of("2,3", "3,4"), None),
    (product_of("2,3", "3,0"), "sometimes"),
    (selu("0"), "compile"),
    (selu("2"), None),
    (transformed("2,3,4", integers()), "compile"),
    (transformed("2,3,4", Operand("?", "i64")), None),
    (transformed("2,3,4", Operand("1", "i64")), "compile"),
    (transformed("0,3,4", Operand("1", "i64")), None),
    (normalized("boolean"), "compile"),
]


@pytest.mark.parametrize(("case", "stage"), CASES)
def test_stage(case: Case, stage: str | None) -> None:
    assert infer(*write(case)).get("stage") == stage


@pytest.mark.slow
@pytest.mark.runtime
def test_openvino_refuses_the_same() -> None:
    oracle = Oracle(compiled=True)
    for case, stage in CASES:
        answer = oracle.ask(*write(case))
        if stage != "sometimes":
            assert ("error" in answer) == (stage is not None), (case, answer)


def test_elements_of_bf16_are_read() -> None:
    halves = Operand("2", "u16", [0x3F80, 0x4040])  # 1 and 3
    xml, weights = write(Case("Unsqueeze", 1, [Operand("2,3"), halves]))
    answer = infer(xml.replace('element_type="u16"', 'element_type="bf16"'), weights)
    assert answer["outputs"] == [["[2,1,3,1]", "f32"]]
