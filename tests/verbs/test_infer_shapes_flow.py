"""Shapes on their way through a file: what other input shapes change, where that ends, and that OpenVINO agrees."""

from __future__ import annotations

from importlib.util import find_spec
from random import Random

import pytest
from nets import Net

import ovgather
from ovgather.ir.model import Model
from ovgather.layers.inputs import matched, parse
from ovgather.runtimes import load as openvino
from ovgather.runtimes import pool
from ovgather.runtimes.child import Failure
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.infer import infer
from ovgather.verbs.infer.records import Inferred
from ovgather.verbs.shapes import shapes

requires_openvino = pytest.mark.skipif(
    find_spec("openvino") is None, reason="openvino is not installed"
)


def shapes_of(model: Model, **given: str) -> dict[str, Inferred]:
    return {
        layer.layer.name: layer for layer in infer(model, input_shapes=given).layers
    }


def embeddings(between: str = "ReLU") -> Net:
    """ids -> Gather (table) -> ``between`` -> GatherElements by order."""
    net = Net()
    ids, order = net.parameter("i64", "?,6"), net.parameter("i64", "?,6,2")
    table, axis = net.const("f32", [10, 4], [0.0] * 40), net.const("i64", [], [0])
    words = net.add(
        "Gather", 'batch_dims="0"', table, ids, axis, version="opset8", shape="?,6,4"
    )
    kept = net.add(between, 'destination_type="f16"', words, shape="?,6,4")
    picked = net.add(
        "GatherElements", 'axis="2"', kept, order, version="opset6", shape="?,6,2"
    )
    net.add("Result", "", picked)
    return net


@pytest.mark.parametrize(
    ("between", "kind"), [("ReLU", "f32"), ("Convert", "f16"), ("SoftMax", "f32")]
)
def test_given_shapes_flow_through_gathers_and_other_layers(
    between: str, kind: str
) -> None:
    found = shapes_of(embeddings(between).model(), l0="[3,128]", in1="batch,128,9")
    words, picked = found["l4"], found["l6"]
    assert words.output is not None
    assert (words.output[:2], words.declared, words.updated) == (
        ("[3,128,4]", "f32"),
        "[?,6,4]",
        True,
    )
    assert picked.inference is not None
    assert picked.output is not None
    assert (picked.output[:2], picked.inference.shape.named) == (
        ("[3,128,9]", kind),
        "[batch:3,128,9]",
    )
    assert picked.inference.constraints == ("batch == 3",)
    assert not picked.is_wrong
    # Though it contradicts what was declared for the shapes before.
    assert not words.is_wrong


def test_what_does_not_change_is_not_reached() -> None:
    model = embeddings().model()
    assert not any(layer.updated for layer in shapes_of(model, l0="?,6").values())
    reached = shapes_of(model, l1="?,6,3")
    assert [name for name, layer in reached.items() if layer.updated] == ["l6"]


def test_behind_a_type_that_is_not_checked_nothing_is_known() -> None:
    found = infer(embeddings("Mine").model(), input_shapes={"l0": "3,6"})
    picked = found.layers[1]
    assert [layer.name for layer in found.unchecked] == ["l5"]
    assert picked.behind == 'Mine 5 "l5"'
    assert [tensor.shape for _, tensor in picked.inputs] == ["[...]", "[?,6,2]"]
    assert picked.output is not None
    assert (picked.output.shape, picked.updated) == ("[?,6,2]", True)
    assert not picked.is_wrong
    tensors = shapes(embeddings("Mine").model(), {"l0": "3,6"})
    assert (str(tensors["l4"].shape), tensors["l4"].why) == (
        "[3,6,4]",
        "computed from Parameters and Consts",
    )
    assert (str(tensors["l5"].shape), tensors["l5"].why) == (
        "[...]",
        "behind a layer of a type that is not checked",
    )


def test_without_other_shapes_the_port_of_a_type_that_is_not_checked_counts() -> None:
    model = embeddings("Mine").model()
    # Asked for with other shapes, and with all tensors.
    assert infer(model).unchecked == ()
    assert [layer.name for layer in infer(model, all=True).unchecked] == ["l5"]
    tensors = shapes(model)
    assert [str(tensors[name].shape) for name in ("l5", "l6")] == ["[?,6,4]", "[?,6,2]"]


