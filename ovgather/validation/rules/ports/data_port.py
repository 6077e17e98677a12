"""What: the output port of a Parameter or Const declares other dims or another precision than ``shape`` and
``element_type`` in ``<data>``. A port without dims is that of a scalar, unless most such ports of the file have none.
OVG215 reports the outputs of other layers.
Why: the file contradicts itself.
OpenVINO: uses ``<data>`` and ignores the port.
Bad::
    <data shape="3,7" element_type="f32"/> … <dim>1</dim><dim>1</dim>
Good::
    <data shape="3,7" element_type="f32"/> … <dim>3</dim><dim>7</dim>
"""

from functools import partial

from ovgather.ir.constants import Constant
from ovgather.layers.tensors import PortTensor, dims_shape, output_tensor
from ovgather.tensor.element_type import ElementType, contradiction, from_port
from ovgather.validation.context import File, Findings, LayerSignature, Rule

RULE = Rule(
    "OVG212", "output port that contradicts its layer's data", "error", "accepts"
)
_DECLARED = ("Parameter", "Const")


def check(file: File) -> Findings:
    layers = file.layers_where(partial(_may_differ, file.declared), _DECLARED)
    bare = {
        layer.signature
        for layer in layers
        if not layer.outputs[0].dims and _differ(layer.signature)[0]
    }
    if bare:
        others = [
            form
            for form in file.forms_of(_DECLARED)
            if form.outputs and form.outputs[0].dims
        ]
    else:
        others = []
    for layer in layers:
        port, (tensor, types) = layer.outputs[0], _differ(layer.signature)
        report = partial(
            file.report, RULE, layer=layer, effect="uses <data>, and ignores ports"
        )
        if tensor is not None and not port.dims:
            # Which layers take as they take a scalar.
            is_single = layer.type == "Const" and tensor.shape == [1]
            if len(bare) < len(others) and not is_single:
                message = f"the port has no dims, as that of a scalar, but <data> says {tensor.shape}"
                consumers = layer.consumers(0)
                if any(target.inputs[index].dims for target, index in consumers):
                    place = "output/0"
                else:
                    place = "data/shape"
                yield report(message, place)
        elif tensor is not None:
            declared = dims_shape(port.dims)
            message = f"the port says {declared}, but <data> says {tensor.shape}"
            dim = None
            if tensor.shape.rank == len(port.dims):
                pairs = enumerate(zip(tensor.shape, declared, strict=True))
                dim = next(
                    index
                    for index, (left, right) in pairs
                    if not left.compatible(right)
                )
            yield report(message, f"output/0/dim/{dim}")
        if types is not None:
            message = f"the port says {types[1].port}, but <data> says {types[0].name}"
            yield report(message, "output/0/precision")


def _may_differ(
    constants: dict[LayerSignature, Constant], signature: LayerSignature
) -> bool:
    const = constants.get(signature)
    ports = signature.outputs
    if (
        const is not None
        and ports
        and ports[0].dims == const.shape
        and ports[0].precision == const.element_type.port
    ):
        return False
    return _differ(signature) != (None, None)


def _differ(
    signature: LayerSignature,
) -> tuple[PortTensor | None, tuple[ElementType, ElementType] | None]:
    """The tensor that the layer implies where the port has other dims, and the two element types where these differ."""
    if not signature.outputs:
        return None, None
    port = signature.outputs[0]
    tensor = output_tensor(signature, 0)
    if port.dims:
        fits = tensor.shape.compatible(dims_shape(port.dims))
    else:
        fits = not tensor.shape.rank
    types = contradiction(
        tensor.element_type, from_port(port.precision) if port.precision else None
    )
    return None if fits or not tensor.certain else tensor, types
