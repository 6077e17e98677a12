"""What: a tensor in the file has fewer or more values than its dims and its type need, none at all, values in two
fields or in the field of another type; or its dims are negative or give more elements than can be counted.
Why: the values are unknown, and a reader that trusts the dims allocates terabytes.
Not checked: the length of ``raw_data`` above 4 MiB in a ``ModelProto`` in memory, since protobuf tells it only by a
copy. ``validate`` checks it in the bytes of the model.
OpenVINO: counts whole elements: it refuses the model, or passes over a rest of bytes. A scalar without a value is 0; an
initializer without values becomes an input of the model. It reads nothing that no node reads, and no segments.
Runtimes: ONNX Runtime does not load the model, except with values in two fields: it uses one of them; and with a tensor
of the main graph that nothing reads.
Bad::
    dims: 1099511627776  data_type: FLOAT  raw_data: "\\000\\000\\200?"
Good::
    dims: 1  data_type: FLOAT  raw_data: "\\000\\000\\200?"
"""

from collections.abc import Iterator
from typing import Any

from ovgather.onnx_file.graphs import OnnxGraph, names_of, needed_nodes, tensors_in
from ovgather.onnx_file.tensors import (
    TensorError,
    is_read_by_openvino,
    needed_bytes,
    require_form,
)
from ovgather.tensor.onnx_types import NUMBERS
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG813",
    "values that do not match the dims of their tensor",
    "error",
    "rejects accepts",
    onnxruntime="rejects",
)


def check(file: OnnxFile) -> Findings:
    for graph in file.model.graphs:
        for tensor, place in _stored(graph.proto):
            try:
                require_form(tensor, file.model.is_object)
            except TensorError as error:
                if tensor.name:
                    subject = f'tensor "{tensor.name}"'
                else:
                    subject = "a tensor"
                is_read, is_loaded = _is_accepted(graph, tensor, place)
                yield file.report(
                    RULE,
                    f"{subject}: {error}",
                    openvino="accepts" if is_read else "rejects",
                    onnxruntime="accepts" if is_loaded else "rejects",
                )


def _stored(graph: Any) -> Iterator[tuple[Any, int | None]]:
    """The tensors of a graph, with the place of the node that holds one."""
    for tensor in getattr(graph, "initializer", ()):
        yield tensor, None
    for sparse in getattr(graph, "sparse_initializer", ()):
        yield sparse.values, None
        yield sparse.indices, None
    for place, node in enumerate(graph.node):
        for tensor in tensors_in(node):
            yield tensor, place


def _is_accepted(graph: OnnxGraph, tensor: Any, place: int | None) -> tuple[bool, bool]:
    """Whether OpenVINO and ONNX Runtime take a tensor in spite of its values."""
    is_global = place is None and graph.outer is None
    names = names_of(graph.proto)
    if place is None:
        is_used = tensor.name in names
        is_named = is_used
    else:
        is_used = place in needed_nodes(graph.proto)
        is_named = not names.isdisjoint(graph.proto.node[place].output)
    is_read = is_read_by_openvino(tensor)
    has_all = bool(is_read) and len(tensor.raw_data) == needed_bytes(tensor)
    if is_read is None:
        is_read = is_global or (place is not None and not tensor.dims)
    is_dropped = graph.outer is None and not is_named and tensor.HasField("raw_data")
    is_typed = tensor.data_type in NUMBERS
    is_loaded = has_all or tensor.HasField("segment") or (is_typed and is_dropped)
    # OpenVINO looks at each initializer, but not at its values.
    is_looked_at = place is None and tensor.HasField("segment")
    return is_read or not (is_used or is_looked_at), is_loaded
