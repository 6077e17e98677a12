"""Where OpenVINO stops, file by file: findings that say that it rejects a file against reading, compiling and running.

The files are those of the tests of messages; ``test_samples.py`` and ``test_bodies.py`` do the same with theirs.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from openvino_verdicts import Verdict, requires_openvino, verdicts
from rule_messages import all_cases

from ovgather.validation.api import validate
from ovgather.validation.diagnostic import Diagnostic

REFUSED = {
    "rejects": "read",
    "rejects_on_compile": "compile",
    "rejects_on_run": "infer",
}
ENDS = {"": 3, "infer": 2, "compile": 1, "read": 0}


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("latin-1")


FILES = [
    (_bytes(text), weights or b"")
    for text, weights in dict.fromkeys(
        (text, weights) for text, weights, _ in all_cases()
    )
]


class Case:
    """A file, what is found in it, and what OpenVINO does with it."""

    def __init__(self, findings: list[Diagnostic], verdict: Verdict) -> None:
        self.verdict = verdict
        self.claims = [found for found in findings if found.openvino in REFUSED]
        self.findings = findings


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    folder: Path = tmp_path_factory.mktemp("verdicts")
    judged: dict[str, list[Diagnostic]] = {}
    for place, (text, weights) in enumerate(FILES):
        path = folder / f"{place}.xml"
        path.write_bytes(text)
        if weights:
            path.with_suffix(".bin").write_bytes(weights)
        findings = validate(path)
        if any(found.openvino in REFUSED for found in findings) and not any(
            found.openvino == "crashes" for found in findings
        ):
            judged[str(path)] = findings
    measured = verdicts(list(judged))
    return [Case(findings, measured[path]) for path, findings in judged.items()]


@pytest.mark.slow
@requires_openvino
def test_what_is_said_to_be_rejected_is_rejected_at_that_stage(
    cases: list[Case],
) -> None:
    wrong = []
    for case in cases:
        # It stops at the first thing that it dislikes: nothing of a file goes on beyond what is said of any of it.
        first = min(ENDS[REFUSED[found.openvino]] for found in case.claims)
        if ENDS[case.verdict.stage] > first:
            wrong.append(
                (
                    case.verdict.stage,
                    case.verdict.error[-200:],
                    [str(found) for found in case.claims],
                )
            )
    assert wrong == []


@pytest.mark.slow
@requires_openvino
def test_what_is_said_to_fail_on_compiling_alone_is_read(cases: list[Case]) -> None:
    later = [
        case
        for case in cases
        if {found.openvino for found in case.claims} == {"rejects_on_compile"}
    ]
    assert [
        [str(found) for found in case.findings]
        for case in later
        if not case.verdict.read
    ] == []
    assert len(later) > 5


def test_there_are_many_files() -> None:
    assert len(FILES) > 200
