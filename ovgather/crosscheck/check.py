"""One file's cross-check: every layer gets an outcome for each way to run it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ovgather.crosscheck.alone import plan_alone
from ovgather.crosscheck.asking import Asked, ask
from ovgather.crosscheck.case import Run, Skip
from ovgather.crosscheck.in_place import InPlace, plan_in_place
from ovgather.crosscheck.report import ALONE, IN_PLACE, Outcome, Record
from ovgather.crosscheck.trials import TrialCase
from ovgather.diagnostics import LayerReference
from ovgather.ir.model import Layer, Model
from ovgather.layer import GatherLayer, find_operation

if TYPE_CHECKING:
    from ovgather.crosscheck.arrays import Array

AGAINST = "openvino"


class Check:
    """The layers of a file, and their outcomes by position and variant as they come to be known."""

    def __init__(self, model: Model, layers: list[Layer], run: Run) -> None:
        self.model = model
        self.layers = layers
        self.run = run
        self.outcomes: dict[tuple[int, str], Outcome] = {}
        self.alone: dict[int, TrialCase] = {}
        self.whole: InPlace | None = None
        self.whole_positions: list[int] = []
        self.gathers: dict[int, GatherLayer] = {}
        self.unknown: dict[int, Outcome] = {}
        for position, layer in enumerate(layers):
            operation = find_operation(layer, model.snippet)
            if operation is not None:
                self.gathers[position] = GatherLayer(model, layer, operation)
            else:
                reason = f"{layer.version or 'no opset'} holds no {layer.type}"
                self.unknown[position] = Outcome("skipped", reason)

    def plan_alone(self, seed: int, given: Mapping[str, Array] | None) -> None:
        """Decide what each layer is run on by itself."""
        self._note(ALONE, self.unknown)
        for position, gather in self.gathers.items():
            try:
                self.alone[position] = plan_alone(gather, self.run, seed, given)
            except Skip as skip:
                self._note(ALONE, {position: Outcome("skipped", str(skip))})

    def plan_in_place(self, seed: int, given: Mapping[str, Array] | None) -> None:
        """Decide what the whole model is run on and where it is tapped."""
        self._note(IN_PLACE, self.unknown)
        positions = list(self.gathers)
        if not positions:
            return
        gathers = [self.gathers[position] for position in positions]
        self.whole, skipped = plan_in_place(self.model, gathers, self.run, seed, given)
        self._note(IN_PLACE, {positions[index]: outcome for index, outcome in skipped.items()})
        self.whole_positions = [position for index, position in enumerate(positions) if index not in skipped]

    def execute(self, timeout: float) -> None:
        """Run what was planned.

        Raises:
            UnavailableError: OpenVINO is not installed, or it has no such device.
        """
        cases: list[Asked] = [*self.alone.values()]
        if self.whole is not None:
            cases.append(self.whole)
        answers = self._ask(cases, timeout)
        for position, answer in zip(self.alone, answers, strict=False):
            self._note(ALONE, {position: answer[0]})
        if self.whole is not None:
            self._note_whole(self.whole, answers[-1], timeout)

    def _note_whole(self, whole: InPlace, outcomes: list[Outcome], timeout: float) -> None:
        # Some models cannot have all their dims dynamic: then they are run as they are.
        if outcomes[0].verdict == "error" and not self.run.static:
            outcomes = self._ask([whole._replace(reshaped=False)], timeout)[0]
        self._note(IN_PLACE, dict(zip(self.whole_positions, outcomes, strict=True)))

    def _ask(self, cases: list[Asked], timeout: float) -> list[list[Outcome]]:
        return ask(cases, device=self.run.device, timeout=timeout)

    def _note(self, variant: str, outcomes: Mapping[int, Outcome]) -> None:
        for position, outcome in outcomes.items():
            self.outcomes[position, variant] = outcome

    def records(self) -> Iterator[Record]:
        """The outcomes, layer by layer."""
        for position, layer in enumerate(self.layers):
            reference = LayerReference(str(layer.id), layer.name, layer.type, layer.version, layer.body)
            for variant in (ALONE, IN_PLACE):
                outcome = self.outcomes.get((position, variant))
                if outcome is not None:
                    yield Record(reference, variant, AGAINST, self.run.device, outcome)
