"""What a run of random layers and one of random graphs share: counts, groups of failures, an end by hand or by time."""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from itertools import chain, count
from math import inf
from typing import Generic, TypeVar

from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.reduce.search import Signature
from ovgather.errors import OvgatherError

Progress = Callable[[int, int], None]
_NUMBERS = 5
AnyGroup = TypeVar("AnyGroup", bound="Failures")


def silent(known: int, total: int) -> None:
    """No progress is shown."""


@dataclass
class Failures(ABC):
    """Failures of one kind; ``numbers`` are those of the first of them, ``note`` says why none was made small."""

    signature: Signature
    count: int = field(default=0, kw_only=True)
    numbers: list[int] = field(default_factory=list, kw_only=True)
    note: str = field(default="", kw_only=True)

    @property
    @abstractmethod
    def operation(self) -> str:
        """The operation of all of them: ``Gather-8``."""

    def count_one(self, number: int) -> None:
        """Count one more."""
        self.count += 1
        self.add_numbers([number])

    def add_numbers(self, numbers: Collection[int]) -> None:
        self.numbers = sorted({*self.numbers, *numbers})[:_NUMBERS]

    def folder_name(self, used: Collection[str]) -> str:
        """A name for the folder of its reproducer that is not in ``used``."""
        words = [self.operation, self.signature.verdict, self.signature.cause]
        name = re.sub(r"[^a-z0-9]+", "-", "-".join(filter(None, words)).lower())
        name = name.strip("-")
        names = chain([name], (f"{name}-{number}" for number in count(2)))
        return next(each for each in names if each not in used)


class Campaign(ABC, Generic[AnyGroup]):
    """What is known of the first ``limit`` cases of a seed; ``run`` and ``reduce`` can be interrupted at any time."""

    def __init__(
        self, limit: int, options: CrosscheckOptions, minutes: float = inf
    ) -> None:
        self.limit = limit
        self.options = options
        self.minutes = minutes
        self.done = 0
        self.seconds = 0.0
        self.interrupted = False
        self.groups: dict[object, AnyGroup] = {}

    @property
    def ranking(self) -> list[AnyGroup]:
        """The groups, the most frequent first."""
        return sorted(
            self.groups.values(), key=lambda each: (-each.count, each.operation)
        )

    @abstractmethod
    def advance(self) -> None:
        """Run the next cases, and count those that are ``done``."""

    @abstractmethod
    def reduced(self, group: AnyGroup) -> None:
        """Make one of a group small. Raises OvgatherError where that cannot be."""

    def run(self, progress: Progress = silent) -> None:
        """Run cases until there are no more, or the time is over; ``progress`` gets how many of how many are done."""
        start = time.monotonic()
        try:
            while self.done < self.limit and self.seconds < 60 * self.minutes:
                self.advance()
                self.seconds = time.monotonic() - start
                progress(self.done, self.limit)
        except KeyboardInterrupt:
            self.interrupted = True
        self.seconds = time.monotonic() - start

    def reduce(self, progress: Progress = silent) -> None:
        """Make one of each group small."""
        try:
            for number, group in enumerate(self.ranking, 1):
                try:
                    self.reduced(group)
                except OvgatherError as error:
                    group.note = str(error)
                progress(number, len(self.groups))
        except KeyboardInterrupt:
            self.interrupted = True
