"""What is wrong with outputs themselves, whatever the inputs are."""

from collections.abc import Sequence

from ovgather.crosscheck.verdict.compare import equal
from ovgather.crosscheck.verdict.fault import wrong_marks
from ovgather.crosscheck.verdict.faults_structure import turns
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array, bits

FACTS = ("other-shape", "other-type")
"""What is plain to see in a single element."""
DESCRIBED = ("zeros", "constant")
"""Words for what comes out, whatever the cause."""
_LANES = (2, 4, 8, 16)
_SWEPT = 3  # sizes that a pattern needs


def of_outputs(runs: Sequence[Evidence], healthy: Sequence[Evidence]) -> tuple[str, str] | None:
    """What all outputs have in common, as key and words, and no healthy run refutes; None where that is nothing."""
    shapes = [(list(run.got.shape), list(run.want.shape)) for run in runs if run.want is not None]
    if len(shapes) < len(runs):
        return None
    others = [(got, want) for got, want in shapes if got != want]
    if others:
        got, want = others[-1]
        return ("other-shape", f"the output has shape {got}, not {want}") if len(others) == len(runs) else None
    if (rests := _rests(runs, healthy)) is not None:
        return "tail-not-written", f"the last elements are wrong where the size of the output is {rests}"
    if all(_is_zero(run) for run in runs):
        return "zeros", "elements are zero that should not be"
    for key, words, moved in (
        ("transposed", "the dims of the output come in another order", _turned),
        ("reversed", "the output comes in reverse order", _reversed),
    ):
        shows = all(any(equal(run.got, each) for each in moved(run.expected())) for run in runs)
        # A healthy output that would be another one with this fault refutes it.
        if shows and all(any(equal(run.got, each) for each in moved(run.got) or [run.got]) for run in healthy):
            return key, words
    return ("constant", "every wrong element is the same") if all(_is_constant(run) for run in runs) else None


def _turned(array: Array) -> list[Array]:
    return [turned for _, turned in turns(array)]


def _reversed(array: Array) -> list[Array]:
    return [array.ravel()[::-1].reshape(array.shape)]


def _is_zero(run: Evidence) -> bool:
    return not run.got.dtype.hasobject and not bits(run.got)[wrong_marks(run)].any()


def _is_constant(run: Evidence) -> bool:
    values = bits(run.got)[wrong_marks(run)]
    return values.size > 1 and bool((values == values.flat[0]).all())


def _rests(runs: Sequence[Evidence], healthy: Sequence[Evidence]) -> str | None:
    """At which sizes of the output elements behind the last whole vector are wrong, where they are at no other."""
    for lanes in _LANES:
        sizes = {run.got.size for run in runs}
        rests = {size % lanes for size in sizes}
        if len(sizes) < _SWEPT or len(rests) == len(sizes):
            continue
        ends = all(not wrong_marks(run).ravel()[: run.got.size // lanes * lanes].any() for run in runs)
        longer = [run.got for run in healthy if run.got.size > lanes]
        right = {got.size % lanes for got in longer if (bits(got).ravel()[got.size // lanes * lanes :] != 0).any()}
        if ends and 0 not in rests and not rests & right:
            return f"{', '.join(map(str, sorted(rests)))} modulo {lanes}"
    return None
