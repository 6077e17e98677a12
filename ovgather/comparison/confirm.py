"""Cases put to a runtime, and what differs put to it again: a wrong value may be half a crash, or left to chance."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, islice
from math import inf
from typing import Any, ClassVar, TypeVar

from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.verdict.compare import equal
from ovgather.comparison.verdict.judge import judge
from ovgather.runtimes import pool, wire
from ovgather.runtimes.child import Failure
from ovgather.runtimes.costs import SLOW, Cost, slow, words_of_slow
from ovgather.runtimes.outcome import Evidence, Outcome, with_notes

_SAMPLED = 8
_AGAIN = 3  # further runs of a slow layer: a machine may have been busy
AnyRun = TypeVar("AnyRun", bound="Run")
_Once = Callable[[Sequence["Run"]], list[list[Outcome]]]


class Run(ABC):
    """A dataclass: a run of a lone layer or of a whole model, with an outcome for each of ``layers``."""

    layers: Sequence[Any]
    options: CrosscheckOptions
    against: str
    most_confirmations: ClassVar[float] = inf
    """In how many other processes what differs is run again at most."""
    is_explained = False
    """Whether another run of the model has shown a layer at fault where this one fails."""

    @abstractmethod
    def request(self) -> wire.Frame:
        """See ``pool.Case``."""

    @abstractmethod
    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        """The outcome of every layer, from the frame that came back."""

    def noted(self, outcome: Outcome) -> Outcome:
        """An outcome with notes on how the layer was run."""
        return outcome

    def judged(self, evidence: Evidence, version: str) -> Outcome:
        """The outcome of a layer in a ``version`` of the runtime, with no cause yet; see ``judge``."""
        how: dict[str, Any] = {
            "against": self.against,
            "tolerance": self.options.tolerance,
        }
        return judge(
            evidence, self.options.device, version=version, search=False, **how
        )

    def failed(self, failure: Failure) -> list[Outcome]:
        return [self.noted(failure.outcome)] * len(self.layers)

    def in_runtime(self: AnyRun, name: str) -> AnyRun:
        return replace(self, against=name)  # type: ignore[type-var]

    def again(self) -> "Sequence[Run]":
        """What to run when it runs again, itself at the end: before it the same on other data, where other data fit."""
        return [self]


def ask(
    cases: Sequence[Run], progress: Callable[[int], None] = lambda known: None
) -> list[list[Outcome]]:
    """The outcomes of each case, all of one runtime and with the same options; what differs is run again."""
    if not cases:
        return []
    options = cases[0].options
    against = cases[0].against
    start = options.command(against)
    device = options.device_of(against)

    def once(
        some: Sequence[Run], progress: Callable[[int], None] = lambda known: None
    ) -> list[list[Outcome]]:
        answers = pool.run(
            some, timeout=options.timeout, device=device, start=start, progress=progress
        )
        return [
            _outcomes(case, answer) for case, answer in zip(some, answers, strict=True)
        ]

    outcomes: list[list[Outcome]] = []
    try:
        outcomes += once(cases, progress)
        for number in range(options.confirmations):
            some = [
                at for at, case in enumerate(cases) if number < case.most_confirmations
            ]
            some = [
                at
                for at in some
                if any(outcome.verdict == "different" for outcome in outcomes[at])
            ]
            # What is the same in another process is looked at again by samples.
            sample = some
            if number:
                sample = some[:: max(1, len(some) // _SAMPLED)]
            if _confirm(cases, outcomes, sample, once) and number:
                _confirm(cases, outcomes, [at for at in some if at not in sample], once)
        for at in _slow(cases, outcomes):
            again = (once([cases[at]])[0][0].seconds for _ in range(_AGAIN))
            fastest = min(outcomes[at][0].seconds, *again)
            outcomes[at] = [outcomes[at][0]._replace(seconds=fastest)]
            if at in _slow(cases, outcomes):
                costs = [_cost(each) for (each,) in outcomes]
                words = words_of_slow(costs[at], costs, at)
                slow_one = Outcome("error", words, cause=SLOW, seconds=fastest)
                outcomes[at] = [cases[at].noted(slow_one)]
    except pool.Interrupted as stop:
        first = {at: _outcomes(cases[at], answer) for at, answer in stop.known.items()}
        raise pool.Interrupted(
            dict(enumerate(outcomes)) if outcomes else first
        ) from None
    return outcomes


def _slow(cases: Sequence[Run], outcomes: Sequence[list[Outcome]]) -> list[int]:
    """Lone layers that are right, and a hundred times slower than the others."""
    if any(len(each) != 1 for each in outcomes):
        return []
    numbers = slow([_cost(each) for (each,) in outcomes])
    return [at for at in numbers if outcomes[at][0].verdict == "equal"]


def _cost(outcome: Outcome) -> Cost:
    return Cost(outcome.seconds, 0, outcome.elements)


def _outcomes(case: Run, answer: list[Outcome] | Failure) -> list[Outcome]:
    if isinstance(answer, Failure):
        return case.failed(answer)
    return answer


def _confirm(
    cases: Sequence[Run],
    outcomes: list[list[Outcome]],
    some: Sequence[int],
    once: _Once,
) -> bool:
    """Run ``some`` again, and put what comes of it into ``outcomes``; whether something else came."""
    runs = {at: cases[at].again() for at in some}
    answers = iter(once(list(chain.from_iterable(runs.values()))))
    changed = False
    for at, again in runs.items():
        *_, last = islice(answers, len(again))
        before, outcomes[at] = outcomes[at], list(map(confirmed, outcomes[at], last))
        changed |= any(
            was is not now for was, now in zip(before, outcomes[at], strict=True)
        )
    return changed


def confirmed(first: Outcome, again: Outcome) -> Outcome:
    """The outcome of a layer that ran twice: a difference that is not the same each time is no plain one."""
    if first.verdict != "different" or first.cause == "unsteady":
        return first
    plain = [
        each._replace(cause="", evidence=None, kernel=None, seconds=0)
        for each in (first, again)
    ]
    arrays = [each.evidence.got for each in (first, again) if each.evidence is not None]
    if plain[0] == plain[1] and (len(arrays) < 2 or equal(*arrays)):
        return first
    if again.verdict in ("crash", "timeout"):
        return with_notes(again, "another run ended with wrong values")
    cause = first.cause or "unsteady"
    return with_notes(first._replace(cause=cause), "another run gave other values")
