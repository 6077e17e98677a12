"""Copies of the demo's files, and plans that meet trouble at the tenth, for tests of many files."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from paths import ROOT

from ovgather.validation.checked import Checked
from ovgather.validation.plan import Plan

DEMO = ROOT / "samples_xml" / "demo"


def demo_files(folder: Path, number: int, step: int = 4) -> list[str]:
    """``number`` files; the second of each ``step`` has faults."""
    paths = [folder / f"m{index}.xml" for index in range(number)]
    for index, path in enumerate(paths):
        path.write_bytes((DEMO / f"{'broken' if index % step == 1 else 'good'}.xml").read_bytes())
    return [str(path) for path in paths]


class Dying(Plan):
    """A plan whose process is killed at the tenth file."""

    def check(self, path: str) -> Checked:
        if path.endswith("m10.xml"):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().check(path)


class Raising(Plan):
    """A plan that meets a bug at the tenth file."""

    def check(self, path: str) -> Checked:
        if path.endswith("m10.xml"):
            raise KeyError("a bug")
        return super().check(path)
