"""layer without id, name, type or version (OVG101)

What: one of the four is absent, or the id is not a plain number; with leading zeros, it is a warning.

Why: a layer is found by its id, made by its type and version, and spoken of by its name.

OpenVINO: rejects the file without naming the layer. It takes digits only for an id: no blanks, no sign, no
fraction.

Bad::

    <layer id=" 2 " name="g" type="Relu" version="opset1">

Good::

    <layer id="2" name="g" type="Relu" version="opset1">
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ovgather.diagnostics import Diagnostic, Fix
from ovgather.ir.model import Problem
from ovgather.rules._file import File

CODE = "OVG101"
TITLE = "layer without id, name, type or version"


def check(file: File) -> Iterator[Diagnostic]:
    """Missing attributes and ids that are no numbers."""
    for problem in file.problems.get("layer-attribute", ()):
        element = file.element_at(problem.offset)
        message = f"<layer> has no {problem.subject}"
        yield file.report(
            CODE, "error", message, element.name_span, layer=problem.layer, openvino="rejects", parsed=True
        )
    for problem in file.problems.get("layer-id", ()):
        span = file.element_at(problem.offset).attribute_span("id")
        message = f"layer id {problem.value!r} is not a plain number below 2^63"
        fix = partial(_fix, file, problem)
        found = file.report(CODE, "error", message, span, layer=problem.layer, openvino="rejects", parsed=True, fix=fix)
        found.label = "digits only"
        yield found

    for problem in file.problems.get("layer-id-zeros", ()):
        yield _padded(file, problem)


def _padded(file: File, problem: Problem) -> Diagnostic:
    element = file.element_at(problem.offset)
    message = f"layer id {problem.value!r} is written with leading zeros"
    number = str(int(problem.value))
    return file.report(
        CODE,
        "warning",
        message,
        element.attribute_span("id"),
        layer=problem.layer,
        openvino="accepts",
        effect=f"reads it as {number}",
        help=f"write {number}",
        fix=lambda: file.mends.value(element, "id", number, f"layer id {number} is written as a plain number"),
    )


def _fix(file: File, problem: Problem) -> Fix | None:
    from ovgather.rules._ids import layer_id

    return layer_id(file, problem)
