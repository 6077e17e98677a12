"""The child process that runs ONNX models: the whole of a model, or one node, on the inputs that it is sent."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ovgather import processes as children
from ovgather.runtimes import wire, worker
from ovgather.runtimes.base import UnsupportedError
from ovgather.runtimes.tensors_on_wire import onnx_from_wire, onnx_to_wire

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

_START = "from ovgather.runtimes.onnx.worker import main; main(sys.argv[1])"
_BFLOAT16 = 16
_UNREGISTERED = "is not currently registered or supported"
_FOLDER = "session.model_external_initializers_file_folder_path"


def command(runtime: str) -> list[str]:
    """The command line that starts it with that runtime."""
    return children.command(_START, runtime)


def main(runtime: str) -> None:
    """Answer requests to the runtime of that name until there are no more."""
    made = {"onnxruntime": OnnxRuntime, "onnx-reference": OnnxReference}[runtime]
    worker.serve(made)


class ModelRuntime:
    """Runs a model that it is sent as bytes; a subclass says how."""

    title = "the runtime"
    version = ""
    devices = ("CPU",)

    def __init__(self, enter: Callable[[str], None]) -> None:
        self.enter = enter

    def run(self, model: bytes, folder: str | None, feeds: dict[str, Array], outputs: list[str]) -> list[Array]:
        """The outputs; ``folder`` is that of external data."""
        raise NotImplementedError

    def answer(self, request: wire.Header, blobs: list[bytearray]) -> tuple[wire.Header, list[wire.Blob]]:
        """See ``worker.Runtime``."""
        inputs = zip(request["inputs"], blobs[1:], strict=True)
        feeds = {described["name"]: onnx_from_wire(described, blob) for described, blob in inputs}
        arrays = self.run(bytes(blobs[0]), request["folder"], feeds, request["outputs"])
        tensors = [onnx_to_wire(output) for output in arrays]
        return {"outputs": [header for header, _ in tensors]}, [blob for _, blob in tensors]


class OnnxRuntime(ModelRuntime):
    """ONNX Runtime on the CPU, with the optimizations that it makes by itself."""

    title = "ONNX Runtime"

    def __init__(self, enter: Callable[[str], None]) -> None:
        super().__init__(enter)
        self.onnxruntime: Any = import_module("onnxruntime")
        self.onnxruntime.set_default_logger_severity(4)
        self.version = str(self.onnxruntime.__version__)
        errors = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
        self.missing = errors.NotImplemented, errors.InvalidGraph

    def run(self, model: bytes, folder: str | None, feeds: dict[str, Array], outputs: list[str]) -> list[Array]:
        """See ``ModelRuntime``."""
        import numpy

        self.enter("load")
        options = self.onnxruntime.SessionOptions()
        if folder is not None:
            options.add_session_config_entry(_FOLDER, folder)
        try:
            session = self.onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except self.missing as error:
            raise UnsupportedError(_first_line(error)) from error
        except Exception as error:
            if _UNREGISTERED in str(error):
                raise UnsupportedError(_first_line(error)) from error
            raise
        self.enter("run")
        types = {value.name: value.type for value in (*session.get_inputs(), *session.get_outputs())}
        if not any(types.get(name) == "tensor(bfloat16)" for name in (*feeds, *outputs)):
            return [numpy.asarray(output) for output in session.run(outputs, feeds)]
        # NumPy has no bfloat16, and the other way takes no text.
        given = {name: self._value(array) for name, array in feeds.items()}
        return [self._array(value) for value in session.run_with_ort_values(outputs, given)]

    def _value(self, array: Array) -> Any:
        value = self.onnxruntime.OrtValue
        if array.dtype.name == "bfloat16":
            return value.ortvalue_from_numpy_with_onnx_type(array.view("i2"), _BFLOAT16)
        return value.ortvalue_from_numpy(array)

    def _array(self, value: Any) -> Array:
        import ctypes

        import numpy

        if value.data_type() != "tensor(bfloat16)":
            return numpy.asarray(value.numpy())
        # NumPy is not given these elements: they are read where they lie.
        from ml_dtypes import bfloat16

        shape = value.shape()
        count = int(numpy.prod(shape))
        held = ctypes.string_at(value.data_ptr(), 2 * count) if count else b""
        found: Array = numpy.frombuffer(held, "u2").view(bfloat16).reshape(shape)
        return found


class OnnxReference(ModelRuntime):
    """The reference evaluator of the onnx package."""

    title = "onnx's reference"

    def __init__(self, enter: Callable[[str], None]) -> None:
        super().__init__(enter)
        self.onnx: Any = import_module("onnx")
        self.reference: Any = import_module("onnx.reference")
        self.version = str(self.onnx.__version__)

    def run(self, model: bytes, folder: str | None, feeds: dict[str, Array], outputs: list[str]) -> list[Array]:
        """See ``ModelRuntime``."""
        import numpy

        self.enter("load")
        proto = self.onnx.ModelProto.FromString(model)
        if folder is not None:
            import_module("onnx.external_data_helper").load_external_data_for_model(proto, folder)
        try:
            evaluator = self.reference.ReferenceEvaluator(proto)
            self.enter("run")
            return [numpy.asarray(output) for output in evaluator.run(outputs, feeds)]
        except NotImplementedError as error:
            raise UnsupportedError(_first_line(error)) from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
