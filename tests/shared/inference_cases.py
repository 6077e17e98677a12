"""Random layers: mostly right ones, and some with something wrong."""

from __future__ import annotations

from random import Random
from typing import Any

Case = dict[str, Any]


def inference_case(rng: Random) -> Case:
    """A layer with shapes as text; ``axis`` None: not known."""
    kind, opset = rng.choice(
        [
            ("Gather", "opset1"),
            ("Gather", "opset7"),
            ("Gather", "opset8"),
            ("Gather", "opset8"),
            ("GatherElements", "opset6"),
            ("GatherElements", "opset6"),
            ("GatherND", "opset5"),
            ("GatherND", "opset8"),
        ]
    )
    made = {
        "Gather": _gather,
        "GatherElements": _gather_elements,
        "GatherND": _gather_nd,
    }[kind](rng, opset)
    return {
        "type": kind,
        "opset": opset,
        "axis": None,
        "axis_shape": "[]",
        "batch_dims": 0,
        **made,
    }


def _gather(rng: Random, opset: str) -> Case:
    data = _dims(rng, _rank(rng))
    rank = rng.randint(0, 4)
    room = max(0, min(len(data) - 1, rank))
    batch = rng.randint(0, room) if opset != "opset1" and rng.random() < 0.6 else 0
    indices = [_like(rng, dim) for dim in data[:batch]] + _dims(rng, rank - batch)
    axis: int | None = rng.randint(batch, max(batch, len(data) - 1))
    if rng.random() < 0.4:
        axis -= len(data)
    if batch and rng.random() < 0.4:
        batch -= rank
    if rng.random() < 0.06:
        axis = rng.randint(-6, 6)
    if opset != "opset1" and rng.random() < 0.1:
        batch = rng.randint(-5, 5)
    known = rng.random() < 0.75
    axis_shape = rng.choice(
        [
            "[]",
            "[]",
            "[1]",
            "[1]",
            "[1]",
            rng.choice(["[1,1]", "[2]", "[0]", "[?]", "[...]", "[0..3]"]),
        ]
    )
    if known and ("?" in axis_shape or "." in axis_shape):
        axis_shape = "[]"
    return {
        "data": _text(rng, data),
        "indices": _text(rng, indices),
        "axis": axis if known and axis_shape != "[0]" else None,
        "axis_shape": axis_shape,
        "batch_dims": batch,
    }


def _gather_elements(rng: Random, _: str) -> Case:
    data = _dims(rng, _rank(rng))
    axis = rng.randrange(len(data)) if data else 0
    indices = [
        _dim(rng) if place == axis else _like(rng, dim)
        for place, dim in enumerate(data)
    ]
    if rng.random() < 0.06:
        indices = _dims(rng, rng.randint(0, 4))
    if rng.random() < 0.4:
        axis -= len(data)
    if rng.random() < 0.08:
        axis = rng.randint(-6, 6)
    return {"data": _text(rng, data), "indices": _text(rng, indices), "axis": axis}


def _gather_nd(rng: Random, _: str) -> Case:
    data = _dims(rng, _rank(rng))
    batch = rng.randint(0, max(0, len(data) - 1)) if rng.random() < 0.6 else 0
    length: object = rng.randint(
        0 if rng.random() < 0.1 else 1, max(1, len(data) - batch)
    )
    if rng.random() < 0.15:
        length = rng.choice(["?", "1..2", "2..9", "6..9", "5"])
    indices = (
        [_like(rng, dim) for dim in data[:batch]]
        + _dims(rng, rng.randint(0, 2))
        + [str(length)]
    )
    if rng.random() < 0.06:
        indices = _dims(rng, rng.randint(0, 3))
    if rng.random() < 0.08:
        batch = rng.randint(-1, 4)
    return {
        "data": _text(rng, data),
        "indices": _text(rng, indices),
        "batch_dims": batch,
    }


def _rank(rng: Random) -> int:
    return (
        rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5])
        if rng.random() < 0.5
        else rng.randint(1, 4)
    )


def _dims(rng: Random, rank: int) -> list[str]:
    return [_dim(rng) for _ in range(rank)]


def _dim(rng: Random) -> str:
    chance = rng.random()
    if chance < 0.6:
        return str(rng.choice([0, 1, 2, 3, 4, 5, 7, 300]))
    if chance < 0.75:
        return "?"
    low = rng.randint(0, 5)
    return rng.choice(
        [f"{low}..{low + rng.randint(1, 6)}", f"..{low + 1}", f"{low + 1}.."]
    )


def _like(rng: Random, dim: str) -> str:
    """A dim that goes with ``dim`` in most cases."""
    chance = rng.random()
    if chance < 0.7:
        return dim
    if chance < 0.85:
        return "?"
    return _dim(rng)


def _text(rng: Random, dims: list[str]) -> str:
    return "[...]" if rng.random() < 0.06 else f"[{','.join(dims)}]"
