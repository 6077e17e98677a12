"""A layer of a file: cross-checked, and what fails of it made small."""

from typing import NamedTuple

from ovgather.crosscheck.alone.run import TrialRun
from ovgather.crosscheck.check import Check
from ovgather.crosscheck.ir_layers import IrLayers, family_layers, flowed
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.reduce.prober import reduce_in_runtime
from ovgather.crosscheck.reduce.search import NotReproducedError, Progress, Reduction, Signature, is_defined, signature
from ovgather.crosscheck.report import ALONE, GRAVITY, IN_PLACE
from ovgather.crosscheck.verdict.fault_models import WITHHELD, find_cause
from ovgather.errors import InvalidModelError
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.request import with_notes
from ovgather.runtimes.trial import Trial


class Failing(NamedTuple):
    """A variant of a layer that fails, with the trial that does; None where it fails in place and nothing came out."""

    variant: str
    outcome: Outcome
    trial: Trial | None

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
    for (_, name, _), outcome in check.outcomes.items():
        if name == IN_PLACE and options.fails(outcome) and isinstance(gather, GatherLayer):
            kinds.append(Failing(name, outcome, flowed(gather, outcome.evidence)))
    kinds = [failing for failing in kinds if variant in (None, failing.variant)]
    kinds.sort(key=lambda failing: (GRAVITY.index(failing.outcome.verdict), failing.outcome.cause in WITHHELD))
    groups: dict[Signature, list[Failing]] = {}
    for failing in kinds:
        groups.setdefault(failing.signature, []).append(failing)
    return [next((each for each in group if each.own_cause == sign.cause), group[0]) for sign, group in groups.items()]


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
        return Result(failing, None, "the model fails as a whole, and what flows into the layer is not known")
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
        problem = f"it fails in the model only, and not alone on the values that flow there ({problem})"
    as_it_is = Reduction(failing.trial, failing.outcome, failing.signature, failing.trial, 0, 0, 0)
    return Result(failing, as_it_is, problem)


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
