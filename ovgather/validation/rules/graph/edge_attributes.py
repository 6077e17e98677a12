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

from ovgather.ir.numbers import read_id
from ovgather.validation.context import File, Findings, Fix, Problem, Rule

RULE = Rule(
    "OVG301",
    "edge with missing or invalid numbers",
    "error warning",
    "rejects accepts",
    "safe",
    needs="problems",
)


def check(file: File) -> Findings:
    for problem in file.problems.get("edge-attribute", ()):
        edge = file.element_at(problem.offset)
        similar = problem.subject.replace("-", "_")
        message = f"<edge> has no {problem.subject}"
        span = file.span_at(problem.offset)
        help = None
        fix = partial(_fix, file, problem)
        if problem.subject in edge.attributes:
            message = f"{problem.subject} {problem.value!r} is not a plain number"
            span = file.span_at(problem.offset, problem.subject)
        elif similar in edge.attributes:
            span = file.span_at(problem.offset, similar, "name")
            help = f"did you mean `{problem.subject}`?"
            fix = partial(file.fixes.renamed, edge, similar, problem.subject)
        yield file.report(
            RULE,
            message,
            span,
            help=help,
            fix=fix,
            needs=problem.layer,
            about=[problem],
        )
    for problem in file.problems.get("edge-attribute-odd", ()):
        yield file.report_odd_number(RULE, problem, problem.subject)


def _fix(file: File, problem: Problem) -> Fix | None:
    """``from-layer=" 2 "`` of an edge becomes 2, when the edge then comes from or goes to a port that waits for it."""
    number = read_id(problem.value.rstrip())
    if number is None or problem.offset not in file.edges:
        return None
    graph, edge = file.edges[problem.offset]
    linked = edge._replace(**{problem.subject.replace("-", "_"): number})
    is_source = problem.subject.startswith("from-")
    if is_source:
        end = linked[:2]
    else:
        end = linked[2:4]
    layer = graph.with_id(end[0])
    ports = () if layer is None else layer.outputs if is_source else layer.inputs
    fits = any(port.id == end[1] for port in ports) and (
        is_source or end not in graph.fed
    )
    if fits:
        return file.plain(problem, problem.subject, number)
    return None
