"""One layer taken out of a file, with what feeds it, as a complete model of its own."""

from ovgather.errors import InvalidModelError
from ovgather.forward.sources import without_hidden_symbols
from ovgather.ir.constants import constant
from ovgather.ir.edit.layer_text import net_information, raw_layer
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.positions import element_of
from ovgather.ir.read import WeightsOrData
from ovgather.ir.writer import Flow, Writer, WrittenTensor
from ovgather.layers.formats import AnySource, read
from ovgather.layers.gather_layer import GatherLayer, find_operation, is_family
from ovgather.layers.onnx_node import GatherNode, gather_nodes
from ovgather.layers.tensors import computed_tensor, input_tensor, output_tensor
from ovgather.onnx_file.model import OnnxModel
from ovgather.ops.declared import find
from ovgather.tensor.element_type import named
from ovgather.tensor.guard import guarded
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape
from ovgather.tensor.tensor import Basis
from ovgather.text import layer_words
from ovgather.validation.check import usable
from ovgather.verbs.shapes import reshaped
from ovgather.verbs.written_model import LayerModel, UniqueNames, origins_of

_MOST_LAYERS = 64
# What data, indices and axis are where the file does not say.
_ASSUMED = (
    "f32",
    "i64",
    "i64",
)


@guarded
def extract(
    source: AnySource,
    layer: str | None = None,
    *,
    weights: WeightsOrData | None = None,
    follow_links: bool = False,
) -> LayerModel:
    """A layer with what feeds it, and a Result, as an IR that OpenVINO reads; or a Gather node of ONNX as a model.

    The layer is as it is written in the file. So are the constants that feed it, with the layers that decompress or
    compute them; each other input becomes a Parameter of the shape that the file declares, or inference gives.
    A node of a function has the attributes and shapes of its call.

    Args:
        source, weights, follow_links: what is read, with which ``.bin``; see ``ovgather.read``.
        layer: a name or an id, with the body path before it for a nested layer; may be left out when the file has
            only one Gather layer.

    Raises:
        UnreadableError: the file cannot be read.
        InvalidModelError: there is no such layer, or nothing comes out of it.

    >>> extract("samples_xml/demo/good.xml", "word_embedding").inputs
    ("data: Const 'word_table' f32 [10,4]", "indices: Parameter 'token_ids' i64 [?,6]", "axis: Const 'rows' i64 []")
    """
    model = usable(read(source, weights, follow_links=follow_links))
    if isinstance(model, Model):
        if layer is None:
            layers = [each for each in model.layers() if is_family(each)]
        else:
            layers = [model.find(layer)]
        _require_one(model.path, "layer", [each.name for each in layers])
        return _Extraction(model, layers[0]).run()
    nodes = gather_nodes(model, layer)
    _require_one(model.path, "node", [node.reference.name for node in nodes])
    return _extract_node(model, nodes[0])


def _require_one(path: str, word: str, names: list[str]) -> None:
    if len(names) != 1:
        listed = ", ".join(map(repr, names[:5])) + (", ..." if len(names) > 5 else "")
        if names:
            many = f"{len(names)} Gather {word}s: say which: {listed}"
        else:
            many = f"no Gather {word}: say which {word}"
        raise InvalidModelError(f"{path} has {many}")


