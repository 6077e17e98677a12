"""The process that infers shapes: it stays for the next model, and is replaced where it dies."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

import onnx_models as models
import pytest
import stored_tensors as stored
from forked import starting_anew

pytest.importorskip("onnx.helper", reason="onnx is not installed")
shapes = pytest.importorskip("ovgather.onnx_file.shapes")

DYING = """
from ovgather.onnx_file import shapes
infer, count = shapes._inferred, []
def inferred(model):
    count.append(model)
    if {when}:
        {what}
    return infer(model)
shapes._inferred = inferred
shapes._SECONDS = {seconds}
shapes.child()
"""


@pytest.fixture(autouse=True)
def no_process() -> Iterator[None]:
    shapes._end()
    yield
    shapes._end()


def inferred(name: str = "graph") -> Any:
    model = models.nested(told=False)
    model.graph.name = name
    return shapes.infer_shapes(model, {})


def process() -> Any:
    (child,) = shapes._children
    return child.process


def dying(monkeypatch: pytest.MonkeyPatch, when: str, what: str) -> None:
    monkeypatch.setattr(
        shapes, "_START", DYING.format(when=when, what=what, seconds=shapes._SECONDS)
    )


def test_it_stays() -> None:
    first = inferred()
    assert first.problem is None
    before = process().pid
    assert inferred() == first
    assert process().pid == before


def test_one_that_was_killed_between_two_models_is_replaced() -> None:
    first = inferred()
    os.kill(process().pid, signal.SIGKILL)
    assert inferred() == first


def test_a_model_that_makes_a_fresh_process_die(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dying(
        monkeypatch, "model.graph.name == 'bad'", "import os; os.kill(os.getpid(), 11)"
    )
    good = inferred()
    assert good.problem is None
    assert inferred("bad").problem == "onnx's shape inference crashes (signal 11)"
    assert inferred() == good


def test_a_death_that_others_prepared_is_not_held_against_a_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dying(monkeypatch, "len(count) == 3", "import os; os.kill(os.getpid(), 11)")
    assert [inferred().problem for _ in range(8)] == [None] * 8


def test_an_exception_does_not_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    dying(monkeypatch, "model.graph.name == 'bad'", "raise ValueError('so')")
    inferred()
    before = process().pid
    assert inferred("bad").problem == "onnx's shape inference fails: ValueError: so"
    assert process().pid == before


@pytest.mark.slow
def test_a_model_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "_SECONDS", 1)
    dying(monkeypatch, "model.graph.name == 'bad'", "import time; time.sleep(60)")
    assert inferred("bad").problem == "onnx's shape inference takes more than 1 s"
    assert inferred().problem is None


def test_it_is_replaced_after_many_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "_MOST_ANSWERS", 2)
    processes = []
    for _ in range(4):
        inferred()
        processes.append(process().pid)
    assert len(set(processes)) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_forked_process_has_its_own() -> None:
    with starting_anew():
        inferred()
        before = process().pid
        child = os.fork()
        if not child:
            inferred()
            os._exit(process().pid == before)
        assert os.waitpid(child, 0)[1] == 0
        assert inferred().problem is None
        assert process().pid == before


def test_a_small_model_takes_milliseconds() -> None:
    inferred()
    start = time.perf_counter()
    for _ in range(20):
        inferred()
    assert (time.perf_counter() - start) / 20 < 0.1


@pytest.mark.slow
@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux limits the memory of a process"
)
def test_a_dim_that_onnx_makes_a_list_of_ends_at_the_limit_of_memory() -> None:
    answer = shapes.infer_shapes(
        stored.model(stored.tensor([1 << 40], stored.FLOAT, {})), {}
    )
    assert answer.problem is not None
    assert answer.problem.startswith(
        ("onnx's shape inference fails", "onnx's shape inference cr")
    )
    assert inferred().problem is None
