"""The values that fit a layer."""

from __future__ import annotations

from ovgather.validation.diagnosis.fitting import fitting


def test_positive_values_are_preferred_and_dearer_where_more_fit() -> None:
    assert [*fitting([-1, 1, 5], lambda value: value < 5)] == [(1, 0.0)]
    assert [*fitting(["-1", "2"], lambda text: text == "-1")] == [("-1", 0.0)]
    assert [*fitting(range(5), lambda _: True)] == [(0, 0.4), (1, 0.4)]
