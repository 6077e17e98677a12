"""What OpenVINO does with files: read, compile, infer, in a child process that is started anew when it dies."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import forked
import pytest
from verdict_child import STAGES

requires_openvino = pytest.mark.skipif(
    find_spec("openvino") is None, reason="openvino is not installed"
)
_CHILD = str(Path(__file__).with_name("verdict_child.py"))


class Verdict(NamedTuple):
    """How far a file came: ``stage`` is where it was stopped (``""``: nowhere), by an ``error`` or a ``crash``.

    ``error`` is what OpenVINO said, or the name of the signal. ``shapes`` are those of the outputs as read; ``values``
    the first output of a run in which real inputs count from 1 and the others are zeros.
    """

    stage: str
    error: str
    crash: bool
    shapes: tuple[str, ...] = ()
    values: tuple[float, ...] = ()

    @property
    def read(self) -> bool:
        """Whether ``read_model`` took the file."""
        return self.stage != "read"


def verdicts(
    paths: Sequence[str],
    timeout: float = 120,
    python: str = sys.executable,
    last: str = STAGES[-1],
) -> dict[str, Verdict]:
    """The verdict on each file up to the stage ``last``, of the OpenVINO that the interpreter ``python`` has."""
    found: dict[str, Verdict] = {}
    left = list(dict.fromkeys(paths))
    while left:
        first = left[0]
        done = forked.run([python, _CHILD, last, *left], b"", timeout)
        passed: list[str] = []
        made: list[list[Any]] = []
        for line in done.stdout.splitlines():
            path, stage, error, what = json.loads(line)
            if error is None:
                passed.append(stage)
                made.append(what)
            if error is not None or stage == last:
                shapes = made[0] if made else []
                values = what if error is None and stage == "infer" else []
                found[path] = Verdict(
                    stage if error is not None else "",
                    error or "",
                    False,
                    tuple(shapes),
                    tuple(values),
                )
                left.remove(path)
                passed, made = [], []
        if left:
            assert done.returncode, done.stderr[-500:]
        # A file before it may have spoilt the memory of the process: it dies by itself if it is the first.
        if left and left[0] == first:
            found[left.pop(0)] = Verdict(
                STAGES[len(passed)], _signal(done.returncode), True
            )
    return found


def _signal(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"exit code {status}"
