"""Constants by way of layers that compute them: the axis, the indices, and where it ends."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import pytest
from nets import Net

from ovgather.layers.gather_layer import GatherLayer, gather_layers
from ovgather.runtimes.load import reshape

requires_openvino = pytest.mark.skipif(
    find_spec("openvino") is None, reason="openvino is not installed"
)


def add_gather(net: Net, axis: int) -> int:
    """A Gather whose axis is the layer ``axis``."""
    data, indices = net.parameter("f32", "3,4,5"), net.parameter("i64", "7")
    gather = net.add("Gather", 'batch_dims="0"', data, indices, axis, version="opset8")
    net.add("Result", "", gather)
    return gather


def gather_of(net: Net, weights: bool = True) -> GatherLayer:
    """A Gather whose axis is the last layer of ``net``."""
    whole = net.copy()
    add_gather(whole, len(net.layers) - 1)
    return [*gather_layers(whole.model(weights))][-1]


def direct(net: Net) -> None:
    net.const("i64", [], [-1])


def converted(net: Net) -> None:
    net.add("Convert", 'destination_type="i32"', net.const("i64", [1], [2]))


def real(net: Net) -> None:
    net.add("Convert", 'destination_type="i64"', net.const("f32", [], [1.9]))


def halves(net: Net) -> None:
    net.add("Convert", 'destination_type="i64"', net.const("f16", [], [-1.0]))


def reshaped(net: Net) -> None:
    net.add(
        "Reshape",
        'special_zero="false"',
        net.const("i64", [], [2]),
        net.const("i64", [1], [-1]),
    )


def kept_zero(net: Net) -> None:
    net.add(
        "Reshape",
        'special_zero="true"',
        net.const("i64", [1, 1], [2]),
        net.const("i64", [1], [0]),
    )


def squeezed(net: Net) -> None:
    net.add("Squeeze", "", net.const("i64", [1, 1], [2]), net.const("i64", [1], [-1]))


def squeezed_all(net: Net) -> None:
    net.add("Squeeze", "", net.const("i64", [1, 1], [2]))


def unsqueezed(net: Net) -> None:
    net.add("Unsqueeze", "", net.const("i64", [], [2]), net.const("i64", [1], [0]))


def added(net: Net) -> None:
    net.add(
        "Add",
        'auto_broadcast="numpy"',
        net.const("i64", [1], [3]),
        net.const("i64", [], [-2]),
    )


def subtracted(net: Net) -> None:
    net.add("Subtract", "", net.const("i32", [], [1]), net.const("i32", [], [2]))


def multiplied(net: Net) -> None:
    net.add("Multiply", "", net.const("i64", [], [-1]), net.const("i64", [], [2]))


def wrapped(net: Net) -> None:
    net.add("Add", "", net.const("i8", [], [127]), net.const("i8", [], [127]))


def concatenated(net: Net) -> None:
    net.add("Concat", 'axis="0"', net.const("i64", [1], [2]), net.const("i64", [0], []))


def long(net: Net) -> None:
    value = net.const("i64", [], [0])
    for _ in range(10):
        value = net.add("Add", "", value, net.const("i64", [], [3]))
        value = net.add("Convert", 'destination_type="i64"', value)
    net.add("Subtract", "", value, net.const("i64", [], [29]))


def negated(net: Net) -> None:
    net.add("Negative", "", net.const("i64", [], [1]))


def narrowed(net: Net) -> None:
    net.add("Convert", 'destination_type="i8"', net.const("i64", [], [257]))


def shape_of_a_constant(net: Net) -> None:
    shape = net.add(
        "ShapeOf",
        'output_type="i64"',
        net.const("f32", [2, 1], [0.0, 0.0]),
        version="opset3",
    )
    zero, one = net.const("i64", [], [0]), net.const("i64", [], [1])
    net.add("Gather", 'batch_dims="0"', shape, one, zero, version="opset8")


KNOWN: list[tuple[Callable[[Net], None], int]] = [
    (direct, -1),
    (converted, 2),
    (real, 1),
    (halves, -1),
    (reshaped, 2),
    (kept_zero, 2),
    (squeezed, 2),
    (squeezed_all, 2),
    (unsqueezed, 2),
    (added, 1),
    (subtracted, -1),
    (multiplied, -2),
    (wrapped, -2),
    (concatenated, 2),
    (long, 1),
    (negated, -1),
    (narrowed, 1),
    (shape_of_a_constant, 1),
]


@pytest.mark.parametrize(
    ("make", "axis"), KNOWN, ids=lambda value: getattr(value, "__name__", "")
)
def test_an_axis_that_is_computed_from_constants(
    make: Callable[[Net], None], axis: int
) -> None:
    net = Net()
    make(net)
    gather = gather_of(net)
    assert (gather.axis, gather.axis_source) == (axis, "const")
    expected = [3, 4, 5]
    expected[axis] = 7
    assert [dim.length for dim in gather.inference.shape] == expected  # type: ignore[union-attr]


@requires_openvino
def test_openvino_computes_the_same_axis() -> None:
    """All of them in one model: the dim that OpenVINO's shape says the axis is."""
    whole, expected = Net(), []
    for make, axis in KNOWN:
        make(whole)
        dims = [3, 4, 5]
        dims[axis] = 7
        expected.append((f"l{add_gather(whole, len(whole.layers) - 1)}", dims))
    told, error = reshape(whole.model(), {})
    assert told is not None, error
    for name, dims in expected:
        assert [dim.length for dim in told[(), name][0]] == dims


