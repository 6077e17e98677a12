"""Random layers that run, with arrays for them: what OpenVINO's CPU plugin can be trusted with."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy

from ovgather.tensor import element_type

Layer = dict[str, Any]
CPU_TYPES = (
    "f32",
    "f16",
    "bf16",
    "i8",
    "u8",
    "i16",
    "u16",
    "i32",
    "u32",
    "boolean",
    "f8e4m3",
    "f8e5m2",
    "f8e8m0",
    "i4",
    "u4",
    "i64",
    "u64",
    "f64",
    "string",
)
CORE_TYPES = (
    "f32",
    "f16",
    "bf16",
    "i8",
    "u8",
    "i32",
    "u32",
    "i64",
    "u64",
    "boolean",
    "string",
)
INDEX_TYPES = ("i8", "u8", "i16", "u16", "i32", "i32", "u32", "i64", "i64", "u64")


def layer(rng: Random, engine: str) -> Layer:
    """A layer without runs; ``batch`` is batch_dims counted from the front."""
    kinds = [
        ("Gather", "opset1"),
        ("Gather", "opset7"),
        ("Gather", "opset8"),
        ("Gather", "opset8"),
    ]
    if engine == "cpu":
        kinds += [("GatherElements", "opset6")] * 4 + [
            ("GatherND", "opset5"),
            ("GatherND", "opset8"),
        ]
    kind, opset = rng.choice(kinds)
    data_rank = rng.randint(1, 5)
    indices_rank = (
        data_rank
        if kind == "GatherElements"
        else rng.randint(int(kind == "GatherND"), 4)
    )
    most = (
        min(data_rank, indices_rank) - 1
        if kind == "GatherND"
        else min(data_rank - 1, indices_rank)
    )
    batch = (
        0
        if opset in ("opset1", "opset6")
        else rng.randint(0, most)
        if rng.random() < 0.8
        else 0
    )
    axis = rng.randint(batch, data_rank - 1)
    narrow = kind == "GatherElements" or engine == "core"
    # The CPU plugin leaves strings to the core, which knows them in Gather only, with these types of indices.
    data_types = [name for name in CPU_TYPES if name != "string" or kind == "Gather"]
    data_type = rng.choice(data_types if engine == "cpu" else CORE_TYPES)
    narrow = narrow or data_type == "string"
    return {
        "engine": engine,
        "type": kind,
        "opset": opset,
        "data_rank": data_rank,
        "indices_rank": indices_rank,
        "data_type": data_type,
        "indices_type": rng.choice(("i32", "i64") if narrow else INDEX_TYPES),
        "axis": axis - (data_rank if rng.random() < 0.4 else 0),
        "batch": batch,
        "batch_dims": batch
        - (indices_rank if kind == "Gather" and batch and rng.random() < 0.4 else 0),
        "tuple_length": rng.randint(1, data_rank - batch),
    }


def run(rng: Random, of: Layer) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Data and indices for one run of a layer."""
    data_dims = [_length(rng) for _ in range(of["data_rank"])]
    axis, batch = of["axis"] % of["data_rank"], of["batch"]
    rest = [_length(rng) for _ in range(of["indices_rank"] - batch)]
    if of["type"] == "GatherElements":
        indices_dims = [*data_dims[:axis], _length(rng), *data_dims[axis + 1 :]]
        indexed = [axis]
    elif of["type"] == "Gather":
        indices_dims, indexed = data_dims[:batch] + rest, [axis]
    else:
        indices_dims = [*data_dims[:batch], *rest[:-1], of["tuple_length"]]
        indexed = list(range(batch, batch + of["tuple_length"]))
    for place in indexed:  # an axis without elements gives uninitialized memory
        data_dims[place] = max(1, data_dims[place])
    if of["type"] == "GatherElements":
        indices = _indices(rng, of, indices_dims, data_dims[axis])
    else:
        parts = [_indices(rng, of, indices_dims, data_dims[place]) for place in indexed]
        indices = (
            parts[0]
            if of["type"] == "Gather"
            else numpy.stack([part[..., 0] for part in parts], axis=-1)
        )
    return _data(rng, of["data_type"], data_dims, of["engine"]), indices


def _length(rng: Random) -> int:
    return 0 if rng.random() < 0.04 else rng.randint(1, 6)


def _indices(rng: Random, of: Layer, dims: list[int], size: int) -> numpy.ndarray:
    known = element_type.find(of["indices_type"])
    assert known is not None
    generator = numpy.random.default_rng(rng.getrandbits(32))
    low, high = -size, size
    if of["engine"] == "cpu" and of["type"] == "Gather" and of["opset"] != "opset8":
        low = 0  # the CPU plugin gives 0 for a negative index of Gather-1 and Gather-7
    if _may_leave(of) and rng.random() < (
        0.1 if of["type"] == "GatherElements" else 0.4
    ):
        low, high = low - (15 if low else 0), high + 15
        if (
            of["engine"] == "core"
            and of["indices_type"] == "i64"
            and rng.random() < 0.5
        ):
            far = generator.integers(-(2**63), 2**63 - 1, dims)
            return numpy.where(
                generator.random(dims) < 0.5, far, generator.integers(low, high, dims)
            )
    if known.kind == "unsigned":
        low = 0
    return generator.integers(low, high, dims, dtype="i8").astype(known.dtype)


def _may_leave(of: Layer) -> bool:
    """Whether an index outside is harmless; of rank-1 data, and with GatherND, the CPU plugin reads there."""
    if of["type"] == "GatherND":
        return False
    return of["engine"] == "core" or of["data_rank"] > 1


def _data(rng: Random, name: str, dims: list[int], engine: str) -> numpy.ndarray:
    known = element_type.find(name)
    assert known is not None
    generator = numpy.random.default_rng(rng.getrandbits(32))
    if name == "string":
        return generator.integers(0, 1000, dims).astype("U4")
    if name == "boolean":
        return generator.integers(0, 2, dims).astype(bool)
    if name == "i64" and engine == "cpu":  # which computes in 32 bits
        return generator.integers(-(2**31), 2**31, dims, dtype="i8")
    if name == "u64" and engine == "cpu":
        return generator.integers(0, 2**31, dims, dtype="u8")
    if name == "f64":  # which the CPU plugin rounds to f32
        return generator.standard_normal(dims, "f4").astype("f8")
    if known.bits < 8:
        low = -(1 << known.bits - 1) if known.kind == "signed" else 0
        return generator.integers(low, low + (1 << known.bits), dims).astype(
            known.dtype
        )
    bits = (
        generator.integers(0, 2**known.bits, dims, dtype="u8", endpoint=False)
        if known.bits < 64
        else None
    )
    if bits is None:
        bits = generator.integers(0, 2**64 - 1, dims, dtype="u8", endpoint=True)
    bits = bits.astype(f"u{known.bits // 8}")
    if name == "f16":  # signalling NaN becomes quiet on the way
        bits = numpy.where(
            ((bits & 0x7C00) == 0x7C00) & ((bits & 0x3FF) != 0), bits | 0x200, bits
        ).astype("u2")
    return bits.view(known.dtype)
