"""Lengths on their way through layers of other kinds, back into shapes: as OpenVINO computes them."""

from __future__ import annotations

from importlib.util import find_spec
from random import Random

import pytest
from nets import Net

from ovgather.layers.lengths.carried import Carried
from ovgather.layers.lengths.derived import MOST_ITEMS, derive
from ovgather.layers.shape_propagation import Flow
from ovgather.runtimes import load as openvino
from ovgather.runtimes import pool
from ovgather.runtimes.child import Failure
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.infer import infer

requires_openvino = pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")


def reshaped(last: int = -1) -> Net:
    """x[?,?,8,8] -> Reshape to its first two lengths and ``last`` -> Gather along axis 2."""
    net = Net()
    x, ids, zero = net.parameter("f32", "?,?,8,8"), net.parameter("i64", "3"), net.const("i64", [], [0])
    shape = net.add("ShapeOf", 'output_type="i64"', x, version="opset3", shape="4")
    first = net.add("Gather", "", shape, net.const("i64", [1], [0]), zero, version="opset8", shape="1")
    second = net.add("Gather", "", shape, net.const("i64", [], [1]), zero, version="opset8")
    second = net.add("Unsqueeze", "", second, net.const("i64", [1], [0]), shape="1")
    pattern = net.add("Concat", 'axis="0"', first, second, net.const("i64", [1], [last]), shape="3")
    made = net.add("Reshape", 'special_zero="false"', x, pattern, shape="?,?,?")
    net.add("Result", "", net.add("Gather", "", made, ids, net.const("i64", [], [2]), version="opset8"))
    return net


@pytest.mark.parametrize(
    ("given", "last", "data"),
    [
        ("batch,seq,8,8", -1, "[batch,seq,64]"),
        ("batch,seq,8,8", 64, "[batch,seq,64]"),
        ("1..4,?,8,8", -1, "[1..4,?,64]"),
        ("2,3,8,8", -1, "[2,3,64]"),
        ("batch,seq,8,?", -1, "[batch,seq,?]"),
        ("...", -1, "[?,?,?]"),
    ],
)
def test_lengths_are_carried_through_a_computed_pattern(given: str, last: int, data: str) -> None:
    record = infer(reshaped(last).model(), input_shapes={"l0": given}).layers[-1]
    typed = record.inputs[0][1]
    assert (typed.named or typed.shape, record.behind) == (data, None)
    assert "\0" not in str(record)


def known(shape: str, *items: int) -> Carried:
    return Carried(PartialShape.of(shape), items or None)


