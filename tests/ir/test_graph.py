"""What a graph knows of its order."""

from __future__ import annotations

import pytest
from small_models import layer, net, parameter, result

import ovgather
from ovgather.validation.facts.edges import find_cycle

F32 = "FP32 2"


def relu(number: int) -> str:
    return layer(number, "ReLU", "opset1", "", (F32,), (F32,))


@pytest.mark.parametrize(
    ("edges", "order", "cycle"),
    [
        ("0:0-1:0 1:1-2:0 2:1-3:0", ([0, 1, 2, 3], 4), []),
        ("0:0-2:0 2:1-1:0 1:1-3:0", ([0, 2, 1, 3], 4), []),
        ("2:1-1:0 1:1-2:0 2:1-3:0", ([0, 1, 2, 3], 1), [1, 2]),
        # an edge of which a later one into the same port takes the place
        ("2:1-1:0 1:1-2:0 0:0-1:0 2:1-3:0", ([0, 1, 2, 3], 4), [1, 2]),
    ],
)
def test_order_and_cycles(
    edges: str, order: tuple[list[int], int], cycle: list[int]
) -> None:
    text = net(
        parameter(0, "2", "f32", F32), relu(1), relu(2), result(3, F32), edges=edges
    )
    graph = ovgather.read(text.encode()).graph
    assert graph.order == order
    assert find_cycle(graph) == cycle


def test_what_layers_depend_on() -> None:
    text = net(
        parameter(0, "2", "f32", F32),
        relu(1),
        relu(2),
        result(3, F32),
        edges="0:0-1:0 1:1-2:0 1:1-3:0",
    )
    graph = ovgather.read(text.encode()).graph
    assert graph.reaching({"Result"}) == {0, 1, 3}
