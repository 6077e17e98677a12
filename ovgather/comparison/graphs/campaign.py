"""Random graphs through OpenVINO: what failed, by group, and one graph of each group made small."""

import os
from collections import Counter
from dataclasses import dataclass
from math import inf

from ovgather.comparison.campaign import Campaign, Failures
from ovgather.comparison.entry import crosscheck_model
from ovgather.comparison.graphs.random_graph import random_graph
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.reduce.folder import write
from ovgather.comparison.reduce.layer import failures, find_layer, reduce_failing
from ovgather.comparison.reduce.search import (
    NotReproducedError,
    signature,
)
from ovgather.comparison.report import IN_PLACE, Record
from ovgather.ir.model import Model
from ovgather.ir.read import read
from ovgather.layers.reference import called, key_of


@dataclass
class GraphGroup(Failures):
    """Failures of one kind: the first of them; ``numbers`` are those of the first graphs.

    ``layers`` are how many are left of the graph, and ``folder`` holds the reproducer; ``note`` says why there is none.
    """

    type: str
    record: Record
    layers: int = 0
    folder: str = ""

    @property
    def operation(self) -> str:
        return self.type


class GraphCampaign(Campaign[GraphGroup]):
    """A run of random graphs; reproducers go into ``folder``, if given."""

    def __init__(
        self,
        limit: int,
        options: CrosscheckOptions,
        minutes: float = inf,
        folder: str | None = None,
    ) -> None:
        options = options._replace(mode=IN_PLACE, variants=(), progress=None)
        super().__init__(limit, options, minutes)
        self.folder = folder
        self.verdicts: Counter[str] = Counter()
        self.known: Counter[str] = Counter()

    def advance(self) -> None:
        self._check(self.done)
        self.done += 1

    def _model(self, number: int) -> Model:
        text, weights, _ = random_graph(self.options.seed, number)
        model = read(text, weights)
        assert isinstance(model, Model)
        return model

    def _check(self, number: int) -> None:
        model = self._model(number)
        for record in crosscheck_model(model, self.options).records:
            self.verdicts[record.verdict] += 1
            if record.verdict == "known":
                self.known[record.cause] += 1
            if self.options.fails(record.outcome):
                key = signature(record.outcome), record.layer.type
                group = self.groups.setdefault(key, GraphGroup(*key, record))
                group.count_one(number)

    def reduced(self, group: GraphGroup) -> None:
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
        if self.folder is None:
            return
        used = {os.path.basename(each.folder) for each in self.groups.values()}
        place = os.path.join(self.folder, group.folder_name(used))
        where = (
            f"{called(group.record.layer)} of graph {group.numbers[0]} of"
            f" `ovgather crosscheck --fuzz --graphs`, seed {self.options.seed}"
        )
        if write(reduction, place, self.options, where):
            group.folder = place
        else:
            group.note = f"reproduce.py in {place} does not show it here"
