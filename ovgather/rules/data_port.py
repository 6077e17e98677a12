"""Parameter or Const whose port contradicts its data (OVG212)

What: the dims or the precision of the output port of a Parameter or Const differ from ``shape`` and
``element_type`` in ``<data>``.

Why: the file contradicts itself.

OpenVINO: goes by ``<data>`` and ignores the port.

Bad::

    <data shape="3,7" element_type="f32"/> … <dim>1</dim><dim>1</dim>

Good::

    <data shape="3,7" element_type="f32"/> … <dim>3</dim><dim>7</dim>
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ovgather import element_type
from ovgather.diagnostics import Diagnostic, Fix
from ovgather.ir.model import Layer, Port
from ovgather.ports import dims_shape, output_tensor
from ovgather.rules._file import File

CODE = "OVG212"
TITLE = "Parameter or Const whose port contradicts its data"
_EFFECT = "goes by <data> and ignores the port"


def check(file: File) -> Iterator[Diagnostic]:
    """The first output port of every Parameter and Const."""
    good: set[tuple[object, ...]] = set()  # combinations that were found sound: most layers repeat one
    for layer in file.layers:
        if layer.type in ("Parameter", "Const") and layer.outputs:
            port = layer.outputs[0]
            key = (port.dims, port.precision, layer.type, layer.data.get("shape"), layer.data.get("element_type"))
            if key in good:
                continue
            found = list(_compare(file, layer, port))
            yield from found
            if not found:
                good.add(key)


def _compare(file: File, layer: Layer, port: Port) -> Iterator[Diagnostic]:
    made = output_tensor(layer, 0)
    if port.dims and made.certain and not made.shape.compatible(dims_shape(port.dims)):
        message = f"the port says {dims_shape(port.dims)}, but <data> says {made.shape}"
        place = None
        if made.shape.rank == len(port.dims):
            pairs = enumerate(zip(made.shape, dims_shape(port.dims), strict=True))
            place = next(at for at, (left, right) in pairs if not left.compatible(right))
        span = file.port_span(layer, "output", 0, place)
        fix = partial(_fix, file, layer, "dims")
        yield file.report(CODE, "error", message, span, layer=layer, openvino="accepts", effect=_EFFECT, fix=fix)
    text = layer.data.get("element_type")
    declared = element_type.find_data(text) if text is not None else None
    written = element_type.from_port(port.precision) if port.precision else None
    if declared and written and declared != written and "dynamic" not in (declared.name, written.name):
        message = f"the port says {written.port}, but <data> says {declared.name}"
        span = file.element(layer).ports("output")[0].attribute_span("precision")
        fix = partial(_fix, file, layer, "precision")
        yield file.report(CODE, "error", message, span, layer=layer, openvino="accepts", effect=_EFFECT, fix=fix)


def _fix(file: File, layer: Layer, what: str) -> Fix | None:
    known = file.mends.known(layer, "output", 0)
    if what == "dims":
        return file.mends.port_dims(layer, "output", 0, known.shape)
    return file.mends.precision(layer, "output", 0, known.element_type) if known.element_type else None
