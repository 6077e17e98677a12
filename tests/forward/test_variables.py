"""What variables are given, first by a ReadValue and then by an Assign, beside OpenVINO."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ir_text import port_text
from nets import Net

from ovgather.forward.run import Forward

VARIABLE = 'variable_id="v" variable_type="f32" variable_shape="{}"'


def read_value(net: Net, first: int, shape: str = "?,?") -> int:
    value = net.add("ReadValue", VARIABLE.format(shape), first, version="opset6")
    net.add("Result", "", value)
    net.add("Assign", 'variable_id="v"', value, version="opset6")
    return value


def halves(net: Net, data: int) -> int:
    """A Split in two, whose second output is port 10."""
    axis = net.const("i64", [], [1])
    number = net.add("Split", 'num_splits="2"', data, axis)
    second = port_text(10, "FP32")
    net.layers[number] = net.layers[number].replace("</output>", f"{second}</output>")
    return number


def take_second(net: Net) -> None:
    """Let the last edge begin at the second output."""
    net.edges[-1] = net.edges[-1].replace('from-port="9"', 'from-port="10"')


def joined(
    data: str = "?,4",
    other: str = "?,4",
    axis: int = 0,
    first: str = "ReLU",
    constant: bool = False,
) -> Net:
    """A Concat of a variable, whose first value is computed from ``data``, and of ``other``."""
    net = Net()
    value = net.parameter("f32", data)
    if first == "Transpose":
        value = net.add(first, "", value, net.const("i64", [2], [0, 1]))
    elif first == "Concat":
        value = net.add(first, 'axis="0"', value, value)
    elif first:
        value = net.add(first, "", value)
    value = read_value(net, value)
    if constant:
        lengths = [int(length) for length in other.split(",")]
        more = net.const("f32", lengths, [0.0] * (lengths[0] * lengths[1]))
    else:
        more = net.parameter("f32", other)
    net.add("Result", "", net.add("Concat", f'axis="{axis}"', value, more))
    return net


def split(chain: str, second: str) -> Net:
    """``chain`` says what reads the first output of a Split, and ``second`` what the second one."""
    net = Net()
    number = halves(net, net.parameter("f32", "?,4"))
    for index, kind in enumerate((chain, second)):
        if not kind:
            continue
        if kind == "computed":
            net.add("ReLU", "", number)
        elif kind == "given":
            net.add("ReadValue", VARIABLE.format("?,?"), number, version="opset6")
        else:
            net.add("Result", "", number)
        if index:
            take_second(net)
        if kind == "computed":
            read_value(net, len(net.layers) - 1)
        elif kind == "given":
            net.add("Result", "", len(net.layers) - 1)
            value = len(net.layers) - 2
            net.add("Assign", 'variable_id="v"', value, version="opset6")
    return net


def read_twice() -> Net:
    """A first value that is an output of the model as well: it stays outside of the ReadValue."""
    net = Net()
    data = net.add("ReLU", "", net.parameter("f32", "?,4"))
    net.add("Result", "", data)
    value = read_value(net, data)
    more = net.parameter("f32", "?,4")
    net.add("Result", "", net.add("Concat", 'axis="0"', value, more))
    return net


def two_variables(*kinds: str) -> Net:
    """Variables whose first values are computed from one input, each by a layer of its kind."""
    net = Net()
    data = net.parameter("f32", "?,4")
    for name, kind in zip("vw", kinds, strict=True):
        first = net.add(kind, "", data)
        variable = f'variable_id="{name}" variable_type="f32" variable_shape="?,?"'
        value = net.add("ReadValue", variable, first, version="opset6")
        more = net.add("Concat", 'axis="0"', value, data)
        net.add("Result", "", more)
        net.add("Assign", f'variable_id="{name}"', more, version="opset6")
    return net


def of_old(
    assign: int, first: str, more: str, kind: str = "f32", variable: str = ""
) -> Net:
    """A variable of a ReadValue-3 that grows by ``more``; what is stored is of type ``kind``."""
    net = Net()
    value = net.parameter("f32", first)
    value = net.add("ReadValue", 'variable_id="v"', value, version="opset3")
    net.add("Result", "", value)
    new = net.add("Concat", 'axis="0"', value, net.parameter("f32", more))
    if kind != "f32":
        new = net.add("Convert", f'destination_type="{kind}"', new)
    net.add("Assign", f'variable_id="v" {variable}', new, version=f"opset{assign}")
    return net


MODELS = {
    "grows, old": (of_old(3, "2,2", "1,2"), "read"),
    "grows, of both opsets": (of_old(6, "2,2", "1,2"), "compile"),
    "of an open length, old": (of_old(3, "?,2", "1,2"), ""),
    "of an open length, of both opsets": (of_old(6, "?,2", "1,2"), ""),
    "grows by an open length, old": (of_old(3, "2,2", "3..,2"), ""),
    "grows by an open length, of both opsets": (of_old(6, "2,2", "3..,2"), "compile"),
    "may stay, of both opsets": (of_old(6, "2,2", "..3,2"), ""),
    "another type, old": (of_old(3, "?,2", "1,2", "f16"), "read"),
    "another type, of both opsets": (of_old(6, "?,2", "1,2", "f16"), "compile"),
    "the Assign says a shape": (
        of_old(6, "2,2", "0,2", "f32", 'variable_type="f32" variable_shape="5,5"'),
        "",
    ),
    "joined": (joined(), "compile"),
    "joined with itself first": (joined(first="Concat"), "compile"),
    "joined along the other axis": (joined(axis=1), "compile"),
    "joined in place": (joined("1,?", "1,?"), ""),
    "joined in place, with a constant": (joined("1,?", "1,4", constant=True), "compile"),
    "joined in place behind a dim of 1": (joined("?,2", "1,3", axis=1), ""),
    "joined, of a known shape": (joined("2,4"), ""),
    "joined, of no elements": (joined("?,0"), "compile"),
    "joined along a dim of 0": (joined("?,0", axis=1), "compile"),
    "two variables, computed alike": (two_variables("ReLU", "ReLU"), ""),
    "two variables, computed otherwise": (two_variables("ReLU", "Sigmoid"), "compile"),
    "joined, not computed": (joined(first=""), ""),
    "joined, of a layer that does nothing": (joined(first="Transpose"), ""),
    "an output as well": (read_twice(), ""),
    "the first half": (split("computed", ""), ""),
    "the first half, and an output": (split("computed", "output"), "compile"),
    "the first half itself, and an output": (split("given", "output"), "compile"),
    "the second half": (split("", "computed"), "compile"),
    "the second half, and an output": (split("output", "computed"), "compile"),
    "the second half itself": (split("output", "given"), ""),
}  # fmt: skip


def stage(net: Net) -> str:
    stages = {each.error.stage for each in Forward(net.model()).refusals}
    return "".join(stages).replace("reshape", "compile")


@pytest.mark.parametrize("name", MODELS)
def test_stage(name: str) -> None:
    net, expected = MODELS[name]
    assert stage(net) == expected


def random_net(rng: random.Random) -> Net:
    dims = rng.choice(["?,?", "?,4", "1,?", "2,?", "1,4"])
    other = rng.choice(["?,?", "?,4", "1,?"])
    first = rng.choice(["ReLU", "Transpose", ""])
    if "1" not in dims + other:
        first = rng.choice([first, "Concat"])
    net = joined(dims, other, rng.choice([0, 1, -1]), first)
    if rng.random() < 0.2:
        net.add("Result", "", rng.randrange(2))
    return net


@pytest.mark.runtime
@pytest.mark.slow
def test_openvino_says_the_same(tmp_path: Path) -> None:
    pytest.importorskip("openvino", reason="openvino is not installed")
    # Here, since a module that has it starts a runtime in all of its tests.
    from openvino_verdicts import verdicts

    rng = random.Random(1)
    nets = [net for net, _ in MODELS.values()]
    nets += [random_net(rng) for _ in range(40)]
    paths = [tmp_path / f"{number}.xml" for number in range(len(nets))]
    for path, net in zip(paths, nets, strict=True):
        path.write_bytes(net.text)
        path.with_suffix(".bin").write_bytes(net.weights)
    answers = verdicts([*map(str, paths)], last="compile")
    assert [stage(net) for net in nets] == [answers[str(path)].stage for path in paths]
