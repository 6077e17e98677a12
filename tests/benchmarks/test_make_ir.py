"""The file that the benchmarks read is an honest one: OpenVINO accepts it and would have written the same."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

SCRIPT = str(ROOT / "benchmarks" / "make_ir.py")
ROUND_TRIP = "import openvino, sys; openvino.serialize(openvino.Core().read_model(sys.argv[1]), sys.argv[2])"


def make(path: Path, layers: int) -> str:
    subprocess.run(
        [sys.executable, SCRIPT, str(layers), str(path)], check=True, timeout=60
    )
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("layers", [2, 3, 22, 23, 44, 300])
def test_it_has_as_many_layers_as_asked_for(layers: int, tmp_path: Path) -> None:
    assert make(tmp_path / "m.xml", layers).count("<layer ") == layers


def test_it_is_the_same_every_time(tmp_path: Path) -> None:
    assert make(tmp_path / "a.xml", 300) == make(tmp_path / "b.xml", 300)
    assert (tmp_path / "a.bin").read_bytes() == (tmp_path / "b.bin").read_bytes()


@pytest.mark.skipif(
    importlib.util.find_spec("openvino") is None, reason="openvino is not installed"
)
def test_openvino_would_have_written_it(tmp_path: Path) -> None:
    made, again = tmp_path / "made.xml", tmp_path / "again.xml"
    text = make(made, 300)
    subprocess.run(
        [sys.executable, "-c", ROUND_TRIP, str(made), str(again)],
        check=True,
        timeout=120,
    )
    written = again.read_text(encoding="utf-8")
    head, edges = text.split("\t<edges>\n")
    written_head, written_edges = written.split("\t<edges>\n")
    assert head == written_head
    assert sorted(edges.splitlines()) == sorted(written_edges.splitlines())
    assert (
        made.with_suffix(".bin").read_bytes() == again.with_suffix(".bin").read_bytes()
    )


def test_different_gather_layers_have_different_ports(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    subprocess.run(
        [sys.executable, SCRIPT, "3000", str(path), "--different"],
        check=True,
        timeout=60,
    )
    layers = path.read_text(encoding="utf-8").split("<layer ")[1:]
    assert len(layers) == 3000
    ports = [
        layer.partition("<input>")[2].split(" names=")[0]
        for layer in layers
        if 'type="Gather"' in layer
    ]
    assert len(set(ports)) == len(ports) == 999
