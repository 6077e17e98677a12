"""Failures in whole models, made small: each reproducer fails in the broken runtime, and passes in OpenVINO."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import broken_openvino
import fresh_models
import numpy
import pytest
import reduce_trials
import strange_models
import unseen_models
from broken_openvino import model
from crosscheck_models import requires_openvino
from paths import SHARED
from reduce_trials import unwatched

from ovgather.comparison.ir_layers import family_layers
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.reduce import folder
from ovgather.comparison.reduce.layer import (
    Failing,
    failures,
    find_layer,
    reduce_failing,
)
from ovgather.comparison.reduce.model import fewest
from ovgather.comparison.reduce.search import NotReproducedError, Reduction
from ovgather.layers.formats import read
from ovgather.runtimes import child, pool
from ovgather.runtimes.outcome import Outcome

SECONDS = 10
"""How long a reproducer waits for an answer."""
LEFT_OUT = (
    "right",
    "refuses_other_shapes",
    "dies_with_a_helper",
    "hangs_on_other_shapes",
)
"""What does not fail, and what takes a minute: it is reproduced as well."""
FAULTS = [
    name
    for name, each in vars(broken_openvino).items()
    if list(getattr(each, "__annotations__", ())) == ["request", "return"]
    and name not in LEFT_OUT
]
LAYERS = {"old_rows_when_it_grows": "words", "overwrites_what_it_reads": "sorted"}
LAYERS |= {"reads_what_it_overwrote": "sorted", "fuses_the_second": "places"}
LAYERS |= {"fuses_with_a_far_layer": "places"}
SIZES = {
    "fuses_with_a_far_layer": 2,
    "aborts_on_other_shapes": 1,
    "untouched_raises": 1,
}
PATCH = """
import os, sys
if "BROKEN" in os.environ and sys.argv[2:]:
    sys.path += [{shared!r}, {root!r}]
    sys.argv.insert(1, os.environ["BROKEN"])
    import {module} as module, openvino
    fault = sys.argv.pop(1)
    real = openvino.Core
    openvino.Core = lambda: module.Core(real(), fault)
