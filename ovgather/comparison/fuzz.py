"""Random trials through one or more runtimes: what failed, by group, and one of each group made small. Trials are drawn
in blocks of one operation, types and form, since these often have the same model, which a runtime compiles once."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice
from random import Random

from ovgather.comparison.alone.run import run_trials
from ovgather.comparison.campaign import Campaign, Failures, Progress, silent
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.reduce.folder import write
from ovgather.comparison.reduce.plainer import weight
from ovgather.comparison.reduce.prober import CONFIRMATIONS, reduce_in_runtime
from ovgather.comparison.reduce.search import (
    Reduction,
    is_defined,
    signature,
)
from ovgather.comparison.verdict.fault_models import WITHHELD
from ovgather.ops import openvino as ops
from ovgather.ops.operation import INTEGERS
from ovgather.ops.sampling.random_layer import LayerChoice, random_layer
from ovgather.runtimes.outcome import First, Outcome
from ovgather.runtimes.pool import Interrupted
from ovgather.runtimes.trial import RUNNABLE, Placement, Trial
from ovgather.tensor.element_type import ALL

_CHUNK = 512
# how many trials a block has
_LONG = 64
_SHORT = 8
_MODELS = 8  # of a long block: compiling one takes as long as a hundred inferences
_DAMAGING = frozenset({"nf4", "f4e2m1"})  # rarely drawn, since each kills a process
# Rank and length at most; the CPU's vectors hold 16.
_SIZES = (
    (4, 4),
    (4, 4),
    (5, 3),
    (3, 9),
    (2, 20),
    (1, 80),
)
_INDEX_TYPES = tuple(
    item.name for item in ALL if item.name in INTEGERS and item.bits >= 8
)


def trials(seed: int, limit: int) -> Iterator[Trial]:
    """The first ``limit`` trials of a seed, always the same ones."""
    return islice(
        chain.from_iterable(_block(Random(f"{seed}/{block}")) for block in count()),
        limit,
    )


def _block(random: Random) -> Iterator[Trial]:
    operation = random.choice(ops.OPERATIONS)
    if random.randrange(200) == 0:
        data_type = random.choice(sorted(_DAMAGING))
    else:
        data_type = random.choice(RUNNABLE)
    index_types = operation.inputs[1].types or _INDEX_TYPES
    index_type = random.choice(
        sorted(name for name in _INDEX_TYPES if name in index_types)
    )
    rank, length = random.choice(_SIZES)
    choice = LayerChoice(
        operations=(operation,),
        element_types=(data_type,),
        index_types=(index_type,),
        negative=random.choice((None, True)),
        outside=random.choice(
            (None,) * 9 + (True,)
        ),  # undefined ones, too: many of them end the process
        wide=random.randrange(4) == 0,
        max_rank=rank,
        max_length=length,
    )
    constants = random.choice(
        ((), (), (), ("data",), ("indices",), ("data", "indices"))
    )
    axis_type = random.choice(("i64", "i64", "i32"))
    placement = Placement(
        random.random() < 0.4, frozenset(constants), axis_type, random.randrange(2)
    )
    opset = random.choice(operation.opsets)
    short = placement.static or placement.constants or data_type in _DAMAGING
    models: set[tuple[object, ...]] = set()
    left = _SHORT if short else _LONG
    while left:
        layer = random_layer(random, choice)
        data = layer.data
        indices = layer.indices
        axis = layer.axis if operation.has_axis else None
        model = (
            data.ndim,
            indices.ndim,
            axis,
            layer.batch_dims,
            axis is None and indices.shape[-1],
        )
        if short or model in models or len(models) < _MODELS:
            models.add(model)
            left -= 1
            kinds = (layer.data_type, layer.index_type)
            yield Trial(
                operation,
                opset,
                kinds,
                data,
                indices,
                axis,
                layer.batch_dims,
                placement,
            )


@dataclass
class Group(Failures):
    """Failures of one kind in a runtime; ``example`` is the smallest one.

    ``reduction`` is None before it is made, and when the failure did not come again (``note`` says so).
    """

    against: str
    example: Trial
    outcome: Outcome
    reduction: Reduction | None = None

    @property
    def operation(self) -> str:
        """The operation of all of them: ``Gather-8``."""
        return self.example.operation.name

    def add(self, number: int, trial: Trial, outcome: Outcome) -> None:
        self.count_one(number)
        if weight(trial) < weight(self.example):
            self.example = trial
            self.outcome = outcome

    @property
    def smallest(self) -> Trial:
        """The reduced trial, or the smallest that was drawn."""
        if self.reduction is not None:
            return self.reduction.trial
        return self.example

    @property
    def wrong_element(self) -> First | None:
        """What tells two faults of one smallest trial apart, where no cause does."""
        if self.reduction is None or self.signature.cause not in WITHHELD:
            return None
        return self.reduction.outcome.first


def form_label(trial: Trial) -> str:
    """How the layer is put into a model, in a few words: ``static, constant indices``."""
    names = " and ".join(sorted(trial.placement.constants))
    return ("static" if trial.placement.static else "dynamic") + (
        f", constant {names}" if names else ""
    )


class LayerCampaign(Campaign[Group]):
    """A run of random layers in one or more runtimes."""

    def __init__(self, limit: int, options: CrosscheckOptions) -> None:
        super().__init__(limit, options)
        self.verdicts: dict[str, Counter[str]] = {
            name: Counter() for name in options.against
        }
        self.known: Counter[tuple[str, str]] = Counter()
        self._stream = trials(options.seed, limit)

    def advance(self) -> None:
        self._run_chunk(list(islice(self._stream, _CHUNK)))

    def _run_chunk(self, chunk: Sequence[Trial]) -> None:
        first = self.done
        least = len(chunk)
        for against in self.options.against:
            known: Mapping[int, Outcome] = {}
            try:
                known = dict(
                    enumerate(run_trials(chunk, self._options(against), against))
                )
            except Interrupted as stop:
                known = stop.known
                raise
            finally:
                self._note(against, first, chunk, known)
                least = min(least, len(known))
                self.done = first + least

    def _note(
        self,
        against: str,
        first: int,
        chunk: Sequence[Trial],
        known: Mapping[int, Outcome],
    ) -> None:
        for position, outcome in sorted(known.items()):
            trial = chunk[position]
            if outcome.verdict == "error" and not is_defined(trial):
                outcome = Outcome("refused")  # by both
            self.verdicts[against][outcome.verdict] += 1
            if outcome.verdict == "known":
                self.known[against, outcome.cause] += 1
            if self.options.fails(outcome):
                group = Group(signature(outcome), against, trial, outcome)
                key = (against, group.operation, group.signature, form_label(trial))
                self.groups.setdefault(key, group).add(first + position, trial, outcome)

    def reduced(self, group: Group) -> None:
        group.reduction = reduce_in_runtime(
            group.example,
            group.signature,
            self._options(group.against),
            group.against,
            lambda probes, smallest: None,
        )

    def reduce(self, progress: Progress = silent) -> None:
        """Make one of each group small; groups whose smallest one is the same become one."""
        super().reduce(progress)
        merged: dict[object, Group] = {}
        for key, group in list(self.groups.items()):
            same = (
                group.against,
                group.signature,
                str(group.smallest),
                group.wrong_element,
            )
            if (
                group.reduction is not None
                and (first := merged.setdefault(same, group)) is not group
            ):
                first.count += group.count
                first.add_numbers(group.numbers)
                del self.groups[key]

    def _options(self, against: str) -> CrosscheckOptions:
        return self.options._replace(
            device=self.options.device_of(against), confirmations=CONFIRMATIONS
        )


def write_all(campaign: LayerCampaign, folder: str) -> tuple[list[str], str]:
    """Write a reproducer for each group of OpenVINO's failures; the folders, and in words the groups without one."""
    folders: list[str] = []
    left = []
    for group in campaign.ranking:
        if group.reduction is None or group.against != "openvino":
            left.append(f"{group.against} {group.operation} {group.signature}")
            continue
        folders.append(
            os.path.join(folder, group.folder_name(set(map(os.path.basename, folders))))
        )
        seen = f"layer {group.numbers[0]} of `ovgather crosscheck --fuzz`, seed {campaign.options.seed}"
        write(group.reduction, folders[-1], campaign.options, seen)
    return folders, ", ".join(left)
