"""``ovgather validate``: exit codes, where files come from and where the report goes."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from paths import SAMPLES

from ovgather.cli.main import run
from ovgather.errors import ArgumentError

RULES = SAMPLES / "rules"
GOOD, BAD, WARNING = (
    RULES / name for name in ("OVG102/good.xml", "OVG102/bad.xml", "OVG106/bad.xml")
)
NOT_IR, NOT_XML = RULES / "OVG003" / "bad.xml", RULES / "OVG002" / "bad-9.xml"
SNIPPET = '<... type="Gather" ...><data batch_dims=1 /></layer>'


def validate(capfd: Any, *arguments: object) -> tuple[int, str, str]:
    code = run(["validate", "--isolated", *map(str, arguments)])
    out, err = capfd.readouterr()
    return code, out, err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for source, target in (
        (GOOD, "a/good.xml"),
        (BAD, "b/c/bad.xml"),
        (GOOD, "b/good.txt"),
        (WARNING, "w.xml"),
    ):
        (tmp_path / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, tmp_path / target)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("paths", "strict", "code"),
    [
        ([GOOD], False, 0),
        ([BAD], False, 1),
        ([WARNING], False, 0),
        ([WARNING], True, 1),
        ([GOOD], True, 0),
        ([GOOD, BAD], False, 1),
        ([NOT_IR], False, 4),
        ([NOT_XML], False, 4),
        ([BAD, NOT_IR], False, 4),
        (["missing.xml"], False, 4),
        ([GOOD, "missing.xml"], True, 4),
    ],
)
@pytest.mark.parametrize("format", ["text", "concise", "json"])
def test_exit_codes(
    paths: list[Path], strict: bool, code: int, format: str, capfd: Any
) -> None:
    found, out, err = validate(
        capfd, *paths, "--format", format, *(["--strict"] if strict else [])
    )
    assert (found, err) == (code, "")
    if format == "json":
        assert json.loads(out)["summary"]["files"] == len(paths)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--format", "yaml", "m.xml"],
        ["--nonsense"],
        ["m.xml", "--weights", "none.bin"],
        ["--color"],
    ],
)
def test_wrong_usage(arguments: list[str], capfd: Any) -> None:
    code, out, err = validate(capfd, *arguments)
    assert (code, out) == (2, "")
    assert "Error: " in err


def test_one_weights_for_two_files(capfd: Any) -> None:
    code, out, err = validate(capfd, GOOD, BAD, "--weights", GOOD)
    assert (code, out) == (2, "")
    assert "--weights goes with one file, not with 2" in err


def test_a_folder(folder: Path, capfd: Any) -> None:
    code, out, _ = validate(capfd, ".", "--format", "json")
    assert code == 1
    assert [file["path"] for file in json.loads(out)["files"]] == [
        "./w.xml",
        "./a/good.xml",
        "./b/c/bad.xml",
    ]
    assert validate(capfd, "a")[0] == 0


def test_a_pattern(folder: Path, capfd: Any) -> None:
    _, out, _ = validate(capfd, "**/*.xml", "--format", "json")
    assert [file["path"] for file in json.loads(out)["files"]] == [
        "a/good.xml",
        "b/c/bad.xml",
        "w.xml",
    ]
    _, out, _ = validate(capfd, "?.xml", "w.xml", "w.xml", "--format", "json")
    assert [file["path"] for file in json.loads(out)["files"]] == ["w.xml"]


def test_a_name_that_looks_like_a_pattern(folder: Path, capfd: Any) -> None:
    shutil.copy(BAD, folder / "m[1].xml")
    assert validate(capfd, "m[1].xml")[0] == 1


@pytest.mark.parametrize("path", ["*.onnx", "empty", "b/c/../*/x*.xml"])
def test_nothing_matched(path: str, folder: Path, capfd: Any) -> None:
    (folder / "empty" / "deep").mkdir(parents=True)
    code, out, err = validate(capfd, path)
    assert (code, out) == (3, "")
    assert err == f"ovgather: no .xml or .onnx file in {path}\n"


@pytest.mark.parametrize(("text", "code"), [(GOOD, 0), (BAD, 1), (NOT_XML, 4)])
def test_standard_input(
    text: Path, code: int, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.read_bytes())))
    found, out, err = validate(capfd, "-", "--format", "json")
    assert (found, err) == (code, "")
    assert json.loads(out)["files"][0]["path"] == "-"


def test_a_layer_on_standard_input_gives_notes_only(
    capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = '<input><port id="0"/><port id="1"/><port id="2"/></input><output><port id="2"/></output>'
    text = SNIPPET.replace("</layer>", f"{ports}</layer>")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    code, out, _ = validate(capfd, "-", "--format", "json")
    summary = json.loads(out)["summary"]
    assert (code, summary["errors"], summary["warnings"]) == (0, 0, 0)
    assert summary["notes"] > 2


def test_weights(tmp_path: Path, capfd: Any) -> None:
    model, weights = tmp_path / "m.xml", tmp_path / "elsewhere.bin"
    shutil.copy(RULES / "OVG008" / "good.xml", model)
    weights.write_bytes(bytes(8))
    code, out, _ = validate(capfd, model, "--format", "concise")
    assert (code, out.count("OVG008 warning")) == (0, 1)
    assert validate(capfd, model, "--format", "concise", "--weights", weights) == (
        0,
        "",
        "",
    )
    weights.write_bytes(bytes(7))
    code, out, _ = validate(capfd, model, "--format", "concise", "--weights", weights)
    assert code == 1
    assert (
        "OVG402 error: elsewhere.bin is truncated: it has 7 bytes, but the constants need 8: 1 is missing"
        in out
    )


def test_output_file(tmp_path: Path, capfd: Any) -> None:
    report = tmp_path / "report.json"
    mask = os.umask(0o027)
    try:
        assert validate(capfd, BAD, "--format", "json", "-o", report) == (1, "", "")
    finally:
        os.umask(mask)
    assert json.loads(report.read_text())["summary"]["errors"] == 1
    assert stat.S_IMODE(report.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_output_file_that_cannot_be_written(tmp_path: Path, capfd: Any) -> None:
    code, out, err = validate(capfd, BAD, "-o", tmp_path / "none" / "report.txt")
    assert (code, out) == (2, "")
    assert "cannot write" in err


@pytest.mark.parametrize(("no_color", "painted"), [("", True), ("1", False)])
def test_colour_by_force(
    no_color: str, painted: bool, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", no_color)
    _, out, _ = validate(capfd, BAD)
    assert ("\x1b[" in out) == painted


@pytest.mark.parametrize(
    ("choice", "no_color", "painted"),
    [
        ("auto", "", False),
        ("always", "", True),
        ("always", "1", True),
        ("never", "", False),
    ],
)
def test_colour(
    choice: str,
    no_color: str,
    painted: bool,
    capfd: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    _, out, _ = validate(capfd, BAD, "--color", choice)
    assert ("\x1b[" in out) == painted


@pytest.mark.parametrize(
    ("no_color", "painted"), [(None, True), ("", True), ("1", False)]
)
def test_colour_on_a_terminal(
    no_color: str | None, painted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ovgather.cli._shared.outputs import ReportOptions

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    assert ReportOptions("validate", "text", "auto").is_painted == painted
    assert not ReportOptions("validate", "text", "auto", "report.txt").is_painted


@pytest.mark.slow
def test_a_reader_that_has_gone() -> None:
    main = "from ovgather.cli.main import main; main()"
    command = [
        sys.executable,
        "-c",
        main,
        "validate",
        "--isolated",
        str(RULES),
        "--jobs",
        "1",
    ]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    assert child.stderr.read() == b""
    assert child.wait() == 4


@pytest.mark.parametrize("error", [ZeroDivisionError, ArgumentError])
def test_a_bug_is_told_without_a_traceback(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: Any
) -> None:
    from ovgather.validation.rules.layers import name_collision

    def stumble(file: object) -> Any:
        raise error("of a test")

    monkeypatch.setattr(name_collision, "check", stumble)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", None)
    code, out, err = validate(capfd, GOOD, "--jobs", "1")
    assert (code, out) == (70, "")
    assert err.startswith(
        f"ovgather: a bug in ovgather ({error.__name__}: of a test)\n"
    )
    [log] = tmp_path.iterdir()
    assert str(log) in err
    assert f"{error.__name__}: of a test" in log.read_text()


@pytest.mark.skipif(
    os.name == "nt", reason="streams and files are of another kind there"
)
class TestWhatIsNoFile:
    def test_an_output_that_is_none_is_written_to(
        self, tmp_path: Path, capfd: Any
    ) -> None:
        link = tmp_path / "out"
        link.symlink_to("/dev/stdout")
        code, out, err = validate(capfd, BAD, "--format", "concise", "-o", link)
        assert (code, err) == (1, "")
        assert out.endswith("OVG102 error: unknown attribute `Axis`\n")
        assert link.is_symlink()

    def test_an_output_behind_a_link(self, tmp_path: Path, capfd: Any) -> None:
        link, target = tmp_path / "link", tmp_path / "target"
        target.write_text("old")
        link.symlink_to(target)
        assert validate(capfd, BAD, "--format", "concise", "-o", link)[0] == 1
        assert link.is_symlink()
        assert "OVG102" in target.read_text()

    def test_a_folder_with_a_pipe_in_it(self, folder: Path, capfd: Any) -> None:
        os.mkfifo(folder / "pipe.xml")
        code, out, _ = validate(capfd, ".", "--format", "json")
        assert (code, json.loads(out)["summary"]["files"]) == (1, 3)

    def test_a_full_disk(self) -> None:
        if not os.path.exists("/dev/full"):
            pytest.skip("there is no /dev/full")
        command = [
            sys.executable,
            "-c",
            "from ovgather.cli.main import main; main()",
            "validate",
            "--isolated",
            str(BAD),
        ]
        with open("/dev/full", "wb") as full:
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE)
        assert done.stderr.startswith(
            b"Error: cannot write standard output: No space left on device"
        )
        assert done.returncode == 2

    @pytest.mark.parametrize(
        ("closed", "paths", "code"),
        [("<&-", "-", 4), (">&-", f"'{BAD}'", 1), ("2>&-", f"'{BAD}'", 1)],
    )
    def test_a_stream_that_is_closed(self, closed: str, paths: str, code: int) -> None:
        program = f"'{sys.executable}' -c 'from ovgather.cli.main import main; main()'"
        done = subprocess.run(
            f"{program} validate --isolated {paths} {closed}",
            shell=True,
            capture_output=True,
        )
        assert done.returncode == code
        assert b"bug" not in done.stderr
