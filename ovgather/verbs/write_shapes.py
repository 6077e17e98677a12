"""An IR file with inferred dims written into its ports; everything else stays as it is, to the byte."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ovgather.errors import InvalidModelError, UnreadableError
from ovgather.ir.edit.edits import Patched
from ovgather.ir.edit.port_text import dims_edits
from ovgather.ir.edit.text_file import Encoding, Held
from ovgather.ir.model import Model
from ovgather.ir.positions import Span, element_of
from ovgather.ir.read import read
from ovgather.ir.text import Edit
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.infer import follow
from ovgather.verbs.usable import usable

if TYPE_CHECKING:
    from ovgather.layers.shape_propagation import Flow

_WHY = "an inferred shape"


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
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UnreadableError(f"{os.fspath(path)}: cannot be read: {error.strerror}") from error
    model = usable(read(Held(data, os.fspath(path)), weights, follow_links=follow_links))
    if model.snippet or model.source.edits:
        raise InvalidModelError(f"{model.path}: no shapes can be written into it, it is no well-formed IR")
    encoding = Encoding(data)
    flow, refused = follow(model, input_shapes or {}, with_openvino, whole=True)
    if refused:
        raise InvalidModelError(f"{model.path}: OpenVINO gives no shapes: {refused}")
    patched = Patched(encoding.text)
    patched.apply([Edit(begin, end - begin, text, _WHY) for (begin, end), text in _edits(model, flow)])
    return encoding.encode(patched.text)


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
