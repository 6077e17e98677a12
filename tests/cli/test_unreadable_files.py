"""A file that cannot be read at all: every verb exits with 4, and says why."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from many_files import demo_files
from paths import ROOT

from ovgather.cli.main import run

COMMAND = "from ovgather.cli.main import main; main()"
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
    name: str,
    verb: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    if name.endswith(".onnx") or verb.startswith("convert"):
        pytest.importorskip("onnx.helper")
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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of memory")
@pytest.mark.parametrize(
    "verb",
    ["validate", "validate --jobs 2", "survey", "survey --jobs 2", "infer", "inspect"],
)
def test_a_file_that_is_too_large_for_memory(verb: str, tmp_path: Path) -> None:
    import resource

    paths = demo_files(tmp_path, 4, 5)
    os.truncate(paths[2], 2_100_000_000)
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *verb.split(), "--format", "json", "."],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_AS, (2_000_000_000, 2_000_000_000)
        ),
    )
    assert (done.returncode, done.stderr) == (4, "")
    assert [Path(file["path"]).name for file in json.loads(done.stdout)["files"]] == [
        f"m{n}.xml" for n in range(4)
    ]
    assert done.stdout.count("cannot be checked: there is too little memory") == 1
