"""Tools of others: what is installed is typed, by a wheel and by an editable install, and does what it says."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from zipfile import ZipFile

import numpy
import pytest

ROOT = Path(__file__).parents[2]
CLIENTS = [
    Path(__file__).with_name(f"{name}.py")
    for name in (
        "model_tool",
        "exporter_check",
        "shape_service",
        "onnx_pass",
        "graph_surgeon",
        "plugin_harness",
    )
]
DEMO = ROOT / "samples_xml/demo/good.xml"
COPIED = (
    "ovgather",
    "cli",
    "schemas",
    "setup.py",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)


def run(*words: str | Path, where: Path) -> str:
    env = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "MYPYPATH")
    }
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=where,
        env=env,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_mypy_finds_what_is_installed(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    try:
        recent = int(version("setuptools").partition(".")[0]) >= 77
    except PackageNotFoundError:
        recent = False
    if not recent:
        pytest.skip("setuptools is not installed, or too old")
    source = tmp_path / "source"
    source.mkdir()
    for name in COPIED:  # what a build writes stays out of the project
        (source / name).symlink_to(ROOT / name)
    (tmp_path / "wrong.py").write_text(
        "import ovgather\nshape: int = ovgather.infer_shape('Gather', [])\n"
    )
    for command in ("bdist_wheel", "editable_wheel"):
        python = installed(command, source, tmp_path / command)
        # One cache serves all runs for what they have in common: NumPy, mostly.
        mypy = (
            "-m",
            "mypy",
            "--strict",
            "--python-executable",
            python,
            "--cache-dir",
            pytestconfig.cache.mkdir("mypy"),
        )
        # One run for what is right and what is wrong: each run reads the types of NumPy.
        only = r"(?s)\Awrong\.py:2: error: Incompatible types in assignment.*Found 1 error in 1 file \(checked 7 source"
        with pytest.raises(AssertionError, match=only):
            run(*mypy, *CLIENTS, "wrong.py", where=tmp_path)


@pytest.mark.slow
def test_pyright_finds_the_types() -> None:
    pytest.importorskip("pyright", reason="pyright is not installed")
    clients = [*CLIENTS]
    if find_spec("openvino") is not None:
        clients.append(Path(__file__).with_name("folding_pass.py"))
    arguments = ("-m", "pyright", "--pythonpath", sys.executable, *clients)
    assert "0 errors" in run(*arguments, where=ROOT)


def installed(command: str, source: Path, folder: Path) -> Path:
    """The Python of a new environment with the wheel that a command of ``setup.py`` builds."""
    folder.mkdir()
    run("setup.py", "-q", command, "--dist-dir", folder / "dist", where=source)
    [wheel] = (folder / "dist").glob("*.whl")
    run("-m", "venv", "--without-pip", folder / "env", where=folder)
    # Python 3.10 has no scheme "venv".
    scheme = "nt" if os.name == "nt" else "posix_prefix"
    site = Path(sysconfig.get_path("purelib", scheme, {"base": str(folder / "env")}))
    ZipFile(wheel).extractall(site)
    (site / "dependencies.pth").write_text(
        "\n".join({str(Path(numpy.__file__).parents[1])})
    )
    return folder / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def test_the_tool_does_what_it_says() -> None:
    from model_tool import batch_sizes, main, output_of, rows, widest

    import ovgather

    lines = main(DEMO)
    assert any(
        line.startswith("word_embedding: Gather-8(data [10,4] f32, indices [?,6] i64")
        for line in lines
    )
    assert "word_table" in lines
    assert output_of([None, 4], (2, 3), 1) == (-1, 2, 3)
    assert batch_sizes(DEMO, "token_ids", (1, 2)) == {1: "[1,6,4]", 2: "[2,6,4]"}
    assert rows(numpy.eye(2, dtype="f4"), [1]) == [0.0, 1.0]
    assert widest(list(ovgather.PartialShape("2,1..9,3"))) == (1, 9)


def test_an_exporter_checks_what_it_wrote(tmp_path: Path) -> None:
    from exporter_check import check, help_on, main, mended

    severity, lines = check(DEMO.with_name("broken.xml"))
    assert severity == "error"
    assert any("OVG203" in line for line in lines)
    assert lines[-1].startswith("OpenVINO rejects: ")
    assert check(DEMO)[0] != "error"
    data, fixes = mended(str(DEMO.with_name("broken.xml")))
    assert fixes
    assert len(data) > 1000
    assert (
        help_on("OVG203") == "declared output dims that differ from the inferred ones"
    )
    assert main([str(DEMO), str(DEMO.with_name("broken.xml"))]) == 1


def test_a_service_answers_shapes_from_a_pool() -> None:
    from shape_service import Request, answers, of_file, tensors, volume

    import ovgather

    wrong: Request = {"type": "Gather", "shapes": [[3, 4], [2]], "axis": 5}
    right: Request = {
        "type": "Gather",
        "shapes": [["n", 4], ["past + 1", "batch size"]],
        "axis": 0,
    }
    right["shapes"][1][1] = '"batch size"'
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        error, answer = answers([wrong, right], pool)
    assert isinstance(error, ovgather.ShapeInferenceError)
    assert error.kind == "axis_range"
    assert not isinstance(answer, Exception)
    assert answer["shape"] == '[past + 1,"batch size",4]'
    assert (
        of_file(str(DEMO), {"token_ids": ["batch", 6]})["word_embedding"] == "[?,6,4]"
    )
    assert tensors(str(DEMO), {"token_ids": [2, 6]})["embedding"] == (2, 6, 4)
    assert volume(ovgather.PartialShape("2,1..3")) == (4, 12)


def test_a_pass_over_onnx_models() -> None:
    pytest.importorskip("onnx.helper", reason="onnx is not installed")
    from onnx_models import one_node
    from onnx_pass import constant_indices, dims, gathers, guarded

    import ovgather

    model = one_node("GatherElements", [3, 4], [2, 4], [2, 4], axis=0)
    read = ovgather.read(model)
    assert isinstance(read, ovgather.OnnxModel)
    assert gathers(read)["pick"].operation == "GatherElements-13"
    assert constant_indices(model) == {}
    assert dims(model) == {"pick": "[2,4]"}
    assert guarded(model, lambda model: None) == ()


def test_a_surgeon_cuts(tmp_path: Path) -> None:
    from graph_surgeon import ancestors, cut, outline, summary, tuples

    import ovgather

    assert "3 Gather" in outline(DEMO)
    assert [Path(path).name for path in cut(DEMO, "word_embedding", tmp_path)] == [
        "word_embedding.xml",
        "word_embedding.bin",
    ]
    [gather] = ovgather.gather_layers(DEMO, "sorted_tokens")
    assert ancestors(gather.inputs[1].producer)[0] == "order"
    assert tuples(DEMO).inputs
    assert summary(DEMO)[0] == "IR"


@pytest.mark.runtime
def test_a_pass_folds() -> None:
    openvino = pytest.importorskip("openvino", reason="openvino is not installed")
    from folding_pass import guarded, inputs, refusing

    ops = openvino.opset13
    rows = ops.constant(numpy.array([2, 0], "i4"))
    axis = ops.constant(numpy.array(0, "i8"))
    table = ops.constant(numpy.arange(12, dtype="f4").reshape(3, 4))
    x = ops.parameter([3, 4], numpy.float32, name="x")
    lookup = ops.gather(table, rows, axis)
    lookup.set_friendly_name("rows")
    total = ops.matmul(ops.add(x, table), lookup, False, True)
    model = openvino.Model([ops.result(total)], [x], "m")
    assert inputs(model) == {"x": [3, 4]}
    assert refusing(model, 5)
    folded, changes, verdict = guarded(model)
    assert (folded, changes, verdict) == (["rows"], ("rows is gone",), "different")


@pytest.mark.slow
@pytest.mark.runtime
def test_a_plugin_is_tried(tmp_path: Path) -> None:
    pytest.importorskip("openvino", reason="openvino is not installed")
    from plugin_harness import hazards, passes, reproducer, verdicts

    assert set(verdicts(str(DEMO)).values()) <= {"equal", "known"}
    assert reproducer(str(DEMO), "word_embedding", str(tmp_path / "bug")) is None
    passing, total = passes("Gather-8/f32/i64 data?3? indices?? *")
    assert passing == total > 0
    assert "OVG301" in hazards() or hazards()
