"""Faults in where the data of a batch begin."""

from collections.abc import Iterator

import numpy as np

from ovgather.crosscheck.verdict.fault import Fault
from ovgather.crosscheck.verdict.faults_indices import flat_gather, flat_positions
from ovgather.runtimes.outcome import Evidence


def faults(evidence: Evidence) -> Iterator[Fault]:
    """The faults that show from the second batch on."""
    batch_dims, data = evidence.batch_dims, evidence.data
    batch_dims += evidence.indices.ndim if batch_dims < 0 else 0
    batches = int(np.prod(data.shape[:batch_dims]))
    if not batch_dims or batches < 2 or not evidence.indices.size or evidence.out_of_range.any():
        return
    wrapped = np.where(evidence.indices < 0, evidence.indices + evidence.sizes, evidence.indices).astype("i8")
    flat = flat_positions(evidence, wrapped)
    batch = flat // (data.size // batches)
    inner = int(np.prod(data.shape[batch_dims + 1 :]))
    row = data.size // batches
    changes = [("every batch reads the data of the first batch", -batch * row)]
    for step in dict.fromkeys((1, inner)):
        elements = f"{step} element{'s' * (step > 1)}"
        for sign, side in ((-1, "too early"), (1, "too late")):
            changes.append((f"from the second batch on, data are read {elements} {side}", sign * step * (batch > 0)))
            changes.append((f"each batch is read {elements} {side} for each batch before it", sign * step * batch))
    for words, change in changes:
        moved = flat + change
        foreign = (moved < 0) | (moved >= data.size)
        seen = evidence._replace(
            operation=flat_gather(), data=data.reshape(-1), indices=np.where(foreign, 0, moved), axis=0, batch_dims=0
        )
        yield Fault("batch-offset", words, seen, foreign=foreign if foreign.any() else None)
