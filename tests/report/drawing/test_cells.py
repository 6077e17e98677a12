"""Which cell of data each cell of the output takes, for every operation, and the pictures made of it."""

from __future__ import annotations

import re
from random import Random

import numpy
import pytest

from ovgather.errors import IndexOutOfRangeError
from ovgather.ops import openvino as ops
from ovgather.ops.sampling.random_layer import LayerChoice, random_layer
from ovgather.report.drawing import cells, text
from ovgather.report.drawing.cells import UNDEFINED, ZERO, texts
from ovgather.report.drawing.histogram import histograms
from ovgather.runtimes.outcome import Evidence
from ovgather.text import unpainted

OPERATIONS = {operation.name: operation for operation in ops.OPERATIONS}


def gathered(
    name: str,
    data: object,
    indices: object,
    axis: int = 0,
    batch_dims: int = 0,
    **more: object,
) -> Evidence:
    arrays = numpy.asarray(data), numpy.asarray(indices)
    return Evidence(
        OPERATIONS[name], *arrays, axis, batch_dims, types=("f32", "i64"), **more
    )  # type: ignore[arg-type]


def drawn(seed: int, choice: LayerChoice) -> tuple[Evidence, list[str] | None]:
    layer = random_layer(Random(seed), choice)
    types = layer.data_type.name, layer.index_type.name
    shown = Evidence(
        layer.operation,
        layer.data,
        layer.indices,
        layer.axis,
        layer.batch_dims,
        types=types,
    )
    try:
        return shown, texts(layer.expected())
    except IndexOutOfRangeError:
        return shown, None


@pytest.mark.slow
@pytest.mark.parametrize("operation", ops.OPERATIONS, ids=str)
def test_the_source_of_each_cell_is_what_the_reference_takes(
    operation: ops.Operation,
) -> None:
    undefined = 0
    for seed in range(80):
        shown, expected = drawn(
            seed, LayerChoice((operation,), negative=True, outside=True)
        )
        source = cells.source_of(shown)
        assert source.shape == shown.output_shape
        if expected is None:
            assert (source == UNDEFINED).any() or not source.size
            undefined += 1
        else:
            assert [cell.text for cell in cells.output_cells(shown)] == expected
        if seed % 4 == 0:
            assert text.draw(shown)
    assert (undefined > 0) == (operation.type != "Gather")


def test_zeros_and_what_is_open() -> None:
    shown = gathered("Gather-8", [10, 20], [[1, 5], [-1, -9]])
    assert cells.source_of(shown).tolist() == [[1, ZERO], [1, ZERO]]
    assert [cell.text for cell in cells.output_cells(shown)] == ["20", "0", "20", "0"]
    shown = gathered("GatherND-8", [[10, 20], [30, 40]], [[1, 0], [0, 2], [-1, -1]])
    assert cells.source_of(shown).tolist() == [2, UNDEFINED, 3]
    assert (
        "?: the index is outside, and the operation does not say what that gives"
        in text.draw(shown)
    )
    empty = gathered("GatherElements-6", numpy.zeros((0, 2)), [[0, 1]])
    assert cells.source_of(empty).tolist() == [[UNDEFINED, UNDEFINED]]


def test_small_tables() -> None:
    shown = gathered("GatherElements-6", [[1, 7], [4, 3]], [[1, -1, 0], [1, 0, 1]], 1)
    assert unpainted(text.draw(shown)) == (
        "data [2,2]   indices [2,3]      output [2,3]    taken from data at [2,3]\n"
        "┌───┬───┐    ┌────┬────┬────┐   ┌───┬───┬───┐   ┌───────┬───────┬───────┐\n"
        "│ 1 │ 7 │    │  1 │ -1 │  0 │   │ 7 │ 7 │ 1 │   │ [0,1] │ [0,1] │ [0,0] │\n"
        "├───┼───┤    ├────┼────┼────┤   ├───┼───┼───┤   ├───────┼───────┼───────┤\n"
        "│ 4 │ 3 │    │  1 │  0 │  1 │   │ 3 │ 4 │ 3 │   │ [1,1] │ [1,0] │ [1,1] │\n"
        "└───┴───┘    └────┴────┴────┘   └───┴───┴───┘   └───────┴───────┴───────┘\n"
        "negative indices count from the end: -1 of 2 is 1\n"
    )
    page = unpainted(text.draw(gathered("Gather-7", [1, 2], [-1])))
    assert (
        "negative indices count from the end (the page of Gather-7 has none): -1 of 2 is 1\n"
        in page
    )


def test_lines_are_aligned_whatever_is_in_the_cells() -> None:
    data = numpy.array([["軸", "e\u0301"], ["\x1b[2J", "🙂"]], dtype=object)
    page = unpainted(
        text.draw(gathered("Gather-8", data, [0])._replace(types=("string", "i64")))
    )
    assert "\x1b" not in page
    from ovgather.text import width

    for line in page.splitlines():
        if line.startswith("┌"):
            edge = width(line[: line.index("┐")])
    assert all(
        width(line[: line.index("│", 15)]) == edge
        for line in page.splitlines()
        if line.startswith("│")
    )


def test_what_a_runtime_got_wrong_is_marked() -> None:
    data = numpy.array([1.5, 0.0, 2.5], "f4")
    got = numpy.array([1.5, -0.0, 7.0], "f4")
    shown = gathered("Gather-8", data, [0, 1, 2], got=got)
    assert [cell.is_wrong for cell in cells.output_cells(shown)] == [False, True, True]
    assert "✗: 2 of 3 elements differ\n" in text.draw(shown)
    titles = [cell.title for cell in cells.output_cells(shown)]
    assert (
        "output[1] = 0, data[1]; got -0.0 (0x80000000), want 0.0 (0x00000000)" in titles
    )
    open_ = gathered("GatherElements-6", data, [9], got=numpy.array([3.0], "f4"))
    assert [cell.is_wrong for cell in cells.output_cells(open_)] == [False]


def test_large_ones_are_bars() -> None:
    indices = numpy.concatenate([numpy.arange(1000), [-1, 1000, 1005, -1001]])
    shown = gathered("Gather-8", numpy.zeros((1000, 4)), indices)
    [found] = histograms(shown)
    assert (found.low, found.high) == (-1000, 999)
    assert found.counts == "from -1001 to 1005, 2 negative, 3 outside [-1000, 999]"
    assert (
        sum(bar.number for bar in found.bars) == 1004 == int(found.heading.split()[0])
    )
    assert [tuple(bar) for bar in found.bars if not bar.legal] == [
        (-1001, -1001, 1, False),
        (1000, 1005, 2, False),
    ]
    page = unpainted(text.draw(shown))
    assert page.startswith(
        "1004 indices into dim 0 of length 1000, from -1001 to 1005, 2 negative, 3 outside [-1000, 999]\n"
    )
    assert re.search(r"^ +1000 … 1005 │ 2 █.*  outside$", page, re.MULTILINE)


def test_bars_hold_every_index_once() -> None:
    for seed in range(200):
        shown, _ = drawn(seed, LayerChoice(negative=True, outside=True))
        for found in histograms(shown):
            assert sum(bar.number for bar in found.bars) == int(
                found.heading.split()[0]
            )
            assert [bar.low for bar in found.bars] == sorted(
                bar.low for bar in found.bars
            )
            for bar in found.bars:
                assert bar.low <= bar.high
                assert not bar.legal or found.low <= bar.low <= bar.high <= found.high
