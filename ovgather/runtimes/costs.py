"""Time and memory of inferences: what one of them takes, and which take out of all proportion."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from statistics import median
from typing import NamedTuple

SLOW = "slow"
LEAK = "leak"
"""Causes of an inference that is right, and costs too much."""
_TIMES = 100  # how much slower than its neighbours an inference is that is a finding
_MORE = 20  # and how much slower than in proportion to its size
_SECONDS = 0.1  # what is faster is never one
_AGAIN = 2  # further runs of a slow inference: a machine may have been busy
_GROWTH = 32 << 20  # bytes of all inferences, from which on it is looked at closer
_SERIES = 6  # further runs on the same inputs, of which all but one must take more
_STEP = 1 << 16


class Cost(NamedTuple):
    """Seconds of an inference, bytes that the process grew by meanwhile, and the size of what it worked on."""

    seconds: float
    growth: int
    size: int


class Costs:
    """The costs of the inferences of one process, each in the place of its number."""

    def __init__(self) -> None:
        self.all: list[Cost] = []

    def measure(self, infer: Callable[[], object], size: int) -> None:
        """Run an inference on inputs of ``size`` bytes, and keep its cost."""
        before = _resident()
        start = time.perf_counter()
        infer()
        seconds = time.perf_counter() - start
        self.all.append(Cost(seconds, _resident() - before, size))

    @property
    def is_long(self) -> bool:
        """Whether the last inference took so long that it may be a finding."""
        return self.all[-1].seconds > _SECONDS

    def unusual(self, again: Callable[[int], None]) -> tuple[str, str]:
        """The cause and words of what costs too much, and does so again; empty where nothing does.

        ``again`` runs the inference of that number once more, and measures it.
        """
        first = list(self.all)
        for number in slow(first):
            for _ in range(_AGAIN):
                again(number)
            fastest = min(first[number], *self.all[-_AGAIN:])
            if number in slow([*first[:number], fastest, *first[number + 1 :]]):
                words = words_of_slow(fastest, first, number)
                return SLOW, f"{words}, in inference {number + 1}"
        grown = sum(cost.growth for cost in first[1:])
        if grown < _GROWTH:
            return "", ""
        for _ in range(_SERIES):
            again(len(first) - 1)
        steps = sorted(cost.growth for cost in self.all[-_SERIES:])
        if steps[1] < _STEP:
            return "", ""
        size = median(steps) / (1 << 20)
        return (
            LEAK,
            f"each inference takes {size:.3g} MiB of memory more, on the same inputs",
        )


def slow(costs: Sequence[Cost]) -> list[int]:
    """The numbers of those that are a hundred times slower than the others, for what they work on."""
    if len(costs) < 3:
        return []
    return [
        number
        for number, cost in enumerate(costs)
        if cost.seconds > _SECONDS and cost.seconds > _limit(costs, number)
    ]


def words_of_slow(cost: Cost, costs: Sequence[Cost], number: int) -> str:
    """How slow the inference ``number`` is beside the others."""
    others = [*costs[:number], *costs[number + 1 :]]
    usual = median(each.seconds for each in others)
    return f"it takes {cost.seconds:.2g} s, and {usual:.2g} s in other runs"


def _limit(costs: Sequence[Cost], number: int) -> float:
    """The seconds beyond which an inference is slow beside the others, which may be smaller."""
    others = [*costs[:number], *costs[number + 1 :]]
    size = median(each.size for each in others)
    usual = median(each.seconds for each in others)
    return usual * max(_TIMES, _MORE * costs[number].size / max(1, size))


def _resident() -> int:
    """Bytes of memory that the process holds; 0 where the system does not tell."""
    with suppress(OSError, ValueError, AttributeError):
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0
