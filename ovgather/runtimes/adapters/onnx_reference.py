"""The reference evaluator of the onnx package: a witness, not a judge. It takes an index out of range modulo the length
of the axis, and a negative axis for none of GatherElements.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy

from ovgather.runtimes.adapters import _onnx
from ovgather.runtimes.base import UnsupportedError, first_line
from ovgather.tensor.arrays import Array


class ReferenceRuntime(_onnx.ModelRuntime):
    """A new evaluator for each model."""

    title = "the ONNX reference"

    def __init__(self, enter: Callable[[str], None]) -> None:
        super().__init__(enter)
        self.onnx: Any = import_module("onnx")
        self.reference: Any = import_module("onnx.reference")
        self.version = str(self.onnx.__version__)
        # It loads its operators with the first evaluator, which is no cost of a layer.
        node = self.onnx.helper.make_node("Identity", ["data"], ["output"])
        self.reference.ReferenceEvaluator(node)

    def run_model(
        self,
        model: bytes,
        folder: str | None,
        feeds: dict[str, Array],
        outputs: list[str],
    ) -> list[Array]:
        self.enter("load")
        proto = self.onnx.ModelProto.FromString(model)
        if folder is not None:
            import_module("onnx.external_data_helper").load_external_data_for_model(
                proto, folder
            )
        try:
            evaluator = self.reference.ReferenceEvaluator(proto)
            self.enter("run")
            return [numpy.asarray(output) for output in evaluator.run(outputs, feeds)]
        except NotImplementedError as error:
            raise UnsupportedError(first_line(error)) from error


RUNTIME = ReferenceRuntime
