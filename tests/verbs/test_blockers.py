"""All layers that prevent other input shapes, in bodies and behind them; OpenVINO refuses each by itself."""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib.util import find_spec

import pytest
from bodies_oracle import End, Net, back_edge, branches, entry, inside

import ovgather
from ovgather.ir.model import Model
from ovgather.layers.inputs import matched
from ovgather.runtimes import load as openvino
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.infer import infer

GIVEN = PartialShape.of("3,24,8")  # the file has 3,12,8


class Sites:
    """Reshapes that may be frozen, each by its name; ``form`` is what gives them their shape."""

    def __init__(self, frozen: Collection[str], form: str) -> None:
        self.frozen, self.form = frozen, form
        self.names: list[str] = []

    def reshape(self, net: Net, name: str, data: End, *shape: int) -> End:
        """A Reshape to ``shape``, of which the one length that follows the input is negative."""
        self.names.append(name)
        lengths = [abs(length) for length in shape]
        if name not in self.frozen:
            lengths = [max(length, -1) for length in shape]
        rank = str(len(lengths))
        if self.form == "Const":
            pattern = net.const(rank, "i64", lengths)
        elif self.form == "Convert":
            whole = net.const(rank, "i32", lengths)
            pattern = net.add("Convert", [whole], {"destination_type": "i64"})
        else:
            parts = [net.const("1", "i64", [length]) for length in lengths]
            pattern = net.add("Concat", parts, {"axis": 0})
        return net.add("Reshape", [data, pattern], {"special_zero": "false"}, name=name)

    def body(self, net: Net, batch: int, letter: str = "") -> tuple[int, int]:
        """Two Reshapes, there and back: the Parameter and the Result."""
        start = net.parameter(f"{batch},12,8")
        apart = self.reshape(net, f"apart{letter}", start, batch, 4, -3, 8)
        whole = self.reshape(net, f"whole{letter}", apart, batch, -12, 8)
        return start[0], net.result(whole)


def iterator(net: Net, data: End, sites: Sites, letter: str = "") -> End:
    """Two Reshapes in a TensorIterator over slices, and one behind it."""
    body = Net(net.weights)
    start, end = sites.body(body, 1, letter)
    maps = [entry("input", 0, start, axis=0), entry("output", 1, end, axis=0)]
    joined = net.add("TensorIterator", [data], inside=inside(body, maps))
    return sites.reshape(net, f"behind{letter}", joined, 3, -96)


def loop(net: Net, data: End, sites: Sites) -> End:
    """The same in a Loop that carries its data from round to round."""
    body = Net(net.weights)
    start, end = sites.body(body, 3)
    goes_on = body.result(body.const("", "boolean", [1]))
    maps = [
        entry("input", 2, start),
        entry("output", 3, end),
        entry("output", -1, goes_on, purpose="execution_condition"),
    ]
    count, starts = net.const("", "i64", [2]), net.const("", "boolean", [1])
    last = net.add(
        "Loop",
        [count, starts, data],
        opset=5,
        inside=inside(body, maps, [back_edge(end, start)]),
    )
    return sites.reshape(net, "behind", last, 3, -96)


def choice(net: Net, data: End, sites: Sites) -> End:
    """The same in both branches of an If."""
    bodies = [Net(net.weights), Net(net.weights)]
    maps = []
    for body, letter in zip(bodies, "te", strict=True):
        start, end = sites.body(body, 3, letter)
        maps.append([entry("input", 1, start), entry("output", 2, end)])
    text = branches(bodies[0], maps[0], bodies[1], maps[1])
    chosen = net.add("If", [net.parameter("", "boolean"), data], opset=8, inside=text)
    return sites.reshape(net, "behind", chosen, 3, -96)


def nested(net: Net, data: End, sites: Sites) -> End:
    """A TensorIterator in each branch of an If."""
    bodies = [Net(net.weights), Net(net.weights)]
    maps = []
    for body, letter in zip(bodies, "te", strict=True):
        start = body.parameter("3,12,8")
        end = body.result(iterator(body, start, sites, letter))
        maps.append([entry("input", 1, start[0]), entry("output", 2, end)])
    text = branches(bodies[0], maps[0], bodies[1], maps[1])
    chosen = net.add("If", [net.parameter("", "boolean"), data], opset=8, inside=text)
    return sites.reshape(net, "behind", chosen, 6, -48)


Making = Callable[[Net, End, Sites], End]


def made(
    make: Making, frozen: Collection[str], form: str = "Const"
) -> tuple[Model, list[str]]:
    """A model with some frozen Reshapes, and the names of all."""
    net = Net()
    data = net.add("ReLU", [net.parameter("3,12,8")])
    sites = Sites(frozen, form)
    net.result(make(net, data, sites))
    model = ovgather.read(net.document().encode(), net.weights.data)
    assert not model.problems
    return model, sites.names


@pytest.mark.parametrize("form", ["Const", "Convert", "Concat"])
@pytest.mark.parametrize("make", [iterator, loop, choice, nested])
def test_blockers_in_bodies_and_behind_them(make: Making, form: str) -> None:
    _, names = made(make, ())
    whole, _ = made(make, names, form)
    file = infer(whole, input_shapes={"parameter0": "3,24,8"})
    assert sorted(each.layer.name for each in file.blockers) == sorted(names)
    assert all("frozen in the file" in each.help for each in file.blockers)
    free, _ = made(make, (), form)
    assert not infer(free, input_shapes={"parameter0": "3,24,8"}).blockers
    assert not infer(whole, input_shapes={"parameter0": "3,12,8"}).blockers


@pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")
@pytest.mark.parametrize("make", [iterator, loop, choice, nested])
def test_openvino_refuses_each_of_them_alone(make: Making) -> None:
    _, names = made(make, ())
    for frozen in ([], *([name] for name in names)):
        model, _ = made(make, frozen)
        shapes = matched(model, {"parameter0": GIVEN})
        answer, refusal = openvino.reshape(model, shapes)
        assert bool(refusal) is bool(frozen), (frozen, answer, refusal)


def test_a_frozen_length_beside_a_dynamic_batch() -> None:
    """The Reshape takes any length, since the batch is open: the Add behind it refuses, for the sake of the Const."""
    net = Net()
    data, mask = net.parameter("?,12,8"), net.parameter("?,12,2,4")
    pattern = net.const("4", "i64", [0, 12, 2, 4])
    apart = net.add("Reshape", [data, pattern], {"special_zero": "true"})
    added = net.add("Add", [apart, mask], name="added")
    flat = net.const("3", "i64", [0, 12, 8])
    net.result(net.add("Reshape", [added, flat], {"special_zero": "true"}))
    model = ovgather.read(net.document().encode(), net.weights.data)
    given = {"parameter0": "?,24,8", "parameter1": "?,24,2,4"}
    (blocker,) = infer(model, input_shapes=given).blockers
    assert blocker.layer.name == "added"
    assert blocker.help.startswith('Const 2 "const2" is frozen in the file')
