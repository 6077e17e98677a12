"""A layer of an IR as an ONNX model of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.errors import InvalidModelError
from ovgather.ir.constants import Constant, constant
from ovgather.layers.constant_values import constant_array
from ovgather.layers.tensors import input_tensor
from ovgather.ops import onnx as onnx_operations
from ovgather.tensor.onnx_types import name_of
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.convert.lowering import Lowering
from ovgather.verbs.convert.names import Names, is_added
from ovgather.verbs.convert.nodes import IR_VERSION, OPSET, Nodes, checkable, serialized, value
from ovgather.verbs.convert.original import KEY, described
from ovgather.verbs.written_model import LayerModel, origins_of

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

    def __init__(self, gather: GatherLayer, position: int) -> None:
        layer, index = gather.layer, position
        producer = layer.producer(index)
        while producer is not None and is_added(producer[0].name, gather.layer.name) and producer[0].inputs:
            layer, index = producer[0], 0  # by construction the value itself is their first input
            producer = layer.producer(index)
        self.is_direct = layer is gather.layer
        self.producer: Layer | None = producer[0] if producer is not None else None
        tensor = gather.tensors[position] if self.is_direct else input_tensor(layer, index)
        self.element_type = tensor.element_type
        self.shape = gather.shapes[position] if self.is_direct else tensor.shape
        self.constant: Constant | None = None
        if self.is_direct:
            self.constant = gather.constant(position)
        elif self.producer is not None:
            self.constant = constant(self.producer, gather.model.weights)


class ToOnnx:
    """A layer as an operation of ONNX, with what makes the result the same."""

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

    def run(self) -> LayerModel:
        """The model; InvalidModelError: the layer is wrong, or has no counterpart."""
        gather = self.gather
        if len(gather.tensors) < 2:
            raise self._refuse(f"it has {len(gather.tensors)} inputs")
        sources = [Source(gather, position) for position in range(2)]
        if gather.errors and all(source.is_direct for source in sources):
            raise self._refuse(str(gather.errors[0]))
        if gather.operation.has_axis and gather.axis is None:
            why = self.model.unused_weights
            raise self._refuse("its axis is not known" + (f": {why}" if why else ""))
        types = [self._type(source, position) for position, source in enumerate(sources)]
        arrays = [constant_array(source.constant) for source in sources]
        values = [self._feed(position, sources[position], types[position], arrays[position]) for position in range(2)]
        shapes = [source.shape for source in sources]
        inside = not sources[1].is_direct  # behind a guard of our own all are, or the run ends with an error
        output = self._output_name()
        tensors = values, shapes, types, arrays[1], output, self.name
        Lowering(self.nodes, gather, self._refuse, self.notes, self.guard, inside, *tensors).run()
        about = described(gather, values, self.guard) if all(source.is_direct for source in sources) else None
        return self._converted(output, shapes, types, about)

    def _output_name(self) -> str:
        """The name of the output's tensor in the IR, where it has one and nothing else is called so."""
        layer = self.gather.layer
        names = self.model.tensor_names(layer) if layer.outputs else ()
        free = next((name for name in names if name not in self.names.taken), f"{self.name}/output")
        return self.names.own(free)

    def _refuse(self, why: str) -> InvalidModelError:
        return InvalidModelError(f"{self.model.path}: layer {self.name!r} cannot be converted: {why}")

    def _type(self, source: Source, position: int) -> str:
        kind, argument = source.element_type, _NAMES[position]
        if kind is None or kind.kind == "dynamic":
            raise self._refuse(f"the file does not say which element type {argument} has")
        if position == 1 and not kind.is_integral:
            raise self._refuse(f"indices are {kind}: only integers can index")
        name = name_of(kind)
        operation = onnx_operations.find(self.gather.operation.type)
        assert operation is not None
        allowed = operation.inputs[0].types if position == 0 else None
        if name is None or (allowed is not None and name not in allowed):
            raise self._refuse(f"{argument} is {kind}, and {operation.name} of ONNX takes no such {argument}")
        return name

    def _feed(self, position: int, source: Source, type: str, array: Array | None) -> str:
        argument, shape = _NAMES[position], source.shape
        name = self.names.own(source.producer.name if source.producer is not None else argument)
        if array is None:
            why = self.model.unused_weights if source.constant is not None else None
            if why is not None:
                self.notes.append(f"no values are taken from the .bin: {why}")
            self.graph_inputs.append(value(name, shape, type))
            self.inputs.append(f"{argument}: input {name!r} {type} {shape}")
            return name
        self.bytes += array.nbytes
        if self.bytes >= _MOST_BYTES:
            raise self._refuse(f"its constants take {self.bytes} bytes, and an ONNX file holds less than 2 GiB")
        if source.constant is not None and source.constant.element_type != source.element_type:
            assert source.element_type is not None
            array = array.astype(source.element_type.dtype)
        self.inputs.append(f"{argument}: initializer {name!r} {type} {PartialShape.of(list(array.shape))}")
        return self.nodes.initializer(name, array, type)

    def _converted(self, output: str, shapes: list[PartialShape], types: list[str], about: str | None) -> LayerModel:
        from onnx import checker, helper

        from ovgather import __version__

        shape = self._output(shapes)
        for name, tensor in zip((*_NAMES, "the output"), (*shapes, shape), strict=True):
            if tensor.rank is None:
                why = "ONNX wants that of a model's inputs and outputs"
                raise self._refuse(f"the rank of {name} is not known, and {why}")
        graph = helper.make_graph(
            self.nodes.nodes, self.name, self.graph_inputs, [value(output, shape, types[0])], self.nodes.initializers
        )
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="ovgather",
            producer_version=__version__,
        )
        if about is not None:
            helper.set_model_props(model, {KEY: about})
        checker.check_model(checkable(model, self.nodes.large))
        text, origins = serialized(model, self.nodes.large), origins_of(self.model)
        return LayerModel(self.name, text, (), tuple(self.inputs), tuple(self.notes), origins, ".onnx")

    def _output(self, shapes: list[PartialShape]) -> PartialShape:
        if self.gather.inference is not None and not self.gather.errors:
            return self.gather.inference.shape
        operation = onnx_operations.find(self.gather.operation.type)
        assert operation is not None
        return operation.infer(shapes, axis=self.gather.axis, batch_dims=self.gather.batch_dims).shape