def no_bin(net: Net) -> str:
    net.add("Add", "", net.const("i64", [], [1]), net.const("i64", [], [1]))
    return "there is no .bin"


def of_a_parameter(net: Net) -> str:
    parameter = net.add("Parameter", 'shape="" element_type="i64"')
    net.add(
        "Convert",
        'destination_type="i64"',
        net.add("Add", "", parameter, net.const("i64", [], [1])),
    )
    return 'Convert 3 "l3" computes it'


def not_finite(net: Net) -> str:
    net.add("Convert", 'destination_type="i64"', net.const("f32", [], [float("inf")]))
    return 'Convert 1 "l1" computes it'


def to_boolean(net: Net) -> str:
    net.add("Convert", 'destination_type="boolean"', net.const("i64", [], [2]))
    return 'Convert 1 "l1" computes it'


def types_differ(net: Net) -> str:
    net.add("Add", "", net.const("i64", [], [1]), net.const("i32", [], [1]))
    return 'Add 2 "l2" computes it'


def shapes_differ(net: Net) -> str:
    net.add("Add", "", net.const("i64", [2], [1, 1]), net.const("i64", [3], [1, 1, 1]))
    return 'Add 2 "l2" computes it'


def no_broadcast(net: Net) -> str:
    net.add(
        "Add",
        'auto_broadcast="none"',
        net.const("i64", [1], [1]),
        net.const("i64", [], [1]),
    )
    return 'Add 2 "l2" computes it'


def no_such_reshape(net: Net) -> str:
    net.add("Reshape", "", net.const("i64", [2], [1, 1]), net.const("i64", [1], [3]))
    return 'Reshape 2 "l2" computes it'


def squeeze_of_two(net: Net) -> str:
    net.add("Squeeze", "", net.const("i64", [2], [1, 1]), net.const("i64", [1], [0]))
    return 'Squeeze 2 "l2" computes it'


def a_cycle(net: Net) -> str:
    net.add("Add", "", 0, 0)
    return 'Add 0 "l0" computes it'


def many_values(net: Net) -> str:
    net.const("i64", [2], [0, 1])
    return "the constant that feeds it is i64 [2], or is not in the .bin"


