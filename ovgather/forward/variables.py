"""Variables: when OpenVINO compares what one is given with what it holds, and how the CPU plugin computes first values.

It moves the layers that lead to nothing but a ReadValue into it, and computes them only when the variable is
reset. It looks at their first outputs alone, and gives the ReadValue a second time to a Concat that copies it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from ovgather.forward.order import rows_in_order
from ovgather.forward.records import Outputs, Refusal, find_layer
from ovgather.ir.graph import Graph, Layer
from ovgather.ir.numbers import leading_integer
from ovgather.ops.declaration import Refused
from ovgather.tensor.dimension import Dimension
from ovgather.tensor.tensor import Tensor

_ENDS = frozenset({"Assign", "Result"})
_OLD = frozenset({"opset3", "opset4", "opset5"})
"""The versions of a ReadValue whose variable is what it is given first; nothing is moved into it."""


def is_compared_on_read(layer: Layer) -> bool:
    """Whether the ReadValue of an Assign is built before it.

    OpenVINO builds one Result or Assign after the other, in the order of the text, each behind the layers that feed it.
    An Assign that comes before its ReadValue does not know the variable yet: it is compared later, when the model is
    reshaped or compiled.
    """
    graph, variable = layer.graph, layer.data.get("variable_id")
    rows = range(graph.rows[layer.id] + 1)
    ends = [graph.ids[row] for row in rows if graph.signatures[row].type in _ENDS]
    built = graph.feeding(ends)
    return any(
        [
            signature.type == "ReadValue"
            and signature.data.get("variable_id") == variable
            and id in built
            for id, signature in zip(graph.ids, graph.signatures, strict=True)
        ]
    )


def refused_new_values(
    graph: Graph,
    inputs: Mapping[int, Sequence[Tensor]],
    outputs: Mapping[int, Outputs],
) -> Iterator[Refusal]:
    """The Assigns of a graph whose value does not fit the variable of an old ReadValue.

    An Assign of an old opset is compared when it is read, another one when the model is reshaped or compiled.

    Args:
        inputs, outputs: the tensors of each layer, by its offset.
    """
    readers: dict[str | None, Layer] = {}
    assigns = []
    for row, signature in enumerate(graph.signatures):
        if signature.type == "ReadValue":
            readers.setdefault(signature.data.get("variable_id"), graph.layer(row))
        elif signature.type == "Assign":
            assigns.append(graph.layer(row))
    for assign in assigns:
        reader = readers.get(assign.data.get("variable_id"))
        if reader is None or reader.version not in _OLD:
            continue
        held, new = outputs[reader.offset], inputs[assign.offset]
        if not held or not new:
            continue
        is_old = assign.version in _OLD
        message = _misfit(held[0], new[0], is_old)
        if message:
            error = Refused("new_value", message, "read" if is_old else "reshape")
            yield Refusal(assign, error, (new[0], held[0]))


def _misfit(held: Tensor, new: Tensor, is_old: bool) -> str:
    """Why a variable does not take a new value; empty: it does. Old Assigns compare only shapes without open dims."""
    kinds = (held.element_type, new.element_type)
    if "dynamic" not in kinds and held.element_type != new.element_type:
        return f"new_value is {new.element_type}, the variable is {held.element_type}"
    is_compared = not is_old or (held.shape.is_static and new.shape.is_static)
    if is_compared and not held.shape.compatible(new.shape):
        return f"new_value has shape {new.shape}, the variable {held.shape}"
    return ""


def refused_first_values(
    graph: Graph,
    inputs: Mapping[int, Sequence[Tensor]],
    outputs: Mapping[int, Outputs],
    is_built: Callable[[Layer], bool],
) -> Iterator[Refusal]:
    """The ReadValues of a graph whose first value the plugin cannot move into them.

    Args:
        inputs, outputs: the tensors of each layer, by its offset.
    """
    for row, signature in enumerate(graph.signatures):
        if signature.type != "ReadValue" or signature.version in _OLD:
            continue
        layer = graph.layer(row)
        moved = _Moved(layer, outputs, is_built)
        message = moved.problem(inputs)
        if message and is_built(layer):
            error = Refused("init_value", message, "compile")
            yield Refusal(layer, error, tuple(inputs[layer.offset]))


class _Moved:
    """The layers that the plugin moves into a ReadValue: those whose first output leads to nothing else."""

    def __init__(
        self,
        reader: Layer,
        outputs: Mapping[int, Outputs],
        is_built: Callable[[Layer], bool],
    ) -> None:
        self.reader = reader
        self.outputs = outputs
        self.is_built = is_built
        self.layers: dict[int, Layer] = {}
        self.sources: dict[int, Layer] = {}
        waiting = self._sources(reader)
        while waiting:
            layer = waiting.pop()
            if layer.id in self.layers:
                continue
            if layer.type != "Parameter" and self._leads_here(layer):
                self.layers[layer.id] = layer
                self.sources.pop(layer.id, None)
                waiting += self._sources(layer)
            else:
                self.sources[layer.id] = layer

    def problem(self, inputs: Mapping[int, Sequence[Tensor]]) -> str:
        """Why the plugin does not compile the ReadValue; empty: it does."""
        if not self.layers or not self.sources:
            return ""
        words = "the CPU plugin computes init_value inside of the ReadValue"
        for layer in self.sources.values():
            if self._has_several_outputs(layer):
                return f"{words}, and cannot give it one of several outputs: those of {_called(layer)}"
        for layer in self.layers.values():
            if any(map(self._is_read_elsewhere, self._readers_of_others(layer))):
                return f"{words}, and with it {_called(layer)}, of which others read a further output"
        first = inputs[self.reader.offset][0]
        given = first.shape.dims
        if given is None or _is_static(given):
            return ""
        if self._may_be_left_out(first) or self._may_be_shared():
            return ""
        for layer in self._readers(self.reader, 0):
            if layer.type == "Concat" and _is_copied(layer, self.reader, given, inputs):
                return f"{words} [{','.join(map(str, given))}], and not where {_called(layer)} copies what it reads"
        return ""

    def _may_be_left_out(self, first: Tensor) -> bool:
        """Whether the moved layers may all do nothing, such as a Reshape to the shape of its data."""
        for layer in self.layers.values():
            declaration = find_layer(layer.signature)
            count = len(layer.inputs)
            if declaration is None or len(declaration.moved_inputs(count)) != 1:
                return False
        sources = [self.outputs[layer.offset][0] for layer in self.sources.values()]
        kinds = [(str(tensor.shape), tensor.element_type) for tensor in sources]
        return (str(first.shape), first.element_type) in kinds

    def _may_be_shared(self) -> bool:
        """Whether a layer like a moved one has the same inputs: OpenVINO makes one of both before, which stays."""
        graph = self.reader.graph
        numbers: dict[object, int] = {}
        number_of: dict[int, int] = {}
        counts: Counter[int] = Counter()
        for row in rows_in_order(graph):
            signature, id = graph.signatures[row], graph.ids[row]
            sources: list[object] = []
            for port in signature.inputs:
                edge = graph.fed.get((id, port.id))
                sources.append(edge and (number_of.get(edge[0]), edge[1]))
            key: object = signature.type, *sorted(signature.data.items()), *sources
            if not sources:
                key = id
            if signature.type == "Const":
                key = self.outputs[graph.offsets[row]]
            number = numbers.setdefault(key, len(numbers))
            number_of[id] = number
            counts[number] += 1
        return any([counts[number_of[id]] > 1 for id in self.layers])

    def _sources(self, layer: Layer) -> list[Layer]:
        """The layers that feed ``layer``, but those that OpenVINO makes constants of before."""
        producers = map(layer.producer, range(len(layer.inputs)))
        sources = [producer[0] for producer in producers if producer is not None]
        return [source for source in sources if not self._is_constant(source)]

    def _is_constant(self, layer: Layer) -> bool:
        outputs = self.outputs.get(layer.offset, ())
        return bool(outputs) and all(
            [tensor.is_constant or tensor.is_known for tensor in outputs]
        )

    def _readers(self, layer: Layer, index: int) -> list[Layer]:
        readers = [reader for reader, _ in layer.consumers(index)]
        return [reader for reader in readers if self.is_built(reader)]

    def _leads_here(self, layer: Layer) -> bool:
        readers = self._readers(layer, 0)
        return bool(readers) and not any(map(self._is_read_elsewhere, readers))

    def _is_read_elsewhere(self, reader: Layer) -> bool:
        return reader is not self.reader and reader.id not in self.layers

    def _readers_of_others(self, layer: Layer) -> list[Layer]:
        """What reads other outputs than the first."""
        others = range(1, len(layer.outputs))
        return [reader for index in others for reader in self._readers(layer, index)]

    def _has_several_outputs(self, layer: Layer) -> bool:
        if layer.type == "MaxPool":  # without a reader of the indices it has none
            return layer.is_read(1)
        return len(self.outputs.get(layer.offset, ())) > 1


def _is_copied(
    concat: Layer,
    reader: Layer,
    given: Sequence[Dimension],
    inputs: Mapping[int, Sequence[Tensor]],
) -> bool:
    """Whether a Concat copies its inputs, instead of having them computed into its own output."""
    axis = leading_integer(concat.data.get("axis", ""), sign="-")
    if axis is None:
        return False
    axis %= len(given)
    shapes = []
    for place, tensor in enumerate(inputs[concat.offset]):
        producer = concat.producer(place)
        is_variable = producer is not None and producer[0] is reader
        shapes.append(given if is_variable else tensor.shape.dims)
        if tensor.is_constant and not is_variable:
            return True
    known = [dims for dims in shapes if dims is not None]
    if len({len(dims) for dims in known}) != 1 or len(known) != len(shapes):
        return False
    columns = [*zip(*known, strict=True)]
    before = [any([dim.max == 1 for dim in column]) for column in columns[:axis]]
    return not (all(before) and _is_static(columns[axis]))


def _is_static(dims: Sequence[Dimension]) -> bool:
    return all([dim.is_static for dim in dims])


def _called(layer: Layer) -> str:
    return f'{layer.type} {layer.id} "{layer.name}"'
