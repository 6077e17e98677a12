"""Severities that the user sets: in a configuration, on the command line, and before the exit code is decided."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import forked
import pytest
from paths import SAMPLES


@pytest.fixture(autouse=True)
def _demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("broken.xml", "broken.bin"):
        shutil.copy(SAMPLES / "demo" / name, tmp_path)
    monkeypatch.chdir(tmp_path)


def validate(*arguments: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: here, every finding must have a severity that its rule declares."""
    return forked.ovgather("validate", "broken.xml", *arguments)


def check(*arguments: str) -> tuple[int, dict[str, str], dict[str, int]]:
    done = validate("--format", "json", *arguments)
    assert done.stderr == ""
    document = json.loads(done.stdout)
    [file] = document["files"]
    return (
        done.returncode,
        {each["code"]: each["severity"] for each in file["diagnostics"]},
        document["summary"],
    )


def message(*arguments: str) -> str:
    done = validate(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


@pytest.mark.slow
def test_the_command_line() -> None:
    _, before, _ = check()
    assert (before["OVG203"], before["OVG501"]) == ("error", "warning")
    code, severities, summary = check(
        "--severity", "OVG203=note,OVG501=error", "--severity", "ovg2=warning"
    )
    assert (code, severities["OVG203"], severities["OVG206"], severities["OVG501"]) == (
        1,
        "note",
        "warning",
        "error",
    )
    assert (summary["notes"], summary["warnings"]) == (1, 1)


@pytest.mark.slow
def test_the_exit_code() -> None:
    """OpenVINO refuses the file, whatever the severities are."""
    assert check("--severity", "OVG=warning")[0] == 1
    assert check("--severity", "OVG=note", "--strict")[0] == 1
    refusals = "OVG113", "OVG402", "OVG107"
    options = [option for code in refusals for option in ("--ignore", code)]
    assert check("--severity", "OVG=note", *options)[0] == 0


def test_findings_that_are_only_counted(tmp_path: Path) -> None:
    text = (
        (tmp_path / "broken.xml")
        .read_text()
        .replace("<data ", '<data odd1="" odd2="" odd3="" ')
    )
    (tmp_path / "broken.xml").write_text(text)
    code, _, summary = check(
        "--select", "OVG102", "--max-findings", "1", "--severity", "OVG102=note"
    )
    assert (code, summary["errors"], summary["warnings"]) == (0, 0, 0)
    assert summary["notes"] > 3


def test_a_configuration_and_the_command_line_above_it(tmp_path: Path) -> None:
    (tmp_path / "ovgather.toml").write_text(
        'severity = { OVG2 = "note", OVG203 = "warning", OVG102 = "note" }'
    )
    _, severities, _ = check("--severity", "OVG102=warning")
    assert severities["OVG203"] == "warning"
    assert severities["OVG206"] == "note"
    assert severities["OVG102"] == "warning"


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        (
            "OVG999=note",
            "--severity: no rule has the code `OVG999`; did you mean `OVG900`?",
        ),
        (
            "OVG203=nota",
            "--severity: OVG203: expected one of error, warning, note, got `nota`; did you mean `note`?",
        ),
        (
            "OVG203",
            "--severity: expected CODE=SEVERITY, such as OVG205=error, got `OVG203`",
        ),
    ],
)
def test_wrong_options(option: str, expected: str) -> None:
    assert message("--severity", option) == f"ovgather: {expected}\n"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            '"error"',
            'severity: expected a table of codes, each with a severity, got "error"',
        ),
        ("{ OVG203 = 1 }", "severity.OVG203: expected a string, got 1"),
        (
            '{ OVG999 = "note" }',
            "severity: no rule has the code `OVG999`; did you mean `OVG900`?",
        ),
        (
            '{ OVG203 = "fatal" }',
            "severity: OVG203: expected one of error, warning, note, got `fatal`",
        ),
    ],
)
def test_wrong_values(value: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "ovgather.toml").write_text(f"severity = {value}")
    assert message() == f"ovgather: ovgather.toml: {expected}\n"
