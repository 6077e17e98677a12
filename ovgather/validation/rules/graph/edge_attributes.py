"""What: an ``<edge>`` lacks ``from-layer``, ``from-port``, ``to-layer`` or ``to-port``, or one of them is not a number.
Leading zeros, a sign or a blank are a warning.

Why: the edge connects nothing.

OpenVINO: rejects the file, at most with a byte offset.

Bad::

    <edge from_layer="0" from_port="0" to_layer="2" to_port="0"/>

Good::

    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
"""

from functools import partial

from ovgather.ir.graph import Problem
from ovgather.validation.context import File, Findings
from ovgather.validation.diagnostic import Fix
from ovgather.validation.fixes.plain_numbers import edge_end

CODE = "OVG301"
TITLE = "edge with missing or invalid numbers"
SEVERITIES = ("error", "warning")
VERDICTS = ("rejects", "accepts")


def check(file: File) -> Findings:
    """Attributes of edges."""
    for problem in file.problems.get("edge-attribute", ()):
        edge = file.element_at(problem.offset)
        help, given = None, None
        if problem.subject in edge.attributes:
            message = f"{problem.subject} {problem.value!r} is not a plain number"
            span = edge.attribute_span(problem.subject)
        else:
            message = f"<edge> has no {problem.subject}"
            similar = problem.subject.replace("-", "_")
            given = similar if similar in edge.attributes else None
            span = edge.attribute_span(given, "name") if given else edge.name_span
            help = f"did you mean `{problem.subject}`?" if given else None
        fix = partial(_fix, file, problem, given)
        around = problem.layer
        yield file.report(CODE, "error", message, span, openvino="rejects", help=help, fix=fix, needs=around)
    for problem in file.problems.get("edge-attribute-odd", ()):
        yield file.report_odd_number(CODE, problem, problem.subject)


def _fix(file: File, problem: Problem, given: str | None) -> Fix | None:
    if given is not None:
        return file.fixes.renamed(file.element_at(problem.offset), given, problem.subject)
    return edge_end(file, problem)
