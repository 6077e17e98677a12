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
_MORE = 20  # and how much slower than in proportion to its size, or than in a compiled model of its own
_LOOKED_AT = 10  # how much slower than the fastest it is to be run in a compiled model of its own
_SECONDS = 0.1  # what is faster is never one
_GROWN = (
    5  # how much slower than the first the last of inferences that grow is at least
)
_FEWEST = 4  # inferences that tell whether they grow
_FURTHER = 3  # runs of the last of them
_AGAIN = 2  # further runs of a slow inference
_GROWTH = 32 << 20  # bytes of all inferences, from which on it is looked at closer
_SERIES = 12  # further runs of what takes memory, of which all but one must take more: a pool is full before that
_STEP = 1 << 16
_STEPS = 1 << 20  # of several things done in turn, each of which may take and give back


class Cost(NamedTuple):
    """Seconds of an inference, bytes that the process grew by meanwhile, and the size of what it worked on.

    The seconds are without those in which a thread that was ready had to wait for a processor, where the system tells:
    they are the same on a busy machine.
    """

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
        queued = _queued()
        used = time.process_time()
        start = time.perf_counter()
        infer()
        seconds = time.perf_counter() - start
        used = min(seconds, time.process_time() - used)
        waited = max(
            (spent - queued.get(thread, spent) for thread, spent in _queued().items()),
            default=0.0,
        )
        own = max(used, seconds - waited)  # threads may wait beside one that works
        self.all.append(Cost(own, _resident() - before, size))

    @property
    def is_long(self) -> bool:
        """Whether the last inference took so long that it may be a finding."""
        return self.all[-1].seconds > _SECONDS

    def unusual(
        self,
        again: Callable[[int], None],
        anew: Callable[[int], None],
        request: Callable[[], None],
    ) -> tuple[str, str]:
        """The cause and words of what costs too much, and does so again; empty where nothing does.

        ``again`` runs the inference of that number once more, ``anew`` in a compiled model of its own, and ``request``
        makes a request, runs it, and lets it go; each of them measures what it does.
        """
        first = list(self.all)
        if words := (
            self._slow(first, again)
            or self._slower(first, again, anew)
            or self._growing(first, again)
        ):
            return SLOW, words
        if words := self._leak(first, again, request):
            return LEAK, words
        return "", ""

    def _slow(self, first: Sequence[Cost], again: Callable[[int], None]) -> str:
        """How slow an inference is beside the others, in words; empty where none is."""
        for number in slow(first):
            fastest = self._fastest(first, number, again)
            if number in slow([*first[:number], fastest, *first[number + 1 :]]):
                words = words_of_slow(fastest, first, number)
                return f"{words}, in inference {number + 1}"
        return ""

    def _slower(
        self,
        first: Sequence[Cost],
        again: Callable[[int], None],
        anew: Callable[[int], None],
    ) -> str:
        """How slow the slowest inference is beside itself in a compiled model of its own; empty where it is not."""
        seconds = [cost.seconds for cost in first]
        slowest = max(seconds)
        if slowest <= max(_SECONDS, _LOOKED_AT * min(seconds)):
            return ""
        number = seconds.index(slowest)
        fastest = self._fastest(first, number, again).seconds
        if fastest <= _SECONDS:
            return ""
        anew(number)
        own = self.all[-1].seconds
        if fastest <= _MORE * own:
            return ""
        return (
            f"it takes {fastest:.2g} s, and {own:.2g} s where it is the first one of a"
            f" compiled model, in inference {number + 1}"
        )

    def _growing(self, first: Sequence[Cost], again: Callable[[int], None]) -> str:
        """How an inference takes longer than the one before it, each time, in words; empty where one does not."""
        series = [cost.seconds for cost in first]
        least = max(_SECONDS, _GROWN * series[0])
        if len(series) < _FEWEST or series[-1] <= least:
            return ""
        for _ in range(_FURTHER):
            if series != sorted({*series}):
                return ""
            again(len(first) - 1)
            series.append(self.all[-1].seconds)
        if series != sorted({*series}):
            return ""
        return (
            f"each inference takes longer than the one before, {series[0]:.2g} s at"
            f" first and {series[-1]:.2g} s in the last of {len(series)}"
        )

    def _fastest(
        self, first: Sequence[Cost], number: int, again: Callable[[int], None]
    ) -> Cost:
        """The least cost of an inference and of further runs of it."""
        for _ in range(_AGAIN):
            again(number)
        return min(first[number], *self.all[-_AGAIN:])

    def _leak(
        self,
        first: Sequence[Cost],
        again: Callable[[int], None],
        request: Callable[[], None],
    ) -> str:
        """What takes memory each time that it is done, in words; empty where nothing does."""
        if sum(cost.growth for cost in first[1:]) >= _GROWTH:
            last = len(first) - 1
            if size := self._kept(lambda: again(last), _STEP):
                return f"each inference takes {size} of memory more, on the same inputs"
            most = max(range(1, len(first)), key=lambda number: first[number].growth)

            def in_turn() -> None:
                again(most - 1)
                again(most)

            if size := self._kept(in_turn, _STEPS):
                return f"inferences {most} and {most + 1} take {size} of memory more each time, in turn"
        if size := self._kept(request, _STEPS):
            return f"each infer request keeps {size} of memory when it is gone"
        return ""

    def _kept(self, step: Callable[[], None], least: int) -> str:
        """The memory that ``step`` takes more each time, but for one; empty where it gives it back."""
        steps: list[int] = []
        while len(steps) < _SERIES:
            begin = len(self.all)
            step()
            steps.append(sum(cost.growth for cost in self.all[begin:]))
            if sum(grown < least for grown in steps) > 1:
                return ""
        return f"{median(steps) / (1 << 20):.3g} MiB"


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


def _queued() -> dict[str, float]:
    """By thread of the process the seconds in which it was ready and had no processor; none where nothing tells."""
    seconds: dict[str, float] = {}
    with suppress(OSError):
        for thread in os.listdir("/proc/self/task"):
            with suppress(OSError, ValueError, IndexError):
                path = f"/proc/self/task/{thread}/schedstat"
                with open(path, encoding="ascii") as file:
                    seconds[thread] = int(file.read().split()[1]) / 1e9
    return seconds


def _resident() -> int:
    """Bytes of memory that the process holds; 0 where the system does not tell."""
    with suppress(OSError, ValueError, AttributeError):
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0
