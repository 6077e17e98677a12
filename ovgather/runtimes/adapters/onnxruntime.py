"""ONNX Runtime, on its CPU provider."""

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy

from ovgather.runtimes.adapters import _onnx
from ovgather.runtimes.base import UnsupportedError, first_line
from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

# sessions that are kept, and bytes of their models
_SESSIONS = 64
_SMALL = 1 << 16
_BFLOAT16 = 16
_UNREGISTERED = "is not currently registered or supported"
_FOLDER = "session.model_external_initializers_file_folder_path"


class OnnxRuntime(_onnx.ModelRuntime):
    """Keeps the last sessions of small models: variants of a layer run the same model on other values."""

    title = "ONNX Runtime"

    def __init__(self, enter: Callable[[str], None]) -> None:
        super().__init__(enter)
        self.onnxruntime: Any = import_module("onnxruntime")
        self.onnxruntime.set_default_logger_severity(4)
        self.version = str(self.onnxruntime.__version__)
        errors = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
        self.missing = errors.NotImplemented, errors.InvalidGraph
        self._load_once = lru_cache(_SESSIONS)(self._load)

    def run(self, trial: Trial, device: str) -> Array:
        if trial.element_types[0].name == "bf16":
            raise UnsupportedError(
                "NumPy has no bfloat16, by way of which values go in and out"
            )
        return super().run(trial, device)

    def run_model(
        self,
        model: bytes,
        folder: str | None,
        feeds: dict[str, Array],
        outputs: list[str],
    ) -> list[Array]:
        load = self._load_once if folder is None and len(model) < _SMALL else self._load
        session = load(model, folder)
        self.enter("run")
        types = {
            value.name: value.type
            for value in (*session.get_inputs(), *session.get_outputs())
        }
        if not any(
            types.get(name) == "tensor(bfloat16)" for name in (*feeds, *outputs)
        ):
            return [numpy.asarray(output) for output in session.run(outputs, feeds)]
        # NumPy has no bfloat16, and the other way takes no text.
        values = {name: self._value(array) for name, array in feeds.items()}
        return [_array(value) for value in session.run_with_ort_values(outputs, values)]

    def _load(self, model: bytes, folder: str | None) -> Any:
        self.enter("load")
        options = self.onnxruntime.SessionOptions()
        if folder is not None:
            options.add_session_config_entry(_FOLDER, folder)
        try:
            return self.onnxruntime.InferenceSession(
                model, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            if isinstance(error, self.missing) or _UNREGISTERED in str(error):
                raise UnsupportedError(first_line(error)) from error
            raise

    def _value(self, array: Array) -> Any:
        value = self.onnxruntime.OrtValue
        if array.dtype.name == "bfloat16":
            return value.ortvalue_from_numpy_with_onnx_type(array.view("i2"), _BFLOAT16)
        return value.ortvalue_from_numpy(array)


RUNTIME = OnnxRuntime


def _array(value: Any) -> Array:
    import ctypes

    if value.data_type() != "tensor(bfloat16)":
        return numpy.asarray(value.numpy())
    from ml_dtypes import bfloat16

    # ONNX Runtime gives no array of bfloat16: its memory is copied.
    count = int(numpy.prod(value.shape()))
    data = b""
    if count:
        data = ctypes.string_at(value.data_ptr(), 2 * count)
    array: Array = numpy.frombuffer(data, "u2").view(bfloat16).reshape(value.shape())
    return array
