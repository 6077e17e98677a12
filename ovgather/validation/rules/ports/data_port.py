"""What: the output port of a Parameter or Const declares other dims or another precision than ``shape`` and
``element_type`` in ``<data>``.

Why: the file contradicts itself.

OpenVINO: uses ``<data>`` and ignores the port.

Bad::

    <data shape="3,7" element_type="f32"/> … <dim>1</dim><dim>1</dim>

Good::

    <data shape="3,7" element_type="f32"/> … <dim>3</dim><dim>7</dim>
"""

from functools import partial

from ovgather.ir.constants import Constant
from ovgather.ir.graph import Layer, LayerSignature, Port
from ovgather.layers.tensors import Tensor, dims_shape, output_tensor
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType
from ovgather.validation.context import File, Findings
from ovgather.validation.diagnostic import Fix

CODE = "OVG212"
TITLE = "Parameter or Const whose port contradicts its data"
SEVERITIES = ("error",)
VERDICTS = ("accepts",)
_EFFECT = "goes by <data> and ignores the port"


def check(file: File) -> Findings:
    """The first output port of every Parameter and Const."""
    for layer in file.layers_where(partial(_may_differ, file.declared), ("Parameter", "Const")):
        yield from _compare(file, layer, layer.outputs[0])


def _may_differ(constants: dict[LayerSignature, Constant], signature: LayerSignature) -> bool:
    held, ports = constants.get(signature), signature.outputs
    if held is not None and ports and ports[0].dims == held.shape and ports[0].precision == held.element_type.port:
        return False
    return _differ(signature) != (None, None)


def _differ(signature: LayerSignature) -> tuple[Tensor | None, tuple[ElementType, ElementType] | None]:
    """What ``<data>`` says where the port has other dims, and the two element types where these differ."""
    if not signature.outputs:
        return None, None
    port, made = signature.outputs[0], output_tensor(signature, 0)
    fits = not port.dims or not made.certain or made.shape.compatible(dims_shape(port.dims))
    text = signature.data.get("element_type")
    declared = element_type.find_data(text) if text is not None else None
    written = element_type.from_port(port.precision) if port.precision else None
    same = not (declared and written) or declared == written or "dynamic" in (declared.name, written.name)
    return None if fits else made, None if same or not (declared and written) else (declared, written)


def _compare(file: File, layer: Layer, port: Port) -> Findings:
    made, types = _differ(layer.signature)
    if made is not None:
        message = f"the port says {dims_shape(port.dims)}, but <data> says {made.shape}"
        place = None
        if made.shape.rank == len(port.dims):
            pairs = enumerate(zip(made.shape, dims_shape(port.dims), strict=True))
            place = next(at for at, (left, right) in pairs if not left.compatible(right))
        span = file.port_span(layer, "output", 0, place)
        fix = partial(_fix, file, layer, "dims")
        yield file.report(CODE, "error", message, span, layer=layer, openvino="accepts", effect=_EFFECT, fix=fix)
    if types is not None:
        declared, written = types
        message = f"the port says {written.port}, but <data> says {declared.name}"
        span = file.port_span(layer, "output", 0, attribute="precision")
        fix = partial(_fix, file, layer, "precision")
        yield file.report(CODE, "error", message, span, layer=layer, openvino="accepts", effect=_EFFECT, fix=fix)


def _fix(file: File, layer: Layer, what: str) -> Fix | None:
    known = file.fixes.known(layer, "output", 0)
    if what == "dims":
        return file.fixes.port_dims(layer, "output", 0, known.shape)
    return file.fixes.precision(layer, "output", 0, known.element_type) if known.element_type else None
