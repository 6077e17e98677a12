"""The IR that OpenVINO makes of an ONNX model, to compare it with another IR."""

from pathlib import Path
from tempfile import TemporaryDirectory

from ovgather.errors import UnreadableError
from ovgather.ir.edit.edits import Held
from ovgather.ir.model import Model
from ovgather.ir.read import read
from ovgather.onnx_file.model import OnnxModel
from ovgather.runtimes.child import Failure
from ovgather.runtimes.load import convert


def converted(model: OnnxModel) -> Model:
    """The IR, with the names of the ONNX model. Raises UnreadableError if OpenVINO does not convert it."""
    with TemporaryDirectory(prefix="ovgather-") as folder:
        path = convert(model, folder)
        if isinstance(path, Failure):
            raise UnreadableError(
                f"{model.path}: OpenVINO does not convert it, and an IR is to be compared: {path.reason}"
            )
        text, weights = (
            Path(path).with_suffix(ending).read_bytes() for ending in (".xml", ".bin")
        )
    ir = read(Held(text, model.path), weights)
    ir.has_lines = False
    return ir
