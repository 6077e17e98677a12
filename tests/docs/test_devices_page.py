"""docs/devices.md is what its generator writes, and lists every defect with its source."""

from __future__ import annotations

import re
import runpy

from paths import ROOT

from ovgather.targets.device import devices


def test_the_page_is_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "tools" / "generate_devices.py"))["text"]()
    assert (ROOT / "docs" / "devices.md").read_text(encoding="utf-8") == made
    for device in devices():
        for defect in device.defects:
            for number in re.findall(r"#(\d+)", defect.source):
                assert f"/pull/{number})" in made
            assert defect.text in made
