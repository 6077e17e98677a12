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

from ovgather.validation.context import File, Findings, Rule
from ovgather.validation.fixes.plain_numbers import edge_end

RULE = Rule("OVG301", "edge with missing or invalid numbers", "error warning", "rejects accepts", "safe")


def check(file: File) -> Findings:
    for problem in file.problems.get("edge-attribute", ()):
        edge, similar = file.element_at(problem.offset), problem.subject.replace("-", "_")
        message, span, help = f"<edge> has no {problem.subject}", file.span_at(problem.offset), None
        fix = partial(edge_end, file, problem)
        if problem.subject in edge.attributes:
            message = f"{problem.subject} {problem.value!r} is not a plain number"
            span = file.span_at(problem.offset, problem.subject)
        elif similar in edge.attributes:
            span, help = file.span_at(problem.offset, similar, "name"), f"did you mean `{problem.subject}`?"
            fix = partial(file.fixes.renamed, edge, similar, problem.subject)
        yield file.report(RULE, message, span, help=help, fix=fix, needs=problem.layer)
    for problem in file.problems.get("edge-attribute-odd", ()):
        yield file.report_odd_number(RULE, problem, problem.subject)
