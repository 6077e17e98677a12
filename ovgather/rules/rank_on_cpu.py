"""rank that the CPU does not take (OVG708)

What: a Parameter of dynamic rank, or a tensor of more than 32 dims.

Why: the file is right, but runs on no CPU.

OpenVINO: reads the file and refuses it when it compiles it for the CPU: "CPU plug-in doesn't support Parameter
operation with dynamic rank", or, of more than 32 dims, ``bitset::test: __position (which is 32) >= _Nb (which is 32)``.

Bad::

    <data shape="..." element_type="f32"/>

Good::

    <data shape="?,?,?" element_type="f32"/>
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.diagnostics import Diagnostic
from ovgather.ir.model import Layer
from ovgather.ports import parameter_shape
from ovgather.releases import SEEN
from ovgather.rules._file import File

CODE = "OVG708"
TITLE = "rank that the CPU does not take"
_MOST = 32
_EFFECT = f"the CPU refuses it when compiling the model ({SEEN['rank'].on})"


def check(file: File) -> Iterator[Diagnostic]:
    """The inputs of the model, and what layers of the family make of them."""
    for layer in file.layers_of(["Parameter"]) if not file.model.snippet else ():
        if layer.graph.parent is None and "shape" in layer.data:
            shape = parameter_shape(layer.data["shape"])
            if shape is not None and shape.rank is None:
                message = "a Parameter of dynamic rank, which the CPU does not take"
                yield _found(file, layer, message, "give the rank, with ? for each dim: ?,?,?")
            elif shape is not None and shape.rank is not None and shape.rank > _MOST:
                yield _found(file, layer, f"a Parameter of rank {shape.rank}: the CPU takes at most {_MOST}", None)
    for views in file.alike:
        inputs, outputs = views[0].layer.inputs, views[0].layer.outputs
        if outputs and len(outputs[0].dims) > _MOST and all(len(port.dims) <= _MOST for port in inputs):
            for view in views:
                message = f"the output has rank {len(outputs[0].dims)}: the CPU takes at most {_MOST}"
                span = file.port_span(view.layer, "output", 0)
                yield file.report(
                    CODE, "warning", message, span, layer=view.layer, openvino="rejects_on_compile", effect=_EFFECT
                )


def _found(file: File, layer: Layer, message: str, help: str | None) -> Diagnostic:
    span = file.data_span(layer, "shape")
    return file.report(
        CODE, "warning", message, span, layer=layer, openvino="rejects_on_compile", effect=_EFFECT, help=help
    )
