"""What: a Parameter of a body declares another shape or element type than the input that the ``<port_map>`` connects to
it; or an output port declares other dims than the Result connected to it. For sliced tensors, the dim at the axis is
the length of one slice inside the body and of all slices outside. If the layer before the Result declares an output
that its own input contradicts, the finding is there.
Why: both declarations describe one tensor. The usual cause is a wrong layer in an entry of the ``<port_map>``.
OpenVINO: uses the input: the Parameter gets its shape and, unless it is in a TensorIterator, its element type. It
rejects the body if a layer of it does not accept them. It ignores output ports.
Bad::
    <data shape="5,4" element_type="f32"/>, tied to an input of f32 [1,4]
Good::
    <data shape="1,4" element_type="f32"/>
"""

from math import prod

from ovgather.ir.model import Crossing
from ovgather.layers.tensors import KEEPS_SHAPE, dims_shape, input_tensor, output_tensor
from ovgather.validation.context import File, Findings, Layer, Rule
from ovgather.validation.facts.by_ports import unfit
from ovgather.validation.facts.inlets import Inlet, crossings, inlets, is_sliced, sliced

RULE = Rule("OVG309", "body that contradicts its inputs or outputs", "error", "accepts undefined rejects")
_EFFECT = "ignores output ports"
_USUAL = "undefined", "uses the input, and rejects the body if a layer of it does not take that"
_UNFIT = "rejects", "uses the input, which a layer of the body does not take"
_KEEP_ELEMENTS = frozenset({"Reshape", "Squeeze", "Unsqueeze"})


def check(file: File) -> Findings:
    contradicted = [*inlets(file.model)]
    taken = {crossing.target.layer.offset: tensor for crossing, _, _, tensor in contradicted}
    for inlet in contradicted:
        yield from _input(file, inlet, _USUAL if unfit(file, inlet[0].target.layer, taken) is None else _UNFIT)
    for crossing in crossings(file.model, "output"):
        yield from _output(file, crossing)


def _input(file: File, inlet: Inlet, outcome: tuple[str, str]) -> Findings:
    ((layer, _, number), (inner, *_), entry), types, shape, _ = inlet
    brings = f'input port {layer.inputs[number].id} of {layer.type} "{layer.name}" brings'
    about, origin, kind = [layer], (RULE, inner.offset), inner.graph.kind
    if types is not None:
        message = f"this Parameter of <{kind}> is {types[0].name}, but {brings} {types[1].name}"
        stays = ("accepts", "keeps the declared type") if layer.type == "TensorIterator" else outcome
        yield file.report(RULE, message, "data/element_type", inner, *stays, about=about, origin=origin)
    if shape is not None:
        part, declared = "slices of " if is_sliced(layer, entry) else "", output_tensor(inner, 0).shape
        message = f"this Parameter of <{kind}> is {declared}, but {brings} {part}{shape}"
        yield file.report(RULE, message, "data/shape", inner, *outcome, about=about, origin=origin)


def _output(file: File, crossing: Crossing) -> Findings:
    (inner, *_), (layer, _, index), entry = crossing
    number, declared = layer.outputs[index].id, dims_shape(layer.outputs[index].dims)
    inside, outside = input_tensor(inner, 0), sliced(declared, layer, entry)
    if inner.type != "Result" or not inside.certain or outside.compatible(inside.shape):
        return
    place = file.place(layer, f"output/{index}")
    if (wrong := _wrong_in_body(inner)) is not None:
        source, port, message = wrong
        related = [(f'output port {number} of {layer.type} "{layer.name}" is {declared}', place)]
        yield file.report(RULE, message, f"output/{port}", source, effect=_EFFECT, related=related)
    else:
        producer, part = inner.producer(0), "slices of " if is_sliced(layer, entry) else ""
        about = [producer[0]] if producer is not None else []
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
