"""Kernels with one fault each: found, never given a false cause, and reproduced; no OpenVINO."""

import runpy
from collections.abc import Callable
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from crosscheck_models import Ir, add_gather, gather_model
from kernel_runtime import Crash, FakeWorker, Hang, Kernel, KernelRuntime, right
from reduce_trials import unwatched

from ovgather.comparison.entry import crosscheck
from ovgather.comparison.in_model.inputs import ModelInput, loaded, wanted_inputs
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.reduce import folder, prober
from ovgather.comparison.reduce.layer import failures, find_layer, reduce_failing
from ovgather.comparison.reduce.search import NotReproducedError
from ovgather.comparison.report import FAILING
from ovgather.ir.model import Model
from ovgather.ir.read import read
from ovgather.report import render
from ovgather.runtimes import available, pool
from ovgather.tensor.arrays import bits

KERNELS = sorted(path.stem for path in Path(__file__).with_name("kernels").glob("*.py"))
WITHHELD = ("unexplained", "undetermined", "unsteady", "zeros", "pattern")
"""No cause: the last three only describe what comes out, and where."""


def load(name: str) -> ModuleType:
    spec = spec_from_file_location(
        name, Path(__file__).with_name("kernels") / f"{name}.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[[Kernel], None]:
    """Put a kernel in the place of OpenVINO."""

    def use(kernel: Kernel) -> None:
        for module in (pool, prober):
            monkeypatch.setattr(
                module, "started", lambda start, device: FakeWorker(kernel)
            )

    monkeypatch.setattr(available, "require", lambda runtime: None)
    return use


def model(kind: str) -> Model:
    """A Gather of a whole axis, one with batches, a GatherElements and a GatherND."""
    ir = Ir()
    add_gather(
        ir,
        0,
        "Gather",
        "opset8",
        (kind, [6, 6]),
        ("i64", [6]),
        1,
        name="rows",
        prefix="a",
    )
    add_gather(
        ir,
        20,
        "Gather",
        "opset8",
        (kind, [3, 6, 4]),
        ("i64", [3, 5]),
        1,
        1,
        name="batches",
        prefix="b",
    )
    add_gather(
        ir,
        40,
        "GatherElements",
        "opset6",
        (kind, [4, 6]),
        ("i64", [4, 5]),
        1,
        name="elements",
        prefix="c",
    )
    add_gather(
        ir,
        60,
        "GatherND",
        "opset8",
        (kind, [4, 5, 3]),
        ("i64", [6, 2]),
        None,
        name="tuples",
        prefix="d",
    )
    return read(*ir.files)


def fails(script: Path, kernel: Kernel) -> bool:
    """What ``reproduce.py`` of a folder says of a kernel: its comparison, on its inferences, in this process."""
    here = runpy.run_path(str(script))
    text, weights = (
        script.with_name(name).read_bytes() for name in ("model.xml", "model.bin")
    )
    want, arrays = (
        here["load"](script.with_name(name)) for name in ("expected.npz", "inputs.npz")
    )
    wanted = wanted_inputs(read(text, weights))
    return not all(
        run_once(
            KernelRuntime(kernel, process), here, (text, weights), arrays, wanted, want
        )
        for process in range(here["RUNS"])
    )


def run_once(
    runtime: KernelRuntime,
    here: dict[str, Any],
    files: Any,
    arrays: Any,
    wanted: list[ModelInput],
    want: Any,
) -> bool:
    for number in here["INFERENCES"]:
        suffix = f".{number}" if number else ""
        # of a part of a model the output of the layer alone, which others may read, is compared
        names = [each for each in ("out", "tap_0") if f"{each}{suffix}" in want]
        given = [arrays[f"{each.names[0]}{suffix}"] for each in wanted]
        inputs = [
            loaded(array, each.kind).copy()
            for array, each in zip(given, wanted, strict=True)
        ]
        copies = [array.copy() for array in inputs]
        try:
            outputs = runtime.execute(*files, inputs, names or ["out"])
        except (Crash, Hang, RuntimeError):
            return False
        if [bits(array).tobytes() for array in inputs] != [
            bits(array).tobytes() for array in copies
        ]:
            return False
        for name, got in zip(names, outputs, strict=False):
            key = f"{name}{suffix}"
            stored = got if got.dtype.isbuiltin == 1 else bits(got)
            if not here["is_right"](stored, want.get(key), key):
                return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_is_found_and_reproduced(
    name: str,
    install: Callable[[Kernel], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
) -> None:
    module = load(name)
    kernel: Kernel = module.run
    install(kernel)
    kind = getattr(module, "KIND", "f32")
    net = model(kind)
    report = crosscheck(net)
    wrong = [record for record in report.records if record.verdict in FAILING]
    assert wrong
    assert report.exit_code == 1
    false = {
        record.cause: record.reason
        for record in wrong
        if record.cause not in (*module.CAUSES, *WITHHELD)
    }
    assert not false
    monkeypatch.setattr(
        folder, "_try", lambda script: (fails(Path(script), kernel), "")
    )
    options = CrosscheckOptions()
    failing = failures(net, find_layer(net, wrong[0].layer.name), options)
    if not getattr(module, "REPRODUCES", True):
        with suppress(NotReproducedError):
            assert reduce_failing(failing[0], options, unwatched).problem
        return
    reduction = reduce_failing(failing[0], options, unwatched)
    assert folder.write(reduction, str(tmp_path / "bug"), options), reduction.problem
    assert not fails(tmp_path / "bug" / "reproduce.py", right)


def test_what_fails_in_the_model_only_is_shown_by_a_part_of_it(
    install: Callable[[Kernel], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
) -> None:
    kernel = load("in_place_only").run
    install(kernel)
    ir = Ir()
    row = ("f32", [4]), ("i64", [4])
    for start in (0, 20, 40):  # one feeds the next
        add_gather(
            ir,
            start,
            "GatherElements",
            "opset6",
            *row,
            0,
            name=f"g{start}",
            prefix=f"{start}",
        )
    for start in (20, 40):
        ir.edges = [
            edge
            for edge in ir.edges
            if not edge.endswith(f'to-layer="{start + 10}" to-port="0"/>')
        ]
        ir.edge((start - 10, 2), (start + 10, 0))
    net, options = read(*ir.files), CrosscheckOptions()
    monkeypatch.setattr(
        folder, "_try", lambda script: (fails(Path(script), kernel), "")
    )
    (failing,) = failures(net, find_layer(net, "g20"), options)
    reduction = reduce_failing(failing, options, unwatched)
    assert reduction.part is not None
    assert reduction.part.layers == 2
    assert folder.write(reduction, str(tmp_path / "bug"), options)
    assert "among 2 layers: alone it is right" in (
        tmp_path / "bug" / "REPORT.md"
    ).read_text("utf-8")
    assert not fails(tmp_path / "bug" / "reproduce.py", right)


@pytest.mark.slow
def test_the_reference_is_right(install: Callable[[Kernel], None]) -> None:
    install(right)
    for kind in ("f32", "i4", "i64", "bf16", "f16"):
        report = crosscheck(
            model(kind), variants=["all"] if kind == "f32" else ["default"]
        )
        assert {record.verdict for record in report.records} == {"equal"}


def test_an_overrun_excuses_no_clamping(install: Callable[[Kernel], None]) -> None:
    install(load("clamps_out_of_range").run)
    row = read(*gather_model("Gather", "opset8", ("i32", [8]), ("i64", [5]), 0))
    report = crosscheck(row, mode="alone", variants=["out-of-range", "negative"])
    assert {(record.variant, record.verdict) for record in report.records} == {
        ("alone", "equal"),
        ("negative", "equal"),
        ("out-of-range", "different"),
    }


def test_nothing_compared_is_no_success(install: Callable[[Kernel], None]) -> None:
    install(right)
    report = crosscheck(
        read(*gather_model("Gather", "opset8", ("u2", [8]), ("i64", [5]), 0))
    )
    assert {record.verdict for record in report.records} == {"skipped"}
    assert report.exit_code == 1
    assert render("crosscheck", "text", report).endswith(
        "skipped; nothing was compared\n"
    )
