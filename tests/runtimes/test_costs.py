"""Inferences that cost too much, by what they cost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ovgather.runtimes.costs import SLOW, Cost, Costs


@pytest.mark.parametrize(
    ("first", "further", "cause"),
    [
        ([0.06, 0.07, 0.15, 0.26, 0.4], [0.58, 0.79, 1.0], SLOW),
        ([0.06, 0.07, 0.15, 0.26, 0.4], [0.58, 0.4, 1.0], ""),
        ([0.06, 0.07, 0.25, 0.2, 0.4], [0.58, 0.79, 1.0], ""),
        ([0.2, 0.3, 0.4, 0.5, 0.6], [0.7, 0.8, 0.9], ""),
    ],
)
def test_inferences_that_take_longer_each_time_are_a_finding(
    first: list[float], further: list[float], cause: str
) -> None:
    costs = Costs()
    costs.all += [Cost(seconds, 0, 1) for seconds in first]
    rest = iter(further)

    def again(number: int) -> None:
        assert number == 4
        costs.all.append(Cost(next(rest), 0, 1))

    idle: Callable[[], None] = lambda: None  # noqa: E731
    found, words = costs.unusual(again, again, idle)
    assert found == cause
    assert bool(words) == bool(cause)