@pytest.mark.parametrize(
    ("type", "inputs", "data", "shape"),
    [
        ("Add", [known("n,1"), known("4")], {}, "[n,4]"),
        ("Add", [known("n,2"), known("n,2")], {"auto_broadcast": "none"}, "[n,2]"),
        ("Add", [known("2,3"), known("3")], {"auto_broadcast": "pdpd"}, None),
        ("Add", [known("..."), known("3")], {}, "[...]"),
        ("Concat", [known("n,2"), known("?,3")], {"axis": "1"}, "[n,5]"),
        ("Concat", [known("n,2"), known("...")], {"axis": "-1"}, "[n,2..]"),
        ("Concat", [known("2"), known("2,2")], {"axis": "0"}, None),
        ("Concat", [known("2")], {}, None),
        ("Reshape", [known("n,6"), known("2", 0, 3)], {"special_zero": "true"}, "[n,3]"),
        ("Reshape", [known("n,6"), known("2", -1, 3)], {}, "[?]"),
        ("Reshape", [known("4,6"), known("2", -1, 3)], {}, "[8,3]"),
        ("Reshape", [known("n,m"), known("?")], {}, "[...]"),
        ("Reshape", [known("n,m"), known("3")], {}, "[?,?,?]"),
        ("Squeeze", [known("1,n,1"), known("1", -1)], {}, "[1,n]"),
        ("Squeeze", [known("1,4")], {}, "[4]"),
        ("Squeeze", [known("1,n")], {}, "[...]"),
        ("Unsqueeze", [known("n"), known("2", 0, -1)], {}, "[1,n,1]"),
        ("Transpose", [known("a,b,4"), known("3", 2, 0, 1)], {}, "[4,a,b]"),
        ("Transpose", [known("a,b")], {}, "[b,a]"),
        ("Transpose", [known("a,b"), known("2")], {}, "[?,?]"),
        ("Slice", [known("9,n"), *[known("1", number) for number in (1, 1 << 40, 2, 0)]], {}, "[4,n]"),
        ("Slice", [known("n"), known("1", 0), known("1", 1 << 40), known("1", 1)], {}, "[n]"),
        ("Slice", [known("2..5"), known("1", 1), known("1", 3), known("1", 1)], {}, "[..5]"),
        ("Slice", [known("5,5"), known("1"), known("1", 3), known("1", 1), known("1", 1)], {}, "[5,..5]"),
        ("StridedSlice", [known("7,n"), known("1", 2), known("1", 4)], {"begin_mask": "1"}, "[4,n]"),
        ("StridedSlice", [known("7,n"), known("1", 2), known("1", 3)], {"shrink_axis_mask": "1"}, "[n]"),
        ("StridedSlice", [known("7,n"), known("1", 2), known("1", 3)], {"new_axis_mask": "1"}, None),
        ("Broadcast", [known("n,1"), known("2", 1, 4)], {"mode": "bidirectional"}, "[n,4]"),
        ("Broadcast", [known(""), known("2", 3, 4)], {"mode": "numpy"}, "[3,4]"),
        ("Range", [known("", 2), known("", 8), known("", 3)], {}, "[2]"),
        ("Range", [known("", 0), Carried(PartialShape.of(""), (PartialShape.of("n")[0],)), known("", 1)], {}, "[n]"),
        ("MatMul", [known("b,4,5"), known("6,5")], {"transpose_b": "true"}, "[b,4,6]"),
        ("MatMul", [known("5"), known("5,6")], {}, "[...]"),
        ("MVN", [known("b,4"), known("1", 1)], {}, "[b,4]"),
        ("ShapeOf", [known("...")], {}, "[?]"),
        ("ShapeOf", [known("a,b,c")], {"start": "1"}, "[2]"),
        ("Convolution", [known("1,3,8,8")], {}, None),
        ("Squeeze", [None], {}, "[...]"),
        ("Reshape", [known("n"), known(f"{1 << 60}")], {}, "[...]"),
        ("Concat", [known(f"{1 << 60}"), known("2")], {"axis": "0"}, f"[{(1 << 60) + 2}]"),
        ("Concat", [known(""), known("")], {"axis": "0"}, None),
        ("Slice", [known(""), *[known("1", 1)] * 4], {}, None),
        ("Range", [known("", -(1 << 62)), known("", 1 << 62), known("", 1)], {}, None),
        ("Reshape", [known("n")], {}, None),
        ("Unsqueeze", [known("n"), known("1", 7)], {}, None),
    ],
)
def test_shapes(type: str, inputs: list[Carried | None], data: dict[str, str], shape: str | None) -> None:
    derived = derive(type, inputs, data.get)
    if shape == "[?]" and type == "Reshape":  # n * 6 / 3 is not known to be a length of its own
        assert derived is not None
        assert derived.shape == [-1, 3]
        return
    assert (None if derived is None else derived.shape.named) == shape


@pytest.mark.parametrize(
    ("type", "one", "other", "items"),
    [
        ("Add", "n:2..5", "3", "5..8"),
        ("Add", "n", "0", "n"),
        ("Add", "?", "-1", "None"),
        ("Add", "4", "-1", "3"),
        ("Subtract", "n:2..5", "2", "..3"),
        ("Subtract", "3", "n", "None"),
        ("Multiply", "n", "1", "n"),
        ("Multiply", "2..5", "3", "6..15"),
        ("Multiply", "n", "-1", "None"),
        ("Divide", "9", "2", "4"),
        ("Divide", "4..9", "2", "2..4"),
        ("Divide", "-3", "2", "None"),
        ("Maximum", "3", "2", "None"),
    ],
)
def test_arithmetic(type: str, one: str, other: str, items: str) -> None:
    sides = [-int(text[1:]) if text.startswith("-") else PartialShape.of(text)[0] for text in (one, other)]
    derived = derive(type, [Carried(PartialShape.of(""), (side,)) for side in sides], {}.get)
    assert derived is not None
    [item] = derived.items or (None,)
    assert getattr(item, "named", str(item)) == items


