"""A model that crashes or fails as a whole: which of its Gather layers is at fault.

The model is cut off behind some of the layers, and cut shorter until one is left that fails although what
feeds it does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ovgather.crosscheck.confirm import Ask, Run
from ovgather.crosscheck.in_model.plan import ModelRun
from ovgather.ir.graph import Graph
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.request import with_notes

_FAILED = ("crash", "error", "timeout")


def narrowed(whole: ModelRun, failed: list[Outcome], ask: Ask) -> list[Outcome]:
    """An outcome for each layer of ``whole``, whose run as a whole ``failed``."""
    search = _Search(whole, ask)
    search.visit(_in_order(whole))
    if not search.culprits:
        note = "no Gather layer is at fault: the parts of the model up to each of them run"
        return [with_notes(outcome, note) for outcome in failed]
    return [search.outcomes[position] for position in range(len(failed))]


class _Search:
    def __init__(self, whole: ModelRun, ask: Ask) -> None:
        self.whole = whole
        self.ask = ask
        self.outcomes: dict[int, Outcome] = {}
        self.culprits: dict[int, set[int]] = {}
        """By layer id the ids of the layers behind it."""

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
        fed = part.layers[0].fed
        if fed and self.ask([_Inputs(replace(part, points=[part.points[number] for number in fed]))])[0][0] != _RAN:
            outcome = Outcome("skipped", f"the model fails before it: {outcome.reason}", cause=outcome.cause)
        else:
            layer = part.layers[0].gather.layer
            self.culprits[layer.id] = _behind(layer.graph, layer.id)
        self.outcomes[position] = outcome

    def _behind_culprit(self, position: int) -> bool:
        layer = self.whole.layers[position].gather.layer
        for culprit, behind in self.culprits.items():
            if layer.id in behind:
                name = layer.graph.by_id[culprit].name
                self.outcomes[position] = Outcome("skipped", f"the model fails before it, in layer {name!r}")
                return True
        return False


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


def _in_order(whole: ModelRun) -> list[int]:
    """The layers so that none comes before what feeds it."""
    depth = _depths(whole.model.graph)
    return sorted(range(len(whole.layers)), key=lambda position: depth[whole.layers[position].gather.layer.id])


def _depths(graph: Graph) -> Mapping[int, int]:
    """The place of each layer, by id, in an order in which sources come first."""
    feeding: dict[int, list[int]] = {}
    for edge in graph.edges:
        feeding.setdefault(edge.to_layer, []).append(edge.from_layer)
    place: dict[int, int] = {}
    for start in graph.by_id:
        waiting = [start]
        entered: set[int] = set()
        while waiting:
            number = waiting[-1]
            sources = [each for each in feeding.get(number, ()) if each not in place and each not in entered]
            entered.add(number)
            if sources:
                waiting += sources
            else:
                place.setdefault(waiting.pop(), len(place))
    return place


def _behind(graph: Graph, number: int) -> set[int]:
    """The ids of the layers that depend on layer ``number``."""
    behind: set[int] = set()
    feeds: dict[int, list[int]] = {}
    for edge in graph.edges:
        feeds.setdefault(edge.from_layer, []).append(edge.to_layer)
    waiting = list(feeds.get(number, ()))
    while waiting:
        each = waiting.pop()
        if each not in behind:
            behind.add(each)
            waiting += feeds.get(each, ())
    return behind
