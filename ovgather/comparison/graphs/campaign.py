"""Random graphs through OpenVINO: what failed, by group, and one graph of each group made small."""

import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

from ovgather.comparison.entry import crosscheck_ir
from ovgather.comparison.graphs.random_graph import random_graph
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.reduce.folder import write
from ovgather.comparison.reduce.layer import failures, find_layer, reduce_failing
from ovgather.comparison.reduce.search import (
    NotReproducedError,
    Signature,
    signature,
)
from ovgather.comparison.report import IN_PLACE, Record
from ovgather.errors import OvgatherError
from ovgather.ir.model import Model
from ovgather.ir.read import read
from ovgather.layers.reference import called, key_of

Progress = Callable[[int, int], None]
_NUMBERS = 5


@dataclass
class GraphGroup:
    """Failures of one kind: the first of them, its graph, and the ``numbers`` of the first graphs.

    ``layers`` are how many are left of the graph, and ``folder`` holds the reproducer; ``note`` says why there is none.
    """

    signature: Signature
    operation: str
    record: Record
    numbers: list[int] = field(default_factory=list)
    count: int = 0
    layers: int = 0
    folder: str = ""
    note: str = ""


class GraphCampaign:
    """What is known of the first ``limit`` graphs of a seed; ``run`` and ``reduce`` can be interrupted at any time."""

    def __init__(
        self, limit: int, options: CrosscheckOptions, minutes: float = inf
    ) -> None:
        self.limit = limit
        self.options = options._replace(mode=IN_PLACE, variants=(), progress=None)
        self.minutes = minutes
        self.done = 0
        self.seconds = 0.0
        self.interrupted = False
        self.verdicts: Counter[str] = Counter()
        self.known: Counter[str] = Counter()
        self.groups: dict[tuple[Signature, str], GraphGroup] = {}

    @property
    def ranking(self) -> list[GraphGroup]:
        """The groups, the most frequent first."""
        return sorted(self.groups.values(), key=lambda each: -each.count)

    def run(self, progress: Progress = lambda known, total: None) -> None:
        """Cross-check the graphs until there are no more, or the time is over."""
        start = time.monotonic()
        try:
            while self.done < self.limit and self.seconds < 60 * self.minutes:
                self._check(self.done)
                self.done += 1
                self.seconds = time.monotonic() - start
                progress(self.done, self.limit)
        except KeyboardInterrupt:
            self.interrupted = True

    def _model(self, number: int) -> Model:
        text, weights, _ = random_graph(self.options.seed, number)
        model = read(text, weights)
        assert isinstance(model, Model)
        return model

    def _check(self, number: int) -> None:
        model = self._model(number)
        for record in crosscheck_ir(model, self.options).records:
            self.verdicts[record.verdict] += 1
            if record.verdict == "known":
                self.known[record.cause] += 1
            if self.options.fails(record.outcome):
                kind = record.layer.type
                key = signature(record.outcome), kind
                group = self.groups.setdefault(key, GraphGroup(*key, record))
                group.count += 1
                group.numbers += [number] * (len(group.numbers) < _NUMBERS)

    def reduce(
        self, folder: str | None, progress: Progress = lambda known, total: None
    ) -> None:
        """Make the first graph of each group small; reproducers go into ``folder``, if given."""
        try:
            for number, group in enumerate(self.ranking, 1):
                try:
                    self._reduce(group, folder)
                except OvgatherError as error:
                    group.note = str(error)
                progress(number, len(self.groups))
        except KeyboardInterrupt:
            self.interrupted = True

    def _reduce(self, group: GraphGroup, folder: str | None) -> None:
        model = self._model(group.numbers[0])
        layer = find_layer(model, key_of(group.record.layer))
        failing = [
            each
            for each in failures(model, layer, self.options, IN_PLACE)
            if each.signature == group.signature
        ]
        if not failing:
            raise NotReproducedError("the failure does not come again")
        reduction = reduce_failing(failing[0], self.options, lambda runs, trial: None)
        group.layers = 1
        if reduction.part is not None:
            group.layers = reduction.part.layers
        if folder is None:
            return
        words = group.operation.lower(), *group.signature, str(group.numbers[0])
        place = os.path.join(folder, "-".join(filter(None, words)))
        where = (
            f"{called(group.record.layer)} of graph {group.numbers[0]} of"
            f" `ovgather crosscheck --fuzz --graphs`, seed {self.options.seed}"
        )
        if write(reduction, place, self.options, where):
            group.folder = place
        else:
            group.note = f"reproduce.py in {place} does not show it here"
