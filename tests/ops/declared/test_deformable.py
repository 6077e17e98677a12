"""Convolutions with offsets beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_answers import refusal, shapes
from declared_oracle import Case, Operand, check, near
from window_cases import loosened, random_list, random_type, window_attributes


def random_case(rng: random.Random) -> Case:
    opset = rng.choice([1, 8, 16])
    group, offset_group = rng.choice([1, 1, 2]), rng.choice([1, 1, 2])
    batch, channels, outputs = (
        rng.choice([1, 2]),
        rng.choice([1, 2, 3]),
        rng.choice([1, 2]),
    )
    kernel = [rng.choice([1, 2, 3]) for _ in range(2)]
    strides = [rng.choice([1, 2]) for _ in range(2)]
    dilations = [rng.choice([1, 1, 2]) for _ in range(2)]
    begins, ends = ([rng.choice([0, 0, 1]) for _ in range(2)] for _ in range(2))
    lengths = [rng.choice([7, 8, 11, 16]) for _ in range(2)]
    mode = rng.choice(["explicit", "explicit", "valid", "same_upper"])
    spatial = []
    for place in range(2):
        pads = begins[place] + ends[place] if mode == "explicit" else 0
        rest = lengths[place] + pads - dilations[place] * (kernel[place] - 1) - 1
        spatial.append(
            -(-lengths[place] // strides[place])
            if mode == "same_upper"
            else rest // strides[place] + 1
        )
    area = kernel[0] * kernel[1] * offset_group
    shapes = [[batch, channels * group, *lengths], [batch, 2 * area, *spatial]]
    shapes += [[outputs * group, channels, *kernel], [batch, area, *spatial]]
    texts = [loosened(rng, shape, 0.2) for shape in shapes]
    if rng.random() < 0.15:
        place = rng.randrange(4)
        texts[place] = near(rng, texts[place])
    if rng.random() < 0.04:
        texts[rng.randrange(4)] = rng.choice(["", "3", "2,3", "2,3,4", "2,3,4,5,6"])
    if rng.random() < 0.04:
        texts = [rng.choice(["...", text]) for text in texts]
    operands = [
        Operand(text, type) for text, type in zip(texts, random_type(rng), strict=True)
    ]
    operands = operands[: 3 if opset == 1 or rng.random() < 0.4 else 4]
    if rng.random() < 0.03:
        operands = rng.choice([operands[:2], [*operands, Operand("1"), Operand("1")]])
    lists = {
        "strides": strides,
        "dilations": dilations,
        "pads_begin": begins,
        "pads_end": ends,
    }
    attributes = {name: ",".join(map(str, numbers)) for name, numbers in lists.items()}
    attributes |= {
        "auto_pad": mode,
        "group": str(group),
        "deformable_group": str(offset_group),
    }
    if rng.random() < 0.05:
        attributes |= window_attributes(rng, 2)
    if rng.random() < 0.03:
        attributes["strides"] = random_list(rng, 3, [1, 2])
    if rng.random() < 0.06:
        name = rng.choice(["group", "deformable_group"])
        attributes[name] = rng.choice(["0", "-1", "3", "abc", "", "1.5"])
    if rng.random() < 0.06:
        del attributes[rng.choice(list(attributes))]
    if rng.random() < 0.1:
        attributes["bilinear_interpolation_pad"] = rng.choice(["true", "false", "abc"])
    return Case("DeformableConvolution", opset, operands, attributes)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


SETTINGS = {
    "strides": "1,1",
    "pads_begin": "0,0",
    "pads_end": "0,0",
    "dilations": "1,1",
}
SETTINGS |= {"group": "1", "deformable_group": "1"}


def offsets_case(texts: tuple[str, ...], attributes: dict[str, str]) -> Case:
    return Case(
        "DeformableConvolution",
        8,
        [Operand(text) for text in texts],
        SETTINGS | attributes,
    )


@pytest.mark.parametrize(
    ("texts", "shape"),
    [
        (("1,3,8,8", "1,18,6,6", "2,3,3,3"), "[1,2,6,6]"),
        (("?,3,8,?", "1,18,6,6", "2,3,3,3", "1,9,6,6"), "[1,2,6,1..]"),
        (("...", "...", "..."), "[...]"),
        (("...", "...", "2,3,3,3"), "[?,2,1..,1..]"),
    ],
)
def test_shape(texts: tuple[str, ...], shape: str) -> None:
    assert shapes(offsets_case(texts, {})) == [shape]


@pytest.mark.parametrize(
    ("texts", "attributes", "message"),
    [
        (("1,3,8", "1,18,6,6", "2,3,3,3"), {}, "data must have 4 dims, not 3"),
        (
            ("1,3,8,8", "1,18,6,6", "2,3,3,3"),
            {"group": "0"},
            "group is 0, at least 1 is expected",
        ),
        (
            ("1,3,8,8", "1,18,6,6", "2,3,3,3"),
            {"group": "2"},
            "dim 1 of data is 3, which is no multiple of group 2",
        ),
        (
            ("1,3,8,8", "1,9,6,6", "2,3,3,3"),
            {},
            "dim 1 of offsets is 9, the filters and deformable_group need 18",
        ),
        (
            ("1,3,8,8", "2,18,6,6", "2,3,3,3"),
            {},
            "the batch of offsets is 2, that of data 1",
        ),
        (
            ("1,3,8,8", "1,18,6,6", "2,2,3,3"),
            {},
            "data has 3 channels, the filters and group are for 2",
        ),
        (
            ("1,3,8,8", "1,18,5,6", "2,3,3,3"),
            {},
            "the spatial dims of offsets are 5,6, the output has 6,6",
        ),
        (
            ("1,3,8,8", "1,18,6,6", "2,3,3,3", "2,9,6,6"),
            {},
            "the batch of mask is 2, that of data 1",
        ),
    ],
)
def test_refusal(
    texts: tuple[str, ...], attributes: dict[str, str], message: str
) -> None:
    assert refusal(offsets_case(texts, attributes)) == message