def test_many_items_are_dropped() -> None:
    many = Carried(PartialShape.of([MOST_ITEMS]), (1,) * MOST_ITEMS)
    derived = derive("Concat", [many, many], {"axis": "0"}.get)
    assert derived == Carried(PartialShape.of([2 * MOST_ITEMS]))


def random_net(rng: Random) -> tuple[Net, PartialShape]:
    """x, and its lengths in some order as the target of one layer after the other."""
    net = Net()
    dims = [rng.choice([1, 2, 3, 6]) for _ in range(3)]
    last = x = net.parameter("f32", "?,?,?")
    zero, one = net.const("i64", [1], [0]), net.const("i64", [1], [1])
    shape = net.add("ShapeOf", 'output_type="i64"', x, version="opset3", shape="3")
    for _ in range(rng.randint(2, 5)):
        kind = rng.choice(
            ["Reshape", "Transpose", "Unsqueeze", "Slice", "StridedSlice", "Multiply", "Concat", "MatMul"]
        )
        if kind == "Reshape":
            a, b = rng.sample(range(3), 2)
            places = [net.const("i64", [1], [place]) for place in (a, b)]
            lengths = [net.add("Gather", "", shape, place, zero, version="opset8", shape="1") for place in places]
            lengths.insert(rng.randrange(3), net.const("i64", [1], [-1]))
            pattern = net.add("Concat", 'axis="0"', *lengths, shape="3")
            last = net.add(kind, 'special_zero="false"', x, pattern)
        elif kind == "Transpose":
            last = net.add(kind, "", last, net.const("i64", [3], rng.sample(range(3), 3)))
        elif kind == "Unsqueeze":
            more = net.add(kind, "", last, net.const("i64", [1], [rng.randrange(-4, 4)]))
            last = net.add("ReLU", "", more)
            last = net.add("Reshape", 'special_zero="true"', last, net.const("i64", [3], [0, 0, -1]))
        elif kind == "Slice":
            bounds = [
                net.const("i64", [1], [value]) for value in (rng.randrange(-3, 3), 1 << 40, rng.choice([1, 2]), 2)
            ]
            last = net.add(kind, "", last, *bounds, version="opset8")
        elif kind == "StridedSlice":
            masks = f'begin_mask="{rng.randrange(2)}" end_mask="{rng.randrange(2)}" new_axis_mask="" '
            ends = [net.const("i64", [1], [value]) for value in (rng.randrange(-2, 1), rng.randrange(1, 4))]
            last = net.add(kind, masks + 'shrink_axis_mask="" ellipsis_mask=""', last, *ends, one)
        elif kind == "Multiply":
            last = net.add(kind, 'auto_broadcast="numpy"', last, last)
        elif kind == "Concat":
            last = net.add(kind, f'axis="{rng.randrange(-3, 3)}"', last, last)
        else:
            last = net.add(kind, 'transpose_a="false" transpose_b="true"', last, last)
    net.add("Result", "", last)
    return net, PartialShape.of(dims)


@requires_openvino
def test_openvino_computes_the_same_lengths() -> None:
    cases = []
    for seed in range(120):
        net, given = random_net(Random(seed))
        cases.append(openvino.Reshape(net.model(), {0: given}))
    compared = 0
    for case, answer in zip(cases, pool.run(cases, timeout=120, device="CPU"), strict=True):
        told = None if isinstance(answer, Failure) else answer[0]
        if told is None:
            continue
        flow = Flow(case.model, case.shapes)
        for layer in case.model.layers():
            mine = flow.output(layer, 0) if layer.outputs else None
            if mine is not None and ((), layer.name) in told:
                assert mine == told[(), layer.name][0], (layer.type, layer.name)
                compared += 1
    assert compared > 400
