"""What is found, where, and how it is fixed never depends on how messages are worded."""

from __future__ import annotations

from pathlib import Path

import pytest
from paths import SAMPLES

from ovgather.report import render
from ovgather.validation import context
from ovgather.validation.check import check_file
from ovgather.validation.diagnostic import Diagnostic

FILES = [
    *sorted(SAMPLES.glob("*/*/bad.xml")),
    *(
        pytest.param(path, marks=pytest.mark.slow)
        for path in sorted(SAMPLES.glob("*/*/bad-*.xml"))
    ),
]
"""The first sample of each rule and of each hypothesis, and the others."""


def facts(finding: Diagnostic) -> tuple[object, ...]:
    """All of a finding but its texts."""
    fix = finding.fix()
    edits = [edit[:3] for edit in fix.edits] if fix is not None else []
    return (
        *(
            finding.code,
            finding.severity,
            finding.openvino,
            finding.position,
            finding.hypothesis,
        ),
        *(finding.layer, edits, bool(finding.help), bool(finding.effect)),
        [facts(each) for each in finding.consequences],
    )


@pytest.mark.parametrize(
    "path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_reworded_messages(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = check_file(str(path))
    monkeypatch.setattr(context, "_short", lambda text: text[::-1])
    after = check_file(str(path))
    assert [*map(facts, after.diagnostics)] == [*map(facts, before.diagnostics)]
    assert after.verdict.openvino == before.verdict.openvino
    if any(len(each.message) > 1 for each in before.diagnostics):
        assert [each.message for each in after.diagnostics] != [
            each.message for each in before.diagnostics
        ]


def test_missing_weights_are_told_once_in_any_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(context, "_short", lambda text: text[::-1])
    text = (SAMPLES / "rules" / "OVG008" / "bad.xml").read_bytes()
    results = [check_file(text) for _ in range(3)]
    assert [each.of_every_file for each in results[0].diagnostics].count(True) == 1
    assert render("validate", "concise", results).count("OVG008") == 1
