"""Objects of other packages, told by the names of their classes: nothing is imported to recognize them."""

from typing import Any

from ovgather.errors import UnavailableError

_MODELS = {("openvino", "Model"), ("onnx", "ModelProto"), ("onnx_ir", "Model")}


def model_kind(value: object) -> str | None:
    """``openvino.Model``, ``onnx.ModelProto`` or ``onnx_ir.Model`` for a model of that class, None for anything else.

    >>> model_kind("m.xml") is None
    True
    """
    names = ((each.__module__.partition(".")[0], each.__name__) for each in type(value).__mro__)
    return next((".".join(name) for name in names if name in _MODELS), None)


def bounds_of(dimension: object) -> tuple[int, int | None] | None:
    """The ends of an ``openvino.Dimension``, told by its members; None for anything else."""
    low, high = getattr(dimension, "min_length", None), getattr(dimension, "max_length", None)
    return (low, None if high == -1 else high) if isinstance(low, int) and isinstance(high, int) else None


def openvino_package() -> Any:
    """OpenVINO, for whoever asks for its objects; UnavailableError if it is not installed."""
    try:
        import openvino
    except ImportError:
        raise UnavailableError("openvino is not installed: pip install 'ovgather[openvino]'") from None
    return openvino
