"""The least that NumPy needs for a case: what ``ovgather`` could save if all around its passes cost nothing.

::

    python benchmarks/execution.py --json all.json
    python benchmarks/execution_floor.py all.json

- **take**: ``numpy.take`` alone, of positions that were computed before, which nothing checks.
- **passes**: the look at the bounds and the arithmetic, in pieces whose buffers stay in the cache, on one thread; for
  GatherND over strided columns. Indices outside are not looked for.
- **floor**: both, each measured by itself while it is warm, as a part of ovgather's time in the same process.
- **least ratio**: the floor as a part of OpenVINO's time on one thread, by the ratio in the file.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from math import prod
from statistics import geometric_mean
from time import perf_counter
from typing import Any

import numpy
from execution import Results, title
from execution_cases import CASES, Case
from execution_peers import fastest, ovgather
from measure import table

from ovgather.ops.kernels import blocks

_PIECE = 1 << 15
_ROUNDS, _BUDGET = 3, 0.02
Array = numpy.ndarray


def bare_take(case: Case, data: Array, indices: Array) -> Callable[[], Any]:
    """``take`` alone, for the output of the case."""
    shape, out = data.shape, numpy.empty(case.shape, data.dtype)
    parts = (
        [indices[..., place] for place in range(indices.shape[-1])]
        if case.type == "GatherND"
        else [indices]
    )
    positions = [
        numpy.where(part < 0, part + size, part).astype("i8") % size
        for part, size in zip(parts, case.sizes, strict=True)
    ]
    if case.type == "Gather" and not case.batch_dims:
        source, places, axis = data, positions[0], case.axis
        target = out
    else:
        if case.type == "GatherElements":
            sparse = list(numpy.indices(indices.shape, sparse=True))
            sparse[case.axis], keep = positions[0], data.ndim
        elif case.type == "GatherND":
            keep = case.batch_dims + len(positions)
            sparse = [
                *numpy.indices(positions[0].shape, sparse=True)[: case.batch_dims],
                *positions,
            ]
        else:
            keep, batch = case.axis + 1, case.batch_dims
            outer = shape[batch : case.axis]
            grid = numpy.indices(
                (*shape[: case.axis], prod(indices.shape[batch:])), sparse=True
            )
            chosen = positions[0].reshape(*shape[:batch], *[1] * len(outer), -1)
            sparse = [*grid[: case.axis], chosen]
        flat = numpy.ravel_multi_index(
            tuple(numpy.broadcast_arrays(*sparse)), shape[:keep]
        )
        source, places, axis = data.reshape(-1, *shape[keep:]), flat.reshape(-1), 0
        target = out.reshape(-1, *shape[keep:])
    width = data.itemsize * prod(source.shape[axis + 1 :])
    return lambda: source.take(places, axis, target, blocks.mode(width))


def passes(case: Case, indices: Array) -> Callable[[], None]:
    """The look at the bounds and the arithmetic."""
    if case.type == "GatherND":
        return _passes_of_tuples(indices.reshape(-1, indices.shape[-1]))
    flat = indices.reshape(-1)
    unsigned, narrow = flat.view(f"u{flat.itemsize}"), flat.dtype == numpy.int32
    add = case.type == "GatherElements" or bool(case.batch_dims)
    multiply = case.type == "GatherElements" and case.axis + 1 < len(case.data)
    base, made = numpy.zeros(_PIECE, flat.dtype), numpy.zeros(_PIECE, flat.dtype)
    wide = numpy.empty(_PIECE, "i8")

    def run() -> None:
        for piece in _pieces(flat.size):
            some = flat[piece]
            here = slice(0, some.size)
            if case.indices_are == "negative":
                numpy.add(some, 1, out=made[here])
                numpy.minimum(made[here], some, out=made[here])
            unsigned[piece].argmax()
            if multiply:
                numpy.multiply(some, 3, out=made[here])
            if add:
                numpy.add(some, base[here], out=made[here])
            if narrow:
                numpy.copyto(wide[here], made[here])

    return run


def _passes_of_tuples(tuples: Array) -> Callable[[], None]:
    wide = numpy.zeros(_PIECE, "i8")

    def run() -> None:
        for piece in _pieces(len(tuples)):
            for place in range(tuples.shape[1]):
                column = tuples[piece, place]
                numpy.maximum.reduce(column)
                if tuples.shape[1] > 1:
                    numpy.add(column, wide[: len(column)], out=wide[: len(column)])

    return run


def _pieces(count: int) -> Iterator[slice]:
    return (
        slice(start, min(start + _PIECE, count)) for start in range(0, count, _PIECE)
    )


def floor(case: Case) -> tuple[float, float, float]:
    """Seconds of ovgather on one thread, of ``take`` and of the passes: the least of some turns."""
    data, indices = case.arrays()
    calls = [
        ovgather(case, data, indices)["numpy 1"],
        bare_take(case, data, indices),
        passes(case, indices),
    ]
    turns = [
        [fastest(call, _BUDGET, perf_counter) for call in calls] for _ in range(_ROUNDS)
    ]
    whole, take, rest = [min(column) for column in zip(*turns, strict=True)]
    return whole, take, rest


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("results", help="what execution.py --json wrote")
    with open(parser.parse_args().results, encoding="utf-8") as file:
        known = Results(
            [result for result in json.load(file) if result["set"] == "cases"]
        )
    known_ratios = known.ratios("numpy 1", ["openvino 1"])
    rows, ratios, least = [], [], []
    for case in CASES:
        name = title(case)
        if (
            name not in known_ratios or prod(case.indices) > 1 << 24
        ):  # 50M elements: too much to prepare
            continue
        ratio = known_ratios[name]
        whole, take, rest = floor(case)
        part = min(1.0, (take + rest) / whole)
        ratios.append(ratio)
        least.append(ratio * part)
        rows.append(
            [
                name,
                *[
                    f"{number:.2f}"
                    for number in (
                        ratio,
                        take / whole,
                        rest / whole,
                        part,
                        ratio * part,
                    )
                ],
            ]
        )
    print(
        table(
            [
                "part of ovgather's time",
                "ratio",
                "take",
                "passes",
                "floor",
                "least ratio",
            ],
            rows,
        )
    )
    print(
        f"\ngeometric mean of the ratios {geometric_mean(ratios):.2f}, of the least {geometric_mean(least):.2f}"
    )


if __name__ == "__main__":
    main()
