"""A layer on its own: what it is run on, or why it is not run, and its runs in a runtime's worker processes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy
from numpy.random import Generator

from ovgather.comparison.confirm import Run, ask
from ovgather.comparison.options import OPENVINO, CrosscheckOptions
from ovgather.comparison.report import FAILING
from ovgather.comparison.verdict.judge import excused, judge, judge_error, named
from ovgather.comparison.verdict.known_deviations import known_crash
from ovgather.errors import InvalidModelError, OvgatherError
from ovgather.layers.arguments import arguments_of, indices_within
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.onnx_node import GatherNode
from ovgather.ops.sampling.values import (
    Chosen,
    NoShapeError,
    can_index,
    choose,
    generator,
    random_data,
)
from ovgather.runtimes import pool, wire
from ovgather.runtimes.available import require
from ovgather.runtimes.child import Failure
from ovgather.runtimes.onnx_model import refusal
from ovgather.runtimes.outcome import (
    Evidence,
    Outcome,
    Skip,
    error_of,
    kernels_of,
    with_notes,
)
from ovgather.runtimes.trial import UNRUNNABLE, Placement, Trial
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.element_type import named as element_type
from ovgather.tensor.shape import PartialShape

_MAX_RANK = 32
Build = Callable[[Array, Array, bool], tuple[bytes, bytes]]
"""From data and indices, and whether the indices are a Const, to an IR with a Result ``out`` and its weights."""


@dataclass
class LoweredRun(Run):
    """Another form of a layer as a model of OpenVINO; ``evidence`` is what flows in."""

    layers = (None,)
    frame: wire.Frame
    evidence: Evidence
    options: CrosscheckOptions
    against: str = OPENVINO

    def request(self) -> wire.Frame:
        return self.frame

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        if "error" in header:
            return [error_of(header)]
        got = wire.from_wire(header["outputs"][0], blobs[0])
        return [judge(self.evidence._replace(got=got), version=str(header["version"]))]


def run_trials(
    trials: Sequence[Trial | Callable[[], Trial]],
    options: CrosscheckOptions = CrosscheckOptions(),  # noqa: B008 - it cannot be changed
    against: str = OPENVINO,
) -> list[Outcome]:
    """The outcome of each trial in the runtime ``against``, in order. Raises UnavailableError, Interrupted."""
    try:
        answers = ask([TrialRun(each, options, against) for each in trials])
    except pool.Interrupted as stop:
        raise pool.Interrupted(
            {at: named(outcomes)[0] for at, outcomes in stop.known.items()}
        ) from None
    return [named(outcomes)[0] for outcomes in answers]


@dataclass
class TrialRun(Run):
    """A trial, or what makes the same one each time, as a question to the worker.

    Many large trials need not be there at once. Of a node of an ONNX file it is a ``NodeTrial``.
    """

    layers = (None,)
    source: Any
    options: CrosscheckOptions = CrosscheckOptions()  # noqa: RUF009 - it cannot be changed
    against: str = OPENVINO
    note: str = ""

    @property
    def trial(self) -> Trial:
        trial: Trial = self.source() if callable(self.source) else self.source
        return trial

    def request(self) -> wire.Frame:
        header, blobs = self.trial.frame()
        return {**header, "device": self.options.device}, blobs

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        trial = self.trial
        outcome = refusal(header, self.against)
        is_node = trial.placement is None
        if outcome is not None and outcome.verdict == "skipped":
            return [outcome if is_node else outcome._replace(cause="")]
        if outcome is not None:
            # ONNX Runtime may look at constant indices as it loads.
            judged = judge_error if is_node or header["stage"] == "infer" else excused
            return [self.noted(judged(trial.evidence(), outcome, self.against))]
        try:
            got = wire.from_wire(header["outputs"][0], blobs[0])
        except ValueError as error:
            return [Outcome("error", str(error), cause="error")]
        if header.get("overwritten"):
            words = f"the runtime overwrites its input {' and '.join(header['overwritten'])}"
            return [
                self.noted(
                    Outcome(
                        "different", words, elements=got.size, cause="input-overwritten"
                    )
                )
            ]
        compared = self.judged(trial.evidence(got), str(header["version"]))
        if header.get("others") and compared.verdict == "different":
            compared = compared._replace(cause=trial.placement.way)
        return [
            self.noted(
                compared._replace(
                    kernel=next(iter(kernels_of(header).values()), None),
                    seconds=float(header.get("seconds", 0)),
                )
            )
        ]

    def failed(self, failure: Failure) -> list[Outcome]:
        outcome = failure.outcome
        if failure.verdict == "crash" and self.against == OPENVINO:
            outcome = with_known_crash(outcome, self.trial)
        return [self.noted(outcome)]

    def again(self) -> Sequence[Run]:
        # Inverted data come first: an output that is not written then holds their values.
        return [replace(self, source=lambda: inverted(self.trial)), self]

    def noted(self, outcome: Outcome) -> Outcome:
        if outcome.verdict == "equal":
            return with_notes(outcome, self.note)
        return with_notes(outcome, str(self.trial), self.note)


def with_known_crash(outcome: Outcome, trial: Trial) -> Outcome:
    """A crash with its cause, if it is a known one."""
    crash = known_crash(trial)
    if crash is None:
        return outcome
    return with_notes(outcome._replace(cause=crash[0]), f"a known crash: {crash[1]}")


def inverted(trial: Trial) -> Trial:
    """The trial with every bit of its data inverted."""
    if trial.data.dtype.hasobject or not trial.data.size:
        return trial
    inverse = ~numpy.frombuffer(trial.data.tobytes(), "u1")
    return trial._replace(data=inverse.view(trial.data.dtype).reshape(trial.data.shape))


def form_of(gather: GatherLayer, static: bool) -> Placement:
    """The form in which the layer stands alone: the axis as a Const of the type and rank it has in the file."""
    for tensor in gather.tensors[2:3]:
        if tensor.element_type is not None and can_index(tensor.element_type):
            return Placement(
                static,
                axis_type=tensor.element_type.name,
                axis_rank=int(tensor.shape.rank == 1),
            )
    return Placement(static)


def plan_alone(gather: GatherLayer, options: CrosscheckOptions) -> TrialRun:
    """The layer on its own, on random values or on given ``data`` and ``indices``. Raises Skip, InvalidModelError."""
    types = runnable_types(gather)
    placement = form_of(gather, options.static)

    def trial(data: Array, indices: Array) -> Trial:
        axis = gather.axis
        batch_dims = gather.batch_dims
        return Trial(
            gather.operation,
            gather.layer.version,
            types,
            data,
            indices,
            axis,
            batch_dims,
            placement,
        )

    if options.layer_inputs is not None:
        return TrialRun(
            trial(*given_arrays(gather, types, options.layer_inputs)), options
        )
    shapes = legal_shapes(gather, types, generator(options.seed, *gather.seed_path))
    note = ""
    if shapes.cut:
        note = (
            f"data cut down to {list(shapes.data)}, indices to {list(shapes.indices)}"
        )

    def make() -> Trial:
        # The same values each time, so that they need not be kept.
        return trial(
            *random_pair(
                gather, types, shapes, generator(options.seed, *gather.seed_path)
            )
        )

    return TrialRun(make, options, note=note)


def random_pair(
    gather: GatherLayer | GatherNode,
    types: Sequence[ElementType],
    shapes: Chosen,
    rng: Generator,
) -> tuple[Array, Array]:
    """Random data, and random indices in range of them."""
    data = random_data(rng, types[0], shapes.data)
    return data, indices_within(gather, types[1], shapes, gather.axis or 0, rng)


def chosen_shapes(
    gather: GatherLayer | GatherNode, shapes: Sequence[PartialShape], rng: Generator
) -> Chosen:
    """Small static shapes of data and indices. Raises Skip."""
    if gather.errors:
        raise Skip(f"the layer is not valid: {gather.errors[0]}")
    assert gather.operation is not None
    try:
        return choose(
            gather.operation.type,
            shapes[0],
            shapes[1],
            gather.axis or 0,
            gather.batch_dims,
            rng,
        )
    except NoShapeError as error:
        raise Skip(str(error)) from error


def legal_shapes(
    gather: GatherLayer, types: tuple[ElementType, ElementType], rng: Generator
) -> Chosen:
    """Static shapes on which the layer can run. Raises Skip."""
    operation = gather.operation
    axis = gather.axis
    batch_dims = gather.batch_dims
    shapes = chosen_shapes(gather, gather.shapes, rng)
    static = [PartialShape.of(shapes.data), PartialShape.of(shapes.indices)]
    problems = operation.check(
        static, axis=axis, batch_dims=batch_dims, element_types=types
    )
    if problems:
        raise Skip(f"the layer is not valid: {problems[0]}")
    if (
        0 in operation.index_sizes(shapes.data, shapes.indices, axis or 0, batch_dims)
        and 0 not in shapes.indices
    ):
        raise Skip(
            "the axis has length 0: there is nothing to gather, and OpenVINO's output is left to chance"
        )
    return shapes


def runnable_types(gather: GatherLayer) -> tuple[ElementType, ElementType]:
    """The types of data and indices; f32 and i64 where the file does not say. Raises Skip where they cannot run."""
    if len(gather.tensors) < len(gather.operation.inputs):
        raise Skip(
            f"the layer has {len(gather.tensors)} inputs, {gather.operation.name} needs more"
        )
    pairs = zip(gather.element_types[:2], ("f32", "i64"), strict=True)
    data, indices = (
        element_type(default) if kind is None or kind.kind == "dynamic" else kind
        for kind, default in pairs
    )
    reason = data_problem(gather, data)
    if not reason and (
        not can_index(indices) or (data.name == "string" and indices.bits < 32)
    ):
        reason = f"OpenVINO's CPU plugin does not run data of type {data} with indices of type {indices}"
    if reason:
        raise Skip(reason)
    ranks = [shape.rank for shape in gather.shapes[:2] if shape.rank is not None]
    if max(ranks, default=0) > _MAX_RANK:
        raise Skip(f"OpenVINO's CPU plugin holds at most {_MAX_RANK} dims")
    if gather.operation.has_axis and gather.axis is None:
        raise Skip(
            "the axis is not known"
            + ("" if gather.model.weights else ": there are no weights")
        )
    return data, indices


def data_problem(gather: GatherLayer, data: ElementType | None) -> str:
    """Why OpenVINO's CPU plugin cannot run the layer on data of this type; empty when it can."""
    if data is not None and data.name in UNRUNNABLE:
        return f"OpenVINO's CPU plugin does not run data of type {data}: it refuses it, or damages its memory"
    if (
        data is not None
        and data.name == "string"
        and not gather.operation.indices_replace_axis
    ):
        return f"OpenVINO's CPU plugin does not run {gather.operation.type} on strings"
    return ""


