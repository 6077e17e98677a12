"""Loop and TensorIterator: bodies that are computed round by round."""

from __future__ import annotations

from ovgather.forward.bodies.back_edges import leaving, settle
from ovgather.forward.bodies.body import Body
from ovgather.forward.bodies.engine import Engine
from ovgather.forward.bodies.flow import (
    UNSET,
    dimension,
    entering,
    known_number,
    to_int64,
    with_dim,
)
from ovgather.forward.bodies.plugin import compile_error, iteration_error
from ovgather.forward.bodies.port_map import Inlet, PortMap, Slices
from ovgather.forward.bodies.subgraph import Subgraph
from ovgather.ops.declaration import Refused
from ovgather.tensor.dimension import ANY, LENGTHS
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape, of_dims
from ovgather.tensor.tensor import Tensor


def infer_loop(
    forward: Engine, layer: Subgraph, inputs: tuple[Tensor, ...]
) -> list[Tensor]:
    """The outputs of a Loop."""
    body = layer.bodies[0]
    ports = layer.maps[0]
    if len(inputs) < 2:
        raise Refused(
            "inputs",
            f"Loop takes 2 or more inputs (trip count, condition), but is given {len(inputs)}",
        )
    _require_iteration(layer)
    starts = known_number(inputs[1], "condition", layer.takes_exact(forward, 1))
    if ports.condition is None:
        return [UNSET]
    goes_on = _goes_on(forward, layer, inputs, ports.condition)
    _count_rounds(layer, inputs, goes_on)
    _require_inputs(ports, inputs)
    given = {
        inlet.parameter: _entering_loop(forward, inlet, inputs)
        for inlet in ports.inlets
    }
    body.run(forward, given)
    settle(forward, layer, given)
    outputs = []
    for index, outlet in enumerate(ports.outlets):
        tensor = body.result(outlet.result)
        shape = leaving(layer, outlet, tensor.shape, inputs)
        if outlet.slices is not None:
            shape = _joined_by_loop(shape, outlet.slices, layer.count, starts)
        elif starts is not None and not starts and shape.is_static:
            if not shape.rank:
                raise Refused(
                    "condition",
                    f"the condition is false, and output {index} is a scalar: it has no dim",
                )
            shape = with_dim(shape, 0, LENGTHS[0])
        outputs.append(
            forward.tensors.one(shape, tensor.element_type, None, tensor.basis)
        )
    _require_iteration(layer)  # with the shapes that the next pass finds
    layer.is_settled = _goes_on(forward, layer, inputs, ports.condition) is goes_on
    error = compile_error(layer, inputs, outputs)
    layer.compile_error = error or iteration_error(layer, inputs)
    return outputs


def _require_iteration(layer: Subgraph) -> None:
    ports = layer.maps[0]
    if ports.iteration is not None:
        known_number(layer.bodies[0].parameter(ports.iteration), "current iteration")


def _count_rounds(
    layer: Subgraph, inputs: tuple[Tensor, ...], goes_on: bool | None
) -> None:
    """Set the number of rounds. OpenVINO looks at the body as it has last been computed, and keeps a number."""
    if goes_on is False:
        layer.learn(1)
    trip_count = known_number(inputs[0], "trip count")
    if goes_on and trip_count is not None:
        if abs(trip_count) < 1 << 70:
            count = to_int64(int(trip_count))
        else:
            count = -1
        layer.learn(None if count == -1 else count)


def _goes_on(
    forward: Engine, layer: Subgraph, inputs: tuple[Tensor, ...], condition: int
) -> bool | None:
    """Whether the body gives a condition that is always true, or false; None: not known."""
    body = layer.bodies[0]
    name = "condition of the body"
    number = known_number(
        body.result(condition), name, body.takes_exact(forward, condition)
    )
    passed = body.passed(condition)
    if number is None and passed is not None:
        for inlet in layer.maps[0].inlets:
            if inlet.parameter == passed and 0 <= inlet.input < len(inputs):
                number = known_number(inputs[inlet.input], name)
    if number is None:
        return None
    return bool(number)


def _require_inputs(ports: PortMap, inputs: tuple[Tensor, ...]) -> None:
    """Each input but the first two needs an entry; those may have one."""
    own = 2 - sum(inlet.input in (0, 1) for inlet in ports.inlets)
    if own < 0 or len(inputs) != len(ports.inlets) + own:
        message = f"the layer has {len(inputs)} inputs, the entries are of {len(ports.inlets)}, and {own} need none"
        raise Refused("port_map", message)


def _entering_loop(forward: Engine, inlet: Inlet, inputs: tuple[Tensor, ...]) -> Tensor:
    tensor = entering(forward, inlet, inputs)
    if tensor.shape.dims is None:
        return tensor
    if inlet.slices is None:
        if inlet.result is None:
            return tensor
        # OpenVINO takes a length of 0 that comes back for the beginning of something that grows.
        shape = of_dims(
            tuple([dim if dim.max != 0 else ANY for dim in tensor.shape.dims]),
            tensor.shape.symbolic,
        )
        return forward.tensors.one(shape, tensor.element_type, None, tensor.basis)
    axis = inlet.slices.axis
    rank = len(tensor.shape.dims)
    if not -rank <= axis < rank:
        raise Refused(
            "port_map",
            f"axis {axis} of input {inlet.input} is out of range [{-rank}, {rank - 1}]",
        )
    shape = with_dim(tensor.shape, axis, dimension(inlet.slices.part_size))
    return forward.tensors.one(shape, tensor.element_type, None, tensor.basis)


