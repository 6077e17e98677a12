"""Folders that tests read."""

from __future__ import annotations

from pathlib import Path

SHARED = Path(__file__).resolve().parent
DATA = SHARED.parent / "data"
ROOT = SHARED.parents[1]
SAMPLES = ROOT / "samples_xml"
WAITING = f"{SHARED / 'waiting'}:{ROOT}"
"""The import path of a child process whose checks wait for named pipes."""
