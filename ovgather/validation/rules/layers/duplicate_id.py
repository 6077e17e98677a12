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

RULE = Rule("OVG109", "duplicate layer id", "error", "rejects accepts")


def check(file: File) -> Findings:
    for graph in file.graphs:
        doubles = doubles_of(graph)
        strays, missing = file.links.misled(graph) if doubles else ([], None)
        rejected = any(link.target is not None and file.is_built(link.target) for link in strays)
        help = None
        if missing is not None:
            help = f"edges name layer {missing}, which does not exist: is it one of the two?"
        for layer, first in doubles:
            if layer.id < 0:
                continue
            message = f"layer id {layer.id} is taken: layer {first.name!r} has it"
            related = [("the other layer", file.place(first, "id"))]
            finding = file.report(RULE, message, "id", layer, help=help, related=related, about=[first])
            # Also if this layer leads to no Result: `report` would change it.
            finding.openvino = "rejects" if rejected else "accepts"
            finding.effect = "the last layer with an id wins; the edges of the first go to it"
            finding.effect += ", and do not fit" if rejected else ""
            yield finding
