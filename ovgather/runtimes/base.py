"""What a runtime is to the worker that holds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ovgather.runtimes import wire
from ovgather.runtimes.tensors_on_wire import to_wire
from ovgather.runtimes.trial import Trial, from_frame
from ovgather.tensor.element_type import of_dtype

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array


class UnsupportedError(Exception):
    """The runtime has no such operation, or not on these types or values; the message says which."""


class TrialRuntime:
    """A runtime that runs trials; a subclass says how.

    Attributes:
        title: how it is called.
        version: of what it runs.
        devices: what it can run on.
        enter: called with the name of each step before it is taken, so that the parent knows where it died.
    """

    title = "the runtime"
    version = ""
    devices: tuple[str, ...] = ("CPU",)

    def __init__(self, enter: Callable[[str], None]) -> None:
        self.enter = enter

    def run(self, trial: Trial, device: str) -> Array:
        """The output of the layer.

        Raises:
            UnsupportedError: it cannot run there at all.
        """
        raise NotImplementedError

    def answer(self, request: wire.Header, blobs: list[bytearray]) -> tuple[wire.Header, list[wire.Blob]]:
        """The output of the trial that was asked for."""
        trial = from_frame(request, blobs)
        output, kind = self.run(trial, request["device"]), trial.element_types[0]
        if output.dtype != kind.dtype:
            kind = of_dtype(output.dtype) or kind
        header, blob = to_wire(output, kind)
        return {"outputs": [header]}, [blob]
