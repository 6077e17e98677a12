"""The data movement against plain loops, in blocks of every size, in every layout, and in little memory."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ovgather
from ovgather import kernels
from ovgather.errors import IndexOutOfRangeError, InvalidModelError
from ovgather.kernels import blocks, compiled, layout, strided, threads
from ovgather.kernels.bounds import locate

Array = numpy.ndarray
INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
FOREIGN = [">i2", ">i4", ">u8"]
LENGTHS = st.integers(1, 4)
BLOCKS = st.sampled_from([1, 2, 7, 1 << 16])
WORKERS = st.sampled_from([1, 1, 3])
ENGINES = st.sampled_from(["numpy", "numba"] if find_spec("numba") else ["numpy"])
SPECIAL = [0, 1, 3, 127, 128, 200, 40_000, 2**31 - 1, 2**31, 2**31 + 1, 2**33, 2**62]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("size", SPECIAL)
def test_locate_compares_in_full_width(dtype: str, size: int) -> None:
    limits = numpy.iinfo(dtype)
    values = {limits.min, limits.min + 1, limits.max, limits.max - 1, 0, 1, -1, size, size - 1, -size, -size - 1, 2**32}
    legal = sorted(value for value in values if limits.min <= value <= limits.max)
    # All of them, those from the front, and each alone: an answer may depend on what stands beside.
    for some in ([], [value for value in legal if value >= 0], *[[value] for value in legal]):
        chosen = some or legal
        indices = numpy.array(chosen, dtype)
        positions, outside = locate(indices, size)
        assert indices.tolist() == chosen
        inside = [-size <= value < size for value in chosen]
        pairs = zip(chosen, positions.tolist(), inside, strict=True)
        assert all(not ok or value % size == place for value, place, ok in pairs)
        assert (outside is None) == all(inside)
        assert outside is None or outside.tolist() == [place for place, ok in enumerate(inside) if not ok]


@pytest.mark.parametrize("dtype", ["i4", "i8"])
@pytest.mark.parametrize("place", [0, 63, 64, 9999])
def test_locate_finds_one_among_many(dtype: str, place: int) -> None:
    for value, expected in ((-1, 6), (-7, 0), (7, None), (-8, None), (6, 6)):
        indices = numpy.arange(10_000, dtype=dtype) % 7
        indices[place] = value
        positions, outside = locate(indices, 7, numpy.empty(10_000, "i8"))
        assert (outside is None) == (expected is not None)
        assert outside is None or outside.tolist() == [place]
        if expected is not None:
            assert positions[place] == expected
        rest = numpy.arange(10_000) != place
        assert (positions[rest] == numpy.arange(10_000)[rest] % 7).all()


def test_locate_reads_any_strides() -> None:
    indices = numpy.arange(12, dtype="i4").reshape(4, 3)[:, 1]
    positions, outside = locate(indices, 8)
    assert outside is not None
    assert (positions[:3].tolist(), outside.tolist()) == ([1, 4, 7], [3])
    spare = numpy.empty(5, "i8")
    positions, outside = locate(indices - 5, 8, spare)
    assert outside is None
    assert positions.tolist() == [4, 7, 2, 5]
    positions, outside = locate(numpy.array([[0, -9], [-1, 2]], "i2"), 3, spare)
    assert outside is not None
    assert (positions[:, 0].tolist(), outside.tolist()) == ([0, 2], [1])


@pytest.mark.parametrize("dtype", INTEGERS + FOREIGN)
def test_require_inside(dtype: str) -> None:
    indices = numpy.array([[0, 1], [2, 3]], dtype)
    kernels.require_inside(indices, [(0, 3)], "")
    kernels.require_inside(indices, [(-4, 3)], "")
    kernels.require_inside(indices, [(0, 2), (0, 3)], "")
    kernels.require_inside(indices[:0], [(0, -1)], "")
    kernels.require_inside(numpy.zeros((2, 0), dtype), [], "")
    with pytest.raises(IndexOutOfRangeError) as caught:
        kernels.require_inside(indices, [(0, 1)], "axis 0")
    error = caught.value
    assert (error.position, error.value, error.low, error.high, error.count) == ((1, 0), 2, 0, 1, 2)
    with pytest.raises(IndexOutOfRangeError) as caught:
        kernels.require_inside(indices, [(0, 2), (0, 2)], "axis 0")
    error = caught.value
    assert (error.position, error.value, error.low, error.high, error.count) == ((1, 1), 3, 0, 2, 1)


def test_require_inside_of_a_scalar_and_of_an_empty_axis() -> None:
    with pytest.raises(IndexOutOfRangeError, match=r"^indices is 7, outside \[0, 2\]: axis 0$"):
        kernels.require_inside(numpy.array(7), [(0, 2)], "axis 0")
    with pytest.raises(IndexOutOfRangeError, match=r"^indices\[0\] is 0, outside the empty range of an axis"):
        kernels.require_inside(numpy.array([0], "u8"), [(0, -1)], "axis 0")


@pytest.mark.parametrize("ranges", [[(-5, 5)], [(-5, 5), (0, 9), (-1, 0)]])
def test_require_inside_counts_over_blocks(ranges: list[tuple[int, int]]) -> None:
    indices = numpy.zeros((70_000, 3), "i4")
    indices[[11, 50_000, 69_999], 1] = 10
    with pytest.raises(IndexOutOfRangeError) as caught:
        kernels.require_inside(indices[::-1], ranges, "")
    assert (caught.value.position, caught.value.value, caught.value.count) == ((0, 1), 10, 3)


def arrange(array: Array, order: str) -> Array:
    """The same values in another layout."""
    if order == "F":
        return numpy.asfortranarray(array)
    if order == "reversed":
        return numpy.ascontiguousarray(array[::-1])[::-1]
    if order == "gaps":
        wide = numpy.empty((*array.shape[:-1], array.shape[-1] * 2 + 1), array.dtype)
        wide[..., 1::2] = array
        return wide[..., 1::2]
    if order == "unaligned":
        raw = numpy.empty(array.nbytes + 1, "u1")
        moved = raw[1:].view(array.dtype).reshape(array.shape)
        moved[...] = array
        return moved
    if order == "field":
        record = numpy.zeros(array.shape, [("before", "u1"), ("it", array.dtype)])
        record["it"] = array
        return record["it"]
    return array


ORDERS = st.sampled_from(["C", "C", "F", "reversed", "gaps", "unaligned", "field"])


def filled(plan: kernels.Plan, data: Array, indices: Array, options: dict[str, Any]) -> tuple[bool, Array]:
    """What ``move`` makes with small blocks, and with copies or without."""
    out = arrange(numpy.full(plan.shape, -1, data.dtype), options["out"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK", options["block"])
        patch.setattr(strided, "_BLOCK", options["block"])
        patch.setattr(compiled, "_TASK", options["block"])
        patch.setattr(plan, "at_once", plan.at_once and options["block"] > 2)
        if not options["copies"]:
            patch.setattr(layout, "SMALL", -1)
            patch.setattr(kernels, "SMALL", -1)
        before = data.copy(), indices.copy()
        done = kernels.move(plan, data, indices, out, options["workers"], options["engine"])
        assert (before[0] == data).all()
        assert (before[1] == indices).all()
    return done, out


OPTIONS = st.fixed_dictionaries(
    {
        "data": ORDERS,
        "indices": ORDERS,
        "out": ORDERS,
        "block": BLOCKS,
        "workers": WORKERS,
        "copies": st.booleans(),
        "engine": ENGINES,
    }
)
INDEX_TYPES = st.sampled_from(INTEGERS + FOREIGN)


def draw_indices(shape: tuple[int, ...], size: int, seed: int, dtype: str) -> Array:
    generator = numpy.random.default_rng(seed)
    low = 0 if numpy.dtype(dtype).kind == "u" or seed % 4 == 0 else -size
    return generator.integers(low, size + (seed % 3 == 0), shape).astype(dtype)


@settings(max_examples=200, deadline=None)
@given(LENGTHS, LENGTHS, LENGTHS, LENGTHS, LENGTHS, OPTIONS, INDEX_TYPES, st.integers(0, 99), st.booleans())
def test_rows(
    batches: int,
    outer: int,
    size: int,
    inner: int,
    chosen: int,
    options: dict[str, Any],
    dtype: str,
    seed: int,
    zeros: bool,
) -> None:
    data = arrange(
        numpy.arange(1, batches * outer * size * inner + 1).reshape(batches, outer, size, inner), options["data"]
    )
    indices = arrange(draw_indices((batches, chosen), size, seed, dtype), options["indices"])
    kernel = kernels.Rows(batches, outer, size, inner, chosen, zeros)
    shape = (batches, outer, chosen, inner)
    plan = kernels.Plan(shape, shape, kernel, [(0, 0), (1, None), (None, 1), (3, None)], [2], indices.shape, zeros)
    done, out = filled(plan, data, indices, options)
    assert done == (zeros or bool((indices < size).all()))
    for b, o, k, i in itertools.product(*map(range, shape)) if done else ():
        value = int(indices[b, k])
        assert out[b, o, k, i] == (data[b, o, value, i] if value < size else 0)


@settings(max_examples=200, deadline=None)
@given(LENGTHS, LENGTHS, LENGTHS, LENGTHS, OPTIONS, INDEX_TYPES, st.integers(0, 99))
def test_elements(
    outer: int, size: int, inner: int, chosen: int, options: dict[str, Any], dtype: str, seed: int
) -> None:
    data = arrange(numpy.arange(1, outer * size * inner + 1).reshape(outer, size, inner), options["data"])
    indices = arrange(draw_indices((outer, chosen, inner), size, seed, dtype), options["indices"])
    kernel = kernels.Elements(outer, size, chosen, inner)
    plan = kernels.Plan(indices.shape, indices.shape, kernel, [(0, 0), (None, 1), (2, 2)], [1], indices.shape)
    done, out = filled(plan, data, indices, options)
    assert done == bool((indices < size).all())
    for o, k, i in itertools.product(*map(range, out.shape)) if done else ():
        assert out[o, k, i] == data[o, int(indices[o, k, i]), i]


@settings(max_examples=200, deadline=None)
@given(LENGTHS, st.lists(LENGTHS, max_size=3), LENGTHS, LENGTHS, OPTIONS, INDEX_TYPES, st.integers(0, 99))
def test_tuples(
    batches: int, sizes: list[int], inner: int, count: int, options: dict[str, Any], dtype: str, seed: int
) -> None:
    data = arrange(
        numpy.arange(batches * inner * int(numpy.prod(sizes))).reshape(batches, *sizes, inner), options["data"]
    )
    parts = [draw_indices((batches, count), size, seed + place, dtype) for place, size in enumerate(sizes)]
    indices = numpy.stack(parts, axis=-1) if parts else numpy.zeros((batches, count, 0), dtype)
    indices = arrange(indices, options["indices"])
    kernel = kernels.Tuples(batches, sizes, inner, count)
    shape, last = (batches, count, inner), len(sizes) + 1
    plan = kernels.Plan(shape, shape, kernel, [(0, 0), (None, 1), (last, None)], range(1, last), indices.shape)
    done, out = filled(plan, data, indices, options)
    assert done == all(bool((part < size).all()) for part, size in zip(parts, sizes, strict=True))
    for b, n in itertools.product(range(batches), range(count)) if done else ():
        assert (out[b, n] == data[(b, *[int(part[b, n]) for part in parts])]).all()


@settings(max_examples=200, deadline=None)
@given(LENGTHS, LENGTHS, LENGTHS, LENGTHS, st.integers(1, 9))
def test_blocks_cover_everything_once(outer: int, size: int, chosen: int, inner: int, limit: int) -> None:
    pieces = blocks.Blocks(outer, size, chosen, inner, limit)
    positions = numpy.arange(outer * size * inner).reshape(outer, size, inner)
    first = numpy.broadcast_to(positions[:, :1], (outer, chosen, inner)).reshape(-1)
    base = numpy.zeros(limit, "i8") if pieces.base is None else blocks.base_block(*pieces.base, narrow=False)
    end = 0
    for number in range(pieces.count):
        start, stop, origin = pieces.piece(number)
        assert start == end
        assert 0 < stop - start <= limit
        assert (origin + base[: stop - start] == first[start:stop]).all()
        assert (first[start:stop] - origin + (size - 1) * inner).max() < pieces.reach
        end = stop
    assert end == first.size


def test_arithmetic_beyond_32_bits() -> None:
    """Positions of more than 2^31 elements, without the elements."""
    pieces = blocks.Blocks(2, 1 << 20, 4, 1 << 12)
    assert pieces.reach >= 1 << 32
    places = numpy.full(4 << 12, (1 << 20) - 1, "i4")
    assert blocks.Linear(pieces, 1 << 12, places.dtype)(places)[-1] == (1 << 32) - 1
    places = places.astype("i8")
    assert blocks.Linear(pieces, 1 << 12, places.dtype)(places)[0] == ((1 << 20) - 1) << 12


def test_the_first_task_that_fails_ends_the_others() -> None:
    done: list[int] = []

    def make() -> Callable[[int], bool]:
        def work(task: int) -> bool:
            done.append(task)
            return task != 5

        return work

    for workers in (1, 2, 4):
        done.clear()
        assert not threads.each(make, range(1000), workers)
        assert len(done) < 1000
        assert threads.each(make, range(6, 100), workers)
        assert threads.each(make, (), workers)


def test_an_exception_in_a_thread_is_raised() -> None:
    raised = threading.Event()

    def make() -> Callable[[int], bool]:
        def work(task: int) -> bool:
            if threading.current_thread() is threading.main_thread():
                return raised.wait(10)
            raised.set()
            raise MemoryError("no room")

        return work

    with pytest.raises(MemoryError, match="no room"):
        threads.each(make, range(100), 2)
    assert not threads.each(lambda: lambda task: task < 3, range(6), 2)


def _main_and_helper() -> list[str]:
    """The names of the threads that do two tasks, each in a thread of its own."""
    names: list[str] = []
    both = threading.Barrier(2, timeout=10)

    def work(_: int) -> bool:
        names.append(threading.current_thread().name)
        both.wait()
        return True

    assert threads.each(lambda: work, range(2), 2)
    return sorted(names)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity here")
def test_helpers_keep_away_from_the_cpu_of_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = os.sched_getaffinity(0)
    if len(allowed) < 2:
        pytest.skip("one CPU")
    for here in sorted(allowed)[:2]:
        monkeypatch.setattr(threads, "_current_cpu", lambda here=here: lambda: here)
        assert len(_main_and_helper()) == 2
        helpers = [helper.native_id for helper in threads._helpers if helper.native_id]
        assert helpers
        assert all(os.sched_getaffinity(helper) == allowed - {here} for helper in helpers)
    assert os.sched_getaffinity(0) == allowed


def test_a_cpu_that_cannot_be_told_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_current_cpu", lambda: lambda: -1)
    monkeypatch.setattr(threads, "_apart", None)
    assert len(_main_and_helper()) == 2
    assert threads._apart is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_child_of_a_fork_has_helpers_of_its_own() -> None:
    assert "ovgather" in _main_and_helper()
    child = os.fork()
    if not child:
        signal.alarm(30)
        code = 1
        try:
            code = 0 if "ovgather" in _main_and_helper() else 1
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_no_thread_more_is_only_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads, "_helpers", [])
    monkeypatch.setattr(threading.Thread, "start", refuse)
    done: list[int] = []
    assert threads.each(lambda: lambda task: done.append(task) is None, range(10), 3)
    assert done == [*range(10)]


def test_calls_from_many_threads_share_the_workers() -> None:
    data = numpy.arange(200_000, dtype="f4")
    indices = numpy.random.default_rng(1).integers(0, data.size, data.size)
    kernel = kernels.Elements(1, data.size, data.size, 1)
    plan = kernels.Plan(data.shape, data.shape, kernel, [(None, 0)], [0], indices.shape)

    def call(_: int) -> bool:
        out = numpy.empty_like(data)
        return kernels.move(plan, data, indices, out, 4) and bool((out == data[indices]).all())

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(call, range(30)))


@pytest.mark.parametrize("workers", [0, -1, 1.5, "2", True])
def test_threads_that_are_no_number(workers: Any) -> None:
    with pytest.raises(InvalidModelError, match=r"^threads must be a positive number or None, not "):
        threads.count(workers, 1, 1)


def test_as_many_threads_as_pay() -> None:
    assert threads.count(None, 1000, 501) == 1
    assert 1 <= threads.count(None, 1 << 34, 1 << 20) <= min(threads.processors(), threads.MOST)
    assert threads.count(3, 10, 100) == 3
    assert threads.count(1000, 10, 100) == threads.MOST


def test_slices_need_more_bytes_than_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(threads, "count", lambda wanted, work, least: asked.append((work, least)) or 1)
    data, places = numpy.zeros((4, 256), "f4"), numpy.zeros(3000, "i8")
    ovgather.gather(data, places, 0, engine="numpy")
    ovgather.gather(numpy.zeros(4, "f4"), numpy.zeros(768_000, "i8"), 0, engine="numpy")
    assert asked == [(3000 * 1024, kernels._SLICES), (768_000, kernels._ELEMENTS)]
    assert kernels._SLICES > kernels._ELEMENTS * 4
