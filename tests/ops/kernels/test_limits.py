"""Large arrays, tables on disk, overlapping outputs, engines: what a small example does not show."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy
import pytest

import ovgather
from ovgather.ops import kernels
from ovgather.ops.kernels import compiled

Array = numpy.ndarray
SCRATCH = 1 << 26
COUNT = 1 << 24
requires_numba = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed"
)
ENGINES = ["numpy", pytest.param("numba", marks=requires_numba)]


def zeros(*shape: int, dtype: str = "i8") -> Array:
    """Takes no memory until it is written to."""
    return numpy.zeros(shape, dtype)


def with_one(
    shape: tuple[int, ...], place: int, value: int, dtype: str = "i8"
) -> Array:
    made = zeros(*shape, dtype=dtype)
    made.reshape(-1)[place] = value
    return made


HALF = COUNT // 2
LARGE: dict[str, Callable[[], tuple[Any, ...]]] = {
    "1-D": lambda: ("gather", zeros(9, dtype="u1"), zeros(COUNT), 0),
    "negative": lambda: ("gather", zeros(9, dtype="u1"), zeros(COUNT) - 1, 0),
    "all outside": lambda: (
        "gather",
        zeros(9, dtype="u1"),
        numpy.full(COUNT, 9, "i4"),
        0,
    ),
    "unsigned": lambda: ("gather", zeros(9, dtype="u1"), zeros(COUNT, dtype="u8"), 0),
    "axis last, many positions": lambda: (
        "gather",
        zeros(2, 9, dtype="u1"),
        zeros(HALF),
        1,
    ),
    "one wide row": lambda: ("gather", zeros(3, COUNT, dtype="u1"), zeros(1), 0),
    "many small batches": lambda: (
        "gather",
        zeros(HALF, 2, dtype="u1"),
        zeros(HALF, 2),
        1,
        1,
    ),
    "many small batches with outer": lambda: (
        "gather",
        zeros(HALF // 2, 2, 2, dtype="u1"),
        zeros(HALF // 2, 2),
        2,
        1,
    ),
    "elements, axis last": lambda: (
        "gather_elements",
        zeros(4096, 4096, dtype="u1"),
        zeros(4096, 4096),
        1,
    ),
    "elements, axis first": lambda: (
        "gather_elements",
        zeros(4096, 4096, dtype="u1"),
        zeros(4096, 4096),
        0,
    ),
    "elements, wide": lambda: (
        "gather_elements",
        zeros(2, HALF, dtype="u1"),
        zeros(2, HALF, dtype="i4"),
        0,
    ),
    "tuples": lambda: ("gather_nd", zeros(4, 4, dtype="u1"), zeros(HALF, 2), 0),
    "foreign byte order": lambda: (
        "gather",
        zeros(9, dtype="u1"),
        zeros(COUNT, dtype=">i8"),
        0,
    ),
    "strided indices": lambda: (
        "gather",
        zeros(9, dtype="u1"),
        zeros(COUNT // 4, 2)[:, 0],
        0,
    ),
    "strided data": lambda: (
        "gather",
        zeros(5, COUNT, dtype="u1")[:, ::4],
        zeros(1),
        0,
    ),
    "strided elements": lambda: (
        "gather_elements",
        zeros(4096, 8192, dtype="u1").T,
        zeros(64, 4096, dtype="i4").T.T,
        0,
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_beside_the_output_there_is_little(name: str) -> None:
    function, data, indices, *more = LARGE[name]()
    shape = getattr(ovgather, function)(data, indices, *more).shape
    out = numpy.empty(shape, data.dtype)
    tracemalloc.start()
    try:
        getattr(ovgather, function)(
            data, indices, *more, out=out, threads=16, engine="numpy"
        )
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < SCRATCH
    assert not out.any()


@pytest.mark.parametrize("dtype", ["i4", "i8"])
def test_an_error_takes_little_memory(dtype: str) -> None:
    indices = with_one((4096, 4096), COUNT - 1, 7, dtype)
    tracemalloc.start()
    try:
        with pytest.raises(
            ovgather.IndexOutOfRangeError,
            match=r"^indices\[4095,4095\] is 7, outside \[-5, 4\]: ",
        ):
            ovgather.gather_elements(
                zeros(5, 4096, dtype="u1"),
                indices,
                0,
                out=zeros(4096, 4096, dtype="u1"),
            )
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < SCRATCH


ON_DISK = """
import os, resource, sys
import numpy
import ovgather
path, size, engine = sys.argv[1], 1 << int(sys.argv[2]), sys.argv[3]
rows = numpy.array([5, size // 4096 - 1, 77, 5, -2])
with open(path, "wb") as file:
    file.truncate(size + 1)
    for row in rows % (size // 4096):
        file.seek(int(row) * 4096 + 1)  # not aligned
        file.write(bytes([int(row) % 251 + 1]) * 4096)
table = numpy.memmap(path, "f4", "r", 1, (size // 4096, 1024))
expected = numpy.repeat((rows % (size // 4096) % 251 + 1).astype("u1"), 4096).reshape(5, 4096)
ovgather.gather(table[:4], rows[:1] % 3, 0, engine=engine)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
places = numpy.broadcast_to(rows[:, None], (5, 1024))
for made in (
    ovgather.gather(table, rows, 0, engine=engine),
    ovgather.gather(table, rows.astype(">i4") if size < 1 << 40 else rows, 0, engine=engine),
    ovgather.gather_elements(table, places, 0, engine=engine),
    ovgather.gather_nd(table, rows[:, None], engine=engine),
):
    assert (made.view("u1") == expected).all()
columns = table.T  # Fortran order
for made in (
    ovgather.gather(columns, rows, 1, engine=engine),
    ovgather.gather_elements(columns, places.T, 1, engine=engine),
    ovgather.gather(table[:, 8:1000:2].T, rows, 1, engine=engine),
):
    want = expected.view("f4").T[8:1000:2] if len(made) < 1024 else expected.view("f4").T
    assert (made.copy().view("u4") == want.copy().view("u4")).all()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no sparse files")
@pytest.mark.parametrize("engine", ENGINES)
def test_of_a_table_larger_than_memory_only_the_rows_are_read(
    tmp_path: Path, engine: str
) -> None:
    path = tmp_path / "table.bin"
    for power in (40, 36, 33):  # 1 TiB, or what the file system can do
        try:
            with path.open("wb") as file:
                file.truncate(1 << power)
            break
        except OSError:
            continue
    else:
        pytest.skip("no sparse files")
    script = [sys.executable, "-c", ON_DISK, str(path), str(power), engine]
    done = subprocess.run(script, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    kibibytes = (
        int(done.stdout) if sys.platform != "darwin" else int(done.stdout) // 1024
    )
    assert kibibytes < 60_000  # numba's own code included


def test_out_that_overlaps() -> None:
    large = zeros(COUNT + 9, dtype="u1")
    data, out = large[:COUNT], large[8:]
    message = r"^out shares memory with data, and above 16 MiB it must not: data \[16777216\], "
    ovgather.gather(data[:-8], zeros(COUNT - 8, dtype="i4"), 0, out=out[: COUNT - 8])
    with pytest.raises(ovgather.InvalidModelError, match=message):
        ovgather.gather(data, zeros(COUNT + 1, dtype="i4"), 0, out=out)
    places = zeros(2, 1 << 21)
    with pytest.raises(
        ovgather.InvalidModelError, match=r"^out shares memory with indices, and above"
    ):
        ovgather.gather_elements(zeros(2, 1 << 21) + 1, places, 0, out=places)
    # Arrays that lie between each other, and share no element.
    mixed = zeros(1 << 22, 2)
    mixed[:, 0] = 3
    ovgather.gather(mixed[:, 0], zeros(1 << 22, dtype="i4"), 0, out=mixed[:, 1])
    assert (mixed[:, 1] == 3).all()


def test_out_of_another_layout() -> None:
    data = numpy.arange(6000.0).reshape(3, 20, 100)
    indices = numpy.array([2, -1, 0])
    for out in (
        numpy.empty((3, 20, 100), order="F"),
        numpy.empty((3, 20, 200))[..., ::2],
        numpy.empty((3, 20, 100))[::-1],
    ):
        assert ovgather.gather(data, indices, 0, out=out) is out
        assert (out == data[indices]).all()


def test_read_only() -> None:
    data, indices, out = numpy.arange(3), numpy.array([2, 0]), numpy.empty(2, int)
    for array in (data, indices, out):
        array.flags.writeable = False
    assert ovgather.gather(data, indices, 0).tolist() == [2, 0]
    with pytest.raises(
        ovgather.InvalidModelError,
        match=r"^out is read-only: data \[3\], indices \[2\], axis 0$",
    ):
        ovgather.gather(data, indices, 0, out=out)


@pytest.mark.parametrize("engine", ENGINES)
def test_rank_32(engine: str) -> None:
    shape = [1] * 32
    shape[3] = shape[17] = shape[30] = 3
    data = numpy.arange(27).reshape(shape)
    taken = ovgather.gather(data, [2, -3], 17, engine=engine)
    assert taken.tolist() == numpy.take(data, [2, 0], 17).tolist()
    indices = numpy.array([[2, 0, -1], [1, 1, -3], [0, 2, 2]]).reshape(
        [*shape[:17], 1, *shape[18:]]
    )
    made = ovgather.gather_elements(data, indices, 17, engine=engine)
    assert made.tolist() == numpy.take_along_axis(data, indices % 3, 17).tolist()
    batched = ovgather.gather(
        data, numpy.zeros(shape[:17], int), 17, batch_dims=17, engine=engine
    )
    assert batched.tolist() == data.take(0, 17).tolist()
    tuples = numpy.array(
        [[0] * 32, [0] * 3 + [2] + [0] * 13 + [-1] + [0] * 12 + [1, 0]]
    )
    assert ovgather.gather_nd(data, tuples, engine=engine).tolist() == [0, 18 + 6 + 1]
    assert ovgather.gather_nd(data, tuples[:, :20], engine=engine).shape == (
        2,
        *shape[20:],
    )


@pytest.mark.parametrize("engine", ["numpie", "", None, "NUMBA"])
def test_engines_that_are_none(engine: Any) -> None:
    with pytest.raises(
        ovgather.InvalidModelError,
        match=r"^engine must be one of auto, numpy, numba, not ",
    ):
        ovgather.gather([1], [0], 0, engine=engine)


def test_numba_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "is_installed", lambda name: False)
    monkeypatch.setattr(compiled, "_ready", set())
    monkeypatch.setattr(compiled, "_WORTH", 0)
    monkeypatch.setattr(compiled, "_LEAST", 1)
    with pytest.raises(
        ovgather.UnavailableError,
        match=r"^numba is not installed: pip install .\.\[fast\]",
    ):
        ovgather.gather([1], [0], 0, engine="numba")
    data = numpy.arange(1000)
    assert (ovgather.gather(data, data[::-1].copy(), 0) == data[::-1]).all()


@requires_numba
def test_numba_does_what_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> bool:
        raise AssertionError("NumPy was used")

    for kernel in (
        kernels.KernelSlices,
        kernels.Elements,
    ):  # index tuples NumPy moves as quickly
        monkeypatch.setattr(kernel, "move", never)
    data = numpy.arange(-5.0, 7.0).reshape(4, 3)
    columns = numpy.array([[2, 0, -1]] * 4)
    assert (
        ovgather.gather(data, [0, 9], 1, engine="numba")
        == numpy.stack([data[:, 0], data[:, 0] * 0], 1)
    ).all()
    assert (
        ovgather.gather_elements(data, columns, 1, engine="numba") == data[:, [2, 0, 2]]
    ).all()
    assert (
        ovgather.gather_elements(data, columns, 0, engine="numba")[1]
        == [data[2, 0], data[0, 1], data[3, 2]]
    ).all()
    assert ovgather.gather_nd(data, [[1, -1], [3, 0]], engine="numba").tolist() == [
        data[1, 2],
        data[3, 0],
    ]
    with pytest.raises(
        ovgather.IndexOutOfRangeError, match=r"^indices\[1,1\] is 3, outside \[-3, 2\]"
    ):
        ovgather.gather_nd(data, [[1, -1], [3, 3]], engine="numba")


@pytest.mark.slow
@requires_numba
@pytest.mark.parametrize(
    ("width", "index_type"), [(1, "i4"), (2, "i8"), (4, "i4"), (8, "i8")]
)  # each is compiled
@pytest.mark.parametrize("count", [3, 70])  # short and long lines
def test_numba_copies_every_bit(width: int, index_type: str, count: int) -> None:
    bits = (
        numpy.random.default_rng(width).integers(0, 256, (5, count, width), "u1") | 0xC0
    )
    data = bits.reshape(5, -1).view(f"u{width}")
    places = numpy.stack(
        [(numpy.arange(count) * step) % count - count for step in range(5)]
    ).astype(index_type)
    along = numpy.take_along_axis(data, places % count, 1)
    across = numpy.array([[3] * count, [0] * count, [-1] * count], index_type)
    tuples = numpy.array([[0, -1], [4, 0], [-2, 1]], index_type)
    for engine in ("numba", "auto", "numpy"):
        assert (ovgather.gather(data, places, 1, 1, engine=engine) == along).all()
        assert (
            ovgather.gather(data, places[0] % count, 1, engine=engine)
            == data[:, places[0] % count]
        ).all()
        assert (ovgather.gather_elements(data, places, 1, engine=engine) == along).all()
        assert (
            ovgather.gather_elements(data, across, 0, engine=engine) == data[[3, 0, 4]]
        ).all()
        assert (
            ovgather.gather_nd(data, tuples, engine=engine)
            == data[[0, 4, 3], [-1, 0, 1]]
        ).all()
        outside = places.copy()
        outside[2, 1] = count
        along[2, 1] = 0
        assert (ovgather.gather(data, outside, 1, 1, engine=engine) == along).all()
        along[2, 1] = data[2, int(places[2, 1])]


@requires_numba
def test_numba_by_itself_where_it_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_ready", set())
    monkeypatch.setattr(compiled, "_moved", {})
    monkeypatch.setattr(compiled, "_WORTH", 100_000)
    data = numpy.arange(40_000.0)
    indices = numpy.arange(40_000)[::-1].copy()
    used = []
    for _ in range(4):
        assert (ovgather.gather_elements(data, indices) == data[::-1]).all()
        used.append(bool(compiled._ready))
    assert used == [False, False, True, True]
    compiled._ready.clear()
    compiled._moved.clear()
    for _ in range(4):  # small ones never
        ovgather.gather_elements(data[:5000], indices[:5000] - 35_000, engine="auto")
    assert not compiled._moved
