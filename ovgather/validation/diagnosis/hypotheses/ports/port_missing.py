"""What: a port of a layer is missing.
Why: an edge names it, or the operation has one input more.
Bad::
    <input><port id="0"/></input>   <!-- of an Add, and edges to ports 0 and 1 -->
Good::
    <input><port id="0"/><port id="1"/></input>
"""

from collections.abc import Iterator

from ovgather.ir.edit.layer_text import insertion, port_text
from ovgather.ir.graph import Edge, Layer, Port, port_with_id
from ovgather.ir.numbers import read_id
from ovgather.tensor import element_type
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 16


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.subjects:
        missing: dict[str, dict[int, Port]] = {"input": {}, "output": {}}
        inputs = {port.id for port in layer.inputs}
        outputs = {port.id for port in layer.outputs}
        for edge in [
            edge
            for edge in case.into(layer.graph, layer.id)
            if edge.to_port not in inputs and edge.to_port >= 0
        ]:
            source = layer.graph.source(edge)
            if source is not None:
                missing["input"][edge.to_port] = source[0].outputs[source[1]]
        leaving = [
            edge
            for edge in case.out_of(layer.graph, layer.id)
            if edge.from_port not in outputs and edge.from_port >= 0
        ]
        numbers = sorted(outputs.union(edge.from_port for edge in leaving))
        for edge in leaving:
            port = _computed(case, layer, numbers.index(edge.from_port))
            if port is None:
                port = _taker(edge, layer)
            if port is not None:
                missing["output"].setdefault(edge.from_port, port)
        for side, ports in missing.items():
            if ports:
                yield from _hypothesis(case, layer, side, ports)


def _computed(case: Case, layer: Layer, index: int) -> Port | None:
    """What output ``index`` of a layer is, computed without its port."""
    outputs = case.file.forward.outputs.get(layer.offset, ())
    if index >= len(outputs):
        return None
    kind = element_type.find_data(outputs[index].element_type)
    dims = outputs[index].shape.dims
    if kind is None or dims is None:
        return None
    return Port(
        0, kind.port, tuple([-1 if dim.is_dynamic else dim.min for dim in dims])
    )


def _taker(edge: Edge, layer: Layer) -> Port | None:
    target = layer.graph.with_id(edge.to_layer)
    if target is not None:
        return port_with_id(target.inputs, edge.to_port)
    return None


def _hypothesis(
    case: Case, layer: Layer, side: str, missing: dict[int, Port]
) -> Iterator[Hypothesis]:
    element = case.element(layer)
    parent = element.first(side)
    ports = element.ports(side)
    number = min(missing)
    written = "".join(port_text(each, missing[each]) for each in sorted(missing))
    if parent is None:
        names = [each.name for each in element.content]
        at = len(names)
        if side == "input" and "output" in names:
            at = names.index("output")
        text = f"<{side}>{written}</{side}>"
        change = insertion(element, element.content, at, text.encode())
    else:
        ids = [read_id(each.attributes.get("id", "")) for each in ports]
        before = [
            at for at, own in enumerate(ids, 1) if own is not None and own < number
        ]
        change = insertion(parent, ports, max(before, default=0), written.encode())
    ports_text = f"{side} port {number}"
    moves = {"input": "an edge leads to it", "output": "an edge leaves it"}
    if len(missing) > 1:
        ports_text = f"{side} ports {', '.join(map(str, sorted(missing)))}"
        moves = {"input": "edges lead to them", "output": "edges leave them"}
    what = f"{ports_text} {'is' if len(missing) == 1 else 'are'} there"
    message = f"{called(layer)} has no {ports_text}, but {moves[side]}"
    yield case.repair(
        message,
        layer,
        side,
        [change],
        what,
        1.3,
        help=f"add {written}",
        safe=True,
    )
