"""Random layers: the same for a seed, grouped by what fails, one of each made small."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from paths import ROOT

from ovgather.cli.main import run as run_cli
from ovgather.comparison import fuzz as fuzz_module
from ovgather.comparison.alone.run import run_trials
from ovgather.comparison.fuzz import LayerCampaign, trials, write_all
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.reduce import prober
from ovgather.comparison.verdict.judge import judge
from ovgather.errors import OvgatherError
from ovgather.ops.openvino import OPERATIONS, find
from ovgather.report import render
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.pool import Interrupted
from ovgather.runtimes.trial import Placement, Trial
from ovgather.tensor import element_type

SCHEMA = ROOT / "schemas" / "fuzz.schema.json"
OUTSIDE = 2  # a seed with indices that no operation defines


def clamping(trial: Trial) -> Outcome:
    """What a runtime gives that clamps negative indices to 0."""
    try:
        got = trial._replace(indices=np.maximum(trial.indices, 0)).want()
    except OvgatherError as error:
        return Outcome("error", str(error), cause="error")
    axis = trial.axis or 0
    return judge(
        Evidence(
            trial.operation, trial.data, trial.indices, axis, trial.batch_dims, got
        ),
        against="clamping",
    )


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trials run here, in a runtime that clamps."""

    def run(some: Sequence[Trial], *_: Any) -> list[Outcome]:
        return [clamping(trial) for trial in some]

    class Probe:
        def __init__(self, *_: Any) -> None: ...
        def __enter__(self) -> Any:
            return run

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(fuzz_module, "run_trials", run)
    monkeypatch.setattr(prober, "run_afresh", run)
    monkeypatch.setattr(prober, "Prober", Probe)


def keyed(seed: int, limit: int) -> list[str]:
    return [f"{trial} {trial.indices.tolist()}" for trial in trials(seed, limit)]


def test_a_seed_says_which_layers() -> None:
    first = keyed(7, 150)
    assert first == keyed(7, 200)[:150]
    assert first != keyed(8, 150)
    assert len(first) == 150


@pytest.mark.slow
def test_all_that_is_declared_is_drawn() -> None:
    drawn = list(trials(0, 3000))
    assert {trial.operation.name for trial in drawn} == {
        operation.name for operation in OPERATIONS
    }
    assert {trial.element_types[0].name for trial in drawn} >= {
        "f32",
        "bf16",
        "i4",
        "string",
        "boolean",
        "f8e4m3",
    }
    assert {trial.element_types[1].name for trial in drawn} == {
        "i8",
        "i16",
        "i32",
        "i64",
        "u8",
        "u16",
        "u32",
        "u64",
    }
    assert {(trial.placement.static, trial.placement.constants) for trial in drawn} == {
        (static, frozenset(held))
        for static in (False, True)
        for held in ((), ("data",), ("indices",), ("data", "indices"))
    }
    assert any(trial.data.size == 0 for trial in drawn)
    assert any(trial.batch_dims for trial in drawn)
    assert max(trial.data.ndim for trial in drawn) >= 4
    assert max(max(trial.data.shape, default=0) for trial in drawn) > 64


@pytest.mark.slow
def test_failures_are_grouped_and_made_small(in_process: None) -> None:
    found = LayerCampaign(400, CrosscheckOptions(seed=3, against=("torch",)))
    seen: list[tuple[int, int]] = []
    found.run(lambda known, total: seen.append((known, total)))
    assert seen[-1] == (400, 400)
    assert found.done == 400
    assert sum(found.verdicts["torch"].values()) == 400
    assert found.verdicts["torch"]["different"] == sum(
        group.count for group in found.ranking
    )
    before = len(found.groups)
    found.reduce()
    assert 1 <= len(found.groups) <= before
    for group in found.ranking:
        assert group.reduction is not None
        assert group.smallest.data.size <= 4
        assert group.smallest.indices.size <= 4
        assert (group.smallest.indices < 0).any()
    small = [
        (group.operation, group.signature, str(group.smallest))
        for group in found.ranking
    ]
    assert len(small) == len(set(small))


def test_what_both_refuse_is_no_failure(
    in_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        fuzz_module,
        "run_trials",
        lambda some, *_: [Outcome("error", cause="error") for _ in some],
    )
    found = LayerCampaign(512, CrosscheckOptions(seed=OUTSIDE))
    found.run()
    verdicts = found.verdicts["openvino"]
    assert verdicts["refused"]
    assert verdicts["error"] + verdicts["refused"] == 512
    assert sum(group.count for group in found.ranking) == verdicts["error"]


