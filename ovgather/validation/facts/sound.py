"""What a file says of the tensor at a port elsewhere than at the port itself, and whether that is to be trusted."""

from __future__ import annotations

from collections.abc import Container
from functools import cached_property
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
from ovgather.validation.facts.axis_evidence import axis_doubts
from ovgather.validation.facts.file_facts import FileFacts


class Known(NamedTuple):
    """What is known of a tensor; None: nothing."""

    shape: PartialShape | None
    element_type: ElementType | None


_NOTHING = Known(None, None)


class TrustedFacts:
    """What one file knows of its tensors."""

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self._edges: dict[int, _Edges] = {}
        self._sound: dict[int, bool] = {}

    def known(self, layer: Layer, side: str, index: int) -> Known:
        """What the rest of the file says of a port; nothing where that is in doubt itself."""
        if side == "input":
            source = layer.producer(index)
            return _NOTHING if source is None else self.flowing(*source)
        gather = self.facts.gathers.get(layer.offset)
        if index or not self.is_sound(layer):
            return _NOTHING
        if gather is not None:
            return Known(gather.inference.shape if gather.inference is not None else None, gather.output_type)
        if layer.type in ("Parameter", "Const"):
            made = output_tensor(layer, 0)
            kind = element_type.find_data(layer.data.get("element_type", "-"))
            return Known(made.shape if made.certain else None, kind)
        if layer.type == "Convert":
            return Known(None, element_type.find_data(layer.data.get("destination_type", "-")))
        return _NOTHING

    def flowing(self, layer: Layer, index: int) -> Known:
        """What flows out of an output port: what is known of it, else what the port says."""
        known, port = self.known(layer, "output", index), port_tensor(layer.outputs[index])
        shape = port.shape if known.shape is None and port.certain else known.shape
        return Known(shape, known.element_type or port.element_type)

    @cached_property
    def _axis_doubts(self) -> Container[int]:
        return axis_doubts(self.facts)

    # -- doubts --------------------------------------------------------------------------------------------------

    def is_sound(self, layer: Layer) -> bool:
        """Whether nothing is wrong with a layer that would change what it gives out when it is put right."""
        sound = self._sound.get(layer.offset)
        if sound is None:
            sound = self._sound[layer.offset] = self._is_sound(layer)
        return sound

    def _is_sound(self, layer: Layer) -> bool:
        if len(layer.graph.by_id) != len(layer.graph.layers):
            return False  # edges lead to the last of the layers with an id, whichever was meant
        gather = self.facts.gathers.get(layer.offset)
        if gather is not None:
            sources = [layer.producer(index) for index in range(len(layer.inputs))]
            certain = all(self.is_sound(source[0]) for source in sources if source and source[0].type == "Const")
            return certain and self._is_wired(gather) and self._is_readable(gather) and not _errors(gather)
        if layer.type == "Const":
            held = constant(layer, self.facts.model.weights)
            return held is not None and held.fits and self._suits(layer)
        return layer.type != "Parameter" or ("shape" in layer.data and self._suits(layer))

    def _is_wired(self, gather: GatherLayer) -> bool:
        """Whether each input port is fed by one edge."""
        numbers = sorted(port.id for port in gather.layer.inputs)
        right = len(numbers) == len(gather.operation.inputs) and len(set(numbers)) == len(numbers)
        return right and (self.facts.model.snippet or self._of(gather.layer.graph).fed(gather.layer) == numbers)

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
        """Whether the Gather layers that take what ``layer`` declares can do so: else that may be what is wrong."""
        takers = (layer.graph.by_id.get(number) for number in self._of(layer.graph).takers(layer))
        gathers = (self.facts.gathers.get(taker.offset) for taker in takers if taker is not None)
        return not any(gather is not None and _errors(gather) for gather in gathers)

    def takes(self, layer: Layer, index: int) -> bool:
        """Whether exactly one edge feeds input ``index``, and the layer can do with what flows in."""
        gather = self.facts.gathers.get(layer.offset)
        once = self._of(layer.graph).fed(layer).count(layer.inputs[index].id) == 1
        return once and (gather is None or (self._is_wired(gather) and not _errors(gather)))

    def _of(self, graph: Graph) -> _Edges:
        edges = self._edges.get(id(graph))
        if edges is None:
            edges = self._edges[id(graph)] = _Edges(graph)
        return edges


class _Edges:
    """The edges of a graph, by the layers at their ends."""

    def __init__(self, graph: Graph) -> None:
        self._fed: dict[int, list[int]] = {}
        self._takers: dict[int, list[int]] = {}
        for edge in graph.edges:
            self._fed.setdefault(edge.to_layer, []).append(edge.to_port)
            self._takers.setdefault(edge.from_layer, []).append(edge.to_layer)

    def fed(self, layer: Layer) -> list[int]:
        """The input ports of ``layer`` that edges feed, those that two feed twice."""
        return sorted(self._fed.get(layer.id, ()))

    def takers(self, layer: Layer) -> list[int]:
        """The ids of the layers that take what ``layer`` gives out."""
        return self._takers.get(layer.id, [])


def _errors(gather: GatherLayer) -> bool:
    kinds = gather.element_types
    return bool(
        gather.operation.check(gather.shapes, axis=gather.axis, batch_dims=gather.batch_dims, element_types=kinds)
    )
