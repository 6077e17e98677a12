"""Reports that are written while files are checked: bounded memory, Ctrl-C, --fail-fast, --after, --progress."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import forked
import pytest
from lxml import etree
from many_files import DEMO, FAULTY
from paths import WAITING

from ovgather.cli.main import run as ovgather
from ovgather.errors import LostFilesError, WorkerError
from ovgather.report import formats, pieces, render
from ovgather.runtimes.load import Complaint, Load
from ovgather.validation import openvino_opinion
from ovgather.validation.check import check_file
from ovgather.validation.checked import Checked
from ovgather.validation.plan import Plan

COMMAND = [
    sys.executable,
    "-c",
    "from ovgather.cli.main import main; main()",
    "validate",
    "--isolated",
]
ENVIRONMENT = {**os.environ, "PYTHONPATH": WAITING}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Six files, the fourth with faults."""
    for number in range(6):
        source = FAULTY if number == 3 else DEMO / "good.xml"
        (tmp_path / f"m{number}.xml").write_bytes(source.read_bytes())
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return forked.ovgather("validate", "--isolated", *arguments, cwd=folder)


def names(report: str) -> list[str]:
    return [file["path"] for file in json.loads(report)["files"]]


def many(number: int, broken: Checked) -> Iterator[Checked]:
    for index in range(number):
        yield broken._replace(
            path=f"zoo/{index // 100}/model-{index}.xml",
            diagnostics=broken.diagnostics[:1],
        )


@pytest.mark.parametrize(
    "format", sorted({*formats("validate")} - {"html"})
)  # a page holds its records
def test_memory_does_not_grow_with_the_number_of_files(format: str) -> None:
    broken = check_file(str(FAULTY))
    render("validate", format, [broken])  # what is loaded once is loaded by now
    tracemalloc.start()
    try:
        peaks = []
        for number in (100, 400):
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            size = sum(
                len(piece) for piece in pieces("validate", format, many(number, broken))
            )
            peaks.append(tracemalloc.get_traced_memory()[1] - before)
            assert size >= 50 * number  # paths of few characters, too
    finally:
        tracemalloc.stop()
    # SARIF lists the files in the end: of each, only the name is kept. JUnit waits in a file above 16 MB.
    assert peaks[1] - peaks[0] < (300 * 4000 if format == "junit" else 300 * 400)


@pytest.mark.parametrize("format", sorted({*formats("validate")} - {"junit", "html"}))
def test_what_is_known_is_written_before_the_rest_is_asked_for(format: str) -> None:
    written: list[str] = []
    asked: list[int] = []

    def results() -> Iterator[Checked]:
        for _ in range(3):
            asked.append(sum(map(len, written)))
            yield check_file(str(FAULTY))

    for piece in pieces("validate", format, results()):
        written.append(piece)
    assert asked == sorted(asked)
    assert asked[0] < asked[1] < asked[2]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe in the file system")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(
    ("format", "jobs"),
    [("json", "1"), ("junit", "1"), ("sarif", "1"), ("text", "1"), ("json", "2")],
)
def test_an_interrupt_leaves_a_valid_report(
    folder: Path, format: str, jobs: str, number: int
) -> None:
    os.mkfifo(folder / "m4-waits.xml")
    process = subprocess.Popen(
        [
            *COMMAND,
            "--format",
            format,
            "--jobs",
            jobs,
            "-o",
            "report",
            ".",
            "m4-waits.xml",
            "m5.xml",
        ],
        cwd=folder,
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while process.poll() is None:
        try:
            end = os.open(folder / "m4-waits.xml", os.O_WRONLY | os.O_NONBLOCK)
            break
        except OSError:
            time.sleep(0.01)
    if jobs == "2":
        time.sleep(1)  # the other process hands in what it has
    process.send_signal(number)
    message = process.communicate(timeout=60)[1]
    os.close(end)
    assert process.returncode == 128 + number
    assert not list(folder.glob(".ovgather-*"))
    done = "./m5.xml"
    assert (
        message
        == f"ovgather: interrupted: 6 of 8 files are done and in the report; --after {done} goes on\n"
    )
    report = (folder / "report").read_bytes()
    if format == "json":
        assert names(report.decode()) == [f"./m{number}.xml" for number in range(6)]
    elif format == "junit":
        assert len(etree.fromstring(report)) == 6
    elif format == "sarif":
        (sarif,) = json.loads(report)["runs"]
        assert len(sarif["artifacts"]) == 6
        said = "interrupted"
        notification = {"level": "error", "message": {"text": said}, "locations": []}
        assert sarif["invocations"] == [
            {"executionSuccessful": False, "toolExecutionNotifications": [notification]}
        ]
    else:
        assert b" in 6 files, " in report
    (folder / "m4-waits.xml").unlink()
    rest = run(
        folder, "--format", "json", "--after", done, ".", "m4-waits.xml", "m5.xml"
    )
    assert names(rest.stdout) == ["m4-waits.xml", "m5.xml"]


@pytest.mark.skipif(
    sys.platform != "linux",
    reason="needs a pipe in the file system, and numbers of processes",
)
def test_what_a_killed_run_left_is_removed_by_the_next(folder: Path) -> None:
    os.mkfifo(folder / "waits.xml")
    process = subprocess.Popen(
        [*COMMAND, "-o", "report", ".", "waits.xml"], cwd=folder, env=ENVIRONMENT
    )
    while not list(folder.glob(".ovgather-*")):
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert list(folder.glob(".ovgather-*"))
    other = folder / f".ovgather-12345678-{process.pid}-00000000"  # of another machine
    other.touch()
    run(folder, "-o", "report", ".")
    assert list(folder.glob(".ovgather-*")) == [other]


def test_fail_fast_stops_after_the_first_file_that_fails(folder: Path) -> None:
    for jobs in ("1", "3"):
        done = run(folder, "--fail-fast", "--jobs", jobs, "--format", "json", ".")
        assert done.returncode == 1
        assert names(done.stdout) == [f"./m{number}.xml" for number in range(4)]
        line = "ovgather: stopped by --fail-fast: 4 of 6 files are done and in the report; --after ./m3.xml goes on\n"
        assert done.stderr == line
    passed = run(folder, "--fail-fast", "--ignore", "OVG", ".")
    assert (passed.returncode, passed.stderr) == (0, "")


def test_after_a_file_that_is_none_of_them(folder: Path) -> None:
    done = run(folder, "--after", "m9.xml", ".")
    assert done.returncode == 2
    assert "--after: m9.xml is none of the 6 files" in done.stderr


def test_progress_without_a_terminal(folder: Path) -> None:
    done = run(folder, "--progress", "--format", "concise", ".")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ovgather: 6 of 6 files, ")
    assert " files/s, " in last
    assert ", 1 error, " in last
    assert last.endswith(", 0 s left")
    assert run(folder, "--format", "concise", ".").stderr == ""


@pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="needs a device that is full"
)
def test_a_full_disk_is_told(folder: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, "--format", "json", "."],
            cwd=folder,
            env=ENVIRONMENT,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 2
    assert b"cannot write standard output: No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


