"""Trials to make small, and outcomes of them without a process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
from paths import SHARED

from ovgather.comparison.reduce.search import (
    Reduction,
    Run,
    Signature,
    reduce_trial,
    signature,
)
from ovgather.comparison.verdict.judge import judge
from ovgather.errors import OvgatherError
from ovgather.ops import openvino as ops
from ovgather.ops.sampling.random_layer import LayerChoice, random_layer
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.trial import Placement, Trial
from ovgather.tensor.element_type import find

BROKEN = [sys.executable, str(SHARED / "broken_worker.py")]
"""The command line of a worker with a fault, but for the name of the fault."""


def trial(
    type: str,
    version: str,
    kinds: tuple[str, str],
    data: Any,
    indices: Any,
    axis: int | None = 0,
    **more: Any,
) -> Trial:
    """A trial; ``more`` are ``batch_dims`` and what a Form has."""
    operation, types = ops.find(type, version), [find(kind) for kind in kinds]
    assert operation is not None
    assert types[0] is not None
    assert types[1] is not None
    batch_dims = more.pop("batch_dims", 0)
    arrays = [
        np.asarray(array).astype(kind.dtype)
        for array, kind in zip((data, indices), types, strict=True)
        if kind
    ]
    return Trial(
        operation,
        version,
        (types[0], types[1]),
        *arrays,
        axis,
        batch_dims,
        Placement(**more),
    )


def random_trial(random: Random, choice: LayerChoice) -> Trial:
    """A trial of a random layer."""
    layer = random_layer(random, choice)
    axis = layer.axis if layer.operation.axis_from is not None else None
    kinds = (layer.data_type, layer.index_type)
    placement = Placement(
        random.random() < 0.5, frozenset(random.choice(((), ("data",), ("indices",))))
    )
    return Trial(
        layer.operation,
        layer.opset,
        kinds,
        layer.data,
        layer.indices,
        axis,
        layer.batch_dims,
        placement,
    )


def runs(fault: Callable[[Trial], Any]) -> Callable[[Sequence[Trial]], list[Outcome]]:
    """What a runtime with ``fault`` gives, judged."""
    return lambda trials: [_outcome(each, fault) for each in trials]


def _outcome(trial: Trial, fault: Callable[[Trial], Any]) -> Outcome:
    try:
        got = fault(trial)
    except (OvgatherError, ArithmeticError, IndexError, ValueError) as error:
        return Outcome("error", str(error), cause="error")
    given = Evidence(
        trial.operation,
        trial.data,
        trial.indices,
        trial.axis or 0,
        trial.batch_dims,
        got,
        trial.placement.constants,
    )
    return judge(given, against="broken")


def unwatched(probes: int, smallest: Trial) -> None:
    """Takes the progress of a reduction."""


def reduced(
    trial: Trial, run: Run, probe: Run | None = None, wanted: Signature | None = None
) -> Reduction:
    """The trial made small, as it fails at first."""
    wanted = wanted or signature(run([trial])[0])
    return reduce_trial(
        trial, run, wanted, probe or run, unwatched, lambda between, trials: ()
    )
