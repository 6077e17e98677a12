"""What: dims or the precision of a port are wrong, and the rest of the file agrees on others.
Why: an output port says what its layer computes, and an input port what flows in.
Bad::
    data [2,3], [2,5] -> Concat, axis 1 -> port [2,9]
Good::
    data [2,3], [2,5] -> Concat, axis 1 -> port [2,8]
"""

from collections.abc import Iterator
from itertools import islice

from ovgather.forward.ports import deviates, port_type
from ovgather.forward.sources import without_hidden_symbols
from ovgather.ir.graph import Layer
from ovgather.tensor import element_type
from ovgather.tensor.tensor import Tensor
from ovgather.validation.diagnosis.case import Case, called, same
from ovgather.validation.diagnosis.hypothesis import Hypothesis, joint
from ovgather.validation.diagnostic import Fix

ORDER = 10
_MANY = {
    "precision": "the precision of ports of {count} layers is wrong",
    "dims": "the dims of ports of {count} layers are wrong",
}
_MOST_TAKERS = 4
_OF_A_SWAP = 2
_OF_SEVERAL = 2.2
"""The price of several ports: that they agree speaks for them."""


def propose(case: Case) -> Iterator[Hypothesis]:
    tensor_at = case.file.forward.port_tensor
    repairs: dict[Layer, list[Hypothesis]] = {}
    for layer in dict.fromkeys((*case.nearby, *case.subjects)):
        own = repairs.setdefault(layer, [])
        for index, port in enumerate(layer.outputs):
            tensor = case.tensor((layer, index))
            if tensor is not None and deviates(tensor, port):
                tensors = [tensor]
                if layer.inputs:  # else its <data> is what may be wrong
                    yield from _of_tensor(case, layer, index, tensor)
            else:
                tensors = []
            tensors += [
                tensor_at(target.inputs[at])
                for target, at in islice(layer.consumers(index), _MOST_TAKERS)
                if not same(port, target.inputs[at])
                and (tensor is None or not deviates(tensor, target.inputs[at]))
            ]
            for each in dict.fromkeys(tensors):
                own += _repairs(case, layer, "output", index, each)
        sources = layer.graph.producers(layer)
        for index, (port, source) in enumerate(zip(layer.inputs, sources, strict=True)):
            if source is not None and not same(source[0].outputs[source[1]], port):
                output = source[0].outputs[source[1]]
                tensor = case.tensor(source)
                if tensor is None or not deviates(tensor, output):
                    own += _repairs(case, layer, "input", index, tensor_at(output))
                elif deviates(tensor, port):
                    own += _repairs(case, layer, "input", index, tensor)
    for layer, own in repairs.items():
        yield from own
        parts = [*{each.part: each for each in reversed(own)}.values()]
        if sum(each.price for each in parts) > len(parts):  # else each is a slip
            message = f"the ports of {called(layer)} do not fit the layers around it"
            yield from _together(parts[::-1], message)


def _of_tensor(
    case: Case, layer: Layer, index: int, tensor: Tensor
) -> Iterator[Hypothesis]:
    """The ports at both ends of the edges from an output, which all say the same: it is no fix, since what is before
    them may be wrong."""
    output = layer.outputs[index]
    repairs = _repairs(case, layer, "output", index, tensor)
    ports = [*islice(repairs, 1)]
    for target, at in layer.consumers(index):
        if ports and same(output, target.inputs[at]):
            repairs = _repairs(case, target, "input", at, tensor)
            ports += islice(repairs, 1)
    yield from _together(ports)


def _together(repairs: list[Hypothesis], message: str = "") -> Iterator[Hypothesis]:
    """Several ports that one mistake made wrong; without a message: what a rule says of the first of them."""
    if len(repairs) > 1:
        what = "; ".join(each.what for each in repairs)
        yield joint(repairs)._replace(
            message=message,
            what=what if message else "",
            price=_OF_SEVERAL,
            changes=len(repairs),
            help=f"correct them: {what}" if message else None,
        )


def _repairs(
    case: Case, layer: Layer, side: str, index: int, tensor: Tensor
) -> Iterator[Hypothesis]:
    """The port says what ``tensor`` is."""
    port = (layer.inputs if side == "input" else layer.outputs)[index]
    fixes = case.file.fixes
    kind = tensor.element_type
    if port.precision and kind not in ("dynamic", port_type(port)):
        yield from _hypothesis(
            layer,
            f"{side}/{index}/precision",
            fixes.precision(layer, side, index, element_type.find(kind)),
        )
    if tensor.shape.rank is not None:
        shape = without_hidden_symbols(tensor.shape)
        lengths = [dim.length if dim.is_static else -1 for dim in shape]
        price = _changes(lengths, list(port.dims))
        yield from _hypothesis(
            layer, f"{side}/{index}", fixes.port_dims(layer, side, index, shape), price
        )


def _changes(lengths: list[int], old: list[int]) -> int:
    """How many dims are written, added, deleted or swapped to make ``lengths`` of ``old``."""
    less, more = sorted((lengths, old), key=len)
    if len(less) < len(more) and _is_in(less, more):
        return len(more) - len(less)
    changed = sum(one != other for one, other in zip(less, more, strict=False))
    if changed == _OF_A_SWAP and sorted(less) == sorted(more):
        return 1
    return max(1, changed) + len(more) - len(less)


def _is_in(less: list[int], more: list[int]) -> bool:
    """Whether ``less`` is left of ``more`` when some of it is deleted."""
    rest = iter(more)
    return all(length in rest for length in less)


def _hypothesis(
    layer: Layer, place: str, fix: Fix | None, price: float = 1.0
) -> Iterator[Hypothesis]:
    if fix is not None:
        part = "precision" if place.endswith("precision") else "dims"
        yield Hypothesis(
            "",
            layer,
            place,
            fix.edits,
            fix.what,
            price,
            safe=fix.safe,
            many=_MANY[part],
            part=place,
        )
