"""What: in an IR v10, two inputs or outputs of the model have the same name: the name of the Parameter, of the layer
before the Result, or one of the tensor names (``names``) of its port.

Why: in IR v10, layer names identify inputs and outputs, so one name would identify two of them.

OpenVINO: rejects it: "Model operation names have collisions with tensor names". Names inside the model, and in IR v11,
may repeat.

Bad::

    <layer id="0" name="x" type="Parameter" …> <layer id="1" name="x" type="Parameter" …>

Good::

    <layer id="0" name="x" type="Parameter" …> <layer id="1" name="y" type="Parameter" …>
"""

from collections.abc import Iterator

from ovgather.ir.graph import Layer
from ovgather.validation.context import File, Findings

CODE = "OVG111"
TITLE = "name collision in an IR v10"
SEVERITIES = ("error",)
VERDICTS = ("rejects",)


def check(file: File) -> Findings:
    """The inputs and outputs of the whole model."""
    if file.model.ir_version != 10 or file.model.snippet:
        return
    taken: dict[str, tuple[Layer, int]] = {}
    for layer, index in _ends(file):
        for name in _names(file, layer, index):
            other, place = taken.setdefault(name, (layer, index))
            if (other.offset, place) == (layer.offset, index):
                continue
            message = (
                f'name "{name}" is taken: layer {other.id} has it too, and both are inputs or outputs of the model'
            )
            span = file.layer_span(layer)
            yield file.report(CODE, "error", message, span, layer=layer, openvino="rejects")
            break


def _ends(file: File) -> Iterator[tuple[Layer, int]]:
    """Every Parameter, and what every Result takes, with the place of the output."""
    layers = file.model.graph.layers
    yield from [(layer, 0) for layer in layers if layer.type == "Parameter"]
    for layer in layers:
        source = layer.producer(0) if layer.type == "Result" else None
        if source is not None:
            yield source


def _names(file: File, layer: Layer, index: int) -> list[str]:
    name = f"{layer.name}.{index}" if len(layer.outputs) > 1 else layer.name
    return list(dict.fromkeys((name, *file.model.tensor_names(layer, index))))
