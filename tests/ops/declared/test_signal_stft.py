"""Short-time Fourier transforms beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import (
    Case,
    Operand,
    check,
    infer,
    integers,
    random_dim,
    random_shape,
    scalar,
    write,
)

FLAGS = ("true", "false", "1", "", "odd")


def random_case(rng: random.Random) -> Case:
    kind = (
        rng.choice(["f32", "f32", "f16", "dynamic"])
        if rng.random() < 0.95
        else rng.choice(["i32", "boolean"])
    )
    size = rng.choice([4, 5, 8])
    frames = [
        random_window(rng, size, kind),
        random_number(rng, size),
        random_number(rng, rng.choice([1, 2, 3, 4])),
    ]
    if rng.random() < 0.06:
        frames[0] = frames[0]._replace(type=rng.choice(["f16", "dynamic", "i8"]))
    if rng.random() < 0.5:
        signal = rng.choice(["8", "9", "20", "16", "?", "4..20", "9..", "..12"])
        shape = rng.choice(
            [signal, f"{random_dim(rng)},{signal}", f"{random_dim(rng)},{signal}"]
        )
        if rng.random() < 0.05:
            shape = random_shape(rng)
        attributes = {"transpose_frames": rng.choice(FLAGS)}
        inputs = [Operand(shape, kind), *frames]
        if rng.random() < 0.04:
            inputs = rng.choice([inputs[:3], [*inputs, scalar(1)]])
        return Case(
            "STFT",
            rng.choice([15, 16]),
            inputs,
            attributes if rng.random() < 0.9 else {},
        )
    samples = rng.choice(["?", "1..8", *[str(size // 2 + 1)] * 6, "4"])
    dims = [
        samples,
        rng.choice(["1", "6", "?", "2..5", "..4", "3..", "0"]),
        rng.choice(["2", "2", "?"]),
    ]
    if rng.random() < 0.5:
        dims.insert(0, random_dim(rng))
    attributes = {
        name: rng.choice(FLAGS)
        for name in ("center", "normalized")
        if rng.random() < 0.9
    }
    inputs = [
        Operand(",".join(dims) if rng.random() < 0.95 else random_shape(rng), kind),
        *frames,
    ]
    if rng.random() < 0.4:
        inputs.append(random_length(rng))
    if rng.random() < 0.04:
        inputs = rng.choice([inputs[:3], [*inputs, scalar(1), scalar(1)]])
    return Case("ISTFT", 16, inputs, attributes)


def random_window(rng: random.Random, size: int, kind: str) -> Operand:
    window = (
        str(rng.randint(1, size))
        if rng.random() < 0.85
        else rng.choice(["?", "9", "0", "...", "", "2,2", "1..9"])
    )
    return Operand(window, kind)


def random_number(rng: random.Random, usual: int) -> Operand:
    kind = rng.choice(["i64", "i32"])
    draw = rng.random()
    if draw < 0.8:
        return scalar(usual, kind)
    if draw < 0.86:
        return scalar(rng.choice([0, -1, 20, 9, 1]), kind)
    if draw < 0.9:
        return rng.choice(
            [integers(usual, type=kind), scalar(usual, "u8"), scalar(usual, "f32")]
        )
    return Operand(rng.choice(["", "", "", "...", "1", "?"]), kind)


def random_length(rng: random.Random) -> Operand:
    kind = rng.choice(["i64", "i32"])
    draw = rng.random()
    if draw < 0.6:
        return rng.choice(
            [scalar(rng.randint(0, 30), kind), integers(rng.randint(0, 30), type=kind)]
        )
    if draw < 0.7:
        return rng.choice(
            [
                scalar(-1, kind),
                scalar(-2, kind),
                integers(1, 2),
                integers(),
                scalar(1, "u8"),
            ]
        )
    return Operand(rng.choice(["", "1", "?", "...", "2", "1,1", "0", "1..3"]), kind)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def answer(
    type: str,
    shape: str,
    window: str,
    size: Operand,
    step: Operand,
    *rest: Operand,
    **attributes: str,
) -> str:
    operands = [Operand(shape), Operand(window), size, step, *rest]
    result = infer(*write(Case(type, 16, operands, attributes)))
    return str(result.get("error") or result["outputs"][0][0])


def test_shapes_of_stft() -> None:
    assert answer("STFT", "3,48", "16", scalar(16), scalar(16)) == "[3,3,9,2]"
    assert (
        answer("STFT", "3,48", "16", scalar(16), scalar(16), transpose_frames="true")
        == "[3,9,3,2]"
    )
    assert answer("STFT", "48", "16", scalar(16), scalar(16)) == "[3,9,2]"
    assert answer("STFT", "?,32..48", "16", scalar(16), scalar(16)) == "[?,2..3,9,2]"
    assert answer("STFT", "3,48", "16", Operand("", "i64"), scalar(16)) == "[3,?,?,2]"


def test_shapes_of_istft() -> None:
    assert answer("ISTFT", "2,9,3,2", "16", scalar(16), scalar(16)) == "[2,48]"
    assert (
        answer("ISTFT", "9,3,2", "16", scalar(16), scalar(16), center="true") == "[32]"
    )
    assert (
        answer("ISTFT", "9,3,2", "16", scalar(16), scalar(16), integers(40)) == "[40]"
    )
    assert answer("ISTFT", "9,3,2", "16", scalar(16), Operand("", "i64")) == "[?]"


def test_refusals() -> None:
    assert answer("STFT", "1,2,48", "16", scalar(16), scalar(16)).startswith(
        "signal has rank 3, but must have rank 1 or 2"
    )
    assert answer("ISTFT", "8,3,2", "16", scalar(16), scalar(16)).startswith(
        "data has 8 samples of each frame, frame_size 16 gives 9"
    )
    assert answer("STFT", "3,8", "16", scalar(16), scalar(16)).startswith(
        "frame_size 16 is out of range [1, 8]"
    )
    assert answer("STFT", "3,48", "17", scalar(16), scalar(16)).startswith(
        "window has 17 elements, but must have 1 to 16"
    )
    assert answer("STFT", "3,48", "16", scalar(16), scalar(0)).startswith(
        "frame_step is 0, but must be positive"
    )
    assert answer("ISTFT", "9,3", "16", scalar(16), scalar(16)).startswith(
        "data has rank 2, but must have rank 3 or 4"
    )
    assert answer("ISTFT", "9,3,2", "16", scalar(0), scalar(16)).startswith(
        "frame_size is 0, but must be positive"
    )
    assert answer(
        "ISTFT", "9,3,2", "16", scalar(16), scalar(16), integers(1, 2)
    ).startswith("signal_length has shape [2], but must have one element")
