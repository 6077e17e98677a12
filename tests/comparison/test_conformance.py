"""The conformance of a device: the matrix, what is kept, the comparison with expected failures, the reports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from crosscheck_models import requires_openvino
from html_check import Page, records
from lxml import etree
from paths import ROOT

from ovgather.cli.conformance import command
from ovgather.comparison import conformance
from ovgather.comparison.conformance import (
    Conformance,
    ConformanceCase,
    Result,
    generated,
    of_zoo,
)
from ovgather.comparison.expected import expected_failures
from ovgather.comparison.options import CrosscheckOptions
from ovgather.errors import ConfigurationError, OvgatherError
from ovgather.ir.read import read
from ovgather.layers.gather_layer import gather_layers
from ovgather.ops import openvino as ops
from ovgather.report import render
from ovgather.runtimes import available
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.pool import Interrupted

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")


@cache
def matrix_cases(seed: int = 0) -> list[ConformanceCase]:
    """The whole matrix, generated once."""
    return list(generated(seed))


def elements_cases() -> list[ConformanceCase]:
    """The cases of one operation."""
    return [
        case for case in matrix_cases() if case.name.startswith("GatherElements-6/")
    ]


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A device that is wrong on u8; how many cases it is asked at a time."""
    asked: list[int] = []

    def run(trials: Sequence[Any], options: CrosscheckOptions) -> list[Outcome]:
        asked.append(len(trials))
        types = [trial().element_types[0].name for trial in trials]
        return [
            Outcome("different", "it is wrong", cause="zeros")
            if each == "u8"
            else Outcome("equal")
            for each in types
        ]

    monkeypatch.setattr(conformance, "run_trials", run)
    monkeypatch.setattr(available, "require", lambda runtime: None)
    monkeypatch.setattr(conformance, "generated", matrix_cases)
    return asked


