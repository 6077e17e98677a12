"""``onnx_ir.Model`` -> a ``ModelProto`` without its large values, which stay where they are."""

from __future__ import annotations

from typing import Any

from ovgather.onnx_file.tensors import ExternalFiles

_MOST_BYTES = 1 << 12
"""Of a tensor that the proto has itself: its values may be parts of shapes."""


def proto_of(source: Any, path: str) -> tuple[Any, ExternalFiles | None]:
    """The proto, and its large initializers by the locations that stand in the place of files."""
    import onnx_ir

    if not hasattr(source, "clone"):  # before 0.1.14
        return onnx_ir.to_proto(source), None
    held: dict[str, Any] = {}
    copy = source.clone()  # its tensors are those of the source
    for graph in copy.graphs():
        for name, value in graph.initializers.items():
            tensor = value.const_value
            if (
                tensor is None
                or tensor.nbytes <= _MOST_BYTES
                or isinstance(tensor, onnx_ir.ExternalTensor)
            ):
                continue
            location = f"<{len(held)}>"
            held[location] = tensor
            extent = location, 0, tensor.nbytes, tensor.dtype
            value.const_value = onnx_ir.ExternalTensor(
                *extent, shape=tensor.shape, name=name
            )
    return onnx_ir.to_proto(copy), ExternalFiles(path, held=held)
