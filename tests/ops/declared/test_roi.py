"""Pooling of regions beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_answers import refusal, shapes
from declared_oracle import Case, Operand, check, infer, near, write
from window_cases import loosened

TYPES = (
    ("ROIPooling", 2),
    ("ROIPooling", 8),
    ("ROIAlign", 3),
    ("ROIAlign", 9),
    ("ROIAlign", 16),
    ("ROIAlignRotated", 15),
    ("PSROIPooling", 1),
    ("PSROIPooling", 8),
    ("DeformablePSROIPooling", 1),
    ("DeformablePSROIPooling", 8),
)
ODD = ("", "abc", "0", "-1", "-2", "1.5", "5000000000", "1e-45")


def random_attributes(rng: random.Random, type: str, opset: int) -> dict[str, str]:
    if type == "PSROIPooling":
        values = {
            "output_dim": "4",
            "group_size": "2",
            "spatial_bins_x": "1",
            "spatial_bins_y": "3",
        }
        values["mode"] = rng.choice(["average", "bilinear"])
    elif type == "DeformablePSROIPooling":
        values = {
            "output_dim": "4",
            "group_size": "2",
            "trans_std": "0.5",
            "part_size": "7",
        }
        values |= {
            "mode": "bilinear_deformable",
            "spatial_bins_x": "2",
            "spatial_bins_y": "2",
        }
    else:
        # Without a list for output_size OpenVINO crashes.
        values = {"pooled_h": "6", "pooled_w": rng.choice(["6", "7"])}
    values["spatial_scale"] = rng.choice(["0.0625", "1", "0.5"])
    if type.startswith("ROIAlign"):
        values["sampling_ratio"] = "2"
    if type == "ROIAlignRotated":
        values["clockwise_mode"] = rng.choice(["true", "false", "abc"])
    if type == "ROIAlign":
        values["mode"] = rng.choice(["avg", "max", "AVG"])
        if opset >= 9:
            values["aligned_mode"] = rng.choice(
                ["asymmetric", "half_pixel_for_nn", "half_pixel"]
            )
    if type == "ROIPooling":
        values["method"] = rng.choice(["max", "bilinear"])
        if rng.random() < 0.3:
            values[rng.choice(["output_size", "output_roi"])] = rng.choice(
                ["3,4", "5,6", "3", "0,0"]
            )
    for name in list(values):
        if rng.random() < 0.04:
            del values[name]
    if rng.random() < 0.15:
        name = rng.choice(
            [name for name in values if not name.startswith("output_")] or ["mode"]
        )
        values[name] = rng.choice(ODD)
    return values


def random_case(rng: random.Random) -> Case:
    type, opset = rng.choice(TYPES)
    attributes = random_attributes(rng, type, opset)
    channels = {"average": 16, "bilinear": 12}.get(attributes.get("mode", ""), 3)
    count = rng.choice([0, 1, 9])
    box = 4 if type == "ROIAlign" else 5
    shapes = [loosened(rng, [2, channels, 14, 14]), loosened(rng, [count, box])]
    kinds = [rng.choice(["f32", "f32", "f16", "f64"])] * 2
    if type.startswith("ROIAlign"):
        shapes.append(loosened(rng, [count]))
        kinds.append(rng.choice(["i32", "i64", "u8"]))
    if type.startswith("Deformable") and rng.random() < 0.5:
        shapes.append(loosened(rng, [count, 2, 7, 7]))
        kinds.append("f32")
    place = rng.randrange(len(shapes))
    if rng.random() < 0.1:
        shapes[place] = near(rng, shapes[place])
    if rng.random() < 0.08:
        shapes[place] = rng.choice(
            ["", "3", "2,3", "2,3,4", "2,3,4,5", "2,3,4,5,6", "9,6"]
        )
    if rng.random() < 0.08:
        kinds[place] = rng.choice(["f16", "i32", "boolean", "dynamic", "string"])
    if rng.random() < 0.03:
        kinds = [rng.choice(["i32", "boolean", "dynamic"])] * len(kinds)
    operands = [Operand(shape, kind) for shape, kind in zip(shapes, kinds, strict=True)]
    if rng.random() < 0.03:
        operands = rng.choice([operands[:-1], [*operands, Operand("1"), Operand("1")]])
    return Case(type, opset, operands, attributes)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


POOLED = {
    "pooled_h": "6",
    "pooled_w": "7",
    "sampling_ratio": "2",
    "spatial_scale": "0.5",
}
PSROI = {
    "output_dim": "4",
    "group_size": "2",
    "spatial_scale": "0.5",
    "mode": "average",
}
IMAGE = Operand("2,16,14,14")


@pytest.mark.parametrize(
    ("type", "operands", "attributes", "shape"),
    [
        ("ROIPooling", [IMAGE, Operand("9,5")], POOLED, "[9,16,6,7]"),
        (
            "ROIPooling",
            [IMAGE, Operand("9,5")],
            {"output_roi": "3,4", "spatial_scale": "1"},
            "[9,16,3,4]",
        ),
        (
            "ROIAlign",
            [IMAGE, Operand("?,4"), Operand("9", "i64")],
            POOLED,
            "[9,16,6,7]",
        ),
        (
            "ROIAlignRotated",
            [IMAGE, Operand("9,5"), Operand("...", "i64")],
            POOLED,
            "[9,16,6,7]",
        ),
        ("PSROIPooling", [IMAGE, Operand("1..9,5")], PSROI, "[1..9,4,2,2]"),
        (
            "DeformablePSROIPooling",
            [IMAGE, Operand("...")],
            PSROI | {"mode": "bilinear_deformable"},
            "[?,4,2,2]",
        ),
    ],
)
def test_shape(
    type: str, operands: list[Operand], attributes: dict[str, str], shape: str
) -> None:
    assert shapes(Case(type, 16, operands, attributes)) == [shape]


@pytest.mark.parametrize(
    ("type", "operands", "attributes", "message"),
    [
        (
            "ROIPooling",
            [Operand("2,3,4"), Operand("9,5")],
            POOLED,
            "data must have 4 dims, not 3",
        ),
        (
            "ROIPooling",
            [IMAGE, Operand("9,4")],
            POOLED,
            "a row of rois has 4 numbers, 5 are expected",
        ),
        (
            "ROIPooling",
            [IMAGE, Operand("9,5")],
            POOLED | {"pooled_h": "0"},
            "pooled_h is 0, at least 1 is expected",
        ),
        (
            "ROIPooling",
            [IMAGE, Operand("9,5")],
            POOLED | {"spatial_scale": "-1"},
            "spatial_scale is -1, a number above 0 is expected",
        ),
        (
            "ROIPooling",
            [IMAGE, Operand("9,5")],
            POOLED | {"method": "mean"},
            "method is 'mean', max or bilinear is expected",
        ),
        (
            "ROIPooling",
            [IMAGE, Operand("9,5", "i32")],
            POOLED,
            "rois must be of a floating-point type, not i32",
        ),
        (
            "ROIAlign",
            [IMAGE, Operand("9,4"), Operand("8", "i32")],
            POOLED,
            "there are 9 rois and 8 batch_indices",
        ),
        (
            "ROIAlign",
            [IMAGE, Operand("9,4"), Operand("9", "f32")],
            POOLED,
            "batch_indices must be of an integer type, not f32",
        ),
        (
            "PSROIPooling",
            [Operand("2,15,14,14"), Operand("9,5")],
            PSROI,
            "data has 15 channels, output_dim and mode average need 16",
        ),
        (
            "PSROIPooling",
            [IMAGE, Operand("9,5")],
            PSROI | {"group_size": "0"},
            "group_size is 0, at least 1 is expected",
        ),
        (
            "DeformablePSROIPooling",
            [IMAGE, Operand("9,5")],
            PSROI | {"output_dim": "-1"},
            "output_dim is -1, at least 1 is expected",
        ),
    ],
)
def test_refusal(
    type: str, operands: list[Operand], attributes: dict[str, str], message: str
) -> None:
    assert refusal(Case(type, 16, operands, attributes)) == message


@pytest.mark.parametrize(
    ("data", "sizes", "stage"),
    [
        ("1,8,9,9", ("2", "-1"), "compile"),
        ("1,8,9,9", ("-1", "2"), "compile"),
        ("1,8,9,9", ("2", "-2"), None),
        ("?,8,9,9", ("2", "-1"), None),
    ],
)
def test_any_number_of_bins(
    data: str, sizes: tuple[str, str], stage: str | None
) -> None:
    attributes = {"method": "max", "spatial_scale": "1"}
    attributes |= dict(zip(("pooled_h", "pooled_w"), sizes, strict=True))
    case = Case("ROIPooling", 2, [Operand(data), Operand("5,5")], attributes)
    assert infer(*write(case)).get("stage") == stage
