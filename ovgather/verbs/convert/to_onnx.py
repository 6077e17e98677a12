"""A layer of an IR as an ONNX model of its own."""

import numpy

from ovgather.errors import InvalidModelError
from ovgather.ir.constants import constant
from ovgather.ir.graph import Layer
from ovgather.layers.arguments import NAMES
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import input_tensor
from ovgather.onnx_file.tensors import tensor_proto
from ovgather.ops import onnx as onnx_operations
from ovgather.tensor.arrays import Array
from ovgather.tensor.onnx_types import NUMBER_OF, name_of
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.convert.layers import orders
from ovgather.verbs.convert.nodes import (
    IR_VERSION,
    OPSET,
    NodeBuilder,
    checkable,
    onnx_file,
    value,
)
from ovgather.verbs.written_model import ADDED, LayerModel, UniqueNames, origins_of

# Of constants: protobuf holds no more, with the rest of the file.
_MOST_BYTES = (1 << 31) - (1 << 20)


class InputSource:
    """What feeds an input: the value before the layers that a conversion to IR added, if it is one of those."""

    def __init__(self, gather: GatherLayer, position: int) -> None:
        layer = gather.layer
        index = position
        producer = layer.producer(index)
        added = gather.layer.name + ADDED
        while (
            producer is not None
            and producer[0].name.startswith(added)
            and producer[0].inputs
        ):
            # by construction the value itself is their first input
            layer = producer[0]
            index = 0
            producer = layer.producer(index)
        self.argument = NAMES[position]
        self.is_direct = layer is gather.layer
        self.producer: Layer | None = producer[0] if producer is not None else None
        if self.is_direct:
            tensor = gather.tensors[position]
        else:
            tensor = input_tensor(gather.model, layer, index)
        self.element_type = tensor.element_type
        if self.is_direct:
            self.shape = gather.shapes[position]
        else:
            self.shape = tensor.shape
        feeds = None
        if self.producer is not None:
            feeds = constant(self.producer, gather.model.weights)
        if self.is_direct:
            self.constant = gather.constant(position)
        else:
            self.constant = feeds
        self.array: Array | None = None
        self.type = self.value = ""  # in the ONNX model


