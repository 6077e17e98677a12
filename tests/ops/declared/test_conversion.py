"""Conversion of element types beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import (
    Case,
    Operand,
    Oracle,
    check,
    infer,
    random_shape,
    write,
)
from value_chains import Chain, chain_target, check_chains, operand

from ovgather.tensor import element_type

KINDS = [item.name for item in element_type.ALL]
COMMON = [
    "f32",
    "f16",
    "i32",
    "i64",
    "u8",
    "i8",
    "u32",
    "u64",
    "bf16",
    "f8e4m3",
    "f8e5m2",
    "boolean",
]

_NUMBERS: dict[str, list[float]] = {
    "f": [0.5, 1.7, -3.7, 2.5],
    "i": [-1, -2],
    "u": [255, 200],
}
_NUMBERS["i64"] = [-1, -2, 1 << 40, (1 << 63) - 1, 70000]
_NUMBERS["i32"] = [-1, -2, (1 << 31) - 1, 70000, 300]


def random_case(rng: random.Random) -> Case:
    type = rng.choice(
        ["Convert", "ConvertLike", "ConvertPromoteTypes", "ConvertPromoteTypes"]
    )
    kinds = [rng.choice(COMMON if rng.random() < 0.8 else KINDS) for _ in range(2)]
    operands = [
        Operand("" if rng.random() < 0.2 else random_shape(rng), kind) for kind in kinds
    ]
    if type == "Convert":
        operands = operands[:1]
    if rng.random() < 0.04:
        operands = rng.choice([[], operands * 2])
    opset = rng.randint(14 if type == "ConvertPromoteTypes" else 1, 16)
    outputs = 2 if type == "ConvertPromoteTypes" else 1
    return Case(type, opset, operands, random_attributes(rng, type), outputs)


def random_attributes(rng: random.Random, type: str) -> dict[str, str]:
    kind = rng.choice(
        [*KINDS, "F32", "I64", "undefined"]
        if rng.random() < 0.9
        else ["", "odd", "FP32", "bin"]
    )
    if type == "Convert":
        return {"destination_type": kind} if rng.random() < 0.95 else {}
    if type == "ConvertLike" or rng.random() < 0.2:
        return {}
    attributes = {"promote_unsafe": rng.choice(["true", "true", "false", "odd"])}
    attributes["pytorch_scalar_promotion"] = rng.choice(["true", "false", ""])
    return attributes | {"u64_integer_promotion_target": kind}


def random_chain(rng: random.Random) -> Chain:
    kinds = ["i32", "i64", "f32", "f16", "i8", "u8"]
    kind, target = (
        rng.choice(kinds),
        rng.choice([*kinds, "boolean", "f64", "bf16", "u64", "u32", "i16"]),
    )
    numbers = [0, 1, 2, 3, 9, 100, 127, *_NUMBERS.get(kind, _NUMBERS[kind[0]])]
    data, own_kind = operand(rng, kind, rng.randint(1, 3), numbers)
    shapes_of = {} if own_kind is None else {0: own_kind}
    if rng.random() < 0.3:
        return Case("ConvertLike", 16, [data, Operand("2", target)]), shapes_of
    return Case("Convert", 16, [data], {"destination_type": target}), shapes_of


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


@pytest.mark.runtime
def test_values_agree_with_openvino() -> None:
    assert not check_chains(random_chain, 100)


def answer(
    type: str, operands: list[Operand], outputs: int = 1, **attributes: str
) -> object:
    result = infer(*write(Case(type, 16, operands, attributes, outputs)))
    return result["outputs"] if "outputs" in result else result["error"]


def test_outputs() -> None:
    data = Operand("2,?", "f32")
    assert answer("Convert", [data], destination_type="I64") == [["[2,?]", "i64"]]
    assert answer("ConvertLike", [data, Operand("7", "u8")]) == [["[2,?]", "u8"]]
    assert answer("ConvertPromoteTypes", [data, Operand("3", "f16")], 2) == [
        ["[2,?]", "f32"],
        ["[3]", "f32"],
    ]


@pytest.mark.parametrize(
    ("one", "other", "flags", "expected"),
    [
        ("u8", "i8", "true", "i16"),
        ("u64", "i8", "true", "f32"),
        ("bf16", "f16", "true", "f32"),
        ("f8e4m3", "f8e5m2", "true", "f16"),
        ("i64", "f16", "true", "f16"),
        ("i16", "f32", "", "f32"),
        ("boolean", "u1", "", "u1"),
        ("i64", "f32", "", "f32 does not hold every i64"),
        ("u64", "i64", "", "no signed type holds every u64"),
        (
            "bf16",
            "f16",
            "",
            "bf16 and f16 are not promoted to one type: there is no type that takes both",
        ),
        ("string", "f16", "true", "input_0 must be"),
    ],
)
def test_promotion(one: str, other: str, flags: str, expected: str) -> None:
    result = answer(
        "ConvertPromoteTypes",
        [Operand("2", one), Operand("2", other)],
        2,
        promote_unsafe=flags,
    )
    assert expected in str(result)


def test_promotion_beside_a_scalar() -> None:
    operands = [Operand("2", "i8"), Operand("", "i32")]
    flags = {"pytorch_scalar_promotion": "true"}
    assert "i8 does not hold every i32" in str(
        answer("ConvertPromoteTypes", operands, 2, **flags)
    )
    assert "i8" in str(
        answer("ConvertPromoteTypes", operands, 2, promote_unsafe="true", **flags)
    )


@pytest.mark.parametrize(
    ("kind", "number", "target", "expected"),
    [
        ("f32", 2.9, "i64", "[2]"),
        ("i64", 300, "u8", "[44]"),
        ("i64", (1 << 24) + 1, "f32", "[16777216]"),
        ("i64", 256, "bf16", "[256]"),
        ("i64", 257, "bf16", "[?]"),
        ("f32", float("nan"), "i32", "[?]"),
        ("i32", 7, "boolean", "[1]"),
        ("f32", 7, "string", "unknown"),
    ],
)
def test_value(kind: str, number: float, target: str, expected: str) -> None:
    case = Case(
        "Convert", 16, [Operand("1", kind, [number])], {"destination_type": target}
    )
    assert chain_target(case) == expected


def test_refusals() -> None:
    data = Operand("2,?", "f32")
    text = "destination_type is 'FP32', which is not an element type"
    assert text in str(answer("Convert", [data], destination_type="FP32"))
    assert "ConvertLike-1 takes 2 inputs (data, like), but is given 1" in str(
        answer("ConvertLike", [data])
    )


def converted(source: str, target: str, shape: str) -> Case:
    return Case("Convert", 1, [Operand(shape, source)], {"destination_type": target})


@pytest.mark.parametrize(
    ("source", "target", "shape", "is_compiled"),
    [
        ("i32", "u3", "2", False),
        ("i32", "u4", "2", True),
        ("f32", "nf4", "2", True),
        ("f64", "nf4", "2", False),
        ("nf4", "i8", "2", True),
        ("nf4", "i32", "2", False),
        ("f8e8m0", "i8", "2", False),
        ("f8e8m0", "f64", "?", True),
        ("u2", "boolean", "2", False),
        ("u2", "boolean", "?", True),
    ],
)
def test_what_the_cpu_converts(
    source: str, target: str, shape: str, is_compiled: bool
) -> None:
    said = infer(*write(converted(source, target, shape)))
    if is_compiled:
        assert "error" not in said
    else:
        message = f"the CPU plugin converts no {source} to {target}"
        assert (said["stage"], message in said["error"]) == ("compile", True)


@pytest.mark.slow
@pytest.mark.runtime
def test_openvino_converts_the_same_types() -> None:
    rng, oracle = random.Random(1), Oracle(compiled=True)
    # A Parameter of one of the others is refused itself, or its type is open.
    sources = [
        kind for kind in KINDS if kind not in ("u1", "u3", "u6", "string", "dynamic")
    ]
    for _ in range(80):
        pair = rng.choice(sources), rng.choice(KINDS)
        case = converted(*pair, rng.choice(["2,3", "2,?"]))
        theirs = oracle.ask(*write(case))
        assert ("error" in infer(*write(case))) == ("error" in theirs), case
