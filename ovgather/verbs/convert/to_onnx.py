"""A layer of an IR as an ONNX model of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.errors import InvalidModelError
from ovgather.ir.constants import Constant
from ovgather.layers.constant_values import constant_array
from ovgather.layers.tensors import input_tensor
from ovgather.ops import onnx as onnx_operations
from ovgather.tensor.onnx_types import name_of
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.convert._large import checkable, serialized
from ovgather.verbs.convert._nodes import IR_VERSION, OPSET, Nodes, value
from ovgather.verbs.convert.converted import Converted
from ovgather.verbs.convert.lowering import Lowering
from ovgather.verbs.convert.names import Names, is_added
from ovgather.verbs.written_model import origins_of

if TYPE_CHECKING:
    import numpy

    from ovgather.ir.graph import Layer
    from ovgather.ir.model import Model
    from ovgather.layers.gather_layer import GatherLayer

    Array = numpy.ndarray

_NAMES = ("data", "indices")
_MOST_BYTES = (1 << 31) - (1 << 20)  # of constants: protobuf holds no more, with the rest of the file


class Source:
    """What feeds an input: the value before the layers that a conversion to IR added, if it is one of those."""

    def __init__(self, gather: GatherLayer, place: int) -> None:
        from ovgather.ir.constants import constant

        layer, at = gather.layer, place
        producer = layer.producer(at)
        while producer is not None and is_added(producer[0].name, gather.layer.name) and producer[0].inputs:
            layer, at = producer[0], 0  # by construction the value itself is their first input
            producer = layer.producer(at)
        self.is_direct = layer is gather.layer
        self.producer: Layer | None = producer[0] if producer is not None else None
        told = gather.tensors[place] if self.is_direct else input_tensor(layer, at)
        self.element_type = told.element_type
        self.shape = gather.shapes[place] if self.is_direct else told.shape
        self.held: Constant | None = None
        if self.is_direct:
            self.held = gather.constant(place)
        elif self.producer is not None:
            self.held = constant(self.producer, gather.model.weights)


def to_onnx(model: Model, gather: GatherLayer, guard: bool) -> Converted:
    """The layer as Gather, GatherElements or GatherND of ONNX, with what makes the result the same.

    Raises:
        InvalidModelError: the layer is wrong, or it has no counterpart.
    """
    return _ToOnnx(model, gather, guard).run()


class _ToOnnx:
    def __init__(self, model: Model, gather: GatherLayer, guard: bool) -> None:
        self.model = model
        self.gather = gather
        self.guard = guard
        self.name = gather.layer.name or f"layer {gather.layer.id}"
        self.names = Names(self.name)
        self.nodes = Nodes(self.names)
        self.inputs: list[str] = []
        self.notes: list[str] = []
        self.graph_inputs: list[object] = []
        self.bytes = 0

    def run(self) -> Converted:
        gather = self.gather
        if len(gather.tensors) < 2:
            raise self._refuse(f"it has {len(gather.tensors)} inputs")
        sources = [Source(gather, place) for place in range(2)]
        if gather.errors and all(source.is_direct for source in sources):
            raise self._refuse(str(gather.errors[0]))
        if gather.operation.has_axis and gather.axis is None:
            why = self.model.unused_weights
            raise self._refuse("its axis is not known" + (f": {why}" if why else ""))
        types = [self._type(source, place) for place, source in enumerate(sources)]
        arrays = [constant_array(source.held) for source in sources]
        values = [self._feed(place, sources[place], types[place], arrays[place]) for place in range(2)]
        shapes = [source.shape for source in sources]
        lowering = Lowering(self.nodes, gather, self._refuse, self.notes)
        lowering.guard = self.guard
        lowering.inside = not sources[1].is_direct  # behind a guard of our own all are, or the run ends with an error
        output = self.names.own(f"{self.name}/output")
        lowering.run(values, shapes, types, arrays[1], output, self.name)
        return self._converted(output, shapes, types)

    def _refuse(self, why: str) -> InvalidModelError:
        return InvalidModelError(f"{self.model.path}: layer {self.name!r} cannot be converted: {why}")

    def _type(self, source: Source, place: int) -> str:
        kind, argument = source.element_type, _NAMES[place]
        if kind is None or kind.kind == "dynamic":
            raise self._refuse(f"the file does not say which element type {argument} has")
        if place == 1 and not kind.is_integral:
            raise self._refuse(f"indices are {kind}: only integers can index")
        name = name_of(kind)
        operation = onnx_operations.find(self.gather.operation.type)
        assert operation is not None
        allowed = operation.inputs[0].types if place == 0 else None
        if name is None or (allowed is not None and name not in allowed):
            raise self._refuse(f"{argument} is {kind}, and {operation.name} of ONNX takes no such {argument}")
        return name

    def _feed(self, place: int, source: Source, type: str, array: Array | None) -> str:
        argument, shape = _NAMES[place], source.shape
        name = self.names.own(source.producer.name if source.producer is not None else argument)
        if array is None:
            why = self.model.unused_weights if source.held is not None else None
            if why is not None:
                self.notes.append(f"no values are taken from the .bin: {why}")
            self.graph_inputs.append(value(name, shape, type))
            self.inputs.append(f"{argument}: input {name!r} {type} {shape}")
            return name
        self.bytes += array.nbytes
        if self.bytes >= _MOST_BYTES:
            raise self._refuse(f"its constants take {self.bytes} bytes, and an ONNX file holds less than 2 GiB")
        if source.held is not None and source.held.element_type != source.element_type:
            assert source.element_type is not None
            array = array.astype(source.element_type.dtype)
        self.inputs.append(f"{argument}: initializer {name!r} {type} {PartialShape.of(list(array.shape))}")
        return self.nodes.initializer(name, array, type)

    def _converted(self, output: str, shapes: list[PartialShape], types: list[str]) -> Converted:
        from onnx import checker, helper

        from ovgather import __version__

        shape = self._output(shapes)
        for what, each in zip((*_NAMES, "the output"), (*shapes, shape), strict=True):
            if each.rank is None:
                raise self._refuse(
                    f"the rank of {what} is not known, and ONNX wants that of a model's inputs and outputs"
                )
        graph = helper.make_graph(
            self.nodes.nodes, self.name, self.graph_inputs, [value(output, shape, types[0])], self.nodes.initializers
        )
        made = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="ovgather",
            producer_version=__version__,
        )
        checker.check_model(checkable(made, self.nodes.large))
        text, origins = serialized(made, self.nodes.large), origins_of(self.model)
        return Converted(self.name, ".onnx", text, (), tuple(self.inputs), tuple(self.notes), origins)

    def _output(self, shapes: list[PartialShape]) -> PartialShape:
        made = self.gather.inference
        if made is not None and not self.gather.errors:
            return made.shape
        operation = onnx_operations.find(self.gather.operation.type)
        assert operation is not None
        return operation.infer(shapes, axis=self.gather.axis, batch_dims=self.gather.batch_dims).shape
