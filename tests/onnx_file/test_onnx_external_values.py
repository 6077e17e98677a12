"""Values of ONNX constants in files of their own, and values of any size."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import onnx_models as models
import pytest
from onnx_child import requires_onnx
from stored_tensors import (
    FLOAT,
    judged,
    model,
    tensor,
)

import ovgather
from ovgather.cli.main import run

pytestmark = requires_onnx


def external(folder: Path, dims: list[int], kind: int = FLOAT, **entries: str) -> Path:
    """A file with a Gather of external data."""
    held = tensor(dims, kind, {"data_location": 1})
    for key, text in {"location": "w.bin", **entries}.items():
        held.external_data.add(key=key, value=text)
    path = folder / "m.onnx"
    path.write_bytes(model(held).SerializeToString())
    return path


LONGER = "no length, and the file has"


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"offset": "48"}, None),
        ({"length": "16", "offset": "8"}, None),
        ({"length": "0", "offset": "48"}, None),
        ({}, f"{LONGER} 48 more bytes"),
        ({"length": "0", "offset": "8"}, f"{LONGER} 40 more bytes"),
        ({"length": ""}, "its length is '', which is no number of bytes"),
        ({"length": "20"}, "its length is 20 bytes, but its dims and type need 16"),
        ({"offset": "60"}, "w.bin has 64 bytes, but the tensor ends at 76"),
        (
            {"offset": "9999999999999999999"},
            "w.bin has 64 bytes, but the tensor ends at 10000000000000000015",
        ),
        ({"length": "-16"}, "its length is '-16', which is no number of bytes"),
        ({"offset": "-8"}, "its offset is '-8', which is no number of bytes"),
        ({"offset": "eight"}, "its offset is 'eight', which is no number of bytes"),
        ({"offset": "1e3"}, "its offset is '1e3', which is no number of bytes"),
        ({"location": ""}, "it names no location"),
        ({"location": "."}, ".: a folder, not a file"),
        ({"location": "pipe"}, "pipe: a pipe, not a file"),
        ({"location": "../w.bin"}, "'../w.bin' leads out of the folder of the model"),
        (
            {"location": "a/../../w.bin"},
            "'a/../../w.bin' leads out of the folder of the model",
        ),
        (
            {"location": "/etc/passwd"},
            "'/etc/passwd' is not a path below the folder of the model",
        ),
        (
            {"location": "w\0.bin"},
            "'w\\x00.bin' is not a path below the folder of the model",
        ),
    ],
)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_entries(
    entries: dict[str, str], message: str | None, tmp_path: Path, capfd: Any
) -> None:
    (tmp_path / "w.bin").write_bytes(numpy.arange(16, dtype="f4").tobytes())
    os.mkfifo(tmp_path / "pipe")
    path = external(tmp_path, [4], **entries)
    found = [
        found.message for found in ovgather.validate(path) if found.code == "OVG802"
    ]
    assert found == (
        [] if message is None else [f'external data of tensor "data": {message}']
    )
    numpy.save(tmp_path / "i.npy", numpy.array([3]))
    code = run(
        [
            "run",
            str(path),
            f"indices={tmp_path / 'i.npy'}",
            "-o",
            str(tmp_path / "o.npy"),
            "--color",
            "never",
        ]
    )
    if message is None or LONGER in message:
        assert code == 0
        assert numpy.load(tmp_path / "o.npy").tolist() == [
            3 + int(entries.get("offset", 0)) / 4
        ]
    else:
        assert code == 2
        assert (
            f"the constant 'data' cannot be used: {message}" in capfd.readouterr().err
        )


def test_values_here_and_in_a_file(tmp_path: Path) -> None:
    path = external(tmp_path, [4])
    made = model(tensor([4], FLOAT, {"data_location": 1, "raw_data": bytes(16)}))
    made.graph.initializer[0].external_data.add(key="location", value="w.bin")
    path.write_bytes(made.SerializeToString())
    assert judged(path) == [
        'tensor "data": it holds values itself, and says that a file holds them'
    ]


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
from ovgather.cli.main import run
codes = [run(line.split()) for line in sys.argv[1:]]
# Not ru_maxrss, which begins with that of the process that starts this one.
peak = next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM'))
print(codes, peak)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="no limit of memory")
def test_a_terabyte_beside_the_model(tmp_path: Path) -> None:
    """A tensor far behind in a large file, with room for 3 GiB: only what is used of it is looked at."""
    try:
        with open(tmp_path / "w.bin", "wb") as file:
            file.seek(1 << 39)
            file.write(numpy.arange(8, dtype="f4").tobytes())
            file.truncate(1 << 40)
    except OSError:
        pytest.skip("no sparse files")
    external(tmp_path, [2, 4], offset=str(1 << 39), length="32")
    numpy.save(tmp_path / "i.npy", numpy.array([1]))
    lines = [
        "validate m.onnx", "run m.onnx indices=i.npy -o o.npy", "show m.onnx --layer pick",
        "convert m.onnx -o o.xml", "infer m.onnx",
    ]  # fmt: skip
    script = [sys.executable, "-c", LIMITED, *lines]
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        script,
        capture_output=True,
        text=True,
        timeout=100,
        cwd=tmp_path,
        env=one_thread,
    )
    codes, kibibytes = done.stdout.splitlines()[-1].rsplit(" ", 1)
    assert codes == "[0, 0, 0, 0, 0]", done.stdout + done.stderr
    assert int(kibibytes) < 250_000
    assert numpy.load(tmp_path / "o.npy").tolist() == [[4, 5, 6, 7]]
    # Half a terabyte is one tensor: without a limit only the rows that are taken are read.
    path = external(tmp_path, [1 << 35, 4], offset=str(1 << 39))
    assert [each.code for each in ovgather.validate(path)] == ["OVG852"]
    assert (
        run(
            [
                "run",
                str(path),
                f"indices={tmp_path / 'i.npy'}",
                "-o",
                str(tmp_path / "o.npy"),
            ]
        )
        == 0
    )
    assert numpy.load(tmp_path / "o.npy").tolist() == [[4, 5, 6, 7]]


@pytest.mark.parametrize("dims", [[0, 1 << 62], [1] * 70, [1 << 40, 1 << 40]])
@pytest.mark.parametrize("kind", ["Gather", "GatherElements"])
def test_inputs_that_no_array_is(
    dims: list[int], kind: str, tmp_path: Path, capfd: Any
) -> None:
    indices = dims if kind == "GatherElements" else [2]
    path = tmp_path / "m.onnx"
    path.write_bytes(models.one_node(kind, dims, indices).SerializeToString())
    for verb in (["run"], ["show", "--layer", "pick"]):
        assert run([verb[0], str(path), *verb[1:]]) == 2
        err = capfd.readouterr().err
        assert ", which no array has" in err or ": arrays have 32 at most" in err
    report = ovgather.crosscheck(path)
    assert {record.verdict for record in report.records} <= {"equal", "skipped"}


def test_a_file_that_is_cut_while_it_is_open(tmp_path: Path) -> None:
    """What is mapped would end the process."""
    from ovgather.onnx_file import tensors
    from ovgather.onnx_file.model import read

    path = external(tmp_path, [1 << 18])
    beside = tensors.ExternalFiles(str(path))
    weights = tmp_path / "w.bin"
    weights.write_bytes(bytes(1 << 20))
    [held] = read(str(path)).proto.graph.initializer
    values = tensors.array(held, beside)
    weights.write_bytes(b"abc")
    assert values is not None
    assert values.sum() == 0
    weights.write_bytes(bytes(1 << 20))

    def cut(*part: Any) -> None:
        return None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tensors, "read_part", cut)
        with pytest.raises(tensors.TensorError, match=r"w\.bin was cut meanwhile"):
            tensors.array(held, beside)
        ovgather.validate(path)
