"""The layers in place: what must be tapped so that each can be judged on the values that really flow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import prod
from typing import NamedTuple

import numpy

from ovgather.crosscheck.alone.plan import data_problem
from ovgather.crosscheck.confirm import Run
from ovgather.crosscheck.in_model.inputs import given_inputs, wanted_inputs
from ovgather.crosscheck.in_model.random_inputs import random_inputs
from ovgather.crosscheck.in_model.tap import Tap, tap
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.report import FAILING
from ovgather.crosscheck.verdict.judge import judge
from ovgather.ir.constants import constant
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import output_tensor
from ovgather.ops.sampling.values import generator
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.request import Skip, Text, error_of, request, with_notes
from ovgather.runtimes.tensors_on_wire import from_bytes, from_wire
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType

_SINKS = frozenset({"Result", "Assign"})
_MOST, _BYTES = 128, 256 << 20  # taps of one run, and about what they hold
_OPEN = 16  # what a dynamic dim is taken for


class Tapped(NamedTuple):
    """A layer in place: its inputs, each an array or tapped, the tap of its output, and which inputs are Consts."""

    position: int
    gather: GatherLayer
    feeds: list[Array | Tap]
    output: Tap
    constant: frozenset[str]

    @property
    def fed(self) -> list[Tap]:
        """The taps of its inputs."""
        return [feed for feed in self.feeds if isinstance(feed, Tap)]

    def evidence(self, tensors: Mapping[Tap, tuple[wire.Header, bytearray]]) -> Evidence:
        """What flowed, and what came out. Raises ValueError."""
        values = [from_wire(*tensors[feed]) if isinstance(feed, Tap) else feed for feed in self.feeds]
        gather = self.gather
        axis = int(values[2].ravel()[0]) if len(values) > 2 else gather.axis or 0
        got = from_wire(*tensors[self.output])
        if gather.model.ir_version == 10:
            got = _converted_back(got, values[0])
        return Evidence(gather.operation, values[0], values[1], axis, gather.batch_dims, got, self.constant)


@dataclass
class ModelRun(Run):
    """The whole model with Results at the ``points`` that ``layers`` read and write.

    ``pruned``: the model's own Results are left out, so that only what the points need is run.
    ``reshaped``: whether the Parameters are given other shapes than those of the file: the static ones of
    ``inputs``, or all dims dynamic. ``kept`` are the inputs that hold index tuples, whose length must be static.
    """

    model: Model
    layers: list[Tapped]
    points: list[Tap]
    inputs: list[tuple[ElementType, Array]]
    options: CrosscheckOptions
    random: bool
    kept: frozenset[int]
    reshaped: bool = True
    pruned: bool = False

    def only(self, positions: Sequence[int]) -> ModelRun:
        """The same for some of the layers, on the part of the model that they need."""
        layers = [self.layers[position] for position in positions]
        points = dict.fromkeys(point for layer in layers for point in (*layer.fed, layer.output))
        return replace(self, layers=layers, points=list(points), pruned=True)

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        weights = self.model.weights
        path, blob = weights.for_runtime() if weights is not None else (None, None)
        shapes = [self._shape(position) for position in range(len(self.inputs))] if self.reshaped else None
        text, names = tap(self.model, self.points, self.pruned)
        return request(Text(text, blob or b"", path), self.inputs, names, self.options.device, shapes)

    def _shape(self, position: int) -> list[int]:
        shape = list(self.inputs[position][1].shape)
        free = 0 if self.options.static else len(shape) - (position in self.kept)
        return [-1] * free + shape[free:]

    def tensors(self, header: wire.Header, blobs: list[bytearray]) -> dict[Tap, tuple[wire.Header, bytearray]]:
        """The tensors at the ``points``, as they come from the worker."""
        return dict(zip(self.points, zip(header["outputs"], blobs, strict=True), strict=True))

    def evidence(self, header: wire.Header, blobs: list[bytearray]) -> list[tuple[Evidence, str]]:
        """What flowed through each layer, with the version of OpenVINO. Raises ValueError."""
        tensors = self.tensors(header, blobs)
        return [(layer.evidence(tensors), str(header["version"])) for layer in self.layers]

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        if "error" in header:
            return self.all(error_of(header))
        outcomes = []
        for layer in self.layers:
            try:
                evidence = layer.evidence(self.tensors(header, blobs))
                outcome = judge(evidence, self.options.device, version=header["version"], search=False)
            except ValueError as error:
                outcome = Outcome("skipped", str(error))
            outcomes.append(self.noted(outcome))
        return outcomes

    def noted(self, outcome: Outcome) -> Outcome:
        notes = []
        if not self.reshaped and outcome.verdict not in ("error", "skipped"):
            notes.append("on the shapes of the file, since the model does not run on dynamic ones")
        if outcome.verdict in FAILING:
            notes += ["on static shapes"] * self.options.static + ["on random inputs"] * self.random
        return with_notes(outcome, *notes)


def plan_in_model(
    model: Model, gathers: Mapping[int, GatherLayer], options: CrosscheckOptions
) -> tuple[list[ModelRun], dict[int, Outcome]]:
    """The runs of the whole model, each for some of the layers, and by position those that cannot be judged there."""
    alive = model.graph.reaching(_SINKS)
    given = options.inputs
    try:
        wanted = wanted_inputs(model)
        arrays = given_inputs(model.path, wanted, given) if given is not None else None
        _refuse_unrunnable(model, alive)
        if arrays is None:
            random = random_inputs(model, wanted, generator(options.seed))
            arrays = [want.seen(array) for want, array in zip(wanted, random, strict=True)]
    except Skip as skip:
        return [], dict.fromkeys(gathers, skip.outcome)
    given_to = {want.key: array for want, array in zip(wanted, arrays, strict=True)}
    tuples = {source.id for source in map(_tuple_source, gathers.values()) if source is not None}
    kept = frozenset(want.position for want in wanted if want.key in tuples)
    inputs = [(want.element_type, array) for want, array in zip(wanted, arrays, strict=True)]
    chunks: list[ModelRun] = []
    skipped: dict[int, Outcome] = {}
    for position, gather in gathers.items():
        try:
            layer = Tapped(position, gather, *_feeds(model, gather, given_to, alive))
        except Skip as skip:
            skipped[position] = skip.outcome
            continue
        points = dict.fromkeys([*(chunks[-1].points if chunks else ()), *layer.fed, layer.output])
        if not chunks or len(points) > _MOST or sum(map(_size, points)) > _BYTES:
            chunks.append(ModelRun(model, [], [], inputs, options, given is None, kept))
            points = dict.fromkeys([*layer.fed, layer.output])
        chunks[-1].layers.append(layer)
        chunks[-1].points = list(points)
    return chunks, skipped


def _converted_back(got: Array, data: Array) -> Array:
    """The values of a Result of an IR of version 10, which OpenVINO makes f32 or i32, as the layer gave them."""
    if got.dtype == data.dtype or got.dtype.name not in ("float32", "int32"):
        return got
    with numpy.errstate(all="ignore"):
        back = got.astype(data.dtype)
        return back if numpy.array_equal(back.astype(got.dtype), got, equal_nan=got.dtype.kind == "f") else got


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


def _feeds(
    model: Model, gather: GatherLayer, inputs: Mapping[int, Array], alive: set[int]
) -> tuple[list[Array | Tap], Tap, frozenset[str]]:
    """Where the values of ``gather`` will be found; ``inputs`` are those of the Parameters by id. Raises Skip."""
    layer = gather.layer
    if layer.body:
        raise Skip("inside a body, whose tensors cannot be tapped")
    if layer.id not in alive:
        raise Skip("no Result depends on it, and OpenVINO does not build it")
    reason = data_problem(gather, gather.tensors[0].element_type if gather.tensors else None)
    if reason:
        raise Skip(reason)
    if not layer.outputs:
        raise Skip("the layer has no output port")
    feeds: list[Array | Tap] = []
    constants = set()
    for index, argument in enumerate(gather.operation.inputs):
        source = layer.producer(index)
        if source is None:
            raise Skip(f"nothing feeds its input {index} ({argument.name})")
        if source[0].type == "Const":
            constants.add(argument.name)
        given = inputs.get(source[0].id)
        feeds.append(_feed(model, Tap(*source)) if given is None else given)
    return feeds, Tap(layer, 0), frozenset(constants)


def _feed(model: Model, point: Tap) -> Array | Tap:
    """The file's own bytes of a Const: what a runtime makes of a constant is part of what is checked."""
    value = constant(point.layer, model.weights)
    if value is not None and value.data is not None and value.element_type.name != "string":
        with suppress(ValueError):
            return from_bytes(value.element_type, value.shape, value.data)
    return point


def _size(point: Tap) -> int:
    """About how many bytes a tensor takes, dynamic dims taken to be short."""
    tensor = output_tensor(*point)
    dims = tensor.shape.dims or ()
    bits = tensor.element_type.bits if tensor.element_type is not None else 32
    return prod(dim.min if dim.is_static else max(dim.min, _OPEN) for dim in dims) * bits // 8
