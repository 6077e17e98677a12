"""``run`` and ``show`` of layers whose lengths no array has, or whose output is far larger than their inputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from written_layer import written_layer

from ovgather.cli.main import run

LONG = 1 << 62
LAYERS = {"Gather": "opset8", "GatherElements": "opset6", "GatherND": "opset8"}


def write(folder: Path, kind: str, data: list[int], indices: list[int]) -> str:
    axis: dict[str, Any] = {"at": 0} if kind == "Gather" else {"axis": "0"}
    given = ("f32", data), ("i64", indices)
    writer = written_layer(kind, LAYERS[kind], *given, **axis)
    (folder / "m.xml").write_bytes(writer.text)
    (folder / "m.bin").write_bytes(writer.weights)
    return str(folder / "m.xml")


@pytest.mark.parametrize(
    "data", [[0, LONG], [LONG, 0], [2, 0, LONG], [1 << 31, 1 << 31, 4]]
)
@pytest.mark.parametrize("kind", LAYERS)
def test_lengths_that_no_array_has(
    kind: str, data: list[int], tmp_path: Path, capfd: Any
) -> None:
    path = write(tmp_path, kind, data, data if kind == "GatherElements" else [2, 1])
    for verb in (
        ["run", path],
        ["show", path, "--layer", "pick"],
    ):
        code = run(verb)
        err = capfd.readouterr().err
        assert (code in (1, 2) and err.startswith("ovgather: ")) if err else code == 0


def test_an_output_that_is_far_larger_than_its_inputs_is_cut_down(
    tmp_path: Path, capfd: Any
) -> None:
    assert run(["run", write(tmp_path, "Gather", [0, 1 << 40], [1 << 40])]) in (0, 1)
    assert "bug" not in capfd.readouterr().err
