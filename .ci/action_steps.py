"""Run the shell steps of action.yml as GitHub's runner would: expressions filled in, outputs handed on.

Usage: RUNNER_TEMP=FOLDER action_steps.py FOLDER NAME=VALUE...: runs in FOLDER with these inputs; prints what the
steps print. The exit code is that of the first step that fails. Steps of other actions are passed over.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]


def main(folder: str, *given: str) -> int:
    """Run the steps in order."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    values: dict[str, str] = {
        f"inputs.{name}": entry["default"] for name, entry in action["inputs"].items()
    }
    values |= {
        f"inputs.{name}": value
        for name, _, value in (text.partition("=") for text in given)
    }
    values |= {
        "github.action_path": str(ROOT),
        "steps.python.outputs.python-path": sys.executable,
    }
    for step in action["runs"]["steps"]:
        if "run" in step and _wanted(step.get("if"), values):
            code = _run(step, folder, values)
            if code:
                return code
    return 0


def _wanted(condition: str | None, values: dict[str, str]) -> bool:
    if condition is None:
        return True
    name, sign, value = condition.split()
    return (values[name] == value.strip("'")) is (sign == "==")


def _run(step: dict[str, Any], folder: str, values: dict[str, str]) -> int:
    def fill(text: str) -> str:
        return re.sub(r"\$\{\{ (\S+) \}\}", lambda match: values[match[1]], text)

    temporary = os.environ["RUNNER_TEMP"]
    script, output = Path(temporary, "script"), Path(temporary, "output")
    script.write_text(fill(step["run"]), encoding="utf-8")
    output.write_text("", encoding="utf-8")
    given = {name: fill(text) for name, text in step.get("env", {}).items()}
    environment = {**os.environ, **given, "GITHUB_OUTPUT": str(output)}
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
    code = subprocess.run(command, cwd=folder, env=environment).returncode
    for line in output.read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition("=")
        values[f"steps.{step['id']}.outputs.{name}"] = value
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
