"""What: the output port of a Parameter or Const declares other dims or another precision than ``shape`` and
``element_type`` in ``<data>``. The finding is at ``shape`` in ``<data>`` where the inputs that take the port agree with
the port. A port without dims is that of a scalar, unless most such ports of the file have none.
The same of layers such as Convert, ShapeOf, Concat and Relu, if their ``<data>`` and input ports give other dims or
another precision, and the input ports agree with what feeds them.
Why: the file contradicts itself. The precision of a layer with inputs is a warning.
OpenVINO: uses ``<data>`` and the inputs, and ignores the port.
Bad::
    <data shape="3,7" element_type="f32"/> … <dim>1</dim><dim>1</dim>
Good::
    <data shape="3,7" element_type="f32"/> … <dim>3</dim><dim>7</dim>
"""

from functools import partial

from ovgather.ir.constants import Constant
from ovgather.layers.tensors import IMPLIED, Tensor, dims_shape, implied_tensor
from ovgather.tensor.element_type import ElementType, contradiction, from_port
from ovgather.validation.context import File, Findings, Fix, Layer, LayerSignature, Rule
from ovgather.validation.facts.axis_evidence import consumers_agree, consumers_take
from ovgather.validation.facts.edges import is_fed_as_declared

RULE = Rule("OVG212", "output port that contradicts its layer's data", "error warning", "accepts", "safe")
_DECLARED = ("Parameter", "Const", "Convert", "ShapeOf")


def check(file: File) -> Findings:
    layers = dict.fromkeys(file.layers_where(partial(_may_differ, file.declared), _DECLARED))
    sources = [link.source for link in file.links.contradictory]  # of other types only these may contradict themselves
    layers |= {source: None for source in sources if source is not None and source.type in IMPLIED}
    bare = {layer.signature for layer in layers if not layer.outputs[0].dims and _differ(layer.signature)[0]}
    others = [form for form in file.forms_of(_DECLARED[:2]) if form.outputs and form.outputs[0].dims] if bare else []
    for layer in layers:
        if not is_fed_as_declared(layer):  # OVG206 reports it
            continue
        port, (tensor, types) = layer.outputs[0], _differ(layer.signature)
        origin, used = (f"{layer.type} of the input is", "its own") if layer.inputs else ("<data> says", "<data>")
        report = partial(file.report, RULE, layer=layer, effect=f"uses {used} and ignores the port")
        if tensor is not None and not port.dims:
            if len(bare) < len(others):
                message = f"the port has no dims, as that of a scalar, but {origin} {tensor.shape}"
                takers = file.consumers.get((layer.offset, 0), ())
                place = "output/0" if any(target.inputs[index].dims for target, index in takers) else "data/shape"
                yield report(message, place)
        elif tensor is not None:
            declared = dims_shape(port.dims)
            message, dim = f"the port says {declared}, but {origin} {tensor.shape}", None
            if tensor.shape.rank == len(port.dims):
                pairs = enumerate(zip(tensor.shape, declared, strict=True))
                dim = next(index for index, (left, right) in pairs if not left.compatible(right))
            port_place, agree = f"output/0/dim/{dim}", partial(consumers_agree, file, layer)
            if not layer.inputs and agree(declared) and agree(tensor.shape) is None:
                related = [("the port, as the inputs that take it", file.place(layer, port_place))]
                yield report(message, "data/shape", related=related)
            else:
                yield report(message, port_place, fix=partial(_fix, file, layer, "dims"))
        if types is not None:
            message = f"the port says {types[1].port}, but {origin} {types[0].name}"
            severity, fix = "warning" if layer.inputs else "error", partial(_fix, file, layer, "precision")
            yield report(message, "output/0/precision", severity=severity, fix=fix)


def _may_differ(constants: dict[LayerSignature, Constant], signature: LayerSignature) -> bool:
    const, ports = constants.get(signature), signature.outputs
    if const is not None and ports and ports[0].dims == const.shape and ports[0].precision == const.element_type.port:
        return False
    return _differ(signature) != (None, None)


def _differ(signature: LayerSignature) -> tuple[Tensor | None, tuple[ElementType, ElementType] | None]:
    """The tensor that the layer implies where the port has other dims, and the two element types where these differ."""
    if not signature.outputs:
        return None, None
    port, tensor = signature.outputs[0], implied_tensor(signature)
    fits = (
        tensor.shape.compatible(dims_shape(port.dims)) if port.dims else bool(signature.inputs or not tensor.shape.rank)
    )
    types = contradiction(tensor.element_type, from_port(port.precision) if port.precision else None)
    return None if fits or not tensor.certain else tensor, types


def _fix(file: File, layer: Layer, part: str) -> Fix | None:
    facts = file.fixes.known(layer, "output", 0)
    if part == "dims":
        if consumers_agree(file, layer, facts.shape) is None:
            return None  # <data> may be wrong instead of the port
        return file.fixes.port_dims(layer, "output", 0, facts.shape)
    kind = facts.element_type
    return file.fixes.precision(layer, "output", 0, kind) if kind and consumers_take(file, layer, kind) else None
