"""The reference evaluator of the onnx package: a witness, not a judge.

It takes an index out of range modulo the length of the axis, and a negative axis for none of GatherElements.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ovgather.runtimes.adapters import _onnx
from ovgather.runtimes.base import TrialRuntime
from ovgather.runtimes.trial import Trial

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array


class Runtime(TrialRuntime):
    """A new evaluator for each trial."""

    title = "the ONNX reference"

    def __init__(self, enter: Callable[[str], None]) -> None:
        super().__init__(enter)
        self.reference: Any = import_module("onnx.reference")
        self.version = str(import_module("onnx").__version__)

    def run(self, trial: Trial, device: str) -> Array:
        """See ``TrialRuntime``."""
        import numpy

        _onnx.check(trial)
        self.enter("infer")
        (output,) = self.reference.ReferenceEvaluator(_onnx.model(trial)).run(None, _onnx.feeds(trial))
        return _onnx.joined(trial, numpy.asarray(output))
