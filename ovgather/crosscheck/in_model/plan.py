"""The layers in place: what must be tapped so that each can be judged on the values that really flow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import prod

from ovgather.crosscheck.alone.plan import data_problem
from ovgather.crosscheck.in_model.consumers import MOVES, Consumer
from ovgather.crosscheck.in_model.inputs import ModelInput, wanted_inputs
from ovgather.crosscheck.in_model.rounds import Round, given_rounds, random_rounds
from ovgather.crosscheck.in_model.run import ModelRun, Tapped
from ovgather.crosscheck.in_model.tap import Feed, Tap
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.ir.constants import constant
from ovgather.ir.graph import Graph, Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import output_tensor
from ovgather.runtimes.outcome import Outcome, Skip
from ovgather.runtimes.wire import from_bytes

_SINKS = frozenset({"Result", "Assign"})
_BYTES = 128 << 20
"""About what the taps of one run hold in one inference: every run compiles the whole model again."""
_OPEN = 16
"""What a dynamic dim is taken for, and how often a body is taken to run."""


def plan_in_model(
    model: Model, gathers: Mapping[int, GatherLayer], options: CrosscheckOptions
) -> tuple[list[ModelRun], dict[int, Outcome]]:
    """The runs of the whole model, each for some of the layers, and by position those that cannot be judged there."""
    try:
        parameters = wanted_inputs(model)
        planner = _Planner(model, {want.key: want.position for want in parameters})
        _refuse_unrunnable(model, planner.alive(model.graph))
        whole = _whole(model, parameters, gathers, options)
    except Skip as skip:
        return [], dict.fromkeys(gathers, skip.outcome)
    skipped: dict[int, Outcome] = {}
    layers: list[Tapped] = []
    for position, gather in gathers.items():
        try:
            layers.append(planner.tapped(position, gather))
        except Skip as skip:
            skipped[position] = skip.outcome
    # Layers of bodies come last, in runs of their own: what must be added for them may keep a model from running.
    layers.sort(key=lambda layer: layer.output.depth > 0)
    return list(_chunks(whole, layers)), skipped


def _whole(
    model: Model, wanted: list[ModelInput], gathers: Mapping[int, GatherLayer], options: CrosscheckOptions
) -> ModelRun:
    """The run of the model with its inputs, and nothing tapped yet. Raises Skip."""
    if options.inputs is not None:
        draw, rounds = None, given_rounds(model.path, wanted, options.inputs, options.repeat)
    else:

        def draw(seed: int) -> list[Round]:
            return random_rounds(model, wanted, options, seed)

        rounds = draw(options.seed)
    tuples = {source.id for source in map(_tuple_source, gathers.values()) if source is not None}
    kept = frozenset(want.position for want in wanted if want.key in tuples)
    return ModelRun(model, [], [], [want.element_type for want in wanted], rounds, options, kept, draw)


def _chunks(whole: ModelRun, layers: Sequence[Tapped]) -> Iterator[ModelRun]:
    """As few runs as the size of what flows allows."""
    chosen: list[Tapped] = []
    points: dict[Tap, None] = {}
    held = 0
    for layer in layers:
        new = [point for point in dict.fromkeys(layer.points) if point not in points]
        size = sum(map(_size, new))
        if chosen and (held + size > _BYTES or (layer.output.depth > 0) != (chosen[-1].output.depth > 0)):
            yield replace(whole, layers=chosen, points=list(points))
            chosen, points, held = [], {}, 0
            new = layer.points
            size = sum(map(_size, dict.fromkeys(new)))
        chosen.append(layer)
        points |= dict.fromkeys(new)
        held += size
    if chosen:
        yield replace(whole, layers=chosen, points=list(points))


class _Planner:
    """Finds where the values of layers are; ``inputs`` are positions of inputs by the ids of their Parameters."""

    def __init__(self, model: Model, inputs: Mapping[int, int]) -> None:
        self.model = model
        self.inputs = inputs
        self._alive: dict[tuple[str, ...], set[int]] = {}
        self._readers: dict[int, list[int]] = {}
        for edge in model.graph.edges:
            self._readers.setdefault(edge.from_layer, []).append(edge.to_layer)

    def alive(self, graph: Graph) -> set[int]:
        """The ids of the layers that a Result depends on."""
        if graph.path not in self._alive:
            self._alive[graph.path] = graph.reaching(_SINKS)
        return self._alive[graph.path]

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
        return Tapped(position, gather, feeds, Tap(layer, 0), frozenset(constants), consumers)

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
                return from_bytes(value.element_type, value.shape, value.data)
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
    prefix, number = parameter.graph.kind.removesuffix("body"), str(parameter.id)
    maps = model.mappings.get(parent.offset, ())
    if any(each.name == "edge" and each.attributes.get("to-layer") == number for each in maps):
        return None
    for each in maps:
        if (each.around, each.name, each.attributes.get("internal_layer_id")) != (f"{prefix}port_map", "input", number):
            continue
        ports = [str(port.id) for port in parent.inputs]
        outside = each.attributes.get("external_port_id")
        known = outside in ports and "axis" not in each.attributes
        return parent.producer(ports.index(str(outside))) if known else None
    return None


def _tuple_source(gather: GatherLayer) -> Layer | None:
    """The layer whose values the index tuples of a GatherND are, before Converts."""
    source = gather.layer.producer(1) if gather.operation.indexes_by_tuples else None
    while source is not None and source[0].type == "Convert":
        source = source[0].producer(0)
    return source[0] if source is not None else None


def _refuse_unrunnable(model: Model, alive: set[int]) -> None:
    if model.snippet:
        raise Skip("the text is a lone layer, there is no model around it")
    needs = any(layer.type == "Const" and layer.id in alive for layer in model.graph.layers)
    if needs and model.weights is None:
        why = model.unused_weights
        why = f" ({why})" if why else ""
        raise Skip(f"there are no weights, and OpenVINO cannot load the model without them{why}")


def _size(point: Tap) -> int:
    """About how many bytes a tensor takes, dynamic dims taken to be short."""
    tensor = output_tensor(*point)
    dims = tensor.shape.dims or ()
    bits = tensor.element_type.bits if tensor.element_type is not None else 32
    lengths = prod(dim.min if dim.is_static else max(dim.min, _OPEN) for dim in dims)
    size: int = lengths * bits // 8 * _OPEN**point.depth
    return size
