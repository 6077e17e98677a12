"""``ovgather show`` with ONNX files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import onnx_models as models
import pytest
from onnx_child import requires_onnx

from ovgather.cli.main import run
from ovgather.onnx_file.model import read
from ovgather.report.drawing.cells import source_of
from ovgather.verbs.show import show

pytestmark = requires_onnx


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_listing(here: Path, capfd: Any) -> None:
    Path("m.onnx").write_bytes(models.nested().SerializeToString())
    assert run(["show", "m.onnx"]) == 0
    first, second, _ = capfd.readouterr().out.splitlines()
    assert first.split("  ", 1)[0] == 'GatherElements-13, node "outer"'
    assert first.endswith("  data [3,4] float, indices [2,4] int64, axis 0 -> [2,4]")
    assert second == (
        'GatherElements-13, node "inner" in graph "choice/else_branch"'
        "  data [3,4] float, indices [2,4] int64, axis 7 -> nothing: it is not valid"
    )


def test_smaller_indices_are_drawn(here: Path, capfd: Any) -> None:
    Path("m.onnx").write_bytes(
        models.one_node("GatherElements", [2, 3], [2, 1], axis=1).SerializeToString()
    )
    numpy.save("i.npy", numpy.array([[2], [-3]]))
    assert run(["show", "m.onnx", "--layer", "pick", "indices=i.npy"]) == 0
    assert capfd.readouterr().out == (
        'GatherElements-13, node "pick", axis 1\n'
        "  data     float [2,3]  (examples: the cells, counted)\n"
        "  indices  int64 [2,1]  (given)\n"
        "  output   float [2,1]\n"
        "\n"
        "data [2,3]      indices [2,1]   output [2,1]   taken from data at [2,1]\n"
        "┌───┬───┬───┐   ┌────┐          ┌───┐          ┌───────┐\n"
        "│ 0 │ 1 │ 2 │   │  2 │          │ 2 │          │ [0,2] │\n"
        "├───┼───┼───┤   ├────┤          ├───┤          ├───────┤\n"
        "│ 3 │ 4 │ 5 │   │ -3 │          │ 3 │          │ [1,0] │\n"
        "└───┴───┴───┘   └────┘          └───┘          └───────┘\n"
        "negative indices count from the end: -3 of 3 is 0\n"
    )


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_indices_outside_are_marked_where_they_stand(axis: int) -> None:
    """An index of a Gather that is outside is an error in ONNX; it is drawn where IR has its zeros."""
    made = read(
        models.one_node("Gather", [2, 3, 2], [2, 2], axis=axis).SerializeToString()
    )
    shown = show(made, arrays={"indices": numpy.array([[0, 9], [-1, -9]])})
    source = numpy.moveaxis(source_of(shown.evidence), (axis, axis + 1), (0, 1))
    assert (source[0, 1] == -2).all()
    assert (source[1, 1] == -2).all()
    assert (source[:, 0] >= 0).all()


def test_complex_numbers(here: Path, capfd: Any) -> None:
    model = models.one_node(
        "Gather", [3], [2], types=("complex64", "int64", "complex64")
    )
    Path("m.onnx").write_bytes(model.SerializeToString())
    assert run(["show", "m.onnx", "--layer", "pick"]) == 0
    text = capfd.readouterr().out
    assert "Gather-13, node" in text
    assert "j │" in text


def test_what_cannot_be_shown(here: Path, capfd: Any) -> None:
    Path("m.onnx").write_bytes(b"<net/>")
    assert run(["show", "m.onnx"]) == 4
    Path("m.onnx").write_bytes(
        models.one_node("GatherND", [3], [2, 1], opset=10).SerializeToString()
    )
    assert run(["show", "m.onnx"]) == 0
    assert run(["show", "m.onnx", "--layer", "pick"]) == 2
    assert (
        "node 'pick' cannot be run: opset 10 has no GatherND" in capfd.readouterr().err
    )
