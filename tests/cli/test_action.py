"""The GitHub action and the pre-commit hook: what they run, run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from paths import ROOT

from ovgather.cli.validate import command
from ovgather.report import render
from ovgather.validation.check import check_file

DEMO = ROOT / "samples_xml" / "demo"
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
CI_PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
needs_bash = pytest.mark.skipif(
    shutil.which("bash") is None or os.name == "nt", reason="the action's shell is bash"
)


def script(step: str) -> str:
    """The shell script of a step of the action."""
    found = re.search(
        rf"    - name: {step}\n(?:      .*\n)*?      run: \|\n((?:        .*\n|\n)+)",
        ACTION,
    )
    assert found is not None, step
    return dedent(found[1])


def check(folder: Path, **inputs: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """The step that checks, with its inputs; what it did, and its outputs."""
    scripts = folder / "bin"
    scripts.mkdir()
    (scripts / "ovgather").write_text(
        f"#!/bin/sh\nexec '{sys.executable}' -c 'from ovgather.cli.main import main; main()' \"$@\"\n"
    )
    (scripts / "ovgather").chmod(0o755)
    outputs = folder / "outputs"
    given = {
        "PATHS": ".",
        "ARGS": "",
        "SARIF": "ovgather.sarif",
        "UPLOAD": "true",
        **inputs,
    }
    environment = {
        **os.environ,
        "BIN": str(scripts),
        "GITHUB_OUTPUT": str(outputs),
        **given,
    }
    # As GitHub calls it.
    shell = [
        "bash",
        "--noprofile",
        "--norc",
        "-eo",
        "pipefail",
        "-c",
        script("Check"),
    ]
    done = subprocess.run(
        shell, cwd=folder, env=environment, capture_output=True, text=True
    )
    return done, outputs.read_text() if outputs.exists() else ""


@pytest.fixture
def models(tmp_path: Path) -> Path:
    for name in ("good", "broken"):
        (tmp_path / f"{name} one").mkdir()
        for suffix in (".xml", ".bin"):
            shutil.copy(
                DEMO / f"{name}{suffix}", tmp_path / f"{name} one" / f"m{suffix}"
            )
    return tmp_path


@needs_bash
class TestAction:
    def test_a_sound_model(self, models: Path) -> None:
        done, outputs = check(models, PATHS="good one\n")
        assert (done.returncode, done.stdout, done.stderr, outputs) == (
            0,
            "",
            "",
            "status=0\n",
        )
        assert (
            json.loads((models / "ovgather.sarif").read_text())["runs"][0]["results"]
            == []
        )

    def test_findings_are_reported_and_shown(self, models: Path) -> None:
        done, outputs = check(
            models,
            PATHS="good one\nbroken one\n",
            ARGS="--ignore OVG5\n  --strict",
            SARIF="out.sarif",
        )
        # The last step fails, after the upload.
        assert (done.returncode, outputs) == (
            0,
            "status=1\n",
        )
        found = json.loads((models / "out.sarif").read_text())["runs"][0]["results"]
        assert [result["ruleId"] for result in found] == [
            "OVG203",
            "OVG402",
            "OVG102",
            "OVG107",
            "OVG206",
        ]
        assert done.stdout.startswith("broken one/m.xml:46:11 OVG203 error: ")
        assert (
            found[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            == "broken%20one/m.xml"
        )

    def test_annotations_without_an_upload(self, models: Path) -> None:
        done, _ = check(models, PATHS="broken one", UPLOAD="false")
        assert done.stdout.startswith("::error file=broken one/m.xml,line=46,")

    def test_wrong_usage_fails_at_once(self, models: Path) -> None:
        done, outputs = check(models, ARGS="--nonsense")
        assert (done.returncode, outputs) == (2, "status=2\n")
        assert "No such option" in done.stderr


def test_the_hook_runs_validate() -> None:
    assert "entry: ovgather validate --allow-none\n" in HOOKS
    assert "- id: ovgather\n" in HOOKS
    assert "- id: ovgather\n" in CI_PAGE


def test_every_format_is_on_the_page() -> None:
    (option,) = [
        parameter for parameter in command.params if parameter.name == "format"
    ]
    formats = option.type.to_info_dict()["choices"]
    table = " ".join(re.findall(r"^\|.*", CI_PAGE, re.MULTILINE))
    assert set(formats) <= set(re.findall(r"`(\w+)`", table))


def test_the_pattern_for_visual_studio_code() -> None:
    page = (ROOT / "docs" / "editor.md").read_text(encoding="utf-8")
    task = next(
        json.loads(block)
        for block in re.findall(r"```json\n([\s\S]*?)```", page)
        if "label" in block
    )
    pattern = task["problemMatcher"]["pattern"]
    line = render(
        "validate", "concise", [check_file(str(DEMO / "broken.xml"))]
    ).splitlines()[3]
    found = re.match(pattern["regexp"], line)
    assert found is not None
    groups = {
        name: found[number] for name, number in pattern.items() if name != "regexp"
    }
    assert groups == {
        "file": str(DEMO / "broken.xml"),
        "line": "206",
        "column": "10",
        "code": "OVG102",
        "severity": "error",
        "message": "unknown attribute `Axis`",
    }
