"""What is wrong with outputs themselves, whatever the inputs are."""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

import numpy as np

from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array, bits

FACTS = ("other-shape", "other-type")
"""What is plain to see in a single element."""
DESCRIBED = ("zeros", "constant")
"""Words for what comes out, whatever the cause."""
_RANK = 5
_LANES = (2, 4, 8, 16)
_SWEPT = 3  # sizes that a pattern needs
_Pair = tuple[str, str]


def of_outputs(runs: Sequence[Evidence], healthy: Sequence[Evidence]) -> _Pair | None:
    """What all outputs have in common, as key and words, and no healthy run refutes; None where that is nothing."""
    same: Callable[[Evidence], bool]
    if any(run.want is None for run in runs):
        return None
    shapes = [run for run in runs if run.want is not None and run.got.shape != run.want.shape]
    if shapes:
        got, want = list(shapes[-1].got.shape), list(shapes[-1].expected().shape)
        return ("other-shape", f"the output has shape {got}, not {want}") if len(shapes) == len(runs) else None
    tail = _tail(runs, healthy)
    if tail is not None:
        return tail
    for key, words, same in (
        ("zeros", "elements are zero that should not be", _is_zero),
        ("transposed", "the dims of the output come in another order", _is_turned),
        ("reversed", "the output comes in reverse order", _is_reversed),
        ("constant", "every wrong element is the same", _is_constant),
    ):
        refuted = key in ("transposed", "reversed") and any(_would_show(key, run) for run in healthy)
        if not refuted and all(same(run) for run in runs):
            return key, words
    return None


def _wrong(run: Evidence) -> Array:
    assert run.want is not None
    return np.asarray(bits(run.got) != bits(run.want))


def _is_zero(run: Evidence) -> bool:
    return not run.got.dtype.hasobject and not bits(run.got)[_wrong(run)].any()


def _is_constant(run: Evidence) -> bool:
    values = bits(run.got)[_wrong(run)]
    return values.size > 1 and bool((values == values.flat[0]).all())


def _turned(array: Array) -> Iterator[Array]:
    for order in list(permutations(range(array.ndim)))[1:] if 2 <= array.ndim <= _RANK else ():
        yield array.transpose(order).reshape(array.shape)


def _is_turned(run: Evidence) -> bool:
    assert run.want is not None
    return any((bits(turned) == bits(run.got)).all() for turned in _turned(run.want))


def _is_reversed(run: Evidence) -> bool:
    assert run.want is not None
    return np.array_equal(bits(run.got).ravel(), bits(run.want).ravel()[::-1])


def _would_show(key: str, run: Evidence) -> bool:
    """Whether a healthy output would be another one with this fault."""
    patterns = bits(run.got)
    if key == "reversed":
        return not np.array_equal(patterns.ravel(), patterns.ravel()[::-1])
    turned = [bits(each) for each in _turned(run.got)]
    return bool(turned) and not any(np.array_equal(each, patterns) for each in turned)


def _ends_in_values(run: Evidence, lanes: int) -> bool:
    return bool((bits(run.got).ravel()[run.got.size // lanes * lanes :] != 0).any())


def _tail(runs: Sequence[Evidence], healthy: Sequence[Evidence]) -> _Pair | None:
    """Elements behind the last whole vector that are wrong, at some sizes of the output and at no other."""
    for lanes in _LANES:
        sizes = {run.got.size for run in runs}
        rests = {size % lanes for size in sizes}
        if len(sizes) < _SWEPT or len(rests) == len(sizes):
            continue
        ends = all(not _wrong(run).ravel()[: run.got.size // lanes * lanes].any() for run in runs)
        right = {run.got.size % lanes for run in healthy if run.got.size > lanes and _ends_in_values(run, lanes)}
        if ends and 0 not in rests and not rests & right:
            lengths = ", ".join(map(str, sorted(rests)))
            words = f"the last elements are wrong where the size of the output is {lengths} modulo {lanes}"
            return "tail-not-written", words
    return None