class _Extraction:
    def __init__(self, model: Model, layer: Layer) -> None:
        self.model = model
        self.layer = layer
        operation = find_operation(layer, model.snippet)
        self.gather = (
            GatherLayer(model, layer, operation) if operation is not None else None
        )
        self.forward = reshaped(model, {})
        first = max((other.id for other in layer.graph.layers), default=-1) + 1
        # In IR v10, a Parameter with tensor names that feeds a Result is rejected: see OVG111.
        version = 11
        if model.ir_version == 10 and layer.type != "Parameter":
            version = 10
        self.writer = Writer(model.name or layer.name or layer.type, version, first)
        self.offsets: set[int] = set()
        self.stand_ins: dict[tuple[int, int], Flow] = {}
        self.names = UniqueNames(layer.name)
        self.inputs: list[str] = []
        unused = model.unused_weights
        if unused is None:
            self.notes = []
        else:
            self.notes = [f"no values are taken from the .bin: {unused}"]

    def run(self) -> LayerModel:
        layer = self.layer
        writer = self.writer
        name = f"layer {layer.name!r}"
        if not layer.outputs and self.gather is None:
            raise self._refuse(f"nothing comes out of {name}, a {layer.type}")
        if layer.type == "Assign":
            raise self._refuse(
                f"{name} sets a variable, which OpenVINO takes only with what reads it"
            )
        if layer.id < 0 and self.gather is None:
            why = "has no id that can be read: of such layers only a Gather can be extracted"
            raise self._refuse(f"{name}, a {layer.type!r}, {why}")
        most = None
        if self.gather is not None and self.model.ir_version == 10:
            most = len(self.gather.operation.inputs)
        # IR v10 may have more input ports, without an edge.
        ports = [
            index
            for index in range(len(layer.inputs))
            if most is None or index < most or layer.producer(index)
        ]
        feeds = [self._feed(index) for index in ports]
        if layer.id < 0 or not layer.outputs:
            self._write_anew(feeds)
        else:
            self._take(layer)
            for (source, _), index in zip(feeds, ports, strict=True):
                writer.edge(source, (layer.id, layer.inputs[index].id))
            self._add_results()
        writer.information = net_information(self.model)
        if self.gather is not None:
            type = self.gather.operation.name
        else:
            type = layer.type
        title = layer_words(
            type, layer.name, str(layer.id) if layer.id >= 0 else "", layer.body
        )
        return LayerModel(
            layer.name,
            writer.text,
            tuple(writer.pieces.views),
            tuple(self.inputs),
            tuple(self.notes),
            origins_of(self.model),
            title=title,
            layer=layer,
        )

    def _refuse(self, why: str) -> InvalidModelError:
        return InvalidModelError(f"{self.model.path}: {why}")

    def _feed(self, index: int) -> Flow:
        """Where input ``index`` comes from in the new file."""
        source = self.layer.producer(index)
        tensor = self._tensor(index)
        if source is not None:
            producer, output = source
            is_input = producer.type == "Parameter" and not producer.inputs
            constants: list[Layer] = []  # first things first
            if is_input or self._collect(producer, constants, set()):
                for layer in [producer] if is_input else constants:
                    self._take_fed(layer)
                self._describe(index, producer.type, producer.name, tensor)
                return Flow((producer.id, producer.outputs[output].id), tensor)
            if (producer.offset, output) in self.stand_ins:
                self._describe(index, "Parameter", producer.name, tensor)
                return self.stand_ins[producer.offset, output]._replace(tensor=tensor)
        if (
            index == 2
            and self.gather is not None
            and self.gather.operation.takes_axis
            and self.gather.axis is not None
        ):
            return self._write_axis(index, self.gather.axis, tensor)
        return self._stand_in(index, source, tensor)

    def _tensor(self, index: int) -> WrittenTensor:
        declared = input_tensor(self.model, self.layer, index)
        shape = self._flowing(index) or (
            self.gather.shapes[index] if self.gather else declared.shape
        )
        kind = declared.element_type
        if kind is None or kind.kind == "dynamic":
            unknown = "the file does not say which element type"
            if self.gather is None or index >= len(_ASSUMED):
                raise self._refuse(
                    f"{unknown} input {index} of {self.layer.name!r} has"
                )
            kind = named(_ASSUMED[index])
            self.notes.append(
                f"{unknown} {self._argument(index)} has: {kind} is assumed"
            )
        return WrittenTensor(kind, shape)

    def _flowing(self, index: int) -> PartialShape | None:
        """The shape that flows into an input, if it is computed."""
        tensor = computed_tensor(self.forward, self.layer.producer(index))
        if tensor is None or tensor.basis is not Basis.COMPUTED:
            return None
        return without_hidden_symbols(tensor.shape)

    def _argument(self, index: int) -> str:
        if self.gather is not None and index < len(self.gather.operation.inputs):
            return str(self.gather.operation.inputs[index].name)
        return f"input {index}"

    def _describe(
        self, index: int, type: str, name: str, tensor: WrittenTensor
    ) -> None:
        self.inputs.append(
            f"{self._argument(index)}: {type} {name!r} {tensor.element_type} {tensor.shape}"
        )

    def _collect(self, layer: Layer, order: list[Layer], seen: set[int]) -> bool:
        """Put ``layer`` and all layers before it into ``order``; False if it is no constant whose bytes are there."""
        if layer.offset in seen:
            return True
        seen.add(layer.offset)
        value = constant(layer, self.model.weights)
        if value is None or value.data is None or layer.inputs:
            sources = [layer.producer(index) for index in range(len(layer.inputs))]
            declaration = find(layer.type, layer.version)
            if declaration is None or not declaration.is_pure or layer.bodies:
                return False
            if not sources or len(seen) > _MOST_LAYERS:
                return False
            if not all(
                source is not None and self._collect(source[0], order, seen)
                for source in sources
            ):
                return False
        order.append(layer)
        return True

    def _write_axis(self, index: int, axis: int, tensor: WrittenTensor) -> Flow:
        kind = tensor.element_type
        if kind.bits < 8 or not kind.is_integral:
            kind = named("i64")
        name = self.names.own("axis")
        flow = self.writer.number(name, kind, axis, int(tensor.shape.rank == 1))
        self.notes.append(
            f"no constant holds the axis: {axis}, which ports or a comment tell, is written as one"
        )
        self._describe(index, "Const", name, flow.tensor)
        return flow

    def _stand_in(
        self, index: int, source: tuple[Layer, int] | None, tensor: WrittenTensor
    ) -> Flow:
        name = self._argument(index).replace(" ", "_")
        names = ""
        if source is None and not self.model.snippet:
            self.notes.append(
                f"nothing feeds {self._argument(index)} in the file: a Parameter does here"
            )
        if source is not None:
            producer, output = source
            if len(producer.outputs) == 1:
                name = producer.name
            else:
                name = f"{producer.name}.{output}"
            ports = element_of(self.model.source, producer).ports("output")
            names = ports[output].attributes.get("names", "")
            if producer.type == "Const" and not producer.inputs:
                self.notes.append(
                    f"the .bin does not hold constant {producer.name!r}: a Parameter stands for it"
                )
        name = self.names.own(name)
        self._describe(index, "Parameter", name, tensor)
        parameter = self.writer.parameter(name, tensor, names)
        if source is not None:
            self.stand_ins[source[0].offset, source[1]] = parameter
        return parameter

    def _take(self, layer: Layer) -> None:
        self.offsets.add(layer.offset)
        self.names.used.add(layer.name)
        self.writer.raw(raw_layer(self.model, layer, self.writer.pieces))

    def _take_fed(self, layer: Layer) -> None:
        """A Parameter, or a layer that computes constants, with its edges."""
        if layer.offset in self.offsets:
            return
        self._take(layer)
        for index, port in enumerate(layer.inputs):
            source = layer.producer(index)
            assert source is not None  # _collect saw to it
            self.writer.edge(
                (source[0].id, source[0].outputs[source[1]].id), (layer.id, port.id)
            )

    def _write_anew(self, feeds: list[Flow]) -> None:
        """A layer that lacks an id or an output, as on a page of the specification."""
        layer = self.layer
        gather = self.gather
        assert gather is not None  # of other layers all is taken as it is
        shape = DYNAMIC_RANK
        if gather.inference is not None:
            shape = gather.inference.shape
        if feeds:
            output = WrittenTensor(feeds[0].tensor.element_type, shape)
        else:
            output = WrittenTensor(named("f32"), DYNAMIC_RANK)
        version = layer.version or gather.operation.opsets[-1]
        source = self.writer.layer(
            layer.name or "layer",
            gather.operation.type,
            version,
            layer.data,
            feeds,
            output,
        )
        self.writer.result(self.names.own("result"), source)

    def _add_results(self) -> None:
        """For each output the Results that the file has for it, or a new one. No Result stands behind a Result."""
        layer = self.layer
        if layer.type == "Result":
            return
        results = {
            other.id: other
            for other in layer.graph.layers
            if other.type == "Result" and other.inputs
        }
        for index, port in enumerate(layer.outputs):
            edges = layer.graph.leaving.get((layer.id, port.id), ())
            own = [results[edge.to_layer] for edge in edges if edge.to_layer in results]
            for result in own[:1] if self.model.ir_version == 10 else own:
                self._take(result)
                self.writer.edge((layer.id, port.id), (result.id, result.inputs[0].id))
            if not own:
                declared = output_tensor(layer, index)
                tensor = WrittenTensor(
                    declared.element_type or named("dynamic"), declared.shape
                )
                source = Flow((layer.id, port.id), tensor)
                self.writer.result(self.names.own(f"{layer.name}/result"), source)


