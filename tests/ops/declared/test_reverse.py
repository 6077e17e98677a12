"""Reverse, ReverseSequence, Roll and ShuffleChannels beside OpenVINO."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
from declared_oracle import Case, Operand, check, infer, integers, scalar, write
from spoiled_cases import opened, spoiled


def random_case(rng: random.Random) -> Case:
    if rng.random() < 0.15:
        return _probe(rng)
    make = rng.choice([_reverse, _reverse_sequence, _roll, _shuffle_channels])
    return spoiled(rng, make(rng))


def _reverse(rng: random.Random) -> Case:
    lengths = [rng.randint(0, 4) for _ in range(rng.randint(0, 4))]
    data, mode = (
        Operand(opened(rng, lengths)),
        rng.choice(["index", "index", "mask", "Mask"]),
    )
    if mode != "index":
        axes = Operand(opened(rng, [len(lengths)]), "boolean", None)
    else:
        values = [
            rng.randint(-1, max(0, len(lengths) - 1)) for _ in range(rng.randint(0, 3))
        ]
        axes = integers(*values, type=rng.choice(["i64", "i32", "i8"]))
    return Case("Reverse", 1, [data, axes], {"mode": mode})


def _reverse_sequence(rng: random.Random) -> Case:
    lengths = [rng.randint(0, 4) for _ in range(rng.randint(2, 4))]
    batch = rng.randint(-len(lengths), len(lengths) - 1)
    sequence = rng.choice([0, 1, rng.randint(-len(lengths), len(lengths) - 1)])
    inputs = [
        Operand(opened(rng, lengths)),
        Operand(opened(rng, [lengths[batch]]), rng.choice(["i64", "i32", "f32"])),
    ]
    attributes = {"batch_axis": str(batch), "seq_axis": str(sequence)}
    return Case("ReverseSequence", rng.choice([1, 13]), inputs, attributes)


def _roll(rng: random.Random) -> Case:
    lengths = [rng.randint(0, 4) for _ in range(rng.randint(1, 4))]
    axes = [
        rng.randint(-len(lengths), len(lengths) - 1) for _ in range(rng.randint(1, 3))
    ]
    shifts = [rng.randint(-5, 5) for _ in axes]
    shift = rng.choice(
        [
            scalar(shifts[0]),
            integers(*shifts),
            Operand(str(len(axes)), "i32"),
            Operand("?", "i64"),
        ]
    )
    return Case(
        "Roll",
        7,
        [
            Operand(opened(rng, lengths)),
            shift,
            integers(*axes, type=rng.choice(["i32", "i64"])),
        ],
    )


def _shuffle_channels(rng: random.Random) -> Case:
    group = rng.randint(1, 3)
    lengths = [group * rng.randint(0, 3) for _ in range(rng.randint(1, 4))]
    axis = rng.randint(-len(lengths), len(lengths) - 1)
    attributes = {"axis": str(axis), "group": str(group)}
    return Case(
        "ShuffleChannels",
        rng.choice([1, 3]),
        [Operand(opened(rng, lengths))],
        attributes,
    )


def _probe(rng: random.Random) -> Case:
    data = integers(*[rng.randint(0, 5) for _ in range(rng.randint(1, 5))])
    way = rng.choice(["index", "mask", "roll", "rolls"])
    if way == "index":
        return Case(
            "Reverse",
            1,
            [data, integers(*[0] * rng.randint(0, 1))],
            {"mode": "index"},
            probe=True,
        )
    if way == "mask":
        mask = Operand("1", "boolean", [rng.randint(0, 1)])
        return Case("Reverse", 1, [data, mask], {"mode": "mask"}, probe=True)
    shift = rng.randint(-7, 7)
    inputs = (
        [data, scalar(shift), integers(0)]
        if way == "roll"
        else [data, integers(shift, 1), integers(0, -1)]
    )
    return Case("Roll", 7, inputs, probe=True)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


@pytest.mark.parametrize(
    ("type", "inputs", "attributes", "expected"),
    [
        ("Reverse", [Operand("2,?"), integers(1)], {"mode": "index"}, "[2,?]"),
        ("Reverse", [Operand("2,3"), integers(-1)], {"mode": "index"}, "[2,3]"),
        ("ReverseSequence", [Operand("?,4"), Operand("3", "i32")], {}, "[3,4]"),
        ("ShuffleChannels", [Operand("2,6")], {"group": "3"}, "[2,6]"),
    ],
)
def test_shapes(
    type: str, inputs: Sequence[Operand], attributes: Mapping[str, str], expected: str
) -> None:
    assert infer(*write(Case(type, 1, inputs, attributes)))["outputs"] == [
        [expected, "f32"]
    ]


@pytest.mark.parametrize(
    ("type", "inputs", "attributes", "message"),
    [
        ("Reverse", [Operand("2,3"), integers(2)], {}, "axis 2 is out of range [0, 1]"),
        (
            "Reverse",
            [Operand("2,3"), Operand("1")],
            {},
            "reversed_axes must be of an integer type in mode index, not",
        ),
        (
            "Reverse",
            [Operand("2,3"), Operand("3", "boolean")],
            {"mode": "mask"},
            "reversed_axes has 3 elements, data has rank 2",
        ),
        (
            "ReverseSequence",
            [Operand("2"), Operand("2", "i32")],
            {},
            "data has rank 1, at least 2 is expected",
        ),
        (
            "ReverseSequence",
            [Operand("2,3"), Operand("3", "i32")],
            {},
            "seq_lengths has 3 elements, batch dim 0 of data is 2",
        ),
        (
            "ShuffleChannels",
            [Operand("2,6")],
            {"group": "4"},
            "group 4 does not divide dim 1 of data, which is 6",
        ),
        (
            "ShuffleChannels",
            [Operand("2,6")],
            {"group": "0"},
            "group is 0, at least 1 is expected",
        ),
    ],
)
def test_refusals(
    type: str, inputs: Sequence[Operand], attributes: Mapping[str, str], message: str
) -> None:
    assert str(infer(*write(Case(type, 1, inputs, attributes)))["error"]).startswith(
        message
    )


def test_roll_refuses_axes_of_another_number() -> None:
    case = Case("Roll", 7, [Operand("2,3"), integers(1), integers(0, 1)])
    message = "shift has shape [1], axes has [2]; a scalar or equal is expected"
    assert str(infer(*write(case))["error"]).startswith(message)
