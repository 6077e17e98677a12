"""What: the text is a part of a file: edges are lost, and perhaps the last layers.
Why: layers have inputs, and there is no edge at all. A program that mends XML closes what was cut off.
Bad::
    <layers> ... </layers> </net>
Good::
    <layers> ... </layers> <edges> ... </edges> </net>
"""

from collections.abc import Iterator

from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 2
_ENDS = {"Result", "Assign"}


def propose(case: Case) -> Iterator[Hypothesis]:
    graph = case.file.model.graph
    if case.file.model.snippet or graph.edges or not case.file.links.unfed.get(graph):
        return
    last = graph.layer(len(graph.ids) - 1)
    message = f"the model has no edges: nothing connects its {len(graph.ids)} layers"
    if _ENDS.isdisjoint([each.type for each in graph.signatures]):
        message = f"the file was probably cut off after {called(last)}: it has no Result, and no edges"
    yield Hypothesis(
        "cut_short",
        message,
        last,
        "name",
        is_part=True,
        price=1.0,
        help="copy the whole file again",
    )
