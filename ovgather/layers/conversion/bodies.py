"""Nodes with bodies, and constants: what OpenVINO refuses of their form, and the layers that they become."""

from __future__ import annotations

from typing import Any

from ovgather.forward.bodies.branches import infer_if
from ovgather.forward.bodies.loop import infer_iterator, infer_loop
from ovgather.forward.bodies.port_map import Inlet, Outlet, PortMap, Slices
from ovgather.layers.conversion.call import (
    BodyForm,
    NodeCall,
    NotFollowed,
    RefusedForm,
    constant,
)
from ovgather.onnx_file.graphs import names_read, needed_nodes, own_names, type_name
from ovgather.onnx_file.tensors import (
    CONSTANT_TYPES,
    FIRST_WITH_NUMBERS,
    held_by_constant,
)
from ovgather.tensor.dimension import LENGTHS
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements

_GRAPH = 5
_ENDLESS = (1 << 63) - 1
_ONE = PartialShape((LENGTHS[1],))
_TRUE = constant(_ONE, "boolean", (1,))
_NO_LIMIT = constant(_ONE, "i64", (-1,))


def _if(call: NodeCall) -> list[Tensor]:
    branches = _bodies(call, "then_branch", "else_branch")
    for body in branches:
        if body.input:
            message = f"a branch has the input {body.input[0].name!r}, it may have none"
            call.refuse_form("inputs", message)
    wanted = len(call.proto.output)
    counts = [len(body.output) for body in branches]
    if counts[0] != counts[1] and min(counts) < wanted:
        message = f"the branches give {counts[0]} and {counts[1]} outputs"
        call.refuse_form("outputs", message)
    if not any(counts):
        call.refuse_form("outputs", "the branches give no outputs")
    if max(counts) > wanted:
        raise NotFollowed("outputs of branches that the node does not have")
    for body in branches:
        _require_own_elements(call, body)
    count = counts[0]
    outlets = tuple(Outlet(place, None) for place in range(count))
    form = BodyForm(
        "if", infer_if, [PortMap((), outlets)] * 2, ("then_branch", "else_branch")
    )
    return call.with_bodies(form, [call.input(0)])


def _require_own_elements(call: NodeCall, branch: Any) -> None:
    """Raises Refused where a branch takes from a sequence what is of outside: OpenVINO does not find it."""
    makers = {
        node.output[0]: node
        for node in branch.node
        if node.op_type == "SequenceConstruct" and node.output
    }
    sequences = {
        name
        for node in branch.node
        if node.op_type == "SequenceAt"
        for name in node.input[:1]
    }
    own = own_names(branch)
    for name in sequences & makers.keys():
        if not own.issuperset(makers[name].input):
            message = "OpenVINO finds no element of a sequence of values from around the branch"
            call.refuse_form("sequence", message)


def require_equal_branches(graph: Any, place: int) -> None:
    """Raises NotFollowed where one branch of an If alone reads an earlier output of the model: OpenVINO 2026.4.1 takes
    that for an output of the branch in most of these models, and refuses the If."""
    earlier = set()
    for item in graph.output:
        if place in needed_nodes(graph, [item.name]):
            break
        earlier.add(item.name)
    readers = set()
    for attribute in graph.node[place].attribute:
        nodes = [attribute.g.node[each] for each in needed_nodes(attribute.g)]
        read = {name for each in nodes for name in names_read(each)} & earlier
        if read and (len(nodes) > 1 or len(nodes[0].input) > 1):
            readers.add(attribute.name)
    if len(readers) == 1:
        raise NotFollowed("one branch alone reads an earlier output")


def _loop(call: NodeCall) -> list[Tensor]:
    """A body gives the condition, the states, and then a row of each further output."""
    [body] = _bodies(call, "body")
    _require_own_outputs(call, body)
    given, places = len(call.inputs), len(body.input)
    if given != places:
        message = f"the node has {given} inputs, its body takes {places}"
        call.refuse_form("inputs", message)
    if given < 2:
        call.refuse_form("inputs", f"Loop needs 2 inputs, but has {given}")
    count, condition, *states = call.inputs
    kind = type_name(body.input[0].type.tensor_type.elem_type)
    if kind == "bool":
        message = f"the iteration of its body is {kind}, the CPU plugin counts in int64"
        call.compile_error = RefusedForm("body", message, "compile")
    if len(body.output) <= len(states):
        message = f"its body gives {len(body.output)} outputs, but must give {len(states) + 1} or more"
        call.refuse_form("outputs", message)
    if len(body.output) == 1:
        call.refuse_form("outputs", "its body gives no output beside the condition")
    if call.has(1) and condition.is_constant and condition.value in ((0,), (0.0,)):
        return [*states, *states]
    if not call.has(0) or (count.is_constant and count.value == (_ENDLESS,)):
        count = _NO_LIMIT
    if not call.has(1):
        condition = _TRUE
    inlets = [Inlet(2 + each, 2 + each, None, 1 + each) for each in range(len(states))]
    is_passed = _is_passed(call, body)
    if not is_passed:
        inlets.insert(0, Inlet(1, 1, None, 0))
    further = range(1 + len(states), len(body.output))
    outlets = [Outlet(1 + each, None) for each in range(len(states))]
    outlets += [Outlet(each, Slices(0, 0, -1, 1, 1)) for each in further]
    form = BodyForm(
        "loop",
        infer_loop,
        [PortMap(tuple(inlets), tuple(outlets), 0, 0)],
        ("body",),
        unsqueezed=dict.fromkeys(further, 0),
        first_result=_TRUE if is_passed else None,
    )
    return call.with_bodies(form, [count, condition, *states])


