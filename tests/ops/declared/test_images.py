"""Conversions of pictures beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_answers import refusal
from declared_oracle import Case, Operand, check, infer, near, write
from window_cases import loosened

TYPES = ("NV12toRGB", "NV12toBGR", "I420toRGB", "I420toBGR", "RGBtoNV12", "BGRtoNV12")


def random_case(rng: random.Random) -> Case:
    type = rng.choice(TYPES)
    batch, height, width = (
        rng.choice([0, 1, 2]),
        rng.choice([4, 6, 12]),
        rng.choice([2, 8, 10]),
    )
    attributes, outputs = {}, 1
    if type.endswith("toNV12"):
        shapes = [[batch, height, width, 3]]
        if rng.random() < 0.8:
            attributes["single_plane"] = rng.choice(["true", "false", "0", "abc", ""])
        if attributes.get("single_plane") in ("false", "0"):
            outputs = rng.choice([1, 2])
    elif rng.random() < 0.4:
        shapes = [[batch, height * 3 // 2, width, 1]]
    elif type.startswith("NV12"):
        shapes = [[batch, height, width, 1], [batch, height // 2, width // 2, 2]]
    else:
        half = [batch, height // 2, width // 2, 1]
        shapes = [[batch, height, width, 1], half, half]
    texts = [loosened(rng, shape) for shape in shapes]
    place = rng.randrange(len(texts))
    if rng.random() < 0.2:
        texts[place] = near(rng, texts[place])
    if rng.random() < 0.06:
        texts[place] = rng.choice(["", "3", "2,3,4", "2,3,4,5,6", "..."])
    kinds = [rng.choice(["u8", "f32", "f16", "dynamic"])] * len(texts)
    if rng.random() < 0.08:
        kinds[place] = rng.choice(["i32", "boolean", "dynamic", "f32", "string"])
    if rng.random() < 0.03:
        kinds = ["i8"] * len(kinds)
    operands = [Operand(text, kind) for text, kind in zip(texts, kinds, strict=True)]
    if rng.random() < 0.05:
        operands = [*operands, *operands[: rng.choice([1, 1, 2])]]
    return Case(
        type,
        17 if type.endswith("toNV12") else rng.choice([8, 16]),
        operands,
        attributes,
        outputs,
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def shapes(case: Case) -> list[str]:
    """The shapes of the outputs."""
    answer = infer(*write(case))
    return [shape for shape, _ in answer.get("inferred", answer.get("outputs"))]


def picture_case(
    type: str,
    planes: tuple[str, ...],
    attributes: dict[str, str] | None = None,
    outputs: int = 1,
) -> Case:
    opset = 17 if type.endswith("toNV12") else 8
    return Case(
        type,
        opset,
        [Operand(plane, "u8") for plane in planes],
        attributes or {},
        outputs,
    )


@pytest.mark.parametrize(
    ("type", "planes", "shape"),
    [
        ("NV12toRGB", ("1,12,8,1",), "[1,8,8,3]"),
        ("NV12toRGB", ("?,8,8,1", "2,4,4,2"), "[2,8,8,3]"),
        ("NV12toBGR", ("...", "2,4,?,2"), "[2,8,?,3]"),
        ("I420toRGB", ("1,12,8,1",), "[1,8,8,3]"),
        ("I420toBGR", ("1,?,8,1", "1,4,4,1", "1,4,4,1"), "[1,8,8,3]"),
        ("RGBtoNV12", ("1,8,8,3",), "[1,12,8,1]"),
        ("RGBtoNV12", ("1,5..7,8,?",), "[1,8..10,8,1]"),
    ],
)
def test_shape(type: str, planes: tuple[str, ...], shape: str) -> None:
    assert shapes(picture_case(type, planes)) == [shape]


def test_shapes_of_two_planes() -> None:
    case = picture_case("BGRtoNV12", ("1,8,6,3",), {"single_plane": "false"}, 2)
    assert shapes(case) == ["[1,8,6,1]", "[1,4,3,2]"]


@pytest.mark.parametrize(
    ("type", "planes", "message"),
    [
        ("NV12toRGB", ("1,8,8",), "y must have 4 dims, not 3"),
        ("NV12toRGB", ("1,12,8,3",), "y has 3 channels, 1 are expected"),
        (
            "NV12toRGB",
            ("1,10,8,1",),
            "the doubled height is 20, a multiple of 3 is expected",
        ),
        ("NV12toRGB", ("1,12,7,1",), "the width is 7, a multiple of 2 is expected"),
        ("NV12toRGB", ("1,8,8,1", "1,3,4,2"), "dim 1 of the planes differs"),
        (
            "I420toRGB",
            ("1,8,8,1", "1,4,4,1"),
            "I420toRGB-8 takes 1 or 3 inputs, but is given 2",
        ),
        ("RGBtoNV12", ("1,7,8,3",), "the height is 7, a multiple of 2 is expected"),
    ],
)
def test_refusal(type: str, planes: tuple[str, ...], message: str) -> None:
    assert refusal(picture_case(type, planes)) == message


def test_refuses_integers() -> None:
    case = Case("NV12toRGB", 8, [Operand("1,12,8,1", "i32")])
    assert refusal(case).endswith("not i32")
