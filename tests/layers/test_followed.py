"""Intervals on their way through a file, of which ports say nothing: as OpenVINO infers them."""

from __future__ import annotations

from importlib.util import find_spec
from random import Random

import pytest
from consequences import flattened
from nets import Net

from ovgather.ir.model import Model
from ovgather.layers.gather_layer import follow, gather_layers, has_interval
from ovgather.tensor.shape import PartialShape
from ovgather.validation.check import validate
from ovgather.verbs.infer import Inferred, infer

requires_openvino = pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")
CHAINS = 150
DIMS = ("1..8", "2..5", "3..", "..6", "?", "4", "1", "2..3")


def shapes(model: Model) -> dict[str, str]:
    return {layer.layer.name: layer.output.shape if layer.output else str(layer.error) for layer in infer(model).layers}


def through(*between: str, data: str = "1..8,?,4", port: str = "?,?,4") -> Net:
    """data -> GatherElements -> layers of the types ``between`` -> Gather."""
    net = Net()
    indices = net.parameter("i64", "2..5,?,4")
    picked = net.add("GatherElements", 'axis="1"', net.parameter("f32", data), indices, version="opset6", shape=port)
    for type in between:
        picked = net.add(type, 'destination_type="f16"', picked, shape=port)
    places, axis = net.parameter("i64", "1..3"), net.const("i64", [], [1])
    taken = net.add("Gather", 'batch_dims="0"', picked, places, axis, version="opset8", shape=port)
    net.add("Result", "", taken)
    return net


def test_intervals_reach_the_second_layer() -> None:
    assert shapes(through().model()) == {"l2": "[2..5,?,4]", "l5": "[2..5,1..3,4]"}
    assert shapes(through("ReLU", "Convert").model())["l7"] == "[2..5,1..3,4]"


def test_what_is_behind_a_layer_of_another_kind_is_what_its_port_says() -> None:
    assert shapes(through("Sqrt", "Reshape").model())["l7"] == "[?,1..3,4]"


def test_ports_that_say_more_count_only_behind_layers_that_are_not_known() -> None:
    assert shapes(through("Reshape", port="3,?,4").model())["l6"] == "[3,1..3,4]"
    # OpenVINO looks at no port; that this one is wrong is said of the layer that it belongs to.
    net = through(port="7,?,4")
    assert shapes(net.model())["l5"] == "[2..5,1..3,4]"
    findings = [finding for finding in flattened(validate(net.text)) if finding.code == "OVG203"]
    assert [finding.layer and finding.layer.name for finding in findings] == ["l2", "l5"]


def test_inputs_that_do_not_fit_because_of_an_interval() -> None:
    net = through()
    other = net.parameter("i64", "6..9,?,4")
    net.add("Result", "", net.add("GatherElements", 'axis="1"', 2, other, version="opset6", shape="?,?,4"))
    [found] = [found for found in flattened(validate(net.text)) if found.code == "OVG202"]
    assert "dim 0 is 2..5 in data but 6..9 in indices" in found.message
    assert found.openvino == "rejects"


def test_a_file_without_an_interval_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ovgather.layers.gather_layer.follow", lambda *_: pytest.fail("there is nothing to follow"))
    model = through(data="?,?,4").model()
    assert has_interval(layer.signature for layer in model.layers())
    net = Net()
    net.add(
        "Result",
        "",
        net.add("Gather", "", net.parameter("f32", "?,4"), net.parameter("i64", "?"), net.const("i64", [], [0])),
    )
    assert list(gather_layers(net.model()))
    dynamic = Net()
    dynamic.add("Result", "", dynamic.parameter("f32", "..."))
    assert not has_interval(layer.signature for layer in dynamic.model().layers())


def test_given_shapes_come_before_intervals() -> None:
    found = {
        layer.layer.name: layer.output
        for layer in infer(
            through().model(), input_shapes={"l0": PartialShape.of("?,?,4"), "l1": PartialShape.of("?,?,4")}
        ).layers
    }
    assert found["l5"] is not None
    assert found["l5"].shape == "[?,1..3,4]"


def _dims(chance: Random, rank: int) -> list[str]:
    return [chance.choice(DIMS) for _ in range(rank)]


