"""What: the text of a ``<dim>`` is not an integer of -1 or more; -1 stands for every dynamic dim.

Why: intervals (``1..10``) and ``?`` belong in the ``shape`` of a Parameter, not in a port.

OpenVINO: reads ``2.5`` and ``2abc`` as 2 and ``1..10`` as 1. It rejects ``?``, an empty dim and -2, with only a byte
offset.

Bad::

    <dim>?</dim>

Good::

    <dim>-1</dim>
"""

from bisect import bisect_right
from functools import partial

from ovgather.ir.graph import Problem
from ovgather.ir.numbers import leading_integer
from ovgather.validation.context import File, Findings
from ovgather.validation.diagnostic import Fix

CODE = "OVG207"
TITLE = "dim that is not an integer"
SEVERITIES = ("error",)
VERDICTS = ("rejects", "accepts")


def check(file: File) -> Findings:
    """Dims that the reader could not take as they stand."""
    for problem in file.problems.get("dim", ()):
        if problem.value.startswith("&") and problem.value.endswith(";"):
            continue  # an entity: said by OVG006
        read = leading_integer(problem.value)
        accepted = read is not None and read >= -1
        dim = file.element_at(problem.offset)
        yield file.report(
            CODE,
            "error",
            f"dim {problem.value!r} is not an integer of -1 or more",
            dim.text_span if dim.text else dim.name_span,
            layer=problem.layer,
            parsed=True,
            openvino="accepts" if accepted else "rejects",
            effect=f"reads it as {read}" if accepted else "rejects it, giving a byte offset only",
            help="a dynamic dim is -1 in a port" if "?" in problem.value or ".." in problem.value else None,
            fix=partial(_fix, file, problem),
        )


def _fix(file: File, problem: Problem) -> Fix | None:
    """The length that the rest of the file gives the dim; else -1 for what is dynamic, or what OpenVINO reads."""
    length = _known(file, problem)
    if length is None and ("?" in problem.value or ".." in problem.value):
        length = -1
    if length is None:
        length = leading_integer(problem.value)
    return None if length is None or length < -1 else file.fixes.dim(file.element_at(problem.offset), length)


def _known(file: File, problem: Problem) -> int | None:
    layer = problem.layer
    if layer is None:
        return None
    element = file.element(layer)
    for side in ("input", "output"):
        ports = element.ports(side)
        index = bisect_right(ports, problem.offset, key=lambda port: port.start) - 1
        starts = [dim.start for dim in ports[index].named("dim")] if index >= 0 else []
        if problem.offset in starts:
            dims = file.fixes.dims(file.fixes.known(layer, side, index).shape)
            return dims[starts.index(problem.offset)] if dims and len(dims) == len(starts) else None
    return None
