"""A file that cannot be read at all: every verb exits with 4, and says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from ovgather.cli.main import run

TEXTS = {
    "cut.xml": b'<net name="m" version="11"><layers>',
    "page.xml": b"<html/>",
    # That the document type is passed over is found first, and is not why.
    "typed.xml": b'<!DOCTYPE net [<!ENTITY e "1">]><net name="m" version="11"><layers>',
    "none.xml": None,
    "cut.onnx": b"\x08\x08\x3a\xff",
    "empty.onnx": b"",
    "none.onnx": None,
}
VERBS = (
    "validate PATH",
    "validate --diff PATH",
    "infer PATH",
    "infer PATH --write out.xml",
    "run PATH",
    "show PATH",
    "extract PATH -o out.xml",
    "convert PATH -o out/",
)
IR_ONLY = ("extract", "--write")


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("name", TEXTS)
def test_every_verb_exits_with_4(
    name: str, verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if name.endswith(".onnx") or verb.startswith("convert"):
        pytest.importorskip("onnx")
    if name.endswith(".onnx") and any(word in verb for word in IR_ONLY):
        pytest.skip("goes with IR files")
    monkeypatch.chdir(tmp_path)
    data = TEXTS[name]
    if data is not None:
        Path(name).write_bytes(data)
    assert run(verb.replace("PATH", name).split()) == 4
    out, err = capfd.readouterr()
    assert name in out + err
    assert "document type" not in err
    assert [path.name for path in tmp_path.iterdir()] == [name] * (data is not None)
