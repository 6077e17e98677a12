"""What: an entry of the port map of a Loop or a TensorIterator lacks its axis.
Why: with an axis the body takes slices of the input, or the output joins all iterations, as the ports declare.
Bad::
    <output external_port_id="3" internal_layer_id="2"/>   <!-- body [1,2] -> port [5,2] -->
Good::
    <output external_port_id="3" internal_layer_id="2" axis="0"/>
"""

from collections.abc import Iterator

from ovgather.ir.graph import Layer
from ovgather.ir.model import Crossing
from ovgather.ir.positions import tag_at
from ovgather.layers.tensors import dims_shape
from ovgather.tensor.shape import PartialShape
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 12
_SLICING = ("Loop", "TensorIterator")


def propose(case: Case) -> Iterator[Hypothesis]:
    parents = [layer.graph.parent for layer in case.subjects]
    for layer in dict.fromkeys((*case.subjects, *parents)):
        if layer is not None and layer.type in _SLICING:
            for crossing in case.file.model.crossings(layer):
                entry = crossing.entry
                if entry.around == "port_map" and "axis" not in entry.attributes:
                    yield from _hypothesis(case, layer, crossing)


def _hypothesis(case: Case, layer: Layer, crossing: Crossing) -> Iterator[Hypothesis]:
    (giver, _, giver_index), (taker, side, taker_index), entry = crossing
    given_shape = case.inputs_of(giver)[giver_index].shape
    declared = dims_shape(getattr(taker, f"{side}s")[taker_index].dims)
    axis = _axis(given_shape, declared)
    if axis is None:
        return
    if entry.name == "input":
        port = layer.inputs[giver_index]
        words = f"each iteration takes all of {given_shape}, not slices of {declared}"
    else:
        port = layer.outputs[taker_index]
        words = f"the {layer.type} returns only the last iteration, {given_shape}, "
        words += f"but its declared output {declared} joins all iterations"
    tag = tag_at(case.source, entry.offset)
    end = tag.name_span[1]
    text = f'axis="{axis}"'
    what = f"{text} is added"
    yield case.repair(
        f"<{entry.name}> of port {port.id} of {called(layer)} has no axis: {words}",
        layer,
        tag.name_span,
        [((end, end), f" {text}")],
        what,
        part=entry.offset,
        help=f"add {text}",
    )


def _axis(shape: PartialShape, other: PartialShape) -> int | None:
    """The one axis along which two shapes of one rank differ."""
    if shape.rank is None or shape.rank != other.rank:
        return None
    pairs = zip(shape, other, strict=True)
    axes = [axis for axis, (dim, said) in enumerate(pairs) if not dim.compatible(said)]
    if len(axes) == 1:
        return axes[0]
    return None