def test_the_nearest_layer_in_the_way_is_named() -> None:
    net = embeddings("Mine")
    last = net.add("Yours", "", 6, 6, shape="?,6,2")
    net.add(
        "Result",
        "",
        net.add("Gather", "", last, 1, 3, version="opset8", shape="?,6,2,6,2"),
    )
    found = infer(net.model(), input_shapes={"l0": "3,6", "l1": "3,6,5"})
    assert [layer.name for layer in found.unchecked] == ["l5", "l8"]
    assert [layer.behind for layer in found.layers] == [
        None,
        'Mine 5 "l5"',
        'Yours 8 "l8"',
    ]


def test_a_shape_of_has_the_length_of_the_rank() -> None:
    net = Net()
    data, axis = net.parameter("f32", "?,6"), net.const("i64", [], [0])
    shape = net.add("ShapeOf", 'output_type="i64"', data, version="opset3", shape="2")
    one = net.add(
        "Gather",
        "",
        shape,
        net.const("i64", [1], [0]),
        axis,
        version="opset8",
        shape="1",
    )
    net.add("Result", "", one)
    for given, length in (
        ("5,7", "[2]"),
        ("5,7,9", "[3]"),
        ("", "[0]"),
        ("...", "[?]"),
    ):
        tensors = shapes(net.model(), {"l0": given})
        assert [str(tensors[name].shape) for name in ("l2", "l4")] == [length, "[1]"]


def positions(between: str) -> Net:
    """Positions that a static file counts up to a length, and a table that is read at them."""
    net = Net()
    ids, axis = net.parameter("i64", "1,128"), net.const("i64", [], [0])
    shape = net.add("ShapeOf", 'output_type="i64"', ids, version="opset3", shape="2")
    picked = net.add(
        "Gather", "", shape, net.const("i64", [], [1]), axis, version="opset8"
    )
    same = net.add(between, 'destination_type="i64"', picked)
    one = net.const("i64", [], [1])
    places = net.add(
        "Range", 'output_type="i64"', axis, same, one, version="opset4", shape="128"
    )
    table = net.const("f32", [512, 4], [0.0] * 2048)
    net.add(
        "Result",
        "",
        net.add("Gather", "", table, places, axis, version="opset8", shape="128,4"),
    )
    return net


@pytest.mark.parametrize(
    ("between", "output"),
    [("Convert", "[64,4]"), ("ReLU", "[64,4]"), ("Mine", "[?,4]")],
)
def test_lengths_that_become_shapes_are_not_taken_for_what_they_were(
    between: str, output: str
) -> None:
    """They are as many as before only where the file says so."""
    net = positions(between)
    found = infer(net.model(), input_shapes={"l0": "1,64"})
    length_layer, embedding = found.layers
    assert not length_layer.updated
    assert embedding.output is not None
    assert embedding.output.shape == output
    assert [layer.type for layer in found.unchecked] == (
        ["Mine"] if between == "Mine" else []
    )
    if between != "Mine" and find_spec("openvino") is not None:
        beside = infer(net.model(), input_shapes={"l0": "1,64"}, with_openvino=True)
        assert [layer.openvino for layer in beside.layers] == [
            ("[]", "equal"),
            ("[64,4]", "equal"),
        ]


def test_shapes_that_do_not_fit() -> None:
    model = embeddings().model()
    file = infer(model, input_shapes={"l0": "3,7", "l1": "3,6,2"})
    found = file.layers[1]
    assert found.error is not None
    assert found.error.startswith("dim 1 is 7 in data but 6 in indices")
    assert found.is_wrong
    assert found.output is None
    assert file.refused is not None
    assert (file.refused.layer.name, file.refused.message) == ("l6", found.error)
    with pytest.raises(ovgather.ShapeInferenceError) as caught:
        shapes(model, {"l0": "3,7", "l1": "3,6,2"})
    assert str(caught.value) == f'GatherElements-6 "l6" (layer 6): {found.error}'