def _is_passed(call: NodeCall, body: Any) -> bool:
    """Whether the body of a Loop gives its condition as it is: OpenVINO makes it a constant, and drops the input."""
    given = body.output[0].name
    condition = body.input[1].name
    nodes = [body.node[place] for place in needed_nodes(body)]
    makers = [
        node
        for node in nodes
        if node.op_type == "Identity"
        and [*node.input] == [condition]
        and given in node.output
    ]
    if not makers:
        return False
    for node in nodes:
        if node not in makers and not names_read(node).isdisjoint((condition, given)):
            message = f"its body gives its condition {condition!r} as it is, and reads it besides"
            call.refuse_form("condition", message)
    return True


def _scan(call: NodeCall) -> list[Tensor]:
    """The states flow into the body as they are, of each further input a slice does."""
    [body] = _bodies(call, "body")
    offset = 0
    prefix = "scan_input_"
    if call.opset < 9:
        offset = 1
        prefix = ""
        if call.has(0):
            call.refuse_form("sequence_lens", "OpenVINO takes no sequence_lens")
    if "num_scan_inputs" not in call.attributes:
        call.refuse_form("num_scan_inputs", "Scan needs num_scan_inputs")
    count = call.integer("num_scan_inputs", 0)
    total = len(body.input)
    if not 0 <= count <= total:
        message = f"num_scan_inputs is {count}, the body has {total} inputs"
        call.refuse_form("num_scan_inputs", message)
    inputs = [call.input(offset + place) for place in range(total)]
    states = total - count
    slices = len(body.output) - states
    if slices < 0:
        message = (
            f"its body gives {len(body.output)} outputs, there are {states} states"
        )
        call.refuse_form("outputs", message)
    axes = _list(call, "scan_input_axes", count, offset)
    backward = _list(call, f"{prefix}directions", count, 0)
    result_axes = _list(call, "scan_output_axes", slices, offset)
    result_backward = _list(call, "scan_output_directions", slices, 0)
    inlets = [Inlet(each, each, None, each) for each in range(states)]
    outlets = [Outlet(each, None) for each in range(states)]
    squeezed = {}
    for place, (axis, is_backward) in enumerate(
        zip(axes, backward, strict=True), states
    ):
        axis = _axis(call, axis, inputs[place])
        squeezed[place] = axis
        inlets.append(Inlet(place, place, _slices(axis, is_backward), None))
    for place, (axis, is_backward) in enumerate(
        zip(result_axes, result_backward, strict=True), states
    ):
        outlets.append(Outlet(place, _slices(axis, is_backward)))
    form = BodyForm(
        "tensoriterator",
        infer_iterator,
        [PortMap(tuple(inlets), tuple(outlets))],
        ("body",),
        squeezed=squeezed,
        unsqueezed=dict(enumerate(result_axes, states)),
        kinds={each: inputs[each].element_type for each in range(states)},
    )
    return call.with_bodies(form, inputs)


def _list(call: NodeCall, name: str, count: int, default: int) -> list[int]:
    values = call.integers(name)
    if values is None:
        return [default] * count
    if len(values) < count:
        call.refuse_form(name, f"{name} has {elements(len(values))}, but needs {count}")
    return values[:count]


def _axis(call: NodeCall, axis: int, data: Tensor) -> int:
    rank = data.shape.rank
    if rank is not None and not -rank <= axis < rank:
        message = f"axis {axis} is out of range [{-rank}, {rank - 1}]"
        call.refuse("scan_input_axes", message)
    if axis < 0 and rank is None:
        call.refuse("scan_input_axes", f"axis {axis} of an unknown rank")
    return axis + (rank or 0) * (axis < 0)


def _slices(axis: int, is_backward: int) -> Slices:
    if is_backward:
        return Slices(axis, -1, 0, -1, 1)
    return Slices(axis, 0, -1, 1, 1)


def _bodies(call: NodeCall, *names: str) -> list[Any]:
    """The graphs of the attributes ``names``. Raises Refused where one is not there."""
    for name in names:
        attribute = call.attributes.get(name)
        if attribute is None or attribute.type != _GRAPH or not attribute.HasField("g"):
            call.refuse_form(name, f"the {call.proto.op_type} has no {name}")
    if len(call.bodies) != len(names):
        raise NotFollowed("graphs beside its own, or two of one name")
    return call.bodies


def _require_own_outputs(call: NodeCall, body: Any) -> None:
    """OpenVINO counts an input that a body of a Loop gives as it is twice, and a value from outside not at all."""
    for output in passed_outputs(body):
        message = (
            f"its body gives {output.name!r} as it is, which OpenVINO refuses"
            " (2026.0 to 2026.4.1; 2025.4 takes it): an Identity in the body helps"
        )
        call.refuse_form("outputs", message)


def passed_outputs(body: Any) -> list[Any]:
    """The outputs of a body that are its inputs, or values from around it."""
    own = {name for node in body.node for name in node.output}
    own.update(tensor.name for tensor in body.initializer)
    return [output for output in body.output if output.name not in own]


def _constant(call: NodeCall) -> list[Tensor]:
    held = held_by_constant(call.proto, call.opset)
    kind = None if held is None else CONSTANT_TYPES.get(held.name)
    if kind is None:
        call.refuse_form("value", "the Constant has no value")
    if held.name != "value" and call.opset < FIRST_WITH_NUMBERS:
        message = f"of a Constant of opset {call.opset} OpenVINO reads value, not"
        call.refuse_form(held.name, f"{message} {held.name}")
    if kind != held.type:
        call.refuse_form(held.name, f"{held.name} has another type than its name says")
    return []


TRANSLATIONS = {"Constant": _constant, "If": _if, "Loop": _loop, "Scan": _scan}
