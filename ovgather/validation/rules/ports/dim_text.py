"""What: the text of a ``<dim>`` is not an integer of -1 or more; -1 stands for every dynamic dim.
Why: intervals (``1..10``) and ``?`` belong in the ``shape`` of a Parameter, not in a port.
OpenVINO: reads ``2.5`` and ``2abc`` as 2 and ``1..10`` as 1. It rejects ``?``, an empty dim and -2, naming a byte
offset.
Bad::
    <dim>?</dim>
Good::
    <dim>-1</dim>
"""

from bisect import bisect_right
from functools import partial

from ovgather.ir.numbers import leading_integer
from ovgather.validation.context import File, Findings, Fix, Problem, Rule

RULE = Rule(
    "OVG207",
    "dim that is not an integer",
    "error",
    "rejects accepts",
    "safe",
    needs="problems",
)


def check(file: File) -> Findings:
    for problem in file.problems.get("dim", ()):
        text = problem.value
        layer = problem.layer
        if text.startswith("&") and text.endswith(";"):
            continue  # OVG006 reports entities
        number = leading_integer(text)
        dim = file.element_at(problem.offset)
        verdict = "rejects"
        effect = "rejects it, giving a byte offset only"
        if number is not None and number >= -1:
            verdict = "accepts"
            effect = f"reads it as {number}"
        message = f"dim {text!r} is not an integer of -1 or more"
        span = dim.text_span if dim.text else dim.name_span
        help = "a dynamic dim is -1 in a port" if _is_dynamic(text) else None
        fix = partial(_fix, file, problem)
        yield file.report(
            RULE, message, span, layer, verdict, effect, parsed=True, help=help, fix=fix
        )


def _is_dynamic(text: str) -> bool:
    return "?" in text or ".." in text


def _fix(file: File, problem: Problem) -> Fix | None:
    """The length that the rest of the file gives the dim; else -1 for a dynamic dim, or the number OpenVINO reads."""
    length = -1 if _is_dynamic(problem.value) else leading_integer(problem.value)
    layer = problem.layer
    for side in ("input", "output"):
        if layer is not None:
            ports = file.element(layer).ports(side)
        else:
            ports = []
        index = bisect_right(ports, problem.offset, key=lambda port: port.start) - 1
        if index >= 0:
            starts = [dim.start for dim in ports[index].named("dim")]
        else:
            starts = []
        if layer is not None and problem.offset in starts:
            shape = file.fixes.tensor(layer, side, index).shape
            dims = file.fixes.dims(shape)
            if dims is not None and len(dims) != len(starts):
                return file.fixes.port_dims(layer, side, index, shape)
            if dims is not None:
                length = dims[starts.index(problem.offset)]
    if length is None or length < -1:
        return None
    return file.fixes.dim(file.element_at(problem.offset), length)
