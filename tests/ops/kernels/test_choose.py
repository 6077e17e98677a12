"""Which method moves the elements: one call for each line of the decision."""

from __future__ import annotations

from importlib.util import find_spec
from unittest.mock import MagicMock

import numpy
import pytest

from ovgather.ops import kernels
from ovgather.ops import openvino as ops
from ovgather.ops.kernels import bounds, choose, compiled

Array = numpy.ndarray
requires_numba = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed"
)


def methods_of(data: Array, indices: Array) -> kernels.Methods:
    operation = ops.find("GatherElements", "opset6")
    assert operation is not None
    plan = operation.plan(indices.shape, data.shape, indices.shape, 0, 0)
    return kernels.Methods(plan, data.dtype, indices.dtype)


def chosen(
    data: Array, indices: Array, out: Array | None = None, engine: str = "auto"
) -> object:
    methods = methods_of(data, indices)
    if methods.small is None or engine == "numba":
        return choose.choose_method(methods, data, indices, out, engine)
    with (
        pytest.MonkeyPatch.context() as patch
    ):  # the first method that is asked, and no other
        small, other = MagicMock(), MagicMock()
        patch.setattr(choose, "choose_method", other)
        methods.small, own = small, methods.small
        kernels.move(methods, data, indices, out, engine=engine)
    return (
        own
        if small.called
        else choose.choose_method(methods, data, indices, out, engine)
    )


def name_of(method: object) -> str:
    return getattr(method, "__name__", type(method).__name__)


SMALL, MEDIUM, LARGE = (numpy.arange(count) for count in (9, 20_000, 40_000))


def test_small_outputs() -> None:
    assert name_of(chosen(SMALL, SMALL)) == "SmallTable"
    assert name_of(chosen(SMALL, SMALL, engine="numpy")) == "SmallTable"
    # NumPy would narrow them.
    assert chosen(SMALL, SMALL.astype("u8")) is choose.in_blocks
    data = numpy.arange(18)[::2]
    assert chosen(data, SMALL) is choose.in_blocks


def test_an_index_outside_is_left_to_another_method() -> None:
    methods = methods_of(SMALL, SMALL)
    assert methods.small is not None
    assert methods.small(methods.plan, SMALL, SMALL + 1, None, None) is None
    assert (
        choose.choose_method(methods, SMALL, SMALL, None, "numpy") is choose.in_blocks
    )


def test_nothing_to_move() -> None:
    assert chosen(SMALL, SMALL[:0]) is choose.without_data
    data = numpy.zeros(0)
    assert (
        choose.choose_method(methods_of(data, SMALL), data, SMALL, None, "auto")
        is choose.without_data
    )


def test_by_size_and_type() -> None:
    assert chosen(MEDIUM, MEDIUM, engine="numpy") is choose.in_blocks
    assert chosen(LARGE, LARGE, engine="numpy") is choose.in_blocks
    assert chosen(MEDIUM, MEDIUM.astype("u4"), engine="numpy") is choose.in_blocks


def test_by_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    # Other tests of this process may have made the compiler worth it.
    monkeypatch.setattr(compiled, "_ready", set())
    monkeypatch.setattr(compiled, "_moved", {})
    data = numpy.arange(80_000)[::2]
    assert chosen(data, LARGE, engine="numpy") is choose.in_blocks
    monkeypatch.setattr(bounds, "SMALL", 1)
    assert chosen(data, LARGE, engine="numpy") is choose.strided
    assert chosen(LARGE, LARGE, data) is choose.strided
    assert chosen(LARGE, data // 2) is choose.in_blocks
    assert chosen(data.astype(object)[::1], LARGE) is choose.in_blocks


@requires_numba
def test_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_ready", set())
    monkeypatch.setattr(compiled, "_moved", {})
    assert chosen(LARGE, LARGE) is choose.in_blocks  # not yet worth the compiler
    assert name_of(chosen(SMALL, SMALL, engine="numba")) == "Loop"
    assert name_of(chosen(LARGE, LARGE, engine="numba")) == "Loop"
    assert chosen(LARGE, LARGE.astype("i2"), engine="numba") is choose.in_blocks
    assert chosen(LARGE.astype("c16"), LARGE, engine="numba") is choose.in_blocks
    monkeypatch.setattr(compiled, "_WORTH", 0)
    assert name_of(chosen(LARGE, LARGE)) == "Loop"
    # NumPy is as quick.
    assert name_of(chosen(MEDIUM[:5000], MEDIUM[:5000])) == "in_blocks"
    assert chosen(LARGE, LARGE, engine="numpy") is choose.in_blocks
