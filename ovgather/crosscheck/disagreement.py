"""Who disagrees with whom: each runtime and the reference, pair by pair."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from ovgather.crosscheck.report import IN_PLACE, Record
from ovgather.runtimes.outcome import Outcome
from ovgather.tensor.arrays import bits

REFERENCE = "reference"
_ANSWERED = ("equal", "different", "known")


def matrix(records: Iterable[Record]) -> list[str]:
    """A table of how many of the runs that both answered two of them disagree in; empty for one runtime alone."""
    all_records = list(records)
    names = [REFERENCE, *dict.fromkeys(record.against for record in all_records)]
    if len(names) < 3:
        return []
    counts = disagreements(all_records)
    width = max(map(len, names))
    lines = ["Disagreements of two runtimes, out of the runs that both answered:"]
    lines.append("  ".join(["  " + " " * width, *(f"{name:>{max(width, 9)}}" for name in names[1:])]))
    for row in names[:-1]:
        cells = []
        for column in names[1:]:
            pair = counts.get((row, column))
            cells.append(f"{f'{pair[0]} of {pair[1]}' if pair else '':>{max(width, 9)}}")
        lines.append("  ".join([f"  {row:<{width}}", *cells]).rstrip())
    return lines


def disagreements(records: Sequence[Record]) -> dict[tuple[str, str], tuple[int, int]]:
    """For each pair in how many runs the two disagree, and how many both answered."""
    names = list(dict.fromkeys(record.against for record in records))
    by_run: dict[tuple[object, str], dict[str, Outcome]] = {}
    for record in records:
        if record.verdict in _ANSWERED and record.variant != IN_PLACE and record.outcome.cause != "refused":
            by_run.setdefault((record.layer, record.variant), {})[record.against] = record.outcome
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    for first, second in [*((REFERENCE, name) for name in names), *combinations(names, 2)]:
        answers = [_agree(run.get(first), run.get(second), first) for run in by_run.values() if second in run]
        both = [answer for answer in answers if answer is not None]
        counts[first, second] = both.count(False), len(both)
    return counts


def _agree(first: Outcome | None, second: Outcome | None, name: str) -> bool | None:
    """Whether two answers are the same; None when that is not known."""
    if second is None:
        return None
    if name == REFERENCE:
        return second.verdict == "equal"
    if first is None:
        return None
    if "equal" in (first.verdict, second.verdict):
        return first.verdict == second.verdict
    if first.evidence is None or second.evidence is None:
        return None
    got, other = bits(first.evidence.got), bits(second.evidence.got)
    return bool(got.shape == other.shape and got.dtype == other.dtype and (got == other).all())
