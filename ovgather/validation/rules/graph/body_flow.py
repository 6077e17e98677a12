"""What: a Parameter of a body declares another shape or element type than the input that the ``<port_map>`` connects to
it; or an output port declares other dims than the Result connected to it. For sliced tensors, the dim at the axis is
the length of one slice inside the body and of all slices outside.

Why: both declarations describe one tensor. The usual cause is an entry of the ``<port_map>`` that names the wrong
layer.

OpenVINO: uses the input: the Parameter gets its shape and element type, and the following layers of the body must
accept them. It ignores output ports.

Bad::

    <data shape="5,4" element_type="f32"/>, tied to an input of f32 [1,4]

Good::

    <data shape="1,4" element_type="f32"/>
"""

from ovgather.ir.graph import Layer, Mapping
from ovgather.ir.numbers import read_id, whole_integer
from ovgather.layers.tensors import Tensor, dims_shape, input_tensor, output_tensor
from ovgather.tensor.shape import Dimension, PartialShape
from ovgather.validation.context import File, Findings

CODE = "OVG309"
TITLE = "body that contradicts its inputs or outputs"
SEVERITIES = ("error",)
VERDICTS = ("accepts",)
_BODIES = {"port_map": "body", "then_port_map": "then_body", "else_port_map": "else_body"}


def check(file: File) -> Findings:
    """Every entry that ties a port to a layer of the right type."""
    for layer in file.layers if file.model.mappings and not file.model.snippet else ():
        seen: set[tuple[str, str, int]] = set()
        for entry in file.model.mappings.get(layer.offset, ()):
            body = next((body for body in layer.bodies if body.kind == _BODIES.get(entry.around)), None)
            number = whole_integer(entry.attributes.get("external_port_id", ""))
            if body is None or number is None or number < 0 or (entry.around, entry.name, number) in seen:
                continue
            seen.add((entry.around, entry.name, number))
            inner = body.by_id.get(_inner(entry))
            if inner is not None and entry.name == "input":
                yield from _input(file, layer, entry, number, inner)
            elif inner is not None:
                yield from _output(file, layer, entry, number, inner)


def _input(file: File, layer: Layer, entry: Mapping, number: int, inner: Layer) -> Findings:
    if inner.type != "Parameter" or number >= len(layer.inputs) or not inner.outputs:
        return
    outside, inside = input_tensor(layer, number), output_tensor(inner, 0)
    origin = f'input port {layer.inputs[number].id} of {layer.type} "{layer.name}" brings'
    effect = "goes by what flows in"
    kinds = outside.element_type, inside.element_type
    if kinds[0] and kinds[1] and kinds[0] != kinds[1] and "dynamic" not in (kinds[0].name, kinds[1].name):
        message = f"this Parameter of <{inner.graph.kind}> is {kinds[1].name}, but {origin} {kinds[0].name}"
        span = file.data_span(inner, "element_type")
        yield file.report(CODE, "error", message, span, layer=inner, openvino="accepts", effect=effect)
    if outside.certain and inside.certain:
        shape = _sliced(outside.shape, layer, entry)
        if shape is not None and not shape.compatible(inside.shape):
            part = "slices of " if shape is not outside.shape else ""
            message = f"this Parameter of <{inner.graph.kind}> is {inside.shape}, but {origin} {part}{shape}"
            span = file.data_span(inner, "shape")
            yield file.report(CODE, "error", message, span, layer=inner, openvino="accepts", effect=effect)


def _output(file: File, layer: Layer, entry: Mapping, number: int, inner: Layer) -> Findings:
    place = next((place for place, port in enumerate(layer.outputs) if port.id == number), None)
    if place is None or inner.type != "Result" or not inner.inputs or not layer.outputs[place].dims:
        return
    inside: Tensor = input_tensor(inner, 0)
    outside = _sliced(dims_shape(layer.outputs[place].dims), layer, entry)
    if inside.certain and outside is not None and not outside.compatible(inside.shape):
        sliced = "slices of " if "axis" in entry.attributes and layer.type != "If" else ""
        made = f'Result "{inner.name}" of <{inner.graph.kind}> gives {sliced}{inside.shape}'
        message = f"output port {number} is {dims_shape(layer.outputs[place].dims)}, but {made}"
        span = file.port_span(layer, "output", place)
        effect = "ignores output ports"
        yield file.report(CODE, "error", message, span, layer=layer, openvino="accepts", effect=effect)


def _sliced(shape: PartialShape, layer: Layer, entry: Mapping) -> PartialShape | None:
    """What one slice of ``shape`` is like: ``shape`` itself where nothing is sliced, None where that is not known."""
    if layer.type == "If" or "axis" not in entry.attributes:
        return shape
    axis = whole_integer(entry.attributes["axis"])
    size = whole_integer(entry.attributes.get("part_size", "1"))
    if shape.rank is None or axis is None or size is None or size < 1 or not -shape.rank <= axis < shape.rank:
        return None
    dims = list(shape)
    dims[axis] = Dimension(size)
    return PartialShape(tuple(dims))


def _inner(entry: Mapping) -> int:
    number = read_id(entry.attributes.get("internal_layer_id", ""))
    return -1 if number is None else number
