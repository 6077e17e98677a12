"""The element types that ONNX Runtime has no kernels for on the CPU: measured by ``tools/measure_kernels.py``."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ovgather.onnx_file.graphs import graphs
from ovgather.onnx_file.schemas import schema_of
from ovgather.tensor.onnx_types import NUMBERS

_ANY = "*"
_SWITCH = (0, 1)
_FORWARD = (0,)
_ACCEPTED_NUMBERS: dict[str, dict[str, tuple[int, ...]]] = {
    "CumSum": {"exclusive": _SWITCH, "reverse": _SWITCH},
    "GRU": {"layout": _FORWARD},
    "LSTM": {"layout": _FORWARD},
    "RNN": {"layout": _FORWARD},
}
"""The numbers of attributes that kernels take: measured."""


@cache
def _table() -> dict[str, dict[str, Any]]:
    """By operation and version the parameters of types, and products of types that have no kernel."""
    path = Path(__file__).with_suffix(".json")
    table: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return table


def lacking(model: Any) -> Iterator[str]:
    """The nodes that ONNX Runtime has no kernel for, of a model in which onnx has inferred the types."""
    known: dict[tuple[str, ...], dict[str, str]] = {}
    for graph in graphs(model):
        if graph.is_function:
            continue
        types = dict(known.get(graph.outer.path, {})) if graph.outer else {}
        proto = graph.proto
        for item in (*proto.input, *proto.value_info, *proto.output):
            types[item.name] = NUMBERS.get(item.type.tensor_type.elem_type, "")
        for tensor in proto.initializer:
            types[tensor.name] = NUMBERS.get(tensor.data_type, "")
        known[graph.path] = types
        for node in proto.node:
            accepted = {} if node.domain else _ACCEPTED_NUMBERS.get(node.op_type, {})
            for attribute in node.attribute:
                number = attribute.i
                if number not in accepted.get(attribute.name, (number,)):
                    name = f"{node.op_type} whose {attribute.name} is {number}"
                    yield f"ONNX Runtime has no kernel for {name}"
            if not node.domain and node.op_type in _table():
                unsupported = _unsupported(node, graph.opset or 1, types)
                if unsupported is not None:
                    yield f"ONNX Runtime has no kernel for {node.op_type} of {unsupported}"


def _unsupported(node: Any, opset: int, types: Mapping[str, str]) -> str | None:
    """The types of a node without a kernel, as onnx names them."""
    schema = schema_of(node.op_type, opset)
    if schema is None:
        return None
    entry = _table()[node.op_type].get(str(schema.since_version))
    if entry is None:
        return None
    given: dict[str, str] = {}
    for names, ports in ((node.input, schema.inputs), (node.output, schema.outputs)):
        for place, name in enumerate(names if ports else ()):
            parameter = ports[min(place, len(ports) - 1)].type_str
            if types.get(name):
                given.setdefault(parameter, types[name])
    for product in entry["lacking"]:
        pairs = [*zip(entry["types"], product, strict=True)]
        if all(
            listed == _ANY or given.get(parameter) in listed.split()
            for parameter, listed in pairs
        ):
            return ", ".join(given[each] for each, listed in pairs if listed != _ANY)
    return None
