"""Numbers that OpenVINO reads though they are not written plainly: ``002``, ``+2`` or a blank before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ir.numbers import beginning, read_id

if TYPE_CHECKING:
    from ovgather.ir.graph import Problem
    from ovgather.validation.context import File
    from ovgather.validation.diagnostic import Diagnostic


def odd_number(file: File, code: str, severity: str, problem: Problem, what: str, *, openvino: str) -> Diagnostic:
    """The finding; ``what`` names the attribute without its value."""
    element = file.element_at(problem.offset)
    name, number = problem.subject, str(read_id(problem.value))
    return file.report(
        code,
        severity,
        f"{what} {problem.value!r} is written with {beginning(problem.value)}",
        element.attribute_span(name),
        layer=problem.layer,
        openvino=openvino,
        effect=f"reads it as {number}",
        help=f"write {number}",
        fix=lambda: file.fixes.value(element, name, number, f"{what} {number} is written as a plain number"),
    )
