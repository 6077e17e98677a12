"""What: the ``precision`` of the output port of a Gather layer is not the element type of its ``data``.

Why: Gather does not convert values. Tools that trust the port are misled. The model runs correctly, so the finding is a
note.

OpenVINO: requires a known precision there, and ignores which one.

Bad::

    <output><port id="2" precision="I32"/></output>   <!-- data f32 -->

Good::

    <output><port id="2" precision="FP32"/></output>
"""

from functools import partial

from ovgather.ir.graph import Layer
from ovgather.layers.gather_layer import GatherLayer
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType
from ovgather.validation.context import File, Findings
from ovgather.validation.diagnostic import Fix

CODE = "OVG205"
TITLE = "declared output precision that differs from data"
SEVERITIES = ("note",)
VERDICTS = ("accepts",)


def check(file: File) -> Findings:
    """The precision of each output port of the family."""
    for gather in file.gather_layers_where(lambda gather: _differing(gather) is not None):
        types = _differing(gather)
        if types is None:
            continue
        made, declared = types
        span = file.port_span(gather.layer, "output", 0, attribute="precision")
        message = f"the output is declared {declared.port}, but data is {made.port} and Gather converts nothing"
        yield file.report(
            CODE,
            "note",
            message,
            span,
            layer=gather.layer,
            openvino="accepts",
            effect="ignores which precision an output port names",
            help=f"should be {made.port}",
            fix=partial(_fix, file, gather.layer),
        )


def _differing(gather: GatherLayer) -> tuple[ElementType, ElementType] | None:
    """The element type of data and that of the output port, where they differ."""
    made = gather.output_type
    if made is None or made.name == "dynamic" or not gather.layer.outputs:
        return None
    text = gather.layer.outputs[0].precision
    declared = element_type.from_port(text) if text is not None else None
    differ = declared is not None and declared.name != "dynamic" and declared != made
    return (made, declared) if declared is not None and differ else None


def _fix(file: File, layer: Layer) -> Fix | None:
    kind = file.fixes.known(layer, "output", 0).element_type
    return file.fixes.precision(layer, "output", 0, kind) if kind else None
