"""Nodes with bodies, whose outputs the walk follows by itself, and constants: what OpenVINO refuses of their form."""

from __future__ import annotations

from ovgather.layers.conversion.call import NodeCall, NotFollowed
from ovgather.tensor.tensor import Tensor


def _if(call: NodeCall) -> list[Tensor]:
    counts = {len(body.output) for body in call.bodies}
    _require_outputs(call, min(counts, default=0))
    if len(counts) > 1:
        raise NotFollowed("branches with unequal numbers of outputs")
    return []


def _loop(call: NodeCall) -> list[Tensor]:
    """A body gives the condition, the states, and then a row of each further output."""
    for body in call.bodies:
        given, taken = len(call.inputs), len(body.input)
        if given != taken:
            message = f"the node has {given} inputs, its body takes {taken}"
            call.refuse_form("inputs", message)
        _require_outputs(call, len(body.output) - 1)
    if call.has(0) and call.inputs[0].element_type not in ("i64", "i32", "dynamic"):
        raise NotFollowed("a number of rounds that is not whole")
    return []


def _scan(call: NodeCall) -> list[Tensor]:
    count = call.integer("num_scan_inputs", 0)
    for body in call.bodies:
        if not 0 <= count <= len(body.input):
            message = (
                f"num_scan_inputs is {count}, the body has {len(body.input)} inputs"
            )
            call.refuse_form("num_scan_inputs", message)
    raise NotFollowed("Scan")


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
