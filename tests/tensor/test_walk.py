"""The way through a graph."""

from ovgather.tensor.walk import reached

_GRAPH = {"a": "bc", "b": "d", "c": "d", "d": "ea", "e": "", "f": "a"}


def test_each_node_once_with_the_starts():
    assert sorted(reached("a", _GRAPH.__getitem__)) == list("abcde")
    assert next(reached("ff", _GRAPH.__getitem__)) == "f"
    assert list(reached("", _GRAPH.__getitem__)) == []


def test_a_circle_ends():
    assert list(reached("a", lambda node: node)) == ["a"]


def test_who_stops_early_has_asked_for_few():
    asked = []

    def following(node):
        asked.append(node)
        return _GRAPH[node]

    nodes = reached("a", following)
    assert [next(nodes), next(nodes)] == ["a", "b"]
    assert asked == ["a"]


def test_a_long_way():
    assert (
        sum(1 for _ in reached([0], lambda node: [node + 1] if node < 100_000 else []))
        == 100_001
    )
