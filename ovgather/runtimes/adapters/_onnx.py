"""ONNX models in a worker: whole ones, and trials as models of one node, whose indices become int64."""

from importlib import import_module
from math import prod

from ovgather.ops import onnx as onnx_operations
from ovgather.runtimes import wire
from ovgather.runtimes.base import TrialRuntime, UnsupportedError
from ovgather.runtimes.onnx_model import one_node
from ovgather.runtimes.trial import Trial
from ovgather.runtimes.wire import from_wire, onnx_to_wire
from ovgather.tensor.arrays import Array
from ovgather.tensor.onnx_types import name_of

OPSET = 13


class ModelRuntime(TrialRuntime):
    """A runtime that also runs whole ONNX models, sent as bytes; see ``runtimes.onnx_model.request``."""

    def run_model(
        self,
        model: bytes,
        folder: str | None,
        feeds: dict[str, Array],
        outputs: list[str],
    ) -> list[Array]:
        """The outputs of a model whose external data are in ``folder``."""
        raise NotImplementedError

    def run(self, trial: Trial, device: str) -> Array:
        check(trial)
        operation = trial.operation
        constants = trial.placement.constants
        arrays = {"data": trial.data, "indices": trial.indices.astype("i8")}
        node = import_module("onnx.helper").make_node(
            operation.type,
            list(arrays),
            ["output"],
            "gather",
            axis=trial.axis or 0 if operation.has_axis else None,
            batch_dims=trial.batch_dims or None,
        )
        model = one_node(node, arrays, OPSET, constants, trial.placement.static)
        feeds = {name: array for name, array in arrays.items() if name not in constants}
        (output,) = self.run_model(model, None, feeds, ["output"])
        return joined(trial, output)

    def answer(self, request: wire.Header, blobs: list[bytearray]) -> wire.Frame:
        if "trial" in request:
            return super().answer(request, blobs)
        inputs = zip(request["inputs"], blobs[1:], strict=True)
        feeds = {header["name"]: from_wire(header, blob) for header, blob in inputs}
        arrays = self.run_model(
            bytes(blobs[0]), request["folder"], feeds, request["outputs"]
        )
        tensors = [onnx_to_wire(output) for output in arrays]
        return {"outputs": [header for header, _ in tensors]}, [
            blob for _, blob in tensors
        ]


def check(trial: Trial) -> None:
    """Raise UnsupportedError unless ONNX has the operation, on these types, and defines the output."""
    operation = trial.operation
    kind = trial.element_types[0]
    in_onnx = onnx_operations.find(operation.type, OPSET)
    if in_onnx is None or name_of(kind) not in (in_onnx.inputs[0].types or ()):
        raise UnsupportedError(
            f"ONNX's {operation.type} of opset {OPSET} has no type {kind}"
        )
    if operation.indices_replace_axis and trial.batch_dims:
        raise UnsupportedError("ONNX's Gather has no batch_dims")
    check_range(trial, "ONNX")


def check_range(trial: Trial, whose: str) -> None:
    """Raise UnsupportedError for an index out of range: only OpenVINO defines its result."""
    if trial.evidence().out_of_range.any():
        raise UnsupportedError(
            f"{whose} does not define what an index out of range gives"
        )


def joined(trial: Trial, output: Array) -> Array:
    """The output as the layer has it: GatherND-5 joins all batch dims into one."""
    if trial.operation.joins_batch_dims and trial.batch_dims > 1:
        output = output.reshape(
            prod(output.shape[: trial.batch_dims]), *output.shape[trial.batch_dims :]
        )
    return output
