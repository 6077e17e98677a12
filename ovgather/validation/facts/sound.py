"""What a file says of the tensor at a port elsewhere than at the port itself, and whether that is to be trusted."""

from collections import defaultdict
from collections.abc import Container
from typing import NamedTuple

from ovgather.ir.constants import constant
from ovgather.ir.graph import Graph, Layer
from ovgather.ir.numbers import leading_integer
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import output_tensor, port_tensor
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import PartialShape
from ovgather.validation.facts.attributes import is_suspect
from ovgather.validation.facts.file_facts import FileFacts


class Known(NamedTuple):
    """The known facts of a tensor; None: unknown."""

    shape: PartialShape | None
    element_type: ElementType | None


_NOTHING = Known(None, None)
_Ends = dict[int, list[int]]


class TrustedFacts:
    """The facts on the tensors of one file, without doubtful ones; ``axis_doubts``: the layers whose axis is one."""

    def __init__(self, facts: FileFacts, axis_doubts: Container[int]) -> None:
        self.facts = facts
        self._axis_doubts = axis_doubts
        self._edges: dict[int, tuple[_Ends, _Ends]] = {}
        self._sound: dict[int, bool] = {}

    def known(self, layer: Layer, side: str, index: int) -> Known:
        """The facts on a port from the rest of the file; unknown where these are doubtful."""
        if side == "input":
            source = layer.producer(index)
            return _NOTHING if source is None else self.flowing(*source)
        gather = self.facts.gathers.get(layer.offset)
        if index or not self.is_sound(layer):
            return _NOTHING
        if gather is not None:
            return Known(gather.inference.shape if gather.inference is not None else None, gather.output_type)
        if layer.type in ("Parameter", "Const"):
            tensor = output_tensor(layer, 0)
            declared = element_type.find_data(layer.data.get("element_type", "-"))
            return Known(tensor.shape if tensor.certain else None, declared)
        if layer.type == "Convert":
            return Known(None, element_type.find_data(layer.data.get("destination_type", "-")))
        return _NOTHING

    def flowing(self, layer: Layer, index: int) -> Known:
        """The tensor of an output port: the known facts, else the declared ones."""
        facts, port = self.known(layer, "output", index), port_tensor(layer.outputs[index])
        shape = port.shape if facts.shape is None and port.certain else facts.shape
        return Known(shape, facts.element_type or port.element_type)

    def is_sound(self, layer: Layer) -> bool:
        """Whether no defect of the layer could change its output once it is fixed."""
        if layer.offset not in self._sound:
            self._sound[layer.offset] = self._is_sound(layer)
        return self._sound[layer.offset]

    def _is_sound(self, layer: Layer) -> bool:
        if len(layer.graph.by_id) != len(layer.graph.layers):
            return False  # edges lead to the last of the layers with an id, whichever was meant
        gather = self.facts.gathers.get(layer.offset)
        if gather is not None:
            sources = [layer.producer(index) for index in range(len(layer.inputs))]
            certain = all(self.is_sound(source[0]) for source in sources if source and source[0].type == "Const")
            return certain and self._is_wired(gather) and self._is_readable(gather) and not _errors(gather)
        if layer.type == "Const":
            const = constant(layer, self.facts.model.weights)
            return const is not None and const.fits and self._suits(layer)
        return layer.type != "Parameter" or ("shape" in layer.data and self._suits(layer))

    def _is_wired(self, gather: GatherLayer) -> bool:
        """Whether each input port is fed by one edge."""
        numbers = sorted(port.id for port in gather.layer.inputs)
        right = len(numbers) == len(gather.operation.inputs) and len(set(numbers)) == len(numbers)
        return right and (self.facts.model.snippet or self._fed(gather.layer) == numbers)

    def _is_readable(self, gather: GatherLayer) -> bool:
        """Whether OpenVINO reads all attributes, none is missing, and the ports do not contradict the axis."""
        if gather.layer.offset in self._axis_doubts:
            return False
        if any(
            attribute.required and attribute.name not in gather.layer.data for attribute in gather.operation.attributes
        ):
            return False
        texts = [gather.layer.data.get(attribute.name) for attribute in gather.operation.attributes]
        read = all(text is None or leading_integer(text, sign="-") is not None for text in texts)
        return read and not is_suspect(self.facts, gather)

    def _suits(self, layer: Layer) -> bool:
        """Whether the declared outputs of ``layer`` suit the Gather layers that read them."""
        consumers = map(layer.graph.by_id.get, self._ends(layer.graph)[1].get(layer.id, ()))
        gathers = (self.facts.gathers.get(consumer.offset) for consumer in consumers if consumer is not None)
        return not any(gather is not None and _errors(gather) for gather in gathers)

    def takes(self, layer: Layer, index: int) -> bool:
        """Whether exactly one edge feeds input ``index``, and the layer can do with what flows in."""
        gather = self.facts.gathers.get(layer.offset)
        once = self._fed(layer).count(layer.inputs[index].id) == 1
        return once and (gather is None or (self._is_wired(gather) and not _errors(gather)))

    def _ends(self, graph: Graph) -> tuple[_Ends, _Ends]:
        """The input ports that edges feed (twice where two do), and the consumers, each by the id of the layer."""
        if id(graph) not in self._edges:
            sources, consumers = defaultdict(list), defaultdict(list)
            for edge in graph.edges:
                sources[edge.to_layer].append(edge.to_port)
                consumers[edge.from_layer].append(edge.to_layer)
            self._edges[id(graph)] = sources, consumers
        return self._edges[id(graph)]

    def _fed(self, layer: Layer) -> list[int]:
        return sorted(self._ends(layer.graph)[0].get(layer.id, ()))


def _errors(gather: GatherLayer) -> bool:
    types = gather.element_types
    check = gather.operation.check
    return bool(check(gather.shapes, axis=gather.axis, batch_dims=gather.batch_dims, element_types=types))
