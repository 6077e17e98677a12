"""A body that is one recurrent cell: OpenVINO makes an LSTMSequence, a GRUSequence or an RNNSequence of its layer.

Its first input is a slice without the dim that is cut, its states are Parameters, its weights are constants. All that
flows out is a state, or the output with the dim again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ovgather.forward.bodies.port_map import PortMap
from ovgather.ir.graph import Graph, Layer
from ovgather.tensor.tensor import Tensor

_STATES = {"LSTMCell": 2, "GRUCell": 1, "RNNCell": 1}
_WEIGHTS = 3
_AXES = (0, 1)
_TO_CELL = ("Squeeze", "Reshape")
_FROM_CELL = ("Unsqueeze", "Reshape")
_Source = tuple[Layer, int] | None


def is_one_cell(
    graph: Graph, ports: PortMap, tensor_of: Callable[[_Source], Tensor]
) -> bool:
    """Whether OpenVINO makes a sequence of the body; ``tensor_of`` gives what an output of its layers computes."""
    results = _results(graph)
    cell = _cell(graph, results.values())
    if cell is None:
        return False
    states = _STATES[cell.type]
    slice, *sources = graph.producers(cell)
    if slice is None or len(sources) != states + _WEIGHTS:
        return False
    data = _reshaped(graph, slice[0], _TO_CELL, tensor_of)
    parameters = [data, *sources[:states]]
    if not all([_is_parameter(each) for each in parameters]):
        return False
    if tensor_of(data).shape.rank != 3 or not all(
        [tensor_of(each).is_constant for each in sources[states:]]
    ):
        return False
    ids = [each[0].id for each in parameters if each is not None]
    for inlet in ports.inlets:
        if inlet.parameter not in ids:
            return False
        if inlet.parameter == ids[0] and (
            inlet.slices is None or inlet.slices.axis not in _AXES
        ):
            return False
    is_sliced = {outlet.result: outlet.slices is not None for outlet in ports.outlets}
    outputs = set()
    for result, source in results.items():
        if source is None:
            return False
        if source[0].offset != cell.offset:
            outputs.add(source[0].offset)
            before = _reshaped(graph, source[0], _FROM_CELL, tensor_of)
            is_output = (
                before is not None
                and before[0].offset == cell.offset
                and before[1] == 0
            )
            if not is_output or not is_sliced.get(result, True):
                return False
    return len(outputs) == 1


def _results(graph: Graph) -> dict[int, _Source]:
    """What flows into each Result, by its id."""
    return {
        id: next(iter(graph.producers(graph.layer(row))), None)
        for row, id in enumerate(graph.ids)
        if graph.signatures[row].type == "Result"
    }


def _cell(graph: Graph, ends: Iterable[_Source]) -> Layer | None:
    """The cell that feeds a Result, or the layer before one."""
    for end in ends:
        layer = None
        if end is not None:
            layer = end[0]
        if layer is not None and layer.type in _FROM_CELL:
            source = graph.producers(layer)[0]
            layer = source[0] if source is not None else None
        if layer is None or layer.type not in _STATES:
            continue
        # OpenVINO makes none of the LSTMCell of opset1, which has peepholes.
        if layer.type != "LSTMCell" or layer.version != "opset1":
            return layer
    return None


def _reshaped(
    graph: Graph,
    layer: Layer,
    types: tuple[str, ...],
    tensor_of: Callable[[_Source], Tensor],
) -> _Source:
    """What ``layer`` gives in another shape, if it is of ``types`` and has the shape or the axes from a constant."""
    if layer.type not in types:
        return None
    sources = graph.producers(layer)
    if len(sources) != 2:
        return None
    if tensor_of(sources[1]).is_constant:
        return sources[0]
    return None


def _is_parameter(source: _Source) -> bool:
    return source is not None and source[0].type.lower() == "parameter"
