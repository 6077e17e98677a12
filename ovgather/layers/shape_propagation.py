"""The shapes of a model whose inputs have other shapes, through the Gather family and the layers of ``derived``.
A shape behind any other layer is not known, unless a runtime tells it; also if only its numbers have changed."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from ovgather.errors import ShapeInferenceError
from ovgather.ir.constants import constant
from ovgather.ir.graph import Graph, Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer, gather_layers, has_interval, in_order
from ovgather.layers.inputs import parameters
from ovgather.layers.lengths.carried import UNKNOWN, Carried, hidden, shown
from ovgather.layers.lengths.derived import MOST_ITEMS, derive
from ovgather.layers.tensors import output_tensor
from ovgather.ops.inference import Inference
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape

InputShapes = Mapping[int, PartialShape]
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
        input_shapes: shapes by the position of the input.
        runtime_shapes: a runtime's shapes of the outputs of all layers; family layers are inferred all the same.
        whole: also infer the other family layers, and combine the result with the declared shape.

    Attributes:
        updated: family layers with other input shapes, by offset.
        stops: layers of other kinds with other input shapes, which are not followed.
    """

    def __init__(
        self, model: Model, input_shapes: InputShapes, runtime_shapes: Shapes | None = None, whole: bool = False
    ) -> None:
        self.model, self.runtime_shapes, self.whole = model, runtime_shapes, whole
        self.updated: dict[int, Updated] = {}
        self.stops: list[Layer] = []
        self._shapes: dict[tuple[int, int], PartialShape] = {}  # with the symbols of ``hidden``
        self._values: dict[tuple[int, int], Carried] = {}
        self._behind: dict[tuple[int, int], Layer] = {}
        # What ports declare is less than what follows from intervals: then it does not say that nothing has changed.
        self._by_ports = not has_interval([layer.signature for layer in model.layers()])
        self._lengths: set[int] = set()  # layers whose output is made of lengths that are others now
        self._gathers = {gather.layer.offset: gather for gather in gather_layers(model)}
        inputs = parameters(model)
        for place, shape in input_shapes.items():
            self._set(inputs[place], 0, shape)
            if (key := (inputs[place].offset, 0)) in self._shapes:
                self._shapes[key] = hidden(shape, key[0])
        for graph in model.graph.graphs():
            self._follow(graph)
        self.stops.sort(key=lambda layer: layer.offset)

    def output(self, layer: Layer, index: int) -> PartialShape | None:
        """The new shape of an output; None if it is the file's own."""
        shape = self._shapes.get((layer.offset, index))
        return None if shape is None else shown(shape)

    def input(self, layer: Layer, index: int) -> PartialShape | None:
        source = layer.producer(index)
        return self.output(source[0], source[1]) if source is not None else None

    def _carried(self, layer: Layer, index: int) -> Carried | None:
        """What flows into an input, new or as the file says."""
        source = layer.producer(index)
        if source is None:
            return None
        producer, output = source
        key = producer.offset, output
        if key not in self._values:
            const = constant(producer, self.model.weights) if producer.type == "Const" else None
            self._values[key] = UNKNOWN._replace(items=const.integers(MOST_ITEMS) if const is not None else None)
        value, declared = self._values[key], output_tensor(producer, output)
        shape = declared.shape if declared.certain else value.shape
        if producer.type == "Parameter":
            shape = hidden(shape, producer.offset)
        return value._replace(shape=self._shapes.get(key, shape))

    def _follow(self, graph: Graph) -> None:
        outside = graph.parent
        if outside is not None and self.runtime_shapes is None and self._is_reached(outside):
            for layer in graph.layers:
                if layer.type == "Parameter":
                    self._unknown(layer, self._behind.get((outside.offset, 0), outside))
        names = Counter(layer.name for layer in graph.layers)
        for layer in in_order(graph):
            answers = None
            if self.runtime_shapes is not None and names[layer.name] == 1:  # a runtime renames what is not
                answers = self.runtime_shapes.get((layer.body, layer.name))
            if answers is not None or self._is_reached(layer):
                self._pass(layer, answers)
                continue
            if layer.inputs and layer.outputs and len(layer.outputs[0].dims) < 2:
                self._derive(layer)  # its values may become a shape
            gather = self._gathers.get(layer.offset) if self.whole else None
            if gather is not None and gather.inference is not None and gather.declared is not None:
                inferred, declared = gather.inference.shape, gather.declared
                if gather.status in ("refines", "mismatch"):
                    self._set(layer, 0, inferred & declared if inferred.compatible(declared) else inferred)

    def _is_reached(self, layer: Layer) -> bool:
        return any(key in self._shapes for key in _sources(layer)) or self._takes_lengths(layer)

    def _takes_lengths(self, layer: Layer) -> bool:
        return bool(self._lengths) and any(offset in self._lengths for offset, _ in _sources(layer))

    def _pass(self, layer: Layer, answers: list[PartialShape] | None) -> None:
        gather = self._gathers.get(layer.offset)
        derived = self._derive(layer)
        if layer.type == "ShapeOf" or ((gather is not None or derived is not None) and self._takes_lengths(layer)):
            self._lengths.add(layer.offset)
        if gather is not None:
            self._update(gather)
            return
        if answers is not None:
            for index, shape in enumerate(answers[: len(layer.outputs)]):
                if (layer.offset, index) not in self._shapes:
                    fits = index == 0 and derived is not None and derived.shape.compatible(shape)
                    self._set(layer, index, derived.shape & shape if fits and derived is not None else shape)
        elif layer.outputs:
            blame = self._blame(layer)
            if derived is not None and (derived.shape.rank is not None or blame is not None):
                self._set(layer, 0, derived.shape, blame)
                return
            if blame is None:
                self.stops.append(layer)
            self._unknown(layer, blame or layer)

    def _derive(self, layer: Layer) -> Carried | None:
        """What follows for the first output of a layer, whose items are kept."""
        inputs = [self._carried(layer, index) for index in range(len(layer.inputs))]
        derived = derive(layer.type, inputs, layer.data.get)
        if layer.offset in self._gathers and len(inputs) > 1 and self._gathers[layer.offset].axis in (0, -1):
            items = (inputs[0] or UNKNOWN).picked(inputs[1] or UNKNOWN)
            self._values[layer.offset, 0] = UNKNOWN._replace(items=items)
        elif derived is not None:
            self._values[layer.offset, 0] = derived
        return derived

    def _set(self, layer: Layer, index: int, shape: PartialShape, blame: Layer | None = None) -> None:
        tensor = output_tensor(layer, index)
        is_own = self._by_ports and self.runtime_shapes is None and tensor.certain and shape == tensor.shape
        if is_own and not shape.symbolic:
            return  # nothing new, and so there is nothing new behind it
        self._shapes[layer.offset, index] = shape
        if shape.rank is None and blame is not None:
            self._behind[layer.offset, index] = blame

    def _blame(self, layer: Layer) -> Layer | None:
        """The layer that makes the first unknown input unknown."""
        return next((self._behind[key] for key in _sources(layer) if key in self._behind), None)

    def _unknown(self, layer: Layer, blame: Layer) -> None:
        for index in range(len(layer.outputs)):
            self._shapes[layer.offset, index] = DYNAMIC_RANK
            self._behind[layer.offset, index] = blame

    def _update(self, gather: GatherLayer) -> None:
        layer = gather.layer
        shapes = [self.input(layer, index) or shape for index, shape in enumerate(gather.shapes)]
        axis = gather.axis
        if gather.output_is_declared and len(gather.check.declaring_axes) == 1:
            axis = gather.check.declaring_axes[0]  # OpenVINO wrote the dims that it inferred
        errors, inference = gather.operation.check_and_infer(shapes, axis, gather.batch_dims)
        blame = self._blame(layer)
        self.updated[layer.offset] = Updated(shapes, errors, inference, blame)
        if layer.outputs:
            shape = DYNAMIC_RANK if inference is None else self._hidden(gather, inference.shape, axis)
            self._set(layer, 0, shape, blame or layer)

    def _hidden(self, gather: GatherLayer, shape: PartialShape, axis: int | None) -> PartialShape:
        """``shape``, which was inferred, with the symbols that the inputs have for themselves."""
        raw = [self._shapes.get(key) for key in _sources(gather.layer)]
        if not any(each is not None and each.symbolic for each in raw):
            return shape
        shapes = [known or old for known, old in zip(raw, gather.shapes, strict=True)]
        _, inference = gather.operation.check_and_infer(shapes, axis, gather.batch_dims)
        if inference is None or inference.shape.dims is None or shape.dims is None:
            return shape
        pairs = zip(shape, inference.shape, strict=True)
        return PartialShape(tuple([mine if mine.symbol else its for mine, its in pairs]))


def _sources(layer: Layer) -> list[tuple[int, int]]:
    """The output that feeds each input: the offset of its layer (-1: there is none), and its index."""
    sources = layer.graph.producers(layer)
    return [(-1, 0) if source is None else (source[0].offset, source[1]) for source in sources]
