"""The entry point: Ctrl-C at any time, Python's own switches, a bug that cannot be written down."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import forked
import pytest
from paths import ROOT

from ovgather.cli._shared.group import ovgather
from ovgather.cli.main import main, run

DEMO = ROOT / "samples_xml" / "demo"
COMMAND = "from ovgather.cli.main import main; main()"


def python(
    *arguments: str, code: str = COMMAND, flags: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *flags, "-c", code, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )


INTERRUPTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start jobs without
from ovgather.cli.main import main

module = sys.argv.pop(1)

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Finder())
main()
"""


@pytest.mark.parametrize(
    "module",
    [
        "click",
        "ovgather.cli._shared.group",
        "ovgather.cli.validate",
        "ovgather.validation.check",
    ],
)
def test_an_interrupt_during_an_import(module: str) -> None:
    done = python(module, "validate", str(DEMO / "good.xml"), code=INTERRUPTED)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")


def test_an_interrupt_while_python_ends() -> None:
    code = f"""
import atexit, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
atexit.register(signal.raise_signal, signal.SIGINT)
{COMMAND}"""
    done = python("--version", code=code)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_interrupt_where_python_ignores_exceptions() -> None:
    # Such as in a callback of the import system: the exception is told of and dropped, and the command would go on.
    code = f"""
import signal, sys, weakref
signal.signal(signal.SIGINT, signal.default_int_handler)
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "ovgather.validation.plan":
            reference = weakref.ref(Finder(), lambda _: signal.raise_signal(signal.SIGINT))
sys.meta_path.insert(0, Finder())
{COMMAND}"""
    done = python("validate", str(DEMO / "good.xml"), code=code)
    assert done.returncode == 130
    # The interrupt is repeated a moment later: the report may have begun then.
    assert (done.stdout, done.stderr.strip()) == (
        "",
        "",
    ) or "interrupted" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_entry_point_imports_next_to_nothing() -> None:
    # Until it is imported, Ctrl-C shows a traceback of Python's own.
    code = """
import sys
names = {"typing", "click", "re", "enum", "signal", "lxml", "ovgather.errors", "ovgather.cli._shared.group"}
for name in names:
    sys.modules.pop(name, None)
import ovgather.cli.main
print(*names & set(sys.modules))
"""
    done = python(code=code)
    assert (done.stdout, done.stderr) == ("\n", "")


class TestBug:
    @pytest.fixture(autouse=True)
    def bug(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*arguments: object, **named: object) -> None:
            raise KeyError("\x1b[2J")

        monkeypatch.setattr("ovgather.cli._shared.files.find", fail)

    def test_the_details_are_in_a_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        monkeypatch.setattr("sys.argv", ["ovgather", "validate", "\udcff.xml"])
        assert run(["validate", "m.xml"]) == 70
        (details,) = tmp_path.iterdir()
        assert "Traceback" in details.read_text()
        first, second = capfd.readouterr().err.splitlines()
        assert first == "ovgather: a bug in ovgather (KeyError: '\\x1b[2J')"
        assert second == f"The details are in {details}: please report them."

    def test_without_a_folder_for_them_the_place_is_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
    ) -> None:
        with monkeypatch.context() as patched:
            patched.setattr("tempfile.tempdir", str(tmp_path / "none"))
            assert run(["validate", "m.xml"]) == 70
        first, second = capfd.readouterr().err.splitlines()
        assert first == "ovgather: a bug in ovgather (KeyError: '\\x1b[2J')"
        assert second.startswith("It is in fail, line ")
        assert second.endswith(
            ": please report it. The details cannot be written: No such file or directory."
        )


@pytest.mark.parametrize(
    "arguments",
    [
        ["validate", str(DEMO)],
        ["validate", "--jobs", "2", str(DEMO)],
        ["infer", str(DEMO)],
    ],
)
def test_warnings_that_are_errors(arguments: list[str]) -> None:
    done = python(*arguments, flags=("-X", "dev", "-W", "error"))
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["validate", "--help"],
        ["explain", "OVG102"],
        ["explain", "Gather-8"],
        ["explain", "onnx:Gather-1"],
    ],
    ids=" ".join,
)
def test_nothing_is_missing_without_docstrings(arguments: list[str]) -> None:
    stripped = python(*arguments, flags=("-OO",))
    full = forked.ovgather(*arguments, cwd=ROOT)
    assert stripped.stdout == full.stdout
    assert len(full.stdout) > 300
    assert stripped.returncode == 0


def test_the_exit_codes_in_the_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    with pytest.raises(SystemExit):
        main(["--help"])
    output = capsys.readouterr().out
    assert max(map(len, output.splitlines())) <= 52
    assert "130 Ctrl-C (143 SIGTERM, 129 SIGHUP)." in " ".join(output.split())


def test_the_help_names_each_verb_once_and_cuts_no_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = capsys.readouterr().out.partition("Find what is wrong:\n")[2]
    assert "..." not in listed
    verbs = re.findall(r"(?m)^  (\w+) ", listed)
    assert verbs[0] == "validate"
    assert sorted(verbs) == ovgather.list_commands(click.Context(ovgather))


@pytest.mark.parametrize("verb", ["validate", "crosscheck"])
def test_every_option_stands_in_a_section(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    output = capsys.readouterr().out
    assert "Everyday options:" in output
    assert "More:" not in output


def test_a_file_in_the_place_of_a_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["my model.xml", "--strict"]) == 2
    expected = "'my model.xml' is a file, not a command. To check it: ovgather validate 'my model.xml' --strict"
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--strict"], ["--allow-none", "--", "m.xml"]])
def test_the_name_of_a_file_is_no_option(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A hook passes the names of all files: the report of one called so went to another file."""
    monkeypatch.chdir(tmp_path)
    for name in ("-osrc/other.xml", "src/other.xml", "m.xml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("kept")
    code = run(["validate", *arguments, "m.xml", "-osrc/other.xml"])
    assert (tmp_path / "src" / "other.xml").read_text() == "kept"
    said = "-osrc/other.xml is an option, and the name of a file here: ./-osrc/other.xml names the file"
    if "--" in arguments:
        assert code == 4
    else:
        assert code == 2
        assert said in " ".join(capsys.readouterr().err.split())
