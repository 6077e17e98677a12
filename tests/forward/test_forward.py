"""The forward pass over small files: what ports count for, what facts rest on, and that OpenVINO computes the same."""

from __future__ import annotations

from importlib.util import find_spec
from random import Random

import pytest
from consequences import flattened
from nets import Net

import ovgather
from ovgather.forward.run import ASSUMED, Forward, forward_of
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import gather_layers
from ovgather.runtimes.load import reshape
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.symbol import HIDDEN
from ovgather.tensor.tensor import Basis, Tensor
from ovgather.validation.api import validate
from ovgather.verbs.infer import infer
from ovgather.verbs.infer.records import Inferred

requires_openvino = pytest.mark.skipif(
    find_spec("openvino") is None, reason="openvino is not installed"
)
CHAINS = 150
DIMS = ("1..8", "2..5", "3..", "..6", "?", "4", "1", "2..3")


def tensors_of(model: Model, forward: Forward | None = None) -> dict[str, Tensor]:
    """The first output of each layer, by name."""
    outputs = (forward or forward_of(model)).outputs
    return {
        layer.name: outputs[layer.offset][0]
        for layer in model.layers()
        if outputs.get(layer.offset)
    }


def shapes(model: Model) -> dict[str, str]:
    return {
        layer.layer.name: layer.output.shape if layer.output else str(layer.error)
        for layer in infer(model).layers
    }


def through(*between: str, data: str = "1..8,?,4", port: str = "?,?,4") -> Net:
    """data -> GatherElements -> layers of the types ``between`` -> Gather."""
    net = Net()
    indices = net.parameter("i64", "2..5,?,4")
    picked = net.add(
        "GatherElements",
        'axis="1"',
        net.parameter("f32", data),
        indices,
        version="opset6",
        shape=port,
    )
    for type in between:
        picked = net.add(type, 'destination_type="f16"', picked, shape=port)
    places, axis = net.parameter("i64", "1..3"), net.const("i64", [], [1])
    taken = net.add(
        "Gather", 'batch_dims="0"', picked, places, axis, version="opset8", shape=port
    )
    net.add("Result", "", taken)
    return net


# -- intervals and ports -------------------------------------------------------------------------------------------


def test_intervals_reach_the_second_layer() -> None:
    assert shapes(through().model()) == {"l2": "[2..5,?,4]", "l5": "[2..5,1..3,4]"}
    assert shapes(through("ReLU", "Convert", "Sqrt").model())["l8"] == "[2..5,1..3,4]"


def test_what_is_behind_a_type_that_is_not_checked_is_what_its_port_says() -> None:
    assert shapes(through("Sqrt", "Mine").model())["l7"] == "[?,1..3,4]"


def test_ports_that_say_more_count_only_behind_types_that_are_not_checked() -> None:
    assert shapes(through("Mine", port="3,?,4").model())["l6"] == "[3,1..3,4]"
    # OpenVINO looks at no port; that this one is wrong is said of the layer that it belongs to.
    net = through(port="7,?,4")
    assert shapes(net.model())["l5"] == "[2..5,1..3,4]"
    net.layers[1:3] = [layer.replace("I64", "FP32") for layer in net.layers[1:3]]
    findings = [
        finding for finding in flattened(validate(net.text)) if finding.code == "OVG203"
    ]
    assert [finding.layer and finding.layer.name for finding in findings] == ["l2"]


def test_inputs_that_do_not_fit_because_of_an_interval() -> None:
    net = through()
    other = net.parameter("i64", "6..9,?,4")
    net.add(
        "Result",
        "",
        net.add(
            "GatherElements", 'axis="1"', 2, other, version="opset6", shape="?,?,4"
        ),
    )
    findings = [
        finding for finding in flattened(validate(net.text)) if finding.code == "OVG202"
    ]
    assert any(
        "dim 0 is 2..5 in data but 6..9 in indices" in finding.message
        for finding in findings
    )
    assert {finding.openvino for finding in findings} == {"rejects"}


def test_given_shapes_come_before_intervals() -> None:
    found = infer(through().model(), input_shapes={"l0": "?,?,4", "l1": "?,?,4"}).layers
    assert found[-1].output is not None
    assert found[-1].output.shape == "[?,1..3,4]"