def _chain(net: Net, chance: Random) -> None:
    """Three to five layers, one behind the other."""
    rank = chance.randrange(1, 4)
    data = net.parameter("f32", ",".join(_dims(chance, rank)))
    for _ in range(chance.randrange(3, 6)):
        kind = chance.choice(("GatherElements", "Gather", "Gather", "GatherND", "ReLU", "Convert"))
        unknown = ",".join("?" * rank)
        if kind in ("ReLU", "Convert"):
            data = net.add(kind, 'destination_type="f32"', data, shape=unknown)
        elif kind == "GatherElements":
            indices = net.parameter("i64", ",".join(["?"] * rank if chance.random() < 0.3 else _dims(chance, rank)))
            attributes = f'axis="{chance.randrange(-rank, rank)}"'
            data = net.add(kind, attributes, data, indices, version="opset6", shape=unknown)
        elif kind == "Gather":
            count, axis = chance.randrange(1, 3), chance.randrange(rank)
            batch = chance.randrange(min(axis, count) + 1)
            indices = net.parameter("i64", ",".join(_dims(chance, count)))
            attributes, number = f'batch_dims="{batch}"', net.const("i64", [], [axis])
            rank += count - 1 - batch
            data = net.add(kind, attributes, data, indices, number, version="opset8", shape=",".join("?" * rank))
        else:
            width = chance.randrange(1, rank + 1)
            indices = net.parameter("i64", ",".join([*_dims(chance, 1), str(width)]))
            rank += 1 - width
            data = net.add(kind, 'batch_dims="0"', data, indices, version="opset8", shape=",".join("?" * rank))
        if rank not in range(1, 5):
            break
    net.add("Result", "", data)


def _fits(net: Net) -> bool:
    return all(layer.output is not None for layer in infer(net.model()).layers)


@requires_openvino
def test_chains_of_layers_as_openvino_infers_them() -> None:
    chance, net, chains = Random(8), Net(), 0
    while chains < CHAINS:
        longer = Net()
        _chain(longer, Random(seed := chance.random()))
        if _fits(longer):
            _chain(net, Random(seed))
            chains += 1
    model = net.model()
    ours = infer(model).layers
    theirs: dict[str, Inferred] = {layer.layer.name: layer for layer in infer(model, with_openvino=True).layers}
    assert len(ours) > 2 * CHAINS
    for layer in ours:
        told = theirs[layer.layer.name].openvino
        assert layer.output is not None
        assert told is not None
        assert layer.output.shape == told[0], layer
    assert sum(".." in layer.output.shape for layer in ours if layer.output) > CHAINS


def test_what_is_sure() -> None:
    model = through("ReLU", "Reshape").model()
    known = follow(model, gather_layers(model))
    sure = {layer.name: known[layer.offset, 0].sure for layer in model.layers() if (layer.offset, 0) in known}
    assert sure == {"l0": True, "l1": True, "l2": True, "l3": True, "l5": True, "l6": True, "l7": False}


def scalars(*stale: str, length: str = "2", steps: int = 1) -> Net:
    """For each of ``stale``, the dims of its indices port: a GatherElements with what ``steps`` Gathers pick."""
    net = Net()
    data, indices, axis = net.parameter("i64", "?,?"), net.parameter("i64", length), net.const("i64", [], [0])
    for port in stale:
        picked = axis
        for _ in range(steps):
            picked = net.add("Gather", 'batch_dims="0"', indices, picked, axis, version="opset8")
        net.shapes[picked] = port
        net.add(
            "Result", "", net.add("GatherElements", 'axis="1"', data, picked, version="opset6", shape=port or "?,?")
        )
    return net


@pytest.mark.parametrize("port", ["", "?,?", "3,4"])
@pytest.mark.parametrize("length", ["2", "1..8"])
def test_scalars_reach_the_next_layer(port: str, length: str) -> None:
    for steps in (1, 2, 2000):
        [found] = flattened(validate(scalars(port, length=length, steps=steps).text, bytes(8)))
        assert (found.code, found.openvino) == ("OVG202", "rejects")
        assert "indices must have rank 1 or more, it is a scalar" in found.message


def test_only_scalars_that_are_certain_reach_the_next_layer() -> None:
    for port in ("", "?,?"):
        findings = flattened(validate(scalars(port, length="...").text, bytes(8)))
        assert [finding.code for finding in findings] == ["OVG708"]


def test_layers_share_what_is_known_of_scalars() -> None:
    model = scalars("", "", "").model()
    taking = [gather for gather in gather_layers(model) if gather.layer.type == "GatherElements"]
    assert [gather.twin for gather in taking] == [None, taking[0], taking[0]]
    # Of layers with the same ports, this one takes the scalar, and that one what nobody knows.
    net = scalars("?,?")
    other = net.add("Gather", 'batch_dims="0"', net.parameter("i64", "..."), 2, 2, version="opset8")
    net.shapes[other] = "?,?"
    net.add("Result", "", net.add("GatherElements", 'axis="1"', 0, other, version="opset6", shape="?,?"))
    layers = net.layers.copy()
    for order in (layers, layers[::-1]):
        net.layers = order
        gathers = {gather.layer.name: gather for gather in gather_layers(net.model())}
        assert (bool(gathers["l4"].errors), bool(gathers["l8"].errors)) == (True, False)
