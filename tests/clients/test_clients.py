"""Tools of others: what is installed is typed, by a wheel and by an editable install, and does what it says."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from zipfile import ZipFile

import numpy
import pytest

ROOT = Path(__file__).parents[2]
CLIENT = Path(__file__).with_name("model_tool.py")
DEMO = ROOT / "samples_xml/demo/good.xml"
COPIED = ("ovgather", "cli", "schemas", "setup.py", "pyproject.toml", "README.md", "LICENSE")


def run(*words: str | Path, where: Path) -> str:
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    done = subprocess.run(
        [sys.executable, *map(str, words)], cwd=where, env=env, capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_mypy_finds_what_is_installed(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    try:
        recent = int(version("setuptools").partition(".")[0]) >= 77
    except PackageNotFoundError:
        recent = False
    if not recent:
        pytest.skip("setuptools is not installed, or too old")
    source = tmp_path / "source"
    source.mkdir()
    for name in COPIED:  # what a build writes stays out of the project
        (source / name).symlink_to(ROOT / name)
    (tmp_path / "wrong.py").write_text("import ovgather\nshape: int = ovgather.infer_shape('Gather', [])\n")
    for command in ("bdist_wheel", "editable_wheel"):
        python = installed(command, source, tmp_path / command)
        # The cache of the one serves the other for all that both have: NumPy, mostly.
        mypy = ("-m", "mypy", "--strict", "--python-executable", python, "--cache-dir", tmp_path / "cache")
        # One run for what is right and what is wrong: each run reads the types of NumPy.
        only = r"(?s)\Awrong\.py:2: error: Incompatible types in assignment.*Found 1 error in 1 file \(checked 2 source"
        with pytest.raises(AssertionError, match=only):
            run(*mypy, CLIENT, "wrong.py", where=tmp_path)


def installed(command: str, source: Path, folder: Path) -> Path:
    """The Python of a new environment with the wheel that a command of ``setup.py`` builds."""
    folder.mkdir()
    run("setup.py", "-q", command, "--dist-dir", folder / "dist", where=source)
    [wheel] = (folder / "dist").glob("*.whl")
    run("-m", "venv", "--without-pip", folder / "env", where=folder)
    scheme = "nt" if os.name == "nt" else "posix_prefix"  # Python 3.10 has no scheme "venv"
    site = Path(sysconfig.get_path("purelib", scheme, {"base": str(folder / "env")}))
    ZipFile(wheel).extractall(site)
    (site / "dependencies.pth").write_text("\n".join({str(Path(numpy.__file__).parents[1])}))
    return folder / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def test_the_tool_does_what_it_says() -> None:
    from model_tool import batch_sizes, main, output_of, rows, widest

    import ovgather

    lines = main(DEMO)
    assert any(line.startswith("word_embedding: Gather-8(data [10,4] f32, indices [?,6] i64") for line in lines)
    assert "word_table" in lines
    assert output_of([None, 4], (2, 3), 1) == (-1, 2, 3)
    assert batch_sizes(DEMO, "token_ids", (1, 2)) == {1: "[1,6,4]", 2: "[2,6,4]"}
    assert rows(numpy.eye(2, dtype="f4"), [1]) == [0.0, 1.0]
    assert widest(list(ovgather.PartialShape("2,1..9,3"))) == (1, 9)
