"""Model -> inferred output shapes of its Gather layers, ready to be shown."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ovgather.errors import InvalidModelError, UnreadableError
from ovgather.forward.run import Forward
from ovgather.forward.sources import without_hidden_symbols
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.formats import AnyGather, AnyModel, AnySource, read
from ovgather.layers.gather_layer import GatherLayer, gather_layers, is_family
from ovgather.layers.inputs import matched, parameters, parsed
from ovgather.layers.layer_facts import comparison
from ovgather.layers.reference import reference
from ovgather.layers.tensors import computed_tensor, input_tensor, port_tensor
from ovgather.ops.inference import Inference
from ovgather.tensor.guard import guarded, weights_are_named
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor
from ovgather.validation.check import problem_of, require_weights
from ovgather.validation.facts.edges import upstream
from ovgather.validation.foreign_weights import with_own_values
from ovgather.verbs.blockers import Blocker, blockers
from ovgather.verbs.infer.records import (
    Inferred,
    InferredFile,
    RefusedLayer,
    TensorRecord,
    Typed,
)
from ovgather.verbs.refused_shapes import advice
from ovgather.verbs.shapes import outputs, reshaped, why

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel
    from ovgather.runtimes.load import Shapes


@weights_are_named
@guarded
def infer(
    source: AnySource,
    layer: str | None = None,
    *,
    weights: str | os.PathLike[str] | bytes | None = None,
    input_shapes: Mapping[str, object] | None = None,
    with_openvino: bool = False,
    all: bool = False,
    follow_links: bool = False,
) -> InferredFile:
    """The inferred output shape of every Gather layer of a model, as ``ovgather infer`` prints it.

    Args:
        source, weights, follow_links: what is read, with which ``.bin``; see ``ovgather.read``.
        layer: only this layer, by name or id.
        input_shapes: shapes for inputs of the model, by name, each as ``PartialShape.of`` takes it; what they make of
            the layers behind is inferred.
        with_openvino: let OpenVINO, in a child process, infer the shapes as well, and compare ours with its.
        all: give every tensor of every layer of an IR.

    Returns:
        An ``InferredFile``: ``layers`` is a list of ``Inferred``, and ``error`` says why the file could not be read.

    Raises:
        InvalidModelError: no layer, or more than one, answers to ``layer``; or there is no such input.
        UnavailableError: OpenVINO is asked for, but it is not installed.

    >>> infer("samples_xml/demo/good.xml", layer="word_embedding").layers[0].output.shape
    '[?,6,4]'
    >>> first = infer("samples_xml/demo/good.xml", input_shapes={"token_ids": ["batch", 6]}).layers[0]
    >>> first.output.named, first.status, first.axis_source
    ('[batch,6,4]', 'match', 'const')
    """
    model = read(source, weights, follow_links=follow_links)
    shapes = parsed(input_shapes or {})
    if not isinstance(model, Model):
        return _infer_nodes(model, layer, shapes, with_openvino)
    require_weights(model)
    try:
        if (problem := problem_of(model)) is not None:
            return InferredFile(model.path, [], problem)
        return _infer_layers(model, layer, shapes, with_openvino, all)
    except UnreadableError as error:  # weights at an address, while they are read
        return InferredFile(model.path, [], str(error))


def _infer_layers(
    model: Model,
    layer: str | None,
    input_shapes: Mapping[str, PartialShape],
    with_openvino: bool,
    all: bool,
) -> InferredFile:
    unused_weights = model.unused_weights
    model = with_own_values(model)
    only = None
    if layer is not None:
        only = model.find(layer)
    if only is not None and not is_family(only) and not all:
        raise InvalidModelError(
            f"{model.path}: layer {layer!r} is a {_kind(only)}: no operation of the Gather family"
        )
    forward = reshaped(model, input_shapes)
    if with_openvino:
        answers, refusal = runtime_shapes(model, matched(model, input_shapes))
    else:
        answers = None
        refusal = None
    gathers = {gather.layer.offset: gather for gather in gather_layers(model)}
    if only is not None:
        layers = [only]
    else:
        layers = list(model.layers())
    records = []
    for each in filter(is_family, layers):
        gather = gathers.get(each.offset)
        if gather is None:
            records.append(_without_operation(model, each))
            continue
        if input_shapes:
            record = _updated(gather, forward)
        else:
            record = _inferred(gather)
        if record.inference is not None:
            answer = (answers or {}).get((each.body, each.name))
            record = record._replace(openvino=_compared(answer, record.inference.shape))
        records.append(record)
    refusing: list[RefusedLayer] = []
    if input_shapes or all:
        refusing = [_refused(model, each) for each in blockers(model, forward)]
    refused = next(iter(refusing), None)
    unchecked = [
        reference(each)
        for each in layers
        if all or input_shapes
        if _is_unchecked(forward, each)
    ]
    tensors = None
    if all:
        tensors = _tensors(model, forward, only)
    inputs = {
        each.name: _known(forward.outputs[each.offset][0])
        for each in parameters(model)
        if each.offset in forward.outputs
    }
    return InferredFile(
        model.path,
        records,
        None,
        refused,
        tuple(unchecked),
        refusal,
        tensors,
        tuple(refusing),
        inputs,
        unused_weights,
    )


def _refused(model: Model, blocker: Blocker) -> RefusedLayer:
    refusal = blocker.refusal
    help = advice(model, blocker.forward, refusal, blocker.frozen)
    return RefusedLayer(reference(refusal.layer), str(refusal.error), help)


def _is_unchecked(forward: Forward, layer: Layer) -> bool:
    """Whether the type of ``layer`` has no declaration."""
    return layer.type in forward.unchecked


def _tensors(model: Model, forward: Forward, only: Layer | None) -> list[TensorRecord]:
    return [
        TensorRecord(reference(layer), index, _known(tensor), why(tensor), tensor.basis)
        for layer, index, tensor in outputs(model, forward)
        if only is None or layer is only
    ]


def _known(tensor: Tensor) -> Typed:
    kind = None if tensor.element_type == "dynamic" else tensor.element_type
    return _typed(without_hidden_symbols(tensor.shape), kind)


def _infer_nodes(
    model: OnnxModel,
    layer: str | None,
    input_shapes: Mapping[str, PartialShape],
    with_openvino: bool,
) -> InferredFile:
    """The same of an ONNX model: onnx infers what ``input_shapes`` make of the nodes in between."""
    from ovgather.layers.onnx_node import gather_nodes
    from ovgather.onnx_file.graphs import value_of

    if model.problem is not None:
        return InferredFile(model.path, [], model.problem)
    shapes = matched(model, input_shapes)
    old = {}
    if with_openvino:
        answers, refusal = runtime_shapes(model, shapes)
    else:
        answers = None
        refusal = None
    shapes_of_inputs = {
        model.inputs[position].name: shape for position, shape in shapes.items()
    }
    if input_shapes:
        old = {node.reference: node.shapes for node in gather_nodes(model)}
        model = model.reshaped(shapes_of_inputs)
    records = []
    for node in gather_nodes(model, layer):
        where = tuple(_BODIES.get(step, step) for step in node.graph.path)
        names = (node.reference.name, *node.proto.output[:1])
        shapes_there = next(
            filter(None, ((answers or {}).get((where, name)) for name in names)), None
        )
        theirs = None
        if node.inference is not None:
            theirs = _compared(shapes_there, node.inference.shape)
        is_updated = node.shapes != old.get(node.reference, node.shapes)
        records.append(_inferred(node)._replace(updated=is_updated, openvino=theirs))
    values = {item.name: value_of(item) for item in model.inputs}
    inputs = {
        name: _typed(shapes_of_inputs.get(name, value.shape), value.element_type)
        for name, value in values.items()
    }
    return InferredFile(model.path, records, openvino=refusal, inputs=inputs)


# As OpenVINO calls them.
_BODIES = {
    "then_branch": "then_body",
    "else_branch": "else_body",
}


def runtime_shapes(
    model: AnyModel, shapes: Mapping[int, PartialShape]
) -> tuple[Shapes | None, str | None]:
    """The shapes that OpenVINO infers for other ``shapes`` of inputs, by position, or its error."""
    from ovgather.runtimes.load import reshape

    return reshape(model, shapes)


def _inferred(gather: AnyGather) -> Inferred:
    output = _output(gather, gather.inference)
    if gather.output_is_declared:
        output = Typed(
            str(gather.declared), next(iter(gather.type_names), None), is_declared=True
        )
    return Inferred(
        layer=gather.reference,
        operation=gather.title,
        inputs=_inputs(gather.shapes, gather.type_names),
        has_axis=gather.operation is not None and gather.operation.has_axis,
        axis=gather.axis,
        axis_source=gather.axis_source,
        batch_dims=gather.batch_dims,
        output=output,
        declared=str(gather.declared) if gather.declared is not None else None,
        status=gather.status,
        inference=gather.inference,
        error=gather.problem,
        axis_note=gather.axis_note,
    )


def _updated(gather: GatherLayer, forward: Forward) -> Inferred:
    """The record of a layer where other shapes may reach it."""
    record = _inferred(gather)
    shapes = _flowing(gather, forward)
    if shapes == gather.shapes and not any(shape.symbolic for shape in shapes):
        return record
    errors, inference = gather.operation.check_and_infer(
        shapes, gather.declared_axis, gather.batch_dims
    )
    return record._replace(
        inputs=_inputs(shapes, gather.type_names),
        output=_output(gather, inference),
        status=comparison(
            inference.shape if inference is not None else None, gather.declared
        ),
        inference=inference,
        error=str(errors[0]) if errors else None,
        behind=_behind(gather.layer, forward),
        updated=True,
    )


def _flowing(gather: GatherLayer, forward: Forward) -> list[PartialShape]:
    """The shapes that flow into a layer."""
    shapes = [*gather.shapes]
    for index, source in enumerate(gather.sources[: len(shapes)]):
        tensor = computed_tensor(forward, source)
        if tensor is not None:
            shapes[index] = without_hidden_symbols(tensor.shape)
    return shapes


def _behind(layer: Layer, forward: Forward) -> str | None:
    """The nearest layer before ``layer`` whose type has no declaration, if there is one."""
    if forward.unchecked:
        for each in upstream(layer):
            if each is not layer and _is_unchecked(forward, each):
                return f'{each.type} {each.id} "{each.name}"'
    return None


def _without_operation(model: Model, layer: Layer) -> Inferred:
    """A layer of the family whose version does not say which operation it is."""
    from ovgather.ir.opsets import spelling, where

    kind = spelling(layer.type) or layer.type
    opsets = where(kind)
    tensors = [
        input_tensor(model, layer, index) for index in range(min(2, len(layer.inputs)))
    ]
    types = [
        tensor.element_type.name if tensor.element_type is not None else None
        for tensor in tensors
    ]
    if layer.version:
        problem = f"{layer.version} has no {kind}; it"
    else:
        problem = f"the layer has no version; {kind}"
    return Inferred(
        layer=reference(layer),
        operation=_kind(layer),
        inputs=_inputs([tensor.shape for tensor in tensors], types),
        declared=str(port_tensor(layer.outputs[0]).shape) if layer.outputs else None,
        error=f"{problem} is in {opsets[0]} to {opsets[-1]}",
    )


def _kind(layer: Layer) -> str:
    if layer.version:
        return f"{layer.type} ({layer.version})"
    return layer.type


def _inputs(
    shapes: list[PartialShape], types: list[str | None]
) -> list[tuple[str, Typed]]:
    return [
        (name, _typed(shape, kind))
        for name, shape, kind in zip(("data", "indices"), shapes, types, strict=False)
    ]


def _output(gather: AnyGather, inference: Inference | None) -> Typed | None:
    if inference is not None:
        return _typed(inference.shape, next(iter(gather.type_names), None))
    return None


def _typed(shape: PartialShape, kind: str | None) -> Typed:
    return Typed(str(shape), kind, shape.named if shape.symbolic else None)


def _compared(
    shapes: list[PartialShape] | None, ours: PartialShape
) -> tuple[str, str] | None:
    """OpenVINO's shape of the layer, the first of ``shapes``, and how ours compares."""
    if not shapes:
        return None
    theirs = shapes[0]
    if not ours.compatible(theirs):
        return str(theirs), "different"
    both = ours & theirs
    words = {
        (True, True): "equal",
        (True, False): "narrower",
        (False, True): "wider",
        (False, False): "overlaps",
    }
    return str(theirs), words[both == ours, both == theirs]
