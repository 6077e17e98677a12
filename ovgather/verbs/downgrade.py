"""An IR for an earlier release: layers as earlier versions of their operations, where that is exact, and IR v10."""

import os
from collections.abc import Iterator

from ovgather.comparison.report import FAILING
from ovgather.errors import InvalidModelError, OvgatherError
from ovgather.ir.constants import all_bytes
from ovgather.ir.edit.edits import Held
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.positions import Span, element_of, tag_at
from ovgather.layers.gather_layer import GatherLayer, gather_layers
from ovgather.layers.reference import called, key_of, reference
from ovgather.ops import openvino as ops
from ovgather.ops.operation import Operation
from ovgather.targets.needs import Need, needs
from ovgather.targets.purpose import Purpose
from ovgather.targets.release import Release, newest, reading
from ovgather.validation.check import check_file, usable
from ovgather.verbs.written_model import (
    LayerModel,
    edited,
    listed,
    origins_of,
    read_file,
    require_well_formed,
)

_WITH_OPSETS = ("10", "11")
"""The first IR version whose layers are those of opsets."""


def downgrade(
    path: str, target: Release, weights: str | None = None, follow_links: bool = False
) -> LayerModel:
    """The IR at ``path`` for ``target``, with a copy of its ``.bin``; ``inputs`` says what was changed.

    Raises:
        UnreadableError: the file cannot be read.
        InvalidModelError: it cannot be written for ``target`` without another meaning; the message says why.
        UnavailableError: a layer is to be rewritten, and openvino is not installed.
    """
    data, whole = read_file(path, weights, follow_links)
    model = usable(whole)
    require_well_formed(model)
    highest = newest("ir_versions", target)
    refused = f"{path} cannot be written for OpenVINO {target}"
    if highest not in _WITH_OPSETS:
        raise InvalidModelError(f"{refused}: it reads IR versions up to {highest} only")
    gathers = {id(gather.layer): gather for gather in gather_layers(model)}
    edits: list[tuple[Span, bytes]] = []
    changes = []
    layers = []
    refusals: list[str] = []
    for need in needs(model):
        if need.reading.read_by(target):
            continue
        if need.kind == "ir":
            refusals += _lost(model, need)
            edits.append(
                (
                    tag_at(model.source, model.graph.offset).attribute_span("version"),
                    b"10",
                )
            )
            changes.append(f"IR version {need.reading.name} as 10")
        for layer in need.layers:
            try:
                operation = _earlier(layer, gathers.get(id(layer)), need, target)
            except InvalidModelError as error:
                refusals.append(f"{called(reference(layer))}: {error}")
                continue
            version = tag_at(model.source, layer.offset).attribute_span("version")
            edits.append((version, operation.opsets[0].encode()))
            if "batch_dims" in layer.data and not operation.has_batch_dims:
                attributes = element_of(model.source, layer).first("data")
                assert attributes is not None  # the attribute was read from there
                edits.append((attributes.attribute_span("batch_dims", "both"), b""))
            changes.append(f"{called(reference(layer))} as {operation.name}")
            layers.append(key_of(layer))
    if refusals:
        raise InvalidModelError(f"{refused}: {listed(refusals)}")
    text = edited(data, edits)
    _check(text, layers, model, target, refused)
    values = all_bytes(whole.weights)
    if values is None:
        raise OvgatherError(
            f"{os.path.basename(whole.weights_path or path)} was changed meanwhile"
        )
    return LayerModel(
        os.path.basename(path), text, (values,), tuple(changes), (), origins_of(whole)
    )


def _lost(model: Model, need: Need) -> Iterator[str]:
    """What an IR v10 does not say that this file says."""
    for layer in model.layers():
        if any(-1 in port.dims for port in (*layer.inputs, *layer.outputs)):
            static = "does not take before 2022.1 (ovgather infer --input-shape ... --write makes them static)"
            has = f"{called(reference(layer))} has dynamic dims, which the reader of v10 {static}"
            yield f"IR version {need.reading.name}: {has}"
            return
    names = [layer.name for layer in model.graph.layers]
    if len(set(names)) < len(names):
        yield "IR version 10 wants every layer of a graph to have a name of its own"


def _earlier(
    layer: Layer, gather: GatherLayer | None, need: Need, target: Release
) -> Operation:
    """The version of the operation that ``target`` has; an error where none means the same."""
    if need.kind != "opset":
        raise InvalidModelError(
            f"{need.reading.name} is read by OpenVINO {need.reading.span}"
        )
    if gather is None:
        read = f"{layer.type} {layer.version} is read by OpenVINO {need.reading.span}"
        raise InvalidModelError(f"only Gather layers are rewritten, and {read}")
    versions = [each for each in ops.OPERATIONS if each.type == gather.operation.type]
    fitting = [
        each
        for each in versions
        if (opset := reading(each.opsets[0])) and opset.read_by(target)
    ]
    if not fitting:
        raise InvalidModelError(f"{target} has no {gather.operation.type}")
    earlier = fitting[-1]
    if earlier.version >= gather.operation.version:
        return gather.operation
    if (reason := _differs(gather, earlier)) is not None:
        raise InvalidModelError(f"{earlier.name} is not the same: {reason}")
    return earlier


def _differs(gather: GatherLayer, earlier: Operation) -> str | None:
    """Why ``earlier`` does not mean the same as the operation of ``gather``; None: it does."""
    if gather.batch_dims and not earlier.has_batch_dims:
        return f"it has no batch_dims, and here they are {gather.batch_dims}"
    if gather.batch_dims > 1 and earlier.type == "GatherND":
        return f"it merges the {gather.batch_dims} batch dims of the output"
    const = gather.constant(1)
    values = None
    if const is not None:
        values = const.integers()
    now = gather.operation
    if now.negative_indices == "counted" and earlier.negative_indices == "excluded":
        if values is None:
            return "a negative index is not defined in it, and the indices are no constants"
        if min(values, default=0) < 0:
            return "a negative index is not defined in it, and one of the indices is"
    if now.out_of_range in ("undefined", earlier.out_of_range):
        return None
    data = gather.shapes[0]
    axis = gather.axis
    is_known = (
        data.rank is not None and axis is not None and -data.rank <= axis < data.rank
    )
    if is_known and data[axis or 0].min > max(values or (), default=-1):
        return None
    return "an index out of range is not defined in it, and not all of the indices are known to be inside"


def _check(
    text: bytes, layers: list[str], model: Model, target: Release, refused: str
) -> None:
    """Raise InvalidModelError if the rules find something against ``target``, or a layer gives other values."""
    from ovgather.comparison.entry import crosscheck

    weights = bytes(all_bytes(model.weights) or b"")
    checked = check_file(Held(text, model.path), weights, purpose=Purpose(target))
    for finding in checked.diagnostics:
        if finding.code == "OVG861" and finding.severity == "error":
            raise InvalidModelError(f"{refused}: {finding.message}")
    for layer in layers:
        for record in crosscheck(
            text, weights=weights, layer=layer, mode="alone", variants=("none",)
        ).records:
            if record.verdict in FAILING:
                where = f"{model.path}: layer {layer}"
                raise InvalidModelError(
                    f"{where} as rewritten is {record.verdict}: {record.reason}"
                )
