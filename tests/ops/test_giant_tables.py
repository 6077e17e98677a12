"""Gather from tables far larger than memory: only what the indices name is read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from paths import ROOT

import ovgather
from ovgather.errors import ShapeInferenceError

SPARSE = """
import resource, sys
import numpy as np
import ovgather
rows = 1 << 36
with open(sys.argv[1], "r+b") as file:
    file.truncate(rows * 16)
table = np.memmap(sys.argv[1], dtype="f4", mode="r+", shape=(rows, 4))
table[rows - 2] = 7
indices = np.concatenate([np.arange(2000), [rows - 2, -2, rows]])
ovgather.gather(np.zeros((4, 4), "f4"), [1], 0)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
out = ovgather.gather(table, indices, 0)
elements = ovgather.gather_elements(table, np.full((2, 4), rows - 2), 0)
tuples = ovgather.gather_nd(table, [[rows - 2, 3]])
assert out[-3:].tolist() == [[7] * 4, [7] * 4, [0] * 4], out[-3:]
assert not out[:-3].any()
assert (elements == 7).all()
assert (tuples == 7).all()
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs sparse files")
def test_a_terabyte_in_a_sparse_file(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.touch()
    try:
        with open(path, "r+b") as file:
            file.truncate(1 << 40)
    except OSError:
        pytest.skip("the file system takes no file of a terabyte")
    done = subprocess.run(
        [sys.executable, "-c", SPARSE, str(path)],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    path.unlink()
    assert done.stderr == ""
    assert int(done.stdout) < 100


class Chunked:
    """An array with the interface of zarr that notes what is read."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.shape, self.dtype = array.shape, array.dtype
        self.read: list[Any] = []

    @property
    def oindex(self) -> Chunked:
        return self

    def __getitem__(self, key: tuple[Any, ...]) -> np.ndarray:
        self.read.append(key[-1].tolist())
        result: np.ndarray = self.array[key]
        return result


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_only_the_slices_in_question_are_read(axis: int) -> None:
    array = np.arange(3 * 4 * 5, dtype="f4").reshape(3, 4, 5)
    indices = np.array([[2, -1, 2], [0, 99, -99]], dtype="i4")
    table = Chunked(array)
    assert np.array_equal(
        ovgather.gather(table, indices, axis), ovgather.gather(array, indices, axis)
    )
    assert table.read == [sorted({2, 0, array.shape[axis] - 1})]


def test_nothing_in_range() -> None:
    assert ovgather.gather(Chunked(np.ones((3, 2))), [5, 2**40], 0).tolist() == [
        [0, 0],
        [0, 0],
    ]
    assert ovgather.gather(Chunked(np.ones((3, 2))), np.zeros((0,), "i8"), 0).shape == (
        0,
        2,
    )


def test_arguments_that_do_not_fit_read_nothing() -> None:
    table = Chunked(np.ones((3, 2)))
    with pytest.raises(ShapeInferenceError):
        ovgather.gather(table, [0], 5)
    assert table.read == []


def test_zarr(tmp_path: Path) -> None:
    zarr = pytest.importorskip("zarr")
    array = zarr.open(
        str(tmp_path / "z"), mode="w", shape=(1000, 8), chunks=(10, 8), dtype="f4"
    )
    array[500] = 3
    assert ovgather.gather(array, [[500, -500, 7000]], 0).tolist() == [
        [[3] * 8, [3] * 8, [0] * 8]
    ]


def test_dask() -> None:
    da = pytest.importorskip("dask.array")
    computed: list[int] = []

    def chunk(block_info: Any = None) -> np.ndarray:
        start = block_info[None]["array-location"][0][0]
        computed.append(start)
        return np.full((100, 4), start, dtype="f4")

    table = da.map_blocks(
        chunk, chunks=((100,) * 1000, (4,)), dtype="f4", meta=np.empty((0, 0), "f4")
    )
    out = ovgather.gather(table, [250, 99_999, -1], 0)
    assert out.tolist() == [[200] * 4, [99_900] * 4, [99_900] * 4]
    assert len(computed) <= 3
