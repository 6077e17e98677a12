"""The cross-check of one file: every layer gets an outcome for each way to run it, and each runtime.

Plan (each layer alone, then the whole model), run in one runtime after the other, look again at models that failed as
a whole, report. ``IrLayers`` and ``OnnxNodes`` say what of a file can be run, and how.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ovgather.crosscheck.confirm import Ask, Run, ask
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.report import ALONE, IN_PLACE, FileReport, Record, Report, Stopped
from ovgather.layers.reference import LayerReference
from ovgather.runtimes import pool
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.pool import Interrupted
from ovgather.runtimes.request import Skip
from ovgather.tensor.guard import blame


class Layers(Protocol):
    """The layers of a file, by position; ``whole_in`` are the runtimes that run whole models."""

    path: str
    references: list[LayerReference]
    variants: list[str]
    whole_in: Sequence[str]

    def alone(self, position: int) -> dict[str, Run]:
        """The runs of a layer by itself, by variant; layers that are alike share a run. Raises Skip."""

    def in_model(self) -> tuple[Sequence[Run], dict[int, Outcome]]:
        """The runs of the whole model, and by position the outcomes of the layers that none of them judges."""

    def narrowed(self, run: Any, outcomes: list[Outcome], ask: Ask) -> list[Outcome]:
        """The outcomes of the layers of a whole model, given those of the run as a whole."""


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

    def plan(self) -> None:
        """Decide what is run."""
        if self.options.mode != IN_PLACE:
            self._plan_alone()
        if self.options.mode != ALONE and self.layers.whole_in:
            self._plan_in_model()

    def _plan_alone(self) -> None:
        plans: dict[int, Planned] = {}
        for position in range(len(self.layers.references)):
            try:
                runs = self.layers.alone(position)
            except Skip as skip:
                self.outcomes |= {(position, ALONE, runtime): skip.outcome for runtime in self.options.against}
                continue
            for variant, run in runs.items():
                plans.setdefault(id(run), Planned(run, [[]])).keys[0].append((position, variant))
        self.alone = list(plans.values())

    def _plan_in_model(self) -> None:
        runs, rest = self.layers.in_model()
        for runtime in self.layers.whole_in:
            self.outcomes |= {(position, IN_PLACE, runtime): outcome for position, outcome in rest.items()}
        self.in_model = [Planned(run, [[(layer.position, IN_PLACE)] for layer in run.layers]) for run in runs]

    def execute(self) -> None:
        """Run what was planned. Raises UnavailableError, and Interrupted: ``records`` then gives what is known."""
        whole = {runtime: self.in_model if runtime in self.layers.whole_in else [] for runtime in self.options.against}
        total = sum(len(self.alone) + len(plans) for plans in whole.values())
        done = 0
        for runtime, in_model in whole.items():
            plans = [*self.alone, *in_model]
            self._execute(runtime, plans, done, total)
            for plan in in_model:
                self._narrow(runtime, plan)
            done += len(plans)

    def _execute(self, runtime: str, plans: list[Planned], done: int, total: int) -> None:
        def progress(known: int) -> None:
            if self.options.progress is not None:
                self.options.progress(done + known, total)

        runs = [plan.run.in_runtime(runtime) for plan in plans]
        try:
            answers = ask(runs, self.options, self.options.start or pool.command(runtime), progress)
        except Interrupted as stop:
            self._note(runtime, plans, stop.known)
            raise
        self._note(runtime, plans, dict(enumerate(answers)))

    def _narrow(self, runtime: str, plan: Planned) -> None:
        """Narrow down a failure of a whole model to the layers at fault."""

        def again(cases: Sequence[Run]) -> list[list[Outcome]]:
            return ask(cases, self.options, self.options.start or pool.command(runtime))

        outcomes = [self.outcomes[position, variant, runtime] for ((position, variant),) in plan.keys]
        self._note(runtime, [plan], {0: self.layers.narrowed(plan.run.in_runtime(runtime), outcomes, again)})

    def _note(self, runtime: str, plans: list[Planned], answers: Mapping[int, list[Outcome]]) -> None:
        for number, outcomes in answers.items():
            for outcome, keys in zip(outcomes, plans[number].keys, strict=True):
                self.outcomes |= {(position, variant, runtime): outcome for position, variant in keys}

    def records(self) -> Iterator[Record]:
        """The outcomes, layer by layer, runtime by runtime, the plain variants first."""
        for position, reference in enumerate(self.layers.references):
            for runtime in self.options.against:
                for variant in (ALONE, IN_PLACE, *self.layers.variants):
                    outcome = self.outcomes.get((position, variant, runtime))
                    if outcome is not None:
                        yield Record(reference, variant, runtime, self.options.device_of(runtime), outcome)

    def report(self) -> Report:
        """What is known."""
        return Report([FileReport(self.layers.path, tuple(self.records()))], self.options.strict)


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
