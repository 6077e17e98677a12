"""What the CPU plugin refuses of a Loop or a TensorIterator when it compiles it.

It makes an LSTMSequence, a GRUSequence or an RNNSequence of a TensorIterator whose body is one such cell, and takes of
its slices only the axis of the input and the sign of the stride. Of others it counts the slices. Parameters get the
shape of what is cut, whatever the body says, so that only slices that flow out can be of another shape.
"""

from __future__ import annotations

from ovgather.forward.bodies.flow import dimension, with_dim
from ovgather.forward.bodies.port_map import Slices, slice_count
from ovgather.forward.bodies.subgraph import Subgraph
from ovgather.ops.declaration import Refused
from ovgather.ops.declared.common.checks import LONG
from ovgather.tensor.dimension import LENGTHS
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor

_CONDITIONS = frozenset({"boolean", "dynamic", "u8"})
TRIP_COUNTS = LONG | {"dynamic"}
"""The types that the plugin has as i32 when it looks at the number of rounds."""


def _control_error(layer: Subgraph, inputs: tuple[Tensor, ...]) -> Refused | None:
    """Why the CPU plugin refuses a number that controls a Loop: its type, or that it is not one element."""
    numbers = [
        ("trip count", inputs[0], TRIP_COUNTS),
        ("condition", inputs[1], _CONDITIONS),
    ]
    result = layer.maps[0].condition
    if result is not None:
        tensor = layer.bodies[0].result(result)
        numbers.append(("condition of the body", tensor, _CONDITIONS))
    for name, tensor, types in numbers:
        message = ""
        if tensor.element_type not in types:
            kinds = ", ".join(sorted(types - {"dynamic"}))
            message = (
                f"the CPU plugin takes a {name} of {kinds}, not {tensor.element_type}"
            )
        elif tensor.shape.rank == 1 and tensor.shape.is_static and tensor.shape[0] != 1:
            message = f"the {name} must be one number, its shape is {tensor.shape}"
        if message:
            return Refused(name, message, "compile")
    iteration = layer.maps[0].iteration
    if iteration is not None:
        parameter = layer.bodies[0].parameter(iteration)
        shape = parameter.shape
        if parameter.element_type not in TRIP_COUNTS:
            kinds = ", ".join(sorted(LONG))
            message = f"the CPU plugin takes a current iteration of {kinds}, not {parameter.element_type}"
            return Refused("current iteration", message, "compile")
        if shape.rank != 0 and not (shape.is_static and shape[0] == 1):
            message = f"the current iteration must be one number for the CPU plugin, its shape is {shape}"
            return Refused("current iteration", message, "compile")
    return None


def iteration_error(layer: Subgraph, inputs: tuple[Tensor, ...]) -> Refused | None:
    """Why OpenVINO does not compile a Loop with a constant before the current iteration.

    It moves the constant into the body and takes the Parameter away. It counts the rounds in the Parameter that has the
    place of the current iteration then.
    """
    body = layer.bodies[0]
    iteration = layer.maps[0].iteration
    parameters = body.parameters()
    if iteration not in parameters or body.used() < {*parameters}:
        return None
    constant = [
        inlet.parameter
        for inlet in layer.maps[0].inlets
        if inlet.slices is None
        and inlet.result is None
        and inputs[inlet.input].is_constant
    ]
    left = [parameter for parameter in parameters if parameter not in constant]
    place = parameters.index(iteration)
    is_same = left[place : place + 1] == [iteration]
    if is_same or all([tensor.is_constant for tensor in inputs]):
        return None
    if place < len(left):
        kind = body.parameter(left[place]).element_type
        # Where shapes are open it fails when it runs.
        is_compiled = all([tensor.shape.is_static for tensor in inputs])
        if kind in TRIP_COUNTS or not is_compiled:
            return None
    message = "a constant flows into a Parameter before the current iteration: OpenVINO counts in another Parameter"
    return Refused("port_map", message, "compile")


def compile_error(
    layer: Subgraph, inputs: tuple[Tensor, ...], outputs: list[Tensor]
) -> Refused | None:
    """Why the CPU plugin refuses the layer. Slices it looks at if all shapes are static."""
    if layer.type == "tensoriterator":
        error = _string_error(layer, inputs)
        if error is not None:
            return error
        layer.is_sequence = layer.bodies[0].becomes_sequence(layer.maps[0])
        if layer.is_sequence:
            layer.is_resized = _is_resized(layer, inputs, outputs)
            return None
    if not all([tensor.shape.is_static for tensor in inputs]):
        return None
    is_static = all([tensor.shape.is_static for tensor in outputs])
    if layer.type == "loop":
        error = _control_error(layer, inputs)
    else:
        error = _count_error(layer, inputs, outputs if is_static else [])
    if error is not None:
        return error
    if not is_static:
        return None
    if layer.type == "loop" and all(
        [tensor.is_constant or tensor.is_known for tensor in inputs]
    ):
        return None  # OpenVINO's core runs the Loop
    return _shape_error(layer, inputs, outputs)