def test_layers_that_read_from_themselves_are_left_alone() -> None:
    net = embeddings()
    net.add("ReLU", "", 8)
    assert shapes_of(net.model(), l0="3,6")["l4"].updated


def test_bodies() -> None:
    model = ovgather.read("samples_xml/demo/nested.xml")
    found = infer(model, input_shapes={"data": "7,3", "indices": "7,3"}, all=True)
    assert found.refused is None
    assert {layer.behind for layer in found.layers} == {None}
    assert found.tensors is not None
    tensors = {
        (*each.layer.body, each.layer.name): each.tensor.shape for each in found.tensors
    }
    then = ("three_times", "body", "choose", "then_body")
    assert tensors[(*then, "pick")] == "[7,3]"
    assert tensors["three_times", "body", "choose", "else_body", "reverse"] == "[4,3]"
    assert tensors["three_times", "body", "state"] == "[?,3]"  # of 7 rows, or of 4
    assert shapes(model, {"data": "7,3", "indices": "7,3"})[
        "/".join((*then, "pick"))
    ].shape == [
        7,
        3,
    ]


# -- names, expressions and intervals ------------------------------------------------------------------------------


def cache(of_past: str = "1,?,8", of_new: str = "1,?,8") -> Net:
    """Past and new keys one after the other, and as many positions as there are of both."""
    net = Net()
    past, new = net.parameter("f32", of_past), net.parameter("f32", of_new)
    keys = net.add("Concat", 'axis="1"', past, new)
    shape = net.add("ShapeOf", 'output_type="i64"', keys, version="opset3")
    zero, one = net.const("i64", [], [0]), net.const("i64", [], [1])
    length = net.add("Gather", "", shape, one, zero, version="opset8")
    places = net.add("Range", 'output_type="i64"', zero, length, one, version="opset4")
    net.add("Result", "", net.add("Gather", "", keys, places, one, version="opset8"))
    return net


@pytest.mark.parametrize(
    ("past", "new", "keys", "places"),
    [
        ("1,past,8", "1,1,8", "[1,past + 1:1..,8]", "past + 1"),
        ("1,past,8", "1,seq,8", "[1,past + seq,8]", "past + seq"),
        ("1,past:0..7,8", "1,1,8", "[1,past + 1:1..8,8]", "past + 1"),
        ("batch,n,8", "batch,n,8", "[batch,2*n,8]", "2*n"),
        ("1,3..7,8", "1,2..4,8", "[1,5..11,8]", "?"),
        ("1,3..,8", "1,..4,8", "[1,3..,8]", "?"),
        ("1,?,8", "1,?,8", "[1,?,8]", "?"),
        ("1,5,8", "1,6,8", "[1,11,8]", "11"),
    ],
)
def test_names_become_expressions(past: str, new: str, keys: str, places: str) -> None:
    tensors = shapes(cache().model(), {"l0": past, "l1": new})
    assert tensors["l2"].shape.named == keys
    assert tensors["l7"].shape.named == f"[{places}]"
    # The length is carried through ShapeOf, Gather and Range, which tells no bounds.
    batch = keys.partition(",")[0]
    assert tensors["l8"].shape.named == f"{batch},{places},8]"
    assert {why for _, why in tensors.values()} == {
        "computed from Parameters and Consts"
    }
    assert "\0" not in str(
        infer(cache().model(), input_shapes={"l0": past, "l1": new}, all=True)
    )


def test_names_in_a_pattern() -> None:
    net = Net()
    x, zero = net.parameter("f32", "?,?,12"), net.const("i64", [], [0])
    shape = net.add("ShapeOf", 'output_type="i64"', x, version="opset3")
    parts = [
        net.add(
            "Gather", "", shape, net.const("i64", [1], [place]), zero, version="opset8"
        )
        for place in (0, 1)
    ]
    pattern = net.add("Concat", 'axis="0"', *parts, net.const("i64", [2], [3, -1]))
    heads = net.add("Reshape", 'special_zero="true"', x, pattern)
    order = net.const("i64", [4], [0, 2, 1, 3])
    net.add("Result", "", net.add("Transpose", "", heads, order))
    tensors = shapes(net.model(), {"l0": "batch,seq,12"})
    assert [tensors[f"l{number}"].shape.named for number in (heads, heads + 2)] == [
        "[batch,seq,3,4]",
        "[batch,3,seq,4]",
    ]


