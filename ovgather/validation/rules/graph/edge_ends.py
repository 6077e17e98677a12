"""What: an edge names a layer that does not exist, or a port that the layer does not have.
Why: the tensor of the edge is lost.
OpenVINO: ignores an edge to a missing layer. It rejects an edge from a missing layer ("Cannot create layer id:0 from
unsupported opset:") and an edge from or to a missing port.
Bad::
    <edge from-layer="99" from-port="0" to-layer="2" to-port="0"/>
Good::
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
"""

from ovgather.text import count
from ovgather.validation.context import Diagnostic, Edge, File, Findings, Layer, Rule
from ovgather.validation.facts.edges import Link

RULE = Rule(
    "OVG302", "edge to or from a missing layer or port", "error", "rejects accepts"
)


def check(file: File) -> Findings:
    for graph in [
        each for each in file.graphs if each.edges and not each.ids
    ]:  # one finding for all edges of it
        message = f"{count(len(graph.edges), 'edge')}, but <{graph.kind}> has no layers"
        yield file.report(
            RULE,
            message,
            file.edge_span(graph.edges[0]),
            None,
            "accepts",
            "ignores the edges",
        )
    if not file.links.dangling:
        return
    # The edges may mean a layer whose id cannot be read.
    nameless = any(number < 0 for graph in file.graphs for number in graph.ids)
    explained = {edge for graph in file.graphs if not graph.ids for edge in graph.edges}
    for link in file.links.dangling.values():
        # OVG301 reports edges without numbers.
        if link.edge not in explained and min(link.edge[:4]) >= 0:
            yield from _link(file, link, nameless)


def _link(file: File, link: Link, nameless: bool) -> Findings:
    edge = link.edge
    if link.source is None and link.target is None and not nameless:
        message = f"edge from layer {edge.from_layer} to layer {edge.to_layer}, neither of which exists"
        yield file.report(
            RULE,
            message,
            file.edge_span(edge, "from-layer"),
            None,
            "accepts",
            "ignores the edge",
        )
    elif _is_reversed(link):
        ends = (
            f"port {edge.from_port} of layer {edge.from_layer}",
            f"port {edge.to_port} of layer {edge.to_layer}",
        )
        message = f"reversed edge: {ends[0]} is an input, {ends[1]} an output"
        yield file.report(
            RULE,
            message,
            file.edge_span(edge),
            link.target,
            about=filter(None, [link.source]),
        )
    else:
        # OpenVINO ignores the source of an edge to a missing layer.
        is_read = link.output is None and link.target is not None
        for end, layer, number, port, is_missing in (
            ("from", link.source, edge.from_layer, edge.from_port, is_read),
            ("to", link.target, edge.to_layer, edge.to_port, link.input is None),
        ):
            if is_missing and layer is None and not nameless:
                yield _missing_layer(file, link, end, number)
            elif is_missing and layer is not None:
                yield from _missing_port(file, link, end, layer, port)


def _is_reversed(link: Link) -> bool:
    """Whether neither end fits, but both do when source and target change places."""
    if (
        link.source is None
        or link.target is None
        or link.output is not None
        or link.input is not None
    ):
        return False
    inputs = {port.id for port in link.source.inputs}
    return link.edge.from_port in inputs and link.edge.to_port in {
        port.id for port in link.target.outputs
    }


def _missing_port(
    file: File, link: Link, end: str, layer: Layer, port: int
) -> Findings:
    if end == "from":
        side = "output"
        ports = layer.outputs
    else:
        side = "input"
        ports = layer.inputs
    if any(item.id < 0 for item in ports):
        return  # it may mean a port without a valid id, which OVG209 reports
    ids = ", ".join(str(item.id) for item in ports)
    has = f"no {side} ports"
    if ports:
        has = f"{side} port{'s' * (len(ports) > 1)} {ids}"
    message = (
        f'edge {end} port {port} of layer {layer.id} "{layer.name}", which has {has}'
    )
    span = file.edge_span(link.edge, f"{end}-port")
    related = [("the layer", "id")]
    about: list[Edge | Layer] = [
        link.edge,
        *[each for each in (link.source, link.target) if each is not None],
    ]
    yield file.report(
        RULE, message, span, layer, needs=link.target, related=related, about=about
    )


def _missing_layer(file: File, link: Link, end: str, number: int) -> Diagnostic:
    verdict = "rejects"
    effect = ""
    other = link.target
    if end == "to":
        verdict = "accepts"
        effect = "ignores the edge"
        other = link.source
    message = f"edge {end} layer {number}, which does not exist"
    span = file.edge_span(link.edge, f"{end}-layer")
    return file.report(
        RULE,
        message,
        span,
        other,
        verdict,
        effect,
        needs=link.target,
        about=[link.edge],
    )
