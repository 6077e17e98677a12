"""ONNX Runtime, on its CPU provider."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ovgather.runtimes.adapters import _onnx
from ovgather.runtimes.base import TrialRuntime, UnsupportedError
from ovgather.runtimes.trial import Trial

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

_KEPT = 64


class Runtime(TrialRuntime):
    """Keeps the sessions of models that were run before."""

    title = "ONNX Runtime"

    def __init__(self, enter: Callable[[str], None]) -> None:
        super().__init__(enter)
        self.onnxruntime: Any = import_module("onnxruntime")
        import_module("onnx")
        self.onnxruntime.set_default_logger_severity(4)
        self.version = str(self.onnxruntime.__version__)
        errors = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
        self.missing = errors.NotImplemented, errors.InvalidGraph
        self.sessions: OrderedDict[bytes, Any] = OrderedDict()

    def run(self, trial: Trial, device: str) -> Array:
        """See ``TrialRuntime``."""
        import numpy

        _onnx.check(trial)
        if trial.element_types[0].name == "bf16":
            raise UnsupportedError("NumPy has no bfloat16, by way of which values go in and out")
        text = _onnx.model(trial).SerializeToString()
        session = self.sessions.pop(text, None) or self._session(text)
        self.enter("infer")
        (output,) = session.run(None, _onnx.feeds(trial))
        self.sessions[text] = session
        if len(self.sessions) > _KEPT:
            self.sessions.popitem(last=False)
        return _onnx.joined(trial, numpy.asarray(output))

    def _session(self, text: bytes) -> Any:
        self.enter("compile_model")
        try:
            return self.onnxruntime.InferenceSession(text, providers=["CPUExecutionProvider"])
        except self.missing as error:
            raise UnsupportedError(str(error).splitlines()[0]) from error
