"""Random graphs are valid, always the same for a seed, and hold what a fuzz of graphs is for."""

from collections import Counter

import pytest

import ovgather
from ovgather.comparison.graphs.random_graph import random_graph


def types_of_valid_graphs(number: int) -> tuple[Counter[str], int]:
    """How often each type is in the first graphs of a seed, which are valid, and how many of these are dynamic."""
    types = Counter[str]()
    dynamic = 0
    for place in range(number):
        text, weights, own = random_graph(3, place)
        findings = ovgather.validate(text, weights)
        assert [each for each in findings if each.severity == "error"] == []
        types.update(own)
        dynamic += b'shape="-1' in text or b"?" in text
    return types, dynamic


def test_they_are_valid_and_have_gathers() -> None:
    types, _ = types_of_valid_graphs(4)
    assert any(type.startswith("Gather") for type in types)


@pytest.mark.slow
def test_what_many_hold() -> None:
    types, dynamic = types_of_valid_graphs(40)
    expected = "Gather GatherElements GatherND If Loop TensorIterator Concat Reshape"
    assert types.keys() >= set(expected.split())
    assert dynamic > 8


@pytest.mark.slow
def test_a_seed_gives_the_same() -> None:
    assert random_graph(3, 7) == random_graph(3, 7)
    assert random_graph(4, 7) != random_graph(3, 7)
