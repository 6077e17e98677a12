"""Model -> inferred output shapes of its Gather layers, ready to be shown."""

from __future__ import annotations

import os
from typing import NamedTuple

from ovgather.diagnostics import LayerReference, reference
from ovgather.errors import InvalidModelError
from ovgather.ir.model import Model
from ovgather.ir.read import PathOrData, read
from ovgather.layer import GatherLayer, gather_layers


class Typed(NamedTuple):
    """A tensor in words: its shape as OpenVINO prints it, its element type or None."""

    shape: str
    element_type: str | None


class Inferred(NamedTuple):
    """What is inferred of one layer; ``error`` says why there is no output."""

    layer: LayerReference
    operation: str
    inputs: list[tuple[str, Typed]]
    has_axis: bool
    axis: int | None
    axis_source: str
    batch_dims: int
    output: Typed | None
    declared: str | None
    status: str
    reasons: tuple[str, ...]
    error: str | None


class InferredFile(NamedTuple):
    """The layers of a file; ``error`` when the file could not be read."""

    path: str
    layers: list[Inferred]
    error: str | None = None


def infer(
    source: PathOrData | Model,
    weights: str | os.PathLike[str] | bytes | None = None,
    layer: str | None = None,
) -> InferredFile:
    """The inferred output shape of every Gather layer of a file, or of the one called ``layer``.

    Raises:
        InvalidModelError: no layer, or more than one, answers to ``layer``.

    >>> text = b'<layer type="GatherElements" version="opset6"><data axis="1"/><input><port id="0"><dim>2</dim>' \\
    ...     b'<dim>5</dim></port><port id="1"><dim>2</dim><dim>3</dim></port></input></layer>'
    >>> infer(text).layers[0].output.shape
    '[2,3]'
    """
    model = source if isinstance(source, Model) else read(source, weights)
    if model.fatal:
        from ovgather.validate import check

        found = check(model)
        # What was mended on the way is not why the file cannot be read.
        reason = next((item for item in found if item.openvino == "rejects"), found[0])
        return InferredFile(model.path, [], reason.message)
    chosen = model.find(layer) if layer is not None else None
    views = [view for view in gather_layers(model) if chosen is None or view.layer is chosen]
    if chosen is not None and not views:
        kind = f"{chosen.type} ({chosen.version})" if chosen.version else chosen.type
        raise InvalidModelError(f"{model.path}: layer {layer!r} is a {kind}: no operation of the Gather family")
    return InferredFile(model.path, [_inferred(view) for view in views])


def _inferred(view: GatherLayer) -> Inferred:
    names = [item.name for item in view.operation.inputs][:2]
    kinds = [None if kind is None else kind.name for kind in view.element_types]
    inputs = [(name, Typed(str(shape), kind)) for name, shape, kind in zip(names, view.shapes, kinds, strict=False)]
    inference = view.inference
    kind = view.output_type
    output = Typed(str(inference.shape), kind.name if kind else None) if inference is not None else None
    return Inferred(
        reference(view.layer),
        view.operation.name,
        inputs,
        view.operation.axis_from is not None,
        view.axis,
        view.axis_source,
        view.batch_dims,
        output,
        str(view.declared) if view.declared is not None else None,
        view.status,
        inference.reasons if inference is not None else (),
        str(view.errors[0]) if view.errors else None,
    )