def reshaped(last: int = -1) -> Net:
    """x[?,?,8,8] -> Reshape to its first two lengths and ``last`` -> Gather along axis 2."""
    net = Net()
    x, ids, zero = (
        net.parameter("f32", "?,?,8,8"),
        net.parameter("i64", "3"),
        net.const("i64", [], [0]),
    )
    shape = net.add("ShapeOf", 'output_type="i64"', x, version="opset3", shape="4")
    first = net.add(
        "Gather",
        "",
        shape,
        net.const("i64", [1], [0]),
        zero,
        version="opset8",
        shape="1",
    )
    second = net.add(
        "Gather", "", shape, net.const("i64", [], [1]), zero, version="opset8"
    )
    second = net.add("Unsqueeze", "", second, net.const("i64", [1], [0]), shape="1")
    pattern = net.add(
        "Concat", 'axis="0"', first, second, net.const("i64", [1], [last]), shape="3"
    )
    made = net.add("Reshape", 'special_zero="false"', x, pattern, shape="?,?,?")
    net.add(
        "Result",
        "",
        net.add("Gather", "", made, ids, net.const("i64", [], [2]), version="opset8"),
    )
    return net


@pytest.mark.parametrize(
    ("given", "last", "data"),
    [
        ("batch,seq,8,8", -1, "[batch,seq,64]"),
        ("batch,seq,8,8", 64, "[batch,seq,64]"),
        ("1..4,?,8,8", -1, "[1..4,?,64]"),
        ("2,3,8,8", -1, "[2,3,64]"),
        ("batch,seq,8,n", -1, "[batch,seq,8*n]"),
        ("batch,seq,8,?", -1, "[batch,seq,?]"),
        ("...", -1, "[?,?,?]"),
    ],
)
def test_lengths_are_carried_through_a_computed_pattern(
    given: str, last: int, data: str
) -> None:
    record = infer(reshaped(last).model(), input_shapes={"l0": given}).layers[-1]
    typed = record.inputs[0][1]
    assert (typed.named or typed.shape, record.behind) == (data, None)
    assert "\0" not in str(record)


# -- advice --------------------------------------------------------------------------------------------------------


def refusal(net: Net, **given: str) -> tuple[str, str, str]:
    """The layer that refuses, the argument that the message begins with, and the advice."""
    found = infer(net.model(), input_shapes=given)
    assert found.refused is not None
    with pytest.raises(ovgather.ShapeInferenceError) as caught:
        shapes(net.model(), given)
    assert str(caught.value).endswith(
        f"; {found.refused.help}" if found.refused.help else found.refused.message
    )
    return found.refused.layer.name, found.refused.message, found.refused.help


def test_a_frozen_pattern() -> None:
    net = Net()
    pattern = net.const("i64", [2], [1, 60])
    net.add(
        "Result",
        "",
        net.add(
            "Reshape", 'special_zero="false"', net.parameter("f32", "?,6,10"), pattern
        ),
    )
    layer, message, help = refusal(net, l1="2,6,10")
    assert (layer, "[2,6,10]" in message) == ("l2", True)
    assert help == (
        'Const 0 "l0" is frozen in the file; write -1 in it for the dim that follows from the others, or 0'
        " (special_zero) for a kept one"
    )


def test_a_frozen_table() -> None:
    net = Net()
    table = net.const("f32", [1, 6, 4], [0.0] * 24)
    net.add("Result", "", net.add("Add", "", net.parameter("f32", "?,6,4"), table))
    layer, message, help = refusal(net, l1="2,7,4")
    assert (layer, "[2,7,4] and [1,6,4]" in message) == ("l2", True)
    assert (
        help
        == 'Const 0 "l0" is frozen in the file; export the model anew with that length left open'
    )


