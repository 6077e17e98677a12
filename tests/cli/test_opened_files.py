"""Which files a run opens: those that the user names, and beside them only what is allowed; nobody waits for a pipe."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT, SAMPLES

from ovgather.cli._shared.group import run

pytestmark = pytest.mark.skipif(
    not hasattr(os, "mkfifo"), reason="no links and no pipes"
)
GOOD = SAMPLES / "demo" / "good.xml"
AUDITED = """
import os, sys
opened = set()
def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        opened.add(os.path.abspath(os.fsdecode(arguments[0])))
sys.addaudithook(hook)
from ovgather.cli._shared.group import run
code = run(sys.argv[2:])
import json
print(json.dumps([code, sorted(path for path in opened if path.startswith(sys.argv[1]))]), file=sys.stderr)
"""


def opened(folder: Path, *arguments: str) -> tuple[int, set[str]]:
    """The exit code, and the files in ``folder`` that are opened."""
    done = subprocess.run(
        [sys.executable, "-c", AUDITED, str(folder), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    code, paths = json.loads(done.stderr.splitlines()[-1])
    return code, {os.path.relpath(path, folder) for path in paths}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with models, some of them links, beside files that nobody names."""
    (tmp_path / "models" / "sub").mkdir(parents=True)
    (tmp_path / "secret.xml").write_text(
        '<net name="secret" version="11"><layers/><edges/>'
    )
    (tmp_path / "secret.bin").write_bytes(bytes(64))
    models = tmp_path / "models"
    shutil.copy(GOOD, models / "a.xml")
    shutil.copy(GOOD.with_suffix(".bin"), models / "a.bin")
    shutil.copy(GOOD, models / "sub" / "b.xml")
    (models / "sub" / "b.bin").symlink_to(tmp_path / "secret.bin")
    (models / "inside.xml").symlink_to("a.xml")
    (models / "out.xml").symlink_to(tmp_path / "secret.xml")
    return tmp_path


@pytest.mark.parametrize("verb", ["validate", "survey", "infer", "inspect"])
def test_a_walk_opens_nothing_outside(folder: Path, verb: str) -> None:
    _, paths = opened(folder, verb, "models")
    inside = {"models/a.xml", "models/a.bin", "models/sub/b.xml", "models/inside.xml"}
    assert inside <= paths <= {*inside, "models/inside.bin"}


def test_a_cache_opens_what_a_check_opens(folder: Path) -> None:
    opened(folder, "validate", "models", "--cache", "cache")
    _, paths = opened(folder, "validate", "models", "--cache", "cache")
    assert {path for path in paths if "secret" in path or "out" in path} == set()


def test_links_are_told_and_followed_if_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.chdir(folder)
    run(["validate", "models", "--format", "concise"])
    out, err = capfd.readouterr()
    assert err.startswith(
        "ovgather: passed over, a link out of the folder: models/out.xml; --follow-links takes it\n"
    )
    assert "out.xml" not in out
    run(["validate", "models/o*.xml", "--format", "concise"])
    assert "no .xml or .onnx file in models/o*.xml" in capfd.readouterr().err
    run(["validate", "models", "--format", "concise", "--follow-links"])
    assert "models/out.xml:" in capfd.readouterr().out
    run(["validate", "models/out.xml", "--format", "concise"])
    assert "models/out.xml:" in capfd.readouterr().out


def test_a_fix_changes_nothing_outside(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    secret = (folder / "secret.xml").read_text()
    run(["validate", "models", "--fix", "--unsafe-fixes"])
    assert (folder / "secret.xml").read_text() == secret


def test_equal_models_with_a_link_here_and_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    """One .bin, allowed beside one model and refused beside the other: the cache knows which."""
    for name in ("one", "two"):
        (folder / name).mkdir()
        shutil.copy(GOOD, folder / name / "m.xml")
    shutil.copy(GOOD.with_suffix(".bin"), folder / "one" / "w.bin")
    for name in ("one", "two"):
        (folder / name / "m.bin").symlink_to(folder / "one" / "w.bin")
    old = os.stat(GOOD).st_mtime - 10
    for path in (*folder.rglob("*.xml"), *folder.rglob("*.bin")):
        os.utime(path, (old, old))
    monkeypatch.chdir(folder)
    monkeypatch.setattr("ovgather.validation.many.cache._GRAIN", -(1 << 60))
    for first, second in (("one", "two"), ("two", "one")):
        shutil.rmtree("cache", ignore_errors=True)
        for name in (first, second):
            run(["validate", f"{name}/m.xml", "--format", "concise"])
            plain = capfd.readouterr().out
            run(
                ["validate", f"{name}/m.xml", "--format", "concise", "--cache", "cache"]
            )
            assert capfd.readouterr().out == plain


@pytest.mark.parametrize("device", [False, True])
@pytest.mark.parametrize("ending", [".xml", ".onnx"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["validate"],
        ["show"],
        ["infer"],
        ["inspect"],
        ["extract", "--layer", "x", "-o", "y.xml"],
        ["validate", "--fix"],
    ],
    ids=" ".join,
)
def test_pipes_and_devices_are_refused(
    arguments: list[str],
    ending: str,
    device: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: Any,
) -> None:
    monkeypatch.chdir(tmp_path)
    if device:
        os.symlink("/dev/zero", f"m{ending}")
    else:
        os.mkfifo(f"m{ending}")
    assert run([arguments[0], f"m{ending}", *arguments[1:]]) == 4
    assert f"it is {'a device' if device else 'a pipe'}, not a file" in "".join(
        capfd.readouterr()
    )


def test_streams_of_the_shell_are_read() -> None:
    code = f"cat {GOOD} | {sys.executable} -m ovgather.cli.main validate --format json /dev/stdin"
    code = code.replace(
        "-m ovgather.cli.main", "-c 'from ovgather.cli.main import main; main()'"
    )
    done = subprocess.run(
        ["sh", "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
    )
    assert json.loads(done.stdout)["files"][0]["layers"] > 1