UNKNOWN = [
    no_bin,
    of_a_parameter,
    not_finite,
    to_boolean,
    types_differ,
    shapes_differ,
    no_broadcast,
    no_such_reshape,
    squeeze_of_two,
    a_cycle,
    many_values,
]


@pytest.mark.parametrize(
    "make", UNKNOWN, ids=lambda value: getattr(value, "__name__", "")
)
def test_an_axis_that_is_not_known_and_why(make: Callable[[Net], str]) -> None:
    net = Net()
    why = make(net)
    gather = gather_of(net, weights=make is not no_bin)
    assert (gather.axis, gather.axis_source, gather.axis_note) == (None, "unknown", why)


# -- constant indices ----------------------------------------------------------------------------------------------


def indices(
    net: Net, data: str = "9,4"
) -> tuple[str, tuple[int, ...], tuple[int, ...]] | None:
    """The constant that the last layer of ``net`` is to a Gather that takes it as indices: type, shape, elements."""
    whole = net.copy()
    last, axis = len(net.layers) - 1, whole.const("i64", [], [0])
    gather = whole.add(
        "Gather",
        'batch_dims="0"',
        whole.parameter("f32", data),
        last,
        axis,
        version="opset8",
    )
    whole.add("Result", "", gather)
    constant = [*gather_layers(whole.model())][-1].constant(1)
    if constant is None:
        return None
    return constant.element_type.name, constant.shape, tuple(constant.integers())


def test_indices_that_are_computed() -> None:
    net = Net()
    table = net.const("i64", [2, 1], [10, 20])
    row = net.const("i64", [3], [1, 2, 3])
    net.add("Add", "", table, row)
    assert indices(net) == ("i64", (2, 3), (11, 12, 13, 21, 22, 23))
    net.add("Reshape", 'special_zero="false"', 2, net.const("i64", [2], [3, -1]))
    assert indices(net) == ("i64", (3, 2), (11, 12, 13, 21, 22, 23))
    net.add("Unsqueeze", "", 4, net.const("i64", [2], [0, -1]))
    assert indices(net) == ("i64", (1, 3, 2, 1), (11, 12, 13, 21, 22, 23))
    net.add("Concat", 'axis="-1"', row, row)
    assert indices(net) == ("i64", (6,), (1, 2, 3, 1, 2, 3))
    net.add("Multiply", "", net.const("u8", [2], [16, 200]), net.const("u8", [], [16]))
    assert indices(net) == ("u8", (2,), (0, 128))


@pytest.mark.parametrize(
    ("count", "is_known"), [(64, True), (65, True), (1024, True), (1025, False)]
)
def test_constant_indices_are_known_up_to_a_limit(count: int, is_known: bool) -> None:
    net = Net()
    net.add(
        "Add", "", net.const("i64", [count], range(count)), net.const("i64", [], [1])
    )
    expected = ("i64", (count,), tuple(range(1, count + 1)))
    assert indices(net, "2000,4") == (expected if is_known else None)


@pytest.mark.parametrize(("count", "is_known"), [(64, True), (65, False)])
def test_other_elements_are_known_up_to_a_smaller_limit(
    count: int, is_known: bool
) -> None:
    net = Net()
    parts = [net.const("u8", [16], [7] * 16) for _ in range(4)]
    net.add(
        "Concat", 'axis="0"', *parts, net.const("u8", [count - 64], [7] * (count - 64))
    )
    assert indices(net) == (("u8", (count,), (7,) * count) if is_known else None)


def test_two_of_each_do_not_make_it_slow() -> None:
    net = Net()
    last = net.const("i64", [], [1])
    for _ in range(40):
        last = net.add("Add", "", last, last)
    assert indices(net) == ("i64", (), (1 << 40,))


def test_weights_are_no_values() -> None:
    """A table behind a conversion: its elements are read neither for the table nor for what is taken of it."""
    net = Net()
    table = net.const("f16", [100_000], [0] * 100_000)
    net.add("Convert", 'destination_type="i64"', table)
    assert indices(net) is None