@pytest.mark.parametrize(
    ("between", "weights", "basis"),
    [
        ("ReLU", True, Basis.COMPUTED),
        ("Mine", True, Basis.UNCHECKED),
        (ASSUMED, True, Basis.COMPUTED),
        ("Tile", False, Basis.PORT),
    ],
)
def test_what_facts_rest_on(between: str, weights: bool, basis: Basis) -> None:
    net = Net()
    data, repeats = net.parameter("f32", "?,4"), net.const("i64", [2], [1, 2])
    inputs = [data, repeats] if between == "Tile" else [data]
    last = net.add("ReLU", "", net.add(between, "", *inputs, shape="?,8"), shape="?,8")
    net.add("Result", "", last)
    tensors = tensors_of(net.model(weights))
    assert tensors["l0"].basis == tensors["l1"].basis == Basis.COMPUTED
    assert tensors["l2"].basis == tensors["l3"].basis == basis
    expected = "[?,4]" if between == "ReLU" else "[?,8]"  # the port says it
    assert str(tensors["l3"].shape).replace(HIDDEN, "") == expected


def test_without_weights_a_value_is_not_known_and_the_port_helps() -> None:
    net = Net()
    data, pattern = net.parameter("f32", "?,12"), net.const("i64", [3], [0, 3, 4])
    net.add(
        "Result",
        "",
        net.add("Reshape", 'special_zero="true"', data, pattern, shape="?,3,4"),
    )
    known, unknown = (
        tensors_of(net.model())["l2"],
        tensors_of(net.model(weights=False))["l2"],
    )
    assert [str(each.shape) for each in (known, unknown)] == ["[?,3,4]", "[?,3,4]"]
    assert [each.basis for each in (known, unknown)] == [Basis.COMPUTED, Basis.PORT]
    given = ovgather.verbs.shapes.shapes(net.model(weights=False), {"l0": "5,12"})
    assert (str(given["l2"].shape), given["l2"].why) == (
        "[?,?,?]",  # what a port says holds for the shapes before
        "computed from Parameters and Consts",
    )


def test_types_are_computed_as_well() -> None:
    net = Net()
    half = net.add("Convert", 'destination_type="f16"', net.parameter("f32", "4"))
    net.add("Result", "", net.add("Greater", 'auto_broadcast="numpy"', half, half))
    assert [tensor.element_type for tensor in tensors_of(net.model()).values()] == [
        "f32",
        "f16",
        "boolean",
    ]


# -- what is noted -------------------------------------------------------------------------------------------------


def test_types_that_nobody_declares_are_counted() -> None:
    net = Net()
    last = net.parameter("f32", "4")
    for type in ("Mine", "ReLU", "Yours", "Mine"):
        last = net.add(type, "", last, shape="4")
    net.add("Result", "", last)
    net.add("Mine", "", last, shape="4")  # leads to no Result
    assert forward_of(net.model()).unchecked == {"Mine": 2, "Yours": 1}


def test_refusals_in_the_order_of_the_data() -> None:
    net = Net()
    one, other = net.parameter("f32", "2,3"), net.parameter("f32", "2,4")
    first = net.add("Add", "", one, other, shape="2,4")
    net.add("Result", "", net.add("MatMul", "", first, one, shape="2,3"))
    net.layers = net.layers[::-1]  # of the file the order is another
    refusals = forward_of(net.model()).refusals
    # Behind a refused layer its port counts, which may be wrong.
    assert [(each.layer.name, each.basis) for each in refusals] == [
        ("l2", Basis.COMPUTED),
        ("l3", Basis.PORT),
    ]
    assert (
        "shapes [2,3] and [2,4] cannot be broadcast to each other: a [2,3], b [2,4]"
        in str(refusals[0].error)
    )
    assert [each.input_index for each in refusals] == [1, 1]


def test_layers_that_lead_to_no_result_are_not_refused() -> None:
    net = Net()
    one, other = net.parameter("f32", "2,3"), net.parameter("f32", "2,4")
    net.add("Add", "", one, other, shape="2,4")
    net.add("Result", "", net.add("ReLU", "", one))
    assert forward_of(net.model()).refusals == []


def test_layers_that_deviate_from_their_ports() -> None:
    net = Net()
    data = net.parameter("i64", "2,3")
    same = net.add("Abs", "", data, shape="?,3")
    other = net.add("Abs", "", same, shape="2,9")
    type = net.add("Convert", 'destination_type="i32"', other, shape="2,3")
    net.add(
        "Result",
        "",
        net.add("Abs", "", net.add("Mine", "", type, shape="7"), shape="8"),
    )
    assert [layer.name for layer in forward_of(net.model()).deviating] == ["l2", "l3"]


def test_cycles_end() -> None:
    net = Net()
    net.add("Result", "", net.parameter("f32", "4"))
    text = net.text.replace(
        b"</edges>",
        b'<edge from-layer="7" from-port="9" to-layer="7" to-port="0"/></edges>',
    )
    text = text.replace(
        b"</layers>",
        b'<layer id="7" name="round" type="ReLU" version="opset1"><input><port id="0"><dim>4</dim></port></input>'
        b'<output><port id="9" precision="FP32"><dim>4</dim></port></output></layer></layers>',
    )
    assert forward_of(ovgather.read(text)).refusals == []


