"""Fixes of ONNX files: a new file beside the old one, checked by onnx and by the runtimes that are installed."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from ovgather.errors import InvalidModelError, UnreadableError, short_repr
from ovgather.files.whole import write_whole
from ovgather.layers.conversion.bodies import passed_outputs
from ovgather.layers.onnx_node import GatherNode, gather_nodes
from ovgather.onnx_file.graphs import multiplied, node_name
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.source import serialized
from ovgather.ops import onnx
from ovgather.processes import command, is_installed
from ovgather.text import count
from ovgather.validation.checked import Checked
from ovgather.validation.onnx.context import constant_of, indexed
from ovgather.validation.plan import Plan

_LOAD = "import sys, onnxruntime; onnxruntime.InferenceSession(sys.argv[1], providers=['CPUExecutionProvider'])"
_SECONDS = 300
INDEX_TYPES = {"GatherND": ("int64",)}
_USUAL_INDEX_TYPES = ("int32", "int64")


class OnnxFix(NamedTuple):
    """What was changed, in words."""

    what: str


class FixedOnnx(NamedTuple):
    """An ONNX model after its fixes.

    Attributes:
        data: the new content of the file.
        fixes: what was done.
        invalid: what onnx's checker says against it, else None.
        left: the findings in ``data``.
    """

    data: bytes
    fixes: tuple[OnnxFix, ...]
    invalid: str | None
    left: Checked

    def __hash__(self) -> int:
        return hash(self.data)

    def __repr__(self) -> str:
        done, left = len(self.fixes), len(self.left.diagnostics)
        return f"<FixedOnnx {short_repr(self.left.path)}: {done} fixed, {left} left>"


def fixed_path(path: str) -> str:
    """Where the fixed file is written.

    >>> fixed_path("a/m.onnx")
    'a/m.fixed.onnx'
    """
    stem, ending = os.path.splitext(path)
    return f"{stem}.fixed{ending}"


def fixed_model(model: OnnxModel, plan: Plan) -> FixedOnnx:
    """The fixed model; its findings are those of ``plan``.

    Raises:
        InvalidModelError: the model cannot be read, or the fixed one is not valid though it is.
    """
    path = model.path
    if model.problem is not None:
        raise UnreadableError(f"{path}: {model.problem}")
    proto = type(model.proto)()
    proto.CopyFrom(model.proto)
    fixes: list[OnnxFix] = []
    for fix in _FIXES:
        current = OnnxModel(path, model.beside, serialized(proto, path))
        proto, words = fix(current)
        fixes += map(OnnxFix, words)
    data = serialized(proto, path)
    current = OnnxModel(path, model.beside, data)
    invalid = current.shapes.invalid
    if fixes and invalid is not None and model.shapes.invalid is None:
        raise InvalidModelError(
            f"{path} is not fixed: onnx's checker would refuse the result: {invalid}"
        )
    return FixedOnnx(data, tuple(fixes), invalid, plan.check(path, current))


def write_fixed(path: str, fixed: FixedOnnx) -> tuple[str, list[str]]:
    """The new file beside ``path``, and what onnx and the runtimes that are installed say of it.

    Raises:
        InvalidModelError: the file exists.
    """
    target = fixed_path(path)

    def require_new() -> None:
        if os.path.lexists(target):
            raise InvalidModelError(
                f"{target} exists: move it away, --fix replaces no file"
            )

    require_new()
    write_whole([(target, (fixed.data,))], ready=require_new)
    if fixed.invalid is None:
        checker = "accepts it"
    else:
        checker = f"refuses it: {fixed.invalid}"
    return target, [f"onnx's checker {checker}", *_opinions(target)]


def _opinions(path: str) -> Iterator[str]:
    """What the runtimes that are installed say of the new file, each in a child process."""
    if is_installed("onnxruntime"):
        loads = False
        with suppress(subprocess.TimeoutExpired):
            child = subprocess.run(
                command(_LOAD, path), capture_output=True, timeout=_SECONDS, check=False
            )
            loads = child.returncode == 0
        yield f"ONNX Runtime {'loads it' if loads else 'does not load it'}"
    if is_installed("openvino"):
        from ovgather.runtimes.load import Load, load

        [complaint] = load([Load(path, until="compile")])
        if complaint is None:
            yield "OpenVINO reads and compiles it"
        else:
            yield f"OpenVINO does not take it: {complaint.stage}: {complaint.message}"


def _inline(model: OnnxModel) -> tuple[Any, list[str]]:
    """Replace the calls of functions by their nodes, since OpenVINO converts no functions."""
    if not model.proto.functions or multiplied(model.proto) > 0:
        return model.proto, []
    from onnx import inliner

    try:
        whole = inliner.inline_local_functions(model.proto)
    except (
        Exception
    ):  # of onnx, without a common class: a call that does not fit its function
        return model.proto, []
    return whole, [
        f"the calls of {count(len(model.proto.functions), 'function')} are their nodes"
    ]


def _raise_opset(model: OnnxModel) -> tuple[Any, list[str]]:
    """Import the first opset that has all Gather nodes."""
    missing = [
        node
        for node in gather_nodes(model)
        if node.operation is None and not node.graph.is_function
    ]
    if not missing or missing[0].graph.opset is None:
        return model.proto, []
    from onnx import version_converter

    first = max(
        min(each.version for each in onnx.OPERATIONS if each.type == node.proto.op_type)
        for node in missing
    )
    opset = missing[0].graph.opset
    proto = type(model.proto)()
    proto.CopyFrom(model.proto)
    # The converter knows no node that the old opset lacks: such a model is one of the new opset already, but for nodes
    # that changed in between, and the checker looks at those.
    try:
        proto = version_converter.convert_version(model.proto, first)
    except Exception:  # of onnx, without a common class
        for item in proto.opset_import:
            if item.domain in ("", "ai.onnx"):
                item.version = first
    return proto, [f"the model imports opset {first}, not {opset}"]


def _each_node(
    model: OnnxModel, change: Callable[[GatherNode], str | None]
) -> tuple[Any, list[str]]:
    done = []
    names = Counter(
        tensor.name
        for graph in model.graphs
        if not graph.is_function
        for tensor in graph.proto.initializer
    )
    for node in gather_nodes(model):
        words = None
        if (
            node.operation is not None
            and not node.graph.is_function
            and len(node.proto.input) == 2
            # Of two tensors with one name each runtime takes another one.
            and names[node.proto.input[1]] < 2
        ):
            words = change(node)
        if words is not None:
            done.append(f"node {node.reference.name!r}: {words}")
    return model.proto, done


def _from_front(model: OnnxModel) -> tuple[Any, list[str]]:
    """Write negative constant indices from the front: it means the same, and every release takes it."""
    return _each_node(model, _indices_from_front)


def _indices_from_front(node: GatherNode) -> str | None:
    values = constant_of(node, 1)
    if node.inference is not None and not node.errors:
        parts = indexed(node)
    else:
        parts = []
    if values is None or not parts or not values.size or int(values.min()) >= 0:
        return None
    if not all(
        part.size.is_static and int(part.values.min()) >= -part.size.min
        for part in parts
    ):
        return None
    import numpy
    from onnx import helper, numpy_helper

    lengths = numpy.array([part.size.min for part in parts], values.dtype)
    rows = values.reshape(-1, len(parts))
    fixed = numpy.where(rows < 0, rows + lengths, rows).reshape(values.shape)
    name = f"{node.proto.input[1]}/from_front/{node.place}"
    tensor = numpy_helper.from_array(fixed, name)
    made = helper.make_node("Constant", [], [name], value=tensor)
    node.proto.input[1] = name
    node.graph.proto.node.insert(0, made)
    return "negative indices are counted from the front"


def _cast_indices(model: OnnxModel) -> tuple[Any, list[str]]:
    """Cast indices of a type that the operation does not take to int64."""
    return _each_node(model, _cast_of)


def _cast_of(node: GatherNode) -> str | None:
    kind = node.type_names[1]
    accepted = INDEX_TYPES.get(node.proto.op_type, _USUAL_INDEX_TYPES)
    if kind is None or kind in accepted or not kind.startswith(("int", "uint")):
        return None
    from onnx import TensorProto, helper

    name = f"{node.proto.input[1]}/int64/{node.place}"
    made = helper.make_node("Cast", [node.proto.input[1]], [name], to=TensorProto.INT64)
    nodes = node.graph.proto.node
    place = list(nodes).index(node.proto)
    node.proto.input[1] = name
    nodes.insert(place, made)
    return f"indices of {kind} are cast to int64"


def _correct_attributes(model: OnnxModel) -> tuple[Any, list[str]]:
    """Write an axis that is a whole number as an integer."""
    return _each_node(model, _integer_axis)


def _integer_axis(node: GatherNode) -> str | None:
    from onnx import AttributeProto

    for attribute in node.proto.attribute:
        is_real = attribute.type == AttributeProto.FLOAT and attribute.f.is_integer()
        if attribute.name in ("axis", "batch_dims") and is_real:
            number = int(attribute.f)
            name = attribute.name
            attribute.Clear()
            attribute.name = name
            attribute.type = AttributeProto.INT
            attribute.i = number
            return f"{name} is the integer {number}"
    return None


def _own_outputs(model: OnnxModel) -> tuple[Any, list[str]]:
    """Put an Identity before what the body of a Loop gives as it is."""
    from onnx import helper

    done = []
    for graph, values in model.scopes:
        outer = None if graph.outer is None else graph.outer.proto.node[graph.place]
        if outer is None or graph.is_function or outer.op_type != "Loop":
            continue
        for output in passed_outputs(graph.proto):
            given = output.name
            if values.owner(given)[0] is None:
                continue  # nothing gives it
            output.name = f"{given}/given"
            made = helper.make_node("Identity", [given], [output.name])
            graph.proto.node.append(made)
            loop = node_name(outer, graph.place)
            done.append(f"the body of {loop!r} gives {given!r} by an Identity")
    return model.proto, done


_FIXES = (
    _inline,
    _raise_opset,
    _from_front,
    _cast_indices,
    _correct_attributes,
    _own_outputs,
)
