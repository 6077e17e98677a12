"""A Slice from the first element on, which OpenVINO leaves out before a GatherElements when it compiles: the data are
longer then than those that it checked when it read the file."""

from __future__ import annotations

from ovgather.forward import evaluate
from ovgather.forward.records import find_declaration
from ovgather.ops.declaration import Node, Refused
from ovgather.tensor.tensor import Tensor


def error_without_slice(
    data: Tensor, start: Tensor, step: Tensor | None, indices: Tensor, axis: int
) -> Refused | None:
    """Why a GatherElements of a part of ``data`` is refused; None: it is not, or the Slice is not left out."""
    steps = (1,) if step is None else step.value or ()
    declaration = find_declaration("GatherElements", "opset6")
    if {*(start.value or ())} != {0} or {*steps} != {1} or declaration is None:
        return None
    attributes = {"axis": axis}
    try:
        evaluate.infer(Node(declaration, (data, indices), attributes, 1, attributes))
    except Refused as error:
        message = f"OpenVINO leaves out the Slice before it: {error}"
        return Refused("data", message, "compile")
    return None