def test_an_interrupt_keeps_what_is_known(
    in_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def run(some: Sequence[Trial], *_: Any) -> list[Outcome]:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise Interrupted({0: Outcome("equal"), 1: clamping(some[1])})
        return [clamping(trial) for trial in some]

    monkeypatch.setattr(fuzz_module, "run_trials", run)
    found = LayerCampaign(2000, CrosscheckOptions(seed=3))
    found.run()
    assert found.interrupted
    assert found.done == 512 + 2
    text = render("fuzz", "text", [found])
    assert "514 layers of 2000, interrupted, seed 3" in text


@pytest.mark.slow
def test_text_and_json(in_process: None) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    found = LayerCampaign(300, CrosscheckOptions(seed=3, against=("torch",)))
    found.run()
    found.reduce()
    lines = render("fuzz", "text", [found]).splitlines()
    assert lines[0].split() == [
        "runtime",
        "verdict",
        "cause",
        "operation",
        "cases",
        "first",
        "smallest",
    ]
    assert lines[1].split()[:2] == ["torch", "different"]
    assert "torch: " in lines[-2]
    assert lines[-1].startswith("300 layers, seed 3, ")
    document = json.loads(render("fuzz", "json", [found]))
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    assert document["layers"] == 300
    assert document["groups"][0]["count"] == found.ranking[0].count


def test_reproducers_are_of_openvino_only(in_process: None, tmp_path: Path) -> None:
    found = LayerCampaign(200, CrosscheckOptions(seed=3, against=("torch",)))
    found.run()
    found.reduce()
    written, left = write_all(found, str(tmp_path / "bugs"))
    assert written == []
    assert left.startswith("torch Gather")
    group = found.ranking[0]
    name = group.folder_name(set())
    assert name == f"{group.operation}-different-{group.signature.cause}".lower()
    assert group.folder_name({name}) == f"{name}-2"


def gather(kind: str, data: Any, axis: int, **placement: Any) -> Trial:
    operation, kinds = (
        find("Gather", "opset8"),
        (element_type.find(kind), element_type.find("i32")),
    )
    assert operation is not None
    return Trial(
        operation,
        "opset8",
        kinds,
        np.asarray(data),
        np.array([1], "i4"),
        axis,
        0,
        Placement(**placement),
    )  # type: ignore[arg-type]


def test_what_the_fuzz_found_in_ovgather() -> None:
    pytest.importorskip("openvino")
    table = np.arange(6, dtype="f4").reshape(2, 3)
    words = np.array(["", "é", "long enough for the heap"], object)
    some = [
        gather("f32", table, 0),
        gather("f32", table, 1),  # was run in the model of the one before it
        gather(
            "string", words, 0, constants=frozenset({"data"})
        ),  # was written in the form of the wire
        gather(
            "string", np.array(["a", ""], object), 0
        ),  # came back as uninitialised memory
    ]
    assert [outcome.verdict for outcome in run_trials(some)] == ["equal"] * 4


def cli(capfd: Any, *arguments: str) -> tuple[int, str, str]:
    code = run_cli(["crosscheck", *arguments])
    said = capfd.readouterr()
    return code, said.out, said.err


def test_command_line(in_process: None, capfd: Any, tmp_path: Path) -> None:
    code, out, err = cli(
        capfd,
        "--fuzz",
        "200",
        "--seed",
        "3",
        "--against",
        "torch",
        "-o",
        str(tmp_path / "bugs"),
    )
    assert code == 1
    assert "200 layers, seed 3" in out
    assert err.startswith("ovgather: no reproducer for torch Gather")
    code, _, _ = cli(
        capfd, "--fuzz", "200", "--seed", "3", "--against", "torch", "--format", "json"
    )
    assert code == 1


def test_wrong_usage(capfd: Any) -> None:
    assert cli(capfd)[0] == 2
    for arguments, said in [
        (
            (),
            "Missing argument 'PATH...': name files, or take random layers with --fuzz N.",
        ),
        (("--fuzz", "3", "m.xml"), "--fuzz makes its own layers and takes no m.xml"),
        (
            ("--fuzz", "3", "--layer", "x"),
            "--fuzz makes its own layers and takes no --layer",
        ),
        (
            ("--static", "--fuzz", "3"),
            "--fuzz makes its own layers and takes no --static",
        ),
        (("--fuzz", "3", "--format", "junit"), "--fuzz prints text or json, not junit"),
        (("--fuzz", "0"), "Invalid value for '--fuzz': 0 is not in the range x>=1."),
    ]:
        code, _, err = cli(capfd, *arguments)
        assert code == 2
        assert said in err
