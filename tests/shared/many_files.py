"""Copies of good and faulty files, and plans that meet trouble at the tenth, for tests of many files."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from paths import ROOT

from ovgather.ir.read import Unchecked
from ovgather.validation.checked import Checked
from ovgather.validation.plan import Plan

DEMO = ROOT / "samples_xml" / "demo"
FAULTY = ROOT / "samples_xml" / "rules" / "OVG102" / "bad-7.xml"
"""A note and an error, both with a fix, found thirty times as fast as the six faults of the demo's file."""


def demo_files(folder: Path, number: int, step: int = 4) -> list[str]:
    """``number`` files; the second of each ``step`` has faults."""
    paths = [folder / f"m{index}.xml" for index in range(number)]
    for index, path in enumerate(paths):
        source = FAULTY if index % step == 1 else DEMO / "good.xml"
        path.write_bytes(source.read_bytes())
    return [str(path) for path in paths]


class Dying(Plan):
    """A plan whose process is killed at the tenth file."""

    def check(self, path: str) -> Checked:
        if path.endswith("m10.xml") and not isinstance(path, Unchecked):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().check(path)


class Raising(Plan):
    """A plan that meets a bug at the tenth file."""

    def check(self, path: str) -> Checked:
        if path.endswith("m10.xml") and not isinstance(path, Unchecked):
            raise KeyError("a bug")
        return super().check(path)


class Endless(Plan):
    """A plan that does not end at the tenth file, for no signal if it is deaf, or that takes ``size`` bytes for it."""

    def __new__(cls, deaf: bool = False, size: int = 0) -> Any:
        plan = super().__new__(cls)
        plan.deaf, plan.size = deaf, size
        return plan

    def check(self, path: str) -> Checked:
        if path.endswith("m10.xml") and not isinstance(path, Unchecked):
            if self.size:
                return bytearray(self.size)
            if self.deaf:
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
            while True:
                pass
        return super().check(path)


class Greedy(Plan):
    """A plan for which memory is too small at the tenth file."""

    def check(self, path: str, model: Any = None) -> Checked:
        if path.endswith("m10.xml") and not isinstance(path, Unchecked):
            raise MemoryError("64 GiB")
        return super().check(path, model)


def not_checked(results: Iterable[Checked]) -> dict[str, list[tuple[str, str, str]]]:
    """The findings of the files of ``results`` that could not be read."""
    findings = ((each.path, each.diagnostics) for each in results if each.fatal)
    return {
        path: [(each.code, each.openvino, each.message) for each in some]
        for path, some in findings
    }
