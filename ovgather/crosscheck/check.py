"""One file's cross-check: every layer gets an outcome for each way to run it, and each runtime."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ovgather.crosscheck.alone import variants
from ovgather.crosscheck.alone.layer_case import LayerCase, layer_case
from ovgather.crosscheck.alone.plan import plan_alone
from ovgather.crosscheck.alone.run import TrialRun
from ovgather.crosscheck.confirm import Confirmable, ask
from ovgather.crosscheck.in_model.bisect import narrowed
from ovgather.crosscheck.in_model.plan import ModelRun, plan_in_model
from ovgather.crosscheck.report import ALONE, IN_PLACE, Record
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer, find_operation
from ovgather.layers.reference import LayerReference
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.pool import Interrupted
from ovgather.runtimes.request import Run, Skip

if TYPE_CHECKING:
    from ovgather.runtimes.trial import Trial
    from ovgather.tensor.arrays import Array

OPENVINO = "openvino"
_Key = tuple[int, str, str]
"""Position of the layer, variant, runtime."""


class Options(NamedTuple):
    """What to run: in which runtimes, in which variants, for how long, and who is told how far it is."""

    run: Run
    seed: int = 0
    against: Sequence[str] = (OPENVINO,)
    variants: Sequence[str] = ("default",)
    timeout: float = 120.0
    start: Sequence[str] | None = None
    progress: Callable[[int, int], None] | None = None


class Check:
    """The layers of a file, and their outcomes as they come to be known."""

    def __init__(self, model: Model, layers: list[Layer], options: Options) -> None:
        self.model = model
        self.layers = layers
        self.options = options
        self.outcomes: dict[_Key, Outcome] = {}
        self.trials: dict[tuple[int, str], TrialRun] = {}
        self.shared: dict[tuple[int, str], tuple[int, str]] = {}
        self.chunks: list[tuple[list[int], ModelRun]] = []
        self.gathers: dict[int, GatherLayer] = {}
        self.unknown: dict[int, Outcome] = {}
        for position, layer in enumerate(layers):
            operation = find_operation(layer, model.snippet)
            if operation is not None:
                self.gathers[position] = GatherLayer(model, layer, operation)
            else:
                reason = f"{layer.version or 'no opset'} holds no {layer.type}"
                self.unknown[position] = Outcome("skipped", reason)

    # -- plan --------------------------------------------------------------------------------------

    def plan_alone(self, given: Mapping[str, Array] | None) -> None:
        """Decide what each layer is run on by itself, in all variants."""
        for against in self.options.against:
            self._note(ALONE, against, self.unknown)
        names = variants.names(self.options.variants, self.options.run.static)
        first: dict[tuple[LayerCase, str], tuple[int, str]] = {}
        for position, gather in self.gathers.items():
            try:
                case = plan_alone(gather, self.options.run, self.options.seed, given)
            except Skip as skip:
                for against in self.options.against:
                    self._note(ALONE, against, {position: Outcome("skipped", str(skip))})
                continue
            self.trials[position, ALONE] = case
            self._plan_variants(position, case, names, first)

    def _plan_variants(
        self,
        position: int,
        plain: TrialRun,
        names: list[str],
        first: dict[tuple[LayerCase, str], tuple[int, str]],
    ) -> None:
        """Plan the variants of a layer; ``first`` are those that a layer like it has already."""
        try:
            case = layer_case(self.gathers[position], self.options.seed)
        except Skip:
            return
        for name in names:
            key = position, name
            if name in ("static", "dynamic"):
                self.trials[key] = plain._replace(made=_other_form(plain))
            elif (case, name) in first:
                self.shared[key] = first[case, name]
            elif (trial := variants.make(name, case)) is not None:
                self.trials[key] = plain._replace(made=trial, note="")
                first[case, name] = key

    def plan_in_model(self, given: Mapping[str, Array] | None) -> None:
        """Decide what the whole model is run on and where it is tapped."""
        self._note(IN_PLACE, OPENVINO, self.unknown)
        positions = list(self.gathers)
        if not positions:
            return
        gathers = [self.gathers[position] for position in positions]
        chunks, skipped = plan_in_model(self.model, gathers, self.options.run, self.options.seed, given)
        self._note(IN_PLACE, OPENVINO, {positions[index]: outcome for index, outcome in skipped.items()})
        judged = iter([position for index, position in enumerate(positions) if index not in skipped])
        self.chunks = [([next(judged) for _ in chunk.layers], chunk) for chunk in chunks]

    # -- run ---------------------------------------------------------------------------------------

    def execute(self) -> None:
        """Run what was planned.

        Raises:
            UnavailableError: a runtime is not installed, or OpenVINO has no such device.
            Interrupted: the user pressed Ctrl-C; ``records`` gives what is known.
        """
        done, total = 0, len(self.trials) * len(self.options.against) + len(self.chunks)
        for against in self.options.against:
            cases = [case._replace(against=against) for case in self.trials.values()]
            chunks = [chunk for _, chunk in self.chunks] if against == OPENVINO else []
            count = done

            def progress(known: int, before: int = count) -> None:
                if self.options.progress is not None:
                    self.options.progress(before + known, total)

            try:
                self._take(against, dict(enumerate(self._ask(against, [*cases, *chunks], progress))))
            except Interrupted as stop:
                self._take(against, stop.known, look=False)
                raise
            done += len(cases) + len(chunks)

    def _take(self, against: str, answers: Mapping[int, list[Outcome]], look: bool = True) -> None:
        """Note the answers to the trials, and then to the chunks, by position; ``look`` at what failed again."""
        keys = list(self.trials)
        for at, outcomes in answers.items():
            if at < len(keys):
                position, variant = keys[at]
                self.outcomes[position, variant, against] = outcomes[0]
            else:
                positions, chunk = self.chunks[at - len(keys)]
                outcomes = self._looked_at(chunk, outcomes) if look else outcomes
                self._note(IN_PLACE, against, dict(zip(positions, outcomes, strict=True)))
        for (position, variant), (other, _) in self.shared.items():
            if (other, variant, against) in self.outcomes:
                self.outcomes[position, variant, against] = self.outcomes[other, variant, against]

    def _looked_at(self, chunk: ModelRun, outcomes: list[Outcome]) -> list[Outcome]:
        """The outcomes of layers in place; what failed for all of them is narrowed to those at fault."""
        verdict = outcomes[0].verdict
        if verdict == "error" and not self.options.run.static and chunk.reshaped:
            # Some models cannot have all their dims dynamic: then they are run as they are.
            chunk = chunk._replace(reshaped=False)
            outcomes = self._ask(OPENVINO, [chunk])[0]
            verdict = outcomes[0].verdict
        if verdict in ("crash", "error"):
            return narrowed(chunk, outcomes, lambda cases: self._ask(OPENVINO, cases))
        return outcomes

    def _ask(
        self, against: str, cases: Sequence[Confirmable], progress: Callable[[int], None] | None = None
    ) -> list[list[Outcome]]:
        options = self.options
        if not cases:
            return []
        return ask(
            cases,
            runtime=against,
            device=options.run.device,
            timeout=options.timeout,
            start=options.start,
            progress=progress,
        )

    # -- report ------------------------------------------------------------------------------------

    def _note(self, variant: str, against: str, outcomes: Mapping[int, Outcome]) -> None:
        for position, outcome in outcomes.items():
            self.outcomes[position, variant, against] = outcome

    def records(self) -> Iterator[Record]:
        """The outcomes, layer by layer, runtime by runtime, the plain variants first."""
        order = [ALONE, IN_PLACE, *variants.names(self.options.variants, self.options.run.static)]
        for position, layer in enumerate(self.layers):
            reference = LayerReference(str(layer.id), layer.name, layer.type, layer.version, layer.body)
            for against in self.options.against:
                device = self.options.run.device if against == OPENVINO else "CPU"
                for variant in order:
                    outcome = self.outcomes.get((position, variant, against))
                    if outcome is not None:
                        yield Record(reference, variant, against, device, outcome)


def _other_form(plain: TrialRun) -> Callable[[], Trial]:
    def make() -> Trial:
        trial = plain.trial
        return trial._replace(placement=trial.placement._replace(static=not trial.placement.static))

    return make