def _extract_node(model: OnnxModel, node: GatherNode) -> LayerModel:
    """The node as it is written, between inputs of the shapes that are known; InvalidModelError if that is no model."""
    import onnx
    from onnx import helper

    from ovgather.tensor.onnx_types import NUMBER_OF
    from ovgather.verbs.convert.nodes import NodeBuilder, checkable, onnx_file, value

    name = node.reference.name
    kinds = dict(zip(node.proto.input, node.inputs, strict=False))
    if node.graph.opset is None or not any(node.proto.output) or not all(kinds):
        raise InvalidModelError(
            f"{model.path}: node {name!r} lacks an opset, an input or an output"
        )
    for each, known in kinds.items():
        if known.element_type is None:
            raise InvalidModelError(
                f"{model.path}: the file does not say which element type {each!r} has"
            )
        if str(known.element_type) not in NUMBER_OF:
            raise InvalidModelError(
                f"{model.path}: {each!r} has an element type that ONNX does not have: {known.element_type}"
            )
    inputs = []
    described = []
    nodes = NodeBuilder(UniqueNames(name))
    for position, (each, known) in enumerate(kinds.items()):
        array = node.values(position)
        kind = str(known.element_type)
        if position < 2:
            argument = ("data", "indices")[position]
        else:
            argument = f"input {position}"
        if array is None:
            inputs.append(value(each, known.shape, kind))
        else:
            nodes.initializer(each, array, kind)
        what = "input" if array is None else "constant"
        described.append(f"{argument}: {what} {each!r} {kind} {known.shape.named}")
    if node.inference is not None:
        shape = node.inference.shape
    else:
        shape = node.output.shape
    output = value(
        node.proto.output[0], shape, str(next(iter(kinds.values())).element_type)
    )
    graph = helper.make_graph(
        [node.proto],
        model.proto.graph.name or "extracted",
        inputs,
        [output],
        nodes.initializers,
    )
    opset = helper.make_opsetid("", node.graph.opset)
    proto = helper.make_model(
        graph, opset_imports=[opset], ir_version=model.proto.ir_version
    )
    notes = []
    try:
        onnx.checker.check_model(checkable(proto, nodes.large))
    except onnx.checker.ValidationError as error:
        notes.append(f"onnx's checker refuses the node: {str(error).splitlines()[0]}")
    text = onnx_file(proto, nodes.large)
    title = f'node "{name}"'
    return LayerModel(
        name,
        text,
        (),
        tuple(described),
        tuple(notes),
        origins_of(model),
        ".onnx",
        title,
    )