def test_another_input_that_should_change_as_well() -> None:
    net = Net()
    net.add(
        "Result",
        "",
        net.add("Add", "", net.parameter("f32", "6,4"), net.parameter("f32", "6,4")),
    )
    assert (
        refusal(net, l0="7,4")[2] == 'give Parameter 1 "l1" a shape that fits as well'
    )
    assert refusal(net, l0="7,4", l1="8,4")[2] == ""


def test_a_file_that_openvino_refuses_as_it_is() -> None:
    net = Net()
    net.add(
        "Result",
        "",
        net.add("Add", "", net.parameter("f32", "6,4"), net.parameter("f32", "7,4")),
    )
    assert infer(net.model()).refused is None  # not asked for
    found = infer(net.model(), all=True).refused
    assert found is not None
    assert (found.layer.name, found.help) == ("l2", "")


def frozen_patterns(lengths: list[int]) -> Net:
    """One input of [6,4] that a Reshape for each of ``lengths`` takes, each with a second Reshape behind it."""
    net = Net()
    data = net.parameter("f32", "6,4")
    for length in lengths:
        pattern = net.const("i64", [1], [length])
        flat = net.add("Reshape", 'special_zero="false"', data, pattern, shape="24")
        back = net.const("i64", [2], [4, 6])
        wide = net.add("Reshape", 'special_zero="false"', flat, back, shape="4,6")
        net.add("Result", "", wide)
    return net


@requires_openvino
@pytest.mark.parametrize(
    "patterns", [[24], [24, 24], [24, 24, 24], [24, -1, 24], [-1], [-1, -1]], ids=str
)
def test_every_blocker_is_named_and_each_alone_blocks(patterns: list[int]) -> None:
    file = infer(frozen_patterns(patterns).model(), input_shapes={"l0": "7,4"})
    found = [blocker.layer.name for blocker in file.blockers]
    # the second Reshape is frozen always; the first one is met before it
    expected = {f"l{5 * index + 4}" for index, _ in enumerate(patterns)}
    expected |= {f"l{5 * index + 2}" for index, each in enumerate(patterns) if each > 0}
    assert (set(found), file.refused) == (expected, file.blockers[0])
    for pattern in patterns:
        alone = frozen_patterns([pattern]).model()
        answer, refusal = openvino.reshape(
            alone, matched(alone, {"l0": PartialShape.of("7,4")})
        )
        assert answer is None
        assert refusal


def test_a_frozen_shape_before_a_layer_that_refuses() -> None:
    """A Reshape to [2,3,-1] takes another batch, and gives dims that the MatMul behind it does not take."""
    net = Net()
    data = net.parameter("f32", "2,3,4,8")
    pattern = net.const("i64", [3], [2, 3, -1])
    flat = net.add("Reshape", 'special_zero="true"', data, pattern, shape="2,3,32")
    weights = net.const("f32", [32, 5], [0.0] * 160)
    head = net.add(
        "MatMul",
        'transpose_a="false" transpose_b="false"',
        flat,
        weights,
        shape="2,3,5",
    )
    frozen = net.const("i64", [3], [2, 15, 1])
    tail = net.add("Reshape", 'special_zero="false"', head, frozen, shape="2,15,1")
    net.add("Result", "", tail)
    file = infer(net.model(), input_shapes={"l0": "4,3,4,8"})
    assert [each.layer.name for each in file.blockers] == ["l4", "l6"]
    assert [each.help.partition(" is")[0] for each in file.blockers] == [
        'Const 1 "l1"',
        'Const 5 "l5"',
    ]


# -- names of inputs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["ids"], "'ids' is no input with a shape"),
        (["=[1]"], "'=[1]' is no input with a shape"),
        (["ids=[1", "x=2"], "input 'ids': '[1' is not a shape"),
        (["ids=1", "ids=2"], "input 'ids' is given two shapes"),
    ],
)
def test_input_shapes_that_are_none(texts: list[str], message: str) -> None:
    with pytest.raises(ovgather.InvalidModelError) as caught:
        parse(texts)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("call", [infer, shapes])
