"""Two files of a folder with each other's .bin, and what only looks like that."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from paths import SAMPLES

from ovgather.validation.check import check_file
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.many.record import to_record

FOLDER = SAMPLES / "hypotheses" / "exchanged_weights"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """``reshaped.xml`` and ``other.xml``, each with its own weights."""
    for name, weights, target in (
        ("bad", "neighbour", "reshaped"),
        ("neighbour", "bad", "other"),
    ):
        shutil.copy(FOLDER / f"{name}.xml", tmp_path / f"{target}.xml")
        shutil.copy(FOLDER / f"{weights}.bin", tmp_path / f"{target}.bin")
    return tmp_path


def exchange(folder: Path, name: str, other: str) -> None:
    data = [(folder / f"{each}.bin").read_bytes() for each in (name, other)]
    (folder / f"{name}.bin").write_bytes(data[1])
    (folder / f"{other}.bin").write_bytes(data[0])


def found(path: Path) -> list[Diagnostic]:
    return check_file(str(path)).diagnostics


def test_healthy_neighbours_say_nothing(folder: Path) -> None:
    assert [*found(folder / "reshaped.xml"), *found(folder / "other.xml")] == []


def test_two_files_of_one_kind_accuse_each_other(folder: Path) -> None:
    """Each has a shape of its own in its weights, so each of the two contradicts the other one's."""
    exchange(folder, "reshaped", "other")
    for name, other in (("reshaped", "other"), ("other", "reshaped")):
        (finding,) = found(folder / f"{name}.xml")
        assert finding.message.startswith(f"{name}.bin and {other}.bin are probably")


def test_a_neighbour_that_fits_its_own_bytes_is_not_exchanged(folder: Path) -> None:
    weights = bytearray((folder / "reshaped.bin").read_bytes())
    weights[0] = 7
    (folder / "reshaped.bin").write_bytes(weights)
    (finding,) = found(folder / "reshaped.xml")
    assert finding.hypothesis != "exchanged_weights"


def test_a_damaged_copy_is_not_exchanged(folder: Path) -> None:
    """The neighbour does not take the damaged bytes either."""
    data = bytearray((folder / "reshaped.bin").read_bytes())
    shutil.copy(folder / "reshaped.xml", folder / "copy.xml")
    (folder / "copy.bin").write_bytes(data[:60] + b"abcd")
    (folder / "other.bin").unlink()
    data[0] = 7
    (folder / "reshaped.bin").write_bytes(data)
    (finding,) = found(folder / "reshaped.xml")
    assert finding.hypothesis != "exchanged_weights"


def test_a_cache_does_not_keep_what_rests_on_a_neighbour(folder: Path) -> None:
    assert to_record(check_file(str(folder / "reshaped.xml"))) is not None
    exchange(folder, "reshaped", "other")
    assert to_record(check_file(str(folder / "reshaped.xml"))) is None
