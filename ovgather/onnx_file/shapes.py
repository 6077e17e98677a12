"""onnx's checker and shape inference in a child process, since some models make them crash.

The process stays for the next model: its start takes a hundred times as long as a small model.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from math import prod
from typing import Any, NamedTuple, TypeAlias

from ovgather.onnx_file import loading
from ovgather.onnx_file.graphs import (
    OnnxGraph,
    Value,
    bodies_of,
    multiplied,
    tensors_in,
    value_of,
)
from ovgather.onnx_file.source import serialized
from ovgather.onnx_file.tensors import is_external
from ovgather.processes import command, limited_memory, uninterrupted
from ovgather.tensor.shape import PartialShape

_SECONDS = 300
_ALARM = getattr(signal, "SIGALRM", 0)  # Windows has none, and no limit
_START = "from ovgather.onnx_file.shapes import child; child()"
_MOST_ANSWERS = 10_000  # of one process, whatever it may lose
_MOST_ELEMENTS = 1024  # of tensors whose values may be parts of shapes


class InferredShapes(NamedTuple):
    """Inferred values by the path of the graph and the name; ``problem`` is the reason if there are none.

    ``invalid`` is what the checker says against the model, ``misfit`` what the inference says that checks types,
    ``refusal`` why ONNX Runtime does not load it.
    """

    values: dict[tuple[str, ...], dict[str, Value]]
    problem: str | None = None
    invalid: str | None = None
    misfit: str | None = None
    refusal: str | None = None


def infer_shapes(
    model: Any, input_shapes: Mapping[str, PartialShape]
) -> InferredShapes:
    """The result of onnx's inference for a ``ModelProto`` with ``input_shapes``."""
    from onnx import ModelProto

    nodes = multiplied(model)
    if nodes > 0:
        problem = f"the calls of functions make {nodes} nodes, too many for onnx's shape inference"
        return InferredShapes({}, problem)
    try:
        data = serialized(_light(model, input_shapes))
    except ValueError as error:
        return InferredShapes(
            {}, f"onnx's shape inference cannot be given the model: {error}"
        )
    opinions, answer = _ask(data)
    if isinstance(answer, str):
        return InferredShapes({}, f"onnx's shape inference {answer}", **opinions)
    # The names are text already: those of the model that was sent.
    inferred = ModelProto.FromString(answer)
    values = {
        path: {item.name: value_of(item) for item in items}
        for path, items in _described(loading.typed_graphs(inferred))
    }
    return InferredShapes(values, **opinions)


_Answer: TypeAlias = "tuple[dict[str, str | None], bytes | str]"