class ToOnnx:
    """A layer as an operation of ONNX, with what makes the result the same."""

    def __init__(self, gather: GatherLayer, guard: bool) -> None:
        self.model = gather.model
        self.gather = gather
        operation = onnx_operations.find(gather.operation.type)
        assert operation is not None  # ONNX has all three
        self.operation = operation
        self.guard = guard
        self.name = gather.layer.name or f"layer {gather.layer.id}"
        self.names = UniqueNames(self.name)
        self.nodes = NodeBuilder(self.names)
        self.inputs: list[str] = []
        self.notes: list[str] = []
        self.graph_inputs: list[object] = []
        self.bytes = 0

    def run(self) -> LayerModel:
        """The model; InvalidModelError: the layer is wrong, or has no counterpart."""
        gather = self.gather
        if len(gather.tensors) < 2:
            raise self._refuse(f"it has {len(gather.tensors)} inputs")
        self.data, self.indices = sources = [
            InputSource(gather, position) for position in range(2)
        ]
        if gather.errors and all(source.is_direct for source in sources):
            raise self._refuse(str(gather.errors[0]))
        if gather.operation.has_axis and gather.axis is None:
            why = self.model.unused_weights
            raise self._refuse("its axis is not known" + (f": {why}" if why else ""))
        for source in sources:
            source.type = self._type(source)
        for source in sources:
            source.value = self._feed(source)
        if gather.layer.outputs:
            names = self.model.tensor_names(gather.layer)
        else:
            names = ()
        self.output = self.names.own(
            next(
                (each for each in names if each not in self.names.used),
                f"{self.name}/output",
            )
        )
        self.nodes.argument = "indices"
        values = [source.value for source in sources]
        kind = gather.operation.type
        if kind == "GatherElements":
            self.nodes.add(kind, values, self.output, self.name, axis=gather.axis)
        else:
            (self._gather_nd if kind == "GatherND" else self._gather)()
        return self._converted()

    def _refuse(self, why: str) -> InvalidModelError:
        return InvalidModelError(
            f"{self.model.path}: layer {self.name!r} cannot be converted: {why}"
        )

    def _type(self, source: InputSource) -> str:
        kind = source.element_type
        argument = source.argument
        if kind is None or kind.kind == "dynamic":
            raise self._refuse(
                f"the file does not say which element type {argument} has"
            )
        if source is self.indices and not kind.is_integral:
            raise self._refuse(f"indices are {kind}: only integers can index")
        name = name_of(kind)
        allowed = None
        if source is self.data:
            allowed = self.operation.inputs[0].types
        if name is None or (allowed is not None and name not in allowed):
            raise self._refuse(
                f"{argument} is {kind}, and {self.operation.name} of ONNX takes no such {argument}"
            )
        return name

    def _feed(self, source: InputSource) -> str:
        argument = source.argument
        shape = source.shape
        type = source.type
        name = self.names.own(
            source.producer.name if source.producer is not None else argument
        )
        array = source.array = source.constant and source.constant.array()
        if array is None:
            why = None
            if source.constant is not None:
                why = self.model.unused_weights
            if why is not None:
                self.notes.append(f"no values are taken from the .bin: {why}")
            self.graph_inputs.append(value(name, shape, type))
            self.inputs.append(f"{argument}: input {name!r} {type} {shape}")
            return name
        self.bytes += array.nbytes
        if self.bytes >= _MOST_BYTES:
            raise self._refuse(
                f"its constants take {self.bytes} bytes, and an ONNX file holds less than 2 GiB"
            )
        if (
            source.constant is not None
            and source.constant.element_type != source.element_type
        ):
            assert source.element_type is not None
            array = array.astype(source.element_type.dtype)
        self.inputs.append(
            f"{argument}: initializer {name!r} {type} {PartialShape.of(array.shape)}"
        )
        return self.nodes.initializer(name, array, type)

    def _converted(self) -> LayerModel:
        from onnx import checker, helper

        from ovgather import __version__

        gather = self.gather
        inference = None if gather.errors else gather.inference
        shapes = self.data.shape, self.indices.shape
        inference = inference or self.operation.infer(
            shapes, axis=gather.axis, batch_dims=gather.batch_dims
        )
        for name, shape in zip(
            (*NAMES, "the output"), (*shapes, inference.shape), strict=True
        ):
            if shape.rank is None:
                raise self._refuse(
                    f"the rank of {name} is not known, and ONNX wants that of a model's inputs and outputs"
                )
        outputs = [value(self.output, inference.shape, self.data.type)]
        graph = helper.make_graph(
            self.nodes.nodes,
            self.name,
            self.graph_inputs,
            outputs,
            self.nodes.initializers,
        )
        made_by = {"producer_name": "ovgather", "producer_version": __version__}
        opsets = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(
            graph, opset_imports=opsets, ir_version=IR_VERSION, **made_by
        )
        checker.check_model(checkable(model, self.nodes.large))
        text = onnx_file(model, self.nodes.large)
        origins = origins_of(self.model)
        return LayerModel(
            self.name, text, (), tuple(self.inputs), tuple(self.notes), origins, ".onnx"
        )

    # -- the operation in nodes of ONNX -------------------------------------------------------------------------------

    def _gather_nd(self) -> None:
        batch = self.gather.batch_dims
        indices = self.indices.shape
        inputs = [self.data.value, self._as_int64(self.indices.value)]
        if indices.rank and indices[-1].max == 0:
            raise self._refuse("its index tuples are empty, which ONNX does not have")
        if not self.gather.operation.joins_batch_dims or batch < 2:
            self.nodes.add("GatherND", inputs, self.output, self.name, batch_dims=batch)
            return
        self.notes.append(
            "a Reshape after it makes one dim of all batch dims, as GatherND-5 does"
        )
        batched = self.nodes.add("GatherND", inputs, name=self.name, batch_dims=batch)
        self.nodes.argument = "output"
        first = self.nodes.add(
            "ReduceProd",
            [self.nodes.add("Shape", [batched], start=0, end=batch)],
            axes=[0],
        )
        rest = self.nodes.add("Shape", [batched], start=batch)
        shape = self.nodes.add("Concat", [first, rest], axis=0)
        self.nodes.add("Reshape", [batched, shape], self.output, allowzero=1)

    def _as_int64(self, indices: str) -> str:
        if self.indices.type == "int64":
            return indices
        return self.nodes.add("Cast", [indices], to=NUMBER_OF["int64"])

    def _gather(self) -> None:
        data = self.data.value
        indices = self.indices.value
        assert self.gather.axis is not None
        axis = self.gather.axis
        rank = self.data.shape.rank
        if rank is not None:
            axis %= rank
        batch = self.gather.batch_dims
        index_rank = self.indices.shape.rank
        if batch < 0 and index_rank is None:
            raise self._refuse(
                f"batch_dims is {batch}, and the rank of indices is not known"
            )
        if batch < 0:
            batch += index_rank or 0
        if self.data.type == "string" and (rank is None or axis + 1 < rank):
            self.notes.append(
                "of each slice of text ONNX Runtime copies the first element only"
            )
        outside = self._may_be_outside(axis)
        if outside and self.guard:
            if rank is None:
                raise self._refuse(
                    "the rank of data is not known, so ONNX gives no zeros for an index outside"
                )
            size = self.nodes.lengths(data, self.data.shape, axis, axis + 1)
            indices = self._positions(indices, size)
            data = self._with_zeros(data, axis)
            self.notes.append(
                "a slice of zeros after data is what an index outside takes, as in IR"
            )
        elif outside or batch or self.indices.type not in ("int32", "int64"):
            if (
                outside
                and self.indices.array is not None
                and rank is not None
                and self.data.shape[axis].is_static
            ):
                raise self._refuse(
                    f"constant indices are outside axis {axis}: ONNX would not run it without a guard"
                )
            if outside:
                self.notes.append(
                    "an index outside, which gives zeros in IR, is an error: there is no guard"
                )
            indices = self._as_int64(indices)
        if batch:
            self._batches(data, indices, axis, batch)
        else:
            self.nodes.add("Gather", [data, indices], self.output, self.name, axis=axis)

    def _may_be_outside(self, axis: int) -> bool:
        if (
            not self.indices.is_direct
        ):  # behind a guard of our own all are inside, or the run ends with an error
            return False
        dims = self.data.shape.dims
        array = self.indices.array
        if array is None or dims is None or not dims[axis].is_static:
            return True
        size = dims[axis].min
        return bool(((array < -size) | (array >= size)).any())

    def _positions(self, indices: str, size: str) -> str:
        """Indices as int64, negative ones counted from the end, ``size`` for each that is outside."""
        nodes = self.nodes
        nodes.argument = "indices"
        # A scalar keeps the rank of scalar indices.
        size = nodes.add("Squeeze", [size, nodes.integers([0])])
        if self.indices.type == "uint64":  # as int64 the upper half would be negative
            indices = nodes.add(
                "Min", [indices, nodes.add("Cast", [size], to=NUMBER_OF["uint64"])]
            )
        indices = self._as_int64(indices)
        zero = nodes.integers(0)
        negative = nodes.add("Less", [indices, zero])
        counted = nodes.add(
            "Where", [negative, nodes.add("Add", [indices, size]), indices]
        )
        above = nodes.add("GreaterOrEqual", [counted, size])
        outside = nodes.add("Or", [above, nodes.add("Less", [counted, zero])])
        return nodes.add("Where", [outside, size, counted])

    def _with_zeros(self, data: str, axis: int) -> str:
        """``data`` with one more slice along the axis, of zeros or empty strings."""
        nodes = self.nodes
        shape = self.data.shape
        type = self.data.type
        nodes.argument = "data"
        assert shape.rank is not None
        before = []
        if axis:
            before = [nodes.lengths(data, shape, 0, axis)]
        after = []
        if axis + 1 < shape.rank:
            after = [nodes.lengths(data, shape, axis + 1, shape.rank)]
        slice = nodes.add("Concat", [*before, nodes.integers([1]), *after], axis=0)
        if type == "string":
            empty = nodes.initializer(
                nodes.names.added("data", "empty"), numpy.array([""], object), "string"
            )
            zeros = nodes.add("Expand", [empty, slice])
        elif type == "bfloat16":  # ONNX Runtime makes no constants of it
            zeros = nodes.add(
                "Cast",
                [nodes.add("ConstantOfShape", [slice])],
                to=NUMBER_OF["bfloat16"],
            )
        else:
            width = {"bool": 1}.get(type) or numpy.dtype(
                {"float": "f4", "double": "f8"}.get(type, type)
            ).itemsize
            zero = tensor_proto("", numpy.zeros([1], f"V{width}"), type)
            zeros = nodes.add("ConstantOfShape", [slice], value=zero)
        return nodes.add("Concat", [data, zeros], axis=axis)

    def _batches(self, data: str, indices: str, axis: int, batch: int) -> None:
        """GatherND on data whose axis follows the batch dims."""
        data_rank = self.data.shape.rank
        indices_rank = self.indices.shape.rank
        if data_rank is None or indices_rank is None:
            raise self._refuse(
                f"batch_dims is {batch}, and the rank of data or indices is not known"
            )
        nodes = self.nodes
        self.notes.append("ONNX's Gather has no batch_dims: it is a GatherND")
        nodes.argument = "indices"
        tuples = nodes.add("Unsqueeze", [indices, nodes.integers([indices_rank])])
        if axis == batch:
            nodes.add(
                "GatherND", [data, tuples], self.output, self.name, batch_dims=batch
            )
            return
        order, back = orders(data_rank, indices_rank, axis, batch)
        nodes.argument = "data"
        moved = nodes.add("Transpose", [data], perm=order)
        nodes.argument = "output"
        batched = nodes.add(
            "GatherND", [moved, tuples], name=self.name, batch_dims=batch
        )
        nodes.add("Transpose", [batched], self.output, perm=back)
