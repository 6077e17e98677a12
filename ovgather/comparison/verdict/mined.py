"""What separates wrong elements from right ones, mined from the evidence: a rule of at most two facts that every wrong
element has and no right one. A fault says what a runtime computes in the place of the right values; where the two
are the same, nothing shows, so that right elements there refute no rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from math import gcd, prod
from typing import NamedTuple

import numpy

from ovgather.comparison.verdict.compare import differing, spread, wrong_marks
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array, bits

_MOST = 1 << 20  # elements of all runs
_LARGEST_PERIOD = 64
_CHANCE = 64  # numbers have the same rest by chance in one of so many cases
_ENOUGH = 3  # different wrong elements, and right ones beside them
_LANES = (4, 8, 16)
Numbers = Mapping[str, Array]


class MinedRule(NamedTuple):
    """Where elements are wrong, in words, by how few facts; ``key`` and ``what`` are those of the fault, if any."""

    where: str
    facts: int
    key: str = ""
    what: str = ""


class FaultOutput(NamedTuple):
    """What a fault gives in a run; ``foreign`` marks the elements that it reads outside the data."""

    key: str
    output: Array
    foreign: Array | numpy.bool[bool] = numpy.False_


class ComparedRun:
    """A run of a layer with the facts of its elements."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        assert evidence.want is not None
        self.want: Array = evidence.want
        self.wrong: Array = wrong_marks(evidence)
        if not self.wrong.size:
            self.wrong = numpy.zeros(self.want.shape, bool)

    @cached_property
    def numbers(self) -> Numbers:
        """By what they count, a number for each element."""
        evidence = self.evidence
        shape = evidence.indices.shape
        if evidence.operation.indexes_by_tuples:
            shape = shape[:-1]
        cells: dict[str, Array] = {}
        if shape == evidence.indices.shape and evidence.indices.dtype.kind in "iu":
            indices = evidence.indices.astype("i8")
            from_front = numpy.where(indices < 0, indices + evidence.sizes, indices)
            cells["index %s"] = indices
            cells["index %s, counted from the end"] = from_front - evidence.sizes
            cells["indices at steps of %s"] = _steps(indices)
            step, place = _runs(indices)
            cells["a step of %s from the index before it"] = step
            cells["place %s in a run of equal steps"] = place
        for dim, length in enumerate(shape if len(shape) > 1 else ()):
            along = numpy.arange(length).reshape(-1, *[1] * (len(shape) - dim - 1))
            where = f"dim {dim} of the indices"
            cells[f"position %s of {where}"] = numpy.broadcast_to(along, shape)
            cells[f"position %s from the end of {where}"] = numpy.broadcast_to(
                along - length, shape
            )
            cells[f"length %s of {where}"] = numpy.full(shape, length)
        every = numpy.arange(max(1, prod(shape)))
        if len(every) == prod(shape):
            cells["position %s in the indices"] = every.reshape(shape)
        numbers = {
            name: spread(evidence, array, self.want) for name, array in cells.items()
        }
        flat = numpy.arange(self.want.size).reshape(self.want.shape)
        numbers["element %s of a row"] = flat % self._inner
        numbers["position %s of the output"] = flat
        whole = {
            "%s indices": evidence.indices.size,
            "an axis of length %s": prod(evidence.lengths or [0]),
            "outputs of %s elements": self.want.size,
            "inference %s": evidence.number + 1,
        }
        full = {name: numpy.full(flat.shape, size) for name, size in whole.items()}
        return {**numbers, **full}

    @property
    def _inner(self) -> int:
        """How many elements an index fetches side by side."""
        if not self.evidence.operation.indices_replace_axis:
            return 1
        axis = self.evidence.axis % max(1, self.evidence.data.ndim)
        return max(1, int(prod(self.evidence.data.shape[axis + 1 :])))

    @cached_property
    def marks(self) -> Mapping[str, Array]:
        """By what is true of them, marks of elements."""
        evidence = self.evidence
        indices = evidence.indices
        of_indices = {
            "negative indices": indices < 0,
            "indices out of range": evidence.out_of_range,
        }
        if not evidence.operation.indexes_by_tuples and indices.ndim:
            of_indices["indices that stand further left already"] = _repeated(indices)
        marked = {
            words: spread(evidence, marks, self.want)
            for words, marks in of_indices.items()
        }
        size = self.want.size
        flat = numpy.arange(size).reshape(self.want.shape)
        cells = indices[..., 0] if evidence.operation.indexes_by_tuples else indices
        number = numpy.arange(cells.size).reshape(cells.shape)
        of_cells = spread(evidence, number, self.want)
        row = self._inner
        batch = max(1, prod(cells.shape[evidence.batch_dims :]))
        for lanes in _LANES:
            words = f"elements behind the last whole vector of {lanes}"
            if size > lanes:
                marked[words] = flat >= size // lanes * lanes
            if row > 1:
                marked[f"{words} of a row"] = flat % row >= row // lanes * lanes
            tail = of_cells % batch >= batch // lanes * lanes
            marked[f"indices behind the last {lanes} at a time"] = tail
        marked["the last of the indices"] = of_cells == cells.size - 1
        return {**marked, "the last element": flat == size - 1}


