"""The cross-check of one file: plan (each layer alone, then the whole model), run in one runtime after the other, look
again at models that failed as a whole, report. ``IrLayers`` and ``OnnxNodes`` say what of a file can be run, and
how."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ovgather.comparison.alone.run import TrialRun
from ovgather.comparison.confirm import Run, ask
from ovgather.comparison.in_model.bisect import fails, narrowed
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.report import (
    ALONE,
    FAILING,
    IN_PLACE,
    FileReport,
    Record,
    Report,
    Stopped,
    worst,
)
from ovgather.comparison.verdict.judge import named
from ovgather.layers.reference import LayerReference
from ovgather.runtimes.outcome import Evidence, Outcome, Skip, restated
from ovgather.runtimes.pool import Interrupted
from ovgather.tensor.guard import blame


class Layers(Protocol):
    """The layers of a file, by position; ``whole_in`` are the runtimes that run whole models."""

    path: str
    references: list[LayerReference]
    variants: list[str]
    whole_in: Sequence[str]

    def alone(self, position: int) -> dict[str, list[TrialRun]]:
        """The runs of a layer by itself, by variant; layers that are alike share a run. Raises Skip."""

    def alone_on(self, position: int, evidence: Evidence) -> Sequence[TrialRun]:
        """The runs of a layer by itself on the values that flowed in the whole model; none where that cannot be."""
        return ()

    def in_model(self) -> tuple[Sequence[Run], dict[int, Outcome]]:
        """The runs of the whole model, and by position the outcomes of the layers that none of them judges."""

    def narrowed(self, run: Any, outcomes: list[Outcome]) -> list[Outcome]:
        """The outcomes of the layers of a whole model, given those of the run as a whole."""
        if fails(outcomes[0]):
            return narrowed(run, outcomes)
        return outcomes

    def compared(
        self, runs: Sequence[Any], outcomes: dict[int, Outcome]
    ) -> dict[int, Outcome]:
        """The outcomes of layers in the whole model, by position, and what other runs of the model say of them."""
        return outcomes


class Planned(NamedTuple):
    """A run, and for each of its outcomes the layers, by position, and the variants that it is for."""

    run: Run
    keys: list[list[tuple[int, str]]]


class Check:
    """The layers of a file, and their known outcomes by position of the layer, variant and runtime."""

    def __init__(self, layers: Layers, options: CrosscheckOptions) -> None:
        self.layers = layers
        self.options = options
        self.alone: list[Planned] = []
        self.in_model: list[Planned] = []
        self.outcomes: dict[tuple[int, str, str], Outcome] = {}
        self.details: dict[tuple[int, str], list[tuple[str, Run, Outcome]]] = {}
        """By position and runtime the variants, the runs and the outcomes of what was run alone."""

    def plan(self) -> None:
        if self.options.mode != IN_PLACE:
            self._plan_alone()
        if self.options.mode != ALONE and self.layers.whole_in:
            runs, rest = self.layers.in_model()
            for runtime in self.layers.whole_in:
                self.outcomes |= {
                    (position, IN_PLACE, runtime): outcome
                    for position, outcome in rest.items()
                }
            self.in_model = [
                Planned(run, [[(layer.position, IN_PLACE)] for layer in run.layers])
                for run in runs
            ]
        if self.options.mode == IN_PLACE:
            for runtime in self.options.against:
                if runtime not in self.layers.whole_in:
                    skipped = Outcome(
                        "skipped", f"{runtime} runs layers alone, not whole models"
                    )
                    self.outcomes |= {
                        (at, IN_PLACE, runtime): skipped
                        for at in range(len(self.layers.references))
                    }

    def _plan_alone(self) -> None:
        plans: dict[int, Planned] = {}
        for position in range(len(self.layers.references)):
            try:
                runs = self.layers.alone(position)
            except Skip as skip:
                self.outcomes |= {
                    (position, ALONE, runtime): skip.outcome
                    for runtime in self.options.against
                }
                continue
            for variant, run in (
                (variant, run) for variant, some in runs.items() for run in some
            ):
                plans.setdefault(id(run), Planned(run, [[]])).keys[0].append(
                    (position, variant)
                )
        self.alone = list(plans.values())

    def execute(self) -> None:
        """Run what was planned. Raises UnavailableError, and Interrupted: ``report`` then gives what is known."""
        whole = {
            runtime: self.in_model if runtime in self.layers.whole_in else []
            for runtime in self.options.against
        }
        total = sum(len(self.alone) + len(plans) for plans in whole.values())
        count = 0
        for runtime, in_model in whole.items():
            plans = [*self.alone, *in_model]
            self._execute(runtime, plans, count, total)
            in_place: dict[int, Outcome] = {}
            runs = [plan.run.in_runtime(runtime) for plan in in_model]
            # A failure of a whole model is narrowed down to the layers at fault.
            for plan, run in zip(in_model, runs, strict=True):
                positions = [position for ((position, _),) in plan.keys]
                outcomes = [
                    self.outcomes[position, IN_PLACE, runtime] for position in positions
                ]
                verdicts = {each.verdict for each in in_place.values()}
                failed = worst(outcomes).verdict
                run.options = run.options.after(failed)
                run.is_explained = failed in verdicts and not verdicts <= FAILING
                outcomes = self.layers.narrowed(run, outcomes)
                in_place |= zip(positions, outcomes, strict=True)
            in_place = self.layers.compared(runs, in_place)
            self.outcomes |= {
                (position, IN_PLACE, runtime): each
                for position, each in in_place.items()
            }
            self._name(runtime)
            count += len(plans)

    def _execute(
        self, runtime: str, plans: list[Planned], before: int, total: int
    ) -> None:
        tell = self.options.progress or (lambda known, total: None)
        runs = [plan.run.in_runtime(runtime) for plan in plans]
        try:
            answers = ask(runs, lambda known: tell(before + known, total))
        except Interrupted as stop:
            self._note(runtime, plans, stop.known)
            raise
        self._note(runtime, plans, dict(enumerate(answers)))

    def _note(
        self, runtime: str, plans: list[Planned], answers: Mapping[int, list[Outcome]]
    ) -> None:
        """Keep outcomes: of several runs of a variant alone the worst, of the whole model the latest."""
        for number, outcomes in answers.items():
            for outcome, keys in zip(outcomes, plans[number].keys, strict=True):
                for position, variant in keys:
                    if variant != IN_PLACE:
                        details = self.details.setdefault((position, runtime), [])
                        details.append((variant, plans[number].run, outcome))
                        outcome = worst(
                            each for name, _, each in details if name == variant
                        )
                    self.outcomes[position, variant, runtime] = outcome

    def _name(self, runtime: str) -> None:
        """Name the cause of each layer that differs: one for all its runs."""
        for position in range(len(self.layers.references)):
            details = self.details.get((position, runtime), [])
            in_place = self.outcomes.get((position, IN_PLACE, runtime))
            runs = [
                *details,
                *([(IN_PLACE, None, in_place)] if in_place is not None else []),
            ]
            outcomes = [outcome for _, _, outcome in runs]
            if all(
                outcome.verdict != "different" or outcome.cause for outcome in outcomes
            ):
                continue
            if in_place is not None and not any(
                outcome.verdict in FAILING for _, _, outcome in details
            ):
                outcomes = [
                    *outcomes[:-1],
                    self._only_in_place(runtime, position, in_place),
                ]
            names = named(outcomes, healthy_evidence(details))
            details[:] = [
                (variant, run, after)
                for (variant, run, _), after in zip(details, names, strict=False)
            ]
            for variant in dict.fromkeys(variant for variant, _, _ in runs):
                same = (
                    after
                    for (name, _, _), after in zip(runs, names, strict=True)
                    if name == variant
                )
                self.outcomes[position, variant, runtime] = worst(same)

    def _only_in_place(self, runtime: str, position: int, outcome: Outcome) -> Outcome:
        """The outcome of a layer in the model, with its cause if the layer alone is right on the values that flowed."""
        evidence = outcome.evidence
        if (
            evidence is None
            or evidence.want is None
            or evidence.got.dtype != evidence.want.dtype
        ):
            return outcome
        runs = self.layers.alone_on(position, evidence)
        answers = ask([run.in_runtime(runtime) for run in runs])
        if not runs or any(alone.verdict != "equal" for (alone,) in answers):
            return outcome
        words = "it differs in the model only: alone, on the same values, it is right"
        return restated(outcome, words, cause="in-place-only")

    def report(self) -> Report:
        """What is known, layer by layer, runtime by runtime, the plain variants first."""
        variants = ALONE, IN_PLACE, *self.layers.variants
        records = [
            Record(
                reference, variant, runtime, self.options.device_of(runtime), outcome
            )
            for position, reference in enumerate(self.layers.references)
            for runtime in self.options.against
            for variant in variants
            if (outcome := self.outcomes.get((position, variant, runtime))) is not None
        ]
        return Report(
            [FileReport(self.layers.path, tuple(records))], self.options.strict
        )


def healthy_evidence(details: Sequence[tuple[str, Run, Outcome]]) -> list[Evidence]:
    """The runs that are right, of layers in the same form as those that differ."""
    trials = [
        (run.trial, outcome) for _, run, outcome in details if isinstance(run, TrialRun)
    ]
    forms = {
        trial.placement for trial, outcome in trials if outcome.verdict == "different"
    }
    right = [
        trial
        for trial, outcome in trials
        if outcome.verdict == "equal" and outcome.elements
    ]
    healthy = [
        trial.evidence(trial.want()) for trial in right if trial.placement in forms
    ]
    return [evidence._replace(want=evidence.got) for evidence in healthy]


def crosscheck_layers(layers: Layers, options: CrosscheckOptions) -> Report:
    """Plan, run and report. Raises InvalidModelError, UnavailableError, Stopped."""
    check = Check(layers, options)
    check.plan()
    try:
        check.execute()
    except Interrupted:
        raise Stopped(check.report()) from None
    except Exception as error:
        raise blame(error, **options._asdict()) from error.__cause__
    return check.report()
