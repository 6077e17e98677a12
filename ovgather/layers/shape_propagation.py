"""The shapes of a model whose inputs have other shapes.

Only the Gather family, layers that keep the shape, and ShapeOf are followed. A shape behind any other layer is not
known, unless a runtime tells it; also if only the numbers that make up a shape have changed.
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from ovgather.errors import ShapeInferenceError
from ovgather.ir.graph import Graph, Layer
from ovgather.ir.model import Model
from ovgather.layers.followed_shapes import KEEPS_SHAPE, has_interval, in_order
from ovgather.layers.gather_layer import GatherLayer, gather_layers
from ovgather.layers.input_shapes import parameters
from ovgather.layers.tensors import DYNAMIC, output_tensor
from ovgather.ops.inference import Inference
from ovgather.tensor.shape import Dimension, PartialShape

Shapes = Mapping[tuple[tuple[str, ...], str], list[PartialShape]]
"""Shapes of outputs from a runtime, by the path of bodies and the name of the layer."""


class Updated(NamedTuple):
    """A family layer with other input ``shapes``; ``behind`` is the layer that makes an input unknown."""

    shapes: list[PartialShape]
    errors: list[ShapeInferenceError]
    inference: Inference | None
    behind: Layer | None


class Flow:
    """The shapes of a model whose inputs have other shapes.

    Args:
        given: shapes by the position of the input.
        told: a runtime's shapes of the outputs of all layers; those of family layers are inferred all the same.
        whole: also infer the other family layers, and combine the result with the declared shape.

    Attributes:
        updated: family layers with other input shapes, by offset.
        stops: layers of other kinds with other input shapes, which are not followed.
    """

    def __init__(
        self, model: Model, given: Mapping[int, PartialShape], told: Shapes | None = None, whole: bool = False
    ) -> None:
        self.model = model
        self.told = told
        self.whole = whole
        self.updated: dict[int, Updated] = {}
        self.stops: list[Layer] = []
        self._shapes: dict[tuple[int, int], PartialShape] = {}
        self._behind: dict[tuple[int, int], Layer] = {}
        # What ports declare is less than what follows from intervals: then it does not say that nothing has changed.
        self._by_ports = not has_interval([layer.signature for layer in model.layers()])
        self._lengths: set[int] = set()  # layers whose output is made of lengths that are others now
        self._gathers = {gather.layer.offset: gather for gather in gather_layers(model)}
        inputs = parameters(model)
        for place, shape in given.items():
            self._set(inputs[place], 0, shape)
        for graph in model.graph.graphs():
            self._follow(graph)
        self.stops.sort(key=lambda layer: layer.offset)

    def output(self, layer: Layer, index: int) -> PartialShape | None:
        """The new shape of an output; None if it is the file's own."""
        return self._shapes.get((layer.offset, index))

    def input(self, layer: Layer, index: int) -> PartialShape | None:
        """The new shape of an input."""
        source = layer.producer(index)
        return self.output(source[0], source[1]) if source is not None else None

    def _follow(self, graph: Graph) -> None:
        outside = graph.parent
        if outside is not None and self.told is None and self._is_reached(outside):
            for layer in graph.layers:
                if layer.type == "Parameter":
                    self._unknown(layer, self._behind.get((outside.offset, 0), outside))
        names = Counter(layer.name for layer in graph.layers)
        for layer in in_order(graph):
            told = None
            if self.told is not None and names[layer.name] == 1:  # a runtime renames what is not
                told = self.told.get((layer.body, layer.name))
            if told is not None or self._is_reached(layer):
                self._pass(layer, told)
            elif self.whole and layer.offset in self._gathers:
                self._correct(self._gathers[layer.offset])

    def _is_reached(self, layer: Layer) -> bool:
        return any(self.input(layer, index) is not None for index in range(len(layer.inputs))) or self._takes_lengths(
            layer
        )

    def _takes_lengths(self, layer: Layer) -> bool:
        sources = [layer.producer(index) for index in range(len(layer.inputs))] if self._lengths else []
        return any(source is not None and source[0].offset in self._lengths for source in sources)

    def _pass(self, layer: Layer, told: list[PartialShape] | None) -> None:
        gather = self._gathers.get(layer.offset)
        keeps = layer.type in KEEPS_SHAPE
        if layer.type == "ShapeOf" or ((gather is not None or keeps) and self._takes_lengths(layer)):
            self._lengths.add(layer.offset)
        if gather is not None:
            self._update(gather)
            return
        shape = self.input(layer, 0)
        if shape is not None and layer.outputs and keeps:
            self._set(layer, 0, shape, self._blame(layer, 0))
        elif shape is not None and layer.outputs and layer.type == "ShapeOf":
            lengths = DYNAMIC if shape.dims is None else PartialShape((Dimension(len(shape.dims)),))
            self._set(layer, 0, lengths, self._blame(layer, 0))
        elif told is not None:
            for index, shape in enumerate(told[: len(layer.outputs)]):
                if (layer.offset, index) not in self._shapes:
                    self._set(layer, index, shape)
        elif layer.outputs and not keeps:
            blame = self._blame(layer, *range(len(layer.inputs)))
            if blame is None:
                self.stops.append(layer)
            self._unknown(layer, blame or layer)

    def _set(self, layer: Layer, index: int, shape: PartialShape, blame: Layer | None = None) -> None:
        known = output_tensor(layer, index)
        if self._by_ports and self.told is None and known.certain and shape == known.shape and not shape.symbolic:
            return  # nothing new, and so there is nothing new behind it
        self._shapes[layer.offset, index] = shape
        if shape.rank is None and blame is not None:
            self._behind[layer.offset, index] = blame

    def _blame(self, layer: Layer, *inputs: int) -> Layer | None:
        """The layer that makes the first unknown one of the ``inputs`` unknown."""
        sources = [(source[0].offset, source[1]) for index in inputs if (source := layer.producer(index)) is not None]
        return next((self._behind[source] for source in sources if source in self._behind), None)

    def _unknown(self, layer: Layer, blame: Layer) -> None:
        for index in range(len(layer.outputs)):
            self._shapes[layer.offset, index] = DYNAMIC
            self._behind[layer.offset, index] = blame

    def _update(self, gather: GatherLayer) -> None:
        layer = gather.layer
        shapes = [self.input(layer, index) or shape for index, shape in enumerate(gather.shapes)]
        axis, batch_dims = gather.axis, gather.batch_dims
        if gather.output_is_declared and len(gather.check.declaring_axes) == 1:
            axis = gather.check.declaring_axes[0]  # OpenVINO wrote the dims that it inferred
        errors = gather.operation.check(shapes, axis=axis, batch_dims=batch_dims)
        inference = None if errors else gather.operation.infer(shapes, axis=axis, batch_dims=batch_dims)
        blame = self._blame(layer, *range(len(shapes)))
        self.updated[layer.offset] = Updated(shapes, errors, inference, blame)
        if layer.outputs:
            self._set(layer, 0, inference.shape if inference is not None else DYNAMIC, blame or layer)

    def _correct(self, gather: GatherLayer) -> None:
        """Replace a declared shape by the inferred one, or by what both say."""
        inferred, declared = gather.inference, gather.declared
        if inferred is not None and declared is not None and gather.status in ("refines", "mismatch"):
            shape = inferred.shape
            self._set(gather.layer, 0, shape & declared if shape.compatible(declared) else shape)
