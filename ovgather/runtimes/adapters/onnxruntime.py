"""ONNX Runtime, on its CPU provider."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ovgather.runtimes.adapters import _onnx
from ovgather.runtimes.base import UnsupportedError, first_line
from ovgather.runtimes.trial import Trial

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

_SESSIONS = 64  # of trials
_BFLOAT16 = 16
_UNREGISTERED = "is not currently registered or supported"
_FOLDER = "session.model_external_initializers_file_folder_path"


class Runtime(_onnx.ModelRuntime):
    """Keeps the sessions of the last trials: variants run the same model on other values."""

    title = "ONNX Runtime"

    def __init__(self, enter: Callable[[str], None]) -> None:
        super().__init__(enter)
        self.onnxruntime: Any = import_module("onnxruntime")
        self.onnxruntime.set_default_logger_severity(4)
        self.version = str(self.onnxruntime.__version__)
        errors = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
        self.missing = errors.NotImplemented, errors.InvalidGraph
        self.session = lru_cache(_SESSIONS)(self._session)

    def run(self, trial: Trial, device: str) -> Array:
        """See ``TrialRuntime``."""
        import numpy

        _onnx.check(trial)
        if trial.element_types[0].name == "bf16":
            raise UnsupportedError("NumPy has no bfloat16, by way of which values go in and out")
        session = self.session(_onnx.model(trial).SerializeToString())
        self.enter("run")
        (output,) = session.run(None, _onnx.feeds(trial))
        return _onnx.joined(trial, numpy.asarray(output))

    def run_model(self, model: bytes, folder: str | None, feeds: dict[str, Array], outputs: list[str]) -> list[Array]:
        """See ``ModelRuntime``."""
        import numpy

        session = self._session(model, folder)
        self.enter("run")
        types = {value.name: value.type for value in (*session.get_inputs(), *session.get_outputs())}
        if not any(types.get(name) == "tensor(bfloat16)" for name in (*feeds, *outputs)):
            return [numpy.asarray(output) for output in session.run(outputs, feeds)]
        # NumPy has no bfloat16, and the other way takes no text.
        values = {name: self._value(array) for name, array in feeds.items()}
        return [_array(value) for value in session.run_with_ort_values(outputs, values)]

    def _session(self, model: bytes, folder: str | None = None) -> Any:
        self.enter("load")
        options = self.onnxruntime.SessionOptions()
        if folder is not None:
            options.add_session_config_entry(_FOLDER, folder)
        try:
            return self.onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            if isinstance(error, self.missing) or _UNREGISTERED in str(error):
                raise UnsupportedError(first_line(error)) from error
            raise

    def _value(self, array: Array) -> Any:
        value = self.onnxruntime.OrtValue
        if array.dtype.name == "bfloat16":
            return value.ortvalue_from_numpy_with_onnx_type(array.view("i2"), _BFLOAT16)
        return value.ortvalue_from_numpy(array)


def _array(value: Any) -> Array:
    import ctypes

    import numpy

    if value.data_type() != "tensor(bfloat16)":
        return numpy.asarray(value.numpy())
    from ml_dtypes import bfloat16

    # ONNX Runtime gives no array of bfloat16: its memory is copied.
    count = int(numpy.prod(value.shape()))
    data = ctypes.string_at(value.data_ptr(), 2 * count) if count else b""
    array: Array = numpy.frombuffer(data, "u2").view(bfloat16).reshape(value.shape())
    return array
