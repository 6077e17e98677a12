"""Code Quality: as the schema says, with fingerprints that tell findings apart."""

from __future__ import annotations

import json
from typing import Any

import pytest
from report_cases import HOSTILE, checked, finding, hostile, mixed

from ovgather import schemas
from ovgather.report import formats, render
from ovgather.validation.checked import Checked


def issues_of(*files: Checked) -> Any:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    issues = json.loads(render("validate", "gitlab", files).encode("utf-8"))
    validator = jsonschema.Draft202012Validator(schemas.load("validate-gitlab"))
    assert [error.message for error in validator.iter_errors(issues)] == []
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    return issues


def test_it_is_a_format() -> None:
    assert "gitlab" in formats("validate")


def test_files_of_every_kind() -> None:
    files = mixed()[:4]
    issues = issues_of(*files)
    assert [issue["check_name"] for issue in issues] == [
        found.code for file in files for found in file.diagnostics
    ]
    assert {issue["severity"] for issue in issues} == {"blocker", "major", "minor"}


def test_a_clean_file() -> None:
    assert issues_of(checked("m.xml")) == []


def test_a_finding() -> None:
    found = finding(
        openvino="accepts", help="did you mean `axis`?", line=3, column=7, end_line=4
    )
    (issue,) = issues_of(checked("./a/m.xml", found))
    assert issue.pop("fingerprint")
    assert issue == {
        "description": "unknown attribute `Axis`",
        "check_name": "OVG102",
        "severity": "major",
        "location": {"path": "a/m.xml", "lines": {"begin": 3, "end": 4}},
        "content": {
            "body": "OpenVINO: accepts it without a word\nhelp: did you mean `axis`?"
        },
    }


@pytest.mark.parametrize(
    ("severity", "openvino", "fatal", "expected"),
    [
        ("error", "rejects", True, "blocker"),
        ("error", "rejects", False, "major"),
        ("error", "crashes", False, "critical"),
        ("warning", "crashes", False, "critical"),
        ("warning", "accepts", False, "minor"),
        ("warning", "accepts", True, "minor"),
        ("note", "accepts", False, "info"),
    ],
)
def test_severities(severity: str, openvino: str, fatal: bool, expected: str) -> None:
    (issue,) = issues_of(
        checked("m.xml", finding(severity=severity, openvino=openvino), fatal=fatal)
    )
    assert issue["severity"] == expected


def test_fingerprints() -> None:
    def marks(*files: Checked) -> list[str]:
        return [issue["fingerprint"] for issue in issues_of(*files)]

    before = marks(
        checked("m.xml", finding(line=3), finding(line=9)),
        checked("n.xml", finding(line=3)),
    )
    after = marks(
        checked("m.xml", finding(line=5), finding(line=12)),
        checked("n.xml", finding(line=1)),
    )
    assert before == after


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_names(text: str) -> None:
    assert len(issues_of(hostile(text))) == 2
