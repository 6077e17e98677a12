"""FakeQuantize and FakeConvert beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import Case, Operand, check, infer, near, random_shape, write
from value_chains import chain_target

KINDS = ["f32", "f16", "bf16", "dynamic", "i32", "string", "f64"]


def random_case(rng: random.Random) -> Case:
    return _fake_quantize(rng) if rng.random() < 0.5 else _fake_convert(rng)


def _limit(rng: random.Random, shape: str) -> str:
    """A shape that mostly is broadcast to another one."""
    dims = shape.split(",") if shape not in ("", "...") else []
    dims = [rng.choice([dim, "1"]) for dim in dims][rng.randint(0, len(dims)) :]
    limit = ",".join(dims)
    return near(rng, limit) if rng.random() < 0.15 else limit


def _fake_quantize(rng: random.Random) -> Case:
    shape = random_shape(rng)
    rule = rng.choice(["numpy"] * 6 + ["none", "explicit", "pdpd", "pdpd", "odd"])
    same = rule in ("none", "explicit") and rng.random() < 0.7
    limits = [shape if same else _limit(rng, shape) for _ in range(4)]
    operands = [
        Operand(each, rng.choice(KINDS) if rng.random() < 0.1 else "f32")
        for each in (shape, *limits)
    ]
    if rng.random() < 0.04:
        operands = rng.choice([operands[:3], [], [*operands, operands[0]]])
    attributes = {"levels": rng.choice(["256", "2", "16", "255", "0", "-1", "odd", ""])}
    if rng.random() < 0.5:
        attributes["auto_broadcast"] = rule
    return Case("FakeQuantize", rng.randint(1, 16), operands, attributes)


def _fake_convert(rng: random.Random) -> Case:
    shape = random_shape(rng)
    scale = _limit(rng, shape)
    shift = near(rng, scale) if rng.random() < 0.3 else scale
    kind = rng.choice(KINDS) if rng.random() < 0.3 else "f32"
    operands = [Operand(each, kind) for each in (shape, scale, shift)][
        : rng.choice([2, 3])
    ]
    if rng.random() < 0.1:
        operands[-1] = operands[-1]._replace(type=rng.choice(KINDS))
    if rng.random() < 0.04:
        operands = rng.choice([operands[:1], [], [*operands, *operands]])
    kinds = ["f8e4m3", "f8e5m2", "F8E4M3", "f8e8m0", "f32", "", "odd"]
    attributes = (
        {"destination_type": rng.choices(kinds, [6, 6, 1, 1, 1, 1, 1])[0]}
        if rng.random() < 0.7
        else {}
    )
    return Case("FakeConvert", rng.randint(13, 16), operands, attributes)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def answer(type: str, shapes: list[str], kind: str, **attributes: str) -> str:
    result = infer(
        *write(Case(type, 16, [Operand(shape, kind) for shape in shapes], attributes))
    )
    return str(result["outputs"][0] if "outputs" in result else result["error"])


@pytest.mark.parametrize(
    ("type", "shapes", "kind", "attributes", "expected"),
    [
        ("FakeQuantize", ["?,3", "1", "", "3", "2,1"], "f16", {}, "['[?,3]', 'f16']"),
        (
            "FakeQuantize",
            ["2,3", "4", "", "", ""],
            "f32",
            {},
            "shapes of data, [2,3], and of input_low, [4], cannot be",
        ),
        ("FakeQuantize", ["2"] * 4, "f32", {}, "FakeQuantize-1 takes 5 inputs"),
        ("FakeConvert", ["2,?", "1,3", "1,3"], "bf16", {}, "['[2,3]', 'bf16']"),
        (
            "FakeConvert",
            ["2,3", "4,1,1"],
            "f32",
            {},
            "scale of shape [4,1,1] cannot be broadcast to data of shape [2,3]",
        ),
        (
            "FakeConvert",
            ["2,3", "3", "2,3"],
            "f32",
            {},
            "the shape of shift, [2,3], must be that of scale, [3]",
        ),
        (
            "FakeConvert",
            ["2,3", "3"],
            "f64",
            {},
            "data must be bf16, f16 or f32, not f64",
        ),
        (
            "FakeConvert",
            ["2,3", "3"],
            "f32",
            {"destination_type": "i8"},
            "destination_type must be f8e4m3 or f8e5m2, not i8",
        ),
    ],
)
def test_answer(
    type: str, shapes: list[str], kind: str, attributes: dict[str, str], expected: str
) -> None:
    assert expected in answer(type, shapes, kind, **attributes)


@pytest.mark.parametrize(
    ("number", "levels", "expected"),
    [(5, 256, "[5]"), (-1, 256, "[0]"), (99, 2, "[10]")],
)
def test_value(number: float, levels: int, expected: str) -> None:
    operands = [
        Operand("1", "f32", [number]),
        *[Operand("", "f32", [limit]) for limit in (0, 10, 0, 10)],
    ]
    assert (
        chain_target(Case("FakeQuantize", 1, operands, {"levels": str(levels)}))
        == expected
    )


@pytest.mark.parametrize(
    ("levels", "high", "stage"),
    [("65536", 6.0, "compile"), ("65536", 5.0, None), ("256", 6.0, None)],
)
def test_levels_that_the_plugin_leaves_out(
    levels: str, high: float, stage: str | None
) -> None:
    limits = [Operand("", "f32", [each]) for each in (0.0, 6.0, 0.0, high)]
    case = Case(
        "FakeQuantize", 1, [Operand("1,3,4,4", "f32"), *limits], {"levels": levels}
    )
    assert infer(*write(case)).get("stage") == stage
