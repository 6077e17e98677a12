"""The rooms of the cross-check one by one: shapes, values, inputs, texts; OpenVINO is not needed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from crosscheck_models import Ir, gather_model
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from paths import DATA
from trials import trial

import ovgather
from ovgather import InvalidModelError
from ovgather.crosscheck.confirm import confirmed
from ovgather.crosscheck.in_model.inputs import given_inputs, wanted_inputs
from ovgather.crosscheck.in_model.random_inputs import random_inputs
from ovgather.crosscheck.in_model.tap import Tap, tap
from ovgather.crosscheck.verdict.compare import compare
from ovgather.files.arrays import array_files
from ovgather.ops import openvino as ops
from ovgather.ops.sampling.shapes import NoShapeError, choose
from ovgather.ops.sampling.values import random_data, random_indices
from ovgather.runtimes.outcome import Outcome, Skip
from ovgather.runtimes.wire import from_wire, to_wire
from ovgather.tensor import element_type
from ovgather.tensor.arrays import bits
from ovgather.tensor.shape import PartialShape

BERT = str(DATA / "bert" / "bert.xml")
RNG = np.random.default_rng


def find(name: str) -> element_type.ElementType:
    found = element_type.find(name)
    assert found is not None
    return found


# -- shapes ----------------------------------------------------------------------------------------

DIM = st.sampled_from(["?", "3", "2..4", "..7", "6..", "1"])


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_chosen_shapes_fit_the_layer_and_the_file(data: st.DataObject) -> None:
    operation = data.draw(st.sampled_from(ops.operations()))
    shapes = [PartialShape.of(data.draw(st.lists(DIM, min_size=1, max_size=4) | st.none())) for _ in range(2)]
    rank = shapes[0].rank or 1
    axis = data.draw(st.integers(-rank, rank - 1))
    batch_dims = data.draw(st.integers(0, 2))
    if all(attribute.name != "batch_dims" for attribute in operation.attributes):
        batch_dims = 0
    known = axis if operation.axis_from else None
    if operation.check(shapes, axis=known, batch_dims=batch_dims):
        return
    try:
        chosen = choose(operation.type, *shapes, axis, batch_dims, RNG(0))
    except NoShapeError:
        return
    for shape, static in zip(shapes, (chosen.data, chosen.indices), strict=True):
        assert shape.compatible(PartialShape.of(list(static)))
    static = [PartialShape.of(list(chosen.data)), PartialShape.of(list(chosen.indices))]
    assert operation.check(static, axis=known, batch_dims=batch_dims) == []


def test_large_tables_are_cut_down_together() -> None:
    chosen = choose("GatherElements", PartialShape.of([1000, 5000, 7]), PartialShape.of([1000, 9, 7]), 1, 0, RNG(0))
    assert chosen.cut
    assert chosen.data[0] == chosen.indices[0]
    assert np.prod(chosen.data) <= 1 << 20
    assert not choose("Gather", PartialShape.of([30, 8]), PartialShape.of(["?"]), 0, 0, RNG(0)).cut


def test_impossible_shapes_say_why() -> None:
    with pytest.raises(NoShapeError, match="tuples of length 0"):
        choose("GatherND", PartialShape.of([2, 3]), PartialShape.of([4, 0]), 0, 0, RNG(0))
    with pytest.raises(NoShapeError, match="no length in common"):
        choose("GatherElements", PartialShape.of([2, 3]), PartialShape.of([4, 3]), 1, 0, RNG(0))


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [each.name for each in element_type.ALL if each.bits >= 8 or each.name in ("i4", "u2", "u4")]
)
@pytest.mark.parametrize("shape", [(), (3, 5), (0, 2)])
def test_values_survive_the_wire(kind: str, shape: tuple[int, ...]) -> None:
    array = random_data(RNG(0), find(kind), shape)
    assert array.shape == shape
    back = from_wire(*to_wire(array, find(kind)))
    assert (back.shape, back.dtype) == (array.shape, array.dtype)
    assert np.array_equal(bits(back), bits(array))


def test_four_bit_values_are_packed_low_half_first() -> None:
    assert from_wire({"type": "u4", "shape": [3]}, b"\x21\x03").astype(int).tolist() == [1, 2, 3]
    assert from_wire({"type": "i4", "shape": [2]}, b"\x8f").astype(int).tolist() == [-1, -8]
    with pytest.raises(ValueError, match="u1 is packed"):
        from_wire({"type": "u1", "shape": [8]}, b"\xff")


@pytest.mark.parametrize("kind", ["i8", "u8", "i64", "u64"])
def test_random_indices_stay_in_range(kind: str) -> None:
    found = random_indices(RNG(0), find(kind), (200, 2), [3, 1000], negative=True).astype("i8")
    high = [3, min(1000, int(np.iinfo(str(find(kind).dtype)).max) + 1)]
    low = [0, 0] if kind[0] == "u" else [-3, max(-high[1], np.iinfo(str(find(kind).dtype)).min)]
    assert (found < high).all()
    assert (found >= low).all()
    assert (found < 0).any() == (kind[0] == "i")
    assert (random_indices(RNG(0), find(kind), (50,), 3, negative=False) < 3).all()


@pytest.mark.parametrize(
    ("got", "want", "mismatches"),
    [
        (np.array([np.nan], "f4"), np.array([np.nan], "f4"), 0),
        (np.array([0x7FC00001], "u4").view("f4"), np.array([np.nan], "f4"), 1),
        (np.array(["a", "b"], object), np.array(["a", "c"], object), 1),
        (np.zeros((2, 0)), np.zeros((2, 0)), 0),
        (np.zeros((2,)), np.zeros((3,)), 3),
        (np.zeros(2, "f4"), np.zeros(2, "i4"), 2),
        (np.array(3), np.array(3), 0),
    ],
)
def test_compare_bits(got: Any, want: Any, mismatches: int) -> None:
    found = compare(got, want)
    assert found.mismatches == mismatches
    assert bool(found.shapes) == (got.shape != want.shape or got.dtype != want.dtype)


def test_first_difference_is_shown_with_bits_where_words_fail() -> None:
    found = compare(np.array([[1, 0x7FC00001]], "u4").view("f4"), np.array([[1, 0x7F800001]], "u4").view("f4"))
    assert found.first == ((0, 1), "nan (0x7fc00001)", "nan (0x7f800001)")
    booleans = compare(np.array([1], "u1").view("?"), np.array([2], "u1").view("?"))
    assert booleans.first == ((0,), True, "true (0x02)")


def test_difference_that_is_not_the_same_each_time() -> None:
    first = Outcome("different", "", 2, 4)
    assert confirmed(first, first) == first
    assert "other values" in confirmed(first, Outcome("different", "", 1, 4)).reason
    assert confirmed(first, Outcome("crash", "died"))[:2] == ("crash", "died; another run ended with wrong values")
    assert confirmed(Outcome("equal"), Outcome("crash")) == Outcome("equal")


# -- inputs ----------------------------------------------------------------------------------------


def test_names_of_inputs() -> None:
    text = gather_model("Gather", "opset8", ("f32", [-1, 3]), ("i64", ["?"] and [-1]), 1)[0]
    text = text.replace(b'name="data" type="Parameter"', b'name="d0" type="Parameter"')
    text = text.replace(
        b'<output><port id="0" precision="FP32">', b'<output><port id="0" names="x,y\\,z" precision="FP32">', 1
    )
    model = ovgather.read(text)
    wanted = wanted_inputs(model)
    assert [want.names for want in wanted] == [("d0", "x", "y,z"), ("indices",)]
    data, indices = np.zeros((2, 3), "f4"), np.zeros(4, "i8")
    for names in (("d0", "indices"), ("x", "in1"), ("y,z", "indices"), ("in0", "in1")):
        found = given_inputs(model, wanted, {names[0]: data, names[1]: indices, "torch_out0": data})
        assert found[0].shape == (2, 3)
        assert found[1].shape == (4,)


@pytest.mark.parametrize(
    ("arrays", "problem"),
    [
        ({"in0": np.zeros((2, 3), "f4")}, "there is none for 'indices'"),
        ({"in0": np.zeros((2, 4), "f4"), "in1": np.zeros(4, "i8")}, r"'in0' has shape \[2, 4\], not \[\?,3\]"),
        ({"in0": np.zeros((2, 3), "f4"), "in1": np.zeros(4, "i4")}, "'in1' has dtype int32, not int64"),
        ({"in0": np.zeros(3, "f4"), "in1": np.zeros(4, "i8")}, "has shape"),
    ],
)
def test_inputs_that_do_not_fit(arrays: dict[str, Any], problem: str) -> None:
    model = ovgather.read(gather_model("Gather", "opset8", ("f32", [-1, 3]), ("i64", [-1]), 1)[0])
    with pytest.raises(InvalidModelError, match=problem) as caught:
        given_inputs(model, wanted_inputs(model), arrays)
    assert "data or in0: f32 [?,3]" in str(caught.value)


def test_bfloat16_comes_as_bytes() -> None:
    model = ovgather.read(gather_model("Gather", "opset8", ("bf16", [2]), ("i64", [-1]), 0)[0])
    given = {"data": np.array([0x3F80, 0x4000], "u2"), "indices": np.zeros(1, "i8")}
    assert given_inputs(model, wanted_inputs(model), given)[0].astype("f4").tolist() == [1.0, 2.0]


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
    text = gather_model("GatherElements", "opset6", ("f32", [-1, 7]), ("i64", [3, -1]), 1)[0]
    text = text.replace(b'shape="?,7"', b'shape="1..5,7"')
    model = ovgather.read(text)
    data, indices = random_inputs(model, wanted_inputs(model), RNG(0))
    assert (data.shape, indices.shape[0]) == ((3, 7), 3)
    text = gather_model("Gather", "opset8", ("f32", [-1, -1]), ("i32", [-1, 50]), 1, 1)[0]
    text = text.replace(b'shape="?,?"', b'shape="2..3,?"').replace(b'shape="?,50"', b'shape="3..9,50"')
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
        ir.layer(first + 1, f"g {first}", "GatherElements", "opset6", '<data axis="1"/>', [scores, places], [scores])
        ir.edge((0, 0), (first + 1, 0))
        ir.edge((first, 0), (first + 1, 1))
    model = ovgather.read(ir.files[0])
    for seed in range(5):
        arrays = random_inputs(model, wanted_inputs(model), RNG(seed))
        assert len({array.shape[::2] for array in arrays}) == 1


@pytest.mark.parametrize(
    ("shape", "kind"), [([1 << 40, 1 << 40], "f32"), ([1] * 100, "f32"), ([2], "u2"), ([1 << 28], "i64")]
)
def test_inputs_that_cannot_be_made_up(shape: list[int], kind: str) -> None:
    model = ovgather.read(gather_model("Gather", "opset8", (kind, shape), ("i64", [-1]), 0)[0])
    with pytest.raises(Skip):
        random_inputs(model, wanted_inputs(model), RNG(0))


def test_indices_are_traced_through_what_only_moves_them() -> None:
    ir = Ir()
    ir.parameter(0, "ids", ("i32", [-1]))
    ir.const(1, "table", ("f32", [3, 1]), bytes(12))
    ir.layer(2, "wide", "Convert", "opset1", '<data destination_type="i64"/>', [("i32", [-1])], [("i64", [-1])])
    ir.const(3, "axis", ("i64", []), bytes(8))
    tensors = [("f32", [3, 1]), ("i64", [-1]), ("i64", [])]
    ir.layer(4, "g", "Gather", "opset8", "", tensors, [("f32", [-1, 1])])
    for source, target in [((1, 0), (4, 0)), ((0, 0), (2, 0)), ((2, 1), (4, 1)), ((3, 0), (4, 2))]:
        ir.edge(source, target)
    text, weights = ir.files
    model = ovgather.read(text, weights)
    found = np.concatenate([random_inputs(model, wanted_inputs(model), RNG(seed))[0] for seed in range(20)])
    assert set(found.tolist()) == {0, 1, 2}


def graph(layers: list[tuple[str, str, list[tuple[int, int]]]], parameters: dict[str, str]) -> ovgather.Model:
    """Parameters of shape [2] with their types, numbered first, and layers ``(name, type, sources)`` of one output."""
    ir = Ir()
    for number, (name, kind) in enumerate(parameters.items()):
        ir.parameter(number, name, (kind, [2]))
    for number, (name, type, sources) in enumerate(layers, start=len(parameters)):
        ir.layer(number, name, type, "opset8", "", [("i64", [2])] * len(sources), [("i64", [2])])
        for port, (source, output) in enumerate(sources):
            ir.edge((source, output), (number, port))
    return ovgather.read(ir.files[0])


def test_indices_are_traced_through_every_input_of_a_concat_and_the_branches_of_a_select() -> None:
    parameters = {"table": "f32", "first": "i64", "second": "f32", "condition": "boolean"}
    layers = [
        ("whole", "Convert", [(2, 0)]),
        ("joined", "Concat", [(1, 0), (4, 1)]),
        ("picked", "Select", [(3, 0), (5, 2), (1, 0)]),
        ("g", "GatherElements", [(0, 0), (6, 3)]),
    ]
    model = graph(layers, parameters)
    values = [random_inputs(model, wanted_inputs(model), RNG(seed)) for seed in range(20)]
    for place in (1, 2):
        found = np.concatenate([arrays[place] for arrays in values])
        assert set(found.tolist()) == {0, 1}
    assert {arrays[2].dtype.name for arrays in values} == {"float32"}


def test_lengths_are_neither_0_nor_long() -> None:
    model = graph([("wide", "Broadcast", [(0, 0), (1, 0)])], {"data": "f32", "target": "i64"})
    found = np.concatenate([random_inputs(model, wanted_inputs(model), RNG(seed))[1] for seed in range(20)])
    assert set(found.tolist()) == {1, 2}


# -- texts -----------------------------------------------------------------------------------------


def test_cut_layer_keeps_its_name_and_attributes() -> None:
    name = "a\"<&>\n'é"
    text, weights, _ = trial("Gather", np.zeros((2, 3), "f4"), np.zeros((2, 1), "i8"), 0, 1)._replace(name=name).model()
    layer = etree.fromstring(text).xpath("//layer[@type='Gather']")[0]
    assert layer.get("name") == name
    assert dict(layer.find("data").attrib) == {"batch_dims": "1"}
    assert weights == bytes(8)
    model = ovgather.read(text, weights)
    assert not model.fatal
    assert not model.problems


def test_tap_changes_no_byte_of_the_model() -> None:
    model = ovgather.read(BERT)
    layers = model.graph.layers
    text, names, _ = tap(model, [Tap(layers[6], 0), Tap(layers[0], 0)])
    tapped = ovgather.read(text)
    assert len(tapped.graph.layers) == len(layers) + 2
    without = re.sub(rb'<layer id="\d+" name="ovgather_tap_.*?</layer>\n', b"", text)
    for number in (187, 188):
        without = re.sub(rb'<edge [^>]*to-layer="%d"[^>]*/>\n' % number, b"", without)
    assert without == model.source.data
    results = [layer for layer in tapped.graph.layers if layer.name in names]
    assert [result.producer(0)[0].id for result in results if result.producer(0)] == [6, 0]  # type: ignore[index]


def test_tap_finds_free_ids_and_names() -> None:
    text = gather_model("GatherElements", "opset6", ("f32", [2]), ("i64", [2]), 0, name="ovgather_tap_0")[0]
    text = text.replace(b'"11"', b'"9223372036854775807"').replace(b'version="9223372036854775807"', b'version="11"')
    model = ovgather.read(text)
    tapped, names, _ = tap(model, [Tap(model.graph.layers[2], 0)])
    assert names == ["ovgather_tap_0_"]
    again = ovgather.read(tapped)
    assert len(again.graph.by_id) == len(again.graph.layers) == 5


def test_tap_leaves_bodies_alone() -> None:
    from crosscheck_models import if_model

    model = ovgather.read(if_model()[0])
    tapped = ovgather.read(tap(model, [Tap(model.graph.layers[0], 0)])[0])
    count = [len(graph.layers) for graph in model.graph.graphs()]
    assert [len(graph.layers) for graph in tapped.graph.graphs()] == [count[0] + 1, *count[1:]]
