"""Random nodes of the family, for the differential tests."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import ml_dtypes
import numpy

Case = dict[str, Any]
"""What ``onnx_child`` takes: type, opset, dims of data and indices, their types, attributes."""

OPSETS = {
    "Gather": [1, 9, 11, 12, 13, 21],
    "GatherElements": [11, 12, 13, 21],
    "GatherND": [11, 12, 13, 21],
}
NAMES = ["a", "b", "c", None]


def attribute(kind: str, opset: int) -> str | None:
    """The attribute that the type has in an opset."""
    if kind == "GatherND":
        return "batch_dims" if opset >= 12 else None
    return "axis"


def inference_case(rng: Random) -> Case:
    """A node whose inputs' dims are known, named, or not known; mostly one that is right."""
    kind = rng.choice(sorted(OPSETS))
    opset = rng.choice(OPSETS[kind])
    data, indices = _dims(rng, 1), _dims(rng, 1 if kind == "GatherND" else 0)
    if kind != "Gather" and data and indices is not None and rng.random() < 0.85:
        indices = _fitting(rng, kind, data, indices)
    case = {
        "type": kind,
        "opset": opset,
        "data": data,
        "indices": indices,
        "attributes": {},
    }
    named = attribute(kind, opset)
    if named and rng.random() < 0.6:
        rank = len(data or indices or [0])
        off = rng.random() < 0.25
        low, high = (-1, 2) if named == "batch_dims" else (-rank - off, rank - 1 + off)
        case["attributes"] = {
            named: rng.randint(low if named == "axis" or off else 0, high)
        }
    return {**case, "data_type": "float", "indices_type": "int64"}


def _dims(rng: Random, least: int) -> list[Any] | None:
    if rng.random() < 0.08:
        return None
    count = rng.randint(least if rng.random() < 0.95 else 0, 4)
    return [
        rng.randint(0, 4) if rng.random() < 0.6 else rng.choice(NAMES)
        for _ in range(count)
    ]


def _fitting(rng: Random, kind: str, data: list[Any], indices: list[Any]) -> list[Any]:
    """Indices that can well go with data: dims of it, or no larger ones."""
    if kind == "GatherND":
        front = rng.randint(0, min(2, len(data), max(0, len(indices) - 1)))
        return [*data[:front], *indices[front:-1], rng.choice([1, 1, 1, 2, 0, None])]
    made = [
        rng.randint(0, dim) if isinstance(dim, int) and rng.random() < 0.4 else dim
        for dim in data
    ]
    return [rng.choice([1, *NAMES]) if rng.random() < 0.2 else dim for dim in made]


DTYPES = {
    "float": "f4",
    "double": "f8",
    "float16": "f2",
    "bool": "?",
    "string": "O",
    **{
        f"{sign}int{bits}": f"{sign or 'i'}{bits // 8}"
        for sign in ("", "u")
        for bits in (8, 16, 32, 64)
    },
}
"""The types of data that ONNX Runtime takes, bfloat16 apart."""


def execution_case(rng: Random) -> Case:
    """A node with arrays for it, mostly right, whose model leaves all dims open; ``arrays`` are data and indices."""
    kind = rng.choice(sorted(OPSETS))
    opset = rng.choice(OPSETS[kind])
    data_type = rng.choice([*DTYPES, "bfloat16"] if opset >= 13 else [*DTYPES])
    dims = [rng.choice([0, 1, 2, 3, 3, 4, 5]) for _ in range(rng.randint(1, 4))]
    case = {
        "type": kind,
        "opset": opset,
        "data_type": data_type,
        "indices_type": "int64",
        "attributes": {},
    }
    if kind == "GatherND":
        batch = (
            rng.randint(0, len(dims) - 1) if opset >= 12 and rng.random() < 0.5 else 0
        )
        case["attributes"] = {"batch_dims": batch} if batch else {}
        length = rng.randint(1, len(dims) - batch)
        shape = [
            *_off(rng, dims[:batch]),
            *[rng.randint(0, 3) for _ in range(rng.randint(0, 2))],
            length,
        ]
        ranges = dims[batch : batch + length]
        case["indices"] = [None] * (len(shape) - 1) + [length]
    else:
        axis = rng.randrange(-len(dims), len(dims))
        case["attributes"] = {"axis": axis} if axis or rng.random() < 0.5 else {}
        case["indices_type"] = rng.choice(["int32", "int64"])
        shape = (
            [rng.randint(0, 3) for _ in range(rng.randint(0, 3))]
            if kind == "Gather"
            else _off(rng, dims)
        )
        if kind == "GatherElements":
            shape = [
                rng.randint(0, dim) if rng.random() < 0.3 else dim for dim in shape
            ]
            shape[axis] = rng.randint(0, 6)
        ranges = [dims[axis]]
        case["indices"] = [None] * len(shape)
    case["data"] = [None] * len(dims)
    case["arrays"] = (
        _data(rng, dims, data_type),
        _indices(rng, shape, ranges, case["indices_type"]),
    )
    return case


def _off(rng: Random, dims: list[int]) -> list[int]:
    """The same, seldom one of them a little off."""
    made = list(dims)
    if made and rng.random() < 0.1:
        made[rng.randrange(len(made))] += rng.choice([-1, 1, 2])
    return [max(0, dim) for dim in made]


def _data(rng: Random, dims: list[int], data_type: str) -> numpy.ndarray:
    count = math.prod(dims)
    if data_type == "string":
        words = [
            rng.choice(["", "a", "bé", "long " * 9]) + str(place)
            for place in range(count)
        ]
        return numpy.array(words, dtype=object).reshape(dims)
    if data_type == "bool":
        return numpy.array(
            [rng.random() < 0.5 for _ in range(count)], dtype=bool
        ).reshape(dims)
    # Any bits: NaNs with a payload, subnormal numbers, -0.0.
    dtype = ml_dtypes.bfloat16 if data_type == "bfloat16" else DTYPES[data_type]
    return numpy.frombuffer(
        rng.randbytes(count * numpy.dtype(dtype).itemsize), dtype
    ).reshape(dims)


def _indices(
    rng: Random, shape: list[int], ranges: list[int], indices_type: str
) -> numpy.ndarray:
    """Of the last dim each item has its own range; most are inside of it."""
    outside = rng.random() < 0.15
    low = [rng.choice([0, -size]) for size in ranges]
    made = [
        rng.randint(start - outside, max(start, size - 1 + outside))
        for _ in range(math.prod(shape) // len(ranges))
        for start, size in zip(low, ranges, strict=True)
    ]
    if outside and made and indices_type == "int64" and rng.random() < 0.3:
        made[rng.randrange(len(made))] += rng.choice([1 << 32, -(1 << 32), 1 << 62])
    return numpy.array(made, dtype=indices_type).reshape(shape)
