"""``ovgather convert``: files, folders, exit codes, wording."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from paths import ROOT

pytest.importorskip("onnx.helper")

from ovgather.cli.main import run as run_main

Call = Callable[..., tuple[int, str, str]]
GOOD = str(ROOT / "samples_xml" / "demo" / "good.xml")


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Call:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = run_main(["convert", *arguments])
        said = capfd.readouterr()
        return code, said.out, said.err

    return run


def test_one_layer_there_and_back(call: Call, tmp_path: Path) -> None:
    there, back = str(tmp_path / "pick.onnx"), str(tmp_path / "pick.xml")
    assert call(GOOD, "--layer", "word_embedding", "-o", there) == (
        0,
        "'word_embedding'\n"
        "  data: initializer 'word_table' float [10,4]\n"
        "  indices: input 'token_ids' int64 [?,6]\n"
        f"  written to {there}\n"
        "  note: a slice of zeros after data is what an index outside takes, as in IR\n",
        "",
    )
    code, out, err = call(there, "-o", back)
    assert (code, err) == (0, "")
    assert f"  written to {back} and {tmp_path / 'pick.bin'}\n" in out


def test_a_folder_takes_all(call: Call, tmp_path: Path) -> None:
    code, out, _ = call(GOOD, "-o", f"{tmp_path}/all/")
    assert code == 0
    names = sorted(path.name for path in (tmp_path / "all").iterdir())
    assert "word_embedding.onnx" in names
    assert len(names) == out.count("written to") > 1


WRONG = [
    (
        (GOOD, "-o", "x.onnx"),
        2,
        "good.xml has 5 Gather layers: say which with --layer, or give a folder (ovgather show",
    ),
    (
        ("-", "-o", "x.onnx"),
        2,
        "convert reads no standard input: its layers may keep weights beside the file",
    ),
    (("none.onnx", "-o", "x.xml"), 4, "none.onnx: no such file"),
    (("/", "-o", "x.xml"), 4, "/: a folder, not a file"),
    ((os.devnull, "-o", "x.xml"), 4, f"{os.devnull}: a device, not a file"),
    (
        (GOOD, "--layer", "nothing", "-o", "x.onnx"),
        2,
        "no layer with the name or id 'nothing'",
    ),
    (
        (GOOD, "--layer", "word_table", "-o", "x.onnx"),
        2,
        "layer 'word_table' is a 'Const' (opset1), not a Gather",
    ),
    (
        (GOOD, "--layer", "word_embedding", "-o", "x.xml"),
        2,
        "x.xml does not end in .onnx, which is what 'word_embedding'",
    ),
]


@pytest.mark.parametrize(("arguments", "code", "message"), WRONG)
def test_messages(
    call: Call, arguments: tuple[str, ...], code: int, message: str
) -> None:
    got, _, err = call(*arguments)
    assert got == code
    assert message in err


def test_nothing_is_overwritten_unasked(call: Call, tmp_path: Path) -> None:
    place = tmp_path / "pick.onnx"
    place.write_bytes(b"mine")
    code, _, err = call(GOOD, "--layer", "word_embedding", "-o", str(place))
    assert code == 2
    assert f"{place} is there already: --force overwrites it" in err
    assert place.read_bytes() == b"mine"
    assert call(GOOD, "--layer", "word_embedding", "-o", str(place), "--force")[0] == 0
    assert place.read_bytes() != b"mine"
