"""The Gather layers of an IR, as ``Check`` runs them: alone in all variants, and in the whole model, in which each is
judged on the values that really flow."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import accumulate, compress
from typing import Any

from ovgather.comparison.alone import variants
from ovgather.comparison.alone.compressed import COMPRESSED, compressed_run
from ovgather.comparison.alone.run import (
    TrialRun,
    data_problem,
    form_of,
    plan_alone,
    with_known_crash,
)
from ovgather.comparison.check import Layers
from ovgather.comparison.confirm import ask
from ovgather.comparison.in_model.bisect import narrowed
from ovgather.comparison.in_model.inputs import given_rounds, wanted_inputs
from ovgather.comparison.in_model.random_inputs import VALUES
from ovgather.comparison.in_model.rounds import fits, random_rounds
from ovgather.comparison.in_model.run import (
    MOST_BYTES,
    ModelRun,
    Tapped,
    planned,
    tensor_bytes,
)
from ovgather.comparison.in_model.tap import Feed, Inner, Tap, around, own_outputs, tap
from ovgather.comparison.in_model.whole import REFUSED, compared, refuses_inputs
from ovgather.comparison.options import OPENVINO, CrosscheckOptions
from ovgather.comparison.report import ALONE, FAILING
from ovgather.errors import InvalidModelError, short_repr
from ovgather.ir.constants import constant, for_runtime
from ovgather.ir.graph import Graph, Layer
from ovgather.ir.model import Model
from ovgather.layers.compression import compression, is_refused_on_cpu
from ovgather.layers.gather_layer import GatherLayer, find_operation, is_family
from ovgather.layers.reference import reference
from ovgather.layers.tensors import output_tensor
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Evidence, Outcome, Skip, with_notes
from ovgather.runtimes.trial import Trial
from ovgather.runtimes.ways import IMPORTED
from ovgather.runtimes.wire import Text, request
from ovgather.tensor.arrays import Array
from ovgather.tensor.walk import reached

_SINKS = frozenset({"Result", "Assign"})
_FAR = 1 << 20
"""The first seed of random inputs that are drawn again where a model fails on them."""


@dataclass
class IrRun(ModelRun):
    """A run of an IR on the shapes of the file, or, with ``static``, on those of the inputs.

    ``own`` are the model's own outputs, of which the values come out, too. ``is_untouched``: nothing else does, and the
    text is that of the file. What reads one of ``replaced`` reads given values in its place, one for each inference.
    """

    points: Sequence[Tap]
    own: Sequence[Tap] = ()
    is_untouched: bool = False
    replaced: Mapping[Tap, Sequence[Array]] = field(default_factory=dict)
    late = "infer"

    def request(self) -> wire.Frame:
        path, blob = for_runtime(self.model.weights)
        types = [want.kind for want in self.wanted if want.kind is not None]
        types[:0] = [
            kind
            for kind in (output_tensor(*each).element_type for each in self.replaced)
            if kind is not None
        ]
        rounds = [
            [*first, *arrays]
            for *first, arrays in zip(*self.replaced.values(), self.rounds, strict=True)
        ]
        outputs: list[str | int] = []
        if self.is_untouched:
            text = self.model.source.data
            inner = list[Inner]()
            outputs += [
                number
                for number, each in enumerate(own_outputs(self.model))
                if each in self.points
            ]
        else:
            text, names, inner = tap(
                self.model, self.points, self.pruned, list(self.replaced)
            )
            outputs += names
        inputs = [list(zip(types, arrays, strict=True)) for arrays in rounds]
        left_out: tuple[str, ...] = ()
        if self.model.ir_version == 10:
            left_out = (IMPORTED,)  # added Results have tensor names that it refuses
        shapes = None
        if self.options.static:
            shapes = [list(array.shape) for array in rounds[0]]
        header, blobs = request(
            Text(text, blob, path),
            inputs,
            outputs,
            self.options.device,
            shapes,
            inner=inner,
            ways=[way for way in self.options.ways if way not in left_out],
        )
        # What a Gather reads stays as it is; given values come before the inputs, and fit no further inference.
        read = {
            feed
            for layer in self.layers
            for feed in layer.feeds
            if isinstance(feed, int)
        }
        others = [at for at in range(len(self.wanted)) if at not in read]
        return {**header, "continued": None if self.replaced else others}, blobs

    @property
    def is_plausible(self) -> bool:
        """Whether every layer takes inputs of these shapes."""
        return not self.random or fits(self.model, self.rounds[0])

    def behind(self) -> list[set[int]]:
        numbers = [around(layer.gather.layer).id for layer in self.layers]
        readers = self.model.graph.readers
        behind = [
            set(reached(readers.get(number, ()), lambda each: readers.get(each, ())))
            for number in numbers
        ]
        return [
            {position for position, each in enumerate(numbers) if each in some}
            for some in behind
        ]

    def noted(self, outcome: Outcome) -> Outcome:
        is_static = outcome.verdict in FAILING and self.options.static
        return super().noted(
            with_notes(outcome, "on static shapes" if is_static else "")
        )


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
        if model.weights is None and any(
            each.type == "Const" and each.id in alive for each in model.graph.layers
        ):
            why = ""
            if model.unused_weights:
                why = f" ({model.unused_weights})"
            raise Skip(
                f"there are no weights, and OpenVINO cannot load the model without them{why}"
            )
        if options.inputs is None:
            rounds = random_rounds(model, wanted, options, options.seed)
        else:
            rounds = given_rounds(model.path, wanted, options.inputs, options.repeat)
    except Skip as skip:
        return [], dict.fromkeys(gathers, skip.outcome)
    runs, skipped = planned(
        IrRun(model, [], [], wanted, rounds, options), gathers, planner.tapped, _size
    )
    for run in runs[:1]:
        own = own_outputs(model)
        ends = list(dict.fromkeys([*own, *own_outputs(model, "Assign")]))
        fitting = [size <= MOST_BYTES for size in accumulate(map(_size, ends))]
        ends = list(compress(ends, fitting))
        run.own = [each for each in ends if each in own]
        run.is_kept = True
        run.points = list(dict.fromkeys([*run.points, *ends]))
    return runs, skipped


class _Planner:
    """Finds where the values of layers are; ``inputs`` are positions of inputs by the ids of their Parameters."""

    def __init__(self, model: Model, inputs: Mapping[int, int]) -> None:
        self.model = model
        self.inputs = inputs
        self.alive = cache(partial(Graph.reaching, types=_SINKS))
        """The ids of the layers of a graph that a Result depends on."""

    def tapped(self, position: int, gather: GatherLayer) -> Tapped:
        """Where the values of ``gather`` will be found. Raises Skip."""
        layer = gather.layer
        self._require_alive(layer)
        reason = data_problem(
            gather, gather.tensors[0].element_type if gather.tensors else None
        )
        if reason:
            raise Skip(reason)
        if not layer.outputs:
            raise Skip("the layer has no output port")
        feeds = []
        constants = set()
        for index, argument in enumerate(gather.operation.inputs):
            source = layer.producer(index)
            if source is None:
                raise Skip(f"nothing feeds its input {index} ({argument.name})")
            if source[0].type == "Const":
                constants.add(argument.name)
            feeds.append(self._feed(Tap(*source)))
        if gather.operation.indices_replace_axis and compression(gather) is not None:
            constants.add(COMPRESSED)
        return Tapped(
            position,
            gather,
            feeds,
            Tap(layer, 0),
            frozenset(constants),
            self.model.ir_version == 10,
            self._condition(layer),
        )

    def _condition(self, layer: Layer) -> "Feed | None":
        """The condition of the If of the top graph that the layer is in a branch of."""
        node = layer.graph.parent
        if node is None or node.type != "If" or node.body:
            return None
        source = node.producer(0)
        return self._feed(Tap(*source)) if source is not None else None

    def _require_alive(self, layer: Layer) -> None:
        if layer.id not in self.alive(layer.graph):
            raise Skip("no Result depends on it, and OpenVINO does not build it")
        if layer.graph.parent is not None:
            if not layer.graph.parent.outputs:
                raise Skip(
                    f"nothing leaves the body that it is in, of {layer.graph.parent.name!r}"
                )
            self._require_alive(layer.graph.parent)

    def _feed(self, point: Tap) -> Feed:
        """The file's own bytes of a Const: what a runtime makes of a constant is part of what is checked."""
        layer = point.layer
        if layer.graph.parent is not None and layer.type == "Parameter":
            outer = _passed(self.model, layer, layer.graph.parent)
            if outer is None:
                return point
            return self._feed(Tap(*outer))
        if not layer.body and layer.id in self.inputs:
            return self.inputs[layer.id]
        value = constant(layer, self.model.weights)
        array = None
        if value is not None and value.element_type.name != "string":
            array = value.array()
        if array is None:
            return point
        return array


