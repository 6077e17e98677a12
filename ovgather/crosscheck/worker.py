"""The child process that runs OpenVINO: requests on standard input, answers on what was standard output.

It runs alone because OpenVINO can die (SIGSEGV, SIGFPE, heap corruption) on models that are valid.
Before each step it says which one comes, so that its parent knows where it died. It ends by itself when
its input ends, and it ends in the ordinary way, so that a corrupted heap shows in its exit status.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import IO, Any

from ovgather.crosscheck import wire


def main() -> None:
    """Answer requests until there are no more."""
    requests, answers = sys.stdin.buffer, _private_output()
    _no_core_dump()
    try:
        openvino = import_module("openvino")
    except ImportError as error:
        wire.send(answers, {"missing": "openvino", "message": str(error)})
        return
    runtime = _Runtime(openvino, answers)
    devices = list(runtime.core.available_devices)
    wire.send(answers, {"version": str(openvino.__version__), "devices": devices})
    while (frame := wire.receive(requests)) is not None:
        request, blobs = frame
        outputs: list[bytes] = []
        try:
            header, outputs = runtime.answer(request, blobs)
        except Exception as error:
            header = {"error": str(error) or type(error).__name__, "stage": runtime.stage}
        wire.send(answers, header, outputs)


def _private_output() -> IO[bytes]:
    """Standard output for frames only: whatever a library prints goes to standard error."""
    private = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(private, "wb")


def _no_core_dump() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class _Runtime:
    """One OpenVINO core, and what a request asks of it."""

    def __init__(self, openvino: Any, answers: IO[bytes]) -> None:
        self.openvino = openvino
        self.answers = answers
        self.stage = ""
        self.core = openvino.Core()

    def answer(self, request: wire.Header, blobs: list[bytearray]) -> tuple[wire.Header, list[bytes]]:
        """Do what the request asks."""
        if "load" in request:
            return self.load(request, blobs)
        return (self.reshape if "reshape" in request else self.run)(request, blobs)

    def run(self, request: wire.Header, blobs: list[bytearray]) -> tuple[wire.Header, list[bytes]]:
        """Read, reshape, compile and infer; answer with the outputs asked for by the names of Results."""
        self._enter("read_model")
        weights = self._weights(request["weights"], blobs[1])
        # The tensor shares the array's memory: both must outlive the model.
        tensor = self.openvino.Tensor(weights, shared_memory=True)
        model = self.core.read_model(bytes(blobs[0]), tensor)
        results = [result.get_friendly_name() for result in model.get_results()]
        if request["shapes"] is not None:
            self._enter("reshape")
            shapes = [self.openvino.PartialShape(shape) for shape in request["shapes"]]
            inputs = [parameter.output(0) for parameter in model.get_parameters()]
            model.reshape(dict(zip(inputs, shapes, strict=True)))
        self._enter("compile_model")
        compiled = self.core.compile_model(model, request["device"], request["config"])
        inference = compiled.create_infer_request()
        for position, (described, blob) in enumerate(zip(request["inputs"], blobs[2:], strict=True)):
            inference.set_input_tensor(position, self._tensor(described, blob))
        self._enter("infer")
        inference.infer()
        outputs = [inference.get_output_tensor(results.index(name)) for name in request["outputs"]]
        described = [{"type": _type_name(output), "shape": list(output.shape)} for output in outputs]
        return {"outputs": described}, [_bytes(output) for output in outputs]

    def load(self, request: wire.Header, blobs: list[bytearray]) -> tuple[wire.Header, list[bytes]]:
        """Read a file as a user would, by its path where it has one, and compile it when that is asked for."""
        self._enter("read_model")
        path, weights = request["path"], request["weights"]
        if path is not None:
            model = self.core.read_model(path, weights) if weights else self.core.read_model(path)
        elif weights:
            model = self.core.read_model(bytes(blobs[0]), self.openvino.Tensor(self._weights(weights, bytearray())))
        else:
            model = self.core.read_model(bytes(blobs[0]))
        if request["load"] == "compile":
            self._enter("compile_model")
            self.core.compile_model(model, request["device"])
        return {"loaded": True}, []

    def reshape(self, request: wire.Header, blobs: list[bytearray]) -> tuple[wire.Header, list[bytes]]:
        """Read, give some inputs other shapes, and answer with the shapes of the outputs of every layer."""
        self._enter("read_model")
        weights = self._weights(request["weights"], blobs[1])
        given = [self.openvino.Tensor(weights)] if weights.size else []
        model = self.core.read_model(bytes(blobs[0]), *given)
        if request["reshape"]:
            self._enter("reshape")
            inputs = [parameter.output(0) for parameter in model.get_parameters()]
            model.reshape({inputs[place]: self.openvino.PartialShape(shape) for place, shape in request["reshape"]})
        return {"shapes": list(_output_shapes(model, []))}, []

    def _enter(self, stage: str) -> None:
        self.stage = stage
        wire.send(self.answers, {"stage": stage})

    def _weights(self, path: str | None, blob: bytearray) -> Any:
        import numpy

        # A file is read, not mapped: a mapped one that shrinks meanwhile kills the process (SIGBUS).
        return numpy.fromfile(path, "u1") if path else numpy.frombuffer(blob, "u1")

    def _tensor(self, described: wire.Header, blob: bytearray) -> Any:
        import numpy

        shape = described["shape"]
        element_type = getattr(self.openvino.Type, described["type"])
        tensor = self.openvino.Tensor(element_type, self.openvino.Shape(shape))
        if described["type"] == "string":
            texts = wire.unpack_strings(blob, tensor.size)
            if texts:
                tensor.bytes_data = numpy.array(texts).reshape(shape)
        elif tensor.byte_size:
            view = tensor.data
            view[...] = numpy.frombuffer(blob, view.dtype).reshape(view.shape)
        return tensor


def _output_shapes(model: Any, path: list[str]) -> Iterator[list[Any]]:
    """Path of bodies, name and shapes of every layer."""
    for node in model.get_ops():
        name = node.get_friendly_name()
        yield [path, name, [str(output.get_partial_shape()) for output in node.outputs()]]
        for kind, body in _bodies(node):
            yield from _output_shapes(body, [*path, name, kind])


def _bodies(node: Any) -> list[tuple[str, Any]]:
    if hasattr(node, "get_then_body"):
        return [("then_body", node.get_then_body()), ("else_body", node.get_else_body())]
    return [("body", node.get_function())] if hasattr(node, "get_function") else []


def _type_name(tensor: Any) -> str:
    return str(tensor.element_type.to_string())


def _bytes(tensor: Any) -> bytes:
    if not tensor.size:  # reading the strings of an empty output kills the process
        return b""
    if _type_name(tensor) == "string":
        return wire.pack_strings(tensor.bytes_data.ravel().tolist())
    return bytes(tensor.data.tobytes())


if __name__ == "__main__":
    main()