def given_arrays(
    gather: GatherLayer,
    types: tuple[ElementType, ElementType],
    inputs: Mapping[str, Array],
) -> tuple[Array, Array]:
    """``data`` and ``indices`` (or ``in0`` and ``in1``) as the layer takes them. Raises InvalidModelError."""
    arrays = []
    for position, (name, kind) in enumerate(
        zip(("data", "indices"), types, strict=True)
    ):
        array = inputs.get(name, inputs.get(f"in{position}"))
        if array is None or array.dtype != kind.dtype:
            if array is None:
                what = "is missing"
            else:
                what = f"has dtype {array.dtype}, not {kind.dtype}"
            raise InvalidModelError(
                f"input {name!r} {what}: layer {gather.layer.name!r} takes data: {types[0]}"
                f" {gather.shapes[0]}, indices: {types[1]} {gather.shapes[1]}"
            )
        arrays.append(array)
    shapes = [PartialShape.of(array.shape) for array in arrays]
    problems = gather.operation.check(
        shapes, axis=gather.axis, batch_dims=gather.batch_dims
    )
    if problems:
        raise InvalidModelError(
            f"the inputs do not fit layer {gather.layer.name!r}: {problems[0]}"
        )
    return numpy.asarray(arrays[0]), numpy.asarray(arrays[1])


