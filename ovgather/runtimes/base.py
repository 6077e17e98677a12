"""What a runtime is to the worker that holds it."""

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import compress

import numpy

from ovgather.runtimes import wire
from ovgather.runtimes.trial import Trial, from_frame
from ovgather.runtimes.wire import to_wire
from ovgather.tensor.arrays import Array, bits
from ovgather.tensor.element_type import of_dtype


class UnsupportedError(Exception):
    """The runtime has no such operation, or not on these types or values; the message says which."""


class TrialRuntime:
    """A runtime that runs trials, with its ``title``, ``version`` and ``devices``; a subclass says how.

    ``enter`` is called with the name of each step before it is taken, so that the parent knows where the worker died.
    """

    title = "the runtime"
    version = ""
    devices: Sequence[str] = ("CPU",)

    def __init__(self, enter: Callable[[str], None]) -> None:
        self.enter = enter

    def configure(self, config: Mapping[str, str], plugins: Mapping[str, str]) -> None:
        """Take settings, and load plugins, libraries by the names of their devices; only OpenVINO has any."""

    def run(self, trial: Trial, device: str) -> Array:
        """The output of the layer, or an UnsupportedError."""
        raise NotImplementedError

    def answer(self, request: wire.Header, blobs: list[bytearray]) -> wire.Frame:
        """The output of the trial that was asked for."""
        trial = from_frame(request, blobs)
        before = [(array, array.copy()) for array in (trial.data, trial.indices)]
        start = time.perf_counter()
        output = self.run(trial, request["device"])
        seconds = time.perf_counter() - start
        kind = trial.element_types[0]
        if output.dtype != kind.dtype:
            kind = of_dtype(output.dtype) or kind
        header, blob = to_wire(output, kind)
        changed = [
            not numpy.array_equal(bits(array), bits(copy)) for array, copy in before
        ]
        return {
            "outputs": [header],
            "overwritten": list(compress(("data", "indices"), changed)),
            "seconds": seconds,
        }, [blob]


def first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
