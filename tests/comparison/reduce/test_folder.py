"""The folder of a reproducer: what is in it, that its script runs alone, and what it says."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from paths import ROOT
from reduce_trials import reduced, trial

from ovgather.comparison import reproduce as reproduce_py
from ovgather.comparison.alone.run import run_trials
from ovgather.comparison.options import CrosscheckOptions, parsed
from ovgather.comparison.reduce import folder as folder_of_reproducer
from ovgather.comparison.reduce.folder import NAMES, require_free, write
from ovgather.comparison.reduce.page import page, spec_page, title
from ovgather.comparison.reduce.prober import Prober
from ovgather.comparison.reduce.search import Reduction, plain, signature
from ovgather.errors import ConfigurationError
from ovgather.runtimes.outcome import Outcome, with_notes
from ovgather.tensor.arrays import bits
from ovgather.tensor.element_type import ALL, named

openvino = pytest.importorskip("openvino")

HELD = [each for each in ALL if each.bits == 4 or (each.bits and each.bits % 8 == 0)]

SEGV = trial(
    "Gather", "opset8", ("f32", "i64"), [[1]], [[0]], 1, batch_dims=1, static=True
)
FPE = trial("Gather", "opset8", ("f32", "i32"), [1], [], 0, static=True)
NARROWED = trial("GatherElements", "opset6", ("i64", "i32"), [2**40], [0, 0])
OVERRUN = trial(
    "GatherND", "opset8", ("f32", "i64"), [1.0, 2.0], [[1 << 40], [0]], None
)


def made(failing: Any) -> Reduction:
    with Prober(CrosscheckOptions()) as probe:
        return reduced(
            failing,
            lambda trials: run_trials(trials, CrosscheckOptions(confirmations=0)),
            probe=probe,
        )


def unreduced(of: Any, outcome: Outcome) -> Reduction:
    return Reduction(of, outcome, signature(outcome), of, 1, 1, 1)


def reproduce(folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, str(folder / "reproduce.py")], capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("failing", "said"),
    [(FPE, "CRASH in compile_model: SIGFPE"), (NARROWED, "MISMATCH: 1 of 1 elements")],
    ids=["fpe", "narrowed"],
)
def test_a_real_failure_is_made_small_and_reproduced(
    failing: Any, said: str, tmp_path: Path
) -> None:
    folder = tmp_path / "bug"
    reduction = made(failing)
    assert reduction.trial.data.size + reduction.trial.indices.size <= 4
    assert write(reduction, str(folder), CrosscheckOptions(), "a test")
    assert sorted(path.name for path in folder.iterdir()) == sorted(NAMES)
    report = (folder / "REPORT.md").read_text("utf-8")
    assert said in report
    assert f"### OpenVINO Version\n\n{openvino.__version__}" in report
    assert "First seen in a test." in report
    assert "ovgather" not in (folder / "reproduce.py").read_text("utf-8")


def test_undefined_values_have_no_expected_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_of_reproducer, "_try", lambda script: (False, ""))
    crash = Outcome("crash", "OpenVINO died in infer: SIGSEGV", cause="SIGSEGV")
    write(unreduced(OVERRUN, crash), str(tmp_path / "bug"), CrosscheckOptions())
    with np.load(tmp_path / "bug" / "expected.npz") as held:
        assert held.files == []
    report = (tmp_path / "bug" / "REPORT.md").read_text("utf-8")
    assert (
        "not defined by the specification (indices[0,0] is 1099511627776, outside [-2, 1]"
        in report
    )


def test_the_script_says_when_all_is_well(tmp_path: Path) -> None:
    right = trial("Gather", "opset8", ("bf16", "i32"), [[1, 2], [3, 4]], [1, -1])
    shown = write(
        unreduced(right, Outcome("different", cause="clamped")),
        str(tmp_path / "bug"),
        CrosscheckOptions(),
    )
    assert not shown
    assert "OK: the output is right\n0 of 1 runs went wrong" in (
        tmp_path / "bug" / "REPORT.md"
    ).read_text("utf-8")


def test_the_script_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = trial("Gather", "opset8", ("f32", "i32"), [1, 2], [1])
    # It is run below.
    monkeypatch.setattr(folder_of_reproducer, "_try", lambda script: (False, ""))
    write(
        unreduced(right, Outcome("different")),
        str(tmp_path / "bug"),
        CrosscheckOptions(),
    )
    script = tmp_path / "bug" / "reproduce.py"
    script.write_text(
        script.read_text("utf-8").replace('DEVICE = "CPU"', 'DEVICE = "XPU"'), "utf-8"
    )
    code, said = reproduce(tmp_path / "bug")
    assert code == 1
    assert "ERROR in compile_model:" in said


def test_the_script_compiles_as_the_run_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = trial("Gather", "opset8", ("f32", "i32"), [1, 2], [1])
    config = {"INFERENCE_PRECISION_HINT": "", "NUM_STREAMS": "2"}
    options = CrosscheckOptions(config=config, plugins={"MINE": "none.so"})
    monkeypatch.chdir(tmp_path)
    Path("none.so").touch()
    assert not write(unreduced(right, Outcome("different")), "bug", options)
    script = runpy.run_path("bug/reproduce.py")
    assert script["CONFIG"] == {"NUM_STREAMS": "2"}
    assert script["PLUGINS"] == {"MINE": str(tmp_path / "none.so")}


@pytest.mark.parametrize("bounds", ["0.25", "10%", "2ulp", "0.01,1%,1ulp"])
@pytest.mark.parametrize("name", ["f16", "f32", "f64", "bf16", "i32"])
def test_the_script_compares_within_the_tolerance(
    bounds: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, tolerance = named(name), parsed(bounds)
    monkeypatch.setattr(reproduce_py, "TOLERANCE", tuple(tolerance))
    monkeypatch.setattr(reproduce_py, "IS_BF16", name == "bf16")
    reals = [0.0, -0.0, 1.0, 1.0625, -1.25, 3e4, 3.01e4] + [
        float(word) for word in ("nan", "inf", "-inf")
    ]
    want = np.array([1, 2, 5, 7] if name == "i32" else reals).astype(kind.dtype)
    near = [want, want + want * want.dtype.type(1e-3)] if name != "i32" else [want]
    near += [
        np.roll(want, 1),
        (bits(want) ^ 1).view(want.dtype),
        (bits(want) ^ 3).view(want.dtype),
    ]
    for got in near:
        for at in range(want.size):
            pair = got[at : at + 1], want[at : at + 1]
            is_right = reproduce_py.is_right(
                plain(kind, pair[0]), plain(kind, pair[1]), "out"
            )
            same = bits(pair[0]).tobytes() == bits(pair[1]).tobytes()
            assert is_right == (same or tolerance.holds(*pair)), pair


def test_the_script_has_the_tolerance_of_the_run(tmp_path: Path) -> None:
    right = trial("Gather", "opset8", ("bf16", "i32"), [1, 2], [1])
    options = CrosscheckOptions(tolerance=parsed("0.5,2ulp"))
    assert not write(
        unreduced(right, Outcome("different")), str(tmp_path / "bug"), options
    )
    script = runpy.run_path(str(tmp_path / "bug" / "reproduce.py"))
    assert (script["TOLERANCE"], script["IS_BF16"]) == ((0.5, 0.0, 2), True)


@pytest.mark.parametrize("kind", HELD, ids=str)
def test_the_script_reads_and_writes_every_type(kind: Any) -> None:
    script = runpy.run_path(str(ROOT / "ovgather/comparison/reproduce.py"))
    array = (
        np.array(["a", "", "é"], object)
        if kind.name == "string"
        else np.array([1, 2, 4]).astype(kind.dtype)
    )
    held = plain(kind, array)
    assert held.dtype.isbuiltin == 1 or held.dtype.kind == "U"
    tensor = script["to_tensor"](openvino, getattr(openvino.Type, kind.name), held)
    back = script["from_tensor"](tensor)
    assert back.dtype.kind == held.dtype.kind
    assert script["lanes"](back).tolist() == script["lanes"](held).tolist()


def test_a_folder_with_something_else_is_left(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ConfigurationError) as caught:
        require_free(str(tmp_path))
    assert (
        str(caught.value)
        == f"the folder {tmp_path} holds notes.txt, no part of a reproducer: name another"
    )
    with pytest.raises(ConfigurationError) as caught:
        require_free(str(tmp_path / "notes.txt"))
    assert (
        str(caught.value)
        == f"{tmp_path / 'notes.txt'} is there and is no folder: name another with -o"
    )


def test_a_model_of_the_user_is_no_older_reproducer(tmp_path: Path) -> None:
    (tmp_path / "model.xml").write_text("mine")
    (tmp_path / "model.bin").write_text("mine")
    message = "holds model.bin, but no reproduce.py and REPORT.md of an older reproducer: name another"
    with pytest.raises(ConfigurationError, match=message):
        require_free(str(tmp_path))


def test_the_report_has_the_headings_of_an_issue() -> None:
    reduction = unreduced(
        SEGV,
        with_notes(
            Outcome("crash", "OpenVINO died in infer: SIGSEGV", cause="SIGSEGV"),
            str(SEGV),
        ),
    )
    options = CrosscheckOptions(
        device="GPU", config={"NUM_STREAMS": "2"}, tolerance=parsed("2ulp")
    )
    text = page(
        reduction._replace(problem="no luck"),
        options,
        "a test",
        "OpenVINO 1.2-3\nCRASH in infer: SIGSEGV",
    )
    headings = [line[4:] for line in text.splitlines() if line.startswith("### ")]
    assert headings == [
        "OpenVINO Version",
        "Operating System",
        "Device used for inference",
        "Issue description",
        "Step-by-step reproduction",
        "Relevant log output",
    ]
    assert re.search(
        r"\nThe specification \(https://docs\.openvino\.ai/2026/\S+/gather-8\.html\):\n\n> The resulting",
        text,
    )
    assert text.startswith("# [GPU] Gather-8 ends the process (SIGSEGV)\n")
    assert "\n1.2-3\n" in text
    assert "### Device used for inference\n\nGPU, NUM_STREAMS=2\n" in text
    assert text.count(str(SEGV)) == 1
    bounds = "Found with a tolerance (ULP 2), within which the script compares."
    assert text.endswith(f", with 1 runs. {bounds} Not made smaller: no luck.\n")
    assert title(
        unreduced(NARROWED, Outcome("known", cause="data-narrowed")), "CPU"
    ) == ("[CPU] GatherElements-6 departs from the specification (data-narrowed)")
    assert spec_page(NARROWED).endswith("/movement/gather-elements-6.html")


SCRIPTS = [
    trial(
        "Gather",
        "opset8",
        ("f32", "i64"),
        [[1, 2], [3, 4]],
        [[0], [1]],
        1,
        batch_dims=1,
    ),
    trial("Gather", "opset1", ("u8", "i32"), [[], []], [1], 0, constants=("indices",)),
    trial("Gather", "opset8", ("i32", "i32"), [1, 2], [-1, 0], 0, static=True),
    trial(
        "GatherElements",
        "opset6",
        ("f16", "i32"),
        [[1, 2], [3, 4]],
        [[1, 0]],
        0,
        constants=("data",),
    ),
    trial(
        "GatherND",
        "opset8",
        ("boolean", "i64"),
        [[True, False]],
        [[[0]]],
        None,
        batch_dims=1,
    ),
    trial("GatherND", "opset5", ("f64", "i64"), [[1, 2]], [[0, 1]], None),
]


@pytest.mark.slow
@pytest.mark.parametrize("case", SCRIPTS, ids=str)
def test_the_report_has_the_layer_in_ten_lines_of_python(case: Any) -> None:
    text = page(unreduced(case, Outcome("different")), CrosscheckOptions(), "", "")
    (script,) = re.findall(
        r"```python\n(.+?)```\n\nOr, in the folder of this file:\n", text, re.DOTALL
    )
    assert sum(map(bool, script.splitlines())) <= 10
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True
    )
    assert done.stdout == f"{case.want()}\n", done.stderr


def test_what_python_cannot_say_in_ten_lines_is_left_to_the_folder() -> None:
    reduction = unreduced(SCRIPTS[0], Outcome("different"))
    options = CrosscheckOptions(plugins={"MINE": "mine.so"})
    bf16 = unreduced(
        trial("Gather", "opset8", ("bf16", "i32"), [1, 2], [1]), Outcome("different")
    )
    for each, how in (
        (bf16, CrosscheckOptions()),
        (reduction, options),
        (reduction._replace(runs=3), options),
    ):
        text = page(each, how, "", "")
        assert "```python" not in text
        assert (
            "### Step-by-step reproduction\n\nIn the folder of this file:\n\n```\npip install"
            in text
        )


def test_an_index_out_of_range_has_a_sentence_of_its_own() -> None:
    outside = unreduced(
        trial("Gather", "opset8", ("i32", "i32"), [1, 2], [2, 0], 0),
        Outcome("different"),
    )
    assert "> If index value exceed allowed range" in page(
        outside, CrosscheckOptions(), "", ""
    )
