"""What explains a difference: models of how a runtime goes wrong, each run through the reference.

A model explains an output when it gives every bit of it. The simplest that does is named; two faults at once are
tried when no single one fits.
"""

from collections.abc import Iterator
from itertools import chain, islice, product

from ovgather.crosscheck.verdict import faults_data, faults_indices, faults_structure
from ovgather.crosscheck.verdict.compare import compare, positions
from ovgather.crosscheck.verdict.fault import Fault, spread
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import bits

UNEXPLAINED = "unexplained"
_SHOWN = 3
_PAIRED = 1 << 22  # elements up to which pairs of faults are tried


def find_cause(evidence: Evidence) -> tuple[str, str]:
    """The cause of a difference, as a stable word and in words; ``unexplained``, with the first places, for others."""
    got, want = evidence.got, evidence.want
    if want is not None and got.dtype != want.dtype:
        return "other-type", f"the output has elements of type {got.dtype.name}, not {want.dtype.name}"
    singles = [list(module.faults(evidence)) for module in (faults_indices, faults_structure, faults_data)]
    for fault in chain(*singles):
        if _explains(fault, evidence):
            return fault.key, fault.words
    if (cause := faults_data.of_output(evidence)) is not None:
        return cause
    if max(evidence.data.size, got.size) <= _PAIRED:
        for fault in _pairs(singles, evidence):
            if _explains(fault, evidence):
                return fault.key, fault.words
    return UNEXPLAINED, _unexplained(evidence)


def _pairs(singles: list[list[Fault]], evidence: Evidence) -> Iterator[Fault]:
    """Two faults at once: of the indices or of the structure, and of the data; of the structure, and of the indices."""
    indices, structure, data = singles
    for first, second in product([*indices, *structure], data):
        seen = first.seen._replace(data=second.seen.data)
        yield Fault(f"{first.key}+{second.key}", f"{first.words}; {second.words}", seen, first.zeros)
    for first in structure:
        for second in faults_indices.faults(first.seen):
            yield second._replace(key=f"{first.key}+{second.key}", words=f"{first.words}; {second.words}")


def _explains(fault: Fault, evidence: Evidence) -> bool:
    output, got, want = fault.output(), evidence.got, evidence.want
    if output is None or output.shape != got.shape or compare(got, output, fault.foreign).mismatches:
        return False
    # What lies outside the data can be anything: something inside must show the fault, too.
    return fault.foreign is None or (want is not None and bool((bits(got) != bits(want))[~fault.foreign].any()))


def _unexplained(evidence: Evidence) -> str:
    """The first places with what came and what should have, and whether the indices have to do with it."""
    got, want = evidence.got, evidence.want
    if want is None or got.shape != want.shape:
        return ""
    wrong = bits(got) != bits(want)
    first = islice(positions(got, want, wrong), _SHOWN)
    samples = "; ".join(f"[{','.join(map(str, at))}] got {came}, want {due}" for at, came, due in first)
    notes = [f"nothing known explains it: {samples}"]
    for words, marks in (("negative", evidence.indices < 0), ("out-of-range", evidence.out_of_range)):
        if marks.any() and not (wrong & ~spread(evidence, marks, want)).any():
            notes.append(f"only elements of {words} indices differ")
    return "; ".join(notes)
