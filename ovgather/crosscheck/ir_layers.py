"""The Gather layers of an IR, as ``Check`` runs them: alone in all variants, and in the whole model."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from ovgather.crosscheck.alone import variants
from ovgather.crosscheck.alone.run import TrialRun, form_of, plan_alone
from ovgather.crosscheck.check import Layers
from ovgather.crosscheck.confirm import Ask
from ovgather.crosscheck.in_model.plan import IrRun, plan_in_model
from ovgather.crosscheck.options import OPENVINO, CrosscheckOptions
from ovgather.crosscheck.report import ALONE
from ovgather.errors import InvalidModelError, shown
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer, find_operation, is_family
from ovgather.layers.reference import reference
from ovgather.runtimes.outcome import Evidence, Outcome, Skip
from ovgather.runtimes.trial import Trial

_DRAWS, _FAR = 2, 1 << 20
"""How often random inputs are drawn again where a model fails on them, and the seeds they have."""


def family_layers(model: Model, reference: str | None) -> list[Layer]:
    """The layers of the family, or the one that is asked for. Raises InvalidModelError."""
    if reference is None:
        return [layer for layer in model.layers() if is_family(layer)]
    layer = model.find(reference)
    if not is_family(layer):
        raise InvalidModelError(f"{model.path}: layer {shown(reference)} is a {layer.type}, not a Gather")
    return [layer]


class IrLayers(Layers):
    def __init__(self, model: Model, layers: Sequence[Layer], options: CrosscheckOptions) -> None:
        self.model = model
        self.options = options
        self.path = model.path
        self.references = [reference(layer) for layer in layers]
        self.variants = variants.names(options.variants, options.static)
        self.whole_in: Sequence[str] = (OPENVINO,) if OPENVINO in options.against else ()
        self.gathers: list[GatherLayer | Skip] = []
        self._runs: dict[tuple[variants.LayerCase, str], list[TrialRun]] = {}
        for layer in layers:
            operation = find_operation(layer, model.snippet)
            missing = Skip(f"{layer.version or 'no opset'} holds no {layer.type}")
            self.gathers.append(missing if operation is None else GatherLayer(model, layer, operation))

    def alone(self, position: int) -> dict[str, list[TrialRun]]:
        gather = self.gathers[position]
        if isinstance(gather, Skip):
            raise gather
        plain = plan_alone(gather, self.options)
        runs: dict[str, list[TrialRun]] = {ALONE: [plain]}
        with suppress(Skip):
            case = variants.layer_case(gather, self.options.seed)
            some = {name: self._variant(name, case, plain) for name in self.variants}
            runs |= {name: each for name, each in some.items() if each}
        return runs

    def alone_on(self, position: int, evidence: Evidence) -> list[TrialRun]:
        gather = self.gathers[position]
        trial = flowed(gather, evidence) if isinstance(gather, GatherLayer) else None
        return [TrialRun(each, self.options) for each in (trial, _other_form(trial))] if trial else []

    def _variant(self, name: str, case: variants.LayerCase, plain: TrialRun) -> list[TrialRun]:
        """The runs of a variant, the same for layers that are alike; none where it makes no sense."""
        if name in ("static", "dynamic"):
            return [replace(plain, source=lambda: _other_form(plain.trial))]
        if (case, name) not in self._runs:
            self._runs[case, name] = [replace(plain, source=trial, note="") for trial in variants.make(name, case)]
        return self._runs[case, name]

    def in_model(self) -> tuple[Sequence[IrRun], dict[int, Outcome]]:
        rest = {at: gather.outcome for at, gather in enumerate(self.gathers) if isinstance(gather, Skip)}
        gathers = {at: gather for at, gather in enumerate(self.gathers) if isinstance(gather, GatherLayer)}
        runs, skipped = plan_in_model(self.model, gathers, self.options) if gathers else ([], {})
        return runs, rest | skipped

    def narrowed(self, run: IrRun, outcomes: list[Outcome], ask: Ask) -> list[Outcome]:
        # Indices are out of range only when they are looked at.
        for number in range(_DRAWS if run.late in outcomes[0].reason else 0):
            if outcomes[0].verdict == "error" and run.draw is not None and run.random:
                run = replace(run, rounds=run.draw(self.options.seed + _FAR + number))
                outcomes = ask([run])[0]
        if outcomes[0].verdict == "error" and not self.options.static and run.reshaped:
            # Some models cannot have all their dims dynamic: then they are run as they are.
            as_they_are = ask([replace(run, reshaped=False)])[0]
            if as_they_are[0].verdict != "error" or run.late not in outcomes[0].reason:
                run, outcomes = replace(run, reshaped=False), as_they_are
        return super().narrowed(run, outcomes, ask)


def _other_form(trial: Trial) -> Trial:
    """The same trial on static shapes where it is on dynamic ones, and the other way round."""
    return trial._replace(placement=trial.placement._replace(static=not trial.placement.static))


def flowed(gather: GatherLayer, evidence: Evidence | None) -> Trial | None:
    """The layer on the values that flowed in place; None when they are not known."""
    data, indices = gather.element_types[:2]
    if evidence is None or data is None or indices is None:
        return None
    axis = evidence.axis if gather.operation.has_axis else None
    placement = form_of(gather, static=False)._replace(constants=evidence.constant & {"data", "indices"})
    values = evidence.data, evidence.indices, axis, evidence.batch_dims
    return Trial(gather.operation, gather.layer.version, (data, indices), *values, placement)
