"""What explains a difference: models of how a runtime goes wrong, each run through the reference. A model explains a
layer when it gives every bit of every run that differs, and changes no bit of a run that is right. It is named only if
no other one does as well, and if enough elements are wrong to tell; two faults at once are tried when no single one
fits."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice, product

import numpy

from ovgather.comparison.verdict import faults_data, faults_places
from ovgather.comparison.verdict.compare import (
    Fault,
    What,
    equal,
    positions,
    wrong_marks,
)
from ovgather.comparison.verdict.faults_places import turns
from ovgather.comparison.verdict.mined import FaultOutput, MinedRule, rules
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import bits

_Whats = tuple[What, ...]
UNEXPLAINED = "unexplained"
UNDETERMINED = "undetermined"
PATTERN = "pattern"
ZEROS = "zeros"
WITHHELD = (UNEXPLAINED, UNDETERMINED, PATTERN, ZEROS)
"""No cause: nothing fits, too much fits, or there are only words for where elements are wrong, or what comes out."""
FACTS = ("other-shape", "other-type")
"""What is plain to see in a single element."""
_MOST_NAMED = 2
_PLACES = 3
_PAIRED = 1 << 16  # elements up to which pairs of faults are tried
_ENOUGH = 3  # different elements that are wrong


def find_cause(*failing: Evidence, healthy: Sequence[Evidence] = ()) -> tuple[str, str]:
    """The cause of runs that differ, as a stable word and in words; ``healthy`` are runs of the layer that are right.

    ``unexplained`` where no model fits, ``undetermined`` where the runs do not tell models apart.
    """
    runs = sorted(
        (run for run in failing if run.want is not None),
        key=lambda run: run.data.size + run.got.size,
    )
    if not runs:
        return UNEXPLAINED, ""
    for run in failing:
        if run.want is not None and run.got.dtype != run.want.dtype:
            return (
                "other-type",
                f"the output has elements of type {run.got.dtype.name}, not {run.want.dtype.name}",
            )
    models = _models(runs, healthy)
    mined: list[MinedRule] = []
    if not models:
        mined = rules(runs, healthy, _outputs(runs, healthy))
        output = _of_outputs(runs, healthy)
        wrong = sum(wrong_marks(run).sum() for run in runs)
        if output is not None and (output[0] in FACTS or wrong >= _ENOUGH):
            return output
        if not any(rule.key for rule in mined) and output is None:
            models = _models(runs, healthy, paired=True)
    if mined and not models:
        return _of_rules(mined, runs[-1])
    # What happens at the ends of an axis, or beyond the range of a type, tells no models apart.
    by_name = {model.name: model.words for model in reversed(models)}
    words = "; or ".join(by_name.values())
    if len({model.key for model in models}) > 1:
        return UNDETERMINED, f"several models explain it: {words}; {_places(runs[-1])}"
    if not models:
        return UNEXPLAINED, f"nothing known explains it: {_places(runs[-1])}"
    weights = accumulate(_weight(models[0].whats, run) for run in reversed(runs))
    if all(weight < _ENOUGH for weight in weights):
        return (
            UNDETERMINED,
            f"too few different elements are wrong to name a cause; {_places(runs[-1])}",
        )
    return models[0].key, words


def _models(
    runs: Sequence[Evidence], healthy: Sequence[Evidence], paired: bool = False
) -> list[Fault]:
    """The models that explain every run and that no healthy run refutes, the simplest first."""
    if paired:  # the largest run first: small ones fit many pairs
        tried = [
            run for run in reversed(runs) if run.data.size + run.got.size <= _PAIRED
        ]
        if not tried:
            return []
        runs = [*tried, *runs[len(tried) :]]
    first, *others = runs
    fitting = [
        fault
        for fault in (_pairs if paired else _singles)(first)
        if _explains(fault, first)
    ]
    checks = [(run, _explains, True) for run in others] + [
        (run, _changes, False) for run in healthy
    ]
    for run, holds, wanted in checks:
        if fitting:
            models = _same_in(run, fitting)
        else:
            models = {}
        fitting = [
            each
            for each in fitting
            if any(holds(same, run) for same in models.get(each.whats, ())) == wanted
        ]
    return fitting


def _same_in(run: Evidence, faults: Sequence[Fault]) -> dict[_Whats, list[Fault]]:
    """The models of ``run`` that are the same as ``faults``; of a pair one half may be all that shows."""
    wholes: dict[_Whats, set[_Whats]] = {}
    for fault in faults:
        for some in (fault.whats, *((what,) for what in fault.whats)):
            wholes.setdefault(some, set()).add(fault.whats)
    models: dict[_Whats, list[Fault]] = {}
    paired = any(len(fault.whats) > 1 for fault in faults)
    for fault in chain(_singles(run), _pairs(run) if paired else ()):
        for whole in wholes.get(fault.whats, ()):
            models.setdefault(whole, []).append(fault)
    return models


def _singles(run: Evidence) -> Iterator[Fault]:
    kinds = (
        faults_places.of_indices,
        faults_places.of_batches,
        faults_places.of_dims,
        faults_data.faults,
    )
    return chain.from_iterable(faults(run) for faults in kinds)


def _pairs(run: Evidence) -> Iterator[Fault]:
    """Two faults at once: of the indices or of the structure, and of the data; of the structure, and of the indices; of
    the data alone."""
    yield from faults_data.rounded_and_flushed(run)
    structure = list(faults_places.of_dims(run))
    for first, second in product(
        [*faults_places.of_indices(run), *structure], list(faults_data.faults(run))
    ):
        seen = first.seen._replace(data=second.seen.data)
        yield Fault(
            f"{first.key}+{second.key}",
            first.whats + second.whats,
            seen,
            first.zeros,
        )
    for first in structure:
        for second in faults_places.of_indices(first.seen):
            yield second._replace(
                key=f"{first.key}+{second.key}", whats=first.whats + second.whats
            )


def _explains(fault: Fault, run: Evidence) -> bool:
    output = fault.output()
    got = run.got
    want = run.want
    if output is None or not equal(got, output, fault.foreign):
        return False
    # What lies outside the data can be anything: something inside must show the fault, too.
    return fault.foreign is None or (
        want is not None and not equal(got, want, fault.foreign)
    )


def _changes(fault: Fault, run: Evidence) -> bool:
    output = fault.output()
    return output is not None and not equal(run.got, output, fault.foreign)


def _weight(whats: _Whats, run: Evidence) -> int:
    """How many elements of ``run`` speak for a model: different values, of more than one index if it changes these."""
    fault = next(
        (each for each in chain(_singles(run), _pairs(run)) if each.whats == whats),
        None,
    )
    marks = wrong_marks(run)
    if fault is None or not marks.any():
        return 0
    assert run.want is not None
    got = bits(run.got)[marks]
    want = bits(run.want)[marks]
    if fault.key in faults_data.SINGLE_VALUES:
        return int(marks.sum())
    seen = fault.seen
    changed = fault.zeros
    if seen.operation is run.operation and seen.indices.shape == run.indices.shape:
        before, after = (
            numpy.where(each < 0, each + run.sizes, each)
            for each in (run.indices, seen.indices)
        )
        moved = before != after
        changed = moved if changed is None else moved | changed
    if (
        changed is not None
        and changed.any()
        and len(numpy.unique(run.indices[changed])) < 2
    ):
        return 0
    return len(set(zip(got.tolist(), want.tolist(), strict=True)))


def _places(run: Evidence) -> str:
    got = run.got
    want = run.want
    if want is None or got.shape != want.shape:
        return ""
    first = islice(positions(got, want, wrong_marks(run)), _PLACES)
    return "; ".join(
        f"[{','.join(map(str, at))}] got {came}, want {due}" for at, came, due in first
    )


def _of_rules(mined: Sequence[MinedRule], run: Evidence) -> tuple[str, str]:
    """The cause and words of rules that explain as much."""
    plainest = mined[0]
    keys = {rule.key for rule in mined}
    if not plainest.facts and len(keys) > 1:
        words = "; or ".join(rule.what for rule in mined[:_MOST_NAMED])
        return UNDETERMINED, f"several models explain it: {words}; {_places(run)}"
    places = [rule.where for rule in mined if rule.what == plainest.what]
    words = plainest.what or "elements are wrong"
    if plainest.facts:
        words = f"{words}, only at: {', or '.join(places[:_MOST_NAMED])}"
    if not plainest.key:
        return PATTERN, f"{words}; {_places(run)}"
    return plainest.key, words


def _outputs(
    failing: Sequence[Evidence], healthy: Sequence[Evidence]
) -> dict[str, list[FaultOutput]]:
    """By words of each fault that shows on all that fail, its output on each run."""
    runs = [each for each in (*failing, *healthy) if each.want is not None]
    is_small = sum(run.data.size + run.got.size for run in runs) <= _PAIRED
    by_run = []
    for run in runs:
        outputs: dict[str, FaultOutput] = {}
        if not run.got.dtype.hasobject:
            zeros = numpy.zeros_like(run.expected())
            outputs["zeros come out"] = FaultOutput(ZEROS, zeros)
        faults: Iterable[Fault] = ()
        if is_small:
            faults = chain(faults_places.other_indices(run), _singles(run))
        for fault in faults:
            if (output := fault.output()) is not None:
                some = () if fault.foreign is None else (fault.foreign,)
                outputs.setdefault(fault.words, FaultOutput(fault.key, output, *some))
        by_run.append(outputs)
    shared = [
        words
        for words in by_run[0]
        if all(words in each for each in by_run[: len(failing)])
    ]
    return {
        words: [
            each.get(words) or FaultOutput(by_run[0][words].key, run.expected())
            for run, each in zip(runs, by_run, strict=True)
        ]
        for words in shared
    }


def _of_outputs(
    runs: Sequence[Evidence], healthy: Sequence[Evidence]
) -> tuple[str, str] | None:
    """What all outputs have in common, as key and words, and no healthy run refutes; None where that is nothing."""
    shapes = [
        (list(run.got.shape), list(run.want.shape))
        for run in runs
        if run.want is not None
    ]
    others = [(got, want) for got, want in shapes if got != want]
    if others:
        got, want = others[-1]
        if len(others) == len(runs):
            return ("other-shape", f"the output has shape {got}, not {want}")
        return None
    for key, words, moved in (
        (
            "transposed",
            "the dims of the output come in another order",
            lambda array: [*dict(turns(array)).values()],
        ),
        (
            "reversed",
            "the output comes in reverse order",
            lambda array: [numpy.flip(array)],
        ),
    ):
        shows = all(
            any(equal(run.got, each) for each in moved(run.expected())) for run in runs
        )
        # A healthy output that would be another one with this fault refutes it.
        if shows and all(
            any(equal(run.got, each) for each in moved(run.got) or [run.got])
            for run in healthy
        ):
            return key, words
    return None
