"""What: a Parameter of a body declares another shape or element type than the input that the ``<port_map>`` connects to
it. For sliced tensors, the dim at the axis is the length of one slice inside the body and of all slices outside. OVG215
reports the outputs of the layer.
Why: both declarations describe one tensor. The usual cause is a wrong layer in an entry of the ``<port_map>``.
OpenVINO: uses the input: the Parameter gets its shape and, unless it is in a TensorIterator, its element type. It
rejects the body if a layer of it does not accept them.
Bad::
    <data shape="5,4" element_type="f32"/>, tied to an input of f32 [1,4]
Good::
    <data shape="1,4" element_type="f32"/>
"""

from ovgather.layers.tensors import output_tensor
from ovgather.validation.context import File, Findings, Rule
from ovgather.validation.facts.flow import refused_behind
from ovgather.validation.facts.inlets import Inlet, inlets, is_sliced

RULE = Rule(
    "OVG309",
    "body that contradicts its inputs",
    "error",
    "accepts undefined rejects",
    needs="model.mappings",
)
_USUAL = (
    "undefined",
    "uses the input, and rejects the body if a layer of it does not take that",
)
_UNFIT = "rejects", "uses the input, which a layer of the body does not take"


def check(file: File) -> Findings:
    for inlet in inlets(file.model):
        yield from _input(
            file,
            inlet,
            _USUAL if refused_behind(file, inlet[0].target.layer) is None else _UNFIT,
        )


def _input(file: File, inlet: Inlet, outcome: tuple[str, str]) -> Findings:
    ((layer, _, number), (inner, *_), entry), types, shape = inlet
    brings = (
        f'input port {layer.inputs[number].id} of {layer.type} "{layer.name}" brings'
    )
    about = [layer]
    kind = inner.graph.kind
    if types is not None:
        message = f"this Parameter of <{kind}> is {types[0].name}, but {brings} {types[1].name}"
        if layer.type == "TensorIterator":
            stays = ("accepts", "keeps the declared type")
        else:
            stays = outcome
        yield file.report(
            RULE, message, "data/element_type", inner, *stays, about=about
        )
    if shape is not None:
        part = "slices of " if is_sliced(layer, entry) else ""
        declared = output_tensor(inner, 0).shape
        message = (
            f"this Parameter of <{kind}> is {declared}, but {brings} {part}{shape}"
        )
        yield file.report(RULE, message, "data/shape", inner, *outcome, about=about)