"""


def run_script(
    script: str, path: Path, fault: str, module: str = "broken_openvino"
) -> tuple[bool, str]:
    """Whether a reproducer fails where OpenVINO has the fault, and what it prints."""
    (path / "sitecustomize.py").write_text(
        PATCH.format(shared=str(SHARED), root=str(SHARED.parents[1]), module=module),
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": str(path)}
    if fault:
        environment["BROKEN"] = fault
    text = (
        Path(script).read_text("utf-8").replace("SECONDS = 60", f"SECONDS = {SECONDS}")
    )
    Path(script).write_text(text, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, script],
        env=environment,
        capture_output=True,
        text=True,
        timeout=400,
    )
    return ended.returncode == 1, ended.stdout + ended.stderr


@pytest.mark.slow
@requires_openvino
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_model_is_reproduced(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "_END_SECONDS", 1.0 if "end" in fault else 30.0)
    monkeypatch.setattr(pool, "_PATIENCE", 1.0)
    timeout = 3.0 if "hangs" in fault else 60.0
    start = (sys.executable, str(SHARED / "broken_openvino.py"), fault)
    options = CrosscheckOptions(mode="in-place", start=start, timeout=timeout)
    net: Any = read(model())
    found = failures(
        net, find_layer(net, LAYERS.get(fault, "words")), options, "in-place"
    )
    assert found
    reduction = reduce_failing(found[0], options, unwatched)
    assert isinstance(reduction, Reduction), reduction
    assert not reduction.problem
    assert reduction.part is None or reduction.part.layers <= SIZES.get(fault, 3)
    monkeypatch.setattr(
        folder, "_try", lambda script: run_script(script, tmp_path, fault)
    )
    bug = tmp_path / "bug"
    assert folder.write(reduction, str(bug), options), (bug / "REPORT.md").read_text(
        "utf-8"
    )
    fails, log = run_script(str(bug / "reproduce.py"), tmp_path, "")
    assert not fails, log


@pytest.mark.slow
@requires_openvino
@pytest.mark.parametrize(
    ("fault", "way"),
    [
        ("ignores_outputs_of_the_caller", "outputs"),
        ("export_is_refused", "imported"),
        ("async_gives_the_result_of_before", "requests"),
        ("wrong_with_streams", "streams"),
        ("import_loses_a_row", "imported"),
        ("query_aborts", "queried"),
        ("query_forgets_gather", "queried"),
        ("leaks_50_mb", ""),
    ],
)
def test_a_fault_of_one_way_is_reproduced_in_that_way(
    fault: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    how = fault, "strange_openvino"
    start = (sys.executable, str(SHARED / "strange_openvino.py"), fault)
    options = CrosscheckOptions(mode="in-place", start=start, ways=[way] * bool(way))
    net: Any = read(strange_models.words())
    (failing,) = failures(net, find_layer(net, "embedding"), options, "in-place")
    assert failing.way == way
    reduction = reduce_failing(failing, options, unwatched)
    assert not reduction.problem
    assert reduction.trial.placement.way == way
    monkeypatch.setattr(
        folder, "_try", lambda script: run_script(script, tmp_path, *how)
    )
    bug = tmp_path / "bug"
    assert folder.write(reduction, str(bug), options), (bug / "REPORT.md").read_text(
        "utf-8"
    )
    assert "ovgather" not in (bug / "reproduce.py").read_text("utf-8")
    fails, log = run_script(str(bug / "reproduce.py"), tmp_path, "")
    assert not fails, log


def test_a_slow_lone_layer_is_not_reduced() -> None:
    trial = reduce_trials.trial("Gather", "opset8", ("f32", "i32"), [1.0], [0])
    failing = Failing("alone", Outcome("error", cause="slow"), trial)
    with pytest.raises(NotReproducedError, match="what it costs is not reduced"):
        reduce_failing(failing, CrosscheckOptions(), unwatched)


def looped() -> Any:
    """A Gather in a TensorIterator over the rows of its data."""
    import openvino
    from openvino import opset13 as ops

    data, row = (ops.parameter([length, -1, 4], openvino.Type.f32) for length in (3, 1))
    ids, inner = (ops.parameter([-1], openvino.Type.i64) for _ in range(2))
    gather = ops.gather(row, inner, ops.constant(1), name="inner")
    twice = ops.multiply(gather, ops.constant(numpy.float32(2)))
    loop = ops.tensor_iterator()
    loop.set_body(openvino.Model([ops.result(twice)], [row, inner], "body"))
    loop.set_sliced_input(row, data.output(0), 0, 1, 1, -1, 0)
    loop.set_invariant_input(inner, ids.output(0))
    rows = loop.get_concatenated_slices(twice.output(0), 0, 1, 1, -1, 0)
    return openvino.Model([ops.result(rows)], [data, ids], "net")


@pytest.mark.slow
@requires_openvino
@pytest.mark.parametrize("fault", ["aborts_on_other_shapes", "untouched_raises"])
def test_a_fault_in_a_body_is_reproduced_on_the_body(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = (sys.executable, str(SHARED / "broken_openvino.py"), fault)
    options = CrosscheckOptions(mode="in-place", start=start, timeout=60.0)
    net: Any = read(looped())
    (layer,) = family_layers(net, None)
    reduction = reduce_failing(failures(net, layer, options)[0], options, unwatched)
    assert isinstance(reduction, Reduction), reduction
    assert reduction.part is not None
    assert reduction.part.layers == 1
    assert b"TensorIterator" not in reduction.model.text
    monkeypatch.setattr(
        folder, "_try", lambda script: run_script(script, tmp_path, fault)
    )
    assert folder.write(reduction, str(tmp_path / "bug"), options)
    assert not run_script(str(tmp_path / "bug" / "reproduce.py"), tmp_path, "")[0]


@pytest.mark.slow
@requires_openvino
@pytest.mark.parametrize(
    ("fault", "layer", "types"),
    [
        ("else_branch_is_zero", "no", {"If"}),
        ("then_always", "no", {"If"}),
        ("assign_is_lost", "moved", {"ReadValue", "Concat", "Assign"}),
    ],
)
def test_a_wrong_branch_and_a_lost_state_are_reproduced(
    fault: str, layer: str, types: set[str], tmp_path: Path, monkeypatch: Any
) -> None:
    """What a branch gives is computed from its layers; a state is compared with what is assigned to it."""
    start = (sys.executable, str(SHARED / "unseen_openvino.py"), fault)
    options = CrosscheckOptions(mode="in-place", start=start, timeout=60.0)
    net: Any = read(unseen_models.MODELS[fault][0]())
    failing = failures(net, find_layer(net, layer), options)[0]
    reduction = reduce_failing(failing, options, unwatched)
    part: Any = read(reduction.model.text)
    kinds = {each.type for each in part.graph.layers}
    assert kinds - {"Parameter", "Const", "Result"} == types
    how = fault, "unseen_openvino"
    monkeypatch.setattr(
        folder, "_try", lambda script: run_script(script, tmp_path, *how)
    )
    assert folder.write(reduction, str(tmp_path / "bug"), options)
    report = (tmp_path / "bug" / "REPORT.md").read_text("utf-8")
    reason = reduction.outcome.reason
    assert len(set(reason.split("; "))) == len(reason.split("; "))
    assert ("assign-6.html" in report) == ("state" in reason)
    script = str(tmp_path / "bug" / "reproduce.py")
    fails, log = run_script(script, tmp_path, "")
    assert not fails, log


@pytest.mark.slow
@requires_openvino
@pytest.mark.parametrize(
    ("fault", "types"),
    [
        ("odd_rows_of_nibbles", {"Convert", "Subtract", "Multiply", "Gather"}),
        ("saturates_at_127", {"Subtract", "Multiply", "Gather"}),
        ("invariant_is_kept", {"Loop"}),
    ],
)
def test_a_reproducer_shows_the_failure_of_the_layer_and_no_other(
    fault: str, types: set[str], tmp_path: Path, monkeypatch: Any
) -> None:
    """OpenVINO itself moves functions before a Gather (docs/findings/moved-function), and keeps nothing of a body."""
    start = (sys.executable, str(SHARED / "fresh_openvino.py"), fault)
    options = CrosscheckOptions(start=start)
    make, _, _ = fresh_models.MODELS[fault]
    net: Any = read(make())
    failing = failures(net, family_layers(net, None)[0], options)[0]
    reduction = reduce_failing(failing, options, unwatched)
    part: Any = read(reduction.model.text)
    kinds = {each.type for each in part.graph.layers}
    assert kinds - {"Parameter", "Const", "Result"} == types
    how = fault, "fresh_openvino"
    monkeypatch.setattr(
        folder, "_try", lambda script: run_script(script, tmp_path, *how)
    )
    assert folder.write(reduction, str(tmp_path / "bug"), options)
    script = str(tmp_path / "bug" / "reproduce.py")
    fails, log = run_script(script, tmp_path, "")
    assert not fails, log


def test_the_fewest_of_many_are_found_in_few_tries() -> None:
    tried = []

    def fails(some: Any) -> bool:
        tried.append(some)
        return {100, 517} <= set(some)

    assert fewest(range(1000), fails) == [100, 517]
    assert len(tried) < 60
