"""Runs cases in worker processes that may die, and believes an answer only when its worker ended well.

A worker serves many cases, since starting one costs more than a small case. When it dies or hangs, the case at hand may
be innocent (an earlier one may have damaged the heap), and earlier answers may be wrong: all are withdrawn and run
again, the case at hand alone. When a worker dies only at its end, its group is halved until the culprit is alone. Where
no case fails alone, a runtime that died nevertheless is a failure of the cases at hand.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from ovgather import processes as children
from ovgather.runtimes import wire
from ovgather.runtimes.child import AT_END, KILLED, Failure, started

Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)

# How many cases one worker serves, at first, at most and at least: what a late death makes us run again.
_GROUP = 256
_LARGEST = 2048
_SMALLEST = 16
_NONE: Mapping[str, str] = {}
_PATIENCE = 5.0  # seconds that a worker may take to end after an interrupt, or when another has hung there
_HANGS = 8  # at the end of a worker, after which a group fails as a whole: each takes so long


class WorkerCase(Protocol[Answer_co]):
    """One question to the worker, and what to make of its answer."""

    def request(self) -> wire.Frame:
        """The frame to send."""

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> Answer_co:
        """What the frame that came back means; must not keep the case's worker waiting for long."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; ``known`` are the valid answers so far, by position."""

    def __init__(self, known: Mapping[int, Any]) -> None:
        super().__init__()
        self.known = known


def command(
    runtime: str = "openvino",
    config: Mapping[str, str] = _NONE,
    plugins: Mapping[str, str] = _NONE,
) -> list[str]:
    """The command line that starts a worker with that runtime; ``package:Class`` may be in the current folder.

    OpenVINO compiles with ``config``, and loads ``plugins``, libraries by the names of their devices.
    """
    settings = json.dumps([dict(config), dict(plugins)])
    line = children.command(
        "from ovgather.runtimes.worker import main; main(*sys.argv[1:3])",
        runtime,
        settings,
    )
    if ":" in runtime:
        return [*line, os.getcwd()]
    return line


def run(
    cases: Sequence[WorkerCase[Answer]],
    *,
    timeout: float,
    device: str,
    start: Sequence[str] | None = None,
    progress: Callable[[int], None] = lambda known: None,
) -> list[Answer | Failure]:
    """The answer to each case, in order, or a ``Failure``; ``progress`` gets the number of cases with an answer."""
    outcomes: dict[int, Answer | Failure] = {}
    deaths: dict[int, Failure] = {}
    waiting = [range(len(cases))]
    size = _GROUP
    hangs = 0
    while waiting:
        group = waiting.pop()
        if len(group) > size:
            waiting.append(group[size:])
            group = group[:size]
        members = [cases[index] for index in group]
        answers: list[Answer] = []
        try:
            how = (
                start or command(),
                device,
                timeout,
                lambda known: progress(len(outcomes) + known),
            )
            failure = None
            if members:
                failure = ask_worker(
                    members, answers, *how, _PATIENCE if hangs else None
                )
        except KeyboardInterrupt:
            raise Interrupted(
                {**outcomes, **dict(zip(group, answers, strict=False))}
            ) from None
        if failure is None:
            size = min(_LARGEST, 2 * size)
        else:
            size = max(_SMALLEST, size // 2)
        hangs += failure is not None and failure.cause == AT_END
        if failure is None:
            outcomes.update(zip(group, answers, strict=True))
        elif len(group) == 1 or not answers:
            outcomes[group[0]] = failure
            waiting.append(group[1:])
        elif len(answers) < len(group):
            at = len(answers)
            deaths[group[at]] = failure
            waiting += [group[at + 1 :], group[at : at + 1], group[:at]]
        elif hangs > _HANGS:
            outcomes.update(dict.fromkeys(group, failure))
        else:
            half = len(group) // 2
            waiting += [group[half:], group[:half]]
    if not any(isinstance(answer, Failure) for answer in outcomes.values()):
        note = "only after other runs in the same process, not alone"
        own = {at: death for at, death in deaths.items() if death.cause not in KILLED}
        outcomes.update(
            {
                at: death._replace(reason=f"{death.reason}; {note}")
                for at, death in own.items()
            }
        )
    return [outcomes[index] for index in range(len(cases))]


def ask_worker(
    cases: Sequence[WorkerCase[Answer]],
    answers: list[Answer],
    start: Sequence[str],
    device: str,
    timeout: float,
    count: Callable[[int], None],
    patience: float | None = None,
) -> Failure | None:
    """Ask one worker all and append its ``answers``; its failure at the case after the last answer or at the end."""
    with started(start, device) as worker:
        try:
            for case in cases:
                reply = worker.ask(*case.request(), timeout)
                if isinstance(reply, Failure):
                    return reply
                answers.append(case.answered(*reply))
                count(len(answers))
            return worker.end(patience)
        except KeyboardInterrupt:
            if worker.end(_PATIENCE) is not None:
                answers.clear()
            raise
