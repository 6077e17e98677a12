"""The parts of the cross-check one by one: shapes, values, texts; OpenVINO is not needed."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from crosscheck_models import gather_model
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from paths import DATA
from trials import trial

import ovgather
from ovgather.comparison.confirm import confirmed
from ovgather.comparison.in_model.tap import Tap, tap
from ovgather.comparison.verdict.compare import compare
from ovgather.ir.writer import Writer, WrittenTensor
from ovgather.ops import openvino as ops
from ovgather.ops.sampling.values import (
    NoShapeError,
    choose,
    random_data,
    random_indices,
)
from ovgather.runtimes.outcome import Outcome
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
    operation = data.draw(st.sampled_from(ops.OPERATIONS))
    shapes = [
        PartialShape.of(data.draw(st.lists(DIM, min_size=1, max_size=4) | st.none()))
        for _ in range(2)
    ]
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
    chosen = choose(
        "GatherElements",
        PartialShape.of([1000, 5000, 7]),
        PartialShape.of([1000, 9, 7]),
        1,
        0,
        RNG(0),
    )
    assert chosen.cut
    assert chosen.data[0] == chosen.indices[0]
    assert np.prod(chosen.data) <= 1 << 20
    assert not choose(
        "Gather", PartialShape.of([30, 8]), PartialShape.of(["?"]), 0, 0, RNG(0)
    ).cut


def test_impossible_shapes_say_why() -> None:
    with pytest.raises(NoShapeError, match="tuples of length 0"):
        choose(
            "GatherND", PartialShape.of([2, 3]), PartialShape.of([4, 0]), 0, 0, RNG(0)
        )
    with pytest.raises(NoShapeError, match="no length in common"):
        choose(
            "GatherElements",
            PartialShape.of([2, 3]),
            PartialShape.of([4, 3]),
            1,
            0,
            RNG(0),
        )


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind",
    [
        each.name
        for each in element_type.ALL
        if each.bits >= 8 or each.name in ("i4", "u2", "u4")
    ],
)
@pytest.mark.parametrize("shape", [(), (3, 5), (0, 2)])
def test_values_survive_the_wire(kind: str, shape: tuple[int, ...]) -> None:
    array = random_data(RNG(0), find(kind), shape)
    assert array.shape == shape
    back = from_wire(*to_wire(array, find(kind)))
    assert (back.shape, back.dtype) == (array.shape, array.dtype)
    assert np.array_equal(bits(back), bits(array))


def test_four_bit_values_are_packed_low_half_first() -> None:
    assert from_wire({"type": "u4", "shape": [3]}, b"\x21\x03").astype(
        int
    ).tolist() == [1, 2, 3]
    assert from_wire({"type": "i4", "shape": [2]}, b"\x8f").astype(int).tolist() == [
        -1,
        -8,
    ]
    with pytest.raises(ValueError, match="u1 is packed"):
        from_wire({"type": "u1", "shape": [8]}, b"\xff")


@pytest.mark.parametrize("kind", ["i8", "u8", "i64", "u64"])
def test_random_indices_stay_in_range(kind: str) -> None:
    found = random_indices(
        RNG(0), find(kind), (200, 2), [3, 1000], negative=True
    ).astype("i8")
    high = [3, min(1000, int(np.iinfo(str(find(kind).dtype)).max) + 1)]
    low = (
        [0, 0]
        if kind[0] == "u"
        else [-3, max(-high[1], np.iinfo(str(find(kind).dtype)).min)]
    )
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
    found = compare(
        np.array([[1, 0x7FC00001]], "u4").view("f4"),
        np.array([[1, 0x7F800001]], "u4").view("f4"),
    )
    assert found.first == ((0, 1), "nan (0x7fc00001)", "nan (0x7f800001)")
    booleans = compare(np.array([1], "u1").view("?"), np.array([2], "u1").view("?"))
    assert booleans.first == ((0,), True, "true (0x02)")


def test_difference_that_is_not_the_same_each_time() -> None:
    first = Outcome("different", "", 2, 4)
    assert confirmed(first, first) == first
    assert "other values" in confirmed(first, Outcome("different", "", 1, 4)).reason
    again = confirmed(first, Outcome("crash", "died"))
    assert again.verdict == "crash"
    assert again.reason == "died; another run ended with wrong values"
    assert confirmed(Outcome("equal"), Outcome("crash")) == Outcome("equal")


# -- texts -----------------------------------------------------------------------------------------


def test_written_layer_keeps_its_name() -> None:
    name, writer = "a\"<&>\n'é", Writer("one_layer")
    writer.parameter(name, WrittenTensor(element_type.named("f32"), PartialShape(())))
    assert etree.fromstring(writer.text).xpath("//layer")[0].get("name") == name


def test_cut_layer_keeps_its_attributes() -> None:
    text, weights, _ = trial(
        "Gather", np.zeros((2, 3), "f4"), np.zeros((2, 1), "i8"), 0, 1
    ).model()
    layer = etree.fromstring(text).xpath("//layer[@type='Gather']")[0]
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
    assert [result.producer(0)[0].id for result in results if result.producer(0)] == [
        6,
        0,
    ]  # type: ignore[index]


def test_tap_finds_free_ids_and_names() -> None:
    text = gather_model(
        "GatherElements", "opset6", ("f32", [2]), ("i64", [2]), 0, name="ovgather_tap_0"
    )[0]
    text = text.replace(b'"11"', b'"9223372036854775807"').replace(
        b'version="9223372036854775807"', b'version="11"'
    )
    model = ovgather.read(text)
    tapped, names, _ = tap(model, [Tap(model.graph.layers[0], 0)])
    assert names == ["ovgather_tap_0_"]
    again = ovgather.read(tapped)
    assert len(again.graph.rows) == len(again.graph.layers) == 5


def test_tap_leaves_bodies_alone() -> None:
    from crosscheck_models import if_model

    model = ovgather.read(if_model()[0])
    tapped = ovgather.read(tap(model, [Tap(model.graph.layers[0], 0)])[0])
    count = [len(graph.layers) for graph in model.graph.graphs()]
    assert [len(graph.layers) for graph in tapped.graph.graphs()] == [
        count[0] + 1,
        *count[1:],
    ]
