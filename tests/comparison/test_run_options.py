"""Options of runs: properties, plugins, bounds, presets, inputs by model, a runtime of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest
from crosscheck_models import Files, gather_model, requires_openvino
from kernel_runtime import FakeWorker, State
from reduce_trials import trial, unwatched

from ovgather import crosscheck
from ovgather.cli.main import run
from ovgather.comparison.options import CrosscheckOptions, parsed
from ovgather.comparison.reduce import prober
from ovgather.comparison.reduce.search import NotReproducedError, Signature
from ovgather.errors import ConfigurationError, InvalidModelError
from ovgather.runtimes import available, pool
from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

MODEL = gather_model("Gather", "opset8", ("f32", [5, 4]), ("i64", [3]), 0)


@pytest.mark.parametrize(
    ("bounds", "off", "holds"),
    [
        ("0.01", 1.009, True),
        ("0.01", 1.011, False),
        ("1%", 1.009, True),
        ("1%", 1.011, False),
        ("2ulp", 1 + 2**-22, True),
        ("2ulp", 1 + 2**-21, False),
        ("1e-9,2ulp", 1 + 2**-22, True),
        ("100", numpy.inf, False),
        ("100", numpy.nan, False),
    ],
)
def test_bounds(bounds: str, off: float, holds: bool) -> None:
    assert parsed(bounds).holds(numpy.float32([off, 2]), numpy.float32([1, 2])) is holds
    assert not parsed(bounds).holds(numpy.int32([off == off, 2]), numpy.int32([5, 2]))


@pytest.mark.parametrize("text", ["", "x", "-1", "0", "inf", "1.5ulp"])
def test_bounds_that_are_none(text: str) -> None:
    with pytest.raises(InvalidModelError, match="tolerance "):
        parsed(text)


def rounding(trial: Trial, state: State) -> Array:
    return (
        (trial.want().view("u4") & 0xFFFFFF00).view("f4")
        if trial.data.dtype == "f4"
        else trial.want()
    )


def test_what_is_within_the_bounds_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "started", lambda start, device: FakeWorker(rounding))
    monkeypatch.setattr(available, "require", lambda runtime: None)
    options: Any = {"weights": MODEL[1], "mode": "in-place"}
    assert crosscheck(MODEL[0], **options).records[0].verdict == "different"
    (record,) = crosscheck(MODEL[0], tolerance="0.1%", **options).records
    assert (record.verdict, record.cause) == ("known", "within-tolerance")
    assert (
        record.reason
        == "every element is within the tolerance that was given: relative 0.001"
    )


def test_a_reduction_keeps_to_the_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (pool, prober):
        monkeypatch.setattr(
            module, "started", lambda start, device: FakeWorker(rounding)
        )
    case = trial("Gather", "opset8", ("f32", "i64"), [1.1, 2.2], [1])
    for bounds, verdict in ((None, "different"), (parsed("0.1%"), "known")):
        options = CrosscheckOptions(tolerance=bounds)
        with prober.Prober(options) as probe:
            assert [each.verdict for each in probe([case])] == [verdict]
    with pytest.raises(
        NotReproducedError,
        match=r"wanted different \(a\), got known \(within-tolerance\)",
    ):
        prober.reduce_in_runtime(
            case, Signature("different", "a"), options, "openvino", unwatched
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--quick", "--repeat", "3"], "--quick does not go with --repeat"),
        (["--quick", "--thorough"], "--quick does not go with --thorough"),
        (["--config", "STREAMS"], "'STREAMS' must be KEY=VALUE"),
        (["--plugin", "=x.so"], "'=x.so' must be NAME=LIBRARY"),
        (
            ["--tolerance", "some"],
            "tolerance 'some' is none of 0.001 (absolute), 0.1% (relative), 2ulp",
        ),
        (["--start", "mine"], "'mine' must be package:Class"),
        (["--inputs", "none.npz"], "File 'none.npz' does not exist."),
        (["--inputs", "b.xml=given.npz"], "'b.xml' is none of m.xml"),
        (
            ["--inputs", "given.npz", "--inputs", "m.xml=given.npz"],
            "two --inputs for m.xml",
        ),
        (["--no-reduce"], "--no-reduce goes with --fuzz N"),
        (
            ["--mode", "alone", "--repeat", "3"],
            "--repeat is of whole models: it does not go with layers alone",
        ),
        (
            ["--distinct", "--ways", "all"],
            "--ways is of whole models: it does not go with layers alone",
        ),
        (
            ["--mode", "in-place", "--variants", "all"],
            "--variants is of layers alone: it does not go with --mode in-place",
        ),
        (
            ["--against", "onnxruntime", "--config", "A=B"],
            "--config is of OpenVINO, which --against leaves out",
        ),
        (
            ["--plugin", "MINE=x.so"],
            "--plugin is for a device that --device names",
        ),
        (
            ["--jobs", "2", "--dask", "tcp://nowhere:1"],
            "--jobs does not go with --dask: the scheduler has the workers",
        ),
    ],
)
def test_messages(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: Any,
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "m", MODEL)
    numpy.savez("given.npz", data=numpy.zeros(1))
    assert run(["crosscheck", "m.xml", *arguments]) == 2
    assert message in capfd.readouterr().err


def written(folder: Path, name: str, files: Files) -> None:
    (folder / f"{name}.xml").write_bytes(files[0])
    (folder / f"{name}.bin").write_bytes(files[1])


@requires_openvino
def test_plugins_and_properties_that_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "m", MODEL)
    arguments = ["crosscheck", "m.xml", "--quick", "--config", "NUM_STREAMS=2"]
    assert run(arguments) == 0
    assert run([*arguments, "--plugin", "MINE=/none.so", "--device", "MINE"]) == 5
    assert (
        "the plugin 'MINE' cannot be loaded: Cannot load library"
        in capfd.readouterr().err
    )
    assert run(["crosscheck", "m.xml", "--config", "NONE=1"]) == 2
    error = capfd.readouterr().err
    assert error.startswith("ovgather: CPU does not take the properties of --config: ")
    assert "Unsupported property NONE by CPU plugin" in error
    with pytest.raises(
        ConfigurationError, match="Unsupported property NONE by CPU plugin"
    ):
        crosscheck(MODEL[0], weights=MODEL[1], variants=["none"], config={"NONE": "1"})


@requires_openvino
def test_inputs_are_those_of_their_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        written(tmp_path, name, MODEL)
        indices = numpy.array([0, 1, 9 if name == "b" else 2])
        numpy.savez(f"{name}.npz", data=numpy.zeros((5, 4), "f4"), indices=indices)
    given = ["--inputs", "a.xml=a.npz", "--inputs", "b.xml=b.npz"]
    assert (
        run(["crosscheck", "a.xml", "b.xml", *given, "--quick", "--mode", "in-place"])
        == 0
    )
    out = capfd.readouterr().out
    assert out.count("the first is 9 at [2]") == 1
    assert out.index("b.xml: 1 Gather layer") < out.index("the first is 9 at [2]")


def test_a_runtime_of_ones_own_runs_no_whole_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_runtime.py").write_text(
        "from ovgather.runtimes.base import TrialRuntime\n"
        "class Own(TrialRuntime):\n"
        "    title, version = 'Own', '1'\n"
        "    def run(self, trial, device):\n"
        "        return trial.want()\n"
    )
    written(tmp_path, "m", MODEL)
    arguments = [
        "crosscheck",
        "m.xml",
        "--start",
        "own_runtime:Own",
        "--variants",
        "none",
    ]
    assert run(arguments) == 0
    assert (
        'equal     Gather-8 "g" (layer 10), alone in own_runtime:Own'
        in capfd.readouterr().out
    )
    assert run([*arguments, "--mode", "in-place"]) == 1
    assert (
        "own_runtime:Own runs layers alone, not whole models" in capfd.readouterr().out
    )
    report = crosscheck("m.xml", start="own_runtime:Own", variants=["none"])
    assert [(record.against, record.verdict) for record in report.records] == [
        ("own_runtime:Own", "equal")
    ]


def test_expected_failures_of_files_before_the_first_are_no_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        written(tmp_path, name, MODEL)
    Path("expected").write_text("only in a.xml\n")
    arguments = ["crosscheck", "a.xml", "b.xml", "--quick", "--mode", "alone"]
    arguments += ["--expected", "expected"]
    assert run(arguments) == 2
    assert "no record is called 'only in a.xml'" in capfd.readouterr().err
    assert run([*arguments, "--after", "a.xml"]) == 0
