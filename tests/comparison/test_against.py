"""Other runtimes beside OpenVINO: what they run, what they do not, and who disagrees with whom."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from crosscheck_models import gather_model
from forked import starting_anew
from trials import trial

from ovgather import UnavailableError, crosscheck
from ovgather.comparison.alone.run import run_trials
from ovgather.comparison.report import FileReport, Record, matrix
from ovgather.layers.reference import LayerReference
from ovgather.report.crosscheck.text import lines as text_lines
from ovgather.runtimes import adapters as runtimes
from ovgather.runtimes import pool
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.trial import Placement

NEEDS = {"onnxruntime": "onnxruntime", "onnx-reference": "onnx", "torch": "torch"}
CUBE = np.random.default_rng(0).standard_normal((3, 4, 5)).astype("f4")
DYNAMIC = Placement()


def installed(name: str) -> Any:
    missing = find_spec(NEEDS[name]) is None
    return pytest.param(
        name,
        marks=pytest.mark.skipif(missing, reason=f"{NEEDS[name]} is not installed"),
    )


OTHERS = [installed(name) for name in NEEDS]
TRIALS = [
    trial(
        "GatherElements",
        CUBE,
        np.arange(24).reshape(3, 2, 4)[..., :1].repeat(5, -1) % 4 - 2,
        1,
    ),
    trial("Gather", CUBE, [[0, -1], [2, 3]], 1),
    trial("Gather", CUBE, 1, -1, placement=Placement(constants=frozenset({"indices"}))),
    trial("GatherND", CUBE, [[[0, -1]], [[1, 4]], [[-4, 2]]], None, 1),
    trial("Gather", CUBE.astype("i8") * 2**40, [0, 2], 0, placement=DYNAMIC),
]
OLD_TUPLES = trial("GatherND", CUBE, np.zeros((3, 4, 1), "i8"), None, 2)


def test_there_are_the_runtimes() -> None:
    assert runtimes.names() == ["onnx-reference", "onnxruntime", "openvino", "torch"]


def require(module: str) -> None:
    """Skips the test where a child could not load it; torch takes seconds to load, and is not needed here."""
    if find_spec(module) is None:
        pytest.skip(f"{module} is not installed")


@pytest.mark.parametrize("name", OTHERS)
def test_other_runtimes_agree(name: str) -> None:
    from ovgather.ops import openvino as ops

    five = ops.find("GatherND", "opset5")
    assert five is not None
    old = OLD_TUPLES._replace(operation=five, version="opset5")
    empty = old._replace(data=CUBE.reshape(3, 4, 5, 1)[..., :0])
    outcomes = run_trials([*TRIALS, OLD_TUPLES, old, empty], against=name)
    assert [outcome.verdict for outcome in outcomes] == ["equal"] * 8, outcomes


SKIPPED = {
    "ONNX's Gather has no batch_dims": trial(
        "Gather", CUBE, np.zeros((3, 2), "i8"), 1, 1
    ),
    "ONNX does not define what an index out of range gives": trial(
        "Gather", CUBE, [7], 1
    ),
    "has no type nf4": trial("Gather", CUBE.astype("u1"), [0], 1, kind="nf4"),
}


@pytest.mark.parametrize(
    ("name", "reasons"),
    [("onnxruntime", list(SKIPPED)), ("torch", ["has no type nf4"])],
)
def test_what_others_do_not_run_is_skipped(name: str, reasons: list[str]) -> None:
    require(NEEDS[name])
    outcomes = run_trials([SKIPPED[reason] for reason in reasons], against=name)
    for outcome, reason in zip(outcomes, reasons, strict=True):
        assert outcome.verdict == "skipped"
        assert reason in outcome.reason


def test_torch_runs_batches() -> None:
    require("torch")
    batches = [
        trial("Gather", CUBE, [[0, -1], [2, 3], [1, 1]], 1, 1),
        trial("Gather", CUBE, np.arange(24).reshape(3, 4, 2) % 5, 2, 2),
        trial("Gather", CUBE, [[0, -1], [2, 3], [1, 1]], -1, -1),
    ]
    assert [outcome.verdict for outcome in run_trials(batches, against="torch")] == [
        "equal"
    ] * 3


def test_weaknesses_of_the_witness_still_are() -> None:
    pytest.importorskip("onnx.helper")
    negative_axis = trial("GatherElements", CUBE, np.zeros((3, 4, 2), "i8"), -1)
    long_axis = trial("GatherElements", np.ones((70, 2), "f4"), np.full((3, 2), 60), 0)
    outcomes = run_trials([negative_axis, long_axis], against="onnx-reference")
    assert [outcome.verdict for outcome in outcomes] == ["known", "known"]
    assert [outcome.cause for outcome in outcomes] == [
        "onnx-negative-axis",
        "onnx-long-axis",
    ]


def test_missing_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    text, weights = gather_model(
        "GatherElements", "opset6", ("f32", [2, 3]), ("i64", [2, 5]), 1
    )
    with pytest.raises(
        UnavailableError, match=r"torch is not installed: pip install .\.\[torch\]"
    ):
        crosscheck(text, weights=weights, against=["torch"])


def test_runtime_that_cannot_be_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('libtorch.so: cannot open')")
    monkeypatch.syspath_prepend(str(tmp_path))
    message = r"torch cannot be imported \(libtorch.so: cannot open\): pip install"
    with starting_anew(), pytest.raises(UnavailableError, match=message):
        run_trials([TRIALS[0]], against="torch")
    assert pool.command("torch")[3] == "torch"


# -- who disagrees with whom -------------------------------------------------------------------------

LAYER = LayerReference("1", "g", "Gather", "opset8", ())


def record(against: str, verdict: str, got: int = 0, variant: str = "alone") -> Record:
    from ovgather.ops import openvino as ops

    operation = ops.find("Gather", "opset8")
    assert operation is not None
    zeros = np.zeros(1, "i8")
    evidence = (
        None
        if verdict == "equal"
        else Evidence(operation, zeros, zeros, 0, 0, np.full(1, got), want=zeros)
    )
    return Record(LAYER, variant, against, "CPU", Outcome(verdict, evidence=evidence))


def test_disagreements_are_counted_pair_by_pair() -> None:
    records = [
        record("openvino", "equal"),
        record("torch", "different", 1),
        record("onnxruntime", "different", 1),
        record("openvino", "different", 2, "static"),
        record("torch", "different", 1, "static"),
        record("onnxruntime", "skipped", 0, "static"),
        record("openvino", "equal", variant="in-place"),
    ]
    assert [row[1:] for row in matrix(records)] == [
        ["openvino", "torch", "onnxruntime"],
        ["1 of 2", "2 of 2", "1 of 1"],  # the reference
        ["", "2 of 2", "1 of 1"],
        ["", "", "0 of 1"],
    ]
    text = list(text_lines([FileReport("m.xml", tuple(records))]))
    start = text.index(
        "Disagreements of two runtimes, out of the runs that both answered:"
    )
    assert text[start + 1].split() == ["openvino", "torch", "onnxruntime"]
    assert " ".join(text[start + 2].split()) == "reference 1 of 2 2 of 2 1 of 1"
    assert matrix(records[:1]) == []
