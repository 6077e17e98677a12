"""Nodes with bodies, whose outputs the walk follows by itself, and constants: what OpenVINO refuses of their form."""

from __future__ import annotations

from typing import Any

from ovgather.layers.conversion.call import (
    ABSENT,
    NodeCall,
    NotFollowed,
    has_one_element,
)
from ovgather.ops.declaration import Refused
from ovgather.tensor.tensor import Tensor


def _if(call: NodeCall) -> list[Tensor]:
    """What both branches give."""
    for name in ("then_branch", "else_branch"):
        _require_body(call, name)
    if len(call.bodies) != 2 or len(call.results) != 2:
        raise NotFollowed("further graphs beside the two branches")
    for body in call.bodies:
        if body.input:
            message = f"a branch has the input {body.input[0].name!r}, it may have none"
            call.refuse_form("inputs", message)
    counts = {len(body.output) for body in call.bodies}
    _require_outputs(call, min(counts, default=0))
    if len(counts) > 1:
        raise NotFollowed("branches with unequal numbers of outputs")
    _require_number(call, "condition", call.input(0))
    outputs = []
    for one, other in zip(*call.results, strict=True):
        is_same = str(one.shape) == str(other.shape)
        if not is_same or one.element_type != other.element_type:
            return []
        basis = max(one.basis, other.basis)
        outputs.append(Tensor(one.shape, one.element_type, None, basis))
    return outputs


def _loop(call: NodeCall) -> list[Tensor]:
    """A body gives the condition, the states, and then a row of each further output."""
    _require_body(call, "body")
    for body in call.bodies:
        _require_own_outputs(call, body)
        given, taken = len(call.inputs), len(body.input)
        if given != taken:
            message = f"the node has {given} inputs, its body takes {taken}"
            call.refuse_form("inputs", message)
        _require_outputs(call, len(body.output) - 1)
    if call.has(0) and call.inputs[0].element_type not in ("i64", "i32", "dynamic"):
        raise NotFollowed("a number of rounds that is not whole")
    if call.has(1) and call.inputs[1].element_type not in ("boolean", "dynamic"):
        raise NotFollowed("a condition that is not boolean")
    numbers = [
        *zip(("number of rounds", "condition"), call.inputs, strict=False),
        *[("condition that its body gives", result[0]) for result in call.results],
    ]
    for name, number in numbers:
        if number is ABSENT:
            continue
        _require_number(call, name, number)
        if (
            call.compile_error is None
            and number.shape.is_static
            and not has_one_element(number)
        ):
            message = f"the {name} must be one number, its shape is {number.shape}"
            call.compile_error = Refused(name, message, "compile")
    return []


def _require_number(call: NodeCall, name: str, number: Tensor) -> None:
    """Refuse what is no number, and no list that may have one element."""
    shape = number.shape
    is_empty = shape.rank == 1 and shape[0].max == 0
    is_long = number.is_constant and shape.rank == 1 and shape[0].min > 1
    if (shape.rank or 0) > 1 or is_empty or is_long:
        call.refuse(name, f"the {name} must be one number, its shape is {shape}")


def _scan(call: NodeCall) -> list[Tensor]:
    _require_body(call, "body")
    count = call.integer("num_scan_inputs", 0)
    for body in call.bodies:
        if not 0 <= count <= len(body.input):
            message = (
                f"num_scan_inputs is {count}, the body has {len(body.input)} inputs"
            )
            call.refuse_form("num_scan_inputs", message)
    raise NotFollowed("Scan")


def _require_body(call: NodeCall, name: str) -> None:
    attribute = call.attributes.get(name)
    if attribute is None or not attribute.HasField("g"):
        call.refuse_form(name, f"the {call.proto.op_type} has no {name}")


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


def _require_outputs(call: NodeCall, given: int) -> None:
    wanted = len(call.proto.output)
    if wanted > given:
        message = f"the node has {wanted} outputs, its body gives {max(given, 0)}"
        call.refuse_form("outputs", message)


def _constant(call: NodeCall) -> list[Tensor]:
    if not any(
        name == "value" or name.startswith(("value_", "sparse_value"))
        for name in call.attributes
    ):
        call.refuse_form("value", "the Constant has no value")
    return []


TRANSLATIONS = {"Constant": _constant, "If": _if, "Loop": _loop, "Scan": _scan}