def rules(
    failing: Sequence[Evidence],
    healthy: Sequence[Evidence],
    faults: Mapping[str, Sequence[FaultOutput]],
) -> list[MinedRule]:
    """The rules with the fewest facts, the plainest first; with a fault that gives every wrong element, if one does.

    ``faults`` are outputs of faulty runtimes, by the words of the fault: that of each failing run, then of each healthy
    one.
    """
    runs = [ComparedRun(each) for each in (*failing, *healthy) if each.want is not None]
    is_small = sum(run.want.size for run in runs) <= _MOST
    if not is_small or not all(run.wrong.any() for run in runs[: len(failing)]):
        return []
    facts = dict(_facts(runs))
    mined = []
    for what, outputs in faults.items():
        shows = [
            differing(each.output, run.want)
            for run, each in zip(runs, outputs, strict=True)
        ]
        if not all(
            show is not None and _gives(each, run)
            for run, show, each in zip(runs, shows, outputs, strict=True)
        ):
            continue
        visible = [
            show & ~each.foreign
            for show, each in zip(shows, outputs, strict=True)
            if show is not None
        ]
        mined += [
            MinedRule(where, number, outputs[0].key, what)
            for where, number in _fewest(runs, facts, visible)
        ]
    if not mined:
        everywhere = [numpy.ones(run.want.shape, bool) for run in runs]
        mined = [MinedRule(*each) for each in _fewest(runs, facts, everywhere)]
    fewest = min((rule.facts for rule in mined), default=0)
    if not _speak(runs, bool(fewest)):
        return []
    return [rule for rule in mined if rule.facts == fewest]


def _gives(fault: FaultOutput, run: ComparedRun) -> bool:
    """Whether a fault gives every wrong element, as far as it lies in the data, and one of them does."""
    inside = run.wrong & ~fault.foreign
    wrong = bits(fault.output) != bits(run.evidence.got)
    return not (inside & wrong).any() and bool(inside.any() or not run.wrong.any())


def _speak(runs: Sequence[ComparedRun], is_partial: bool) -> bool:
    """Whether enough different elements are wrong, and enough right ones beside them, to tell a rule."""
    pairs = {
        pair
        for run in runs
        for pair in zip(
            bits(run.evidence.got)[run.wrong].tolist(),
            bits(run.want)[run.wrong].tolist(),
            strict=True,
        )
    }
    right = sum(int((~run.wrong).sum()) for run in runs)
    return len(pairs) >= _ENOUGH and (right >= _ENOUGH or not is_partial)


