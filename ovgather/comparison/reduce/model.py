"""A failure that a layer shows in its model only: the fewest layers and inferences of the model that still fail.

What comes out of a part is compared with what its layers give one by one, each as a model of its own, and those of the
Gather family with what the reference gives. So nothing that the runtime fuses or overwrites spoils what is expected.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

import numpy

from ovgather.comparison.confirm import Run, ask
from ovgather.comparison.in_model.run import flows
from ovgather.comparison.in_model.tap import Tap, around
from ovgather.comparison.in_model.whole import OVERWRITTEN
from ovgather.comparison.ir_layers import IrRun, flowed
from ovgather.comparison.options import OPENVINO, CrosscheckOptions, Tolerance
from ovgather.comparison.reduce.prober import Prober
from ovgather.comparison.reduce.search import (
    Part,
    Reduction,
    Signature,
    plain,
    signature,
)
from ovgather.comparison.verdict.compare import compare, rounding_bound
from ovgather.errors import OvgatherError
from ovgather.ir.constants import constant
from ovgather.ir.edit.layer_text import raw_layer
from ovgather.ir.graph import Graph, Layer
from ovgather.ir.model import Model
from ovgather.ir.writer import Flow, Writer, WrittenTensor
from ovgather.layers.gather_layer import GatherLayer, find_operation, is_family
from ovgather.layers.tensors import output_tensor
from ovgather.runtimes import wire
from ovgather.runtimes.onnx_model import refusal
from ovgather.runtimes.outcome import Evidence, Outcome, unusual_of
from ovgather.runtimes.trial import RESULT, Trial
from ovgather.runtimes.wire import Text, from_wire, request
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType, named
from ovgather.tensor.shape import PartialShape

_NO_PART = frozenset({"Const", "Parameter", "ReadValue", "Result", "Assign"})
_RUNS = 3
_TRIES = 2
_SECONDS = 120.0
_MOST_ITERATIONS = 8
Item = TypeVar("Item")


class TypedArray(NamedTuple):
    """An array, and its element type, which arrays of NumPy do not always tell."""

    kind: ElementType
    array: Array


Outputs = Sequence[TypedArray] | None
"""What a layer gives in an inference; None where that is not known."""


@dataclass
class PartRun(Run):
    """Layers of a model as a model of their own; ``expected`` are the right outputs of each inference, if known."""

    layers = (None,)
    text: Text
    inputs: Sequence[Mapping[str, TypedArray]]
    results: Sequence[str]
    expected: Sequence[Mapping[str, TypedArray]]
    options: CrosscheckOptions
    against: str = OPENVINO
    outputs: list[list[TypedArray]] = field(default_factory=list)
    """What came out of each inference."""

    def request(self) -> wire.Frame:
        inputs = [list(tensors.values()) for tensors in self.inputs]
        results = list(self.results)
        device = self.options.device
        return request(self.text, inputs, results, device, ways=self.options.ways)

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        if (failed := refusal(header, self.against)) is not None:
            return [failed]
        refused = header.get("refused", ())
        if refused:
            _, reason = refused[0]
            return [Outcome("error", reason, cause="error", stage="infer")]
        pairs = zip(header["outputs"], blobs, strict=True)
        outputs = [
            TypedArray(named(head["type"]), from_wire(head, blob))
            for head, blob in pairs
        ]
        count = len(self.results)
        runs = [
            outputs[start : start + count]
            for start in range(0, len(outputs), max(1, count))
        ]
        self.outputs[:] = runs[: len(self.inputs)]
        others = [number for _, number in header.get("others", ())]
        expected = [*self.expected, *(self.expected[number] for number in others)]
        if header.get("overwritten"):
            words = "the runtime overwrites an input of the model"
            return [Outcome("different", words, cause=OVERWRITTEN)]
        for got, want in zip(runs, expected, strict=False):
            for name, tensor in zip(self.results, got, strict=True):
                if name in want:
                    outcome = self._compared(tensor.array, want[name].array)
                    if outcome.verdict != "equal":
                        return [outcome]
        return [unusual_of(header) or Outcome("equal")]

    def _compared(self, got: Array, want: Array) -> Outcome:
        difference = compare(got, want)
        tolerance = self.options.tolerance
        if not difference.mismatches or (
            tolerance is not None and tolerance.holds(got, want)
        ):
            return Outcome("equal")
        return Outcome("different", difference.shapes, *difference[:3])


class LayerValues:
    """What the layers of ``graph`` give in each of ``count`` inferences, computed when it is asked for.

    ``given`` are the values of its Parameters, by their ids.
    """

    def __init__(
        self,
        model: Model,
        graph: Graph,
        given: Mapping[int, Sequence[TypedArray]],
        count: int,
        options: CrosscheckOptions,
        prober: Prober,
    ) -> None:
        self.model = model
        self.graph = graph
        self.count = count
        self.options = options
        self.prober = prober
        self._known: dict[int, list[Outputs]] = {
            id: [[tensor] for tensor in tensors] for id, tensors in given.items()
        }

    def sources(self, layer: Layer) -> list[Tap]:
        """What feeds a layer. Raises KeyError where nothing feeds an input."""
        sources = self.graph.producers(layer)
        if None in sources:
            raise KeyError(layer.name)
        return [Tap(*source) for source in sources if source is not None]

    def of(self, tap: Tap) -> list[TypedArray | None]:
        """An output in each inference; None where it is not known."""
        waiting = [tap.layer]
        while waiting:
            layer = waiting[-1]
            missing = [
                source.layer
                for source in self.sources(layer)
                if source.layer.id not in self._known and layer.id not in self._known
            ]
            if not missing:
                waiting.pop()
                if layer.id not in self._known:
                    self._known[layer.id] = self._computed(layer)
            waiting += missing
        return [
            None if outputs is None else outputs[tap.output]
            for outputs in self._known[tap.layer.id]
        ]

    def _computed(self, layer: Layer) -> list[Outputs]:
        try:
            if layer.type == "Const":
                return [self._constant(layer)] * self.count
            if is_family(layer):
                return self._gathered(layer)
            numbers, run = self.part([layer], range(self.count), is_alone=True)
        except (OvgatherError, KeyError, ValueError):
            return [None] * self.count
        self.prober.outcomes(run)
        outputs: dict[int, Outputs] = dict(zip(numbers, run.outputs, strict=False))
        return [outputs.get(number) for number in range(self.count)]

    def _constant(self, layer: Layer) -> Outputs:
        value = constant(layer, self.model.weights)
        array = None
        if value is not None:
            array = value.array()
        if value is None or array is None:
            return None
        return [TypedArray(value.element_type, array)]

    def _gathered(self, layer: Layer) -> list[Outputs]:
        inputs = zip(*map(self.of, self.sources(layer)), strict=True)
        return [self._reference(layer, tensors) for tensors in inputs]

    def _reference(self, layer: Layer, tensors: Sequence[TypedArray | None]) -> Outputs:
        evidence = self.evidence(layer, tensors)
        if evidence is None or tensors[0] is None:
            return None
        try:
            return [TypedArray(tensors[0].kind, evidence.expected())]
        except OvgatherError:
            return None

    def evidence(
        self, layer: Layer, tensors: Sequence[TypedArray | None]
    ) -> Evidence | None:
        """What flows into a layer of the family; None where it is not known."""
        operation = find_operation(layer, self.model.snippet)
        arrays = [tensor.array for tensor in tensors if tensor is not None]
        if operation is None or len(arrays) < len(tensors):
            return None
        gather = GatherLayer(self.model, layer, operation)
        axis = gather.axis or 0
        if len(arrays) > 2:
            axis = int(arrays[2].ravel()[0])
        return Evidence(operation, arrays[0], arrays[1], axis, gather.batch_dims)

    def part(
        self,
        kept: Sequence[Layer],
        numbers: Sequence[int],
        *,
        is_alone: bool = False,
        with_outputs: Sequence[Tap] = (),
    ) -> tuple[list[int], PartRun]:
        """Layers as a model, on what flows into them in the inferences ``numbers``, and those that are known.

        What no layer of them reads comes out, and so does ``with_outputs``. Raises OvgatherError, KeyError and
        ValueError where they cannot stand by themselves.
        """
        kept = sorted(kept, key=lambda layer: layer.id)
        read = dict.fromkeys(source for layer in kept for source in self.sources(layer))
        entering = [
            tap for tap in read if tap.layer not in kept and tap.layer.type != "Const"
        ]
        flowing = {tap: self.of(tap) for tap in entering}
        numbers = [at for at in numbers if all(some[at] for some in flowing.values())]
        if not numbers:
            raise ValueError("nothing is known of what flows into it")
        ends = [
            Tap(layer, port) for layer in kept for port in range(len(layer.outputs))
        ]
        leaving = [tap for tap in ends if tap not in read]
        results = (
            [RESULT]
            if len(leaving) == 1
            else [f"out{at}" for at in range(len(leaving))]
        )
        added = [tap for tap in with_outputs if tap.layer in kept and tap in read]
        results += [f"tap_{at}" for at in range(len(added))]
        leaving += added
        inputs = [
            {
                f"in{at}": tensor
                for at, tap in enumerate(entering)
                if (tensor := flowing[tap][number])
            }
            for number in numbers
        ]
        expected: list[dict[str, TypedArray]] = [{} for _ in numbers]
        options = self.options
        if is_alone:
            options = options._replace(ways=())
        else:
            for name, tap in zip(results, leaving, strict=True):
                right = self.of(tap)
                for wanted, number in zip(expected, numbers, strict=True):
                    if (tensor := right[number]) is not None:
                        wanted[name] = tensor
            if not all(map(is_family, kept)):
                options = options._replace(tolerance=_rounding(expected))
        writer = self._written(
            kept, dict(zip(entering, inputs[0].values(), strict=True)), is_alone
        )
        unknown = WrittenTensor(named("f32"), PartialShape(None))
        for name, tap in zip(results, leaving, strict=True):
            source = tap.layer.id, tap.layer.outputs[tap.output].id
            writer.result(name, Flow(source, unknown))
        text = Text(writer.text, writer.weights)
        return numbers, PartRun(text, inputs, results, expected, options)

    def _written(
        self, kept: Sequence[Layer], entering: Mapping[Tap, TypedArray], alone: bool
    ) -> Writer:
        """The layers with Parameters for what enters them, and the Consts that they read."""
        version = 10 if self.model.ir_version == 10 else 11
        writer = Writer(
            "one_layer" if alone else "part", version, 1 + max(self.graph.rows)
        )
        sources: dict[Tap, tuple[int, int]] = {}
        for number, (tap, tensor) in enumerate(entering.items()):
            shape = output_tensor(*tap).shape
            if self.options.static or shape.rank is None:
                shape = PartialShape.of(tensor.array.shape)
            written = WrittenTensor(tensor.kind, shape)
            sources[tap] = writer.parameter(f"in{number}", written).output
        for layer in kept:
            for port, tap in zip(layer.inputs, self.sources(layer), strict=True):
                if tap not in sources:
                    sources[tap] = tap.layer.id, tap.layer.outputs[tap.output].id
                    if tap.layer.type == "Const":
                        writer.raw(raw_layer(self.model, tap.layer, writer.pieces))
                writer.edge(sources[tap], (layer.id, port.id))
            writer.raw(raw_layer(self.model, layer, writer.pieces))
        return writer


def _rounding(expected: Sequence[Mapping[str, TypedArray]]) -> Tolerance:
    """How far rounding may take values that are computed in another order."""
    largest = 0.0
    for tensors in expected:
        for tensor in tensors.values():
            if tensor.kind.is_real and tensor.array.size:
                values = numpy.abs(tensor.array.astype("f8"))
                largest = max(
                    largest, float(values[numpy.isfinite(values)].max(initial=0.0))
                )
    return Tolerance(absolute=rounding_bound(largest))


def reduce_in_model(
    run: IrRun,
    wanted: Signature,
    options: CrosscheckOptions,
    trial: Trial | None,
    way: str = "",
) -> Reduction | None:
    """The smallest part of the model of ``run`` in which its one layer fails as ``wanted``; None where none does.

    ``way`` is the one of ``ways.WAYS`` in which it fails.
    """
    options = options._replace(confirmations=0, ways=[way] * bool(way))
    with Prober(options) as prober:
        for layer, values in _scopes(run, options, prober):
            if trial is None and is_family(layer):
                trial = _trial(run, layer, values)
            found = _Search(layer, values, wanted).smallest()
            if found is not None and trial is not None:
                often = 0, found.failures, _RUNS
                part = _stored(found)
                placement = trial.placement._replace(way=way)
                trial = trial._replace(placement=placement)
                return Reduction(trial, found.outcome, wanted, trial, *often, part=part)
    return None


def _trial(run: IrRun, layer: Layer, values: LayerValues) -> Trial | None:
    """The layer on what flows into it in the first inference in which that is known."""
    try:
        inputs = zip(*map(values.of, values.sources(layer)), strict=True)
    except KeyError:
        return None
    trials = (
        flowed(run.layers[0].gather, values.evidence(layer, some)) for some in inputs
    )
    return next(filter(None, trials), None)


def _stored(found: _Found) -> Part:
    """The part with its arrays as files hold them."""
    inputs, expected = (
        [{name: plain(*tensor) for name, tensor in tensors.items()} for tensors in some]
        for some in (found.run.inputs, found.run.expected)
    )
    tolerance = found.run.options.tolerance
    return Part(found.run.text, inputs, expected, len(found.layers), tolerance)


def _scopes(
    run: IrRun, options: CrosscheckOptions, prober: Prober
) -> Iterator[tuple[Layer, LayerValues]]:
    """The body that the layer is in as a model of its own, then the whole model."""
    model = run.model
    layer = run.layers[0].gather.layer
    if layer.body:
        given = _of_iterations(run, layer.graph)
        if given is not None:
            count = min(map(len, given.values()), default=1)
            yield layer, LayerValues(model, layer.graph, given, count, options, prober)
    inputs = {
        want.key: [
            TypedArray(want.kind, arrays[want.position]) for arrays in run.rounds
        ]
        for want in run.wanted
        if want.kind is not None
    }
    for tap, arrays in run.replaced.items():
        if (kind := output_tensor(*tap).element_type) is not None:
            inputs[tap.layer.id] = [TypedArray(kind, array) for array in arrays]
    yield (
        around(layer),
        LayerValues(model, model.graph, inputs, len(run.rounds), options, prober),
    )


def _of_iterations(run: IrRun, graph: Graph) -> dict[int, list[TypedArray]] | None:
    """What the Parameters of a body get in the first iterations of each inference; None where that cannot be seen."""
    taps = [Tap(layer, 0) for layer in graph.layers if layer.type == "Parameter"]
    given: dict[int, list[TypedArray]] = {tap.layer.id: [] for tap in taps}
    # One inference for each model: a failure may need those before.
    for values in flows(
        [replace(run, points=taps, rounds=[some]) for some in run.rounds]
    ):
        if isinstance(values, Outcome):
            return None
        for tap in taps:
            try:
                array = values.of(tap)
            except ValueError:
                return None
            kind = named(values.tensors[tap][0]["type"])
            places = list(numpy.ndindex(array.shape[: tap.depth]))[:_MOST_ITERATIONS]
            given[tap.layer.id] += [TypedArray(kind, array[place]) for place in places]
    return given


class _Found(NamedTuple):
    """The smallest part: its run, what it ends with, and how often it failed when it ran afresh."""

    layers: Sequence[Layer]
    numbers: Sequence[int]
    run: PartRun
    outcome: Outcome
    failures: int


class _Search:
    """Looks for the fewest layers beside ``layer``, and the fewest inferences, that fail as ``wanted``."""

    def __init__(self, layer: Layer, values: LayerValues, wanted: Signature) -> None:
        self.layer = layer
        self.values = values
        self.wanted = wanted
        self.with_outputs: list[Tap] = []
        if wanted.cause == OVERWRITTEN:
            self.with_outputs = [*values.sources(layer), Tap(layer, 0)]
        self.end = time.monotonic() + _SECONDS
        self.is_afresh = False
        """Whether each try needs new processes: the failure shows at the end of one, or in some of them."""

    def smallest(self) -> _Found | None:
        found = self._found()
        if found is None:
            self.is_afresh = True
            found = self._found()
        return found

    def _found(self) -> _Found | None:
        numbers: Sequence[int] = range(self.values.count)
        beside = next(
            (some for some in self._around() if self._fails(some, numbers)), None
        )
        if beside is None:
            return None
        least = fewest(beside, lambda some: self._fails(some, numbers))
        numbers = fewest(numbers, lambda some: self._fails(least, some))
        numbers, run = self._part(least, numbers)
        failing = self._failing(run, _RUNS)
        if not failing:
            return None
        return _Found([self.layer, *least], numbers, run, failing[0], len(failing))

    def _part(
        self, beside: Sequence[Layer], numbers: Sequence[int]
    ) -> tuple[list[int], PartRun]:
        kept = [self.layer, *beside]
        return self.values.part(kept, numbers, with_outputs=self.with_outputs)

    def _around(self) -> Iterator[list[Layer]]:
        """The layers beside it that are so many steps away: none, 1, 2, 4, ..., all that it is connected with."""
        graph = self.values.graph
        near = {self.layer}
        yield []
        steps = 1
        taken = 0
        before = 0
        while len(near) > before:
            before = len(near)
            while taken < steps:
                near |= {other for each in near for other in _neighbours(graph, each)}
                taken += 1
            steps *= 2
            yield sorted(near - {self.layer}, key=lambda each: each.id)

    def _fails(self, beside: Sequence[Layer], numbers: Sequence[int]) -> bool:
        if time.monotonic() > self.end:
            return False
        try:
            _, run = self._part(beside, numbers)
        except (OvgatherError, KeyError, ValueError):
            return False
        if not self.is_afresh:
            return any(map(self._fits, self.values.prober.outcomes(run)))
        return bool(self._failing(run, _TRIES))

    def _failing(self, run: PartRun, often: int) -> list[Outcome]:
        """The outcomes of so many runs, each in a process of its own, that are the failure."""
        outcomes = [ask([run])[0][0] for _ in range(often)]
        return list(filter(self._fits, outcomes))

    def _fits(self, outcome: Outcome) -> bool:
        """Whether a part fails as the model does: of errors, in the same step, if that is known."""
        if outcome.verdict != "error" or self.wanted.verdict != "error":
            return outcome.verdict == self.wanted.verdict
        return signature(outcome).cause == self.wanted.cause or (
            self.wanted.cause == "error" and outcome.stage != "read_model"
        )


def _neighbours(graph: Graph, layer: Layer) -> Iterator[Layer]:
    ids = [source[0].id for source in graph.producers(layer) if source is not None]
    for number in [*ids, *graph.readers.get(layer.id, ())]:
        other = graph.with_id(number)
        if other is not None and other.type not in _NO_PART:
            yield other


def fewest(
    items: Sequence[Item], fails: Callable[[Sequence[Item]], bool]
) -> Sequence[Item]:
    """The items without each run of them that ``fails`` can do without: halves, quarters, ..., single ones.

    >>> fewest(range(10), lambda some: {3, 7} <= set(some))
    [3, 7]
    """
    items, size = list(items), max(1, len(items) // 2)
    while size:
        start = 0
        while start < len(items):
            rest = items[:start] + items[start + size :]
            if fails(rest):
                items = rest
            else:
                start += size
        size //= 2
    return items