def test_a_shape_that_is_none(call: object) -> None:
    with pytest.raises(
        ovgather.InvalidModelError, match=r"input 'token_ids': '\[1;2\]' is not a shape"
    ):
        call("samples_xml/demo/good.xml", input_shapes={"token_ids": "[1;2]"})  # type: ignore[operator]
    with pytest.raises(
        ovgather.InvalidModelError, match="has no input 'tokens'; it takes"
    ):
        call("samples_xml/demo/good.xml", input_shapes={"tokens": [1, 2]})  # type: ignore[operator]


def test_inputs_by_name() -> None:
    model = ovgather.read("samples_xml/demo/good.xml")
    name = next(layer.name for layer in model.layers() if layer.type == "Parameter")
    tensor = model.tensor_names(model.find(name))[0]
    for spelled in (name, tensor, "in0"):
        assert [
            str(shape) for shape in matched(model, parse([f"{spelled}=3,6"])).values()
        ] == ["[3,6]"]
    with pytest.raises(
        ovgather.InvalidModelError,
        match=r"has no input 'in1'; it takes\n  token_ids or .*: \[\?,6\]",
    ):
        matched(model, parse(["in1=3"]))
    with pytest.raises(
        ovgather.InvalidModelError, match="input 'token_ids' is given two shapes"
    ):
        matched(model, parse(["in0=3", f"{name}=3"]))


def test_tensors_by_name() -> None:
    model = ovgather.read("samples_xml/demo/good.xml")
    tensors = shapes(model, {"token_ids": "batch,6"})
    assert [tensors[name].shape.named for name in ("order.0", "order.1")] == [
        "[batch,6]",
        "[batch,6]",
    ]
    order = model.find("order")
    for index in range(2):
        for name in model.tensor_names(order, index):
            assert tensors[name] is tensors[f"order.{index}"]
    with pytest.raises(KeyError, match="nothing"):
        tensors["nothing"]


# -- beside OpenVINO -----------------------------------------------------------------------------------------------


def random_gathers(rng: Random) -> tuple[Net, dict[int, PartialShape]]:
    """Layers of the family and others one after the other, and other shapes for the inputs."""
    net = Net()
    axis = rng.randrange(2)
    number = net.const("i64", [], [axis])
    last = net.parameter("f32", "4,6")
    given = {
        0: PartialShape.of([rng.choice([4, 8, (2, 9)]), rng.choice([6, 3, (1, None)])])
    }
    for step in range(rng.randint(1, 5)):
        kind = rng.choice(
            ["Gather", "GatherElements", "GatherND", "ReLU", "Sigmoid", "Add"]
        )
        if kind == "Gather":
            last = net.add(
                kind, "", last, net.const("i32", [5], [0] * 5), number, version="opset8"
            )
        elif kind == "GatherElements":
            place = sum('type="Parameter"' in layer for layer in net.layers)
            indices = net.parameter("i64", "?,?")
            given[place] = PartialShape.of([rng.choice([-1, 4, (2, 7)]), -1])
            last = net.add(kind, f'axis="{step % 2}"', last, indices, version="opset6")
        elif kind == "GatherND":
            last = net.add(
                kind, "", last, net.const("i64", [3, 7, 1], [0] * 21), version="opset8"
            )
            break
        else:
            last = net.add(kind, "", *([last, last] if kind == "Add" else [last]))
    net.add("Result", "", last)
    return net, given


