"""A model that crashes or fails as a whole: which of its Gather layers is at fault.

The model is cut off behind some of the layers, and cut shorter until one is left that fails although what
feeds it does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ovgather.crosscheck.confirm import Ask, Run
from ovgather.crosscheck.in_model.plan import ModelRun
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.request import with_notes

_FAILED = ("crash", "error", "timeout")


def narrowed(whole: ModelRun, failed: list[Outcome], ask: Ask) -> list[Outcome]:
    """An outcome for each layer of ``whole``, whose run as a whole ``failed``."""
    search = _Search(whole, ask)
    # A layer that feeds another one has more layers behind it.
    search.visit(sorted(range(len(whole.layers)), key=lambda position: -len(search.behind(position))))
    if not search.culprits:
        note = "no Gather layer is at fault: the parts of the model up to each of them run"
        return [with_notes(outcome, note) for outcome in failed]
    return [search.outcomes[position] for position in range(len(failed))]


class _Search:
    def __init__(self, whole: ModelRun, ask: Ask) -> None:
        self.whole = whole
        self.ask = ask
        self.outcomes: dict[int, Outcome] = {}
        self.culprits: list[tuple[str, set[int]]] = []
        """Names, with the ids of the layers behind each."""
        self.readers: dict[int, list[int]] = {}
        for edge in whole.model.graph.edges:
            self.readers.setdefault(edge.from_layer, []).append(edge.to_layer)

    def visit(self, positions: Sequence[int]) -> None:
        """Judge the layers at ``positions``, which are in the order of execution."""
        positions = [position for position in positions if not self._behind_culprit(position)]
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
        feeds = part.layers[0].fed
        if feeds and self.ask([_Inputs(replace(part, points=feeds))])[0][0] != _RAN:
            outcome = Outcome("skipped", f"the model fails before it: {outcome.reason}", cause=outcome.cause)
        else:
            self.culprits.append((part.layers[0].gather.layer.name, self.behind(position)))
        self.outcomes[position] = outcome

    def _behind_culprit(self, position: int) -> bool:
        number = self.whole.layers[position].gather.layer.id
        name = next((name for name, behind in self.culprits if number in behind), None)
        if name is not None:
            self.outcomes[position] = Outcome("skipped", f"the model fails before it, in layer {name!r}")
        return name is not None

    def behind(self, position: int) -> set[int]:
        """The ids of the layers that depend on the one at ``position``."""
        waiting, behind = [self.whole.layers[position].gather.layer.id], set[int]()
        while waiting:
            readers = [each for each in self.readers.get(waiting.pop(), ()) if each not in behind]
            behind.update(readers)
            waiting += readers
        return behind


_RAN = Outcome("equal")


@dataclass
class _Inputs(Run):
    """Whether the model runs as far as the inputs of a layer."""

    layers = (None,)
    part: ModelRun

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        return self.part.request()

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        return [Outcome("error") if "error" in header else _RAN]

    def noted(self, outcome: Outcome) -> Outcome:
        return outcome