def _passed(model: Model, parameter: Layer, parent: Layer) -> tuple[Layer, int] | None:
    """What feeds a Parameter of the body of ``parent``, the same in every iteration; None where it changes."""
    entries = [
        each for each in model.crossings(parent) if each.target.layer is parameter
    ]
    if (
        len(entries) != 1
        or entries[0].entry.name == "edge"
        or "axis" in entries[0].entry.attributes
    ):
        return None
    return parent.producer(entries[0].source.place)


def _size(point: Tap) -> int:
    shape, _, kind = output_tensor(*point)
    return tensor_bytes(shape, kind.bits if kind is not None else 32, point.depth)


def family_layers(model: Model, reference: str | None) -> list[Layer]:
    """The layers of the family, or the one that is asked for. Raises InvalidModelError."""
    if reference is None:
        return [layer for layer in model.layers() if is_family(layer)]
    layer = model.find(reference)
    if not is_family(layer):
        raise InvalidModelError(
            f"{model.path}: layer {short_repr(reference)} is a {layer.type}, not a Gather"
        )
    return [layer]


class IrLayers(Layers):
    def __init__(
        self, model: Model, layers: Sequence[Layer], options: CrosscheckOptions
    ) -> None:
        self.model = model
        self.options = options
        self.path = model.path
        self.references = [reference(layer) for layer in layers]
        self.variants = variants.names(options.variants, options.static)
        self.whole_in: Sequence[str] = (
            (OPENVINO,) if OPENVINO in options.against else ()
        )
        self.gathers: list[GatherLayer | Skip] = []
        self._runs: dict[tuple[variants.LayerCase, str], list[TrialRun]] = {}
        for layer in layers:
            operation = find_operation(layer, model.snippet)
            missing = Skip(f"{layer.version or 'no opset'} holds no {layer.type}")
            self.gathers.append(
                missing if operation is None else GatherLayer(model, layer, operation)
            )

    def alone(self, position: int) -> dict[str, list[TrialRun]]:
        gather = self.gathers[position]
        if isinstance(gather, Skip):
            raise gather
        plain = plan_alone(gather, self.options)
        runs: dict[str, list[Any]] = {ALONE: [plain]}
        if COMPRESSED in self.variants and self.whole_in:
            try:
                runs |= self._compressed(gather)
            except Skip as skip:
                note = "; ".join(filter(None, (plain.note, skip.outcome.reason)))
                runs[ALONE] = [replace(plain, note=note)]
        with suppress(Skip):
            case = variants.layer_case(gather, self.options.seed)
            some = {name: self._variant(name, case, plain) for name in self.variants}
            runs |= {name: each for name, each in some.items() if each}
        return runs

    def alone_on(self, position: int, evidence: Evidence) -> list[TrialRun]:
        gather = self.gathers[position]
        trial = None
        if isinstance(gather, GatherLayer):
            trial = flowed(gather, evidence)
        if trial:
            return [
                TrialRun(each, self.options) for each in (trial, _other_form(trial))
            ]
        return []

    def _compressed(self, gather: GatherLayer) -> dict[str, list[Any]]:
        """The run of a layer with its compressed table; none without one, or where the model cannot be run.

        Raises Skip for a table that is too large.
        """
        if (form := compression(gather)) is None:
            return {}
        whole, _ = plan_in_model(
            self.model, {0: gather}, self.options._replace(inputs=None, repeat=1)
        )
        run = None
        if whole:
            run = compressed_run(whole[0], whole[0].layers[0], form, self.options.seed)
        if run is not None:
            return {COMPRESSED: [run]}
        return {}

    def _variant(
        self, name: str, case: variants.LayerCase, plain: TrialRun
    ) -> list[TrialRun]:
        """The runs of a variant, the same for layers that are alike; none where it makes no sense."""
        if name in ("static", "dynamic"):
            return [replace(plain, source=lambda: _other_form(plain.trial))]
        if (case, name) not in self._runs:
            self._runs[case, name] = [
                replace(plain, source=trial, note="")
                for trial in variants.make(name, case)
            ]
        return self._runs[case, name]

    def in_model(self) -> tuple[Sequence[IrRun], dict[int, Outcome]]:
        rest = {
            at: gather.outcome
            for at, gather in enumerate(self.gathers)
            if isinstance(gather, Skip)
        }
        gathers = {
            at: gather
            for at, gather in enumerate(self.gathers)
            if isinstance(gather, GatherLayer)
        }
        if gathers:
            runs, skipped = plan_in_model(self.model, gathers, self.options)
        else:
            runs = []
            skipped = {}
        return runs, rest | skipped

    def narrowed(self, run: IrRun, outcomes: list[Outcome]) -> list[Outcome]:
        for number, values in enumerate(VALUES, self.options.seed + _FAR):
            if not (_refuses_values(outcomes[0], run) and run.random):
                break
            run.rounds = random_rounds(
                self.model, run.wanted, self.options, number, values
            )
            outcomes = ask([run])[0]
        if outcomes[0].verdict == "error" and not run.is_plausible:
            reason = f"no random inputs fit the model, give some: {outcomes[0].reason}"
            return narrowed(
                run,
                [Outcome("skipped", reason, cause=outcomes[0].cause)] * len(outcomes),
            )
        if _refuses_values(outcomes[0], run) and run.random:
            reason = f"{REFUSED}: {outcomes[0].reason}"
            skipped = Outcome("skipped", reason, cause=outcomes[0].cause)
            parts = narrowed(run, [skipped] * len(outcomes))
            if refuses_inputs(run, parts):
                return [
                    skipped if each.cause == outcomes[0].cause else each
                    for each in parts
                ]
        outcomes = super().narrowed(run, outcomes)
        return [
            _explained(layer, outcome)
            for layer, outcome in zip(run.layers, outcomes, strict=True)
        ]

    def compared(
        self, runs: Sequence[IrRun], outcomes: dict[int, Outcome]
    ) -> dict[int, Outcome]:
        if runs:
            return compared(runs[0], outcomes)
        return outcomes