def random_lengths(rng: Random) -> tuple[Net, dict[int, PartialShape]]:
    """x, and its lengths in some order as the target of one layer after the other."""
    net = Net()
    dims = [rng.choice([1, 2, 3, 6]) for _ in range(3)]
    last = x = net.parameter("f32", "?,?,?")
    zero, one = net.const("i64", [1], [0]), net.const("i64", [1], [1])
    shape = net.add("ShapeOf", 'output_type="i64"', x, version="opset3", shape="3")
    for _ in range(rng.randint(2, 5)):
        kind = rng.choice(
            [
                "Reshape",
                "Transpose",
                "Unsqueeze",
                "Slice",
                "StridedSlice",
                "Multiply",
                "Concat",
                "MatMul",
            ]
        )
        if kind == "Reshape":
            places = [
                net.const("i64", [1], [place]) for place in rng.sample(range(3), 2)
            ]
            lengths = [
                net.add("Gather", "", shape, place, zero, version="opset8", shape="1")
                for place in places
            ]
            lengths.insert(rng.randrange(3), net.const("i64", [1], [-1]))
            pattern = net.add("Concat", 'axis="0"', *lengths, shape="3")
            last = net.add(kind, 'special_zero="false"', x, pattern)
        elif kind == "Transpose":
            last = net.add(
                kind, "", last, net.const("i64", [3], rng.sample(range(3), 3))
            )
        elif kind == "Unsqueeze":
            more = net.add(
                kind, "", last, net.const("i64", [1], [rng.randrange(-4, 4)])
            )
            last = net.add("ReLU", "", more)
            last = net.add(
                "Reshape",
                'special_zero="true"',
                last,
                net.const("i64", [3], [0, 0, -1]),
            )
        elif kind == "Slice":
            bounds = (rng.randrange(-3, 3), 1 << 40, rng.choice([1, 2]), 2)
            last = net.add(
                kind,
                "",
                last,
                *[net.const("i64", [1], [value]) for value in bounds],
                version="opset8",
            )
        elif kind == "StridedSlice":
            masks = f'begin_mask="{rng.randrange(2)}" end_mask="{rng.randrange(2)}" new_axis_mask="" '
            ends = [
                net.const("i64", [1], [value])
                for value in (rng.randrange(-2, 1), rng.randrange(1, 4))
            ]
            last = net.add(
                kind, masks + 'shrink_axis_mask="" ellipsis_mask=""', last, *ends, one
            )
        elif kind == "Multiply":
            last = net.add(kind, 'auto_broadcast="numpy"', last, last)
        elif kind == "Concat":
            last = net.add(kind, f'axis="{rng.randrange(-3, 3)}"', last, last)
        else:
            last = net.add(kind, 'transpose_a="false" transpose_b="true"', last, last)
    net.add("Result", "", last)
    return net, {0: PartialShape.of(dims)}


@requires_openvino
@pytest.mark.parametrize(
    ("make", "number", "least"),
    [(random_gathers, 60, 200), (random_lengths, 120, 1000)],
)
def test_openvino_reshapes_to_the_same(make: object, number: int, least: int) -> None:
    cases = [
        openvino.Reshape(net.model(), given)
        for net, given in (make(Random(seed)) for seed in range(number))
    ]  # type: ignore[operator]
    compared = refused = 0
    for case, answer in zip(
        cases, pool.run(cases, timeout=120, device="CPU"), strict=True
    ):
        assert not isinstance(answer, Failure)
        told, error = answer
        given = {f"in{place}": shape for place, shape in case.shapes.items()}
        if told is None:
            assert infer(case.model, input_shapes=given).refused is not None, error
            refused += 1
            continue
        for name, (shape, _) in shapes(case.model, given).items():
            if ((), name) in told:
                assert shape == told[(), name][0], name
                compared += 1
    assert compared > least
    assert refused > 3 or make is random_lengths


@requires_openvino
@pytest.mark.parametrize(
    "path", ["samples_xml/demo/good.xml", "samples_xml/demo/nested.xml"]
)
def test_a_whole_file_beside_openvino(path: str) -> None:
    for given in ({}, {"in0": PartialShape.of("9,6" if "good" in path else "4,3")}):
        found = infer(path, input_shapes=given, with_openvino=True)
        assert found.openvino is None
        assert found.layers
        assert {layer.openvino[1] for layer in found.layers if layer.openvino} == {
            "equal"
        }
        assert all(layer.openvino for layer in found.layers)


@requires_openvino
def test_what_openvino_refuses_is_said() -> None:
    found = infer(embeddings("Mine").model(), input_shapes={}, with_openvino=True)
    assert found.openvino is not None
    assert found.openvino.startswith("read_model: ")
    given = {"l0": "3,7", "l1": "3,6,2"}
    found = infer(embeddings().model(), input_shapes=given, with_openvino=True)
    assert found.openvino is not None
    assert found.openvino.startswith("reshape: ")
    assert found.refused is not None
