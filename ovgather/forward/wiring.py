"""What edges say of a layer: the inputs and outputs that OpenVINO gives it, and whether it is built."""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.forward.records import Outputs
from ovgather.ir.graph import Graph, Layer, Port
from ovgather.ops.declaration import Declaration, Refused
from ovgather.tensor.lazy import Table
from ovgather.tensor.tensor import Tensor

_OLD_IR = 10
_ROOTS = frozenset({"Result", "Assign", "Parameter"})


def fed_inputs(graph: Graph, row: int, inputs: list[Tensor]) -> list[Tensor]:
    """The inputs up to the last one with an edge: OpenVINO leaves out what follows."""
    numbers = [port.id for port in graph.signatures[row].inputs]
    fed = [
        place
        for place, number in enumerate(numbers)
        if (graph.ids[row], number) in graph.fed
    ]
    if fed:
        return inputs[: fed[-1] + 1]
    return inputs


def without_repeats(ports: Sequence[Port], inputs: Outputs) -> Outputs:
    """The inputs without the last ones whose port repeats the id of another: edges mean the first port of an id."""
    numbers = [port.id for port in ports[: len(inputs)]]
    count = len(numbers)
    while count and numbers[count - 1] in numbers[: count - 1]:
        count -= 1
    return inputs[:count]


def accepted_inputs(
    declaration: Declaration, inputs: Outputs, ir_version: int | None
) -> Outputs:
    """The inputs without those that OpenVINO takes from an old IR and does not use."""
    if declaration.extra_inputs and ir_version == _OLD_IR:
        return inputs[: len(declaration.inputs)]
    return inputs


def surplus_output(
    graph: Graph, row: int, count: int, ir_version: int | None
) -> Refused | None:
    """The refusal of a port for which there is no output; in IR v10 it must not be used."""
    signature = graph.signatures[row]
    numbers = [port.id for port in signature.outputs]
    ports = numbers[count:]
    used = {edge[1] for edge in graph.edges if edge[0] == graph.ids[row]}
    used -= {*numbers[:count]}
    if ir_version == _OLD_IR:
        ports = [number for number in ports if number in used]
    if not ports:
        return None
    if signature.type == "Result" and {*ports} == {numbers[0]}:
        # OpenVINO gives it an output, which nothing may read.
        if numbers[0] in used:
            return Refused("outputs", "a Result is read by another layer", "compile")
        return None
    return Refused(
        "outputs",
        f"there is no output for port {ports[0]}: {signature.type} has {count}",
    )


def built_layers() -> Table[Graph, set[int]]:
    """The ids of the layers of each graph that are Parameters, or lead to a Result or an Assign."""
    return Table(lambda graph: graph.reaching(_ROOTS))


def is_built(layer: Layer, built: Table[Graph, set[int]]) -> bool:
    """Whether OpenVINO makes anything of ``layer``, by the ``built_layers`` of its graph and of those around it."""
    graph = layer.graph
    # Below 0: whatever it should have been.
    is_reached = layer.id < 0 or (
        layer.id in built[graph] and graph.with_id(layer.id) is layer
    )
    return is_reached and (graph.parent is None or is_built(graph.parent, built))
