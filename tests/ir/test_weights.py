"""The ``.bin``: found, mapped, read."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from paths import SAMPLES

import ovgather
from ovgather.files.side import read_part
from ovgather.ir.constants import Weights

IR = b'<net name="m" version="11"><layers/><edges/></net>'


def test_reading() -> None:
    weights = Weights(bytes(range(10)))
    assert bytes(weights.read(2, 3) or b"") == b"\x02\x03\x04"
    assert bytes(weights.read(10, 0) or b"x") in (b"", b"x")
    for offset, size in (
        (8, 3),
        (-1, 2),
        (0, -1),
        (11, 0),
        (1 << 63, 1),
        ((1 << 63) - 8, 16),
        (0, 1 << 64),
    ):
        assert weights.read(offset, size) is None


def test_file_beside_the_model(tmp_path: Path) -> None:
    folder = tmp_path / "v1.0"
    folder.mkdir()
    (folder / "m.xml").write_bytes(IR)
    (folder / "m.bin").write_bytes(b"12345")
    model = ovgather.read(folder / "m.xml")
    assert model.weights is not None
    assert (model.weights.size, model.weights_path) == (5, str(folder / "m.bin"))
    with open(folder / "m.xml", "rb") as file:
        assert ovgather.read(file).weights is not None


def test_file_without_a_suffix(tmp_path: Path) -> None:
    folder = tmp_path / "v1.0"
    folder.mkdir()
    (tmp_path / "v1.bin").write_bytes(b"another's")
    (folder / "model").write_bytes(IR)
    assert ovgather.read(folder / "model").weights is None
    (folder / "model.bin").write_bytes(b"1")
    assert ovgather.read(folder / "model").weights_path == str(folder / "model.bin")


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes(kind: type) -> None:
    model = ovgather.read(kind(IR), kind(b"123"))
    assert model.weights is not None
    assert (model.weights.size, model.path, model.weights_path) == (3, "<bytes>", None)


def test_text_files_are_taken_too() -> None:
    assert ovgather.read(io.StringIO(IR.decode())).ir_version == 11  # type: ignore[arg-type]
    assert ovgather.read(io.BytesIO(IR)).path == "<file>"


def test_empty_file(tmp_path: Path) -> None:
    (tmp_path / "m.bin").write_bytes(b"")
    weights = Weights.of((tmp_path / "m.bin").open("rb"), "m.bin")
    assert weights.size == 0
    assert weights.read(0, 1) is None


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent.bin", "a\x00b"):
        model = ovgather.read(IR, path)
        assert [problem.kind for problem in model.problems] == ["weights-unreadable"]
        assert model.problems[0].value.startswith("cannot read the weights ")
        assert not model.fatal


def test_a_file_that_is_cut_while_it_is_open(tmp_path: Path) -> None:
    """What is mapped would end the process."""
    path = tmp_path / "m.bin"
    path.write_bytes(bytes(1 << 20))
    weights = Weights.again(str(path))
    path.write_bytes(b"abc")
    assert weights.read(0, 1 << 20) is None
    assert weights.read(0, 3) == b"abc"


@pytest.mark.slow
@pytest.mark.parametrize("reads", [0, 1, 4])
@pytest.mark.parametrize("folder", ["demo", "hypotheses", "rules/OVG4*", "rules/OVG5*"])
def test_a_file_that_is_cut_while_it_is_checked(
    folder: str, reads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ovgather.ir import constants

    paths = [
        path
        for path in SAMPLES.glob(f"{folder}/**/*.bin")
        if path.with_suffix(".xml").exists()
    ]
    assert paths
    left: Iterator[int] = iter(())

    def cut(*part: Any) -> memoryview | None:
        return read_part(*part) if next(left, None) is not None else None

    monkeypatch.setattr(constants, "read_part", cut)
    for path in paths:
        left = iter(range(reads))
        ovgather.validate(path.with_suffix(".xml"))
