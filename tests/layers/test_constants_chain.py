"""Constants by way of layers that compute them: values, shapes, and where it ends."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest
from nets import Net

from ovgather.ir.graph import Layer
from ovgather.layers.constant_folding import Chain, why_unknown
from ovgather.layers.gather_layer import GatherLayer, gather_layers
from ovgather.runtimes.load import reshape


def gather_of(net: Net, weights: bool = True) -> GatherLayer:
    """A Gather whose axis is the last layer of ``net``."""
    return next(gather_layers(axis_of_gather(net).model(weights)))


def axis_of_gather(net: Net) -> Net:
    whole = net.copy()
    last = len(net.layers) - 1
    data, indices = whole.parameter("f32", "3,4,5"), whole.parameter("i64", "7")
    whole.add("Result", "", whole.add("Gather", 'batch_dims="0"', data, indices, last, version="opset8"))
    return whole


def direct(net: Net) -> None:
    net.const("i64", [], [-1])


def converted(net: Net) -> None:
    net.add("Convert", 'destination_type="i32"', net.const("i64", [1], [2]))


def real(net: Net) -> None:
    net.add("Convert", 'destination_type="i64"', net.const("f32", [], [1.9]))


def halves(net: Net) -> None:
    net.add("Convert", 'destination_type="i64"', net.const("f16", [], [-1.0]))


def reshaped(net: Net) -> None:
    net.add("Reshape", 'special_zero="false"', net.const("i64", [], [2]), net.const("i64", [1], [-1]))


def kept_zero(net: Net) -> None:
    net.add("Reshape", 'special_zero="true"', net.const("i64", [1, 1], [2]), net.const("i64", [1], [0]))


def squeezed(net: Net) -> None:
    net.add("Squeeze", "", net.const("i64", [1, 1], [2]), net.const("i64", [1], [-1]))


def squeezed_all(net: Net) -> None:
    net.add("Squeeze", "", net.const("i64", [1, 1], [2]))


def unsqueezed(net: Net) -> None:
    net.add("Unsqueeze", "", net.const("i64", [], [2]), net.const("i64", [1], [0]))


def added(net: Net) -> None:
    net.add("Add", 'auto_broadcast="numpy"', net.const("i64", [1], [3]), net.const("i64", [], [-2]))


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
]


@pytest.mark.parametrize(("make", "axis"), KNOWN, ids=lambda value: getattr(value, "__name__", ""))
def test_an_axis_that_is_computed_from_constants(make: Callable[[Net], None], axis: int) -> None:
    net = Net()
    make(net)
    gather = gather_of(net)
    assert (gather.axis, gather.axis_source) == (axis, "const")
    expected = [3, 4, 5]
    expected[axis] = 7
    assert [dim.length for dim in gather.inference.shape] == expected  # type: ignore[union-attr]


@pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")
def test_openvino_computes_the_same_axis() -> None:
    """All of them in one model: the dim that OpenVINO's shape says the axis is."""
    whole, expected = Net(), []
    for make, axis in KNOWN:
        first = len(whole.layers)
        make(whole)
        last = len(whole.layers) - 1
        data, indices = whole.parameter("f32", "3,4,5"), whole.parameter("i64", "7")
        gather = whole.add("Gather", 'batch_dims="0"', data, indices, last, version="opset8")
        whole.add("Result", "", gather)
        assert first <= last
        dims = [3, 4, 5]
        dims[axis] = 7
        expected.append((f"l{gather}", dims))
    told, error = reshape(whole.model(), {})
    assert told is not None, error
    for name, dims in expected:
        assert [dim.length for dim in told[(), name][0]] == dims


def no_bin(net: Net) -> str:
    net.add("Add", "", net.const("i64", [], [1]), net.const("i64", [], [1]))
    return "there is no .bin"


def of_a_parameter(net: Net) -> str:
    parameter = net.add("Parameter", 'shape="" element_type="i64"')
    net.add("Convert", 'destination_type="i64"', net.add("Add", "", parameter, net.const("i64", [], [1])))
    return 'Parameter 0 "l0" computes it'


def of_another(net: Net) -> str:
    net.add("Negative", "", net.const("i64", [], [1]))
    return 'Negative 1 "l1" computes it'


def does_not_fit(net: Net) -> str:
    net.add("Convert", 'destination_type="i8"', net.const("i64", [], [300]))
    return 'Convert 1 "l1" computes it'


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
    net.add("Add", 'auto_broadcast="none"', net.const("i64", [1], [1]), net.const("i64", [], [1]))
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
    of_another,
    does_not_fit,
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


@pytest.mark.parametrize("make", UNKNOWN, ids=lambda value: value.__name__)
def test_an_axis_that_is_not_known_and_why(make: Callable[[Net], str]) -> None:
    net = Net()
    why = make(net)
    gather = gather_of(net, weights=make is not no_bin)
    assert (gather.axis, gather.axis_source) == (None, "unknown")
    assert why_unknown(gather.layer, 2, gather.model.weights) == why


def value(net: Net) -> Any:
    model = net.model()
    found: Layer = [*model.layers()][-1]
    held = Chain(model.weights).value(found)
    return None if held is None else (held.element_type.name, held.shape, held.integers())


def test_arrays() -> None:
    net = Net()
    table = net.const("i64", [2, 1], [10, 20])
    row = net.const("i64", [3], [1, 2, 3])
    net.add("Add", "", table, row)
    assert value(net) == ("i64", (2, 3), (11, 12, 13, 21, 22, 23))
    net.add("Reshape", "", 2, net.const("i64", [2], [3, -1]))
    assert value(net) == ("i64", (3, 2), (11, 12, 13, 21, 22, 23))
    net.add("Unsqueeze", "", 4, net.const("i64", [2], [0, -1]))
    assert value(net) == ("i64", (1, 3, 2, 1), (11, 12, 13, 21, 22, 23))
    net.add("Concat", 'axis="-1"', row, row)
    assert value(net) == ("i64", (6,), (1, 2, 3, 1, 2, 3))
    net.add("Multiply", "", net.const("u8", [2], [16, 200]), net.const("u8", [], [16]))
    assert value(net) == ("u8", (2,), (0, 128))
    net.add("Subtract", "", net.const("i64", [1], [-(2**63)]), net.const("i64", [], [1]))
    assert value(net) == ("i64", (1,), (2**63 - 1,))


def test_two_of_each_do_not_make_it_slow() -> None:
    net = Net()
    last = net.const("i64", [], [1])
    for _ in range(40):
        last = net.add("Add", "", last, last)
    assert value(net) is None


def test_a_table_behind_a_conversion_is_not_read() -> None:
    net = Net()
    net.add("Convert", 'destination_type="f32"', net.const("f16", [100_000], [0] * 100_000))
    model = net.model()
    held = Chain(model.weights).value(next(layer for layer in model.layers() if layer.type == "Convert"))
    assert held is not None
    assert (held.element_type.name, held.offset, held.size) == ("f16", 0, 200_000)
