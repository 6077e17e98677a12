"""Folders that tests read."""

from __future__ import annotations

from pathlib import Path

SHARED = Path(__file__).resolve().parent
DATA = SHARED.parent / "data"
ROOT = SHARED.parents[1]
SAMPLES = ROOT / "samples_xml"
