"""What: two layers of one graph have the same id.
Why: edges refer to layers by id, so one of the two cannot be reached.
OpenVINO: connects all edges to the last layer with the id. If they do not fit it, the file fails with a message about
something else ("Cannot create layer id:0 from unsupported opset:"). ovgather reports nothing more about such edges.
Bad::
    <layer id="0" …/> <layer id="0" …/>
Good::
    <layer id="0" …/> <layer id="1" …/>
"""

from ovgather.validation.context import File, Findings, Rule
from ovgather.validation.facts.edges import doubles_of

RULE = Rule("OVG109", "duplicate layer id", "error", "accepts")
_EFFECT = "the last layer with an id wins; the edges of the first go to it"


def check(file: File) -> Findings:
    for layer, first in [
        double for graph in file.graphs for double in doubles_of(graph)
    ]:
        if layer.id >= 0:
            message = f"layer id {layer.id} is taken: layer {first.name!r} has it"
            related = [("the other layer", file.place(first, "id"))]
            yield file.report(
                RULE,
                message,
                "id",
                layer,
                effect=_EFFECT,
                related=related,
                about=[first],
            )
