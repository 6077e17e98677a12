"""What: the text is a part of a file: edges are lost, and perhaps the last layers. Or its edges are those of another
file.
Why: layers have inputs, and there is no edge at all, or most edges lead from or to what is not there. A program that
mends XML closes what was cut off.
Bad::
    <layers> ... </layers> </net>
Good::
    <layers> ... </layers> <edges> ... </edges> </net>
"""

from collections.abc import Iterator

from ovgather.ir.edit.layer_text import end_of
from ovgather.ir.positions import element_at
from ovgather.validation.context import Place
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 2
_ENDS = {"Result", "Assign"}
_LEAST_EDGES = 6


def propose(case: Case) -> Iterator[Hypothesis]:
    graph = case.file.model.graph
    misfits = case.misfits(graph)
    if case.file.model.snippet or not case.file.links.unfed.get(graph):
        return
    if len(misfits) >= _LEAST_EDGES and 2 * len(misfits) > len(graph.edges):
        yield _foreign(case)
    if graph.edges:
        return
    last = graph.layer(len(graph.ids) - 1)
    message = f"the <edges> are missing: nothing connects the {len(graph.ids)} layers"
    place: Place = "name"
    edges = element_at(case.source, graph.offset).first("edges")
    if edges is not None:
        message = f"<edges> is empty: nothing connects the {len(graph.ids)} layers"
        place = edges.name_span
    if _ENDS.isdisjoint([each.type for each in graph.signatures]):
        message = f"the file was probably cut off after {called(last)}: it has no Result, and no edges"
    yield Hypothesis(
        message,
        last,
        place,
        is_part=True,
        price=1.0,
        help="copy the whole file again",
    )


def _foreign(case: Case) -> Hypothesis:
    """Without any edge, as a part of a file, nothing contradicts anything."""
    graph = case.file.model.graph
    offsets = [edge.offset for edge in graph.edges]
    span = min(offsets), end_of(element_at(case.source, max(offsets)))
    message = (
        f"{len(case.misfits(graph))} of {len(offsets)} edges do not fit the layers:"
    )
    return case.repair(
        f"{message} <edges> is probably that of another model",
        None,
        span,
        [(span, b"")],
        price=3.0,
        is_part=True,
        reach=len(case.findings),
        help="restore the <edges> that was written with these layers",
    )
