"""A layer of a file: cross-checked, and what fails of it made small."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ovgather.crosscheck.alone.plan import form_of
from ovgather.crosscheck.alone.run import run_trials
from ovgather.crosscheck.check import OPENVINO, Check, Options
from ovgather.crosscheck.reduce.prober import Prober
from ovgather.crosscheck.reduce.search import NotReproducedError, Reduction, Signature, Told, reduce_trial, signature
from ovgather.crosscheck.report import ALONE, FAILING, IN_PLACE
from ovgather.errors import InvalidModelError
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer, is_family
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.request import Run
from ovgather.runtimes.trial import Trial

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

_GRAVITY = ("crash", "timeout", "different", "error", "known")
_CONFIRMATIONS = 1


class Failing(NamedTuple):
    """A variant of a layer that fails, with the trial that does; None where it fails in place and nothing came out."""

    variant: str
    outcome: Outcome
    trial: Trial | None

    @property
    def signature(self) -> Signature:
        """The verdict and its cause."""
        return signature(self.outcome)


class Request(NamedTuple):
    """What to look for in a layer.

    Attributes:
        device, seed, timeout, start: as ``crosscheck`` has them.
        inputs: of the whole model, by name; left out: random ones.
        variant: the one to look at; left out: the default ones, alone and in place.
        strict: known departures are failures, too.
    """

    device: str = "CPU"
    seed: int = 0
    timeout: float = 120.0
    inputs: Mapping[str, Array] | None = None
    variant: str | None = None
    strict: bool = False
    start: Sequence[str] | None = None

    def run(self, trials: Sequence[Trial]) -> list[Outcome]:
        """The outcomes of ``trials``."""
        return run_trials(
            trials, device=self.device, timeout=self.timeout, start=self.start, confirmations=_CONFIRMATIONS
        )


def find_layer(model: Model, reference: str | None) -> Layer:
    """The layer that is asked for; without ``reference`` the only one of the family.

    Raises:
        InvalidModelError: there is none, or more than one, or it is none of the family.
    """
    if reference is not None:
        layer = model.find(reference)
        if not is_family(layer):
            raise InvalidModelError(f"{model.path}: layer {reference!r} is a {layer.type}, not a Gather")
        return layer
    found = [layer for layer in model.layers() if is_family(layer)]
    if len(found) != 1:
        names = ", ".join(repr(layer.name) for layer in found[:8])
        raise InvalidModelError(
            f"{model.path} holds {len(found)} Gather layers: --layer says which ({names or 'none'})"
        )
    return found[0]


def failures(model: Model, layer: Layer, request: Request) -> list[Failing]:
    """What fails of a layer, the gravest first, each kind once.

    Raises:
        InvalidModelError: the variant or the inputs are none of the layer's.
        UnavailableError: OpenVINO is not installed, or has no such device.
    """
    chosen = ("default",) if request.variant is None else ()
    if request.variant not in (None, ALONE, IN_PLACE):
        chosen = (str(request.variant),)
    run = Run(request.device, static=False)
    check = Check(model, [layer], Options(run, request.seed, (OPENVINO,), chosen, request.timeout, request.start, None))
    if request.variant != IN_PLACE:
        check.plan_alone(None)
    if request.variant in (None, IN_PLACE):
        check.plan_in_place(request.inputs)
    check.execute()
    found = sorted(_failing(check, request), key=lambda each: _GRAVITY.index(each.outcome.verdict))
    return list({each.signature: each for each in reversed(found)}.values())[::-1]


def _failing(check: Check, request: Request) -> Iterator[Failing]:
    for (position, variant, _), outcome in check.outcomes.items():
        wanted = request.variant in (None, variant)
        if wanted and (outcome.verdict in FAILING or (request.strict and outcome.verdict == "known")):
            key = check.shared.get((position, variant), (position, variant))
            trial = check.trials[key].trial if key in check.trials else _tapped(check.gathers[position], outcome)
            yield Failing(variant, outcome, trial)


def _tapped(gather: GatherLayer, outcome: Outcome) -> Trial | None:
    """The layer on the values that flowed in place; None when they are not known."""
    evidence, types = outcome.evidence, gather.element_types
    if evidence is None or types[0] is None or types[1] is None:
        return None
    operation = gather.operation
    axis = evidence.axis if operation.has_axis else None
    constants = evidence.constant & {"data", "indices"}
    return Trial(
        operation,
        gather.layer.version,
        (types[0], types[1]),
        evidence.data,
        evidence.indices,
        axis,
        evidence.batch_dims,
        form_of(gather, static=False)._replace(constants=constants),
    )


class Result(NamedTuple):
    """What became of a failure.

    ``reduction`` is None where there is nothing to make small; ``problem`` says why, or that it did not shrink.
    """

    failing: Failing
    reduction: Reduction | None
    problem: str = ""


def reduce_failing(failing: Failing, request: Request, told: Told = lambda probes, smallest: None) -> Result:
    """Make a failure small; ``told`` as ``reduce_trial`` has it.

    Raises:
        UnavailableError: OpenVINO is not installed, or has no such device.
    """
    if failing.trial is None:
        return Result(failing, None, "the model fails as a whole, and what flows into the layer is not known")
    placements = [failing.trial]
    if failing.variant == IN_PLACE:  # in the model its inputs may be computed, and its shapes known
        placement = failing.trial.placement
        placements += [
            failing.trial._replace(placement=placement._replace(static=True, constants=held))
            for held in _held(placement.constants)
        ]
    problem = ""
    for trial in placements:
        with Prober(OPENVINO, request.device, request.timeout, request.start) as probe:
            try:
                return Result(failing, reduce_trial(trial, request.run, failing.signature, probe, told))
            except NotReproducedError as error:
                problem = problem or str(error)
    if failing.variant == IN_PLACE:
        problem = f"it fails in the model only, and not alone on the values that flow there ({problem})"
    as_it_is = Reduction(failing.trial, failing.outcome, failing.signature, failing.trial, 0, 0, 0)
    return Result(failing, as_it_is, problem)


def _held(constants: frozenset[str]) -> list[frozenset[str]]:
    return [constants, frozenset()] if constants else [constants]