VERBS = {
    "infer": "ovgather.cli.infer.infer",
    "inspect": "ovgather.cli.inspect.inspect",
    "validate": "ovgather.validation.plan.check_file",
}


def interrupted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes before the function ``name`` gets a file that is called m4.xml."""
    module, _, attribute = name.rpartition(".")
    function = getattr(import_module(module), attribute)

    def late(source: Any, *arguments: Any, **options: Any) -> Any:
        if Path(source).name == "m4.xml":
            raise KeyboardInterrupt
        return function(source, *arguments, **options)

    monkeypatch.setattr(name, late)


@pytest.mark.parametrize(
    "arguments",
    [
        ["infer"],
        ["infer", "--why"],
        ["inspect"],
        ["validate", "--isolated", "--fix", "--unsafe-fixes", "--jobs", "1"],
    ],
)
def test_an_interrupt_of_other_work(
    folder: Path,
    arguments: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    interrupted(VERBS[arguments[0]], monkeypatch)
    before = (folder / "m3.xml").read_bytes()
    assert ovgather([*arguments, "--format", "json", str(folder)]) == 130
    output, errors = capsys.readouterr()
    assert [Path(name).name for name in names(output)] == [
        f"m{number}.xml" for number in range(4)
    ]
    way = f"; --after {folder}/m3.xml goes on" if arguments[0] == "validate" else ""
    last = f"ovgather: interrupted: 4 of 6 files are done and in the report{way}"
    assert errors.splitlines()[-1] == last
    assert ((folder / "m3.xml").read_bytes() != before) == ("--fix" in arguments)


def test_an_interrupt_of_a_diff(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupted(VERBS["validate"], monkeypatch)
    assert (
        ovgather(["validate", "--isolated", "--diff", "--jobs", "1", str(folder)])
        == 130
    )
    output, errors = capsys.readouterr()
    assert output.count("--- ") == 1
    assert errors.splitlines()[-1].startswith(
        "ovgather: interrupted: 4 of 6 files are done and in the report; --after "
    )


def test_an_interrupt_writes_no_baseline(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupted(VERBS["validate"], monkeypatch)
    known = folder / "known.json"
    options = [
        "--baseline",
        str(known),
        "--write-baseline",
        "--jobs",
        "1",
        "--format",
        "json",
    ]
    assert ovgather(["validate", "--isolated", *options, str(folder)]) == 130
    output, errors = capsys.readouterr()
    assert (names(output), known.exists()) == ([], False)
    assert (
        errors
        == "ovgather: interrupted: 0 of 6 files are done and in the report; run it again\n"
    )


@pytest.mark.parametrize(
    ("end", "code"), [(KeyboardInterrupt(), 130), (WorkerError("it died"), 70)]
)
def test_an_end_while_openvino_is_asked(
    folder: Path,
    end: BaseException,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("openvino")

    def load(cases: Sequence[Load]) -> list[Complaint | None]:
        if any(case.path == f"{folder}/m3.xml" for case in cases):
            raise end
        return [None for _ in cases]

    monkeypatch.setattr(openvino_opinion, "load", load)
    monkeypatch.setattr(openvino_opinion, "_FIRST", 1)
    assert (
        ovgather(
            [
                "validate",
                "--isolated",
                "--with-openvino",
                "--format",
                "json",
                str(folder),
            ]
        )
        == code
    )
    output, errors = capsys.readouterr()
    assert len(names(output)) == 3  # a batch of one, and one of two
    why = "interrupted" if code == 130 else "it died"
    words = f"{why}: 3 of 6 files are done and in the report; --after {folder}/m2.xml goes on"
    assert errors == f"ovgather: {words}\n"


def test_openvino_is_asked_of_all_that_came_before_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str | None] = []
    monkeypatch.setattr(
        openvino_opinion,
        "load",
        lambda cases: [asked.append(case.path) for case in cases],
    )

    def results() -> Iterator[Checked]:
        yield from map(check_file, (f"{folder}/m0.xml", f"{folder}/m1.xml"))
        raise LostFilesError({"m2.xml": "SIGKILL"})

    done = openvino_opinion.ask(results(), Plan())
    assert (
        [next(done).path, next(done).path]
        == asked
        == [f"{folder}/m0.xml", f"{folder}/m1.xml"]
    )
    with pytest.raises(LostFilesError, match=r"m2.xml died: SIGKILL"):
        next(done)
