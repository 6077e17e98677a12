"""What: an ``<edge>`` lacks ``from-layer``, ``from-port``, ``to-layer`` or ``to-port``, or one of them is not a number.
Leading zeros, a sign or a blank are a warning.
Why: the edge connects nothing.
OpenVINO: rejects the file, at most with a byte offset.
Bad::
    <edge from_layer="0" from_port="0" to_layer="2" to_port="0"/>
Good::
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
"""

from collections.abc import Iterator

from ovgather.validation.context import File, Findings, Layer, Problem, Rule
from ovgather.validation.wording import odd_numbers

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
        message = f"<edge> has no {problem.subject}"
        span = edge.tag_span
        if problem.subject in edge.attributes:
            message = f"{problem.subject} {problem.value!r} is not a plain number"
            span = edge.attribute_span(problem.subject)
        finding = file.report(
            RULE,
            message,
            span,
            needs=problem.layer,
            about=[problem, *_ends(file, problem)],
        )
        finding.part = problem.subject
        yield finding
    odd = file.problems.get("edge-attribute-odd", ())
    yield from odd_numbers(file, RULE, odd)


def _ends(file: File, problem: Problem) -> Iterator[Layer]:
    """The layers that the other attributes of the edge name."""
    graph, edge = file.edges[problem.offset]
    for number in (edge.from_layer, edge.to_layer):
        layer = graph.with_id(number) if number >= 0 else None
        if layer is not None:
            yield layer
