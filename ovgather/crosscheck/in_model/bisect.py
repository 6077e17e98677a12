"""A model that crashes or fails as a whole: which of its Gather layers is at fault.

The model is cut off behind some of the layers, and cut shorter until one is left that fails although what
feeds it does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ovgather.crosscheck.confirm import Ask, Run
from ovgather.crosscheck.in_model.given_indices import told
from ovgather.crosscheck.in_model.run import ModelRun, Values
from ovgather.crosscheck.in_model.tap import Tap, around
from ovgather.crosscheck.options import OPENVINO
from ovgather.crosscheck.verdict.judge import judge_error
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Outcome, with_notes

IN_INFERENCE = " in infer: "
"""What a message says that comes when indices are looked at."""
_FAILED = ("crash", "error", "timeout")


def narrowed(whole: ModelRun, failed: list[Outcome], ask: Ask) -> list[Outcome]:
    """An outcome for each layer of ``whole``, whose run as a whole ``failed``."""
    search = _Search(whole, ask)
    # A layer that feeds another one has more layers behind it.
    search.visit(sorted(range(len(whole.layers)), key=lambda position: -len(search.behind(position))))
    if not search.culprits:
        note = "no Gather layer is at fault: the parts of the model up to each of them run"
        if failed[0].verdict == "error" or whole.layers[0].gather.layer.body:
            known = [search.outcomes[position] for position in range(len(failed))]
            return [with_notes(outcome, note) if outcome.verdict == "skipped" else outcome for outcome in known]
        return [with_notes(outcome, note) for outcome in failed]
    return [search.outcomes[position] for position in range(len(failed))]


class _Search:
    def __init__(self, whole: ModelRun, ask: Ask) -> None:
        self.whole = whole
        self.ask = ask
        self.outcomes: dict[int, Outcome] = {}
        self.culprits = 0
        self.blocked: list[tuple[Outcome, set[int]]] = []
        """What is to be said of layers that cannot be reached, with the ids of these."""
        self.readers: dict[int, list[int]] = {}
        for edge in whole.model.graph.edges:
            self.readers.setdefault(edge.from_layer, []).append(edge.to_layer)

    def visit(self, positions: Sequence[int]) -> None:
        """Judge the layers at ``positions``, which are in the order of execution."""
        positions = [position for position in positions if not self._is_blocked(position)]
        if not positions:
            return
        part = self.whole.only(positions)
        outcomes = self.ask([part])[0]
        if outcomes[0].verdict not in _FAILED:
            self.outcomes.update(zip(positions, outcomes, strict=True))
        elif len(positions) > 1:
            half = len(positions) // 2
            self.visit(positions[:half])
            self.visit(positions[half:])
        else:
            self._alone(positions[0], part, outcomes[0])

    def _alone(self, position: int, part: ModelRun, outcome: Outcome) -> None:
        layer, behind = part.layers[0], self.behind(position)
        known = layer.gather.layer
        if known.body and self._runs(part, [Tap(around(known), 0)]) is not None:
            behind, skipped = set(), "its values cannot leave its body"
        elif (values := self._runs(part, layer.fed)) is not None:
            self.outcomes[position] = self._blamed(part, outcome, values)
            self.culprits += 1
            unreached = Outcome("skipped", f"the model fails before it, in layer {known.name!r}")
            self.blocked.append((unreached, behind))
            return
        else:
            skipped = "the model fails before it"
        unreached = Outcome("skipped", f"{skipped}: {outcome.reason}", cause=outcome.cause)
        self.outcomes[position] = unreached
        self.blocked.append((unreached, behind))

    def _runs(self, part: ModelRun, points: list[Tap]) -> Values | None:
        """What flows at some points of a part of the model; None where it does not run as far as them."""
        if not points:
            return Values(part.rounds[0], {})
        found: list[Values] = []
        self.ask([Points(replace(part, points=points), found)])
        return found[0] if found else None

    def _blamed(self, part: ModelRun, outcome: Outcome, values: Values) -> Outcome:
        """The outcome of a layer that fails on what flows into it: the reference may refuse it as well."""
        try:
            (evidence,) = part.layers[0].evidence(values)
        except ValueError:
            return outcome
        late = outcome.verdict == "error" and IN_INFERENCE in outcome.reason
        judged = judge_error(evidence, outcome, OPENVINO) if late else outcome
        if part.random:
            return judged
        return told(judged._replace(reason=outcome.reason), evidence, part.layers[0].gather)

    def _is_blocked(self, position: int) -> bool:
        number = around(self.whole.layers[position].gather.layer).id
        outcome = next((outcome for outcome, behind in self.blocked if number in behind), None)
        if outcome is not None:
            self.outcomes[position] = outcome
        return outcome is not None

    def behind(self, position: int) -> set[int]:
        """The ids of the layers that depend on the one at ``position``."""
        waiting, behind = [around(self.whole.layers[position].gather.layer).id], set[int]()
        while waiting:
            readers = [each for each in self.readers.get(waiting.pop(), ()) if each not in behind]
            behind.update(readers)
            waiting += readers
        return behind


@dataclass
class Points(Run):
    """What flows at the points of a part of the model; ``found`` gets it."""

    layers = (None,)
    part: ModelRun
    found: list[Values]

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        return self.part.request()

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        if "error" not in header:
            self.found[:] = [values for _, values in self.part.values(header, blobs)][:1]
        return [Outcome("equal" if self.found else "error")]

    def noted(self, outcome: Outcome) -> Outcome:
        return outcome
