"""A worker with a runtime that is right but for one fault, named by its first argument."""

from __future__ import annotations

import atexit
import itertools
import sys
import time
from typing import Any

import numpy as np

from ovgather.runtimes.base import TrialRuntime
from ovgather.runtimes.trial import Trial
from ovgather.runtimes.worker import serve

_COUNT = itertools.count(1)


def sizes(trial: Trial) -> Any:
    """The lengths of the axes that the indices point into."""
    if trial.operation.type != "GatherND":
        return trial.data.shape[trial.axis or 0]
    return np.asarray(trial.data.shape[trial.batch_dims :][: trial.indices.shape[-1]])


def marked(trial: Trial, marks: Any) -> Any:
    """The output with zeros where an index is marked."""
    places = trial._replace(data=np.arange(trial.data.size).reshape(trial.data.shape))
    # What a marked index fetches depends on what stands there instead of it.
    first, second = (
        places._replace(indices=np.where(marks, other, trial.indices)).want()
        for other in (0, 1)
    )
    output = trial._replace(indices=np.where(marks, 0, trial.indices)).want().copy()
    output[first != second] = 0
    return output


def right(trial: Trial) -> Any:
    return trial.want()


def never_ends(trial: Trial) -> Any:
    atexit.register(time.sleep, 60)
    return trial.want()


def clamps(trial: Trial) -> Any:
    return trial._replace(indices=np.clip(trial.indices, 0, sizes(trial) - 1)).want()


def wraps(trial: Trial) -> Any:
    return trial._replace(indices=trial.indices % sizes(trial)).want()


def zero_fills(trial: Trial) -> Any:
    return marked(trial, trial.indices < 0)


def shifts_the_axis(trial: Trial) -> Any:
    axis = ((trial.axis or 0) + 1) % trial.data.ndim
    return trial._replace(
        axis=axis, indices=np.clip(trial.indices, -trial.data.shape[axis], None)
    ).want()


def narrows(trial: Trial) -> Any:
    return trial._replace(data=trial.data.astype("i4").astype(trial.data.dtype)).want()


def narrows_to_float(trial: Trial) -> Any:
    return trial._replace(data=trial.data.astype("f4").astype(trial.data.dtype)).want()


def rounds(trial: Trial) -> Any:
    return trial._replace(data=trial.data.astype("f2").astype(trial.data.dtype)).want()


def transposes(trial: Trial) -> Any:
    want = trial.want()
    return np.ascontiguousarray(want.T).reshape(want.shape)


def ignores_batches(trial: Trial) -> Any:
    return trial._replace(batch_dims=0).want()


def forgets(trial: Trial) -> Any:
    return trial.want() + np.asarray(next(_COUNT)).astype(trial.data.dtype)


def reads_on(trial: Trial) -> Any:
    """Negative indices are taken as they are: what lies before is read."""
    places = np.arange(trial.data.size).reshape(trial.data.shape)
    step = places.strides[trial.axis or 0] // 8
    assert trial.operation.type == "GatherElements"
    flat = (
        trial._replace(data=places, indices=np.zeros_like(trial.indices)).want()
        + trial.indices * step
    )
    return trial.data.ravel()[flat.clip(0)]


def scrambles(trial: Trial) -> Any:
    want = trial.want().copy()
    want.flat[:2] = np.asarray([77, 78]).astype(want.dtype)[: want.size]
    return want


def hangs(trial: Trial) -> Any:
    time.sleep(60)


def raises(trial: Trial) -> Any:
    raise RuntimeError("out of order")


class Broken(TrialRuntime):
    version = "1"

    def run(self, trial: Trial, device: str) -> Any:
        self.enter("infer")
        return globals()[sys.argv[1]](trial)


if __name__ == "__main__":
    serve(Broken)
