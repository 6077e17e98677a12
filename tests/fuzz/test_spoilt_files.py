"""A few hundred spoilt files and the corpus of the coverage-guided fuzzer; ``compare.py`` takes thousands."""

from __future__ import annotations

import random
from importlib.util import find_spec
from pathlib import Path

import pytest
from compare import FINE, outcomes
from coverage_guided import CORPUS, MOST_BYTES, MOST_FILES, judge
from mutants import Bases, spoilt

requires_openvino = pytest.mark.skipif(
    find_spec("openvino") is None, reason="openvino is not installed"
)
KINDS = ("bodies", "version 10", "family")
EACH = 6
NO_MATTER = FINE | {"slow"}  # how long anything takes is measured by compare.py alone
SPOILT = [
    # Each has a seed of its own, so that another file among them changes no other mutant.
    spoilt(case, random.Random(f"{case.origin} {number}"))
    for kind in KINDS
    for case in Bases().kinds[kind]
    for number in range(EACH)
]
KEPT = sorted(CORPUS.glob("*"))


@pytest.mark.slow
@requires_openvino
def test_what_openvino_rejects_on_reading_has_an_error() -> None:
    found = list(outcomes(SPOILT))
    kinds = [outcome.kind for outcome in found]
    assert [
        (outcome.kind, outcome.case.origin, outcome.words)
        for outcome in found
        if outcome.kind not in NO_MATTER
    ] == []
    assert kinds.count("rejected") > 80
    assert kinds.count("") > 20
    assert kinds.count("foreign") <= 5


@requires_openvino
def test_the_files_to_begin_with_have_no_error() -> None:
    cases = [case for kind in KINDS for case in Bases().kinds[kind]]
    assert [
        (outcome.kind, outcome.case.origin)
        for outcome in outcomes(cases)
        if outcome.kind
    ] == []


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_corpus(path: Path) -> None:
    judge(path.read_bytes())


def test_the_corpus_is_small() -> None:
    assert 10 < len(KEPT) <= MOST_FILES
    assert sum(path.stat().st_size for path in KEPT) <= MOST_BYTES
