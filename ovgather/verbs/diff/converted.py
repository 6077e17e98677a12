"""The IR that OpenVINO makes of an ONNX model, to compare it with another IR."""

from ovgather.errors import UnreadableError
from ovgather.ir.edit.edits import Held
from ovgather.ir.model import Model
from ovgather.ir.read import read
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.source import serialized
from ovgather.runtimes.load import convert


def converted(model: OnnxModel) -> Model:
    """The IR, with the names of the ONNX model. Raises UnreadableError if OpenVINO does not convert it."""
    if model.beside is not None:
        answer = convert(model.path)
    else:
        answer = convert(None, serialized(model.proto, model.path))
    if isinstance(answer, str):
        raise UnreadableError(
            f"{model.path}: OpenVINO does not convert it, and an IR is to be compared: {answer}"
        )
    text, weights = answer
    ir = read(Held(text, model.path), weights)
    ir.has_lines = False
    return ir
