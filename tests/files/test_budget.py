"""Texts that took long, much memory, or a whole report."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

import ovgather
from ovgather.errors import ConfigurationError, InvalidModelError
from ovgather.files.arrays import array_files
from ovgather.validation.selection.configuration import load

FRAME = """<?xml version="1.0"?>{top}
<net name="m" version="11"><layers>
<layer id="0" name="{name}" type="Parameter" version="opset1"><data shape="{shape}"
element_type="f32" layout="{layout}"/>
<output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>
<layer id="1" name="r" type="Result" version="opset1"><input><port id="0"><dim>2</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>"""
SIZE = 1 << 16


@pytest.mark.parametrize(
    "text",
    [
        FRAME.format(top="", name="x", shape=" " * SIZE + "x", layout=""),
        FRAME.format(top="", name="x", shape="1 " + " " * SIZE + ",x", layout=""),
        FRAME.format(top="", name="x", shape="2", layout="_" * SIZE),
        FRAME.format(
            top=f"<!DOCTYPE net [<!ENTITY{' ' * SIZE}>]>",
            name="x",
            shape="2",
            layout="",
        ),
        FRAME.format(top="<!--" * (SIZE // 4), name="x", shape="2", layout=""),
        FRAME.format(top="", name="<" * SIZE, shape="2", layout=""),
        "<layer " + "type=" * (SIZE // 5),
        f"<layer type=x {' ' * SIZE}y></layer>",
    ],
    ids=["blanks", "dims", "layout", "entity", "comments", "less", "page", "dots"],
)
def test_long_texts_take_little_time(text: str) -> None:
    start = process_time()
    ovgather.validate(text.encode())
    assert process_time() - start < 3


@pytest.mark.slow
def test_a_dotted_key_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "ovgather.toml"
    path.write_text("a." * 60_000 + "b = 1\n")
    with pytest.raises(ConfigurationError, match=r"ovgather\.toml"):
        load(str(path))


def test_an_archive_that_unpacks_to_too_much(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    path = tmp_path / "a.npz"
    numpy.savez_compressed(path, data=numpy.zeros(70 << 20, "u1"))
    with pytest.raises(
        InvalidModelError,
        match=r"data.npy: \d+ bytes that unpack to 73400448: save it without",
    ):
        array_files(str(path))
