"""Back edges: what a body gives in one round flows into it in the next one, and may have another shape.

OpenVINO widens the shapes of a Loop until no round gives another one: a dim that a round may change becomes any. A
symbol stays only where every round gives the same one: it names one length, and another round has another.
"""

from __future__ import annotations

from ovgather.forward.bodies.engine import Engine
from ovgather.forward.bodies.port_map import Outlet
from ovgather.forward.bodies.subgraph import Subgraph
from ovgather.tensor.dimension import ANY, Dimension, exact
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape, key_of, of_dims
from ovgather.tensor.symbol import HIDDEN
from ovgather.tensor.tensor import Basis, Tensor

MOST_ROUNDS = 8


def settle(forward: Engine, layer: Subgraph, given: dict[int, Tensor]) -> None:
    """Compute the body again until what flows back fits what flows in.

    ``given`` are the tensors of the Parameters, with which the body has been computed.
    """
    body = layer.bodies[0]
    ports = layer.maps[0]
    carried = {
        inlet.parameter: inlet.result
        for inlet in ports.inlets
        if inlet.result is not None
    }
    carried = {
        parameter: result for parameter, result in carried.items() if parameter in given
    }
    if not carried:
        return
    if layer.type == "loop":
        widened = _widened_parameters(layer)
    else:
        widened = set()
    if layer.count is None or layer.count < 0:
        most_widened = MOST_ROUNDS
    else:
        most_widened = layer.count
    for number in range(MOST_ROUNDS):
        changes = {}
        for parameter, result in carried.items():
            tensor = given[parameter]
            following = body.result(result)
            shape = tensor.shape
            if parameter in widened and number < most_widened:
                shape = _widened(shape, following.shape)
            shape = _renamed(shape, following.shape, f"{_prefix(layer)}{parameter}")
            basis = max(tensor.basis, following.basis, key=Basis)
            if key_of(shape) != key_of(tensor.shape) or basis != tensor.basis:
                changes[parameter] = forward.tensors.one(
                    shape, tensor.element_type, None, basis
                )
        if not changes:
            return
        given.update(changes)
        body.run(forward, given)
    for parameter in carried:  # whatever flows back fits a dynamic rank
        given[parameter] = forward.tensors.one(
            DYNAMIC_RANK, given[parameter].element_type, None, Basis.UNCHECKED
        )
    body.run(forward, given)


def _widened_parameters(layer: Subgraph) -> set[int]:
    """The Parameters that OpenVINO widens: of the last back edges of the Results that also flow out whole."""
    ports = layer.maps[0]
    targets = {
        inlet.result: inlet.parameter
        for inlet in ports.inlets
        if inlet.result is not None
    }
    return {
        targets[outlet.result]
        for outlet in ports.outlets
        if outlet.slices is None and outlet.result in targets
    }


def _widened(shape: PartialShape, following: PartialShape) -> PartialShape:
    """``shape`` with any length where the next round may have another one."""
    if shape.dims is None:
        return shape
    if following.dims is None or len(following.dims) != len(shape.dims):
        return DYNAMIC_RANK
    pairs = zip(shape.dims, following.dims, strict=True)
    return _of([dim if _contains(dim, other) else ANY for dim, other in pairs])


def _contains(dim: Dimension, other: Dimension) -> bool:
    return dim.min <= other.min and (
        dim.max is None or (other.max is not None and other.max <= dim.max)
    )


def _renamed(shape: PartialShape, following: PartialShape, name: str) -> PartialShape:
    """``shape`` with symbols of this round in place of those that the next round does not have."""
    if shape.dims is None or shape.is_static:
        return shape
    others = None
    if following.dims is not None and len(following.dims) == len(shape.dims):
        others = following.dims
    dims = []
    for place, dim in enumerate(shape.dims):
        keeps = (
            dim.symbol is not None
            and others is not None
            and others[place].symbol == dim.symbol
        )
        dims.append(
            dim
            if dim.is_static or keeps
            else exact(dim.min, dim.max, f"{name}:{place}")
        )
    return _of(dims)


def _prefix(layer: Subgraph) -> str:
    """The beginning of the symbols that another round does not have."""
    return f"{HIDDEN}{layer.number}."


def leaving(
    layer: Subgraph, outlet: Outlet, shape: PartialShape, inputs: tuple[Tensor, ...]
) -> PartialShape:
    """``shape`` without the symbols that mean nothing outside of the body.

    What a back edge carries may leave as it came in, after no round: both have to have the symbol.
    """
    if not shape.symbolic or shape.dims is None:
        return shape
    prefix = _prefix(layer)
    dims = list(shape.dims)
    merged = [
        inlet.input for inlet in layer.maps[0].inlets if inlet.result == outlet.result
    ]
    starts = [inputs[number].shape.dims for number in merged]
    for place, dim in enumerate(dims):
        if dim.symbol is None:
            continue
        same = all(
            each is not None
            and len(each) == len(dims)
            and each[place].symbol == dim.symbol
            for each in starts
        )
        if prefix in dim.symbol or not same:
            dims[place] = exact(dim.min, dim.max, None)
    return _of(dims)


def _of(dims: list[Dimension]) -> PartialShape:
    return of_dims(tuple(dims), any([dim.symbol is not None for dim in dims]))
