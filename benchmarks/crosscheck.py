"""How many one-layer cases a second does a warm worker of the cross-check serve, and how near is that to the floor?

The floor is what OpenVINO itself takes for the same models and values in one process, with nothing sent and
nothing compared: reading, compiling and inferring. Both are timed by turns, by the clock.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import numpy as np
import openvino

from ovgather.comparison.alone.run import TrialRun
from ovgather.ops import openvino as ops
from ovgather.runtimes import pool
from ovgather.runtimes.adapters.openvino import CONFIG
from ovgather.runtimes.trial import Placement, Trial
from ovgather.tensor.element_type import find


def trials(
    count: int, placement: Placement, kinds: Sequence[str], seed: int = 0
) -> list[Trial]:
    """Layers of GatherElements of rank 3, axis 1, of random shapes and values."""
    rng = np.random.default_rng(seed)
    operation = ops.find("GatherElements", "opset6")
    index = find("i64")
    assert operation is not None
    assert index is not None
    trials = []
    for number in range(count):
        kind = find(kinds[number % len(kinds)])
        assert kind is not None
        shape = rng.integers(1, 9, 3)
        indices = rng.integers(-shape[1], shape[1], (shape[0], 7, shape[2]))
        data = rng.integers(0, 100, shape).astype(kind.dtype)
        trials.append(
            Trial(operation, "opset6", (kind, index), data, indices, 1, 0, placement)
        )
    return trials


def served(cases: Sequence[Trial]) -> tuple[float, int]:
    """Seconds that a worker takes once it is warm, and how many answers were equal."""
    warm = cases[: len(cases) // 10 or 1]
    start = 0.0

    def count(known: int) -> None:
        nonlocal start
        if known == len(warm):
            start = time.perf_counter()

    answers: list[Any] = []
    runs = [TrialRun(each) for each in [*warm, *cases]]
    failure = pool.ask_worker(runs, answers, pool.command(), "CPU", 120.0, count)
    seconds = time.perf_counter() - start
    assert failure is None, failure
    return seconds, sum(
        outcome.verdict == "equal" for (outcome,) in answers[len(warm) :]
    )


def floor(cases: Sequence[Trial]) -> float:
    """Seconds that OpenVINO takes, each distinct model read and compiled once."""
    core = openvino.Core()
    kept: dict[bytes, Any] = {}
    start = 0.0
    for each in [cases[0], *cases]:
        text, weights, _ = each.model()
        if text not in kept or each.placement.constants:
            model = core.read_model(text, openvino.Tensor(np.frombuffer(weights, "u1")))
            kept[text] = core.compile_model(model, "CPU", CONFIG).create_infer_request()
        start = start or time.perf_counter()  # from when it is warm on
        for place, (_, array) in enumerate(each.parameters()):
            kept[text].set_input_tensor(place, openvino.Tensor(array))
        kept[text].infer()
    return time.perf_counter() - start


FORMS: dict[str, Callable[[int], list[Trial]]] = {
    "dynamic, one model": lambda count: trials(count, Placement(), ["f32"]),
    "dynamic, eight models": lambda count: trials(
        count, Placement(), ["f32", "i32", "u8", "i8", "f16", "boolean", "u32", "i16"]
    ),
    "static, each its own": lambda count: trials(
        count // 10, Placement(static=True), ["f32"]
    ),
    "indices constant": lambda count: trials(
        count // 10, Placement(constants=frozenset({"indices"})), ["f32"]
    ),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--cases",
        type=int,
        default=1000,
        help="of the dynamic forms; a tenth of the others",
    )
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print(
        f"{'placement':24} {'cases/s':>8} {'ms each':>8} {'floor ms':>9} {'floor/ours':>10}"
    )
    for name, make in FORMS.items():
        cases = make(arguments.cases)
        ours, least = [], []
        for _ in range(arguments.rounds):
            seconds, equal = served(cases)
            assert equal == len(cases), f"{name}: {equal} of {len(cases)} equal"
            ours.append(seconds / len(cases))
            least.append(floor(cases) / len(cases))
        mine, best = median(ours), median(least)
        print(
            f"{name:24} {1 / mine:8.0f} {mine * 1e3:8.2f} {best * 1e3:9.2f} {best / mine:10.2f}"
        )


if __name__ == "__main__":
    main()