def _string_error(layer: Subgraph, inputs: tuple[Tensor, ...]) -> Refused | None:
    used = layer.bodies[0].used()
    for inlet in layer.maps[0].inlets:
        if inlet.parameter in used and inputs[inlet.input].element_type == "string":
            return Refused(
                "inputs",
                f"input {inlet.input} holds strings, the CPU plugin takes none in a TensorIterator",
                "compile",
            )
    return None


def _is_resized(
    layer: Subgraph, inputs: tuple[Tensor, ...], outputs: list[Tensor]
) -> bool:
    """Whether the sequence that OpenVINO makes of the layer gives slices of another shape, or more or fewer of them."""
    ports = layer.maps[0]
    cuts = [(each.input, each.slices) for each in ports.inlets if each.slices]
    for output, outlet in zip(outputs, ports.outlets, strict=True):
        part = layer.bodies[0].result(outlet.result).shape
        for input, slices in cuts:
            whole = inputs[input].shape
            if outlet.slices is None or whole.rank is None or part.rank is None:
                continue
            joined = with_dim(part, slices.axis, whole[slices.axis])
            if joined.dims != output.shape.dims:
                return True
    return False


def _count_error(
    layer: Subgraph, inputs: tuple[Tensor, ...], outputs: list[Tensor]
) -> Refused | None:
    """Why the plugin cannot cut what flows in and out of a TensorIterator into equally many slices."""
    ports = layer.maps[0]
    wholes = [
        (f"input {each.input}", inputs[each.input], each.slices)
        for each in ports.inlets
    ]
    wholes += [
        (f"output {index}", output, each.slices)
        for index, (output, each) in enumerate(
            zip(outputs, ports.outlets, strict=False)
        )
    ]
    counts = {}
    for name, whole, rule in wholes:
        if rule is None or rule.axis == -1:  # the plugin takes -1 for no slices
            continue
        if rule.axis < 0:
            message = f"axis {rule.axis} of {name} is out of range for the CPU plugin"
            return Refused("port_map", message, "compile")
        length = whole.shape[rule.axis].min
        counts[name] = slice_count(length, rule)
        if not counts[name]:
            message = f"{name} of length {length} is cut into no equal slices: start {rule.start}, end {rule.end}"
            message += f", stride {rule.stride}"
            return Refused("port_map", message, "compile")
    if len(set(counts.values())) < 2:
        return None
    text = ", ".join(f"{count} of {name}" for name, count in counts.items())
    return Refused("port_map", f"unequal numbers of slices: {text}", "compile")


def _shape_error(
    layer: Subgraph, inputs: tuple[Tensor, ...], outputs: list[Tensor]
) -> Refused | None:
    """Why the plugin cannot put slices together: those of the body are of another shape."""
    for index, (output, outlet) in enumerate(
        zip(outputs, layer.maps[0].outlets, strict=True)
    ):
        rule = outlet.slices
        part = _part_of(layer, outlet.result, inputs)
        # A part_size of 0 is refused when the model runs.
        if rule is None or not rule.part_size or not part.is_static:
            continue
        if rule.axis == -1 or (rule.axis < 0 and not part.rank):
            continue
        whole = output.shape
        if len(part) > 1 and whole.dims == (LENGTHS[0],):
            message = f"output {index} has no slices, in the body they are {part}"
            return Refused("port_map", message, "compile")
        if part.rank != whole.rank:
            continue
        slice = _slice_of(whole, rule)
        if slice.dims != part.dims:
            message = f"output {index} is cut along axis {rule.axis} into slices of {slice}, in the body it is {part}"
            return Refused("port_map", message, "compile")
    return None


def _part_of(layer: Subgraph, result: int, inputs: tuple[Tensor, ...]) -> PartialShape:
    """The shape that a Result has in the plugin: that of what is cut, where it gives a Parameter as it is."""
    body = layer.bodies[0]
    passed = body.passed(result)
    for inlet in layer.maps[0].inlets:
        if inlet.parameter == passed and inlet.slices is not None:
            return _slice_of(inputs[inlet.input].shape, inlet.slices)
    return body.result(result).shape


def _slice_of(whole: PartialShape, slices: Slices) -> PartialShape:
    return with_dim(whole, slices.axis, dimension(abs(slices.stride)))
