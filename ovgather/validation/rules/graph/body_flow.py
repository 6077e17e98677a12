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

from ovgather.ir.graph import Layer, Mapping
from ovgather.ir.model import Crossing
from ovgather.ir.numbers import whole_integer
from ovgather.layers.tensors import input_tensor, output_tensor
from ovgather.tensor.element_type import contradiction
from ovgather.tensor.shape import DYNAMIC_RANK, Dimension, PartialShape
from ovgather.validation.context import File, Findings, Rule
from ovgather.validation.facts.flow import refused_behind

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
_FITS = "accepts", "uses the input, which the body takes"
_UNFIT = "rejects", "uses the input, which a layer of the body does not take"


def check(file: File) -> Findings:
    layers = file.model.layers() if not file.model.snippet else ()
    for layer in layers:
        first: dict[tuple[str, int], Crossing] = {}
        for crossing in file.model.crossings(layer):
            if crossing.entry.name == "input":
                # Of two entries of a port OpenVINO ignores the second.
                port = crossing.entry.around, crossing.source.place
                first.setdefault(port, crossing)
        for crossing in first.values():
            if crossing.target.layer.type == "Parameter":
                yield from _input(file, crossing)


def _input(file: File, crossing: Crossing) -> Findings:
    (layer, _, number), (inner, *_), entry = crossing
    outside = input_tensor(file.model, layer, number)
    inside = output_tensor(inner, 0)
    types = contradiction(inside.element_type, outside.element_type)
    shape = inside.shape
    if outside.certain and inside.certain:
        shape = _sliced(outside.shape, layer, entry)
    is_wrong = not shape.compatible(inside.shape)
    if types is None and not is_wrong:
        return
    if refused_behind(file, inner) is not None:
        outcome = _UNFIT
    elif _is_followed(file, layer, inner):
        outcome = _FITS
    else:
        outcome = _USUAL
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
    if is_wrong:
        part = "slices of " if _is_sliced(layer, entry) else ""
        message = (
            f"this Parameter of <{kind}> is {inside.shape}, but {brings} {part}{shape}"
        )
        yield file.report(RULE, message, "data/shape", inner, *outcome, about=about)


def _is_followed(file: File, layer: Layer, inner: Layer) -> bool:
    """Whether the pass has computed the body with what flows into this Parameter, so that it knows what is refused."""
    tensors = [
        *file.forward.outputs.get(inner.offset, ()),
        *file.forward.outputs.get(layer.offset, ()),
    ]
    return all([not each.basis and not each.is_of_unusual_rank for each in tensors])


def _is_sliced(layer: Layer, entry: Mapping) -> bool:
    """Whether the body takes the tensor of the port in slices."""
    return layer.type != "If" and "axis" in entry.attributes


def _sliced(shape: PartialShape, layer: Layer, entry: Mapping) -> PartialShape:
    """The shape of one slice of ``shape``: ``shape`` itself where nothing is sliced."""
    if not _is_sliced(layer, entry):
        return shape
    axis = whole_integer(entry.attributes["axis"])
    size = whole_integer(entry.attributes.get("part_size", "1"))
    if (
        shape.rank is None
        or axis is None
        or size is None
        or size < 1
        or not -shape.rank <= axis < shape.rank
    ):
        return DYNAMIC_RANK
    dims = [*shape]
    dims[axis] = Dimension(size)
    return PartialShape(tuple(dims))
