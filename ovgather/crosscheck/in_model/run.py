"""A run of the whole model: the request, and the outcome of each layer on the values that really flowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy

from ovgather.crosscheck.confirm import Run
from ovgather.crosscheck.in_model.consumers import CAUSE, Consumer
from ovgather.crosscheck.in_model.given_indices import told
from ovgather.crosscheck.in_model.rounds import Round
from ovgather.crosscheck.in_model.tap import Feed, Tap, tap
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.report import FAILING, worst
from ovgather.crosscheck.verdict.judge import judge
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Evidence, Outcome, error_of, with_notes
from ovgather.runtimes.wire import Text, from_wire, request
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType


class Tapped(NamedTuple):
    """A layer in place: its inputs, the tap of its output, which inputs are Consts, and who reads the same values."""

    position: int
    gather: GatherLayer
    feeds: list[Feed]
    output: Tap
    constant: frozenset[str]
    consumers: Sequence[Consumer] = ()

    @property
    def fed(self) -> list[Tap]:
        """The taps of its inputs."""
        return [feed for feed in self.feeds if isinstance(feed, Tap)]

    @property
    def points(self) -> list[Tap]:
        """All that is tapped for it."""
        return [*self.fed, self.output, *(point for consumer in self.consumers for point in consumer.points)]

    def evidence(self, values: Values) -> list[Evidence]:
        """What flowed in each run of its body, and what came out where that was asked for. Raises ValueError."""
        gather, depth = self.gather, self.output.depth
        feeds = [values.of(feed) for feed in self.feeds]
        depths = [feed.depth if isinstance(feed, Tap) else 0 for feed in self.feeds]
        got = values.of(self.output) if self.output in values.tensors else None
        deepest = got if got is not None else feeds[depths.index(max(depths))]
        found = []
        for at in numpy.ndindex(deepest.shape[: depth if got is not None else max(depths)]):
            arrays = [feed[at[:some]] for feed, some in zip(feeds, depths, strict=True)]
            axis = int(arrays[2].ravel()[0]) if len(arrays) > 2 else gather.axis or 0
            output = arrays[0] if got is None else got[at]
            if gather.model.ir_version == 10:
                output = _converted_back(output, arrays[0])
            found.append(
                Evidence(gather.operation, arrays[0], arrays[1], axis, gather.batch_dims, output, self.constant)
            )
        return found


class Values(NamedTuple):
    """What one inference took and gave."""

    inputs: Round
    tensors: Mapping[Tap, tuple[wire.Header, bytearray]]

    def of(self, feed: Feed) -> Array:
        """A value. Raises ValueError where it cannot be read."""
        if isinstance(feed, Tap):
            if self.tensors[feed][0].get("differ"):
                raise ValueError("its values have other shapes in other iterations, and cannot leave its body")
            return from_wire(*self.tensors[feed])
        return self.inputs[feed] if isinstance(feed, int) else feed


@dataclass
class ModelRun(Run):
    """The whole model with Results at the ``points`` that ``layers`` read and write, on one round of inputs or more.

    ``pruned``: the model's own Results are left out, so that only what the points need is run.
    ``reshaped``: whether the Parameters are given other shapes than those of the file: the static ones of
    the inputs, or all dims dynamic. ``kept`` are the inputs that hold index tuples, whose length must be static.
    """

    model: Model
    layers: list[Tapped]
    points: list[Tap]
    types: Sequence[ElementType]
    rounds: list[Round]
    options: CrosscheckOptions
    kept: frozenset[int] = frozenset()
    draw: Callable[[int], list[Round]] | None = None
    """Other rounds of random inputs; None: the inputs are given."""
    reshaped: bool = True
    pruned: bool = False

    @property
    def random(self) -> bool:
        """Whether the inputs are random."""
        return self.draw is not None

    def only(self, positions: Sequence[int]) -> ModelRun:
        """The same for some of the layers, on the part of the model that they need."""
        layers = [self.layers[position] for position in positions]
        points = dict.fromkeys(point for layer in layers for point in layer.points)
        return replace(self, layers=layers, points=list(points), pruned=True)

    def again(self) -> Sequence[Run]:
        return [self]

    def confirmations(self, wanted: int) -> int:
        return min(1, wanted)  # one process after the other compiles the whole model, and repeats its inferences

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        weights = self.model.weights
        path, blob = weights.for_runtime() if weights is not None else (None, None)
        shapes = [self._shape(position) for position in range(len(self.types))] if self.reshaped else None
        text, names, inner = tap(self.model, self.points, self.pruned)
        inputs = [list(zip(self.types, arrays, strict=True)) for arrays in self.rounds]
        changed = [arrays is not self.rounds[0] for arrays in self.rounds]
        device = self.options.device
        return request(Text(text, blob or b"", path), inputs, names, device, shapes, inner=inner, changed=changed)

    def _shape(self, position: int) -> list[int]:
        shape = list(self.rounds[0][position].shape)
        free = 0 if self.options.static else len(shape) - (position in self.kept)
        return [-1] * free + shape[free:]

    def values(self, header: wire.Header, blobs: list[bytearray]) -> Iterator[tuple[int, Values]]:
        """What flowed in each inference that came to an end, with its number."""
        pairs = iter(zip(header["outputs"], blobs, strict=True))
        for number, (arrays, ran) in enumerate(zip(self.rounds, header["ran"], strict=True)):
            if ran:
                yield number, Values(arrays, dict(zip(self.points, pairs, strict=False)))

    def evidence(self, header: wire.Header, blobs: list[bytearray]) -> list[tuple[Evidence, str]]:
        """What flowed through each layer in the first inference, with the version of OpenVINO. Raises ValueError."""
        _, values = next(self.values(header, blobs))
        return [(layer.evidence(values)[0], str(header["version"])) for layer in self.layers]

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        if "error" in header:
            return self.all(error_of(header))
        inferences = list(self.values(header, blobs))
        outcomes = [list(self._outcomes(layer, inferences, header)) for layer in self.layers]
        return [self.noted(_of_all(some)) for some in outcomes]

    def _outcomes(
        self, layer: Tapped, inferences: Sequence[tuple[int, Values]], header: wire.Header
    ) -> Iterator[Outcome]:
        """The outcomes of one layer in all inferences, and in all runs of the body that it is in."""
        device, version = self.options.device, str(header["version"])
        for number, values in inferences:
            place = f"in inference {number + 1} of the compiled model" if number else ""
            try:
                runs = layer.evidence(values)
            except ValueError as error:
                yield Outcome("skipped", str(error))
                continue
            for at, evidence in enumerate(runs):
                outcome = judge(evidence, device, version=version, search=False, tolerance=self.options.tolerance)
                if not self.random:
                    outcome = told(outcome, evidence, layer.gather)
                run = f"in run {at + 1} of {len(runs)} of its body" if layer.output.depth else ""
                yield with_notes(outcome, place, run) if outcome.verdict in FAILING else outcome
            if not runs:
                yield Outcome("skipped", "its body does not run on these inputs")
            for consumer in layer.consumers:
                if problem := consumer.problem(values.of):
                    yield with_notes(Outcome("different", problem, cause=CAUSE), place)
            for feed in layer.feeds:
                if isinstance(feed, int) and [number, feed] in header["overwritten"]:
                    words = f"the runtime overwrites the input {feed} of the model, which the layer reads"
                    yield with_notes(Outcome("different", words, cause="input-overwritten"), place)

    def noted(self, outcome: Outcome) -> Outcome:
        notes = []
        if not self.reshaped and outcome.verdict not in ("error", "skipped"):
            notes.append("on the shapes of the file, since the model does not run on dynamic ones")
        if outcome.verdict in FAILING:
            notes += ["on static shapes"] * self.options.static + ["on random inputs"] * self.random
        return with_notes(outcome, *notes)


def _of_all(outcomes: Sequence[Outcome]) -> Outcome:
    """The outcome of a layer in all inferences: the gravest; a branch that does not run in one may run in another."""
    judged = [each for each in outcomes if each.verdict != "skipped"] or outcomes
    return worst([*(each for each in judged if each.verdict != "equal" or each.reason), *judged])


def _converted_back(got: Array, data: Array) -> Array:
    """The values of a Result of an IR of version 10, which OpenVINO makes f32 or i32, as the layer gave them."""
    if got.dtype == data.dtype or got.dtype.name not in ("float32", "int32"):
        return got
    with numpy.errstate(all="ignore"):
        back = got.astype(data.dtype)
        return back if numpy.array_equal(back.astype(got.dtype), got, equal_nan=got.dtype.kind == "f") else got
