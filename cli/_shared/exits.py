"""Exit codes, the same for every verb and format."""

from __future__ import annotations

CLEAN, FINDINGS, USAGE, NO_FILE, UNREADABLE, MISSING, BUG, INTERRUPTED = 0, 1, 2, 3, 4, 5, 70, 130
