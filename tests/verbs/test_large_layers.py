"""Layers of large tensors are run and drawn as large as they are; what is made up is cut down where it may be."""

from __future__ import annotations

import re

import numpy
import pytest
from nets import Net

import ovgather
from ovgather.errors import InvalidModelError
from ovgather.report.drawing.histogram import histograms
from ovgather.verbs.run import prepare
from ovgather.verbs.show import show


def table(data: str, indices: str) -> ovgather.Model:
    net = Net()
    axis = net.const("i64", [], [0])
    gather = net.add(
        "Gather",
        "",
        net.parameter("f32", data),
        net.parameter("i64", indices),
        axis,
        version="opset8",
    )
    net.add("Result", "", gather)
    return net.model()


def elements(data: str, indices: str) -> ovgather.Model:
    net = Net()
    picked = net.add(
        "GatherElements",
        'axis="0"',
        net.parameter("f32", data),
        net.parameter("i64", indices),
        version="opset6",
    )
    net.add("Result", "", picked)
    return net.model()


def test_given_indices_reach_the_end_of_large_data() -> None:
    indices = numpy.array([0, 29_999])
    ran = prepare(table("30000,100", "?"), "l3", {"indices": indices}).run()
    assert ran.arguments[0].array.shape == (30_000, 100)
    assert numpy.array_equal(
        ran.evidence.got[1].view("u4"), ran.arguments[0].array[-1].view("u4")
    )
    shown = show(
        table("30000000,1000", "?"), "l3", {"indices": numpy.array([0, 29_999_999])}
    )
    [found] = histograms(shown.evidence)
    assert found.heading == "2 indices into dim 0 of length 30000000"
    assert (
        found.counts
        == "from 0 to 29999999, 0 negative, all within [-30000000, 29999999]"
    )
    assert shown.arguments[0].origin == "examples: only the shape counts"
    assert shown.arguments[0].array.strides == (0, 0)


def test_given_data_are_not_cut_down() -> None:
    data = numpy.arange(2000 * 1000, dtype="f4").reshape(2000, 1000)
    ran = prepare(elements("2000,1000", "?,1000"), "l2", {"data": data}).run()
    assert ran.evidence.got.shape[1] == 1000


def test_examples_are_of_the_whole_axis() -> None:
    [found] = histograms(show(table("30000000,1000", "500"), "l3").evidence)
    assert found.high == 29_999_999
    ends = re.match(r"from (-?\d+) to (\d+), ", found.counts)
    assert ends is not None
    assert int(ends[1]) < -1_000_000
    assert int(ends[2]) > 1_000_000


def test_what_is_all_made_up_is_cut_down_to_run() -> None:
    ran = prepare(table("30000000,1000", "500"), "l3").run()
    assert ran.arguments[0].array.size <= 1 << 20
    huge = show(elements("1000000000,64", "1000000000,64"), "l2").evidence
    assert huge.indices.size <= 1 << 20


def test_messages() -> None:
    with pytest.raises(InvalidModelError) as caught:
        prepare(table("30000000,1000", "?"), "l3", {"indices": numpy.array([0])}).run()
    assert (
        str(caught.value) == "layer 'l3' takes data of 30000000000 elements: give them"
    )
