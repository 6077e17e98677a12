"""The extension for Visual Studio Code: its version, its commands, and how it starts the server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from paths import ROOT

from ovgather import __version__

FOLDER = ROOT / "editors" / "vscode"
PACKAGE = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
SCRIPT = (FOLDER / "extension.js").read_text(encoding="utf-8")


def test_its_version_is_that_of_the_package() -> None:
    assert PACKAGE["version"] == __version__.partition(".dev")[0]


def test_what_it_offers_is_there() -> None:
    commands = re.findall(r'"(ovgather\.\w+)": \w+', SCRIPT)
    assert {each["command"] for each in PACKAGE["contributes"]["commands"]} <= {
        *commands
    }
    settings = PACKAGE["contributes"]["configuration"]["properties"]
    assert {f"ovgather.{name}" for name in re.findall(r'\.get\("(\w+)"\)', SCRIPT)} == {
        *settings
    }


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_it_starts_the_server() -> None:
    pytest.importorskip("pygls")
    environment = {
        **os.environ,
        "OVGATHER_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        ["node", "--test", "server.test.js"],
        cwd=FOLDER,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "# pass 2" in done.stdout


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_layer_at_the_cursor_is_found_in_proportion_to_the_text() -> None:
    [expression] = re.findall(r"matchAll\((/.*?/g)\)", SCRIPT)
    text = "'<layer '.repeat(200000) + '<layer name=\"a\" id=\"7\">'"
    script = f"console.log([...({text}).matchAll({expression})].pop()[1])"
    done = subprocess.run(
        ["node", "-e", script], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "7\n"
