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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from math import prod
from typing import Any, NamedTuple, TypeAlias

from ovgather.onnx_file.graphs import (
    OnnxGraph,
    Value,
    bodies_of,
    graphs,
    multiplied,
    ordered_places,
    value_of,
    without_shape,
)
from ovgather.onnx_file.source import serialized
from ovgather.processes import command, limited_memory, uninterrupted
from ovgather.tensor.shape import PartialShape

_SECONDS = 300
_ALARM = getattr(signal, "SIGALRM", 0)  # Windows has none, and no limit
_START = "from ovgather.onnx_file.shapes import child; child()"
_LONGEST = 300
_MOST_ANSWERS = 10_000  # of one process, whatever it may lose
_OWN_INITIALIZERS = 4  # the first ir_version whose initializers need not be inputs
_MOST_ELEMENTS = 1024  # of tensors whose values may be parts of shapes


class InferredShapes(NamedTuple):
    """Inferred values by the path of the graph and the name; ``problem`` is the reason if there are none.

    ``invalid`` is what the checker says against the model, ``misfit`` what the inference says that checks types,
    ``refusal`` what either says against its nodes, whatever the file declares for their outputs: then ONNX Runtime,
    whose inference is that of onnx, does not load it.
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
        for path, items in _described(_typed_graphs(inferred))
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
        if code == -_ALARM:
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
    from onnx import ModelProto, TensorProto, helper

    light = ModelProto(opset_import=model.opset_import, functions=model.functions)
    if model.HasField("ir_version"):
        light.ir_version = model.ir_version
    whole = model.graph
    graph = light.graph
    graph.name = whole.name
    for field in ("node", "input", "output", "value_info"):
        getattr(graph, field).extend(getattr(whole, field))
    names = {item.name for item in graph.input}
    for tensor in whole.initializer:
        # Not by its bytes: to count them is to write them all.
        if (
            prod(tensor.dims) <= _MOST_ELEMENTS
            and tensor.data_location != TensorProto.EXTERNAL
        ):
            graph.initializer.append(tensor)
        elif tensor.name not in names:
            graph.input.append(
                helper.make_tensor_value_info(
                    tensor.name, tensor.data_type, tensor.dims
                )
            )
    if input_shapes:
        for inner in _typed_graphs(light):
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


def _described(
    graphs: Iterable[OnnxGraph],
) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    """The paths of graphs, and the values that they declare but for their inputs."""
    for graph in graphs:
        yield graph.path, [*graph.proto.value_info, *graph.proto.output]


def _objection(check: Callable[[], object]) -> str | None:
    """What ``check`` raises, on one line."""
    try:
        check()
    except Exception as error:  # of onnx: several classes without a common one
        return " ".join(str(error).split())[:_LONGEST] or type(error).__name__
    return None


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
                _send(answers, b"+", json.dumps(_opinions_of(model)).encode())
                inferred = serialized(_inferred(model))
        except Exception as error:  # onnx's own classes, and those of protobuf
            lines = f"{type(error).__name__}: {error}".strip().splitlines()
            _send(answers, b"-", lines[-1].encode("utf-8", "replace"))
        else:
            _send(answers, b"+", inferred)
        if _ALARM:
            signal.alarm(0)


def _opinions_of(model: Any) -> dict[str, str | None]:
    """What onnx says against a model."""
    invalid, misfit = _invalid(model), _misfit(model)
    refusal = None
    if invalid is not None or misfit is not None or model.functions:
        refusal = _refusal(model)
    return {"invalid": invalid, "misfit": misfit, "refusal": refusal}


def _invalid(model: Any) -> str | None:
    from onnx import checker

    return _objection(lambda: checker.check_model(model))


def _misfit(model: Any) -> str | None:
    from onnx import shape_inference

    return _objection(
        lambda: shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
    )


def _refusal(model: Any) -> str | None:
    """What onnx says of the model with its nodes in order, and then of one that declares no shape of an output of a
    node."""
    bare = type(model)()
    bare.CopyFrom(_inlined(model))
    places = ordered_places(bare.graph.node)
    if places is not None:
        nodes = [bare.graph.node[place] for place in places]
        del bare.graph.node[:]
        bare.graph.node.extend(nodes)
    if "ai.onnx.ml" not in [item.domain for item in bare.opset_import]:
        bare.opset_import.add(domain="ai.onnx.ml", version=1)  # it is always there
    typed = [item for item in bare.graph.output if item.type.WhichOneof("value")]
    del bare.graph.output[:]
    bare.graph.output.extend(typed)
    open_inputs = without_shape(bare.graph.input)
    for item in (*open_inputs, *without_shape(bare.graph.output)):
        item.type.tensor_type.shape.SetInParent()
    for graph in _typed_graphs(bare):
        _hold_constants(graph.proto)
    _list_initializers(bare)
    invalid = _invalid(bare)
    if invalid is not None:
        return invalid
    for graph in _typed_graphs(bare):
        _forget(graph.proto)
    for item in open_inputs:
        item.type.tensor_type.ClearField("shape")
    for item in bare.graph.input:
        for dim in item.type.tensor_type.shape.dim:
            if dim.dim_value < 0:  # any length
                dim.Clear()
    return _misfit(bare)


def _inlined(model: Any) -> Any:
    """The model with the nodes of functions in the place of their calls, as ONNX Runtime makes it."""
    if not model.functions:
        return model
    from onnx import inliner

    try:
        return inliner.inline_local_functions(model)
    except Exception:  # of onnx, without a common class
        return model


def _list_initializers(model: Any) -> None:
    """Of two initializers with one name ONNX Runtime takes one; none of the main graph need be an input."""
    graph = model.graph
    held = {tensor.name: tensor for tensor in graph.initializer}
    if len(held) < len(graph.initializer):
        tensors = [*held.values()]
        del graph.initializer[:]
        graph.initializer.extend(tensors)
    if not model.HasField("ir_version") or model.ir_version >= _OWN_INITIALIZERS:
        return
    model.ir_version = _OWN_INITIALIZERS - 1
    from onnx import helper

    for name in held.keys() - {item.name for item in graph.input}:
        tensor = held[name]
        graph.input.append(
            helper.make_tensor_value_info(name, tensor.data_type, tensor.dims)
        )


def _is_single(node: Any, attribute: Any) -> bool:
    """Whether a node has no other attribute of the name."""
    return [each.name for each in node.attribute].count(attribute.name) == 1


def _hold_constants(graph: Any) -> None:
    """Constants become initializers, which old opsets limit less, whatever is declared of them."""
    constants = [
        (node, attribute.t)
        for node in graph.node
        if node.op_type == "Constant"
        for attribute in node.attribute
        if attribute.name == "value" and node.output and _is_single(node, attribute)
    ]
    for node, tensor in constants:
        graph.initializer.add().CopyFrom(tensor)
        graph.initializer[-1].name = node.output[0]
        graph.node.remove(node)
    names = {node.output[0] for node, _ in constants}
    declared = [item for item in graph.value_info if item.name not in names]
    del graph.value_info[:]
    graph.value_info.extend(declared)


def _forget(graph: Any) -> None:
    """Drop the shapes that are declared of the outputs of nodes."""
    for item in (*graph.value_info, *graph.output):
        if item.type.HasField("tensor_type"):
            item.type.tensor_type.ClearField("shape")


def _inferred(model: Any) -> Any:
    from onnx import shape_inference

    written = _typed_graphs(model)
    items = [item for graph in written for item in graph.proto.input]
    items += [item for _, values in _described(written) for item in values]
    symbols = {
        dim.dim_param for item in items for dim in item.type.tensor_type.shape.dim
    }
    inferred = shape_inference.infer_shapes(
        model, check_type=False, strict_mode=False, data_prop=True
    )
    described = _typed_graphs(inferred)
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


def _typed_graphs(model: Any) -> list[OnnxGraph]:
    """The graphs of a model but for those of functions, which declare no values."""
    return [graph for graph in graphs(model) if not graph.is_function]
