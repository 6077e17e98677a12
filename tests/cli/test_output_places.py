"""What is at the place of an output, or is in its way: for every verb that writes."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest
from output_files import HAS_ONNX, content

from ovgather.cli.main import run

WRITING = [
    ("validate m.xml --isolated -o", ""),
    ("validate m.xml --isolated --write-baseline --baseline", ""),
    ("infer m.xml -o", ""),
    ("infer m.xml --write", ""),
    ("run m.xml --layer word_embedding -o", ""),
    (
        "crosscheck m.xml --layer word_embedding --mode alone --variants none --format html -o",
        "",
    ),
    ("show m.xml --layer word_embedding -o", ""),
    ("extract m.xml --layer word_embedding --force -o", ".xml"),
    pytest.param(
        *("convert m.xml --layer word_embedding --force -o", ".onnx"),
        marks=pytest.mark.skipif(not HAS_ONNX, reason="onnx is not installed"),
    ),
]


@pytest.mark.parametrize(("command", "suffix"), WRITING)
class TestThePlace:
    @pytest.fixture(autouse=True)
    def _without_openvino(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from ovgather.cli._shared import crosscheck_files
        from ovgather.comparison.report import FileReport, Record, Report
        from ovgather.layers.reference import LayerReference
        from ovgather.runtimes.outcome import Outcome

        layer = LayerReference("3", "word_embedding", "Gather", "opset8", ())
        record = Record(layer, "none", "openvino", "CPU", Outcome("equal"))
        report = Report([FileReport("m.xml", (record,))])
        monkeypatch.setattr(
            crosscheck_files, "crosscheck_model", lambda *_, **__: report
        )

    def test_its_mode_stays(self, command: str, suffix: str, place: Path) -> None:
        output = Path(f"out{suffix}")
        output.write_text('{"version": 1, "findings": []}')
        output.chmod(0o600)
        inode = output.stat().st_ino
        assert run([*command.split(), str(output)]) == 0
        assert (stat.S_IMODE(output.stat().st_mode), output.stat().st_ino == inode) == (
            0o600,
            False,
        )

    def test_read_only(
        self, command: str, suffix: str, place: Path, capfd: Any
    ) -> None:
        output = Path(f"out{suffix}")
        output.write_text('{"version": 1, "findings": []}')
        output.chmod(0o444)
        before = content(place)
        assert run([*command.split(), str(output)]) == 2
        assert f"cannot write {output}: it is read-only" in capfd.readouterr().err
        assert content(place) == before

    def test_in_a_read_only_folder(
        self,
        command: str,
        suffix: str,
        place: Path,
        capfd: Any,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        access = os.access
        monkeypatch.setattr(
            os, "access", lambda path, mode: not mode & os.W_OK and access(path, mode)
        )
        before = content(place)
        assert run([*command.split(), f"out{suffix}"]) == 2
        assert (
            f"cannot write out{suffix}: its folder is read-only"
            in capfd.readouterr().err
        )
        assert content(place) == before

    def test_no_folder(
        self, command: str, suffix: str, place: Path, capfd: Any
    ) -> None:
        before = content(place)
        if command.startswith("convert"):
            pytest.skip("convert makes the folder")
        assert run([*command.split(), f"none/out{suffix}"]) == 2
        assert (
            f"cannot write none/out{suffix}: No such file or directory"
            in capfd.readouterr().err
        )
        assert content(place) == before

    def test_a_folder(self, command: str, suffix: str, place: Path, capfd: Any) -> None:
        Path(f"out{suffix}").mkdir()
        before = content(place)
        assert run([*command.split(), f"out{suffix}"]) == (
            0 if command.startswith("convert") else 2
        )
        if not command.startswith("convert"):
            assert content(place) == before

    def test_a_link_to_nothing(self, command: str, suffix: str, place: Path) -> None:
        Path(f"out{suffix}").symlink_to(f"there{suffix}")
        assert run([*command.split(), f"out{suffix}"]) == 0
        assert Path(f"out{suffix}").is_symlink()
        assert Path(f"there{suffix}").stat().st_size

    def test_a_name_that_is_not_utf8(
        self, command: str, suffix: str, place: Path
    ) -> None:
        output = os.fsdecode(b"\xff\xfe") + suffix
        assert run([*command.split(), output]) == 0
        assert os.path.getsize(output)

    def test_a_full_disk(
        self, command: str, suffix: str, place: Path, capfd: Any, full_disk: None
    ) -> None:
        Path(f"out{suffix}").write_text('{"version": 1, "findings": []}')
        before = content(place)
        assert run([*command.split(), f"out{suffix}"]) == 2
        assert "No space left on device" in capfd.readouterr().err
        assert content(place) == before


def test_weights_go_through_no_link_out_of_the_folder(place: Path, capfd: Any) -> None:
    (place.parent / "precious").write_text("p")
    Path("x.bin").symlink_to("../precious")
    command = "extract m.xml --layer word_embedding -o x.xml --force"
    assert run(command.split()) == 2
    assert "x.bin: it is a link out of its folder" in capfd.readouterr().err
    assert (place.parent / "precious").read_text() == "p"


@pytest.mark.skipif(not HAS_ONNX, reason="onnx is not installed")
def test_a_full_disk_leaves_no_folder(place: Path, full_disk: None) -> None:
    command = "convert m.xml --layer word_embedding -o new/deep/out.onnx"
    assert run(command.split()) == 2
    assert not Path("new").exists()


def test_a_cache_that_cannot_be_made_leaves_no_folder(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(sqlite3, "connect", connect)
    Path("empty").mkdir()
    assert run(["validate", "m.xml", "--isolated", "--cache", "empty/new/deep"]) == 2
    assert os.listdir("empty") == []


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are written beside their place take no more bytes."""
    import builtins

    opened = builtins.open

    def open_full(path: Any, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        if mode == "xb":
            opened(path, mode, *arguments, **named).close()
            return opened("/dev/full", "wb")
        return opened(path, mode, *arguments, **named)

    monkeypatch.setattr(builtins, "open", open_full)
