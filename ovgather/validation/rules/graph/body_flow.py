"""What: a Parameter of a body declares another shape or element type than the input that the ``<port_map>`` connects to
it; or an output port declares other dims than the Result connected to it. For sliced tensors, the dim at the axis is
the length of one slice inside the body and of all slices outside. If the layer before the Result declares an output
that its own input contradicts, the finding is there.
Why: both declarations describe one tensor. The usual cause is a wrong layer in an entry of the ``<port_map>``.
OpenVINO: uses the input: the Parameter gets its shape and element type, and the following layers of the body must
accept them. It ignores output ports.
Bad::
    <data shape="5,4" element_type="f32"/>, tied to an input of f32 [1,4]
Good::
    <data shape="1,4" element_type="f32"/>
"""

from math import prod

from ovgather.ir.numbers import read_id, whole_integer
from ovgather.layers.tensors import KEEPS_SHAPE, dims_shape, input_tensor, output_tensor
from ovgather.tensor.element_type import contradiction
from ovgather.tensor.shape import Dimension, PartialShape
from ovgather.validation.context import Diagnostic, File, Findings, Layer, Mapping, Rule

RULE = Rule("OVG309", "body that contradicts its inputs or outputs", "error", "accepts")
_EFFECT = "ignores output ports"
_KEEP_ELEMENTS = frozenset({"Reshape", "Squeeze", "Unsqueeze"})


def check(file: File) -> Findings:
    for layer in file.layers if file.model.mappings and not file.model.snippet else ():
        seen: set[tuple[str, str, int]] = set()
        for entry in file.model.mappings.get(layer.offset, ()):
            kind = entry.around.replace("port_map", "body")  # such as then_port_map
            body = next((body for body in layer.bodies if body.kind == kind), None)
            number = whole_integer(entry.attributes.get("external_port_id", ""))
            if body is None or number is None or number < 0 or (entry.around, entry.name, number) in seen:
                continue
            seen.add((entry.around, entry.name, number))
            inner_id = read_id(entry.attributes.get("internal_layer_id", ""))
            inner = body.with_id(inner_id)
            if inner is not None:
                yield from (_input if entry.name == "input" else _output)(file, layer, entry, number, inner)


def _input(file: File, layer: Layer, entry: Mapping, number: int, inner: Layer) -> Findings:
    if inner.type != "Parameter" or number >= len(layer.inputs) or not inner.outputs:
        return
    outside, inside = input_tensor(layer, number), output_tensor(inner, 0)
    parameter = f"this Parameter of <{inner.graph.kind}> is"
    origin = f'input port {layer.inputs[number].id} of {layer.type} "{layer.name}" brings'
    types = contradiction(inside.element_type, outside.element_type)
    if types is not None:
        message = f"{parameter} {types[0].name}, but {origin} {types[1].name}"
        yield _of_parameter(file, layer, inner, message, "data/element_type")
    shape = _slice(outside.shape, layer, entry) if outside.certain and inside.certain else None
    if shape is not None and not shape.compatible(inside.shape):
        part = "slices of " if shape is not outside.shape else ""
        message = f"{parameter} {inside.shape}, but {origin} {part}{shape}"
        yield _of_parameter(file, layer, inner, message, "data/shape")


def _of_parameter(file: File, layer: Layer, inner: Layer, message: str, place: str) -> Diagnostic:
    # A wrong entry of the <port_map> brings another shape and another type.
    return file.report(RULE, message, place, inner, effect="uses the input", about=[layer], origin=(RULE, inner.offset))


def _output(file: File, layer: Layer, entry: Mapping, number: int, inner: Layer) -> Findings:
    index = next((index for index, port in enumerate(layer.outputs) if port.id == number), None)
    if index is None or inner.type != "Result" or not inner.inputs or not layer.outputs[index].dims:
        return
    inside, declared = input_tensor(inner, 0), dims_shape(layer.outputs[index].dims)
    outside = _slice(declared, layer, entry)
    if not inside.certain or outside is None or outside.compatible(inside.shape):
        return
    place = file.place(layer, f"output/{index}")
    if (wrong := _wrong_in_body(inner)) is not None:
        source, port, message = wrong
        related = [(f'output port {number} of {layer.type} "{layer.name}" is {declared}', place)]
        yield file.report(RULE, message, f"output/{port}", source, effect=_EFFECT, related=related)
    else:
        about = [source[0] for source in [inner.producer(0)] if source is not None]
        part = "slices of " if "axis" in entry.attributes and layer.type != "If" else ""
        result = f'Result "{inner.name}" of <{inner.graph.kind}> gives {part}{inside.shape}'
        message = f"output port {number} is {declared}, but {result}"
        yield file.report(RULE, message, place, layer, effect=_EFFECT, about=about)


def _wrong_in_body(result: Layer) -> tuple[Layer, int, str] | None:
    """The layer that gives ``result`` its value and the output port that its own input contradicts; None: none."""
    source = result.producer(0)
    for _ in result.graph.ids:
        if source is None or source[0].type not in KEEPS_SHAPE | _KEEP_ELEMENTS or not source[0].inputs:
            return None
        layer, port = source
        output, input = output_tensor(layer, port).shape, input_tensor(layer, 0).shape
        message = f"output port {layer.outputs[port].id} is {output}, but {layer.type} keeps the"
        if layer.type in KEEPS_SHAPE and not output.compatible(input):
            return layer, port, f"{message} shape of its input: {input}"
        if layer.type in _KEEP_ELEMENTS and output.is_static and input.is_static:
            elements = prod(dim.length for dim in input)
            if elements != prod(dim.length for dim in output):
                return layer, port, f"{message} {elements} elements of its input {input}"
        source = layer.producer(0)
    return None


def _slice(shape: PartialShape, layer: Layer, entry: Mapping) -> PartialShape | None:
    """The shape of one slice of ``shape``: ``shape`` itself where nothing is sliced, None where it is unknown."""
    if layer.type == "If" or "axis" not in entry.attributes:
        return shape
    axis, size = whole_integer(entry.attributes["axis"]), whole_integer(entry.attributes.get("part_size", "1"))
    if shape.rank is None or axis is None or size is None or size < 1 or not -shape.rank <= axis < shape.rank:
        return None
    dims = list(shape)
    dims[axis] = Dimension(size)
    return PartialShape(tuple(dims))
