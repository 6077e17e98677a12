"""What: dims or the precision of a port are wrong, and the rest of the file agrees on others.
Why: an output port says what its layer computes, and an input port what flows in.
Bad::
    data [2,3], [2,5] -> Concat, axis 1 -> port [2,9]
Good::
    data [2,3], [2,5] -> Concat, axis 1 -> port [2,8]
"""

from collections.abc import Iterator

from ovgather.forward.ports import deviates, port_type
from ovgather.forward.sources import without_hidden_symbols
from ovgather.ir.graph import Layer
from ovgather.tensor import element_type
from ovgather.tensor.tensor import Tensor
from ovgather.validation.diagnosis.case import Case, same
from ovgather.validation.diagnosis.hypothesis import Hypothesis
from ovgather.validation.diagnostic import Fix

ORDER = 10
_MANY = {
    "precision": "the precision of ports of {count} layers is wrong",
    "dims": "the dims of ports of {count} layers are wrong",
}
_MOST_TAKERS = 4


def propose(case: Case) -> Iterator[Hypothesis]:
    ports = case.file.forward.port_tensor
    for layer in dict.fromkeys((*case.nearby, *case.subjects)):
        for index, port in enumerate(layer.outputs):
            takers = case.file.consumers.get((layer.offset, index), ())
            tensor = case.tensor((layer, index))
            if tensor is not None and deviates(tensor, port):
                tensors = [tensor]
            else:
                tensors = []
            tensors += [
                ports(target.inputs[at])
                for target, at in takers[:_MOST_TAKERS]
                if not same(port, target.inputs[at])
                and (tensor is None or not deviates(tensor, target.inputs[at]))
            ]
            for tensor in dict.fromkeys(tensors):
                yield from _repairs(case, layer, "output", index, tensor)
        sources = layer.graph.producers(layer)
        for index, (port, source) in enumerate(zip(layer.inputs, sources, strict=True)):
            if source is not None and not same(source[0].outputs[source[1]], port):
                output = source[0].outputs[source[1]]
                tensor = case.tensor(source)
                if tensor is None or not deviates(tensor, output):
                    yield from _repairs(case, layer, "input", index, ports(output))
                elif deviates(tensor, port):
                    yield from _repairs(case, layer, "input", index, tensor)


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
        changed = [
            length
            for length, old in zip(lengths, port.dims, strict=False)
            if length != old
        ]
        price = max(1, len(changed)) + abs(len(lengths) - len(port.dims))
        yield from _hypothesis(
            layer, f"{side}/{index}", fixes.port_dims(layer, side, index, shape), price
        )


def _hypothesis(
    layer: Layer, place: str, fix: Fix | None, price: float = 1.0
) -> Iterator[Hypothesis]:
    if fix is not None:
        part = "precision" if place.endswith("precision") else "dims"
        yield Hypothesis(
            "port",
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
