"""A layer of a file: cross-checked, and what fails of it made small."""

from typing import NamedTuple

from ovgather.crosscheck.alone.run import TrialRun
from ovgather.crosscheck.check import Check
from ovgather.crosscheck.in_model.plan import IrRun
from ovgather.crosscheck.ir_layers import IrLayers, family_layers, flowed
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.reduce.prober import reduce_in_runtime
from ovgather.crosscheck.reduce.search import NotReproducedError, Progress, Reduction, Signature, is_defined, signature
from ovgather.crosscheck.reduce.surroundings import failing_part
from ovgather.crosscheck.report import ALONE, GRAVITY, IN_PLACE
from ovgather.crosscheck.verdict.fault_models import WITHHELD, find_cause
from ovgather.errors import InvalidModelError
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer
from ovgather.runtimes.outcome import Outcome, with_notes
from ovgather.runtimes.trial import Trial


class Failing(NamedTuple):
    """A variant of a layer that fails, with the trial that does; None where it fails in place and nothing came out.

    ``run`` is the run of the whole model in which it fails in place.
    """

    variant: str
    outcome: Outcome
    trial: Trial | None
    run: IrRun | None = None

    @property
    def signature(self) -> Signature:
        """The verdict and its cause."""
        return signature(self.outcome)

    @property
    def own_cause(self) -> str:
        """The cause that this run names by itself; the layer's is named by all its runs."""
        outcome = self.outcome
        if outcome.verdict != "different" or outcome.cause in WITHHELD or outcome.evidence is None:
            return signature(outcome).cause
        return find_cause(outcome.evidence)[0]


def find_layer(model: Model, reference: str | None) -> Layer:
    """The layer that is asked for; without ``reference`` the only one of the family. Raises InvalidModelError."""
    layers = family_layers(model, reference)
    if len(layers) != 1:
        names = ", ".join(repr(layer.name) for layer in layers[:8])
        raise InvalidModelError(
            f"{model.path} holds {len(layers)} Gather layers: --layer says which ({names or 'none'})"
        )
    return layers[0]


def failures(model: Model, layer: Layer, options: CrosscheckOptions, variant: str | None = None) -> list[Failing]:
    """What fails of a layer in one variant or in the default ones, the gravest first, each kind once."""
    if variant is not None:
        mode = IN_PLACE if variant == IN_PLACE else ALONE
        # The inputs are those of the whole model: alone the layer runs on random ones.
        inputs = options.inputs if mode == IN_PLACE else None
        variants = () if variant in (ALONE, IN_PLACE) else (variant,)
        options = options._replace(mode=mode, inputs=inputs, variants=variants)
    layers = IrLayers(model, [layer], options)
    check = Check(layers, options)
    check.plan()
    check.execute()
    kinds: list[Failing] = []
    for details in check.details.values():
        for name, run, outcome in details:
            trial = run.trial if isinstance(run, TrialRun) else None
            kinds += [Failing(name, outcome, trial)] if options.fails(outcome) else []
    gather = layers.gathers[0]
    whole = next((plan.run for plan in check.in_model if isinstance(plan.run, IrRun)), None)
    for (_, name, _), outcome in check.outcomes.items():
        if name == IN_PLACE and options.fails(outcome) and isinstance(gather, GatherLayer):
            kinds.append(Failing(name, outcome, flowed(gather, outcome.evidence), whole))
    kinds = [failing for failing in kinds if variant in (None, failing.variant)]
    kinds.sort(key=_rank)
    groups: dict[Signature, list[Failing]] = {}
    for failing in kinds:
        groups.setdefault(failing.signature, []).append(failing)
    return [next((each for each in group if each.own_cause == sign.cause), group[0]) for sign, group in groups.items()]


def _rank(failing: Failing) -> tuple[int, bool, bool]:
    """The gravest failures first, with a cause before those without, on values before those on none."""
    trial, outcome = failing.trial, failing.outcome
    is_empty = trial is not None and not (trial.data.size and trial.indices.size)
    return GRAVITY.index(outcome.verdict), outcome.cause in WITHHELD, is_empty


class Result(NamedTuple):
    """A failure made small; ``problem`` says why there is no reduction, or why it did not shrink."""

    failing: Failing
    reduction: Reduction | None
    problem: str = ""


def reduce_failing(
    failing: Failing, options: CrosscheckOptions, progress: Progress = lambda probes, smallest: None
) -> Result:
    """Make a failure small; ``progress`` as ``reduce_trial`` has it. Raises UnavailableError."""
    if failing.trial is None:
        part = _part(failing, options)
        return part or Result(failing, None, "the model fails as a whole, and what flows into the layer is not known")
    if failing.outcome.verdict == "different" and not is_defined(failing.trial):
        return Result(failing, None, "the specification does not define the output on these values")
    placements = [failing.trial]
    if failing.variant == IN_PLACE:  # in the model its inputs may be computed, and its shapes known
        placement = failing.trial.placement
        placements += [
            failing.trial._replace(placement=placement._replace(static=True, constants=constants))
            for constants in dict.fromkeys((placement.constants, frozenset[str]()))
        ]
    problem = ""
    for trial in placements:
        try:
            reduction = reduce_in_runtime(trial, failing.signature, options, progress=progress)
            return Result(failing, reduction._replace(outcome=_explained(reduction, failing)))
        except NotReproducedError as error:
            problem = problem or str(error)
    if failing.variant == IN_PLACE:
        part = _part(failing, options)
        if part is not None:
            return part
        problem = f"it fails in the model only, and not alone on the values that flow there ({problem})"
    as_it_is = Reduction(failing.trial, failing.outcome, failing.signature, failing.trial, 0, 0, 0)
    return Result(failing, as_it_is, problem)


def _part(failing: Failing, options: CrosscheckOptions) -> Result | None:
    """The smallest part of the model in which the layer fails."""
    found = failing.run and failing_part(failing.run, failing.outcome.verdict, options)
    if not found:
        return None
    part, outcome = found
    outcome = with_notes(outcome._replace(cause=failing.outcome.cause), failing.outcome.reason.partition(";")[0])
    return Result(failing, Reduction(part.trial, outcome, failing.signature, part.trial, 0, 1, 1, part=part))


def _explained(reduction: Reduction, failing: Failing) -> Outcome:
    """The outcome of the smallest trial with the cause of the layer; its own words where they say one thing only."""
    outcome, sign = reduction.outcome, reduction.signature
    if sign.verdict != "different" or outcome.cause or outcome.evidence is None:
        return outcome
    cause, words = find_cause(outcome.evidence)
    if sign.cause in WITHHELD:
        words = ""
    elif cause != sign.cause or "; or " in words:
        words = f"all runs of the layer tell: {failing.outcome.reason.partition(f'; {failing.trial}')[0]}"
    return with_notes(outcome._replace(cause=sign.cause, reason=words), str(reduction.trial))
