"""Cases put to a runtime, and what differs put to it again: a wrong value may be half a crash, or left to chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Protocol

from ovgather.runtimes import pool
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.request import with_notes
from ovgather.tensor.arrays import bits

CONFIRMATIONS = 3
_UNSTEADY = "another run gave other values"


class Confirmable(pool.Case[list[Outcome]], Protocol):
    """A case with outcomes, even when no answer comes."""

    def failed(self, failure: pool.Failure) -> list[Outcome]:
        """The outcomes when there is no answer."""

    def warm_up(self) -> Confirmable:
        """What to run before it when it runs again: the same on other data."""


def ask(
    cases: Sequence[Confirmable],
    *,
    runtime: str = "openvino",
    device: str,
    timeout: float,
    start: Sequence[str] | None = None,
    confirmations: int = CONFIRMATIONS,
    progress: Callable[[int], None] | None = None,
) -> list[list[Outcome]]:
    """The outcomes of each case; what differs is run again, after its warm-up.

    Raises:
        UnavailableError: the runtime is not installed, or has no such device.
        Interrupted: with the outcomes known so far.
    """
    start = start or pool.command(runtime)

    def once(some: Sequence[Confirmable], progress: Callable[[int], None] | None = None) -> list[list[Outcome]]:
        answers = pool.run(some, timeout=timeout, device=device, start=start, progress=progress) if some else []
        return [_outcomes(case, answer) for case, answer in zip(some, answers, strict=True)]

    try:
        found = once(cases, progress)
    except pool.Interrupted as stop:
        raise pool.Interrupted({at: _outcomes(cases[at], answer) for at, answer in stop.known.items()}) from None
    try:
        _confirm(cases, found, once, confirmations)
    except pool.Interrupted:
        raise pool.Interrupted(dict(enumerate(found))) from None
    return found


def _outcomes(case: Confirmable, answer: list[Outcome] | pool.Failure) -> list[Outcome]:
    return case.failed(answer) if isinstance(answer, pool.Failure) else answer


def _confirm(
    cases: Sequence[Confirmable],
    found: list[list[Outcome]],
    once: Callable[[Sequence[Confirmable]], list[list[Outcome]]],
    confirmations: int,
) -> None:
    """Settle in ``found`` what differs."""
    for _ in range(confirmations):
        doubtful = [index for index, outcomes in enumerate(found) if _differs(outcomes)]
        pairs = chain.from_iterable((cases[index].warm_up(), cases[index]) for index in doubtful)
        again = once(list(pairs))[1::2]
        for index, outcomes in zip(doubtful, again, strict=True):
            found[index] = list(map(confirmed, found[index], outcomes))


def _differs(outcomes: list[Outcome]) -> bool:
    return any(outcome.verdict == "different" for outcome in outcomes)


def confirmed(first: Outcome, again: Outcome) -> Outcome:
    """The outcome of a layer that ran twice: a difference that is not the same each time is no plain one."""
    if first.verdict != "different" or first.cause == "unsteady" or _same(first, again):
        return first
    if again.verdict in ("crash", "timeout"):
        return with_notes(again, "another run ended with wrong values")
    return with_notes(first._replace(cause="unsteady"), _UNSTEADY)


def _same(first: Outcome, again: Outcome) -> bool:
    if first[:5] != again[:5]:
        return False
    if first.evidence is None or again.evidence is None:
        return True
    got, other = bits(first.evidence.got), bits(again.evidence.got)
    return bool(got.shape == other.shape and (got == other).all())