def crosscheck_lowered(gather: GatherLayer, build: Build) -> Outcome | None:
    """What is wrong with the form that ``build`` makes of a layer; None: nothing. UnavailableError: no OpenVINO."""
    require("openvino")
    if gather.type_names[0] in UNRUNNABLE | {"string"}:
        return Outcome(
            "skipped", f"OpenVINO's CPU plugin does not run {gather.type_names[0]} data"
        )
    axis = gather.axis or 0
    try:
        data, indices = arguments_of(gather, {}, axis, 0)
    except OvgatherError as error:
        return Outcome("skipped", str(error))
    is_constant = gather.values(1) is not None
    constant = frozenset({"indices"} if is_constant else ())
    arrays = [data.array, indices.array][: 2 - len(constant)]
    inputs = [
        (kind, array)
        for kind, array in zip(gather.element_types, arrays, strict=False)
        if kind
    ]
    frame = wire.request(
        wire.Text(*build(data.array, indices.array, is_constant)),
        [inputs],
        ["out"],
        "CPU",
    )

    values = data.array, indices.array, axis, gather.batch_dims
    evidence = Evidence(gather.operation, *values, constant=constant)
    [[outcome]] = ask([LoweredRun(frame, evidence, CrosscheckOptions(confirmations=0))])
    if outcome.verdict in FAILING:
        return outcome
    return None
