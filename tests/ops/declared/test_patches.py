"""ExtractImagePatches and Col2Im beside OpenVINO."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
from declared_oracle import Case, Operand, check, infer, integers, write
from spoiled_cases import opened, spoiled

PAIRS = {"strides": "1,1", "dilations": "1,1", "pads_begin": "0,0", "pads_end": "0,0"}


def random_case(rng: random.Random) -> Case:
    if rng.random() < 0.5:
        return spoiled(rng, _extract(rng))
    # Without them OpenVINO crashes.
    return spoiled(rng, _col2im(rng), kept=tuple(PAIRS))


def _pair(rng: random.Random, least: int, most: int) -> str:
    return f"{rng.randint(least, most)},{rng.randint(least, most)}"


def _extract(rng: random.Random) -> Case:
    lengths = [
        rng.randint(1, 3),
        rng.randint(1, 3),
        rng.randint(0, 12),
        rng.randint(0, 12),
    ]
    attributes = {
        "sizes": _pair(rng, 1, 4),
        "strides": _pair(rng, 1, 4),
        "rates": _pair(rng, *rng.choice([(1, 2), (1, 2), (-3, -1)])),
        "auto_pad": rng.choice(["valid", "same_upper", "same_lower"]),
    }
    data = Operand(opened(rng, lengths), rng.choice(["f32", "i8"]))
    return Case("ExtractImagePatches", rng.choice([3, 13]), [data], attributes)


def _col2im(rng: random.Random) -> Case:
    pairs = [[rng.randint(1, 3) for _ in range(2)] for _ in range(2)]
    strides, dilations = pairs
    pads = [[rng.randint(0, 2) for _ in range(2)] for _ in range(2)]
    kernel = [rng.randint(1, 3) for _ in range(2)]
    sizes = [
        dilation * (size - 1) + rng.randint(1, 5)
        for dilation, size in zip(dilations, kernel, strict=True)
    ]
    blocks = 1
    for place in range(2):
        span = (
            sizes[place]
            + pads[0][place]
            + pads[1][place]
            - dilations[place] * (kernel[place] - 1)
            - 1
        )
        blocks *= span // strides[place] + 1
    lengths = [
        rng.randint(1, 3) * kernel[0] * kernel[1],
        blocks + (rng.random() < 0.03),
    ]
    if rng.random() < 0.5:
        lengths.insert(0, rng.randint(1, 3))
    texts = [",".join(map(str, pair)) for pair in (strides, dilations, *pads)]
    kind = rng.choice(["i32", "i64"])
    inputs = [
        Operand(opened(rng, lengths)),
        integers(*sizes, type=kind),
        integers(*kernel, type=kind),
    ]
    for place in (1, 2):
        if rng.random() < 0.15:
            inputs[place] = Operand(rng.choice(["2", "2", "..."]), kind)
    return Case("Col2Im", 15, inputs, dict(zip(PAIRS, texts, strict=True)))


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


EXTRACTED = {"sizes": "3,3", "strides": "5,5", "rates": "1,1", "auto_pad": "valid"}


@pytest.mark.parametrize(
    ("type", "inputs", "attributes", "expected"),
    [
        ("ExtractImagePatches", [Operand("1,2,9..20,10")], EXTRACTED, "[1,18,2..4,2]"),
        ("ExtractImagePatches", [Operand("...")], EXTRACTED, "[?,?,?,?]"),
        (
            "Col2Im",
            [Operand("3,12,20"), integers(5, 6), integers(2, 2)],
            PAIRS,
            "[3,3,5,6]",
        ),
        (
            "Col2Im",
            [Operand("?,20"), Operand("2", "i64"), integers(2, 2)],
            PAIRS,
            "[?,?,?]",
        ),
    ],
)
def test_shapes(
    type: str, inputs: Sequence[Operand], attributes: Mapping[str, str], expected: str
) -> None:
    assert infer(*write(Case(type, 15, inputs, attributes)))["outputs"] == [
        [expected, "f32"]
    ]


@pytest.mark.parametrize(
    ("type", "inputs", "attributes", "message"),
    [
        (
            "ExtractImagePatches",
            [Operand("1,2,9")],
            EXTRACTED,
            "data has rank 3, 4 is expected",
        ),
        (
            "ExtractImagePatches",
            [Operand("1,2,9,9")],
            {**EXTRACTED, "sizes": "3"},
            "sizes has 1 element, 2 are expected",
        ),
        (
            "ExtractImagePatches",
            [Operand("1,2,9,9")],
            {**EXTRACTED, "rates": "0,1"},
            "rates is 0,1, more than 0 is expected",
        ),
        (
            "Col2Im",
            [Operand("3,12,21"), integers(5, 6), integers(2, 2)],
            PAIRS,
            "data has 21 blocks, 20 are expected",
        ),
        (
            "Col2Im",
            [Operand("3,13,20"), integers(5, 6), integers(2, 2)],
            PAIRS,
            "kernel_size 2,2 makes 4 elements, which do not divide 13",
        ),
        (
            "Col2Im",
            [Operand("3,12,20"), integers(5), integers(2, 2)],
            PAIRS,
            "output_size has shape [1], [2] is expected",
        ),
        (
            "Col2Im",
            [Operand("3,12,20"), Operand("?", "i64"), integers(2, 2)],
            PAIRS,
            "output_size has shape [?], a static one is needed",
        ),
    ],
)
def test_refusals(
    type: str, inputs: Sequence[Operand], attributes: Mapping[str, str], message: str
) -> None:
    assert str(infer(*write(Case(type, 15, inputs, attributes)))["error"]).startswith(
        message
    )


def test_what_openvino_reads_beyond_the_end_of_an_attribute() -> None:
    inputs = [Operand("3,12,20"), integers(5, 6), integers(2, 2)]
    for name in PAIRS:
        attributes = {other: text for other, text in PAIRS.items() if other != name}
        answer = infer(*write(Case("Col2Im", 15, inputs, attributes)))
        assert answer["stage"] == "sometimes"
        message = f"{name} has 0 elements, 2 are read"
        assert str(answer["error"]).startswith(message)