def _refuses_values(outcome: Outcome, run: IrRun) -> bool:
    """Whether the model fails when it runs: only then is a value looked at."""
    return outcome.verdict == "error" and outcome.stage == run.late


def _explained(layer: Tapped, outcome: Outcome) -> Outcome:
    """The outcome of a layer in the model; a crash on static shapes may be a known one, and so may an error."""
    if outcome.verdict == "error" and is_refused_on_cpu(layer.gather):
        return with_notes(
            outcome._replace(cause="compressed-batch"),
            "a known error: the CPU plugin refuses batch_dims over a compressed table on"
            " dynamic indices (OpenVINO 2024.3 to 2026.4.1)",
        )
    if outcome.verdict != "crash" or outcome.evidence is None:
        return outcome
    trial = flowed(layer.gather, outcome.evidence)
    if trial is None:
        return outcome
    if all(shape.is_static for shape in layer.gather.shapes[:2]):
        trial = trial._replace(placement=trial.placement._replace(static=True))
    return with_known_crash(outcome, trial)


def _other_form(trial: Trial) -> Trial:
    """The same trial on static shapes where it is on dynamic ones, and the other way round."""
    return trial._replace(
        placement=trial.placement._replace(static=not trial.placement.static)
    )


def flowed(gather: GatherLayer, evidence: Evidence | None) -> Trial | None:
    """The layer on the values that flowed in place; None when they are not known."""
    data, indices = gather.element_types[:2]
    if evidence is None or data is None or indices is None:
        return None
    axis = evidence.axis if gather.operation.has_axis else None
    placement = form_of(gather, static=False)._replace(
        constants=evidence.constant & {"data", "indices"}
    )
    return Trial(
        gather.operation,
        gather.layer.version,
        (data, indices),
        evidence.data,
        evidence.indices,
        axis,
        evidence.batch_dims,
        placement,
    )
