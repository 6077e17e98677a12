"""The inputs of whole models: given ones, which must fit, and random ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from crosscheck_models import Ir, gather_model, requires_openvino
from paths import DATA

import ovgather
from ovgather import InvalidModelError
from ovgather.comparison.in_model.inputs import given_inputs, wanted_inputs
from ovgather.comparison.in_model.random_inputs import random_inputs
from ovgather.comparison.in_model.rounds import fits, random_rounds
from ovgather.comparison.options import CrosscheckOptions
from ovgather.files.arrays import array_files
from ovgather.ir.model import Model
from ovgather.runtimes.outcome import Skip

BERT = str(DATA / "bert" / "bert.xml")


RNG = np.random.default_rng


def test_names_of_inputs() -> None:
    text = gather_model(
        "Gather", "opset8", ("f32", [-1, 3]), ("i64", ["?"] and [-1]), 1
    )[0]
    text = text.replace(b'name="data" type="Parameter"', b'name="d0" type="Parameter"')
    text = text.replace(
        b'<output><port id="0" precision="FP32">',
        b'<output><port id="0" names="x,y\\,z" precision="FP32">',
        1,
    )
    model = ovgather.read(text)
    wanted = wanted_inputs(model)
    assert [want.names for want in wanted] == [("d0", "x", "y,z"), ("indices",)]
    data, indices = np.zeros((2, 3), "f4"), np.zeros(4, "i8")
    for names in (("d0", "indices"), ("x", "in1"), ("y,z", "indices"), ("in0", "in1")):
        found = given_inputs(
            model, wanted, {names[0]: data, names[1]: indices, "torch_out0": data}
        )
        assert found[0].shape == (2, 3)
        assert found[1].shape == (4,)


@pytest.mark.parametrize(
    ("arrays", "problem"),
    [
        ({"in0": np.zeros((2, 3), "f4")}, "there is none for 'indices'"),
        (
            {"in0": np.zeros((2, 4), "f4"), "in1": np.zeros(4, "i8")},
            r"'in0' has shape \[2, 4\], not \[\?,3\]",
        ),
        (
            {"in0": np.zeros((2, 3), "f4"), "in1": np.zeros(4, "i4")},
            "'in1' has dtype int32, not int64",
        ),
        ({"in0": np.zeros(3, "f4"), "in1": np.zeros(4, "i8")}, "has shape"),
    ],
)
def test_inputs_that_do_not_fit(arrays: dict[str, Any], problem: str) -> None:
    model = ovgather.read(
        gather_model("Gather", "opset8", ("f32", [-1, 3]), ("i64", [-1]), 1)[0]
    )
    with pytest.raises(InvalidModelError, match=problem) as caught:
        given_inputs(model, wanted_inputs(model), arrays)
    assert "data or in0: f32 [?,3]" in str(caught.value)


def test_bfloat16_comes_as_bytes() -> None:
    model = ovgather.read(
        gather_model("Gather", "opset8", ("bf16", [2]), ("i64", [-1]), 0)[0]
    )
    given = {"data": np.array([0x3F80, 0x4000], "u2"), "indices": np.zeros(1, "i8")}
    assert given_inputs(model, wanted_inputs(model), given)[0].astype(
        "f4"
    ).tolist() == [1.0, 2.0]


def test_npz_of_pickles_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", in0=np.array([{}], object))
    (tmp_path / "b.npz").write_bytes(b"not a zip")
    np.save(tmp_path / "c.npy", np.zeros(3))
    for name in ("a.npz", "b.npz", "c.npy"):
        with pytest.raises(InvalidModelError, match=name):
            array_files(str(tmp_path / name))


def test_random_inputs_of_a_real_model_are_in_range() -> None:
    model = ovgather.read(BERT)
    wanted = wanted_inputs(model)
    for seed in range(5):
        identifiers, mask = random_inputs(model, wanted, RNG(seed))
        assert identifiers.shape == mask.shape
        assert 2 < identifiers.max() < 100
        assert set(np.unique(mask)) <= {0, 1}


def test_random_inputs_agree_with_each_other() -> None:
    text = gather_model(
        "GatherElements", "opset6", ("f32", [-1, 7]), ("i64", [3, -1]), 1
    )[0]
    text = text.replace(b'shape="?,7"', b'shape="1..5,7"')
    model = ovgather.read(text)
    data, indices = random_inputs(model, wanted_inputs(model), RNG(0))
    assert (data.shape, indices.shape[0]) == ((3, 7), 3)
    text = gather_model("Gather", "opset8", ("f32", [-1, -1]), ("i32", [-1, 50]), 1, 1)[
        0
    ]
    text = text.replace(b'shape="?,?"', b'shape="2..3,?"').replace(
        b'shape="?,50"', b'shape="3..9,50"'
    )
    model = ovgather.read(text, bytes([1, 0, 0, 0, 0, 0, 0, 0]))
    data, indices = random_inputs(model, wanted_inputs(model), RNG(0))
    assert len(data) == len(indices) == 3
    assert indices.max() == data.shape[1] - 1


def test_random_inputs_agree_where_one_feeds_several_layers() -> None:
    ir = Ir()
    scores, places = ("f32", [-1, -1, 7]), ("i64", [-1, -1, -1])
    ir.parameter(0, "scores", scores)
    for first in (1, 3):
        ir.parameter(first, f"places {first}", places)
        ir.layer(
            first + 1,
            f"g {first}",
            "GatherElements",
            "opset6",
            'axis="1"',
            [scores, places],
            [scores],
        )
        ir.edge((0, 0), (first + 1, 0))
        ir.edge((first, 0), (first + 1, 1))
    model = ovgather.read(ir.files[0])
    for seed in range(5):
        arrays = random_inputs(model, wanted_inputs(model), RNG(seed))
        assert len({array.shape[::2] for array in arrays}) == 1


@pytest.mark.parametrize(
    ("shape", "kind"),
    [([1 << 40, 1 << 40], "f32"), ([1] * 100, "f32"), ([2], "u2"), ([1 << 28], "i64")],
)
def test_inputs_that_cannot_be_made_up(shape: list[int], kind: str) -> None:
    model = ovgather.read(
        gather_model("Gather", "opset8", (kind, shape), ("i64", [-1]), 0)[0]
    )
    with pytest.raises(Skip):
        random_inputs(model, wanted_inputs(model), RNG(0))


def test_indices_are_traced_through_what_only_moves_them() -> None:
    ir = Ir()
    ir.parameter(0, "ids", ("i32", [-1]))
    ir.const(1, "table", ("f32", [3, 1]), bytes(12))
    ir.layer(
        2,
        "wide",
        "Convert",
        "opset1",
        'destination_type="i64"',
        [("i32", [-1])],
        [("i64", [-1])],
    )
    ir.const(3, "axis", ("i64", []), bytes(8))
    tensors = [("f32", [3, 1]), ("i64", [-1]), ("i64", [])]
    ir.layer(4, "g", "Gather", "opset8", "", tensors, [("f32", [-1, 1])])
    for source, target in [
        ((1, 0), (4, 0)),
        ((0, 0), (2, 0)),
        ((2, 1), (4, 1)),
        ((3, 0), (4, 2)),
    ]:
        ir.edge(source, target)
    text, weights = ir.files
    model = ovgather.read(text, weights)
    found = np.concatenate(
        [random_inputs(model, wanted_inputs(model), RNG(seed))[0] for seed in range(20)]
    )
    assert set(found.tolist()) == {0, 1, 2}


def graph(
    layers: list[tuple[str, str, list[tuple[int, int]]]], parameters: dict[str, str]
) -> ovgather.Model:
    """Parameters of shape [2] with their types, numbered first, and layers ``(name, type, sources)`` of one output."""
    ir = Ir()
    for number, (name, kind) in enumerate(parameters.items()):
        ir.parameter(number, name, (kind, [2]))
    for number, (name, type, sources) in enumerate(layers, start=len(parameters)):
        ir.layer(
            number,
            name,
            type,
            "opset8",
            "",
            [("i64", [2])] * len(sources),
            [("i64", [2])],
        )
        for port, (source, output) in enumerate(sources):
            ir.edge((source, output), (number, port))
    return ovgather.read(ir.files[0])


def test_indices_are_traced_through_every_input_of_a_concat_and_the_branches_of_a_select() -> (
    None
):
    parameters = {
        "table": "f32",
        "first": "i64",
        "second": "f32",
        "condition": "boolean",
    }
    layers = [
        ("whole", "Convert", [(2, 0)]),
        ("joined", "Concat", [(1, 0), (4, 1)]),
        ("picked", "Select", [(3, 0), (5, 2), (1, 0)]),
        ("g", "GatherElements", [(0, 0), (6, 3)]),
    ]
    model = graph(layers, parameters)
    values = [
        random_inputs(model, wanted_inputs(model), RNG(seed)) for seed in range(20)
    ]
    for place in (1, 2):
        found = np.concatenate([arrays[place] for arrays in values])
        assert set(found.tolist()) == {0, 1}
    assert {arrays[2].dtype.name for arrays in values} == {"float32"}


def test_lengths_are_neither_0_nor_long() -> None:
    model = graph(
        [("wide", "Broadcast", [(0, 0), (1, 0)])], {"data": "f32", "target": "i64"}
    )
    found = np.concatenate(
        [random_inputs(model, wanted_inputs(model), RNG(seed))[1] for seed in range(20)]
    )
    assert set(found.tolist()) == {1, 2}


def loop_of(trips: int) -> Any:
    """A Loop over the rows of an input of any length."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, 8], openvino.Type.i64, name="ids")
    inner = ops.parameter([1, 8], openvino.Type.i64, name="inner")
    table = ops.constant(np.arange(18, dtype="f4").reshape(9, 2))
    rows = ops.gather(table, inner, ops.constant(0), name="rows")
    body = openvino.Model([ops.result(ops.constant(True)), ops.result(rows)], [inner])
    loop = ops.loop(ops.constant(trips), ops.constant(True))
    loop.set_function(body)
    loop.set_sliced_input(inner, ids.output(0), 0, 1, 1, -1, 0)
    loop.set_special_body_ports([-1, 0])
    out = loop.get_concatenated_slices(body.get_results()[1].output(0), 0, 1, 1, -1, 0)
    return openvino.Model([ops.result(out)], [ids], "loop")


@requires_openvino
def test_a_loop_has_as_many_slices_as_rounds() -> None:
    model = ovgather.read(loop_of(3))
    assert isinstance(model, Model)
    assert fits(model, [np.zeros((3, 8), "i8")])
    assert not fits(model, [np.zeros((2, 8), "i8")])


@requires_openvino
def test_indices_of_a_body_are_those_of_its_table() -> None:
    model = ovgather.read(loop_of(2))
    assert isinstance(model, Model)
    rounds = random_rounds(model, wanted_inputs(model), CrosscheckOptions(), seed=3)
    assert [(array < 0).any() for (array,) in rounds] == [False, True] + [False] * 3
    assert max(array.max() for (array,) in rounds) > 2
    assert all(-9 <= array.min() <= array.max() < 9 for (array,) in rounds)
