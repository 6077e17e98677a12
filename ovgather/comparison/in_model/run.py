"""A run of a whole model of either format: what flows through its layers, and the outcome of each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar

import numpy

from ovgather.comparison.confirm import Run, ask
from ovgather.comparison.in_model.inputs import ModelInput, Round
from ovgather.comparison.in_model.tap import Feed, Tap
from ovgather.comparison.options import OPENVINO, CrosscheckOptions
from ovgather.comparison.report import FAILING, worst
from ovgather.comparison.verdict.judge import ASSIGNED, KNOWN, with_index_note
from ovgather.runtimes import wire
from ovgather.runtimes.onnx_model import OnnxTap, refusal
from ovgather.runtimes.outcome import (
    Evidence,
    Outcome,
    Skip,
    kernels_of,
    unusual_of,
    with_notes,
)
from ovgather.runtimes.ways import PLACES, WAYS
from ovgather.runtimes.wire import from_wire
from ovgather.tensor.arrays import Array
from ovgather.tensor.shape import PartialShape
from ovgather.text import shape_text

Point: TypeAlias = "Any"
"""A ``Tap``, or an ``OnnxTap`` in an ONNX model."""
AnyRun = TypeVar("AnyRun", bound="ModelRun")

LOST = "state-lost"
SHARED = "state-shared"
BRANCH = "other-branch"
BEYOND = (
    "not compared: random inputs lead to indices that the specification does not"
    " define: give inputs"
)
MOST_BYTES = 128 << 20
"""About what the taps of one run hold in one inference: every run compiles the whole model again."""
_OPEN, _FEW = 16, 96
"""What a dynamic dim is taken for, and how often a body is taken to run; how many tensors of any rank a run holds."""


class Tapped(NamedTuple):
    """A layer in place: its inputs, the tap of its output, and which inputs are Consts.

    ``rounded``: the model's Results may be f32 or i32 in place of the layer's own type. ``condition`` is that of the If
    of which it is in a branch.
    """

    position: int
    gather: Any
    feeds: Sequence[Feed]
    output: Point
    constant: frozenset[str] = frozenset()
    rounded: bool = False
    condition: "Feed | None" = None

    @property
    def fed(self) -> list[Point]:
        return [feed for feed in self.feeds if isinstance(feed, (Tap, OnnxTap))]

    @property
    def points(self) -> list[Point]:
        ends = [self.output, self.condition]
        return [*self.fed, *(each for each in ends if isinstance(each, (Tap, OnnxTap)))]

    def runs_rightly(self, values: "InferenceValues", runs: bool) -> bool:
        """Whether it ``runs`` where the condition of its If says so. Raises ValueError."""
        if self.condition is None:
            return True
        is_then: bool = self.output.layer.graph.kind == "then_body"
        is_own = is_then == bool(values.of(self.condition).any())
        return runs == is_own

    def evidence(self, values: "InferenceValues") -> list[Evidence]:
        """What flowed in each run of its body, and what came out where that was asked for. Raises ValueError."""
        gather = self.gather
        depth = self.output.depth
        feeds = [values.of(feed) for feed in self.feeds]
        depths = [
            feed.depth if isinstance(feed, (Tap, OnnxTap)) else 0 for feed in self.feeds
        ]
        got = None
        if self.output in values.tensors:
            got = values.of(self.output)
        if got is not None:
            deepest = got
        else:
            deepest = feeds[depths.index(max(depths))]
        runs = []
        for at in numpy.ndindex(
            deepest.shape[: depth if got is not None else max(depths)]
        ):
            arrays = [feed[at[:some]] for feed, some in zip(feeds, depths, strict=True)]
            if len(arrays) > 2:
                axis = int(arrays[2].ravel()[0])
            else:
                axis = gather.axis or 0
            if got is None:
                output = arrays[0]
            else:
                output = got[at]
            if self.rounded:
                output = _converted_back(output, arrays[0])
            batch_dims, (data, indices) = gather.batch_dims, arrays[:2]
            runs.append(
                Evidence(
                    gather.operation,
                    data,
                    indices,
                    axis,
                    batch_dims,
                    output,
                    self.constant,
                    number=values.number,
                )
            )
        return runs


class InferenceValues(NamedTuple):
    """What the inference ``number`` took and gave, and which of its inputs the runtime overwrote.

    ``way``: it is one of ``ways.PLACES``, and gave other outputs than the same inference in one request ``before``.
    """

    inputs: Round
    tensors: Mapping[Point, tuple[wire.Header, wire.Blob]]
    version: str = ""
    number: int = 0
    overwritten: Sequence[int] = ()
    way: str = ""
    before: Mapping[Point, tuple[wire.Header, wire.Blob]] = {}

    @property
    def place(self) -> str:
        """Which inference it is, in words; empty for the first."""
        inference = ""
        if self.number:
            inference = f"in inference {self.number + 1} of the compiled model"
        return "; ".join(filter(None, (PLACES.get(self.way, ""), inference)))

    def of(self, feed: Feed) -> Array:
        """A value. Raises ValueError where it cannot be read."""
        if isinstance(feed, (Tap, OnnxTap)):
            if problem := self.tensors[feed][0].get("problem"):
                raise ValueError(problem)
            return from_wire(*self.tensors[feed])
        if isinstance(feed, int):
            return self.inputs[feed]
        return feed


@dataclass
class ModelRun(Run):
    """The whole model with further outputs at the ``points`` that ``layers`` read and write, on ``rounds`` of inputs.

    ``pruned``: the model's own outputs are left out, so that only what the points need is run.
    """

    model: Any
    layers: Sequence[Tapped]
    points: Sequence[Point]
    wanted: Sequence[ModelInput]
    rounds: Sequence[Round]
    options: CrosscheckOptions
    against: str = OPENVINO
    pruned: bool = False
    inferences: list["InferenceValues"] = field(default_factory=list)
    """What flowed, where that is kept."""
    is_kept: bool = False
    numbers: Sequence[int] = ()
    """Of which inferences the rounds are, where some are left out."""
    undefined: set[int] = field(default_factory=set)
    """The inferences in which random inputs lead to indices that the specification does not define, here or in another
    run of the same model: what depends on their layers is left to chance."""
    most_confirmations = 1  # one process after the other compiles the whole model, and repeats its inferences
    late: ClassVar[str] = ""
    """The stage in which a runtime has looked at indices; empty: any."""

    @property
    def random(self) -> bool:
        return self.options.inputs is None

    def only(self: AnyRun, *layers: Tapped) -> AnyRun:
        """The same for some of the layers, on the part of the model that they need."""
        return replace(
            self, layers=layers, points=_points(layers), pruned=True, inferences=[]
        )

    def behind(self) -> list[set[int]]:
        """For each of the layers which others are not looked at where it fails, since they depend on it."""
        return [set() for _ in self.layers]

    def values(
        self, header: wire.Header, blobs: list[bytearray]
    ) -> Iterator[InferenceValues]:
        """What flowed in each inference that came to an end, and in those that gave other outputs in another way."""
        pairs = iter(zip(header["outputs"], blobs, strict=True))
        version = str(header["version"])
        refused = {number for number, _ in header.get("refused", ())}
        before: dict[int, Mapping[Point, tuple[wire.Header, wire.Blob]]] = {}
        for number, arrays in enumerate(self.rounds):
            if number not in refused:
                tensors = dict(zip(self.points, pairs, strict=False))
                before[number] = tensors
                overwritten = [
                    feed for at, feed in header.get("overwritten", ()) if at == number
                ]
                if self.numbers:
                    original = self.numbers[number]
                else:
                    original = number
                yield InferenceValues(arrays, tensors, version, original, overwritten)
        for way, number in header.get("others", ()):
            tensors = dict(zip(self.points, pairs, strict=False))
            how = way, before[number]
            yield InferenceValues(
                self.rounds[number], tensors, version, number, (), *how
            )

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        if (failed := refusal(header, self.against)) is not None:
            return [self.noted(failed)] * len(self.layers)
        inferences = list(self.values(header, blobs))
        if self.is_kept:
            self.inferences[:] = [each for each in inferences if not each.way]
        outcomes = (
            [each for values in inferences for each in self._outcomes(layer, values)]
            for layer in self.layers
        )
        # A branch that does not run in one inference may run in another; of equals the first that has a reason counts.
        judged = (
            [each for each in some if each.verdict != "skipped"] or some
            for some in outcomes
        )
        plain_last = (
            sorted(some, key=lambda each: each.verdict == "equal" and not each.reason)
            for some in judged
        )
        worst_of_all = list(map(worst, plain_last))
        unusual = unusual_of(header) or lost_state(header)
        if unusual is not None and all(
            each.verdict in ("equal", "skipped") for each in worst_of_all
        ):
            return [self.noted(unusual)] * len(self.layers)
        cut = self.cut(header)
        kernels = kernels_of(header)
        noted = [self.noted(with_notes(each, cut)) for each in worst_of_all]
        return [
            outcome._replace(kernel=kernels.get(layer.gather.reference.name))
            for layer, outcome in zip(self.layers, noted, strict=True)
        ]

    def cut(self, header: wire.Header) -> str:
        """What was not run that should have been, in words."""
        refused = [self.rounds[number] for number, _ in header.get("refused", ())]
        words = [
            f"the model does not run on {', '.join(shape_text(array.shape) for array in arrays)}"
            for arrays in refused
        ]
        return "; ".join(dict.fromkeys(words))

    def _outcomes(self, layer: Tapped, values: InferenceValues) -> Iterator[Outcome]:
        """The outcomes of one layer in an inference, and in all runs of the body that it is in."""
        place = values.place
        if values.way and values.tensors[layer.output] == values.before[layer.output]:
            return  # outputs of requests that run at once may hold those of the last
        try:
            runs = layer.evidence(values)
            is_right_branch = layer.runs_rightly(values, bool(runs))
        except ValueError as error:
            yield Outcome("skipped", str(error))
            return
        if not is_right_branch:
            words = (
                "the If that it is in does not run the branch that its condition says"
            )
            yield with_notes(Outcome("different", words, cause=BRANCH), place)
            return
        for at, evidence in enumerate(runs):
            if self.random and self.is_chosen(layer, evidence):
                self.undefined.add(values.number)
                yield Outcome("skipped", BEYOND)
                continue
            outcome = self.judged(evidence, values.version)
            if values.way in WAYS and outcome.verdict == "different":
                outcome = outcome._replace(cause=values.way)
            if not self.random:
                outcome = with_index_note(outcome, evidence, layer.gather)
            run = ""
            if layer.output.depth:
                run = f"in run {at + 1} of {len(runs)} of its body"
            yield (
                with_notes(outcome, place, run)
                if outcome.verdict in FAILING
                else outcome
            )
        if not runs:
            yield Outcome("skipped", "its body does not run on these inputs")
        for feed in (
            feed
            for feed in layer.feeds
            if isinstance(feed, int) and feed in values.overwritten
        ):
            words = f"the runtime overwrites the input {feed} of the model, which the layer reads"
            yield with_notes(
                Outcome("different", words, cause="input-overwritten"), place
            )

    def is_chosen(self, layer: Tapped, evidence: Evidence) -> bool:
        """Whether it is the random inputs that make indices undefined, by their values or by their shapes."""
        is_free = not evidence.constant >= {"indices"}
        shapes = layer.gather.shapes
        is_free |= bool(shapes) and not shapes[0].is_static
        return is_free and evidence.is_undefined

    def noted(self, outcome: Outcome) -> Outcome:
        return with_notes(
            outcome,
            "on random inputs" if self.random and outcome.verdict in FAILING else "",
        )


def in_one_way(run: ModelRun) -> wire.Frame:
    """The question of a run, without those for other ways to infer."""
    header, blobs = run.request()
    return {**header, "ways": [], "continued": None}, blobs


@dataclass
class FlowRun(Run):
    """What flows in a run, which is not judged; see ``flows``."""

    layers = (None,)
    run: ModelRun
    options: CrosscheckOptions
    against: str
    values: Sequence[InferenceValues] = ()

    def request(self) -> wire.Frame:
        return in_one_way(self.run)

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        failed = refusal(header, self.against)
        if failed is not None:
            self.values = ()
        else:
            self.values = list(self.run.values(header, blobs))
        return [failed or Outcome("equal")]


def all_flows(runs: Sequence[ModelRun]) -> list[Sequence[InferenceValues] | Outcome]:
    """What flows in each inference of each run, or the outcome where no answer came."""
    readings = [FlowRun(run, run.options, run.against) for run in runs]
    pairs = [
        (reading.values, outcome)
        for reading, (outcome,) in zip(readings, ask(readings), strict=True)
    ]
    return [
        values if values and outcome.verdict == "equal" else outcome
        for values, outcome in pairs
    ]


def flows(runs: Sequence[ModelRun]) -> list[InferenceValues | Outcome]:
    """What flows in the first inference of each run, or the outcome where no answer came; no points need no run."""
    if not any(run.points for run in runs):
        return [InferenceValues(run.rounds[0], {}) for run in runs]
    return [each if isinstance(each, Outcome) else each[0] for each in all_flows(runs)]


def planned(
    whole: AnyRun,
    gathers: Mapping[int, Any],
    tapped: Callable[[int, Any], Tapped],
    size: Callable[[Any], int],
) -> tuple[list[AnyRun], dict[int, Outcome]]:
    """As few runs as the size of what flows allows, and by position the layers that cannot be judged in them.

    ``tapped`` says where the values of a layer are found, or raises Skip.
    """
    layers: list[Tapped] = []
    skipped: dict[int, Outcome] = {}
    for position, gather in gathers.items():
        try:
            layers.append(tapped(position, gather))
        except Skip as skip:
            skipped[position] = skip.outcome
    # Layers of bodies come last, in runs of their own: what must be added for them may keep a model from running.
    layers.sort(key=lambda layer: layer.output.depth > 0)
    chunks: list[list[Tapped]] = []
    points: set[Point] = set()
    chunk_bytes = 0
    for layer in layers:
        size_of_new = sum(map(size, set(layer.points) - points))
        other = bool(chunks) and (layer.output.depth > 0) != (
            chunks[-1][0].output.depth > 0
        )
        if not chunks or other or chunk_bytes + size_of_new > MOST_BYTES:
            chunks.append([])
            points = set()
            chunk_bytes = 0
            size_of_new = sum(map(size, set(layer.points)))
        chunks[-1].append(layer)
        points.update(layer.points)
        chunk_bytes += size_of_new
    return [
        replace(whole, layers=chunk, points=_points(chunk)) for chunk in chunks
    ], skipped


def lost_state(header: wire.Header) -> Outcome | None:
    """What a runtime does not keep that is assigned to a state, or gives to another request; None for nothing."""
    # One that is known explains no other one.
    for number, name, is_input in sorted(
        header.get("lost", ()), key=lambda each: bool(each[2])
    ):
        words = (
            f"the state {name!r} does not hold what is assigned to it,"
            f" after inference {number + 1} of the compiled model"
        )
        if is_input:
            return Outcome("known", f"{words}: {KNOWN[ASSIGNED]}", cause=ASSIGNED)
        return Outcome("different", words, cause=LOST)
    for name in header.get("shared", ()):
        words = f"the state {name!r} holds what another infer request of the compiled model assigns to it"
        return Outcome("different", words, cause=SHARED)
    return None


def _points(layers: Sequence[Tapped]) -> list[Point]:
    return list(dict.fromkeys(point for layer in layers for point in layer.points))


def tensor_bytes(shape: PartialShape, bits: int, depth: int) -> int:
    """About how many bytes a tensor takes, dynamic dims taken to be short."""
    if shape.dims is None:
        return MOST_BYTES // _FEW
    lengths = prod(
        dim.min if dim.is_static else max(dim.min, _OPEN) for dim in shape.dims
    )
    return int(lengths * bits // 8 * _OPEN**depth)


def _converted_back(got: Array, data: Array) -> Array:
    """The values of a Result of an IR of version 10, which OpenVINO makes f32 or i32, as the layer gave them."""
    if got.dtype == data.dtype or got.dtype.name not in ("float32", "int32"):
        return got
    with numpy.errstate(all="ignore"):
        back = got.astype(data.dtype)
        if numpy.array_equal(
            back.astype(got.dtype), got, equal_nan=got.dtype.kind == "f"
        ):
            return back
        return got