# -- how it is held ------------------------------------------------------------------------------------------------


def test_equal_tensors_are_one_object() -> None:
    net = Net()
    last = net.parameter("f32", "2,3")
    for _ in range(5):
        last = net.add("ReLU", "", last)
    net.add("Result", "", last)
    tensors = [*tensors_of(net.model()).values()]
    assert len({id(tensor) for tensor in tensors[1:]}) == 1


def test_one_and_one_point_zero_are_two() -> None:
    net = Net()
    net.const("i64", [], [1])
    net.const("f32", [], [1.0])
    assert [
        type(tensor.value[0])
        for tensor in tensors_of(net.model()).values()
        if tensor.value
    ] == [int, float]


def test_a_pass_is_kept_for_a_model_and_its_bin() -> None:
    model = through().model()
    assert forward_of(model) is forward_of(model)
    other = Forward(model, {}, None, forward_of(model))
    assert other.outputs.keys() == forward_of(model).outputs.keys()


def test_long_chains_take_little_time() -> None:
    net = Net()
    last = net.parameter("f32", "?,4")
    for _ in range(3000):
        last = net.add("ReLU", "", last)
    net.add("Result", "", last)
    assert str(tensors_of(net.model())[f"l{last}"].shape) == "[?,4]"


def test_symbols_of_open_dims_stay_hidden() -> None:
    model = through("ReLU").model()
    assert HIDDEN in tensors_of(model)["l3"].shape.named
    assert HIDDEN not in str(infer(model, all=True))
    assert HIDDEN not in str(validate(through("ReLU", port="9,9,9").text))


# -- scalars -------------------------------------------------------------------------------------------------------


def scalars(*stale: str, length: str = "2", steps: int = 1) -> Net:
    """For each of ``stale``, the dims of its indices port: a GatherElements with what ``steps`` Gathers pick."""
    net = Net()
    data, indices, axis = (
        net.parameter("i64", "?,?"),
        net.parameter("i64", length),
        net.const("i64", [], [0]),
    )
    for port in stale:
        picked = axis
        for _ in range(steps):
            picked = net.add(
                "Gather", 'batch_dims="0"', indices, picked, axis, version="opset8"
            )
        net.shapes[picked] = port
        net.add(
            "Result",
            "",
            net.add(
                "GatherElements",
                'axis="1"',
                data,
                picked,
                version="opset6",
                shape=port or "?,?",
            ),
        )
    return net


@pytest.mark.parametrize("port", ["", "?,?", "3,4"])
@pytest.mark.parametrize("length", ["2", "1..8"])
def test_scalars_reach_the_next_layer(port: str, length: str) -> None:
    for steps in (1, 2, 2000):
        findings = flattened(
            validate(scalars(port, length=length, steps=steps).text, bytes(8))
        )
        assert {(finding.code, finding.openvino) for finding in findings} == {
            ("OVG202", "rejects")
        }
        assert any(
            "indices must have rank 1 or more, but is a scalar" in finding.message
            for finding in findings
        )


def test_only_scalars_that_are_certain_reach_the_next_layer() -> None:
    for port in ("", "?,?"):
        findings = flattened(validate(scalars(port, length="...").text, bytes(8)))
        assert [finding.code for finding in findings] == ["OVG708"]


def test_layers_share_what_is_known_of_scalars() -> None:
    model = scalars("", "", "").model()
    taking = [
        gather
        for gather in gather_layers(model)
        if gather.layer.type == "GatherElements"
    ]
    assert [gather.representative for gather in taking] == [None, taking[0], taking[0]]
    # Of layers with the same ports, this one takes the scalar, and that one what nobody knows.
    net = scalars("?,?")
    other = net.add(
        "Gather", 'batch_dims="0"', net.parameter("i64", "..."), 2, 2, version="opset8"
    )
    net.shapes[other] = "?,?"
    net.add(
        "Result",
        "",
        net.add("GatherElements", 'axis="1"', 0, other, version="opset6", shape="?,?"),
    )
    layers = net.layers.copy()
    for order in (layers, layers[::-1]):
        net.layers = order
        gathers = {gather.layer.name: gather for gather in gather_layers(net.model())}
        assert (bool(gathers["l4"].errors), bool(gathers["l8"].errors)) == (True, False)


# -- beside OpenVINO -----------------------------------------------------------------------------------------------

