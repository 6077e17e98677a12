"""An IR file with inferred dims written into its ports; everything else stays as it is, to the byte."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ovgather.errors import InvalidModelError
from ovgather.ir.edit.port_text import dims_edits
from ovgather.ir.model import Model
from ovgather.ir.positions import Span, element_of
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.edited import edit, edited, read_file, require_well_formed
from ovgather.verbs.infer import follow
from ovgather.verbs.usable import usable

if TYPE_CHECKING:
    from ovgather.layers.shape_propagation import Flow


def with_shapes(
    path: str | os.PathLike[str],
    weights: str | None = None,
    *,
    input_shapes: Mapping[str, PartialShape] | None = None,
    with_openvino: bool = False,
    follow_links: bool = False,
) -> bytes:
    """The content of the file ``path`` with inferred shapes in it; for the arguments and errors see ``infer``.

    Written are the ports of family layers, those of layers between them that keep a shape, the inputs that are given
    another shape, and every input port that such a tensor flows into. ``with_openvino`` writes all ports.
    """
    data, model = read_file(path, weights, follow_links)
    model = usable(model)
    require_well_formed(model, "no shapes")
    flow, refused = follow(model, input_shapes or {}, with_openvino, whole=True)
    if refused:
        raise InvalidModelError(f"{model.path}: OpenVINO gives no shapes: {refused}")
    return edited(data, (edit(span, text) for span, text in _edits(model, flow)))


def _edits(model: Model, flow: Flow) -> Iterator[tuple[Span, bytes]]:
    for layer in model.layers():
        outputs = {index: shape for index in range(len(layer.outputs)) if (shape := flow.output(layer, index))}
        inputs = {index: shape for index in range(len(layer.inputs)) if (shape := flow.input(layer, index))}
        if not outputs and not inputs:
            continue
        element = element_of(model.source, layer)
        for side, shapes in (("input", inputs), ("output", outputs)):
            parent, ports = element.first(side), element.ports(side)
            for index, shape in shapes.items():
                if shape.dims is not None and parent is not None and index < len(ports):
                    dims = [dim.min if dim.is_static else -1 for dim in shape.dims]
                    yield from dims_edits(parent, ports[index], dims)
        data = element.first("data")
        if layer.type == "Parameter" and 0 in outputs and data is not None and "shape" in layer.data:
            yield data.attribute_span("shape", "both"), f'shape="{str(outputs[0])[1:-1]}"'.encode()
