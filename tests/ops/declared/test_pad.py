"""Pad beside OpenVINO."""

from __future__ import annotations

import random
from typing import Any

import pytest
from declared_oracle import (
    Case,
    Operand,
    Oracle,
    check,
    infer,
    integers,
    random_shape,
    scalar,
    write,
)

MODES = ("constant", "edge", "reflect", "symmetric")


def random_case(rng: random.Random) -> Case:
    if rng.random() < 0.15:
        return _probe(rng)
    shape = random_shape(rng)
    rank = 2 if shape == "..." else len(shape.split(",")) if shape else 0
    inputs = [
        Operand(shape, rng.choice(["f32", "f32", "i64", "dynamic"])),
        _pads(rng, rank),
        _pads(rng, rank),
    ]
    if rng.random() < 0.6:
        inputs.append(
            Operand(
                rng.choice(["", "", "", "", "", "", "1", "..."]),
                rng.choice([inputs[0].type] * 19 + ["i32"]),
            )
        )
    if rng.random() < 0.03:
        del inputs[rng.randint(1, 3) :]
    attributes = {"pad_mode": rng.choice([*MODES * 8, "Constant", "odd", ""])}
    if rng.random() < 0.05:
        attributes = {}
    return Case("Pad", rng.choice([1, 8, 12, 16]), inputs, attributes)


def _pads(rng: random.Random, rank: int) -> Operand:
    if rng.random() < 0.1:
        return Operand(
            rng.choice(["?", str(rank), "1", f"{rank},1", "", "..."]),
            rng.choice(["i64", "i64", "i32", "f32"]),
        )
    rank = max(0, rng.choice([rank] * 40 + [rank + 1, rank - 1]))
    values = [rng.choice([0, 0, 0, 1, 1, 1, 2, 3, -1, -3]) for _ in range(rank)]
    return integers(*values, type=rng.choice(["i64", "i64", "i32"]))


def _probe(rng: random.Random) -> Case:
    data = [rng.randint(1, 5) for _ in range(rng.randint(1, 4))]
    pads = [integers(rng.choice([0, 1, 1, 2, 3, -1])) for _ in range(2)]
    value = [scalar(7)] if rng.random() < 0.7 else []
    inputs = [integers(*data), *pads, *value]
    return Case(
        "Pad", rng.choice([1, 12]), inputs, {"pad_mode": rng.choice(MODES)}, probe=True
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def padded(
    shape: str, begins: list[int], ends: list[int], mode: str = "constant"
) -> dict[str, Any]:
    inputs = [Operand(shape), integers(*begins), integers(*ends)]
    return infer(*write(Case("Pad", 1, inputs, {"pad_mode": mode})))


@pytest.mark.parametrize(
    ("shape", "begins", "ends", "expected"),
    [
        ("2,3", [1, 0], [0, 2], "[3,5]"),
        ("?,2..5", [1, -1], [2, -1], "[3..,..3]"),
        ("3", [-3], [0], "[0]"),
        ("...", [1], [1], "[...]"),
    ],
)
def test_shapes(shape: str, begins: list[int], ends: list[int], expected: str) -> None:
    assert padded(shape, begins, ends)["outputs"] == [[expected, "f32"]]


@pytest.mark.parametrize(
    ("shape", "begins", "ends", "mode", "message"),
    [
        ("2,3", [1], [0, 2], "constant", "pads_begin has 1 element, data has rank 2"),
        (
            "0",
            [1],
            [0],
            "edge",
            "pad_mode edge needs a length of at least 1, dim 0 is 0",
        ),
        (
            "3",
            [0],
            [3],
            "reflect",
            "pads_end is 3 for dim 0, pad_mode reflect allows at most 2",
        ),
        (
            "3",
            [4],
            [0],
            "symmetric",
            "pads_begin is 4 for dim 0, pad_mode symmetric allows at most 3",
        ),
        (
            "3",
            [0],
            [0],
            "wrap",
            "pad_mode is 'wrap', which is not one of constant, edge, reflect, symmetric",
        ),
    ],
)
def test_refusals(
    shape: str, begins: list[int], ends: list[int], mode: str, message: str
) -> None:
    assert str(padded(shape, begins, ends, mode)["error"]).startswith(message)


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric"])
def test_strings_take_constants_only(mode: str) -> None:
    case = Case(
        "Pad",
        12,
        [Operand("4", "string"), integers(0), integers(1)],
        {"pad_mode": mode},
    )
    answer = infer(*write(case))
    assert (answer["stage"], answer["error"].split(": ")[0]) == (
        "read",
        f"pad_mode must be constant for strings, not {mode}",
    )


@pytest.mark.runtime
@pytest.mark.parametrize(
    ("shape", "stage"), [("3,4", "compile"), ("3,?", "run"), ("?,4", None)]
)
def test_pads_that_leave_less_than_nothing(shape: str, stage: str | None) -> None:
    """OpenVINO compiles a Pad of a dynamic shape, which fails when it runs."""
    pads = Operand("2", "i64", [-2, 0])
    case = Case("Pad", 12, [Operand(shape), pads, pads], {"pad_mode": "constant"})
    assert infer(*write(case)).get("stage") == stage
    measured = Oracle(compiled=True).ask(*write(case)).get("stage")
    assert measured == ("compile" if stage == "compile" else None)
