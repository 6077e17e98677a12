"""The page on editors names the file that the extension is packed as."""

from __future__ import annotations

import json

from paths import ROOT


def test_the_package_has_its_version() -> None:
    package = json.loads((ROOT / "editors/vscode/package.json").read_text("utf-8"))
    page = (ROOT / "docs/editor.md").read_text("utf-8")
    assert f"editors/vscode/{package['name']}-{package['version']}.vsix" in page
