"""Interpolate and GridSample beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_answers import refusal, shapes
from declared_oracle import Case, Operand, check, integers, near
from window_cases import loosened

SIZE_TYPES = ("i64", "i64", "i32")
SCALES = (2.0, 2.0, 0.5, 1.5, 1.0, 3.0, 0.3, 0.1)
MODES = ("nearest", "linear", "linear_onnx", "cubic", "NEAREST")
COORDINATES = (
    "half_pixel",
    "pytorch_half_pixel",
    "asymmetric",
    "tf_half_pixel_for_nn",
    "align_corners",
)
ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple")


def random_list(
    rng: random.Random, values: list[float], types: tuple[str, ...]
) -> Operand:
    """A list input, mostly a Const."""
    type = rng.choice(types)
    if rng.random() < 0.03:
        type = rng.choice(["i8", "f64", "boolean", "dynamic", "i64", "f32"])
    if type in ("f64", "boolean", "dynamic") or rng.random() < 0.2:
        return Operand(
            rng.choice(
                [str(len(values)), str(len(values)), "?", "...", "", "1..4", "2,2"]
            ),
            type,
        )
    if type == "i8":
        return Operand(str(len(values)), type, [1] * len(values))
    numbers = [
        int(value) if type[0] == "i" and abs(value) < 1e9 else value for value in values
    ]
    if type[0] == "i" and not all(isinstance(number, int) for number in numbers):
        numbers = [2] * len(values)
    if type == "f16":
        numbers = [min(number, 9.0) for number in numbers]
    return Operand(str(len(numbers)), type, numbers)


def random_image(rng: random.Random, rank: int) -> Operand:
    shape = loosened(
        rng,
        [rng.choice([1, 2, 3, 7, 10, 30, 100, 0, 999, 33554433]) for _ in range(rank)],
    )
    if rng.random() < 0.06:
        shape = near(rng, shape)
    type = rng.choice(["f32", "f16", "u8", "i64", "f32"])
    if rng.random() < 0.05:
        type = rng.choice(["i16", "boolean", "dynamic", "u64", "bf16", "string"])
    return Operand(shape, type)


def random_settings(rng: random.Random, opset: int, rank: int) -> dict[str, str]:
    modes = (*MODES, "bilinear_pillow", "bicubic_pillow") if opset >= 11 else MODES
    settings = {
        "mode": rng.choice(modes),
        "shape_calculation_mode": rng.choice(["sizes", "scales", "scales"]),
        "coordinate_transformation_mode": rng.choice(COORDINATES),
        "nearest_mode": rng.choice(ROUNDINGS),
        "antialias": rng.choice(["true", "false"]),
        "cube_coeff": rng.choice(["-0.75", "1"]),
    }
    if rng.random() < 0.6:
        for name in ("pads_begin", "pads_end"):
            settings[name] = ",".join(
                rng.choice("0001") for _ in range(rng.choice([rank, rank, 1, rank + 2]))
            )
    if rng.random() < 0.04:
        settings["pads_begin"] = rng.choice(["-1", "-2,1", "abc", "1.5", "", "0,-9"])
    for name in list(settings):
        if rng.random() < 0.1:
            del settings[name]
    if settings and rng.random() < 0.06:
        settings[rng.choice(list(settings))] = rng.choice(
            ["", "abc", "bilinear_pillow"]
        )
    return settings


def interpolate_case(rng: random.Random, opset: int) -> Case:
    rank = rng.choice([2, 3, 4, 4, 5])
    axes = rng.sample(range(rank), rng.randint(1, rank))
    settings = random_settings(rng, opset, rank)
    has_axes = rng.random() < 0.75
    count = len(axes) if has_axes else rank
    if rng.random() < 0.05:
        count += rng.choice([-1, 1])
    sizes = [float(rng.choice([0, 1, 5, 64, 224])) for _ in range(count)]
    scales = [rng.choice(SCALES) for _ in range(count)]
    if rng.random() < 0.05 and count:
        sizes[0], scales[0] = rng.choice(
            [(-1.0, -1.0), (-2.0, -0.3), (3.0, 3e30), (2.0, float("nan"))]
        )
    if rng.random() < 0.05:
        axes[0] = rng.choice([-1, rank, 7, -9])
    operands = [random_image(rng, rank)]
    is_scaled = settings.get("shape_calculation_mode") == "scales"
    if opset < 11:
        operands += [
            random_list(rng, sizes, SIZE_TYPES),
            random_list(rng, scales, ("f32", "f32", "f16")),
        ]
    elif is_scaled:
        operands.append(random_list(rng, scales, ("f32", "f32", "f16")))
    else:
        operands.append(random_list(rng, sizes, SIZE_TYPES))
    if has_axes:
        operands.append(random_list(rng, [float(axis) for axis in axes], SIZE_TYPES))
    if rng.random() < 0.03:
        operands = rng.choice(
            [
                operands[:1],
                operands[:-1],
                [*operands, Operand("1", "i64"), Operand("1", "i64")],
            ]
        )
    return Case("Interpolate", opset, operands, settings)


def first_interpolate_case(rng: random.Random) -> Case:
    rank = rng.choice([2, 3, 4, 4])
    axes = sorted(rng.sample(range(rank), rng.randint(1, rank)))
    attributes = {
        "axes": ",".join(map(str, axes)),
        "mode": rng.choice(["nearest", "linear", "cubic", "area", "abc"]),
    }
    if rng.random() < 0.1:
        attributes["axes"] = rng.choice(["", "-1", "9", "abc", "0,0"])
    if rng.random() < 0.1:
        del attributes[rng.choice(["axes", "mode"])]
    if rng.random() < 0.3:
        attributes |= {
            "align_corners": rng.choice(["true", "abc"]),
            "pads_begin": rng.choice(["0,0", "1", "abc", ""]),
        }
    # Fewer sizes than axes: OpenVINO reads what lies behind them.
    sizes = [float(rng.choice([0, 1, 5, 64, 224, -1])) for _ in range(rank)]
    operands = [random_image(rng, rank), random_list(rng, sizes, SIZE_TYPES)]
    if rng.random() < 0.03:
        operands = rng.choice([operands[:1], [*operands, Operand("1", "i64")]])
    return Case("Interpolate", rng.choice([1, 3]), operands, attributes)


def grid_case(rng: random.Random) -> Case:
    batch = rng.choice([0, 1, 2])
    shapes = [loosened(rng, [batch, 3, 7, 7]), loosened(rng, [batch, 5, 6, 2])]
    place = rng.randrange(2)
    if rng.random() < 0.15:
        shapes[place] = near(rng, shapes[place])
    if rng.random() < 0.06:
        shapes[place] = rng.choice(["", "3", "2,3,4", "2,3,4,5,6"])
    types = [
        rng.choice(["f32", "i8", "boolean", "dynamic"]),
        rng.choice(["f32", "f16", "f64"]),
    ]
    if rng.random() < 0.08:
        types[1] = rng.choice(["i32", "dynamic", "boolean"])
    operands = [Operand(shape, type) for shape, type in zip(shapes, types, strict=True)]
    if rng.random() < 0.03:
        operands = rng.choice([operands[:1], [*operands, Operand("1")]])
    attributes = {
        "align_corners": rng.choice(["true", "abc"]),
        "mode": rng.choice(["bilinear", "bicubic", "nearest"]),
    }
    attributes["padding_mode"] = rng.choice(["zeros", "border", "reflection"])
    if rng.random() < 0.1:
        attributes[rng.choice(["mode", "padding_mode"])] = rng.choice(["", "abc"])
    if rng.random() < 0.1:
        del attributes[rng.choice(["mode", "padding_mode"])]
    return Case("GridSample", rng.choice([9, 16]), operands, attributes)


def random_case(rng: random.Random) -> Case:
    opset = rng.choice([1, 3, 4, 4, 8, 9, 11, 11, 16])
    if opset < 4:
        return first_interpolate_case(rng)
    return grid_case(rng) if opset == 9 else interpolate_case(rng, opset)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


SCALED = {"mode": "nearest", "shape_calculation_mode": "scales"}
SIZED = {"mode": "nearest", "shape_calculation_mode": "sizes"}
IMAGE = Operand("1,2,7,9")
LAST_AXES = integers(2, 3)


@pytest.mark.parametrize(
    ("opset", "operands", "attributes", "shape"),
    [
        (11, [IMAGE, integers(5, 6), LAST_AXES], SIZED, "[1,2,5,6]"),
        (11, [IMAGE, integers(1, 2, 5, 6)], SIZED, "[1,2,5,6]"),
        (11, [IMAGE, Operand("2", "i64"), LAST_AXES], SIZED, "[1,2,?,?]"),
        (11, [IMAGE, integers(5, 6), Operand("2", "i64")], SIZED, "[?,?,?,?]"),
        (11, [IMAGE, Operand("2", "f32", [2, 0.5]), LAST_AXES], SCALED, "[1,2,14,4]"),
        (
            11,
            [Operand("1,2,?,3..9"), Operand("2", "f32", [2, 0.5]), LAST_AXES],
            SCALED,
            "[1,2,?,1..4]",
        ),
        (
            11,
            [Operand("1,2,33554433"), Operand("1", "f32", [3]), integers(2)],
            SCALED,
            "[1,2,100663328]",
        ),
        (
            11,
            [IMAGE, Operand("1", "f32", [2]), integers(2)],
            SCALED | {"pads_begin": "1,0,1"},
            "[2,2,16,9]",
        ),
        (4, [IMAGE, integers(5, 6), Operand("2"), LAST_AXES], SIZED, "[1,2,5,6]"),
        (
            4,
            [IMAGE, Operand("2", "i64"), Operand("2", "f32", [2, 3]), LAST_AXES],
            SCALED,
            "[1,2,14,27]",
        ),
        (1, [IMAGE, integers(5, 6)], {"axes": "3,2", "mode": "cubic"}, "[1,2,5,6]"),
    ],
)
def test_shape(
    opset: int, operands: list[Operand], attributes: dict[str, str], shape: str
) -> None:
    assert shapes(Case("Interpolate", opset, operands, attributes)) == [shape]


@pytest.mark.parametrize(
    ("opset", "operands", "attributes", "message"),
    [
        (
            11,
            [Operand("1,2", "u16"), integers(5, 6)],
            SIZED,
            "data must be bf16, f16, f32, f64, i32, i64, i8 or u8, not u16",
        ),
        (
            11,
            [IMAGE, Operand("2"), LAST_AXES],
            SIZED,
            "scales_or_sizes must be i32, i64, u32 or u64, not f32",
        ),
        (
            11,
            [IMAGE, integers(5, 6), integers(2, 4)],
            SIZED,
            "axes has 4, which is out of range [0, 3]",
        ),
        (
            11,
            [IMAGE, integers(5), LAST_AXES],
            SIZED,
            "scales_or_sizes has 1 items, there are 2 axes",
        ),
        (
            11,
            [IMAGE, Operand("1,2", "i64"), LAST_AXES],
            SIZED,
            "scales_or_sizes must have 1 dim, not 2",
        ),
        (
            11,
            [IMAGE, integers(5, 6), LAST_AXES],
            SIZED | {"pads_end": "-1"},
            "pads_end is '-1', which is not a list of integers of at least 0",
        ),
        (
            1,
            [IMAGE, integers(5, 6)],
            {"axes": "-1,2"},
            "axes has -1, which is out of range [0, 3]",
        ),
        (
            1,
            [IMAGE, Operand("2")],
            {"axes": "2,3"},
            "target_spatial_shape must be of an integer type, not f32",
        ),
    ],
)
def test_refusal(
    opset: int, operands: list[Operand], attributes: dict[str, str], message: str
) -> None:
    assert refusal(Case("Interpolate", opset, operands, attributes)) == message


def test_grid() -> None:
    assert shapes(Case("GridSample", 9, [Operand("?,3,7,7"), Operand("2,5,?,2")])) == [
        "[2,3,5,?]"
    ]
    assert shapes(Case("GridSample", 9, [Operand("2,3,7,7"), Operand("...")])) == [
        "[2,3,?,?]"
    ]


@pytest.mark.parametrize(
    ("data", "grid", "message"),
    [
        ("2,3,7", "2,5,6,2", "data must have 4 dims, not 3"),
        ("2,3,7,7", "2,5,6,3", "the last dim of grid is 3, 2 is expected"),
        ("2,3,7,7", "1,5,6,2", "the batch of grid is 1, that of data 2"),
    ],
)
def test_refusal_of_a_grid(data: str, grid: str, message: str) -> None:
    assert refusal(Case("GridSample", 9, [Operand(data), Operand(grid)])) == message