def _joined_by_loop(
    shape: PartialShape, slices: Slices, count: int | None, starts: object
) -> PartialShape:
    """The shape of the slices of all rounds."""
    if starts is not None and not starts:
        return of_dims((LENGTHS[0],))
    if shape.rank is None:
        return shape
    rank = shape.rank or 1
    if not -rank <= slices.axis < rank:
        raise Refused(
            "port_map",
            f"axis {slices.axis} of an output is out of range [{-rank}, {rank - 1}]",
        )
    if not shape.rank:
        shape = of_dims((LENGTHS[1],))
    dim = shape[slices.axis]
    if dim.is_static and count is not None:
        joined = dimension(dim.min * count)
    else:
        joined = ANY
    return with_dim(shape, slices.axis, joined)


def infer_iterator(
    forward: Engine, layer: Subgraph, inputs: tuple[Tensor, ...]
) -> list[Tensor]:
    """The outputs of a TensorIterator. Its Parameters keep their element types, and those without use their shapes."""
    body = layer.bodies[0]
    ports = layer.maps[0]
    if len(inputs) != len(ports.inlets):
        raise Refused(
            "port_map",
            f"the layer has {len(inputs)} inputs, the entries are of {len(ports.inlets)}",
        )
    layer.count = None
    used = body.used()
    given = {}
    for inlet in ports.inlets:
        tensor = _entering_iterator(forward, layer, inlet, inputs)
        if inlet.parameter in used:
            given[inlet.parameter] = tensor
    _refuse_nested(body)
    body.run(forward, given)
    settle(forward, layer, given)
    if layer.count is None and not any(
        inlet.slices is not None for inlet in ports.inlets
    ):
        _count_joined(layer)
    outputs = []
    for outlet in ports.outlets:
        tensor = body.result(outlet.result)
        shape = leaving(layer, outlet, tensor.shape, inputs)
        if outlet.slices is not None:
            shape = _joined_by_iterator(shape, outlet.slices, layer.count)
        outputs.append(
            forward.tensors.one(shape, tensor.element_type, None, tensor.basis)
        )
    layer.compile_error = compile_error(layer, inputs, outputs)
    return outputs


def _entering_iterator(
    forward: Engine, layer: Subgraph, inlet: Inlet, inputs: tuple[Tensor, ...]
) -> Tensor:
    tensor = entering(forward, inlet, inputs)
    shape = tensor.shape
    slices = inlet.slices
    if slices is not None and shape.dims is not None:
        if slices.axis >= len(shape.dims):
            raise Refused(
                "port_map",
                f"axis {slices.axis} of input {inlet.input} is out of range: its shape is {shape}",
            )
        dim = shape.dims[slices.axis]
        shape = with_dim(shape, slices.axis, dimension(slices.part_size))
        if dim.is_static and slices.part_size:  # by 0 OpenVINO divides, and dies
            start, end = [
                place + dim.min * (place < 0) for place in (slices.start, slices.end)
            ]
            _set_count(layer, to_int64(abs(end - start) + 1), slices.part_size)
    own_type = layer.bodies[0].parameter(inlet.parameter).element_type
    return forward.tensors.one(shape, own_type, None, tensor.basis)


def _set_count(layer: Subgraph, length: int, size: int) -> None:
    quotient = abs(length) // abs(size)
    count = quotient if (length < 0) == (size < 0) else -quotient
    layer.count = None if count == -1 else count


def _count_joined(layer: Subgraph) -> None:
    """Without slices that flow in, the first that flow out say the number of rounds."""
    slices = next(
        (
            outlet.slices
            for outlet in layer.maps[0].outlets
            if outlet.slices is not None
        ),
        None,
    )
    if slices is not None and slices.part_size:
        _set_count(layer, to_int64(abs(slices.end - slices.start)), slices.part_size)


def _refuse_nested(body: Body) -> None:
    name = body.nested_iterator()
    if name is not None:
        raise Refused(
            "body",
            f"layer {name[:60]!r} of its body is a TensorIterator: OpenVINO takes none in another",
        )


def _joined_by_iterator(
    shape: PartialShape, slices: Slices, count: int | None
) -> PartialShape:
    if shape.dims is None:
        return DYNAMIC_RANK
    rank = len(shape.dims)
    if not rank:
        if slices.axis:
            raise Refused(
                "port_map", f"axis {slices.axis} of an output of scalars is not 0"
            )
        shape = of_dims((ANY,))
        rank = 1
    if not -rank <= slices.axis < rank:
        raise Refused(
            "port_map",
            f"axis {slices.axis} of an output is out of range [{-rank}, {rank - 1}]",
        )
    return with_dim(
        shape,
        slices.axis,
        ANY if count is None else dimension(count * slices.part_size),
    )