class _Child:
    """A process that infers the shapes of one model after the other, until it dies, or its input ends."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self.answers = 0
        self.start = _START
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        with uninterrupted():
            self.process = subprocess.Popen(
                command(_START),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
            )

    def ask(self, data: bytes) -> _Answer:
        """What onnx says against the model, and the model with its shapes, or what went wrong."""
        opinions: dict[str, str | None] = {}
        answer = None
        try:
            with suppress(BrokenPipeError):
                _send(self.process.stdin, b"+", data)
            answer = _receive(self.process.stdout)
            if isinstance(answer, bytes):
                opinions = json.loads(answer)
                answer = _receive(self.process.stdout)
        finally:
            if answer is None:
                self.process.kill()
                code = self.process.wait()
        if answer is not None:
            self.answers += 1
            return opinions, answer
        if _ALARM and code == -_ALARM:
            return opinions, f"takes more than {_SECONDS} s"
        if code < 0:
            return opinions, f"crashes (signal {-code})"
        self.errors.seek(0)
        lines = self.errors.read().decode("utf-8", "replace").strip().splitlines() or [
            "no reason is given"
        ]
        return opinions, f"fails: {lines[-1]}"

    def end(self) -> None:
        if (
            self.owner == os.getpid()
        ):  # it is not that of the process which this one was forked from
            self.process.kill()
            self.process.wait()
        for pipe in filter(
            None, (self.process.stdin, self.process.stdout, self.errors)
        ):
            with suppress(OSError):  # what was still unsent has nobody to read it
                pipe.close()


_children: list[_Child] = []
_turn = threading.Lock()


@atexit.register
def _end() -> None:
    while _children:
        _children.pop().end()


def _ask(data: bytes) -> _Answer:
    """The answer of the process that stays. One that dies after others is no proof against this model: it is asked of a
    new one."""
    with _turn:
        while True:
            child = None
            if _children:
                child = _children.pop()
            if (
                child is None
                or child.owner != os.getpid()
                or child.start != _START
                or child.answers >= _MOST_ANSWERS
            ):
                if child is not None:
                    child.end()
                child = _Child()
            had_answers = child.answers
            answer = child.ask(data)
            if child.answers > had_answers:
                _children.append(child)
            if child.answers > had_answers or not had_answers:
                return answer


def _send(stream: Any, mark: bytes, data: bytes) -> None:
    stream.write(mark + len(data).to_bytes(8, "little"))
    stream.write(data)
    stream.flush()


def _receive(stream: Any) -> bytes | str | None:
    """What the other side sent; None where it ended before."""
    head = stream.read(9)
    size = int.from_bytes(head[1:], "little")
    if len(head) == 9:
        data = stream.read(size)
    else:
        data = b""
    if len(head) < 9 or len(data) < size:
        return None
    return data if head[:1] == b"+" else f"fails: {data.decode('utf-8', 'replace')}"


def _light(model: Any, input_shapes: Mapping[str, PartialShape]) -> Any:
    """The model without large weights; with ``input_shapes`` also without the declared shapes of outputs of nodes."""
    from onnx import ModelProto, helper

    light = ModelProto(opset_import=model.opset_import, functions=model.functions)
    if model.HasField("ir_version"):
        light.ir_version = model.ir_version
    whole = model.graph
    graph = light.graph
    graph.name = whole.name
    light.metadata_props.extend(model.metadata_props)
    for field in ("node", "input", "output", "value_info", "sparse_initializer"):
        getattr(graph, field).extend(getattr(whole, field))
    names = {item.name for item in graph.input}
    for tensor in whole.initializer:
        # Not by its bytes: to count them is to write them all.
        if prod(tensor.dims) <= _MOST_ELEMENTS and not is_external(tensor):
            graph.initializer.append(tensor)
        elif tensor.name not in names:
            graph.input.append(
                helper.make_tensor_value_info(
                    tensor.name, tensor.data_type, tensor.dims
                )
            )
    for inner in loading.typed_graphs(light):
        for node in [each for each in inner.proto.node if _is_outside(each)]:
            # onnx would look for the file.
            tensor = node.attribute[0].t
            made = helper.make_tensor_value_info(
                node.output[0], tensor.data_type, tensor.dims
            )
            graph.input.append(made)
            inner.proto.node.remove(node)
    if input_shapes:
        for inner in loading.typed_graphs(light):
            inner.proto.ClearField("value_info")
            for item in inner.proto.output:
                item.type.tensor_type.ClearField("shape")
    for item in graph.input:
        if (shape := input_shapes.get(item.name)) is not None:
            dims = shape.dims and [
                dim.min if dim.is_static else dim.symbol or None for dim in shape.dims
            ]
            item.type.CopyFrom(
                helper.make_tensor_type_proto(item.type.tensor_type.elem_type, dims)
            )
    return light


def _is_outside(node: Any) -> bool:
    """Whether it is a Constant whose values are in another file."""
    tensors = [*tensors_in(node)] if node.op_type == "Constant" else []
    return len(tensors) == len(node.attribute) == len(node.output) == 1 and is_external(
        tensors[0]
    )


def _described(
    graphs: Iterable[OnnxGraph],
) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    """The paths of graphs, and the values that they declare but for their inputs."""
    for graph in graphs:
        yield graph.path, [*graph.proto.value_info, *graph.proto.output]


def child() -> None:
    """Read models from standard input until there are no more.

    Of each it writes what is said against it, and the model with the inferred shapes.
    """
    from onnx import ModelProto

    requests = sys.stdin.buffer
    answers = sys.stdout.buffer
    if _ALARM:
        signal.signal(_ALARM, signal.SIG_DFL)
    while isinstance(data := _receive(requests), bytes):
        if _ALARM:
            signal.alarm(_SECONDS)
        try:
            with limited_memory(
                len(data)
            ):  # onnx makes a list of 2^40 elements of such a dim
                model = ModelProto.FromString(data)
                _send(
                    answers,
                    b"+",
                    json.dumps(loading.opinions(model)._asdict()).encode(),
                )
                inferred = serialized(_inferred(model))
        except Exception as error:  # onnx's own classes, and those of protobuf
            lines = f"{type(error).__name__}: {error}".strip().splitlines()
            _send(answers, b"-", lines[-1].encode("utf-8", "replace"))
        else:
            _send(answers, b"+", inferred)
        if _ALARM:
            signal.alarm(0)


def _inferred(model: Any) -> Any:
    from onnx import shape_inference

    written = loading.typed_graphs(model)
    items = [item for graph in written for item in graph.proto.input]
    items += [item for _, values in _described(written) for item in values]
    symbols = {
        dim.dim_param for item in items for dim in item.type.tensor_type.shape.dim
    }
    inferred = shape_inference.infer_shapes(
        model, check_type=False, strict_mode=False, data_prop=True
    )
    described = loading.typed_graphs(inferred)
    for _, items in _described(described):
        for dim in (dim for item in items for dim in item.type.tensor_type.shape.dim):
            if dim.dim_param not in symbols:  # onnx adds some (``unk__0``)
                dim.ClearField("dim_param")
    for graph in described:
        # Nobody reads it again, nor nodes but for those with bodies.
        graph.proto.ClearField("initializer")
        for node in graph.proto.node:
            if not any(map(bodies_of, node.attribute)):
                node.Clear()
    return inferred