def invoke(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(
        command, list(map(str, arguments)), standalone_mode=False
    )
    assert result.exception is None, result.exception
    return result.return_value, result.output


def test_the_matrix_has_every_operation_type_and_form_once() -> None:
    cases = matrix_cases()
    names = [case.name for case in cases]
    assert len(names) == len(set(names)) < 5000
    assert {case.operation for case in cases} == {
        operation.name for operation in ops.OPERATIONS
    }
    assert {"f32", "i4", "bf16", "string", "boolean", "u64"} <= {
        case.type for case in cases
    }
    words = {word for name in names for word in name.split()}
    assert {
        "static",
        "dynamic+const-data+const-indices",
        "negative",
        "outside",
        "axis=-1",
        "batch_dims=2",
    } <= words


def test_the_cases_are_legal_layers() -> None:
    for case in elements_cases():
        trial = case.trial()
        if case.name.endswith((" outside", " far")):  # an error by the specification
            with pytest.raises(OvgatherError):
                trial.want()
        else:
            assert trial.want() is not None, case.name


def test_the_layers_of_a_zoo_are_run_once() -> None:
    model = read(str(ROOT / "samples_xml" / "demo" / "good.xml"))
    once = list(of_zoo(gather_layers(model), CrosscheckOptions()))
    twice = list(
        of_zoo([*gather_layers(model), *gather_layers(model)], CrosscheckOptions())
    )
    assert [case.name for case in once] == [case.name for case in twice]
    assert once[0].name.startswith("zoo/")
    assert "word_embedding" in " ".join(case.where for case in once)
    assert once[0].trial().want() is not None


def test_new_failures_fail_and_expected_ones_do_not(
    device: list[int], tmp_path: Path
) -> None:
    wanted, only = tmp_path / "expected.txt", ("--only", "GatherElements-6/*")
    code, text = invoke(*only, "--write-expected", wanted)
    failing = wanted.read_text().splitlines()
    assert code == 1
    assert f"{len(failing)} new failures\n" in text
    assert invoke(*only, "--expected", wanted)[0] == 0
    wanted.write_text(
        "# all of u8, and one that passes\nGatherElements-6/u8/*\nGatherElements-6/f16/*\n"
    )
    code, text = invoke(*only, "--expected", wanted)
    assert code == 0
    assert "1 fixed: listed as failures, and pass\n  GatherElements-6/f16/*\n" in text
    assert text.endswith(f"0 new failures, {len(failing)} expected failures, 1 fixed\n")


def test_what_is_known_is_not_run_again(device: list[int], tmp_path: Path) -> None:
    state, options = str(tmp_path / "state.jsonl"), CrosscheckOptions()
    first, end = conformance.run(elements_cases()[:40], options, state)
    again, _ = conformance.run(elements_cases(), options, state)
    assert end is None
    assert again[:40] == first
    assert sum(device) == len(elements_cases())
    with pytest.raises(ConfigurationError) as caught:
        conformance.run(elements_cases(), options._replace(device="GPU"), state)
    assert str(caught.value) == (
        f"{state} holds results of device CPU, seed 0, not of device GPU, seed 0: name another file"
    )
    head = json.dumps({"device": "CPU", "seed": 0})
    for text in ("", "{}\n5\n", f'{head}\n["name", "Gather", "f32", ["equal"]]\n'):
        Path(state).write_text(text)
        with pytest.raises(
            ConfigurationError, match="does not hold results of conformance"
        ):
            conformance.run(elements_cases(), options, state)
        assert Path(state).read_text() == text


def test_an_interrupt_keeps_what_is_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def run(trials: Sequence[Any], options: CrosscheckOptions) -> list[Outcome]:
        raise Interrupted({0: Outcome("equal")})

    monkeypatch.setattr(conformance, "run_trials", run)
    results, end = conformance.run(
        elements_cases(), CrosscheckOptions(), str(tmp_path / "state.jsonl")
    )
    assert isinstance(end, Interrupted)
    assert [each.name for each in results] == [elements_cases()[0].name]
    assert len((tmp_path / "state.jsonl").read_text().splitlines()) == 2


def test_what_is_not_confirmed_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(trials: Sequence[Any], options: CrosscheckOptions) -> list[Outcome]:
        raise Interrupted({0: Outcome("different"), 1: Outcome("equal")})

    monkeypatch.setattr(conformance, "run_trials", run)
    results, _ = conformance.run(elements_cases(), CrosscheckOptions())
    assert [each.verdict for each in results] == ["equal"]


def children(process: int) -> set[int]:
    """The ids of the child processes of a process."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True
    )
    return set(map(int, listed.stdout.split()))


@pytest.mark.slow
@requires_openvino
@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="needs a ps that lists children"
)
@pytest.mark.parametrize("resume", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_an_interrupt_of_a_real_run(tmp_path: Path, resume: bool) -> None:
    state = ["--resume", "state"] if resume else []
    code = "import sys; from ovgather.cli.main import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "conformance", "--report", "report.json", *state],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        start_new_session=True,
    )
    while not (workers := children(process.pid)):
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(2)
    workers |= {each for worker in workers for each in children(worker)}
    os.killpg(process.pid, signal.SIGINT)
    text, message = process.communicate(timeout=60)
    known = json.loads((tmp_path / "report.json").read_text())["cases"]
    way = (
        "the same command runs the rest"
        if resume
        else "--resume FILE keeps them for the next run"
    )
    total = len(matrix_cases())
    words = f"interrupted: {len(known)} of {total:,} cases are done and in the report; {way}"
    assert (process.returncode, message) == (130, f"ovgather: {words}\n")
    assert len(known) < total
    assert text.endswith(f"{total - len(known)} not run\n")
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]
    if resume:
        kept = [
            json.loads(line)[0]
            for line in (tmp_path / "state").read_text().splitlines()[1:]
        ]
        assert kept == [case["name"] for case in known]


def test_reports_are_written_by_their_endings(
    device: list[int], tmp_path: Path
) -> None:
    files = [tmp_path / name for name in ("a.json", "b.xml", "c.html")]
    state = ("--only", "GatherElements-6/u8/*", "--resume", tmp_path / "state")
    invoke(*state, *(word for file in files for word in ("--report", file)))
    assert [file.read_text()[:9] for file in files] == [
        '{\n  "vers',
        "<?xml ver",
        "<!DOCTYPE",
    ]
    assert json.loads(invoke(*state, "--format", "json")[1]) == json.loads(
        files[0].read_text()
    )
    result = CliRunner().invoke(command, ["--report", "x.pdf"])
    assert "'x.pdf' must end with one of .json, .xml, .html" in result.output


def test_a_state_that_is_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "state")
    with pytest.raises(ConfigurationError, match="state cannot be read: it is a pipe"):
        conformance._load(str(tmp_path / "state"), {})


def reported() -> Conformance:
    results = [
        Result("Gather-8/f32 a", "Gather-8", "f32", "equal"),
        Result(
            "Gather-8/f32 b", "Gather-8", "f32", "known", "f64-rounded", "it is rounded"
        ),
        Result("Gather-8/u8 c", "Gather-8", "u8", "crash", "SIGSEGV", "it <died>"),
        Result(
            "GatherND-8/u8 d",
            "GatherND-8",
            "u8",
            "different",
            "zeros",
            "all is 0",
            "m.xml: pick",
        ),
        Result("GatherND-8/u8 e", "GatherND-8", "u8", "skipped", "", "there is none"),
    ]
    return Conformance("CPU", results, 6, ["Gather-8/u8 c", "Gather-8/f32 a"])


def test_text() -> None:
    text = render("conformance", "text", [reported()])
    assert "  Gather-8                   2 of 3   66.7 %       1\n" in text
    assert "1 new failures\n  GatherND-8/u8 d: different zeros\n1 fixed" in text
    assert text.endswith(
        "CPU, 6 cases: 2 pass, 1 new failures, 1 expected failures, 1 fixed, 1 skipped, 1 not run\n"
    )


def test_json_and_junit() -> None:
    document = json.loads(render("conformance", "json", [reported()]))
    schema = json.loads((ROOT / "schemas" / "conformance.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(document)
    assert [each["status"] for each in document["cases"]] == [
        "passes",
        "known",
        "expected",
        "new",
        "skipped",
    ]
    assert document["by_type"]["u8"] == {"passes": 0, "known": 0, "of": 2}
    root = etree.fromstring(render("conformance", "junit", [reported()]).encode())
    assert [suite.get("name") for suite in root] == ["CPU Gather-8", "CPU GatherND-8"]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == (
        "5",
        "1",
        "0",
    )


def test_the_page_tells_new_failures_from_known_ones() -> None:
    text = render(
        "conformance", "html", [reported()], again=["--seed", "1"], zoo=["models"]
    )
    assert Page(text).problems == []
    cases = {case["cells"]["Case"]: case for case in records(text)}
    assert [case["status"] for case in cases.values()] == [
        "passes",
        "known",
        "expected",
        "new",
        "skipped",
    ]
    new, expected = cases["GatherND-8/u8 d"], cases["Gather-8/u8 c"]
    assert (new["cause"], expected["cause"]) == (
        ["zeros", "bad", ""],
        ["expected: SIGSEGV", "known", ""],
    )
    command = (
        "ovgather conformance --device CPU --only 'GatherND-8/u8 d' models --seed 1"
    )
    assert new["parts"]["See it again"] == ("command", command)
    assert expected["cells"]["Reason"] == "it <died>"
    assert '<strong class="bad">1 new failure</strong>' in text


def test_a_list_has_comments() -> None:
    assert expected_failures("# why\n a/b c # for now\n\n") == ["a/b c"]
