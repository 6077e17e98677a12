"""A failure that a layer shows in its model only: the fewest layers and inferences of the model that still fail.

What comes out of a part is compared with what its layers give one by one, each as a model of its own, and those of the
Gather family with what the reference gives. So nothing that the runtime fuses or overwrites spoils what is expected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy

from ovgather.comparison.alone.run import plan_alone
from ovgather.comparison.confirm import ask
from ovgather.comparison.in_model.run import BRANCH, LOST, flows
from ovgather.comparison.in_model.tap import Tap, around
from ovgather.comparison.in_model.whole import CONSUMER, FINE, FUSED, OVERWRITTEN
from ovgather.comparison.ir_layers import IrRun, flowed
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.reduce.part import LayerValues, PartRun, TypedArray
from ovgather.comparison.reduce.prober import Prober
from ovgather.comparison.reduce.search import (
    Part,
    Reduction,
    Signature,
    plain,
    signature,
)
from ovgather.errors import OvgatherError
from ovgather.ir.graph import Graph, Layer
from ovgather.layers.gather_layer import is_family
from ovgather.layers.tensors import output_tensor
from ovgather.runtimes.costs import LEAK, SLOW
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.trial import Trial
from ovgather.tensor.element_type import named

_ELSEWHERE = frozenset({FUSED, CONSUMER, OVERWRITTEN, LOST, BRANCH})
"""Causes of what shows in other outputs than that of the layer."""
_NO_PART = frozenset({"Const", "Parameter", "Result"})
_STATES = frozenset({"ReadValue", "Assign"})
_RUNS = 3
_TRIES = 2
_MOST_ITERATIONS = 8
Item = TypeVar("Item")


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
    runs = 1 if wanted.verdict == "timeout" else _RUNS
    with Prober(options.after(wanted.verdict)) as prober:
        for layer, values in _scopes(run, options, prober):
            if trial is None and is_family(layer):
                trial = _trial(run, layer, values)
            how = wanted, runs, options.timeout
            smaller = _Search(layer, values, *how).smallest()
            if smaller is None and wanted.cause == FUSED:
                values.bound = FINE
                smaller = _Search(layer, values, *how).smallest()
            if smaller is not None:
                # Of a branch that does not run no values are known.
                trial = trial or plan_alone(run.layers[0].gather, options).trial
                often = 0, smaller.failures, runs
                part = _stored(smaller)
                placement = trial.placement._replace(way=way)
                trial = trial._replace(placement=placement)
                return Reduction(
                    trial, smaller.outcome, wanted, trial, *often, part=part
                )
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


def _stored(smaller: _SmallerPart) -> Part:
    """The part with its arrays as files hold them."""
    inputs, expected = (
        [{name: plain(*tensor) for name, tensor in tensors.items()} for tensors in some]
        for some in (smaller.run.inputs, smaller.run.expected)
    )
    tolerance = smaller.run.options.tolerance
    return Part(smaller.run.text, inputs, expected, len(smaller.layers), tolerance)


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


class _SmallerPart(NamedTuple):
    """The smallest part: its run, what it ends with, and how often it failed when it ran afresh."""

    layers: Sequence[Layer]
    numbers: Sequence[int]
    run: PartRun
    outcome: Outcome
    failures: int


class _Search:
    """Looks for the fewest layers beside ``layer``, and the fewest inferences, that fail as ``wanted``.

    At the end they run ``runs`` times more, with ``timeout``.
    """

    def __init__(
        self,
        layer: Layer,
        values: LayerValues,
        wanted: Signature,
        runs: int,
        timeout: float,
    ) -> None:
        self.kept = [layer]
        self.nearest = {layer}
        self.values = values
        self.wanted = wanted
        self.runs = runs
        self.timeout = timeout
        self.with_outputs: list[Tap] = []
        if wanted.cause == OVERWRITTEN:
            self.with_outputs = [*values.sources(layer), Tap(layer, 0)]
        self.own: Layer | None = None
        """The layer whose output is wrong in the model: what is wrong elsewhere in a part is another failure."""
        is_wrong = wanted.verdict == "different" and wanted.cause not in _ELSEWHERE
        if is_wrong and is_family(layer):
            self.own = layer
            self.with_outputs = [Tap(layer, 0)]
        self.states: dict[Layer, str] = {}
        """By layer the state that it belongs to."""
        if wanted.cause == LOST:  # it shows in any layer
            self.kept = []
            self.states = _of_states(values)
            self.nearest = set(self.states)
        self.is_afresh = False
        """Whether each try needs new processes: the failure shows at the end of one, or in some of them."""

    def smallest(self) -> _SmallerPart | None:
        smaller = self._next_smaller()
        if smaller is None:
            self.is_afresh = True
            smaller = self._next_smaller()
        return smaller

    def _next_smaller(self) -> _SmallerPart | None:
        numbers: Sequence[int] = range(self.values.count)
        beside = next(
            (some for some in self._around() if self._fails(some, numbers)), None
        )
        if beside is None:
            return None
        groups: dict[object, list[Layer]] = {}
        for each in beside:
            groups.setdefault(self.states.get(each, each), []).append(each)
        groups_left = fewest(
            list(groups.values()), lambda some: self._fails([*chain(*some)], numbers)
        )
        least = [*chain(*groups_left)]
        numbers = fewest(numbers, lambda some: self._fails(least, some))
        numbers, run = self._part(least, numbers)
        run = replace(run, options=run.options._replace(timeout=self.timeout))
        failing = self._failing(run, self.runs)
        if not failing:
            return None
        kept = [*self.kept, *least]
        return _SmallerPart(kept, numbers, run, failing[0], len(failing))

    def _part(
        self, beside: Sequence[Layer], numbers: Sequence[int]
    ) -> tuple[list[int], PartRun]:
        kept = [*self.kept, *beside]
        more = self.with_outputs
        left, run = self.values.part(kept, numbers, with_outputs=more, own=self.own)
        is_watched = self.wanted.cause in (SLOW, LEAK)
        return left, replace(run, is_watched=is_watched)

    def _around(self) -> Iterator[list[Layer]]:
        """The layers beside it that are so many steps away: none, 1, 2, 4, ..., all that it is connected with."""
        graph = self.values.graph
        near = set(self.nearest)
        yield sorted(near.difference(self.kept), key=lambda each: each.id)
        steps = 1
        depth = 0
        before = 0
        while len(near) > before:
            before = len(near)
            while depth < steps:
                near |= {other for each in near for other in _neighbours(graph, each)}
                depth += 1
            steps *= 2
            yield sorted(near.difference(self.kept), key=lambda each: each.id)

    def _fails(self, beside: Sequence[Layer], numbers: Sequence[int]) -> bool:
        if self.values.prober.is_late:
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
            is_lost = LOST in (outcome.cause, self.wanted.cause)
            is_other = is_lost and outcome.cause != self.wanted.cause
            return outcome.verdict == self.wanted.verdict and not is_other
        return signature(outcome).cause == self.wanted.cause or (
            self.wanted.cause == "error" and outcome.stage != "read_model"
        )


def _of_states(values: LayerValues) -> dict[Layer, str]:
    """The layers that read a state or assign to it, and those that give it a value: OpenVINO (2026.4.1) itself loses
    what comes from a Parameter."""
    states = {}
    for layer in values.graph.layers:
        if layer.type in _STATES:
            name = layer.data["variable_id"]
            states[layer] = name
            sources = values.sources(layer) if layer.type == "Assign" else ()
            givers = (tap.layer for tap in sources if tap.layer.type not in _NO_PART)
            states |= dict.fromkeys(givers, name)
    return states


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