def _facts(runs: Sequence[ComparedRun]) -> Iterator[tuple[str, list[Array]]]:
    """What all wrong elements have in common, and not all elements: words, and marks for each run."""
    for words in runs[0].marks:
        marks = [run.marks.get(words) for run in runs]
        if all(
            each is not None and each[run.wrong].all()
            for run, each in zip(runs, marks, strict=True)
        ):
            yield words, [each for each in marks if each is not None]
    for name in runs[0].numbers:
        if not all(name in run.numbers for run in runs):
            continue
        numbers = [run.numbers[name] for run in runs]
        wrong = numpy.unique(
            numpy.concatenate(
                [each[run.wrong] for run, each in zip(runs, numbers, strict=True)]
            )
        )
        every = numpy.unique(numpy.concatenate([each.ravel() for each in numbers]))
        yield from _of_numbers(name, numbers, wrong, every)


def _of_numbers(
    name: str, numbers: Sequence[Array], wrong: Array, every: Array
) -> Iterator[tuple[str, list[Array]]]:
    low, high = int(wrong[0]), int(wrong[-1])
    if low == high:
        yield name % low, [each == low for each in numbers]
        return
    if low > every[0]:
        yield f"{name % low} and up", [each >= low for each in numbers]
    if high < every[-1]:
        yield f"{name % high} and below", [each <= high for each in numbers]
    period = gcd(*map(int, wrong - low))
    is_chance = period ** (len(wrong) - 1) < _CHANCE
    if 1 < period <= _LARGEST_PERIOD and not is_chance:
        rest = low % period
        words = f"{rest} modulo {period}"
        yield name % words, [each % period == rest for each in numbers]


def _fewest(
    runs: Sequence[ComparedRun],
    facts: Mapping[str, list[Array]],
    visible: Sequence[Array],
) -> list[tuple[str, int]]:
    """The fewest facts that leave no right element where the fault would show, in words."""
    right = [
        (show & ~run.wrong).ravel() for run, show in zip(runs, visible, strict=True)
    ]
    if not any(each.any() for each in right):
        return [("", 0)]
    left = numpy.concatenate(right)
    held = {
        words: numpy.concatenate([each.ravel() for each in marks])[left]
        for words, marks in facts.items()
    }
    for number in (1, 2):
        enough = [
            some
            for some in combinations(held, number)
            if not numpy.logical_and.reduce([held[each] for each in some]).any()
        ]
        if enough:
            return [(", ".join(some), number) for some in enough]
    return []


def _steps(indices: Array) -> Array:
    """The step of each row of indices that has one; 0 elsewhere."""
    steps_of_rows = numpy.zeros(indices.shape, "i8")
    if not indices.ndim or indices.shape[-1] < 3:
        return steps_of_rows
    steps = numpy.diff(indices, axis=-1)
    is_even = (steps == steps[..., :1]).all(axis=-1, keepdims=True)
    steps_of_rows[...] = numpy.where(is_even, steps[..., :1], 0)
    return steps_of_rows


def _runs(indices: Array) -> tuple[Array, Array]:
    """For each index its step from the one before it in its row, and how far it stands in a run of such steps."""
    steps = numpy.zeros(indices.shape, "i8")
    places = numpy.zeros(indices.shape, "i8")
    for at in range(1, indices.shape[-1] if indices.ndim else 0):
        steps[..., at] = indices[..., at] - indices[..., at - 1]
        goes_on = (steps[..., at] == steps[..., at - 1]) & (places[..., at - 1] > 0)
        places[..., at] = numpy.where(goes_on, places[..., at - 1] + 1, 1)
    return steps, places


def _repeated(indices: Array) -> Array:
    """Which indices stand further left in their row as well."""
    rows = indices.reshape(-1, indices.shape[-1])
    marks = numpy.ones(rows.shape, bool)
    for number, row in enumerate(rows):
        marks[number, numpy.unique(row, return_index=True)[1]] = False
    repeated: Array = marks.reshape(indices.shape)
    return repeated
