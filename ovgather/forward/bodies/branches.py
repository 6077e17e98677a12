"""If: the outputs of the branch that is taken, or what both have in common."""

from __future__ import annotations

from collections.abc import Mapping

from ovgather.forward.bodies.engine import Engine
from ovgather.forward.bodies.flow import UNSET, entering, known_number
from ovgather.forward.bodies.subgraph import Subgraph
from ovgather.ops.declaration import Refused
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension, exact
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape, of_dims
from ovgather.tensor.tensor import Basis, Tensor


def infer_if(
    forward: Engine, layer: Subgraph, inputs: tuple[Tensor, ...]
) -> list[Tensor]:
    """The outputs of an If. Where its condition is known, OpenVINO leaves the other body as it is."""
    if not inputs:
        raise Refused("inputs", "If has no condition: it is given no inputs")
    if any([dim.max == 0 for dim in inputs[0].shape.dims or ()]):
        raise Refused("condition", "the condition has no elements")
    condition = known_number(inputs[0], "condition", layer.takes_exact(forward, 0))
    if condition is not None:
        branch = 0 if condition else 1
        _run(forward, layer, branch, inputs)
        outputs = [
            Tensor(each.shape, each.element_type, None, each.basis)
            for each in _outputs(layer, branch)
        ]
        # The number of outputs is that of <then_body>, if it has more.
        return outputs + [UNSET] * (len(layer.maps[0].outlets) - len(outputs))
    for branch in (0, 1):
        _run(forward, layer, branch, inputs)
        _require_different_results(layer, branch)
    thens = _outputs(layer, 0)
    elses = _outputs(layer, 1)
    if len(elses) < len(thens):
        raise Refused(
            "else_port_map",
            f"<then_body> gives {len(thens)} outputs, <else_body> {len(elses)}",
        )
    return [
        either(index, *pair)
        for index, pair in enumerate(zip(thens, elses, strict=False))
    ]


def _run(
    forward: Engine, layer: Subgraph, branch: int, inputs: tuple[Tensor, ...]
) -> None:
    """Compute a body; what its entries say of slices is not looked at."""
    around = ("then_port_map", "else_port_map")[branch]
    given: Mapping[int, Tensor] = {
        inlet.parameter: entering(forward, inlet, inputs, around)
        for inlet in layer.maps[branch].inlets
    }
    layer.bodies[branch].run(forward, given)


def _require_different_results(layer: Subgraph, branch: int) -> None:
    results = [outlet.result for outlet in layer.maps[branch].outlets]
    repeated = next(
        (id for place, id in enumerate(results) if id in results[:place]), None
    )
    if repeated is not None:
        body = layer.bodies[branch].name
        raise Refused(
            body.replace("body", "port_map"),
            f"two outputs take Result {repeated} of <{body}>",
        )


def _outputs(layer: Subgraph, branch: int) -> list[Tensor]:
    body = layer.bodies[branch]
    return [body.result(outlet.result) for outlet in layer.maps[branch].outlets]


def either(index: int, one: Tensor, other: Tensor) -> Tensor:
    """What holds of the tensors of both branches."""
    types = {one.element_type, other.element_type} - {"dynamic"}
    if len(types) > 1:
        kinds = f"{one.element_type} from <then_body>, {other.element_type} from <else_body>"
        raise Refused(
            "else_body", f"the element types of output {index} differ: {kinds}"
        )
    basis = max(one.basis, other.basis, key=Basis)
    return Tensor(
        _either_shape(one.shape, other.shape),
        types.pop() if types else "dynamic",
        None,
        basis,
    )


def _either_shape(one: PartialShape, other: PartialShape) -> PartialShape:
    if one.dims is None or other.dims is None:
        return DYNAMIC_RANK
    if len(one.dims) != len(other.dims):
        joined = one.dims + other.dims
        if len(joined) != 1:
            return DYNAMIC_RANK
        return of_dims((LENGTHS[1] if joined[0] == 1 else ANY,))  # a scalar and one dim
    dims = tuple(map(_either_dim, one.dims, other.dims))
    return of_dims(dims, any([dim.symbol is not None for dim in dims]))


def _either_dim(one: Dimension, other: Dimension) -> Dimension:
    """OpenVINO joins lengths to an interval; it does not look at intervals."""
    if one.is_static and other.is_static:
        if one.min == other.min:
            return one
        return exact(min(one.min, other.min), max(one.min, other.min), None)
    return exact(0, None, one.symbol if one.symbol == other.symbol else None)
