"""Objects of other packages, told by the names of their classes: nothing is imported to recognize them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ovgather.errors import UnavailableError
from ovgather.processes import installing

if TYPE_CHECKING:
    from typing import Protocol

    class OpenvinoModel(Protocol):
        """An ``openvino.Model``, by a method that its class defines itself: others it looks up when they are called."""

        def evaluate(self, output_tensors: Any, input_tensors: Any) -> bool: ...

    class ModelProto(Protocol):
        """An ``onnx.ModelProto``."""

        def SerializeToString(self) -> bytes: ...  # noqa: N802 - protobuf's name

    class OnnxIrModel(Protocol):
        """An ``onnx_ir.Model``."""

        @property
        def opset_imports(self) -> dict[str, int]: ...


_MODELS = {("openvino", "Model"), ("onnx", "ModelProto"), ("onnx_ir", "Model")}


def model_kind(value: object) -> str | None:
    """``openvino.Model``, ``onnx.ModelProto`` or ``onnx_ir.Model`` for a model of that class, None for anything else.

    >>> model_kind("m.xml") is None
    True
    """
    names = (
        (each.__module__.partition(".")[0], each.__name__)
        for each in type(value).__mro__
    )
    return next((".".join(name) for name in names if name in _MODELS), None)


def bounds_of(dimension: object) -> tuple[int, int | None] | None:
    """The ends of an ``openvino.Dimension``, told by its members; None for anything else."""
    low = getattr(dimension, "min_length", None)
    high = getattr(dimension, "max_length", None)
    if isinstance(low, int) and isinstance(high, int):
        return (low, None if high == -1 else high)
    return None


def dims_of(shape: object) -> list[object] | None:
    """The dims of a ``TensorShapeProto`` or ``onnx_ir.Shape``, each a length or a name (None: open); else None."""
    package = type(shape).__module__.partition(".")[0]
    kind = type(shape).__name__
    if kind == "TensorShapeProto":
        dims = shape.dim  # type: ignore[attr-defined]
        return [
            each.dim_value if each.HasField("dim_value") else each.dim_param or None
            for each in dims
        ]
    if package == "onnx_ir" and kind == "Shape":
        return [each if isinstance(each, int) else each.value for each in shape]  # type: ignore[attr-defined]
    return None


def array_of(value: Any) -> Any:
    """What NumPy takes of an ``openvino.Tensor``, a ``TensorProto``, a tensor of onnx_ir or torch, or of dlpack.

    >>> array_of([1, 2])
    [1, 2]
    """
    package = type(value).__module__.partition(".")[0]
    kind = type(value).__name__
    if package == "openvino" and kind == "Tensor":
        return value.data
    if kind == "TensorProto":
        from onnx import numpy_helper

        return numpy_helper.to_array(value)
    if (
        package == "torch" and str(value.dtype) == "torch.bfloat16"
    ):  # NumPy has none, and torch knows no other
        from importlib import import_module

        import ml_dtypes

        return (
            value.detach()
            .cpu()
            .view(import_module("torch").int16)
            .numpy()
            .view(ml_dtypes.bfloat16)
        )
    if package == "torch":
        return value.detach().cpu().numpy()
    if package == "onnx_ir" and hasattr(value, "numpy"):
        return value.numpy()
    if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        import numpy

        return numpy.from_dlpack(value)
    return value


def openvino_package() -> Any:
    """OpenVINO, for whoever asks for its objects; UnavailableError if it is not installed."""
    try:
        import openvino
    except ImportError:
        raise UnavailableError(
            f"openvino is not installed: {installing('openvino')}"
        ) from None
    return openvino
