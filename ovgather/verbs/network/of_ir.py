"""An IR as a network."""

from __future__ import annotations

import struct
from bisect import bisect_left
from contextlib import suppress
from functools import partial
from hashlib import blake2b

from ovgather.forward.attributes import read_attributes
from ovgather.ir.constants import Constant as Declared
from ovgather.ir.constants import constant
from ovgather.ir.graph import Graph, Layer, LayerSignature
from ovgather.ir.model import Crossing, Model
from ovgather.ir.opsets import known
from ovgather.layers.reference import reference
from ovgather.ops.declaration import Declaration, Refused
from ovgather.ops.declared import find
from ovgather.tensor import element_type
from ovgather.tensor.lazy import Table
from ovgather.verbs.network.records import (
    Form,
    ModelNetwork,
    NetworkConstant,
    NetworkNode,
    Output,
)

_OF_OUTPUTS = frozenset({"element_type", "offset", "shape", "size"})
"""Attributes of a Const or a Parameter that its output or its values say."""
_IDS = frozenset(
    {
        "external_port_id",
        "from-layer",
        "from-port",
        "internal_layer_id",
        "to-layer",
        "to-port",
    }
)
_LEAVES = frozenset({"Const", "Parameter"})
_LARGEST = 3e38


def of_ir(model: Model) -> ModelNetwork:
    """All layers of ``model``, those of bodies included. Raises UnreadableError for weights at an address."""
    graphs = list(model.graph.graphs())
    first: dict[int, int] = {}
    nodes: list[NetworkNode] = []
    forms = Table[LayerSignature, tuple[str, dict[str, object], list[Output]]](_form_of)
    for graph in graphs:
        first[id(graph)] = len(nodes)
        for layer in graph.layers:
            node = NetworkNode(len(nodes), reference(layer), "", layer)
            node.operation, node.attributes, node.outputs = forms[layer.signature]
            node.names = tuple(
                name
                for at in range(len(layer.outputs))
                for name in model.tensor_names(layer, at)
            )
            node.constant = _constant(model, layer)
            nodes.append(node)
    for graph in graphs:
        start = first[id(graph)]
        fed = graph.fed
        ids = graph.ids
        for row, signature in enumerate(graph.signatures):
            sources = [
                graph.output(fed.get((ids[row], port.id))) for port in signature.inputs
            ]
            nodes[start + row].inputs = [
                source and (start + source[0], source[1]) for source in sources
            ]
    for graph in graphs:
        if graph.bodies:
            for layer in graph.layers:
                if layer.bodies:
                    _join(model, layer, nodes, first)
    return ModelNetwork(model.path, model, nodes)


def _form_of(signature: LayerSignature) -> tuple[str, dict[str, object], list[Output]]:
    """Operation, attributes and outputs, which equal layers share."""
    declaration = find(signature.type, signature.version)
    if declaration is not None:
        operation = declaration.name
    elif known(
        signature.type, signature.version
    ):  # those with bodies, which have one version
        operation = signature.type
    else:
        operation = f"{signature.type} ({signature.version})"
    outputs = []
    for port in signature.outputs:
        kind = None
        if port.precision:
            kind = element_type.from_port(port.precision)
        dims = ",".join("?" if dim < 0 else str(dim) for dim in port.dims)
        outputs.append(
            Output(
                f"[{dims}]", kind.name if kind is not None else port.precision or "?"
            )
        )
    if signature.type == "Parameter" and outputs:
        shape = signature.data.get("shape")
        kind = element_type.find_data(signature.data.get("element_type", ""))
        if shape is None:
            given = outputs[0].shape
        else:
            given = f"[{shape.replace(' ', '')}]"
        outputs[0] = Output(
            given.replace("-1", "?"),
            kind.name if kind is not None else outputs[0].element_type,
        )
    return operation, _attributes(signature, declaration), outputs


def _attributes(
    signature: LayerSignature, declaration: Declaration | None
) -> dict[str, object]:
    """As OpenVINO reads them, which passes over those that are not declared; of an unknown layer as written."""
    data: dict[str, object] = {**signature.data}
    if declaration is not None:
        with suppress(Refused):
            data = {
                name: _single(value)
                for name, value in read_attributes(declaration, signature.data).items()
            }
    ignored = _OF_OUTPUTS if signature.type in _LEAVES else ()
    return {name: value for name, value in data.items() if name not in ignored}


def _single(value: object) -> object:
    """A number as OpenVINO keeps most: files of several releases write it with more digits, or fewer."""
    if isinstance(value, tuple):
        return tuple(map(_single, value))
    if isinstance(value, float) and abs(value) < _LARGEST:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    return value


def _constant(model: Model, layer: Layer) -> NetworkConstant | None:
    declared = constant(layer, model.weights)
    if declared is None:
        return None
    form = Form(declared.element_type.name, declared.element_type.name)
    return NetworkConstant(
        form,
        declared.shape,
        declared.size,
        partial(_digest, declared),
        declared.array,
        declared.offset,
    )


def _digest(declared: Declared) -> bytes | None:
    data = declared.data
    if data is None:
        return None
    return blake2b(data, digest_size=16).digest()


def _join(
    model: Model, layer: Layer, nodes: list[NetworkNode], first: dict[int, int]
) -> None:
    """Connect ``layer`` with its bodies: what it reads feeds their Parameters, and their Results feed its outputs."""

    def number(one: Layer) -> int:
        # Not by its id, which another layer may have as well.
        return first[id(one.graph)] + bisect_left(one.graph.offsets, one.offset)

    node = nodes[number(layer)]
    outside = list(node.inputs)
    node.attributes = {**node.attributes}
    # The Results by their node, with the body and the output.
    leaving: dict[int, tuple[int, int]] = {}
    # The Parameters by their node, with the input that they begin with.
    entering: dict[int, int] = {}
    places = {body.kind: at for at, body in enumerate(layer.bodies)}
    back: list[Crossing] = []
    for crossing in model.crossings(layer):
        source, target, entry = crossing
        words = f"{entry.around} {entry.name}"
        if source.layer is layer:
            at = number(target.layer)
            nodes[at].inputs.append(outside[source.place])
            entering.setdefault(at, source.place)
            words += f" {source.place}"
        elif target.layer is layer:
            at = number(source.layer)
            leaving[at] = min(
                leaving.get(at, (99, 0)),
                (places[source.layer.graph.kind], target.place),
            )
            words += f" {target.place}"
        else:
            back.append(crossing)
            continue
        node.attributes |= {
            f"{words} {name}": text
            for name, text in entry.attributes.items()
            if name not in _IDS
        }
    for body in layer.bodies:
        for result in _of_type(body, "Result"):
            leaving.setdefault(number(result), (places[body.kind], 1 << 20))
    results = sorted(leaving, key=lambda at: (leaving[at], at))
    node.inputs += [(at, 0) for at in results]
    rounds = []
    for source, target, _ in back:
        parameters = sorted(
            map(number, _of_type(target.layer.graph, "Parameter")),
            key=lambda at: (entering.get(at, 1 << 20), at),
        )
        start, end = number(source.layer), number(target.layer)
        if start in leaving and end in parameters:
            rounds.append((results.index(start), parameters.index(end)))
    if rounds:
        node.attributes["back_edges"] = sorted(rounds)


def _of_type(graph: Graph, type: str) -> list[Layer]:
    return [
        graph.layer(row)
        for row, signature in enumerate(graph.signatures)
        if signature.type == type
    ]
