"""Layers of a model as a model of their own, and what its layers give one by one: what should come out of a part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy

from ovgather.comparison.alone.compressed import COMPRESSED
from ovgather.comparison.confirm import Run
from ovgather.comparison.in_model.run import lost_state
from ovgather.comparison.in_model.tap import Tap
from ovgather.comparison.in_model.whole import OVERWRITTEN
from ovgather.comparison.options import OPENVINO, CrosscheckOptions, Tolerance
from ovgather.comparison.reduce.prober import Prober
from ovgather.comparison.verdict.compare import compare, rounding_bound
from ovgather.comparison.verdict.known_deviations import may_deviate
from ovgather.errors import OvgatherError
from ovgather.ir.constants import constant
from ovgather.ir.edit.layer_text import raw_layer
from ovgather.ir.graph import Graph, Layer
from ovgather.ir.model import Model
from ovgather.ir.writer import Flow, Writer, WrittenTensor
from ovgather.layers.compression import compression
from ovgather.layers.gather_layer import GatherLayer, find_operation, is_family
from ovgather.layers.tensors import output_tensor
from ovgather.runtimes import wire
from ovgather.runtimes.onnx_model import refusal
from ovgather.runtimes.outcome import Evidence, Outcome, unusual_of
from ovgather.runtimes.trial import RESULT
from ovgather.runtimes.wire import Text, from_wire, request
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType, named
from ovgather.tensor.shape import PartialShape


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
    is_watched: bool = False
    """Whether its time and memory are looked at, which takes further inferences."""

    def request(self) -> wire.Frame:
        inputs = [list(tensors.values()) for tensors in self.inputs]
        results = list(self.results)
        device = self.options.device
        ways = self.options.ways
        header, blobs = request(self.text, inputs, results, device, ways=ways)
        return {**header, "watched": self.is_watched}, blobs

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
        if (lost := lost_state(header)) is not None:
            return [lost]
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
        self.bound = 1.0
        """Which part of the bound of rounding what is computed may be off by."""
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
            if (rule := self._rule(layer)) is not None and layer.inputs:
                inputs = zip(*map(self.of, self.sources(layer)), strict=True)
                return [rule(layer, tensors) for tensors in inputs]
        except (OvgatherError, KeyError, ValueError):
            return [None] * self.count
        outputs: dict[int, Outputs] = {}
        # What a body keeps from one inference to the next may be the fault.
        size = 1 if layer.bodies else self.count
        for start in range(0, self.count, size):
            if not self.prober.is_late:
                with suppress(OvgatherError, KeyError, ValueError):
                    numbers = range(start, start + size)
                    some, run = self.part([layer], numbers, is_alone=True)
                    self.prober.outcomes(run)
                    outputs |= zip(some, run.outputs, strict=False)
        return [outputs.get(number) for number in range(self.count)]

    def _constant(self, layer: Layer) -> Outputs:
        value = constant(layer, self.model.weights)
        array = None
        if value is not None:
            array = value.array()
        if value is None or array is None:
            return None
        return [TypedArray(value.element_type, array)]

    def _rule(self, layer: Layer) -> Callable[..., Outputs] | None:
        """What says what a layer gives, where no runtime is asked."""
        if is_family(layer):
            return self._reference
        # States are reset before each inference.
        return {"If": self._chosen, "ReadValue": _unchanged}.get(layer.type)

    def _chosen(self, layer: Layer, tensors: Sequence[TypedArray | None]) -> Outputs:
        """What an If gives: what the layers of the body that runs give, one by one."""
        known = [tensor for tensor in tensors if tensor is not None]
        if len(known) < len(tensors):
            return None
        kind = "then_body" if known[0].array.any() else "else_body"
        (body,) = (body for body in layer.bodies if body.kind == kind)
        entering = {}
        results = {}
        for source, target, _ in self.model.crossings(layer):
            if target.layer.graph is body:
                entering[target.layer.id] = [known[source.place]]
            elif source.layer.graph is body:
                results[target.place] = source.layer
        values = LayerValues(self.model, body, entering, 1, self.options, self.prober)
        ends = [values.sources(results[at])[0] for at in range(len(layer.outputs))]
        outputs = [tensor for end in ends for tensor in values.of(end) if tensor]
        return outputs if len(outputs) == len(ends) else None

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

    def _is_undefined(self, layer: Layer, number: int) -> bool:
        """Whether a layer of the family reads indices of which the specification says nothing: it may fail on them."""
        tensors = [self.of(source)[number] for source in self.sources(layer)]
        evidence = self.evidence(layer, tensors)
        return evidence is not None and evidence.is_undefined

    def _may_deviate(self, layer: Layer, number: int) -> bool:
        """Whether OpenVINO itself is known to give something else: that is another failure."""
        sources = self.sources(layer)
        evidence = self.evidence(layer, [self.of(source)[number] for source in sources])
        if evidence is None:
            return False
        names = ("data", "indices")
        constant = {
            name
            for name, source in zip(names, sources, strict=False)
            if source.layer.type == "Const"
        }
        if self._is_compressed(layer):
            constant |= {"data", COMPRESSED}
        return may_deviate(evidence._replace(constant=frozenset(constant)))

    def _is_compressed(self, layer: Layer) -> bool:
        operation = find_operation(layer, self.model.snippet)
        return (
            operation is not None
            and compression(GatherLayer(self.model, layer, operation)) is not None
        )

    def part(
        self,
        kept: Sequence[Layer],
        numbers: Sequence[int],
        *,
        is_alone: bool = False,
        with_outputs: Sequence[Tap] = (),
        own: Layer | None = None,
    ) -> tuple[list[int], PartRun]:
        """Layers as a model, on what flows into them in the inferences ``numbers``, and those that are known.

        What no layer of them reads comes out, and so do ``with_outputs`` and what is assigned to a state. Of these the
        output of ``own`` alone is compared, if that is given. Raises OvgatherError, KeyError and ValueError where they
        cannot stand by themselves.
        """
        kept = sorted(kept, key=lambda layer: layer.id)
        read = dict.fromkeys(source for layer in kept for source in self.sources(layer))
        entering = [
            tap for tap in read if tap.layer not in kept and tap.layer.type != "Const"
        ]
        flowing = {tap: self.of(tap) for tap in entering}
        family = list(filter(is_family, kept))
        numbers = [
            at
            for at in numbers
            if all(some[at] for some in flowing.values())
            and not any(self._is_undefined(layer, at) for layer in family)
            and not (own is not None and self._may_deviate(own, at))
        ]
        if not numbers:
            raise ValueError("nothing is known of what flows into it")
        ends = [
            Tap(layer, port)
            for layer in kept
            for port in range(len(layer.outputs))
            if layer.type != "Assign"
        ]
        leaving = [tap for tap in ends if tap not in read]
        results = (
            [RESULT]
            if len(leaving) == 1
            else [f"out{at}" for at in range(len(leaving))]
        )
        added = [tap for tap in with_outputs if tap.layer in kept and tap in read]
        states = {
            f"state {layer.data.get('variable_id')}": self.sources(layer)[0]
            for layer in kept
            if layer.type == "Assign"
        }
        added = list(dict.fromkeys([*added, *states.values()]))
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
            for name, tap in [*zip(results, leaving, strict=True), *states.items()]:
                if own not in (None, tap.layer):
                    continue
                right = self.of(tap)
                for wanted, number in zip(expected, numbers, strict=True):
                    if (tensor := right[number]) is not None:
                        wanted[name] = tensor
            if not all(map(is_family, kept)):
                options = options._replace(tolerance=_rounding(expected, self.bound))
        first = dict(zip(entering, inputs[0].values(), strict=True))
        writer = self._written(
            kept, first, dict(zip(results, leaving, strict=True)), is_alone
        )
        text = Text(writer.text, writer.weights)
        return numbers, PartRun(text, inputs, results, expected, options)

    def _written(
        self,
        kept: Sequence[Layer],
        entering: Mapping[Tap, TypedArray],
        results: Mapping[str, Tap],
        alone: bool,
    ) -> Writer:
        """The layers with Parameters for what enters them, the Consts that they read, and Results by name."""
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
        unknown = WrittenTensor(named("f32"), PartialShape(None))
        for name, tap in results.items():
            own = tap.layer.id, tap.layer.outputs[tap.output].id
            writer.result(name, Flow(sources.get(tap, own), unknown))
        return writer


def _unchanged(layer: Layer, tensors: Sequence[TypedArray | None]) -> Outputs:
    return None if tensors[0] is None else [tensors[0]]


def _rounding(expected: Sequence[Mapping[str, TypedArray]], part: float) -> Tolerance:
    """How far rounding may take values that are computed in another order, or a part of it."""
    largest = 0.0
    for tensors in expected:
        for tensor in tensors.values():
            if tensor.kind.is_real and tensor.array.size:
                values = numpy.abs(tensor.array.astype("f8"))
                largest = max(
                    largest, float(values[numpy.isfinite(values)].max(initial=0.0))
                )
    return Tolerance(absolute=rounding_bound(largest, part))