ATTRIBUTES: dict[str, tuple[str, str, str]] = {
    **dict.fromkeys(
        ("Abs", "Ceiling", "Cos", "Erf", "Exp", "ReLU", "Sigmoid", "Sqrt", "Tanh"),
        ("opset1", "", "f32"),
    ),
    "BitwiseNot": ("opset13", "", "i32"),
    "Clamp": ("opset1", 'min="0" max="1"', "f32"),
    "Convert": ("opset1", 'destination_type="f16"', "f32"),
    "Elu": ("opset1", 'alpha="1"', "f32"),
    "Gelu": ("opset7", 'approximation_mode="ERF"', "f32"),
    "HSigmoid": ("opset5", "", "f32"),
    "HSwish": ("opset4", "", "f32"),
    "Identity": ("opset16", "", "f32"),
    "LogSoftmax": ("opset5", 'axis="-1"', "f32"),
    "LogicalNot": ("opset1", "", "boolean"),
    "Mish": ("opset4", "", "f32"),
    "Round": ("opset5", 'mode="half_to_even"', "f32"),
    "SoftPlus": ("opset4", "", "f32"),
    "SoftSign": ("opset9", "", "f32"),
    "SoftMax": ("opset8", 'axis="-1"', "f32"),
    "Swish": ("opset4", "", "f32"),
    **dict.fromkeys(("Acosh", "Asinh", "Atanh"), ("opset4", "", "f32")),
}


def test_layers_that_keep_a_shape() -> None:
    net = Net()
    for type, (version, data, kind) in ATTRIBUTES.items():
        net.add(
            "Result",
            "",
            net.add(type, data, net.parameter(kind, "?,2..5,7"), version=version),
        )
    model = net.model()
    assert {str(tensor.shape) for tensor in tensors_of(model).values()} == {
        "[?,2..5,7]"
    }
    assert (forward_of(model).unchecked, forward_of(model).refusals) == ({}, [])
    if find_spec("openvino") is not None:
        told, error = reshape(model, {})
        assert told is not None, error
        assert {str(each[0]) for each in told.values() if each} == {"[?,2..5,7]"}


def _dims(chance: Random, rank: int) -> list[str]:
    return [chance.choice(DIMS) for _ in range(rank)]


def _chain(net: Net, chance: Random) -> None:
    """Three to five layers, one behind the other."""
    rank = chance.randrange(1, 4)
    data = net.parameter("f32", ",".join(_dims(chance, rank)))
    for _ in range(chance.randrange(3, 6)):
        kind = chance.choice(
            ("GatherElements", "Gather", "Gather", "GatherND", "ReLU", "Convert")
        )
        unknown = ",".join("?" * rank)
        if kind in ("ReLU", "Convert"):
            data = net.add(kind, 'destination_type="f32"', data, shape=unknown)
        elif kind == "GatherElements":
            indices = net.parameter(
                "i64",
                ",".join(
                    ["?"] * rank if chance.random() < 0.3 else _dims(chance, rank)
                ),
            )
            attributes = f'axis="{chance.randrange(-rank, rank)}"'
            data = net.add(
                kind, attributes, data, indices, version="opset6", shape=unknown
            )
        elif kind == "Gather":
            count, axis = chance.randrange(1, 3), chance.randrange(rank)
            batch = chance.randrange(min(axis, count) + 1)
            indices = net.parameter("i64", ",".join(_dims(chance, count)))
            attributes, number = f'batch_dims="{batch}"', net.const("i64", [], [axis])
            rank += count - 1 - batch
            data = net.add(
                kind,
                attributes,
                data,
                indices,
                number,
                version="opset8",
                shape=",".join("?" * rank),
            )
        else:
            width = chance.randrange(1, rank + 1)
            indices = net.parameter("i64", ",".join([*_dims(chance, 1), str(width)]))
            rank += 1 - width
            data = net.add(
                kind,
                'batch_dims="0"',
                data,
                indices,
                version="opset8",
                shape=",".join("?" * rank),
            )
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
    theirs: dict[str, Inferred] = {
        layer.layer.name: layer for layer in infer(model, with_openvino=True).layers
    }
    assert len(ours) > 2 * CHAINS
    for layer in ours:
        told = theirs[layer.layer.name].openvino
        assert layer.output is not None
        assert told is not None
        assert layer.output.shape == told[0], layer
    assert sum(".." in layer.output.shape for layer in ours if layer.output) > CHAINS
    all_told, error = reshape(model, {})
    assert all_told is not None, error
    for name, tensor in tensors_of(model).items():
        assert tensor.shape == PartialShape(all_told[(), name][0].dims), name
