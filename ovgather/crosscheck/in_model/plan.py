"""The layers in place: what must be tapped so that each can be judged on the values that really flow."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial

from ovgather.crosscheck.alone.run import data_problem
from ovgather.crosscheck.in_model.inputs import Round, given_rounds, wanted_inputs
from ovgather.crosscheck.in_model.random_inputs import input_of, random_rounds
from ovgather.crosscheck.in_model.run import ModelRun, Tapped, planned, tensor_bytes
from ovgather.crosscheck.in_model.tap import MOVES, Consumer, Feed, Tap, around, tap
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.report import FAILING
from ovgather.ir.constants import constant
from ovgather.ir.graph import Graph, Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import output_tensor
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Outcome, Skip, with_notes
from ovgather.runtimes.wire import Text, from_wire, request

_SINKS = frozenset({"Result", "Assign"})


@dataclass
class IrRun(ModelRun):
    """A run of an IR.

    ``kept`` are the inputs that hold index tuples, whose length must be static. ``draw`` makes other rounds of random
    inputs. ``reshaped``: whether the Parameters are given other shapes than those of the file: the static ones of the
    inputs, or all dims dynamic.
    """

    points: Sequence[Tap]
    kept: frozenset[int] = frozenset()
    draw: Callable[[int], list[Round]] | None = None
    reshaped: bool = True
    late = " in infer: "

    def request(self) -> wire.Frame:
        weights = self.model.weights
        path, blob = weights.for_runtime() if weights is not None else (None, None)
        types = [want.element_type for want in self.wanted]
        shapes = [self._shape(position) for position in range(len(types))] if self.reshaped else None
        text, names, inner = tap(self.model, self.points, self.pruned)
        inputs = [list(zip(types, arrays, strict=True)) for arrays in self.rounds]
        changed = [arrays is not self.rounds[0] for arrays in self.rounds]
        device = self.options.device
        return request(Text(text, blob or b"", path), inputs, names, device, shapes, inner=inner, changed=changed)

    def _shape(self, position: int) -> list[int]:
        shape = list(self.rounds[0][position].shape)
        free = 0 if self.options.static else len(shape) - (position in self.kept)
        return [-1] * free + shape[free:]

    def behind(self) -> list[set[int]]:
        numbers, readers = [around(layer.gather.layer).id for layer in self.layers], readers_of(self.model.graph)
        reached = []
        for number in numbers:
            waiting, behind = [number], set[int]()
            while waiting:
                new = [each for each in readers.get(waiting.pop(), ()) if each not in behind]
                behind.update(new)
                waiting += new
            reached.append({position for position, each in enumerate(numbers) if each in behind})
        return reached

    def noted(self, outcome: Outcome) -> Outcome:
        notes = []
        if not self.reshaped and outcome.verdict not in ("error", "skipped"):
            notes.append("on the shapes of the file, since the model does not run on dynamic ones")
        if outcome.verdict in FAILING and self.options.static:
            notes.append("on static shapes")
        return super().noted(with_notes(outcome, *notes))


def plan_in_model(
    model: Model, gathers: Mapping[int, GatherLayer], options: CrosscheckOptions
) -> tuple[list[IrRun], dict[int, Outcome]]:
    """The runs of the whole model, each for some of the layers, and by position those that cannot be judged there."""
    try:
        wanted = wanted_inputs(model)
        planner = _Planner(model, {want.key: want.position for want in wanted})
        if model.snippet:
            raise Skip("the text is a lone layer, there is no model around it")
        alive = planner.alive(model.graph)
        if model.weights is None and any(each.type == "Const" and each.id in alive for each in model.graph.layers):
            why = f" ({model.unused_weights})" if model.unused_weights else ""
            raise Skip(f"there are no weights, and OpenVINO cannot load the model without them{why}")
        draw = partial(random_rounds, model, wanted, options)
        if options.inputs is None:
            rounds = draw(options.seed)
        else:
            rounds = given_rounds(model.path, wanted, options.inputs, options.repeat)
    except Skip as skip:
        return [], dict.fromkeys(gathers, skip.outcome)
    tuples = [input_of(each, 1) for each in gathers.values() if each.operation.indexes_by_tuples]
    kept = frozenset(want.position for want in wanted if any(each and each.id == want.key for each in tuples))
    whole = IrRun(model, [], [], wanted, rounds, options, kept=kept, draw=draw)
    return planned(whole, gathers, planner.tapped, _size)


def readers_of(graph: Graph) -> dict[int, list[int]]:
    """The ids of the layers that read what each layer gives, by its id."""
    readers: dict[int, list[int]] = {}
    for edge in graph.edges:
        readers.setdefault(edge.from_layer, []).append(edge.to_layer)
    return readers


class _Planner:
    """Finds where the values of layers are; ``inputs`` are positions of inputs by the ids of their Parameters."""

    def __init__(self, model: Model, inputs: Mapping[int, int]) -> None:
        self.model = model
        self.inputs = inputs
        self.alive = cache(partial(Graph.reaching, types=_SINKS))
        """The ids of the layers of a graph that a Result depends on."""
        self._readers = readers_of(model.graph)

    def tapped(self, position: int, gather: GatherLayer) -> Tapped:
        """Where the values of ``gather`` will be found. Raises Skip."""
        layer = gather.layer
        self._require_alive(layer)
        reason = data_problem(gather, gather.tensors[0].element_type if gather.tensors else None)
        if reason:
            raise Skip(reason)
        if not layer.outputs:
            raise Skip("the layer has no output port")
        feeds, constants = [], set()
        for index, argument in enumerate(gather.operation.inputs):
            source = layer.producer(index)
            if source is None:
                raise Skip(f"nothing feeds its input {index} ({argument.name})")
            if source[0].type == "Const":
                constants.add(argument.name)
            feeds.append(self._feed(Tap(*source)))
        consumers = [] if layer.body else list(self._consumers(layer))
        rounded = self.model.ir_version == 10
        return Tapped(position, gather, feeds, Tap(layer, 0), frozenset(constants), consumers, rounded)

    def _require_alive(self, layer: Layer) -> None:
        if layer.id not in self.alive(layer.graph):
            raise Skip("no Result depends on it, and OpenVINO does not build it")
        if layer.graph.parent is not None:
            if not layer.graph.parent.outputs:
                raise Skip(f"nothing leaves the body that it is in, of {layer.graph.parent.name!r}")
            self._require_alive(layer.graph.parent)

    def _feed(self, point: Tap) -> Feed:
        """The file's own bytes of a Const: what a runtime makes of a constant is part of what is checked."""
        layer = point.layer
        if layer.body and layer.type == "Parameter":
            outer = _passed(self.model, layer)
            return point if outer is None else self._feed(Tap(*outer))
        if not layer.body and layer.id in self.inputs:
            return self.inputs[layer.id]
        value = constant(layer, self.model.weights)
        if value is not None and value.data is not None and value.element_type.name != "string":
            with suppress(ValueError):
                return from_wire({"type": value.element_type.name, "shape": value.shape}, value.data)
        return point

    def _consumers(self, layer: Layer) -> Iterator[Consumer]:
        """The layers that move what ``layer`` gives, or the data that it reads."""
        data = layer.producer(0)
        sources = [layer.id, *([data[0].id] if data is not None and data[0].type != "Const" else [])]
        for number in dict.fromkeys(reader for source in sources for reader in self._readers.get(source, ())):
            reader = layer.graph.by_id.get(number)
            if reader is None or reader.type not in MOVES or number not in self.alive(layer.graph):
                continue
            producers = layer.graph.producers(reader)
            feeds = [self._feed(Tap(*source)) for source in producers if source is not None]
            if len(feeds) == len(producers) and len(reader.outputs) == 1:
                yield Consumer(reader, feeds, Tap(reader, 0))


def _passed(model: Model, parameter: Layer) -> tuple[Layer, int] | None:
    """What feeds a Parameter of a body from outside, the same in every iteration; None where it changes."""
    parent = parameter.graph.parent
    if parent is None:
        return None
    entries = [each for each in model.crossings(parent) if each.target.layer is parameter]
    if len(entries) != 1 or entries[0].entry.name == "edge" or "axis" in entries[0].entry.attributes:
        return None
    return parent.producer(entries[0].source.place)


def _size(point: Tap) -> int:
    shape, _, kind = output_tensor(*point)
    return tensor_bytes(shape, kind.bits if kind is not None else 32, point.depth)
