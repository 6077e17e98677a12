"""A node of an ONNX model as an IR of its own."""

from __future__ import annotations

from ovgather.errors import IndexOutOfRangeError, InvalidModelError
from ovgather.ir.numbers import INT64_MAX
from ovgather.ir.writer import Flow, Writer, WrittenTensor
from ovgather.layers.arguments import NAMES
from ovgather.layers.onnx_node import GatherNode, missing_operation
from ovgather.layers.tensors import too_large
from ovgather.onnx_file.model import OnnxModel
from ovgather.ops.operation import Operation
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.convert.layers import (
    VERSIONS,
    LayerBuilder,
    broadcast,
    cut_to,
    guarded,
    names_text,
)
from ovgather.verbs.written_model import LayerModel, UniqueNames, origins_of


class ToIr:
    """A node as Gather-8, GatherElements-6 or GatherND-8."""

    def __init__(self, model: OnnxModel, node: GatherNode, guard: bool) -> None:
        self.model = model
        self.node = node
        self.guard = guard
        self.name = node.reference.name
        self.layers = LayerBuilder(Writer(self.name), UniqueNames(self.name))
        self.inputs: list[str] = []
        self.notes: list[str] = []

    def run(self) -> LayerModel:
        """The model; InvalidModelError: the node is wrong, or has no counterpart."""
        operation = self._operation()
        origins = origins_of(self.model)
        kinds = [self._kind(position) for position in range(2)]
        constants = [self.node.values(position) for position in range(2)]
        data = indices = self._feed(0, kinds[0], constants[0])
        if self.node.proto.input[0] != self.node.proto.input[1]:
            indices = self._feed(1, kinds[1], constants[1])
        if self.node.inference is not None:
            self._require_memory("the output", self.node.inference.shape, kinds[0])
        flows = self._same_meaning(operation, data, indices, constants[1])
        if operation.broadcast(self.node.shapes, self.node.batch_dims):
            self.notes.append(
                "batch dims of 1 are repeated, as OpenVINO's own converter does"
            )
            self.layers.argument = "data"
            flows = broadcast(self.layers, *flows, self.node.batch_dims), flows[1]
        self._gather(operation, *flows)
        pieces = tuple(self.layers.writer.pieces.views)
        return LayerModel(
            self.name,
            self.layers.writer.text,
            pieces,
            tuple(self.inputs),
            tuple(self.notes),
            origins,
        )

    def _refuse(self, why: str) -> InvalidModelError:
        return InvalidModelError(
            f"{self.model.path}: node {self.name!r} cannot be converted: {why}"
        )

    def _require_memory(
        self, what: str, shape: PartialShape, kind: ElementType
    ) -> None:
        if (size := too_large(shape, kind)) is not None:
            raise self._refuse(
                f"{what} {kind} {shape} takes {size} bytes: no memory holds it"
            )

    def _operation(self) -> Operation:
        node = self.node
        if node.operation is None:
            raise self._refuse(missing_operation(node))
        if not any(node.proto.output) or node.errors:
            raise self._refuse(
                str(node.errors[0]) if any(node.proto.output) else "it has no output"
            )
        if node.operation.has_axis and node.axis is None:
            raise self._refuse("the caller of the function gives its axis")
        if not node.operation.allows_negative_indices:
            self.notes.append(
                "Gather-1 says nothing of negative indices; here they count from the end"
            )
        return node.operation

    def _kind(self, position: int) -> ElementType:
        name = self.node.inputs[position].element_type
        if name is None:
            raise self._refuse(
                f"the file does not say which element type {NAMES[position]} has"
            )
        kind = self.node.element_types[position]
        if kind is None:
            raise self._refuse(
                f"{NAMES[position]} is tensor({name}), and OpenVINO has no such type"
            )
        return kind

    def _feed(self, position: int, kind: ElementType, constant: Array | None) -> Flow:
        value = self.node.proto.input[position]
        name = self.layers.names.own(value)
        argument = NAMES[position]
        shape = self.node.inputs[position].shape
        if constant is None:
            if any(dim.min >= INT64_MAX for dim in shape.dims or ()):
                raise self._refuse(
                    f"{argument} {shape}: a dim of an IR is less than {INT64_MAX}"
                )
            self._require_memory(argument, shape, kind)
        elif constant.dtype != kind.dtype:
            raise self._refuse(
                f"{argument} is declared {kind}, and its values are {constant.dtype}"
            )
        flow = self.layers.source(name, kind, shape, constant, value)
        what = "Parameter" if constant is None else "Const"
        self.inputs.append(f"{argument}: {what} {name!r} {kind} {flow.tensor.shape}")
        return flow

    def _same_meaning(
        self, operation: Operation, data: Flow, indices: Flow, constant: Array | None
    ) -> tuple[Flow, Flow]:
        """The two inputs, with layers before them where the operations of IR would do something else."""
        rank = data.tensor.shape.rank
        axis = self.node.axis or 0
        if operation.indices_have_rank_of_data:
            if rank is None:
                self.notes.append(
                    "the rank of data is not known: indices that are smaller off the axis are refused"
                )
                return data, indices  # an index outside is an error in both
            indices = self._outside_of_nothing(data, indices, axis % rank)
            self.layers.argument = "data"
            cut = cut_to(self.layers, data, indices, axis % rank)
            if cut is not data:
                self.notes.append(
                    "off the axis data are cut to the size of indices, which IR demands and ONNX does not"
                )
            return cut, indices
        sizes = self._sizes(operation, data, indices, axis)
        if not self._needs_guard(data, sizes, constant):
            return data, indices
        if not self.guard:
            what = "reads what it should not"
            if operation.indices_replace_axis:
                what = "gives zeros"
            self.notes.append(
                f"an index outside, an error in ONNX, {what}: there is no guard"
            )
            return data, indices
        if sizes is None:
            unknown = "how long the index tuples are"
            if operation.indices_replace_axis:
                unknown = "the rank of data"
            why = f"{unknown} is not known, so no guard can make an index outside an error, as it is in ONNX"
            raise self._refuse(f"{why}; without a guard it can be converted")
        self.layers.argument = "indices"
        self.notes.append(
            "a guard before the indices makes an index outside an error, as in ONNX"
        )
        return data, guarded(self.layers, indices, self.layers.lengths(data, *sizes))

    def _outside_of_nothing(self, data: Flow, indices: Flow, axis: int) -> Flow:
        """``indices``, with a guard where the axis has length 0: there OpenVINO does not look at them."""
        length = (data.tensor.shape.dims or ())[axis]
        elements = indices.tensor.shape.dims
        if length.min > 0 or (
            elements is not None and any(dim.max == 0 for dim in elements)
        ):
            return indices
        if length.max == 0 and self.guard:
            self.layers.argument = "indices"
            self.notes.append(
                "a guard before the indices makes an index outside an error: data have length 0 there"
            )
            return guarded(
                self.layers, indices, self.layers.lengths(data, axis, axis + 1)
            )
        self.notes.append(
            "where the axis has length 0, an index is an error in ONNX; OpenVINO reads what it should not"
        )
        return indices

    def _sizes(
        self, operation: Operation, data: Flow, indices: Flow, axis: int
    ) -> tuple[int, int] | None:
        """The dims of data that are indexed, from and to; None: it is not known which."""
        rank = data.tensor.shape.rank
        if operation.indices_replace_axis:
            if rank is None:
                first = axis
            else:
                first = axis % rank
            if first < 0:
                return None
            return (first, first + 1)
        dims = indices.tensor.shape.dims
        if dims is None or not dims[-1].is_static:
            return None
        return self.node.batch_dims, self.node.batch_dims + dims[-1].min

    def _needs_guard(
        self, data: Flow, indexed: tuple[int, int] | None, constant: Array | None
    ) -> bool:
        dims = data.tensor.shape.dims
        if constant is None or dims is None or indexed is None:
            return True
        from ovgather.ops.kernels import require_inside

        sizes = dims[slice(*indexed)]
        if not all(dim.is_static for dim in sizes):
            return True
        try:
            require_inside(
                constant,
                [(-dim.min, dim.min - 1) for dim in sizes],
                f"data {data.tensor.shape}",
            )
        except IndexOutOfRangeError as error:
            raise self._refuse(f"{error}; ONNX refuses to run it") from None
        return False

    def _gather(self, operation: Operation, data: Flow, indices: Flow) -> None:
        node = self.node
        kind = operation.type
        inputs = [data, indices]
        if kind == "GatherElements":
            attributes = {"axis": str(node.axis)}
        else:
            attributes = {"batch_dims": str(node.batch_dims)}
        if kind == "Gather":
            inputs.append(
                self.layers.integers(
                    [node.axis or 0], self.layers.names.own(f"{self.name}/axis")
                )
            )
        assert node.inference is not None  # a node without errors has an output
        output = WrittenTensor(data.tensor.element_type, node.inference.shape)
        name = node.proto.output[0]
        source = self.layers.writer.layer(
            self.name,
            kind,
            VERSIONS[kind],
            attributes,
            inputs,
            output,
            names_text([name]),
        )
        self.layers.writer.result(self.layers.names.own(f"{name}/result"), source)
