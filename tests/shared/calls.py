"""Random calls of the operations, and partial shapes that hold given ones."""

from __future__ import annotations

from random import Random

from ovgather.ops import openvino as ops
from ovgather.tensor.shape import PartialShape

OPERATIONS = {operation.name: operation for operation in ops.OPERATIONS}


def widen(rng: Random, shape: tuple[int, ...]) -> PartialShape:
    """A partial shape that holds ``shape``."""
    if rng.random() < 0.1:
        return PartialShape.of(None)
    dims = []
    for length in shape:
        low, high = rng.randint(0, length), length + rng.randint(0, 3)
        dims.append(
            rng.choice(
                [
                    (length, length),
                    (length, length),
                    (low, high),
                    (low, None),
                    (0, None),
                ]
            )
        )
    return PartialShape.of(dims)


def random_call(
    rng: Random,
) -> tuple[str, tuple[int, ...], tuple[int, ...], int | None, int]:
    """A call that is right: operation, data, indices, axis, batch_dims."""
    name = rng.choice(list(OPERATIONS))
    data = tuple(rng.randint(0, 3) for _ in range(rng.randint(1, 4)))
    axis = rng.randrange(len(data))
    if name == "GatherElements-6":
        indices = (*data[:axis], rng.randint(0, 3), *data[axis + 1 :])
        return name, data, indices, axis - rng.choice([0, len(data)]), 0
    batch = rng.randint(0, axis) if name != "Gather-1" else 0
    rest = tuple(rng.randint(0, 3) for _ in range(rng.randint(0, 2)))
    if name.startswith("GatherND"):
        return (
            name,
            data,
            (*data[:batch], *rest, rng.randint(0, len(data) - batch)),
            None,
            batch,
        )
    indices = data[:batch] + rest
    given_batch = (
        batch - len(indices)
        if batch and batch < len(indices) and rng.random() < 0.5
        else batch
    )
    return name, data, indices, axis - rng.choice([0, len(data)]), given_batch
