"""A MatMul between Reshapes keeps the dims of its data when the model gets other input shapes."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from nets import Net

from ovgather.runtimes.load import reshape
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.shapes import outputs, reshaped

requires_openvino = pytest.mark.skipif(
    find_spec("openvino") is None, reason="openvino is not installed"
)


def net(
    bias: tuple[int, ...] | None = (1, 5),
    back: tuple[int, ...] = (1, 3, 5),
    transposed: str = "false",
    readers: int = 1,
) -> Net:
    """x [1,3,4] -> Reshape to [-1,4] -> MatMul by [4,5] -> Add -> Reshape to ``back``, for each reader."""
    made = Net()
    x = made.parameter("f32", "1,3,4")
    flat = made.add(
        "Reshape", 'special_zero="false"', x, made.const("i64", [2], [-1, 4])
    )
    for _ in range(readers):
        shape = [5, 4] if transposed == "true" else [4, 5]
        weights = made.const("f32", shape, [1.0] * 20)
        data = f'transpose_a="false" transpose_b="{transposed}"'
        product = made.add("MatMul", data, flat, weights)
        if bias is not None:
            ones = made.const("f32", bias, [1.0] * 5)
            product = made.add("Add", 'auto_broadcast="numpy"', product, ones)
        pattern = made.const("i64", [len(back)], back)
        made.add(
            "Result",
            "",
            made.add("Reshape", 'special_zero="false"', product, pattern),
        )
    return made


def shapes(made: Net, given: str) -> list[str] | str:
    """The shapes of Reshapes and products; a refused one ends them."""
    forward = reshaped(made.model(), {"l0": PartialShape.parse(given)})
    if forward.refused_on_read is not None:
        return forward.refused_on_read.layer.name
    types = ("Reshape", "MatMul", "Add")
    return [
        str(tensor.shape)
        for layer, _, tensor in outputs(made.model(), forward)
        if layer.type in types
    ]


@pytest.mark.parametrize(
    ("made", "given", "expected"),
    [
        (net(), "2,3,4", ["[2,3,4]", "[2,3,5]", "[2,3,5]", "[2,3,5]"]),
        (net(bias=None), "?,3,4", ["[?,3,4]", "[?,3,5]", "[?,3,5]"]),
        (net(bias=None, transposed="true"), "7,3,4", ["[7,3,4]", "[7,3,5]", "[7,3,5]"]),
        (net(bias=None), "1,3,4", ["[3,4]", "[3,5]", "[1,3,5]"]),
        (net(bias=(5,), back=(3, 5)), "1,3,4", ["[3,4]", "[3,5]", "[3,5]", "[3,5]"]),
        (net(back=(3, 5)), "2,3,4", "l8"),
        (net(back=(3, 1, 5)), "2,3,4", "l8"),
        (net(bias=None), "1,6,4", ["[1,6,4]", "[1,6,5]", "[1,3,5]"]),
        (net(bias=None, readers=2), "2,3,4", "l11"),
    ],
)
def test_the_first_length_follows_the_data(
    made: Net, given: str, expected: list[str] | str
) -> None:
    assert shapes(made, given) == expected


@requires_openvino
@pytest.mark.parametrize("given", ["2,3,4", "1,3,4", "1,6,4", "2..5,3,4"])
def test_as_openvino(given: str) -> None:
    for bias in (None, (5,), (1, 1, 5)):
        made = net(bias)
        model = made.model()
        told, error = reshape(model, {0: PartialShape.parse(given)})
        ours = shapes(made, given)
        if told is None:
            assert isinstance(ours, str), error
            continue
        theirs = [
            str(told[(), layer.name][0])
            for layer in model.layers()
            if layer.type in ("Reshape", "MatMul", "Add")
        ]
        assert ours == theirs
