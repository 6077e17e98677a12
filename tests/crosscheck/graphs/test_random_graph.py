"""Random graphs are valid, always the same for a seed, and hold what a fuzz of graphs is for."""

from collections import Counter
from functools import cache

import ovgather
from ovgather.comparison.graphs.random_graph import random_graph


@cache
def graphs() -> list[tuple[bytes, bytes, list[str]]]:
    return [random_graph(3, number) for number in range(40)]


def test_they_are_valid() -> None:
    for text, weights, _ in graphs():
        findings = ovgather.validate(text, weights)
        assert [each for each in findings if each.severity == "error"] == []


def test_a_seed_gives_the_same() -> None:
    assert random_graph(3, 7) == graphs()[7]
    assert random_graph(4, 7) != graphs()[7]


def test_what_they_hold() -> None:
    types = Counter(type for _, _, types in graphs() for type in types)
    expected = "Gather GatherElements GatherND If Loop TensorIterator Concat Reshape"
    assert types.keys() >= set(expected.split())
    assert sum(b'shape="-1' in text or b"?" in text for text, _, _ in graphs()) > 8
