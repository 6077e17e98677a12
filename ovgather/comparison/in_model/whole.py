"""The model as users run it, beside the one with further outputs, and beside one in which values of the Gathers are
given: where the three disagree, a layer is wrong that looks right by itself.

An added output undoes fusions, so that what it shows is not what an untouched model computes. A model into which the
values of its Gathers are fed runs none of them: what it computes cannot be spoilt by one.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, starmap
from typing import Any

import numpy

from ovgather.comparison.confirm import ask
from ovgather.comparison.in_model.run import InferenceValues, Tapped, all_flows
from ovgather.comparison.in_model.tap import Tap
from ovgather.comparison.report import FAILING, worst
from ovgather.comparison.verdict.compare import Difference, equal
from ovgather.comparison.verdict.fault_models import UNEXPLAINED
from ovgather.comparison.verdict.judge import (
    is_real,
    outcome_of,
    value_difference,
    with_index_note,
)
from ovgather.errors import OvgatherError
from ovgather.layers.tensors import output_tensor
from ovgather.ops.declared import find
from ovgather.runtimes.outcome import Outcome, with_notes
from ovgather.tensor.arrays import Array
from ovgather.tensor.walk import reached

FUSED = "fused"
CONSUMER = "consumer"
OVERWRITTEN = "input-overwritten"
_WORDS = {
    OVERWRITTEN: "the runtime overwrites what the layer reads: computed without it, it is another",
    UNEXPLAINED: "what the layer reads is computed from Consts alone, and is another where the layer is left out",
    FUSED: "the untouched model gives other outputs than it does when the layer has an output of its own:"
    " what the layer is fused with is wrong",
    CONSUMER: "the model gives other outputs than it does when the values of the layer are given:"
    " a layer behind it gets others",
}
REFUSED = "not compared: the model refuses these inputs, give some"
_GIVEN = ("Parameter", "ReadValue")
FINE = 1 / 64
"""The part of the bound that f16 exceeds; what comes of inputs that differ in their last bits is below it, too."""
_NEAR, _FARTHEST = 3, 16
"""Layers behind a Gather: those that are fused with it, and those that are looked at."""
Values = Sequence[InferenceValues]
Run = Any
"""An ``IrRun``."""


def compared(run: Run, outcomes: dict[int, Outcome]) -> dict[int, Outcome]:
    """The ``outcomes`` of all layers in the model, by position, and what other runs of the model say of them.

    ``run`` is the one that keeps the model's own outputs.
    """
    layers = {layer.position: layer for layer in run.layers}
    run.inferences[:] = [
        each for each in run.inferences if each.number not in run.undefined
    ]
    outcomes |= {
        at: _recomputed(run, layers[at], each)
        for at, each in outcomes.items()
        if _is_wrong(each, at, layers)
    }
    # What is known to deviate may be left to chance.
    healthy = bool(run.inferences) and all(
        each.verdict in ("equal", "skipped") for each in outcomes.values()
    )
    plain = replace(run, points=list(run.own), is_untouched=True)
    runs = [plain, *([_given(run, run.layers)] if healthy else [])]
    untouched, *others = all_flows(runs)
    if isinstance(untouched, Outcome):
        # It fails; a layer that was found at fault, or rightly refuses its indices, has said so.
        explaining = {untouched.verdict}
        if untouched.verdict == "error":  # of what reads a wrong value
            explaining = {*FAILING}
        is_explained = any(
            each.verdict in explaining or each.cause == "refused"
            for each in outcomes.values()
        )
        is_explained |= untouched.verdict == "error" and not run.is_plausible
        if untouched.stage == run.late and not is_explained:
            parts = [outcomes[layer.position] for layer in run.layers]
            is_explained = refuses_inputs(run, parts)
        failed = run.noted(
            with_notes(untouched, "the model as it is, without further outputs")
        )
        if is_explained:
            return outcomes
        return {at: worst((each, failed)) for at, each in outcomes.items()}
    if not healthy or not _is_deterministic(run):
        return outcomes
    given = None
    if not isinstance(others[0], Outcome):
        given = others[0]
    return outcomes | _Comparison(run, untouched, given).findings()


def refuses_inputs(run: Run, parts: Sequence[Outcome]) -> bool:
    """Whether the model fails on its random inputs even where what reads its Gathers reads their right values.

    Then no Gather is at fault, and other inputs are needed. ``parts`` are the outcomes of the layers in the parts of
    the model up to each of them.
    """
    if not run.random or any(each.verdict in FAILING for each in parts):
        return False
    layers = [
        layer
        for layer, outcome in zip(run.layers, parts, strict=True)
        if outcome.verdict == "equal" and _can_be_given(layer)
    ]
    part = replace(run.only(*layers), is_kept=True)
    if layers:
        ask([part])
        if not part.inferences:
            return False
    given = replace(_given(part, layers), points=list(run.own), pruned=False)
    if not layers:
        given = replace(run, pruned=False)
    (values,) = all_flows([given])
    return isinstance(values, Outcome) and values.verdict == "error"


class _Comparison:
    """What runs say of a model of which every layer looks right; ``given`` is None where values cannot be given."""

    def __init__(self, run: Run, untouched: Values, given: Values | None) -> None:
        self.run = run
        self.untouched = untouched
        self.given = given
        self.anchor: Values = run.inferences if given is None else given
        self.part = 1.0
        """Of how far rounding may take values: less for what is the same but for what is fused with a layer."""

    def findings(self) -> dict[int, Outcome]:
        if (repeated := self._repeated()) is not None:
            return {layer.position: repeated for layer in self.run.layers}
        if self.given is not None:
            for layer in self.run.layers:
                deviation = self._off(self.run.inferences, self.given, layer.fed)
                before = _before(layer.fed)
                if deviation is not None and not self._any_undefined(before):
                    cause = OVERWRITTEN
                    if not any(tap.layer.type in _GIVEN for tap in before):
                        cause = UNEXPLAINED
                    words = _WORDS[cause]
                    return {layer.position: self._outcome(cause, words, deviation)}
            if (
                deviation := self._off(self.run.inferences, self.anchor, self.run.own)
            ) is not None:
                layers = _narrowed(
                    self.run.layers, lambda some: self._is_right(_given(self.run, some))
                )
                return self._blamed(
                    CONSUMER,
                    layers,
                    deviation,
                    _with_outputs(self.run, self.run.layers),
                )
        for part in (1.0, *([FINE] if _is_wide(self.run) else [])):
            self.part = part
            deviation = self._off(self.untouched, self.anchor, self.run.own)
            if deviation is None:
                continue
            layers = _narrowed(
                self.run.layers,
                lambda some: self._is_right(_with_outputs(self.run, some)),
            )
            return self._blamed(FUSED, layers, deviation, _with_outputs(self.run, []))
        return {}

    def _blamed(
        self,
        cause: str,
        layers: Sequence[Tapped],
        deviation: tuple[int, Difference],
        wrong: Run,
    ) -> dict[int, Outcome]:
        """The outcome of the ``layers`` that set right a model that is ``wrong``, if it is so because of them."""
        if not self._is_steady(
            replace(wrong, is_untouched=not wrong.layers)
        ) or not self._begins_near(layers, wrong):
            return {}
        words = _WORDS[cause]
        if len(layers) > 1:
            words += f" ({len(layers)} layers have a part in it)"
        return {
            layer.position: self._outcome(cause, words, deviation) for layer in layers
        }

    def _begins_near(self, layers: Sequence[Tapped], wrong: Run) -> bool:
        """Whether the first difference behind ``layers`` is near them, or is seen nowhere but in the outputs."""
        graph = self.run.model.graph
        seen = {layer.gather.layer.id for layer in layers}
        near = set(seen)
        for distance in range(_FARTHEST):
            near = {
                number for each in near for number in graph.readers.get(each, ())
            } - seen
            seen |= near
            behind = [
                each
                for each in map(graph.with_id, sorted(near))
                if each is not None and each.outputs
            ]
            taps = [
                Tap(each, number)
                for each in behind
                for number in range(len(each.outputs))
            ]
            if not taps:
                break
            with_taps = [
                replace(run, points=list(dict.fromkeys([*run.points, *taps])))
                for run in (self.run, wrong)
            ]
            right, other = all_flows([_given(with_taps[0], layers), with_taps[1]])
            if isinstance(right, Outcome) or isinstance(other, Outcome):
                break
            begun = [tap for tap in taps if self._off(other, right, [tap]) is not None]
            if begun:
                return distance < _NEAR and not self._any_undefined(begun)
        return True

    def _repeated(self) -> Outcome | None:
        """The outcome where the model gives other outputs on the same inputs, its states as they are at first."""
        for first, again in combinations(self.run.inferences, 2):
            if all(map(equal, first.inputs, again.inputs)):
                deviation = self._off(
                    [again._replace(number=first.number)], [first], self.run.own
                )
                if deviation is not None:
                    words = f"the model gives other outputs than on the same inputs in inference {first.number + 1}"
                    return self._outcome(
                        "unsteady", words, (again.number, deviation[1])
                    )
        return None

    def _any_undefined(self, taps: Sequence[Tap]) -> bool:
        """Whether one of these outputs is that of a Convert of real numbers that the integers cannot hold."""
        kinds = {tap: output_tensor(*tap).element_type for tap in taps}
        sources = {
            tap: Tap(*source)
            for tap, kind in kinds.items()
            if tap.layer.type == "Convert"
            and kind is not None
            and kind.is_integral
            and (source := tap.layer.producer(0)) is not None
        }
        if not sources:
            return False
        points = list(dict.fromkeys(sources.values()))
        (values,) = all_flows([replace(self.run, points=points)])
        if isinstance(values, Outcome):
            return False
        return any(
            not _holds(kinds[tap], each.of(source))
            for each in values
            for tap, source in sources.items()
        )

    def _outcome(
        self, cause: str, words: str, deviation: tuple[int, Difference]
    ) -> Outcome:
        number, difference = deviation
        if number:
            place = f"in inference {number + 1} of the compiled model"
        else:
            place = ""
        outcome: Outcome = self.run.noted(
            with_notes(outcome_of("different", cause, words, difference), place)
        )
        return outcome

    def _is_right(self, run: Run) -> bool:
        (values,) = all_flows([run])
        return (
            not isinstance(values, Outcome)
            and self._off(values, self.anchor, self.run.own) is None
        )

    def _is_steady(self, wrong: Run) -> bool:
        """Whether a model is wrong in the same way again, and also on inputs that differ in their last bits: what
        rounding or foreign memory makes of an output tells nothing."""
        if wrong.is_untouched:
            plain = replace(wrong, points=list(self.run.own))
        else:
            plain = wrong
        first, again, near = all_flows(
            [plain, plain, replace(plain, rounds=_nudged(self.run))]
        )
        if (
            isinstance(first, Outcome)
            or isinstance(again, Outcome)
            or isinstance(near, Outcome)
        ):
            return True
        same = (
            self._off(again, first, self.run.own) is None
            and self._off(near, first, self.run.own) is None
        )
        return same and self._off(first, self.anchor, self.run.own) is not None

    def _off(
        self, some: Values, others: Values, taps: Sequence[Tap]
    ) -> tuple[int, Difference] | None:
        """The first inference in which any of the ``taps`` differs by more than rounding, and how."""
        by_number = {values.number: values for values in others}
        for values in some:
            for tap in taps:
                other = by_number.get(values.number)
                if (
                    other is None
                    or tap not in values.tensors
                    or tap not in other.tensors
                ):
                    continue
                try:
                    pair = values.of(tap), other.of(tap)
                except ValueError:
                    continue  # a type that cannot be read
                deviation = value_difference(
                    *pair, self.run.options.tolerance, self.part
                )
                if deviation is not None:
                    return values.number, deviation
        return None


def _before(taps: Sequence[Tap]) -> list[Tap]:
    """These outputs, and all outputs that they depend on."""
    return list(
        reached(
            taps,
            lambda tap: starmap(
                Tap, filter(None, tap.layer.graph.producers(tap.layer))
            ),
        )
    )


def _holds(kind: Any, array: Array) -> bool:
    """Whether an integer type has all these numbers, without what comes behind the point."""
    if not is_real(array):
        return True
    low, high = kind.limits
    whole = numpy.trunc(array.astype("f8"))
    return bool(((whole >= low) & (whole <= high)).all())


def _given(run: Run, layers: Sequence[Tapped]) -> Run:
    """The model in which what reads these ``layers`` reads what they gave, where that can be."""
    layers = list(filter(_can_be_given, layers))
    values = {
        layer.output: [each.of(layer.output) for each in run.inferences]
        for layer in layers
    }
    numbers = [each.number for each in run.inferences]
    points = [point for point in run.points if point not in values and point.depth == 0]
    rounds = [run.rounds[number] for number in numbers]
    return replace(run, points=points, replaced=values, rounds=rounds, numbers=numbers)


def _can_be_given(layer: Tapped) -> bool:
    """Real numbers of known rank: integers may be lengths, which a model may need to know before it runs."""
    shape, _, kind = output_tensor(*layer.output)
    if layer.output.depth or layer.rounded:
        return False
    return (
        shape.rank is not None and kind is not None and kind.is_real and kind.bits > 8
    )


def _with_outputs(run: Run, layers: Sequence[Tapped]) -> Run:
    """The whole model with further outputs at these ``layers`` only."""
    points = dict.fromkeys(
        [*(point for layer in layers for point in layer.points), *run.own]
    )
    return replace(run, layers=layers, points=list(points), inferences=[])


def _narrowed(
    layers: Sequence[Tapped], is_right: Callable[[Sequence[Tapped]], bool]
) -> Sequence[Tapped]:
    """The fewest ``layers`` that set the model right."""
    while len(layers) > 1:
        half = len(layers) // 2
        part = next(
            (each for each in (layers[:half], layers[half:]) if is_right(each)), None
        )
        if part is None:
            break
        layers = part
    return layers


def _nudged(run: Run) -> list[list[Array]]:
    """The inputs with real numbers that differ in their last bits."""
    return [
        [
            a * a.dtype.type(1 + 2.0**-21) if a.dtype.name == "float32" else a
            for a in each
        ]
        for each in run.rounds
    ]


def _is_deterministic(run: Run) -> bool:
    declared = (find(layer.type, layer.version) for layer in run.model.layers())
    return all(each is None or each.deterministic for each in declared)


def _is_wide(run: Run) -> bool:
    """Whether all real numbers that are computed have 32 bits or more: where a runtime rounds to fewer, it may."""
    return not any(
        kind is not None and kind.is_real and kind.bits < 32
        for layer in run.model.layers()
        if layer.type != "Const"
        for number in range(len(layer.outputs))
        for kind in [output_tensor(layer, number).element_type]
    )


def _is_wrong(outcome: Outcome, position: int, layers: dict[int, Tapped]) -> bool:
    return (
        outcome.verdict == "different"
        and position in layers
        and bool(layers[position].fed)
    )


def _recomputed(run: Run, layer: Tapped, outcome: Outcome) -> Outcome:
    """The outcome of a layer that differs, with its inputs as the model computes them without it: it may spoil them."""
    part = replace(run.only(layer), points=layer.fed)
    (clean,) = all_flows([part])
    if isinstance(clean, Outcome):
        return outcome
    by_number = {values.number: values for values in clean}
    for values in run.inferences:
        other = by_number.get(values.number)
        if other is None or all(
            values.tensors[tap] == other.tensors[tap] for tap in layer.fed
        ):
            continue
        try:
            (evidence,) = layer.evidence(
                values._replace(tensors={**values.tensors, **other.tensors})
            )
            judged = run.judged(evidence, values.version)
        except (ValueError, OvgatherError):
            continue
        if judged.verdict == "equal":
            words = "the runtime overwrites what the layer reads, and its output is that of what was there"
            return with_notes(
                outcome._replace(cause=OVERWRITTEN, why=words, notes=(), evidence=None),
                "on random inputs",
            )
        outcome = run.noted(
            judged if run.random else with_index_note(judged, evidence, layer.gather)
        )
        break
    return outcome
