"""A run of random trials through one or more runtimes: what failed, by group, and one of each group made small."""

import os
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count, islice

from ovgather.crosscheck.alone.run import run_trials
from ovgather.crosscheck.fuzz.draw import Drawn, trials
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.reduce.folder import Origin, write
from ovgather.crosscheck.reduce.plainer import weight
from ovgather.crosscheck.reduce.prober import CONFIRMATIONS, reduce_in_runtime
from ovgather.crosscheck.reduce.search import NotReproducedError, Reduction, Signature, is_defined, signature
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.pool import Interrupted
from ovgather.runtimes.trial import Trial

Progress = Callable[[int, int], None]

_CHUNK = 512
_NUMBERS = 5


@dataclass
class Group:
    """Failures of one kind in a runtime; ``numbers`` are those of the first of them, ``example`` is the smallest one.

    ``reduction`` is None before it is made, and when the failure did not come again (``note`` says so).
    """

    against: str
    signature: Signature
    example: Trial
    outcome: Outcome
    count: int = 0
    numbers: list[int] = field(default_factory=list)
    reduction: Reduction | None = None
    note: str = ""

    @property
    def operation(self) -> str:
        """The operation of all of them: ``Gather-8``."""
        return self.example.operation.name

    @property
    def placement(self) -> str:
        """How all of them are put into a model."""
        return form_label(self.example)

    def add(self, trial: Drawn, outcome: Outcome) -> None:
        """One more of the kind."""
        self.count += 1
        if len(self.numbers) < _NUMBERS:
            self.numbers.append(trial.number)
        if weight(trial.trial) < weight(self.example):
            self.example, self.outcome = trial.trial, outcome

    @property
    def smallest(self) -> Trial:
        """The reduced trial, or the smallest that was drawn."""
        return self.reduction.trial if self.reduction is not None else self.example


def form_label(trial: Trial) -> str:
    """How the layer is put into a model, in a few words: ``static, constant indices``."""
    names = " and ".join(sorted(trial.placement.constants))
    return ("static" if trial.placement.static else "dynamic") + (f", constant {names}" if names else "")


class Campaign:
    """What is known of the first ``limit`` trials; ``run`` and ``reduce`` can be interrupted at any time."""

    def __init__(self, limit: int, options: CrosscheckOptions) -> None:
        self.limit = limit
        self.options = options
        self.done = 0
        self.seconds = 0.0
        self.interrupted = False
        self.verdicts: dict[str, Counter[str]] = {name: Counter() for name in options.against}
        self.known: Counter[tuple[str, str]] = Counter()
        self.groups: dict[tuple[str, str, Signature, str], Group] = {}

    @property
    def ranking(self) -> list[Group]:
        """The groups, the most frequent first."""
        return sorted(self.groups.values(), key=lambda group: (-group.count, group.operation, group.placement))

    def run(self, progress: Progress = lambda known, total: None) -> None:
        """Run the trials; ``progress`` is called with how many of how many are done."""
        start = time.monotonic()
        stream = trials(self.options.seed, self.limit)
        try:
            while chunk := list(islice(stream, _CHUNK)):
                self._run_chunk(chunk)
                progress(self.done, self.limit)
        except KeyboardInterrupt:
            self.interrupted = True
        self.seconds = time.monotonic() - start

    def _run_chunk(self, chunk: list[Drawn]) -> None:
        numbers: list[int] = []
        try:
            for against in self.options.against:
                outcomes = run_trials([each.trial for each in chunk], self._options(against), against)
                numbers.append(len(outcomes))
                self._note(against, chunk, dict(enumerate(outcomes)))
        except Interrupted as stop:
            self._note(against, chunk, stop.known)
            numbers.append(len(stop.known))
            raise
        finally:
            self.done += min(numbers, default=0)

    def _note(self, against: str, chunk: list[Drawn], outcomes: Mapping[int, Outcome]) -> None:
        for position, outcome in sorted(outcomes.items()):
            if outcome.verdict == "error" and not is_defined(chunk[position].trial):
                outcome = Outcome("refused")  # by both
            self.verdicts[against][outcome.verdict] += 1
            if outcome.verdict == "known":
                self.known[against, outcome.cause] += 1
            if self.options.fails(outcome):
                group = Group(against, signature(outcome), chunk[position].trial, outcome)
                key = (against, group.operation, group.signature, group.placement)
                self.groups.setdefault(key, group).add(chunk[position], outcome)

    def reduce(self, progress: Progress = lambda known, total: None) -> None:
        """Make one of each group small; groups whose smallest one is the same become one."""
        try:
            for number, group in enumerate(self.ranking):
                self._reduce(group)
                progress(number + 1, len(self.groups))
        except KeyboardInterrupt:
            self.interrupted = True
        self._merge()

    def _options(self, against: str) -> CrosscheckOptions:
        """How a runtime is run."""
        return self.options._replace(device=self.options.device_of(against), confirmations=CONFIRMATIONS)

    def _reduce(self, group: Group) -> None:
        try:
            options = self._options(group.against)
            group.reduction = reduce_in_runtime(group.example, group.signature, options, group.against)
        except NotReproducedError as error:
            group.note = str(error)

    def _merge(self) -> None:
        merged: dict[object, Group] = {}
        for key, group in list(self.groups.items()):
            if group.reduction is None:
                continue
            first = merged.setdefault((group.against, group.signature, str(group.smallest)), group)
            if first is not group:
                first.count += group.count
                first.numbers = sorted({*first.numbers, *group.numbers})[:_NUMBERS]
                del self.groups[key]


def write_all(campaign: Campaign, folder: str) -> tuple[list[str], str]:
    """Write a reproducer for each group of OpenVINO's failures; the folders, and in words the groups without one."""
    folders: list[str] = []
    left = []
    for group in campaign.ranking:
        if group.reduction is None or group.against != "openvino":
            left.append(f"{group.against} {group.operation} {group.signature}")
            continue
        path = os.path.join(folder, folder_name(group, {os.path.basename(name) for name in folders}))
        seen = f"layer {group.numbers[0]} of `ovgather crosscheck --fuzz`, seed {campaign.options.seed}"
        write(group.reduction, path, Origin(campaign.options.device, seen))
        folders.append(path)
    return folders, ", ".join(left)


def folder_name(group: Group, used: set[str]) -> str:
    """A name for the group's folder that is not in ``used``."""
    words = [group.operation, group.signature.verdict, group.signature.cause]
    name = re.sub(r"[^a-z0-9]+", "-", "-".join(filter(None, words)).lower()).strip("-")
    candidates = (name if number == 1 else f"{name}-{number}" for number in count(1))
    return next(candidate for candidate in candidates if candidate not in used)
